"""One task and try of one arm with two outcomes, in every family: told with both places, and both counted."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import msgspec
import pytest

from metrics_core.digest import canonical
from metrics_core.experiments import NumberedRuns
from metrics_core.experiments.settings import Settings
from metrics_core.families import FAMILIES
from metrics_core.formats.jsonl import read
from metrics_core.measurement import Context, Partial, tabulate
from metrics_core.memo import Memo
from metrics_core.results import Conflicting

STAMP = {"stamp": "2026-07-05T10:00:00Z"}
TWO_OUTCOMES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "brownfield": (
        {"id": "B1", "kind": "fix", "model": "m", "change": 1.0,
         "change_detail": [["a", True]], "regress": 1.0, "rep": 0, **STAMP},
        {"id": "B1", "kind": "fix", "model": "m", "change": 0.0,
         "change_detail": [["a", False]], "regress": 1.0, "rep": 0, **STAMP},
    ),
    "matrix": (
        {"scenario_id": "s", "turn_index": 0, "chat": "a", "coder": "b", "check_passed": True,
         "check_kind": "tests", "rep": 0},
        {"scenario_id": "s", "turn_index": 0, "chat": "a", "coder": "b", "check_passed": False,
         "check_kind": "tests", "rep": 0},
    ),
    "layered": (
        {"measurement": "l1", "scenario_id": "s", "l1": "m", "route_expected": "x", "route_actual": "x",
         "passed": True, "rep": 0},
        {"measurement": "l1", "scenario_id": "s", "l1": "m", "route_expected": "x", "route_actual": "y",
         "passed": False, "rep": 0},
    ),
    "traces": (
        {"task_id": "t", "agent": "m", "scores": {"s": 1.0}, "rep": 0},
        {"task_id": "t", "agent": "m", "scores": {"s": 0.0}, "rep": 0},
    ),
    "attempts": (
        {"scenario": "s", "model": "m", "utility_achieved": True, "rep": 0},
        {"scenario": "s", "model": "m", "utility_achieved": False, "rep": 0},
    ),
    "judges": (
        {"item": "i", "rater": "judge", "verdict": "pass", "run": 0},
        {"item": "i", "rater": "judge", "verdict": "fail", "run": 0},
    ),
}  # fmt: skip


def partial(family: str, file: str, *records: dict[str, Any]) -> Partial:
    rows = list(read([canonical(record) + b"\n" for record in records], FAMILIES[family].record, file=file))
    context = Context(experiment="x", settings=Settings(), memo=Memo())
    found = tabulate(FAMILIES[family], [rows], context)
    assert found.problems == []
    return found


def conflicts(family: str, *records: dict[str, Any]) -> list[Conflicting]:
    return list(partial(family, "a.jsonl", *records).numbered.conflicts())


def test_every_family_is_tried() -> None:
    assert set(TWO_OUTCOMES) == set(FAMILIES)


@pytest.mark.parametrize("family", TWO_OUTCOMES)
def test_two_outcomes_of_one_try_are_told_and_both_count(family: str) -> None:
    one, other = TWO_OUTCOMES[family]
    assert conflicts(family, one, other) == [Conflicting("a.jsonl", 2, "", with_place="a.jsonl:1")]
    assert partial(family, "a.jsonl", one, other).records == 2


@pytest.mark.parametrize("family", TWO_OUTCOMES)
@pytest.mark.parametrize(
    "differs",
    [
        {"rep": 1},
        {"rep": None},
        {"stamp": "2026-07-06T10:00:00Z"},
        {"grader_version": "2"},
    ],
)
def test_another_try_day_or_grader_is_no_conflict(family: str, differs: dict[str, Any]) -> None:
    one, other = TWO_OUTCOMES[family]
    spelled = {field.name: field.encode_name for field in msgspec.structs.fields(FAMILIES[family].record)}
    changed = {spelled.get(name, name): value for name, value in differs.items()}
    assert conflicts(family, one, {**other, **changed}) == []


@pytest.mark.parametrize(
    ("family", "differs"),
    [
        ("traces", {"suite": "another"}),
        ("traces", {"folder": "another"}),
        ("traces", {"prompt_sha256": "a" * 64}),
        ("traces", {"agent": "n"}),
        ("attempts", {"attack": "static"}),
        ("attempts", {"injection": "i2"}),
        ("attempts", {"seed": 7}),
        ("attempts", {"benchmark_version": "v2"}),
        ("matrix", {"turn_index": 1}),
        ("matrix", {"coder": "c"}),
        ("layered", {"l2": "n"}),
    ],
)
def test_another_circumstance_is_no_conflict(family: str, differs: dict[str, Any]) -> None:
    one, other = TWO_OUTCOMES[family]
    assert conflicts(family, one, {**other, **differs}) == []


def test_what_is_context_is_no_outcome() -> None:
    one, _ = TWO_OUTCOMES["traces"]
    assert conflicts("traces", {**one, "wall_s": 1.0}, {**one, "wall_s": 2.0}) == []
    assert len(conflicts("traces", one, {**one, "error": "timed out"})) == 1


def test_a_try_that_failed_and_one_that_did_not_are_two_outcomes() -> None:
    one, other = TWO_OUTCOMES["traces"]
    found = conflicts("traces", one, other, one, {**one, "error": "timed out"})
    assert [(conflict.line, conflict.with_place) for conflict in found] == [
        (2, "a.jsonl:1"),
        (4, "a.jsonl:1"),
    ]


def test_partitions_add_up_in_any_order() -> None:
    one, other = TWO_OUTCOMES["traces"]
    parts = [
        partial("traces", "b.jsonl", one),
        partial("traces", "a.jsonl", {**one, "task_id": "u"}, other),
        partial("traces", "c.jsonl", other, {**one, "task_id": "u", "scores": {"s": 0.5}}),
    ]
    for order in permutations(parts):
        total = Partial()
        for part in order:
            total.numbered.add(part.numbered)
        assert [(c.file, c.line, c.with_place) for c in total.numbered.conflicts()] == [
            ("b.jsonl", 1, "a.jsonl:2"),
            ("c.jsonl", 2, "a.jsonl:1"),
        ]


def test_a_run_takes_24_bytes() -> None:
    one, _ = TWO_OUTCOMES["traces"]
    numbered = partial("traces", "a.jsonl", *({**one, "rep": n} for n in range(1000))).numbered
    assert (
        sum(len(column) * column.itemsize for column in (numbered.tries, numbered.places, numbered.ends))
        == 24_000
    )
    assert len(numbered.files) == 1
    assert list(NumberedRuns().conflicts()) == list(numbered.conflicts()) == []
