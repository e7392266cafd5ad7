"""Cells by day and the groups that they are added up to: in columns of days as day by day."""

from __future__ import annotations

import random
from array import array
from collections import Counter

import pytest

from metrics_core.formats import StampRange
from metrics_core.measurement import CellTally, Context, Metric, RunGroup, RunTally
from metrics_core.measurement.grouping import group_by
from metrics_core.memo import Memo
from metrics_core.results import Keys

METRIC = Metric(
    name="passed", estimand="", kind="share", of="runs", groups=(("model",),), timeline=True, cluster="repo"
)
DAYS = ("", "2026-07-05", "2026-07-06", "2026-07-09")


def drawn(rng: random.Random) -> CellTally:
    cell = CellTally(never=rng.randrange(2))
    for _ in range(rng.randrange(1, 9)):
        day = rng.choice(DAYS)
        if rng.random() < 0.7:
            cell.count((rng.choice([0.0, 0.5, 1.0]), 1, 2), day, rng.randrange(1, 4))
        else:
            cell.lose(("unknown", rng.choice("ab")), day, rng.randrange(1, 4))
        if rng.random() < 0.3:
            cell.numbers.setdefault(day, array("d")).append(rng.random())
        cell.span(day).see(f"{day}T0{rng.randrange(10)}:00:00Z" if day else None)
    return cell


def added(tallies: list[RunTally]) -> RunTally:
    known, lost = Counter[tuple[float, int, int]](), Counter[tuple[str, str]]()
    whole, numbers = RunTally(), []
    for tally in tallies:
        known.update(tally.known)
        lost.update(tally.lost)
        numbers += tally.numbers
        whole.span.add(tally.span)
        whole.never += tally.never
    return RunTally(dict(known), array("d", sorted(numbers)), dict(lost), whole.span, whole.never)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(20))
def test_the_whole_of_a_cell_is_its_days_and_the_sum_of_two_is_both(seed: int) -> None:
    rng = random.Random(seed)
    cell, other = drawn(rng), drawn(rng)
    apart = [*cell.by_day().values(), *other.by_day().values()]
    assert sum(len(t.numbers) + sum(t.known.values()) for t in apart) == cell.told + other.told
    assert sum(sum(t.lost.values()) for t in apart) == cell.runs - cell.told + other.runs - other.told
    cell.add(other)
    whole = cell.whole
    whole.numbers = array("d", sorted(whole.numbers))
    assert whole == added(apart) == added([*cell.by_day().values()])


@pytest.mark.parametrize("seed", range(20))
def test_groups_of_days_hold_what_the_cells_of_each_day_come_to(seed: int) -> None:
    rng = random.Random(seed)
    stratum = Keys({"kind": "any"})
    cells = {
        ("passed", stratum, Keys({"model": m, "scenario": s, "repo": rng.choice("pq"), "rep": r})): drawn(rng)
        for m in "ab"
        for s in "xyz"
        for r in "12"
    }
    expected: dict[tuple[Keys, Keys], RunGroup] = {}
    for (_, _, dims), cell in cells.items():
        place = dims["repo"], dims["scenario"]
        for group in (Keys(), dims.only("model")):
            expected.setdefault((stratum, group), RunGroup()).add(cell.whole, *place)
        for day, tally in cell.by_day().items():
            if day:
                group = dims.only("model") | {"stamp": day}
                expected.setdefault((stratum, group), RunGroup()).add(tally, *place)
    found = group_by(cells, METRIC, Context(experiment="e", settings=None, memo=Memo()))  # type: ignore[arg-type]
    for each in (*found.values(), *expected.values()):
        each.numbers = array("d", sorted(each.numbers))
    assert found == expected
    assert all(isinstance(each.span, StampRange) for each in found.values())
