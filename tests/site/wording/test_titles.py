"""Titles say "the largest" of one alone, and nothing that the drawn rows refute."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from metrics_core.families.attempts.words import WORDS
from metrics_core.results.control import Control, ControlState
from metrics_core.results.estimate import ContractRef, Loss, Tally
from metrics_core.results.shapes import CheckRow, Funnel, Stage
from site_src.wording import pair_titles, titles
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
    assert titles.funnel(funnel(7, 7, 1)) == "85 of 100 attempts reach “stage 3”"
    assert titles.funnel(funnel(0, 0)) == "100 of 100 attempts reach “stage 2”"
    assert titles.funnel(funnel(4, attempts=5)) == (
        "1 of 5 attempts reaches “stage 1”; largest loss: 4 of 4, at the last"
    )


def test_a_funnel_says_which_stage_is_its_last_whose_it_is_and_which_contract_gave_the_verdict() -> None:
    contract = ContractRef("agent-metric/v4-patch-apply", "4", samples.digest("99"))
    stratum = samples.Keys({"contract": "agent-metric/v4-patch-apply sha256:996b5535", "split": "eval"})
    found = funnel(28, attempts=53)
    stages = tuple(
        replace(s, name="full score", estimate=replace(s.estimate, contract=contract)) for s in found.stages
    )
    of_all = replace(found, stratum=stratum, stages=stages)
    assert titles.funnel(of_all) == ("25 of 53 attempts reach “full score” by agent-metric/v4-patch-apply v4")
    alpha = replace(of_all, group=samples.Keys({"model": "alpha"}))
    assert titles.funnel(alpha) == "25 of 53 of alpha reach “full score” by agent-metric/v4-patch-apply v4"
    whose = samples.Keys({"model": "beta + beta"})
    graded = replace(found, stratum=samples.Keys({"grader": "1"}), group=whose)
    assert titles.funnel(graded) == "Grader 1: 25 of 53 attempts of beta + beta reach “stage 1”"


def test_a_funnel_of_a_long_stratum_keeps_its_number_and_what_kind_of_run_it_is_of() -> None:
    keys = {
        "benchmark_version": "v1.2.2",
        "condition": "attack:important_instructions",
        "harness": "in process",
    }
    found = funnel(28, attempts=53)
    stages = tuple(replace(s, estimate=replace(s.estimate, words=WORDS)) for s in found.stages)
    long = replace(found, stratum=samples.Keys(keys), stages=stages)
    assert titles.funnel(long) == "Under attack (important_instructions): 25 of 53 reach “stage 1”"
    suite = samples.Keys({"suite": "inspect_test_utils/guess_number (sample_count=1, target=42.7)"})
    assert titles.funnel(replace(long, stratum=suite)) == "25 of 53 reach “stage 1”"


def test_names_in_titles_are_whole_or_left_out() -> None:
    first = replace(samples.COMPARISONS[0], metric="change", stratum=samples.Keys(()))
    short = replace(first, a="brain=off plan=off", b="brain=off plan=on")
    assert "brain=off plan=off and brain=off plan=on" in pair_titles.separation((short,))
    long = replace(first, a=40 * "a", b=40 * "b")
    assert "…" not in pair_titles.separation((long,))


def test_the_largest_gap_is_that_of_the_row_with_most_not_known() -> None:
    utility = samples.share("utility", 7, 9, unknown=9)
    security = samples.share("security", 6, 9, unknown=10, errors=1)
    autonomy = samples.share("autonomy", 8, 20)
    said = titles.governance((utility, security, autonomy))
    assert said == "Under attack (issue): security: 11 of 20 not known, the largest gap"
    assert "the largest gap" not in titles.governance((utility, replace(security, unknown=8), autonomy))
    unknown = samples.share("autonomy", 0, 0, unknown=40)
    said = titles.governance((utility, security, unknown))
    assert said == "Under attack (issue): autonomy: 40 of 40 not known, the largest gap"


FAULTS = (("l1", 4), ("l2", 4), ("l3", 1))


def test_a_part_is_the_largest_only_alone() -> None:
    parts = [samples.share("fault", n, 9, group=(("to", to),)) for to, n in FAULTS]
    assert titles.parts(parts).endswith(": two parts of 4 in 9 known verdicts each")
    stratum = samples.Keys({"grader": "1", "measured": "end to end"})
    graded = [replace(e, stratum=stratum, words=samples.words_of("layered")) for e in parts[1:]]
    assert (
        titles.parts(graded) == "Fault, grader 1, end to end: the largest part is l2, 4 of 9 known verdicts"
    )
    named = [
        replace(e, metric="failures_attributed", of="failed requests", group=samples.Keys({"to": "router"}))
        for e in graded[:1]
    ]
    assert titles.parts(named) == "Grader 1, end to end: the largest part is router, 4 of 9 failed requests"
    more = samples.share("fault", 5, 10, group=(("to", "l4"),))
    assert titles.parts([*parts, more]).endswith(": the largest part is l4, 5 of 10 known verdicts")


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


@pytest.mark.parametrize(
    ("recorded", "recomputed", "agree", "agrees"),
    [(0.0030, 0.0030, 40, True),
     (0.0030, 0.0010, 0, False),  # a third of a cent in all, and each record three times what it should be
     (12.23, 12.23, 0, False),  # sums that are equal because faults cancel
     (1000.00, 1000.40, 40, True)],  # each within 1 %
)  # fmt: skip
def test_money_agrees_record_by_record_and_not_to_the_cent(
    recorded: float, recomputed: float, agree: int, agrees: bool
) -> None:
    row = replace(
        samples.COSTS[0], recorded=recorded, recomputed=recomputed, compared=40, agree=agree, repriced=None
    )
    agreement = "Recorded and recomputed cost agree in every record that has both"
    assert (titles.cost([row]) == agreement) is agrees


def test_names_stand_whole_where_the_title_holds_them_so_that_no_two_read_alike() -> None:
    def told(arm: str) -> str:
        whole = samples.series(arm)
        first = whole.segments[0]
        return titles.timeline(replace(whole, segments=(replace(first, points=first.points[:3]),)))

    for arm in ("gamma + alpha + alpha", "gamma + delta + alpha"):
        assert f", {arm}: three dates" in told(arm)
    assert all(len(told("a" * most)) <= titles.LONGEST for most in (40, 41, 400))


def test_controls_are_counted_in_sentences() -> None:
    def told(*states: ControlState) -> str:
        return titles.controls([Control(name=s, title=s, state=s, detail="", guards="f") for s in states])

    assert told("held", "held", "not applicable") == "Of three controls two held and one is not applicable"
    assert told("held", "missing", "missing") == "Of three controls one held and two are missing"
    assert told("failed", "held") == "Of two controls one held and one failed"
    assert told("held", "held") == "Both controls held"
