"""Rules of the traces family that are easy to get wrong, one a test; results by hand."""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import metrics_core as mc
from metrics_core.engine import reviews
from metrics_core.results.report import Report
from metrics_core.results.review import Verdict
from tests.support.measured import by_id, lines, measured, reviewed

CONTRACT = """
CONTRACT_ID = "tests/v1-passes"
INVALID = float("nan")


def score_trace(trace):
    if trace.get("schema") != "trace.v1":
        return INVALID
    touched = set(trace.get("oracle_files") or []) <= set(trace.get("touched_files") or [])
    return 1.0 if touched and trace.get("tests_passed") is True else 0.0


FIXTURES = [({"schema": "trace.v1", "tests_passed": True}, 1.0), ({"schema": "trace.v2"}, INVALID)]
"""


PATCHES = Path(__file__).parents[2] / "content" / "experiments" / "patches-2026"


def trace(number: int = 1, **fields: Any) -> dict[str, Any]:
    """A trace that passes, but for the fields given."""
    return {
        "schema": "trace.v1",
        "task_id": f"t{number}",
        "agent": "alpha",
        "exit_code": 0,
        "patch": "diff",
        "oracle_files": ["a.py"],
        "touched_files": ["a.py"],
        "tests_passed": True,
        "rep": number,
        **fields,
    }


def report_of(
    folder: Path,
    records: list[dict[str, Any]],
    cards: list[dict[str, Any]] | None = None,
    contract: str = CONTRACT,
) -> Report:
    """The report of traces under the contract above, or another one, on a pack of these cards."""
    for name in ("traces", "contracts", *(["eval_pack"] if cards else [])):
        (folder / "e" / name).mkdir(parents=True)
    (folder / "e" / "traces" / "a.jsonl").write_bytes(lines(records))
    (folder / "e" / "contracts" / "passes.py").write_text(contract)
    if cards:
        (folder / "e" / "eval_pack" / "tasks.json").write_text(json.dumps(cards))
    return mc.compute(mc.load(folder / "e"))


def strata(records: list[dict[str, Any]], metric: str) -> dict[str, int]:
    """Stratum in words -> attempts, of the whole experiment."""
    found = measured("traces", records).estimates
    return {
        " ".join(f"{key}={value}" for key, value in e.stratum): e.attempts
        for e in found
        if e.metric == metric and {key for key, _ in e.group} <= {"stage"}
        and e.group.get("stage", "attempts") == "attempts"
    }  # fmt: skip


@pytest.mark.parametrize("metric", ["latency", "cost", "tokens", "retries", "stage"])
def test_two_benchmarks_are_never_pooled_not_even_in_context(metric: str) -> None:
    used = {"wall_s": 1.0, "cost_usd": 0.1, "prompt_tokens": 1, "completion_tokens": 1, "retries": 0}
    records = [
        trace(1, suite="airline", **used),
        trace(2, suite="retail", **used),
        trace(3, suite="retail", **used),
    ]
    found = strata(records, metric)
    assert sorted(found.values()) == [1, 2]
    assert all("suite=" in stratum for stratum in found)


@pytest.mark.parametrize("metric", ["latency", "stage", "score"])
def test_a_prompt_that_moves_inside_an_arm_parts_everything_of_that_arm(metric: str) -> None:
    alpha = [trace(n, prompt_sha256=prompt * 16, wall_s=1.0) for n, prompt in ((1, "a"), (2, "b"))]
    beta = [trace(3, agent="beta", prompt_sha256="a" * 16, wall_s=1.0)]
    found = strata([*alpha, *beta], metric)
    moved = {stratum: n for stratum, n in found.items() if "prompt=" in stratum}
    assert sorted(moved.values()) == [1, 1]
    assert sum(found.values()) == 3  # beta's prompt stayed: it is no stratum


@pytest.mark.parametrize("metric", ["latency", "stage", "score"])
def test_a_prompt_that_stays_is_no_stratum(metric: str) -> None:
    found = strata([trace(n, prompt_sha256="a" * 16, wall_s=1.0) for n in (1, 2)], metric)
    assert list(found.values()) == [2]
    assert not any("prompt" in stratum for stratum in found)


def test_a_contract_judges_a_run_that_failed_and_a_recorded_score_does_not_count(tmp_path: Path) -> None:
    failed = {"error": "sandbox gone", "tests_passed": False}
    report = report_of(tmp_path, [trace(n, **(failed if n > 6 else {})) for n in range(1, 9)])
    (score,) = [e for e in report.find("score") if not e.group]
    assert (score.value, score.n, score.N, score.errors) == (6 / 8, 6, 8, 0)
    recorded = by_id(measured("traces", [trace(1, scores={"s": "C"}, error="sandbox gone")]))
    (found,) = [e for name, e in recorded.items() if name.startswith("score?contract")]
    assert (found.value, found.N, found.errors) == (None, 0, 1)


