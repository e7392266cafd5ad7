"""Rules of the brownfield family that are easy to get wrong, one a test; results by hand."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from metrics_core.families import FAMILIES
from metrics_core.families.brownfield.grading import within_rounding
from tests.support.measured import by_id, measured, reviewed, tabulated

ARTEFACT = "graded=assertions"
CLAIM = "graded=claims"


def run(number: int = 1, **fields: Any) -> dict[str, Any]:
    """A run in which everything holds, but for the fields given."""
    return {
        "id": f"B{number}",
        "kind": "fix",
        "model": "alpha",
        "change": 1.0,
        "change_detail": [["a", True], ["b", True]],
        "regress": 1.0,
        "changed_files": ["a.php"],
        "stamp": f"2026-07-05T10:00:{number:02}Z",
        **fields,
    }


def claim(number: int = 1, **fields: Any) -> dict[str, Any]:
    """An awareness run, graded on its answer alone."""
    return run(number, kind="awareness", change=0.8, change_detail=[], regress=None, **fields)


def findings_of(record: dict[str, Any]) -> list[tuple[str, str]]:
    return [(finding.field, finding.what) for finding in tabulated("brownfield", [record]).findings]


def test_misses_that_were_not_written_down_are_no_proof_that_every_page_passes() -> None:
    found = by_id(measured("brownfield", [run(regress=0.75, regress_total=4)]))
    regress = found[f"regress?{ARTEFACT}"]
    assert (regress.value, regress.n, regress.N, regress.of) == (0.75, 3, 4, "pages")
    assert (found[f"divergence?{ARTEFACT}"].n, found[f"divergence?{ARTEFACT}"].N) == (1, 1)


def test_a_list_without_one_miss_is_no_proof_either_and_is_said() -> None:
    record = run(regress=0.75, regress_total=4, regress_misses=[])
    regress = by_id(measured("brownfield", [record]))[f"regress?{ARTEFACT}"]
    assert (regress.value, regress.n, regress.N) == (0.75, 3, 4)
    assert findings_of(record) == [("regress", "recorded 0.75, yet no miss is named")]


def test_a_rounded_regress_counts_whole_pages() -> None:
    # 30 of 32 is 0.9375, which a harness writes as 0.938.
    regress = by_id(measured("brownfield", [run(regress=0.938, regress_total=32)]))[f"regress?{ARTEFACT}"]
    assert (regress.value, regress.n, regress.N) == (0.9375, 30, 32)


def test_a_regress_that_is_no_number_of_pages_stays_as_recorded() -> None:
    regress = by_id(measured("brownfield", [run(regress=0.6, regress_total=4)]))[f"regress?{ARTEFACT}"]
    assert (regress.value, regress.n, regress.N, regress.of) == (0.6, 0, 1, "intact runs")


def test_names_of_misses_count_more_than_the_recorded_fraction() -> None:
    record = run(regress=1.0, regress_total=4, regress_misses=["cart", "cart", "login"])
    found = by_id(measured("brownfield", [record]))
    assert (found[f"regress?{ARTEFACT}"].n, found[f"regress?{ARTEFACT}"].N) == (2, 4)
    assert found[f"divergence?{ARTEFACT}"].n == 1
    ((field, what),) = findings_of(record)
    assert (field, "2/4 pages" in what) == ("regress", True)


def test_whole_with_misses_and_no_total_is_neither_whole_nor_broken() -> None:
    record = run(regress=1.0, regress_misses=["cart"])
    found = by_id(measured("brownfield", [record]))
    regress, both = found[f"regress?{ARTEFACT}"], found[f"divergence?{ARTEFACT}"]
    assert (regress.value, regress.n, regress.N, regress.invalid) == (None, 0, 0, 1)
    assert (both.value, both.n, both.N, both.invalid) == (None, 0, 0, 1)
    assert found[f"change?{ARTEFACT}"].value == 1.0
    assert findings_of(record) == [("regress", "recorded 1.0, yet misses are named: 1")]
    funnel = found[f"stage?stage=and%20nothing%20broken&{ARTEFACT}"]
    assert (funnel.n, funnel.N, funnel.invalid) == (0, 1, 1)


@pytest.mark.parametrize(
    ("recorded", "exact", "same"),
    [
        (1.0, 20 / 21, False),  # 0.952: a failed assertion is no rounding
        (0.0, 1 / 21, False),
        (1.0, 2999 / 3000, True),  # 0.99967 in three decimals
        (0.67, 2 / 3, True),
        (0.66, 2 / 3, False),
        (1e-05, 0.0, False),
    ],
)
def test_a_recorded_zero_or_one_says_that_nothing_or_everything_holds(
    recorded: float, exact: float, same: bool
) -> None:
    assert within_rounding(recorded, exact) is same


def test_a_recorded_change_of_one_beside_a_failed_assertion_is_told_and_recomputed() -> None:
    detail = [[f"a{i}", i > 0] for i in range(21)]
    record = run(change=1.0, change_detail=detail)
    assert findings_of(record) == [
        ("change", "recorded 1.0, but 20 of 21 assertions pass: 20/21 is used"),
    ]
    change = by_id(measured("brownfield", [record]))[f"change?{ARTEFACT}"]
    assert (change.n, change.N, change.value) == (20, 21, 20 / 21)


def test_claims_with_and_without_a_detail_are_all_attempts_of_their_stratum() -> None:
    graded = claim(1, answer_files=["a"], truth_files=["a"])
    listed = {**claim(2), "change_detail": [["named it", True], ["and why", False]]}
    found = by_id(measured("brownfield", [graded, listed]))
    change = found[f"change?{CLAIM}"]
    assert (change.n, change.N, change.attempts, change.known, change.unknown) == (1, 2, 2, 1, 1)
    assert found[f"done?{CLAIM}"].attempts == 2


def test_change_is_not_given_where_nobody_was_asked_for_it() -> None:
    failed = claim(2, error="timed out")
    found = by_id(measured("brownfield", [claim(1), failed]))
    assert f"change?{CLAIM}" not in found
    assert f"done?{CLAIM}" not in found
    awareness = found[f"awareness?{CLAIM}"]
    assert (awareness.value, awareness.n, awareness.N, awareness.errors) == (0.8, 1, 1, 1)


def test_f1_of_nothing_claimed_and_nothing_true_is_unknown_whatever_was_recorded() -> None:
    awareness = by_id(measured("brownfield", [claim(answer_files=[], truth_files=[])]))[f"awareness?{CLAIM}"]
    assert (awareness.value, awareness.unknown) == (None, 1)
    assert [loss.reason for loss in awareness.losses] == ["no file was named and none is true: F1 is 0/0"]


def test_a_run_that_failed_has_no_verdict_on_its_own_page_either() -> None:
    (review,) = reviewed("brownfield", [claim(error="timed out")])
    for verdict in review.verdicts:
        assert (verdict.state, verdict.value, verdict.n, verdict.N, verdict.good) == (
            "error",
            None,
            0,
            0,
            None,
        )
        assert (verdict.word, verdict.reason) == ("error", "the run itself failed")
    assert review.facets == ("error",)


def test_what_was_recorded_of_a_run_that_failed_is_shown_as_not_counted() -> None:
    (review,) = reviewed("brownfield", [run(error="crashed", regress=0.9, regress_misses=["a.php"])])
    assert review.uncounted == "recorded of a run that failed; not counted"
    assert review.broken == ()
    assert dict(review.lists)["Pages that broke, recorded of a run that failed; not counted"] == ("a.php",)
    assert {step.name for v in review.verdicts for step in v.chain} == {"Run"}
    for counted in (run(), {**claim(), "change_detail": [["the answer names both", True]]}):
        assert reviewed("brownfield", [counted])[0].uncounted == ""


def test_a_task_that_grades_a_claim_has_no_verdict_on_regress() -> None:
    (review,) = reviewed("brownfield", [claim()])
    assert [v.metric for v in review.verdicts] == ["awareness"]
    found = by_id(measured("brownfield", [claim(n) for n in range(1, 10)]))
    assert not [name for name in found if name.startswith("regress")]


def test_each_verdict_of_a_page_gives_its_own_reason() -> None:
    (review,) = reviewed("brownfield", [run(change=0.5, change_detail=[], regress=None)])
    reasons = {verdict.metric: (verdict.state, verdict.reason) for verdict in review.verdicts}
    assert reasons == {
        "change": ("invalid", "a value without one assertion behind it"),
        "regress": ("unknown", "no regression set was run"),
    }


@pytest.mark.parametrize(
    ("record", "facets"),
    [
        (run(regress=0.6), ("task done", "done, but broken")),
        (run(change_detail=[["a", False]], change=0.0), ("task not done", "not done, intact")),
        (run(regress=None), ("task done", "regress unknown")),
        (claim(), ("at 0.7 or above",)),
        (claim(answer_files=["a", "b", "c"], truth_files=["a"]), ("below 0.7",)),  # 2/(2+2) = 0.5
        ({**claim(), "change": None}, ("unknown",)),
    ],
)
def test_every_run_is_listed_under_what_became_of_it(record: dict[str, Any], facets: tuple[str, ...]) -> None:
    (review,) = reviewed("brownfield", [record])
    assert review.facets == facets


def test_awareness_is_never_added_to_assertions() -> None:
    found = measured("brownfield", [run(1), run(2), claim(3), claim(4)])
    told = {(e.metric, e.stratum["graded"]): e.attempts for e in found.estimates if not e.group}
    assert told[("awareness", "claims")] == 2
    assert ("regress", "claims") not in told, "a task that grades a claim runs no regression set"
    assert told[("change", "assertions")] == told[("regress", "assertions")] == 2
    assert not {("awareness", "assertions"), ("change", "claims"), ("divergence", "claims")} & told.keys()


@pytest.mark.parametrize("kind", ["Awareness", "AWARE", "awareNess"])
def test_a_kind_is_the_same_in_capitals(kind: str) -> None:
    record = claim(1) | {"kind": kind}
    found = measured("brownfield", [run(2, kind="Fix"), run(3), record])
    told = {(e.metric, e.stratum["graded"]): e.attempts for e in found.estimates if not e.group}
    assert (told[("awareness", "claims")], told[("change", "assertions")]) == (1, 2)
    kinds = {e.group["kind"] for e in found.estimates if "kind" in e.group.names}
    assert kinds == {"fix", kind.lower()}


def test_two_lists_of_files_on_another_kind_are_a_finding() -> None:
    lists = {"answer_files": ["a"], "truth_files": ["a"]}
    said = '"fix" beside the two lists of files of an awareness task: no F1 is made of them'
    assert findings_of(run(1, **lists)) == [("kind", said)]
    assert findings_of(run(1, answer_files=["a"])) == []
    assert findings_of(claim(1, **lists) | {"change": 1.0}) == []


def test_change_is_the_mean_over_runs_and_its_counts_are_assertions() -> None:
    # Runs of 1/2 and 3/3: the mean of 0.5 and 1 is 0.75, while 4 of 5 assertions pass.
    first = run(1, change=0.5, change_detail=[["a", True], ["b", False]])
    second = run(2, change_detail=[["a", True], ["b", True], ["c", True]])
    change = by_id(measured("brownfield", [first, second]))[f"change?{ARTEFACT}"]
    assert (change.value, change.n, change.N, change.of, change.known) == (0.75, 4, 5, "assertions", 2)
    assert change.bounds == (0.75, 0.75)  # both runs are known


def test_ablations_are_paired_by_scenario_within_a_model() -> None:
    runs = []
    for number in range(1, 5):
        for brain in (True, False):
            held = [["a", True], ["b", brain or number > 2]]
            fields = {"with_brain": brain, "with_plan": True, "change": None, "change_detail": held}
            runs.append(run(number, rep=int(brain), **fields))
    (found,) = [
        c for c in measured("brownfield", runs).comparisons if c.over == "config" and c.metric == "change"
    ]
    assert found.group == (("model", "alpha"),)
    assert (found.a, found.b, found.paired_on) == ("brain=off plan=on", "brain=on plan=on", 4)


def test_awareness_is_labelled_the_weaker_instrument_wherever_it_is_told() -> None:
    found = measured("brownfield", [run(1), claim(2)])
    told = {e.metric: e.notes for e in found.estimates if not e.group}
    assert told["awareness"] == ("a weaker instrument: it grades a claim, not an artefact",)
    assert told["change"] == ()


def test_the_words_that_change_is_not_never_stand_near_it() -> None:
    family = FAMILIES["brownfield"]
    said = [estimand for _, estimand in family.contract.promise]
    said += [json.dumps(msgspec.json.schema(family.record))]
    assert not [text for text in said if "pass rate" in text.lower()]


def test_a_task_that_wants_no_edit_is_not_lost_for_editing_nothing() -> None:
    """Four runs pass every assertion and break nothing; two of them rightly left every file alone."""
    runs = [run(1), run(2), run(3, kind="behaviour", changed_files=[]), run(4, changed_files=None)]
    idle = run(5, change=0.0, change_detail=[["a", False]], changed_files=[])
    (funnel,) = [f for f in measured("brownfield", [*runs, idle]).funnels if not f.group]
    assert [(s.name, s.estimate.n) for s in funnel.stages] == [
        ("attempts", 5), ("ran without error", 5), ("at least one assertion passed", 4),
        ("all assertions passed", 4), ("and nothing broken", 4),
    ]  # fmt: skip
    assert [(x.state, x.reason) for s in funnel.stages for x in s.losses] == [
        ("known", "no file edited, no assertion passed")
    ]


def test_a_run_in_error_ends_at_the_run_and_no_assertion_is_said_to_hold() -> None:
    (failed,) = reviewed("brownfield", [run(1, error="crashed", change=None, change_detail=[])])
    assert [(s.name, s.ends) for s in failed.verdicts[0].chain] == [("Run", True)]


@pytest.mark.parametrize(
    ("cost", "tokens", "known"), [(0.0, 900, None), (0.0, 0, 0.0), (0.25, 900, 0.25), (None, 900, None)]
)
def test_a_cost_of_0_for_tokens_that_nothing_prices_is_not_known(
    cost: float | None, tokens: int, known: float | None
) -> None:
    """The run's own page says what the estimate says: such a run is not in n of the cost."""
    record = run(metrics={"cost_usd": cost, "input_tokens": tokens, "output_tokens": 0})
    (review,) = reviewed("brownfield", [record])
    assert review.usd == known
    assert any(line.unproven for line in review.costs) is (cost == 0 and tokens > 0)
    spent = [e for name, e in by_id(measured("brownfield", [record])).items() if name.startswith("cost?")]
    assert any(e.known for e in spent) is (known is not None)
