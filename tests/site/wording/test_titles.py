"""Titles say "the largest" of one alone, and nothing that the drawn rows refute."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metrics_core.results.control import Control, ControlState
from metrics_core.results.estimate import Loss, Tally
from metrics_core.results.shapes import CheckRow, Funnel, Stage
from site_src.wording import titles
from tests.support import figure_samples as samples


def funnel(*losses: int, attempts: int = 100) -> Funnel:
    """All attempts, then a stage for each number of runs that it loses."""
    stages, left = [], attempts
    for at, lost in enumerate((0, *losses)):
        left -= lost
        e = replace(samples.share("stage", left, attempts), metric="stage")
        found = (Loss("known", "lost", lost),) if lost else ()
        stages.append(Stage(f"stage {at}", e, found, achieved=at == len(losses)))
    return Funnel("sixth", samples.Keys(()), samples.Keys(()), tuple(stages))


def test_the_largest_loss_needs_one_largest_and_is_never_called_most() -> None:
    # 21 of 50 lost at the last stage is no "most"
    assert titles.funnel(funnel(15, 14, 21)).endswith("; largest loss: 21 of 50, at the last")
    assert titles.funnel(funnel(20, 10)).endswith("; largest loss: 20 of 30, at “stage 1”")
    assert titles.funnel(funnel(7, 7, 1)) == "85 of 100 attempts pass every stage"
    assert titles.funnel(funnel(0, 0)) == "100 of 100 attempts pass every stage"


def test_the_largest_gap_is_that_of_the_row_with_most_not_known() -> None:
    utility = samples.share("utility", 7, 9, unknown=9)
    security = samples.share("security", 6, 9, unknown=10, errors=1)
    autonomy = samples.share("autonomy", 8, 20)
    said = titles.governance((utility, security, autonomy))
    assert "Security has the largest gap, 11 of 20 attempts not known" in said
    assert "the largest gap" not in titles.governance((utility, replace(security, unknown=8), autonomy))
    unknown = samples.share("autonomy", 0, 0, unknown=40)
    assert "Autonomy has the largest gap" in titles.governance((utility, security, unknown))


def test_a_part_is_the_largest_only_alone() -> None:
    parts = [samples.share("fault", n, 9, group=(("to", to),)) for to, n in (("l1", 4), ("l2", 4), ("l3", 1))]
    assert titles.parts(parts).endswith("two parts of 4 in 9 each")
    more = samples.share("fault", 5, 10, group=(("to", "l4"),))
    assert titles.parts([*parts, more]).endswith("the largest part is l4, 5 of 10")


@pytest.mark.parametrize(
    ("fails", "title"),
    [((3, 1, 0), "2 of 3 named assertions fail at least once, most often a0"),
     ((2, 2, 0), "2 of 3 named assertions fail at least once"),
     ((0, 0, 0), "None of 3 named assertions was seen to fail")],
)  # fmt: skip
def test_an_assertion_fails_most_often_only_alone(fails: tuple[int, ...], title: str) -> None:
    rows = [
        CheckRow("sixth", samples.Keys(()), "task", f"a{at}", (("alpha", Tally(true=4, false=n)),))
        for at, n in enumerate(fails)
    ]
    assert titles.assertion_strip(rows) == title


def test_money_is_recorded_only_where_some_was_recorded() -> None:
    rows = [replace(row, recorded=None) for row in samples.COSTS if row.recomputed is not None]
    assert titles.cost(rows) == "Recomputed cost only: the harness recorded none"


def test_names_stand_whole_where_the_title_holds_them_so_that_no_two_read_alike() -> None:
    def told(arm: str) -> str:
        whole = samples.series(arm)
        first = whole.segments[0]
        return titles.timeline(replace(whole, segments=(replace(first, points=first.points[:3]),)))

    for arm in ("gamma + alpha + alpha", "gamma + delta + alpha"):
        assert f", {arm}: three stamps" in told(arm)
    assert all(len(told("a" * most)) <= titles.LONGEST for most in (40, 41, 400))


def test_controls_are_counted_in_sentences() -> None:
    def told(*states: ControlState) -> str:
        return titles.controls([Control(name=s, title=s, state=s, detail="", guards="f") for s in states])

    assert told("held", "held", "not applicable") == "Of three controls two held and one is not applicable"
    assert told("held", "missing", "missing") == "Of three controls one held and two are missing"
    assert told("failed", "held") == "Of two controls one held and one failed"
    assert told("held", "held") == "Both controls held"