def test_fewer_than_eight_valid_runs_have_no_mean_and_no_comparison(tmp_path: Path) -> None:
    seven = [trace(n) for n in range(1, 8)] + [trace(8, schema="trace.v2")]
    twenty = [trace(n, agent="beta", tests_passed=n > 4) for n in range(1, 21)]
    report = report_of(tmp_path, [*seven, *twenty])
    (alpha,) = report.find("score", model="alpha")[:1]
    assert (alpha.value, alpha.n, alpha.N, alpha.invalid) == (None, 7, 7, 1)
    (c,) = [c for c in report.comparisons if c.metric == "score"]
    assert (c.difference, c.p, c.interval.reason) == (None, None, "too few valid runs")


def test_probe_items_never_enter_the_eval_split(tmp_path: Path) -> None:
    cards = [
        {"id": f"t{n}", "oracle_files": [f"{n}.py"], "split": "probe" if n > 8 else "eval"}
        for n in range(1, 13)
    ]
    records = [
        trace(n, oracle_files=[f"{n}.py"], touched_files=[f"{n}.py"], tests_passed=n != 9)
        for n in range(1, 13)
    ]
    report = report_of(tmp_path, [*records, trace(99)], cards)
    whole = {e.stratum["split"]: e for e in report.find("score") if not e.group}
    assert (whole["eval"].n, whole["eval"].N, whole["eval"].invalid) == (8, 8, 1)  # t99 is in no pack
    assert (whole["probe"].N, whole["probe"].value) == (4, None)
    stage = {
        e.stratum["split"]: e.n
        for e in report.find("stage", stage="full score")
        if [key for key, _ in e.group] == ["stage"]
    }
    assert stage == {"eval": 8, "probe": 3}


def test_the_key_that_every_card_states_clusters_the_runs(tmp_path: Path) -> None:
    cards = [
        {"id": f"t{n}", "oracle_files": [f"{n}.py"], "split": "eval", "repo": f"r{n % 4}"} for n in range(17)
    ]  # nobody ran the last, of r0
    records = [trace(n, oracle_files=[], tests_passed=n % 4 > 0) for n in range(16)]
    report = report_of(tmp_path, records, cards)
    (whole,) = [e for e in report.find("score") if not e.group]
    assert (whole.n, whole.N) == (12, 16)
    assert (whole.interval.cluster, whole.interval.clusters) == ("repo", 4)
    each = {e.group["repo"]: (e.n, e.N) for e in report.find("score") if e.group.names == ("model", "repo")}
    assert each == {"r0": (0, 4), "r1": (4, 4), "r2": (4, 4), "r3": (4, 4)}
    never = {
        e.group["repo"]: e.never_recorded and e.never_recorded.runs
        for e in report.find("score")
        if e.group.names == ("model", "repo")
    }
    assert never == {"r0": 1, "r1": None, "r2": None, "r3": None}


def test_another_contract_and_another_pack_are_another_stratum(tmp_path: Path) -> None:
    cards = [{"id": f"t{n}", "oracle_files": [f"{n}.py"], "split": "eval"} for n in range(1, 10)]
    moved = [{**card, "split": "probe"} if card["id"] == "t9" else card for card in cards]
    records = [trace(n) for n in range(1, 10)]
    was = report_of(tmp_path / "was", records, cards)
    now = report_of(tmp_path / "now", records, moved)
    packs = [{e.stratum["pack"] for e in report.find("score")} for report in (was, now)]
    assert len(packs[0] | packs[1]) == 2


def test_a_missing_patch_and_a_crash_are_lost_where_they_end() -> None:
    cases = {
        "schema known": {"schema": "trace.v2"},
        "exit code recognised": {"exit_code": 137},
        "patch present": {"patch": ""},
        "oracle files touched": {"touched_files": []},
        "tests passed": {"tests_passed": None},
    }
    for stage, fields in cases.items():
        (review,) = reviewed("traces", [trace(**fields)])
        assert [loss.stage for loss in review.lost] == [stage]
    states = {stage: reviewed("traces", [trace(**f)])[0].lost for stage, f in cases.items()}
    assert {stage: loss.state for stage, (loss,) in states.items()} == {
        "schema known": "invalid",
        "exit code recognised": "invalid",
        "patch present": "known",
        "oracle files touched": "known",
        "tests passed": "unknown",
    }


def test_the_funnel_of_a_contract_that_reads_other_fields_follows_its_scores(tmp_path: Path) -> None:
    """Its runs have no patch and no tests: at the stages of the fields each would be lost, and scored 1."""
    answers = [
        {"task_id": f"t{n}", "agent": "alpha", "answer": "yes" if n > 3 else "no", "schema": "trace.v1"}
        for n in range(1, 11)
    ]
    source = (
        'CONTRACT_ID = "tests/v1-answers"\n'
        'def score_trace(trace):\n    return float(trace.get("answer") == "yes")\n'
        'FIXTURES = [({"answer": "yes"}, 1.0)]\n'
    )
    report = report_of(tmp_path, answers, contract=source)
    (funnel,) = [f for f in report.funnels if not f.group]
    assert [(s.name, s.estimate.n) for s in funnel.stages] == [
        ("attempts", 10), ("found valid", 10), ("full score", 7),
    ]  # fmt: skip
    assert [(loss.reason, loss.count) for loss in funnel.stages[-1].losses] == [("a lower score", 3)]
    bare = by_id(measured("traces", answers))
    assert not [name for name in bare if name.startswith("stage")]  # nothing scores it, no field says more


def test_a_funnel_by_fields_ends_with_its_contracts_verdict_and_counts_what_the_score_counts(
    tmp_path: Path,
) -> None:
    reads = "exit_code, patch = trace.get('exit_code'), trace.get('patch')"
    source = CONTRACT.replace("touched = ", f"{reads}\n    touched = ")
    records = [trace(n) for n in range(1, 6)] + [
        trace(6, schema="trace.v2"), trace(7, tests_passed=None), trace(8, tests_passed=False),
        trace(9, exit_code=9), trace(10, patch="", tests_passed=False),
    ]  # fmt: skip
    report = report_of(tmp_path, records, contract=source)
    (funnel,) = [f for f in report.funnels if not f.group]
    (score,) = [e for e in report.estimates if e.metric == "score" and not e.group]
    last = funnel.stages[-1]
    assert (last.name, funnel.stratum) == ("full score", score.stratum)
    assert last.estimate.contract == score.contract
    assert (last.estimate.n, last.estimate.invalid, last.estimate.unknown, score.n) == (5, 1, 0, 6)
    lost = [(loss.state, loss.reason) for stage in funnel.stages for loss in stage.losses]
    assert lost == [
        ("invalid", "another schema"),
        ("known", "exit code not recognised, yet a full score"),
        ("known", "no patch"),
        ("known", "a test failed"),
        ("known", "tests were not run"),
    ]


def test_two_contracts_are_never_in_one_funnel() -> None:
    """On the shipped patches 38 of 48 score 1 under v3, and 25 of 53 under v4: 63, never of 101."""
    report = mc.compute(mc.load(PATCHES))
    scores = {(e.group, e.stratum): e for e in report.estimates if e.metric == "score"}
    counted = {}
    for funnel in report.funnels:
        last, score = funnel.stages[-1].estimate, scores[funnel.group, funnel.stratum]
        assert last.contract == score.contract
        for count in ("n", "attempts", "unknown", "errors", "invalid"):
            assert getattr(last, count) == getattr(score, count), (funnel.group, funnel.stratum, count)
        if not funnel.group and funnel.stratum["split"] == "eval":
            counted[last.contract.version] = (last.n, last.N)
    assert counted == {"3": (38, 48), "4": (25, 53)}


def test_the_score_report_has_every_part(tmp_path: Path) -> None:
    cards = [{"id": f"t{n}", "oracle_files": [f"{n}.py"], "split": "eval"} for n in range(1, 11)]
    used = {"wall_s": 2.0, "prompt_tokens": 10, "completion_tokens": 5, "retries": 1}
    own = {n: {"oracle_files": [f"{n}.py"], "touched_files": [f"{n}.py"], **used} for n in range(1, 11)}
    report = report_of(tmp_path, [trace(n, tests_passed=n != 1, **own[n]) for n in own], cards)
    made = {r["contract_id"]: r for r in report.score_reports}
    assert set(made) == {"assay/traces", "tests/v1-passes"}
    for whole in made.values():
        for part in (
            "version",
            "fixture_count",
            "fixtures",
            "controls",
            "n_valid",
            "n_invalid",
            "mean",
            "ci95",
        ):
            assert part in whole
        assert set(whole["digests"]) == {"metric", "closure", "tree", "data"}
        assert set(whole["env"]) >= {"python", "machine", "packages", "pythonhashseed"}
        assert {c["metric"] for c in whole["context"]} == {"latency", "tokens", "retries"}
    mine = made["tests/v1-passes"]
    drawn = mc.bootstrap_mean_ci([0.0] + [1.0] * 9)
    assert (mine["n_valid"], mine["n_invalid"], mine["mean"]) == (10, 0, 0.9)
    assert (mine["seed"], mine["resamples"]) == (7, 2000)
    assert mine["ci95"] == drawn["ci95"]
    assert {c["name"] for c in mine["controls"]} == {
        "fixtures",
        "pack digest",
        "stub agent",
        "shuffled oracles",
    }


# ------------------------------------------------------------------ scores beyond 0..1


def test_grades_make_a_number_beyond_0_to_1_invalid_and_no_quantity() -> None:
    """C, I and 7 under one scorer: 7 is no grade. The same 7 beside numbers alone is a quantity."""
    values = ("C", "I", 7)
    graded = [{"task_id": f"t{n}", "agent": "m", "scores": {"s": value}} for n, value in enumerate(values)]
    found = {e.metric: e for e in measured("traces", graded).estimates if not e.group and e.metric != "stage"}
    assert set(found) >= {"score"}
    assert "quantity" not in found
    assert (found["score"].n, found["score"].N, found["score"].invalid) == (1, 2, 1)
    numbers = [{**one, "scores": {"s": value}} for one, value in zip(graded, (1, 0, 7), strict=True)]
    found = measured("traces", numbers).estimates
    found = {e.metric: e for e in found if not e.group and e.metric != "stage"}
    assert "score" not in found
    assert (found["quantity"].value, found["quantity"].N, found["quantity"].invalid) == (8 / 3, 3, 0)


@pytest.mark.parametrize("runs", [30, 401])
def test_a_quantity_whose_values_share_no_scale_has_a_t_interval(runs: int) -> None:
    """Losses such as -3.146264: they are not counted out, and no share's limits are theirs."""
    losses = [-3.145 - 0.01 * sqrt(n) for n in range(runs)]
    log = [{"task_id": f"t{n}", "agent": "m", "scores": {"loss": loss}} for n, loss in enumerate(losses)]
    (e,) = (e for e in measured("traces", log).estimates if not e.group and e.metric == "quantity")
    expected = stats.t.interval(0.95, runs - 1, np.mean(losses), stats.sem(losses))
    assert (e.interval.lo, e.interval.hi) == pytest.approx(expected, rel=1e-9)
    assert e.headline == "point"


def scored(agent: str, prompts: str, **fields: Any) -> list[dict[str, Any]]:
    """Nine runs under each prompt, with the score that their harness recorded."""
    return [
        trace(n, agent=agent, prompt_sha256=letter * 64, scores={"match": 1.0}, **fields)
        for letter in prompts
        for n in range(1, 10)
    ]


def test_two_suites_differ_by_their_suite_and_not_by_the_prompt_that_came_with_it() -> None:
    report = measured(
        "traces", [*scored("alpha", "ab", suite="games"), *scored("beta", "c", suite="letters")]
    )
    (pair, *_) = [c for c in report.comparisons if c.metric == "score"]
    assert str(pair.unlike) == "suite is games for alpha and letters for beta: two benchmarks are two things"


def test_two_prompts_of_two_agents_are_not_told_as_one_that_moved() -> None:
    report = measured("traces", [*scored("alpha", "ab"), *scored("beta", "cd")])
    (pair, *_) = [c for c in report.comparisons if c.metric == "score"]
    assert pair.unlike is not None
    assert pair.unlike.field == "prompt"
    why = "under another prompt it is another arm, and a prompt that moved is a moving target"
    assert str(pair.unlike).endswith(f": {why}")


def verdicts_of(folder: Path, record: dict[str, Any], contract: str = CONTRACT) -> list[Verdict]:
    """What the page of one run shows of it under a contract."""
    report_of(folder, [record], contract=contract)
    (review,) = reviews(mc.load(folder / "e"))
    return list(review.verdicts)


STRICT = CONTRACT.replace("tests/v1-passes", "tests/v2-strict").replace(
    "return 1.0 if", 'return 0.0 if trace.get("exit_code") == 0 and trace.get("patch") else 1.0 if'
)


def test_a_score_names_its_contract_and_says_what_is_known_of_a_low_one(tmp_path: Path) -> None:
    (failed,) = verdicts_of(tmp_path / "failed", trace(tests_passed=False))
    assert (failed.title, failed.word) == ("Score", "0 by tests/v1-passes")
    assert failed.chain[-1].text.endswith(": 0: the contract gives no reason for a lower score")
    (strict,) = verdicts_of(tmp_path / "strict", trace(), STRICT)
    assert [step.text for step in strict.chain[:-1]] == ["yes"] * 5
    assert strict.chain[-1].text.endswith(
        ": 0: every stage above is established, and the contract gives no reason for a lower score"
    )


def test_two_scorers_of_a_run_are_told_apart_by_name() -> None:
    (review,) = reviewed("traces", [trace(scores={"match": "I", "choice": 0.5})])
    assert [(v.title, v.word) for v in review.verdicts] == [
        ("Score by choice", "scored 0.5"),
        ("Score by match", "incorrect"),
    ]
    assert review.facets == ("not passed by choice", "not passed by match")
    (single,) = reviewed("traces", [trace(scores={"match": "C"})])
    assert single.facets == ("passed",)
