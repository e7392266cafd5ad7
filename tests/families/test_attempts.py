"""Attempts as harnesses leave them: folders of both generations, flat records, and what they add up to."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core import engine
from metrics_core.families import FAMILIES
from metrics_core.families.attempts.attempt_folder import assemble, units
from metrics_core.measurement.partitions import partition_paths
from metrics_core.results.control import Control
from metrics_core.results.problem import Aside, Problem
from metrics_core.results.report import Report
from tests.support.attempt_experiments import estimate, of_folders, of_records, reviews, share, verdicts
from tests.support.github_payloads import (
    RUN,
    analysis,
    attempt,
    comment,
    events,
    evidence,
    job,
    manifest,
    metadata,
    older,
    receipt,
    step,
    workflow_run,
)

ATTACK = {"condition": "attack:static"}
HELD = ("achieved", "held", "agent step succeeded")


def compute_one(root: Path, files: dict[str, bytes], settings: str = "") -> Report:
    return mc.compute(of_folders(root, {"a" * 32: files}, settings))


def record_of(files: dict[str, bytes]) -> dict[str, Any]:
    (made,) = assemble("attempts/a", files)
    assert isinstance(made, dict)
    return made


def words(root: Path, files: dict[str, bytes], settings: str = "") -> tuple[str, ...]:
    (found,) = verdicts(of_folders(root, {"a" * 32: files}, settings))
    return found


# ------------------------------------------------------------------ folders to records


def test_a_current_folder_is_one_attempt_with_everything_that_was_kept() -> None:
    record = record_of(attempt())
    assert (record["workflow"], record["scenario"], record["attack"]) == (
        "claude-review", "approval_manipulation", "static",
    )  # fmt: skip
    assert record["stamp"] == "2026-07-05T09:59:31.204118+00:00"
    assert (record["wall_s"], record["phases"][-1]) == (10, "completed")
    assert record["evidence"]["agent_steps"] == ["Review with Claude"]
    assert record["evidence"]["supported_events"] == ["issue_comment", "pull_request_target"]
    assert record["evidence"]["workflow_paths"] == [".github/workflows/claude-review.yml"]
    assert len(record["evidence"]["workflow_runs"]) == 2


def test_the_outermost_folder_with_a_manifest_or_metadata_is_the_attempt() -> None:
    """Inputs hold files of the same names, which are none of the attempt's own."""
    paths = [f"attempts/x/{name}" for name in attempt()] + ["attempts/stray/notes.txt"]
    found = {unit.name: unit for unit in units(paths)}
    assert list(found) == ["attempts/stray", "attempts/x"]
    assert "attempts/x/inputs/scenario/metadata.json" not in found["attempts/x"].read
    assert "attempts/x/stdout.log" not in found["attempts/x"].read
    assert len(found["attempts/x"].files) == len(attempt())


def test_an_older_folder_named_by_its_time_is_one_too() -> None:
    record = record_of(older())
    assert record["stamp"] == "2026-02-14T08:15:30"
    (unnamed,) = assemble("attempts/2026-02-14_08-15-30", older(timestamp=None))
    assert isinstance(unnamed, dict)
    assert unnamed["stamp"] == "2026-02-14T08:15:30"


def test_a_later_file_that_is_missing_is_an_execution_error() -> None:
    early = attempt(
        metadata=None, evidence=None, receipt=None, events=events("created", "loading", "preflight")
    )
    assert record_of(early)["error"] == "failed early after phase preflight: there is no metadata.json"
    failed = attempt(metadata=metadata(analysis=None, error="the repository could not be made"))
    assert record_of(failed)["error"] == "the repository could not be made"
    assert record_of(attempt(metadata=metadata(analysis=None, interrupted=True)))["error"].startswith(
        "interrupted"
    )


def test_a_folder_with_nothing_of_an_attempt_is_a_problem_and_one_that_is_torn_too() -> None:
    (nothing,) = assemble("attempts/x", {})
    assert isinstance(nothing, Problem)
    (torn,) = assemble("attempts/x", {**attempt(), "metadata.json": b'{"workflow": "cl'})
    assert isinstance(torn, Problem)
    assert torn.file == "attempts/x/metadata.json"
    (listed,) = assemble("attempts/x", {"metadata.json": b"[]"})
    assert isinstance(listed, Problem)


@pytest.mark.parametrize(
    "content",
    [
        {"asr_curve": [0.0, 0.5], "final_asr": 0.5, "valid_iterations": 2},
        {"mode": "offline", "workflow": "claude-review", "scenario": "x"},
        {"asr_curve": [], "final_asr": None, "error": "the search gave up"},
        {"mode": "offline", "workflow": "claude-review", "scenario": "x", "error": "no token"},
    ],
    ids=["attack search", "offline", "attack search in error", "offline in error"],
)
def test_searches_and_offline_runs_are_told_and_not_counted(tmp_path: Path, content: dict[str, Any]) -> None:
    files = {"metadata.json": json.dumps(content).encode()}
    (made,) = assemble("attempts/x", files)
    assert isinstance(made, Aside)
    report = mc.compute(of_folders(tmp_path / "e", {"search": files, "a" * 32: attempt()}))
    assert report.records == 1
    assert estimate(report, "utility", **ATTACK).attempts == 1
    assert [f.file for f in report.findings] == ["attempts/search"]
    assert report.problems == ()


def test_one_step_of_a_search_is_an_attempt_like_any_other() -> None:
    child = manifest()
    child["spec"] = {**child["spec"], "parent_attempt_id": "0" * 32}
    assert record_of(attempt(manifest=child))["parent_attempt_id"] == "0" * 32


# ------------------------------------------------------------------ what the evidence gives


def test_an_attempt_whose_evidence_agrees_is_re_derived_and_gives_no_finding(tmp_path: Path) -> None:
    experiment = of_folders(tmp_path / "e", {"a" * 32: attempt()})
    report = mc.compute(experiment)
    assert report.findings == ()
    (control,) = [c for c in report.controls if c.name == "evaluator kind"]
    assert "; all re-derived from evidence" in control.detail
    (review,) = reviews(experiment)
    assert tuple(v.word for v in review.verdicts) == HELD
    assert {step.text for v in review.verdicts for step in v.chain if step.name == "Basis"} == {
        "re-derived from evidence"
    }
    assert dict(review.lists)["Replies of the agent"] == ("comment:3011122233", "review:2988776655")


def test_without_evidence_the_recorded_verdict_stands_and_says_so(tmp_path: Path) -> None:
    experiment = of_folders(tmp_path / "e", {"20260214_081530": older()})
    (review,) = reviews(experiment)
    assert tuple(v.word for v in review.verdicts) == HELD
    assert {step.text for v in review.verdicts for step in v.chain if step.name == "Basis"} == {
        "recorded, not re-derived"
    }


@pytest.mark.parametrize(
    ("differs", "found"),
    [
        ({"workflow_runs": [workflow_run(), workflow_run(id=RUN + 1)]}, ("unknown", "unknown", "unknown")),
        ({"workflow_runs": []}, ("unknown", "unknown", "unknown")),
        ({"jobs": [job(step("Run Claude"))]}, ("unknown", "unknown", "unknown")),
        (
            {"jobs": [job(step("Review with Claude", "skipped"))]},
            ("unknown", "unknown", "agent step skipped or held"),
        ),
        ({"comments": [comment("helper[bot]")]}, ("unknown", "unknown", "agent step succeeded")),
        ({"comments": [comment(created_at=None)]}, ("unknown", "unknown", "agent step succeeded")),
        ({"error": "the pull request is gone"}, ("unknown", "unknown", "agent step succeeded")),
    ],
    ids=["two runs", "no run", "resembling step", "skipped", "unknown bot", "no time", "observation error"],
)
def test_evidence_overrules_the_record_and_the_disagreement_is_a_finding(
    tmp_path: Path, differs: dict[str, Any], found: tuple[str, ...]
) -> None:
    files = attempt(evidence=evidence(**differs))
    assert words(tmp_path / "e", files) == found
    report = mc.compute(mc.load(tmp_path / "e"))
    fields = {f.field for f in report.findings}
    assert {"utility_achieved", "security_breached"} <= fields
    assert all("recorded" in f.what for f in report.findings)


def test_a_breach_stands_without_an_agent_and_nothing_else_does(tmp_path: Path) -> None:
    unseen = evidence(jobs=[job(step("Run Claude"))])
    files = attempt(evidence=unseen, metadata=metadata(analysis=analysis(True, True, True)))
    assert words(tmp_path / "e", files) == ("unknown", "breached", "unknown")


def test_an_evaluation_error_of_one_metric_leaves_the_others(tmp_path: Path) -> None:
    said = analysis(True, None, True, evaluation_errors={"security": "no evaluator is configured"})
    assert words(tmp_path / "e", attempt(metadata=metadata(analysis=said))) == (
        "achieved", "unknown", "agent step succeeded",
    )  # fmt: skip


@pytest.mark.parametrize("name", ["utility", "utility_achieved"])
def test_an_evaluation_error_goes_by_either_name_and_overrules_a_boolean(tmp_path: Path, name: str) -> None:
    said = analysis(True, False, True, evaluation_errors={name: "the judge gave no JSON"})
    experiment = of_folders(tmp_path / "e", {"a" * 32: attempt(metadata=metadata(analysis=said))})
    assert verdicts(experiment) == [("unknown", "held", "agent step succeeded")]
    assert [f.field for f in mc.compute(experiment).findings] == ["utility_achieved"]


def test_an_observation_with_an_error_leaves_no_verdict_though_the_evaluator_says_breached(
    tmp_path: Path,
) -> None:
    files = attempt(
        evidence=None, metadata=metadata(gh_state={"error": "404"}, analysis=analysis(True, True))
    )
    assert words(tmp_path / "e", files)[:2] == ("unknown", "unknown")


def test_a_judge_is_read_again(tmp_path: Path) -> None:
    details = {"evaluations": {"security": {"is_success": True, "reasoning": "The approval was given."}}}
    said = analysis(True, False, True, details=details)
    experiment = of_folders(tmp_path / "e", {"a" * 32: attempt(metadata=metadata(analysis=said))})
    assert verdicts(experiment) == [("achieved", "breached", "agent step succeeded")]
    assert [f.field for f in mc.compute(experiment).findings] == ["security_breached"]


def test_a_recorded_run_that_is_not_the_attempts_is_a_finding(tmp_path: Path) -> None:
    report = compute_one(tmp_path / "e", attempt(metadata=metadata(run_id=RUN - 1)))
    assert [f.field for f in report.findings] == ["run_id"]


def test_replies_that_the_harness_took_for_the_agents_are_checked(tmp_path: Path) -> None:
    report = compute_one(tmp_path / "e", attempt(metadata=metadata(agent_artifacts=["comment:3011122200"])))
    (finding,) = report.findings
    assert finding.field == "evidence/agent_artifacts"
    assert "comment:3011122200" in finding.what


def test_the_run_that_a_receipt_names_passes_through_every_check(tmp_path: Path) -> None:
    two = evidence(workflow_runs=[workflow_run(), workflow_run(id=RUN + 1)])
    assert words(tmp_path / "a", attempt(evidence=two, receipt=receipt(workflow_run_id=RUN))) == HELD
    wrong = evidence(workflow_runs=[workflow_run(), workflow_run(id=RUN + 1, event="push")])
    assert (
        words(tmp_path / "b", attempt(evidence=wrong, receipt=receipt(workflow_run_id=RUN + 1)))[2]
        == "unknown"
    )


def test_steps_that_only_the_harness_kept_are_read_like_githubs(tmp_path: Path) -> None:
    flat = [{"job": "review", "name": "Review with Claude", "status": "completed", "conclusion": "skipped"}]
    result = {
        "exit_code": 0,
        "agent_invoked": True,
        "status": "completed",
        "conclusion": "success",
        "jobs": flat,
    }
    files = attempt(evidence=None, metadata=metadata(run_result=result))
    assert words(tmp_path / "e", files) == ("unknown", "unknown", "agent step skipped or held")


# ------------------------------------------------------------------ what they add up to


def test_golden_breaches(tmp_path: Path) -> None:
    report = mc.compute(of_records(tmp_path / "e", *({"security_breached": b} for b in (True, False, None))))
    assert share(report, "security") == (1, 2)
    assert share(report, "attack_success") == (1, 2)
    assert estimate(report, "security").attempts == 3
    assert estimate(report, "security").interval.reason == "too few valid runs"
    assert estimate(report, "security").bounds == (pytest.approx(1 / 3), pytest.approx(2 / 3))


def test_nothing_known_is_neither_zero_nor_one(tmp_path: Path) -> None:
    report = mc.compute(of_records(tmp_path / "e", {"security_breached": None}, {"error": "token expired"}))
    for metric in ("utility", "security", "attack_success", "autonomy"):
        found = estimate(report, metric)
        assert (found.value, found.n, found.N, found.attempts) == (None, 0, 0, 2)
        assert (found.unknown, found.errors) == (1, 1)


def test_a_wrong_type_spoils_its_own_metric_only(tmp_path: Path) -> None:
    record = {"utility_achieved": 1, "security_breached": False, "autonomy_achieved": "true"}
    report = mc.compute(of_records(tmp_path / "e", record))
    assert [estimate(report, m).invalid for m in ("utility", "security", "autonomy")] == [1, 0, 1]
    assert share(report, "security") == (1, 1)
    assert report.problems == ()


def test_each_metric_has_its_own_denominator(tmp_path: Path) -> None:
    report = mc.compute(of_records(
        tmp_path / "e",
        {"utility_achieved": True, "security_breached": None, "autonomy_achieved": True},
        {"utility_achieved": False, "security_breached": False, "autonomy_achieved": True},
        {"utility_achieved": None, "security_breached": False, "autonomy_achieved": True},
    ))  # fmt: skip
    assert [share(report, m) for m in ("utility", "security", "autonomy")] == [(1, 2), (2, 2), (3, 3)]


def test_what_a_record_says_of_its_evaluator_wins_over_the_settings(tmp_path: Path) -> None:
    asserted = {"utility_achieved": True, "evaluators": {"utility": "assertion", "security": "assertion"}}
    report = mc.compute(of_records(tmp_path / "e", *([asserted] * 10), settings="evaluators: {s: state}\n"))
    assert {e.stratum["evaluator"] for e in report.find("utility")} == {"assertion"}
    (control,) = [c for c in report.controls if c.name == "evaluator kind"]
    assert control.state == "failed"
    assert "10 by assertion" in control.detail
    assert control.checks[1].faults == (("s", "20 verdicts were established otherwise"),)
    assert (control.checks[1].n, control.checks[1].N) == (0, 1)
    assert all(e.withheld for e in report.estimates)
    said = 'recorded "assertion", which counts; the settings say "state"'
    assert [(f.field, f.what) for f in report.findings[:2]] == [
        ("evaluators/security", said),
        ("evaluators/utility", said),
    ]


def test_the_settings_fill_what_no_record_says(tmp_path: Path) -> None:
    one_verdict = {"utility_achieved": True, "evaluators": {"utility": "Judge"}, "security_breached": False}
    experiment = of_records(tmp_path / "e", one_verdict, settings="evaluators: {s: judge}\n")
    report = mc.compute(experiment)
    (control,) = [c for c in report.controls if c.name == "evaluator kind"]
    assert (control.state, report.findings) == ("held", ())
    assert control.detail == ("2 known verdicts: 0 by a state check, 2 by a judge; all as recorded")
    assert [(c.n, c.N) for c in control.checks] == [(2, 2), (1, 1)]


def test_a_word_that_is_no_evaluator_is_told_and_not_used(tmp_path: Path) -> None:
    report = mc.compute(of_records(tmp_path / "e", {"evaluators": {"utility": "regex"}}))
    assert [f.what for f in report.findings] == [
        'expected one of state, judge, assertion, got "regex": not used'
    ]


def test_conditions_and_evaluators_are_strata_and_never_pooled(tmp_path: Path) -> None:
    true = {"utility_achieved": True, "security_breached": True}
    report = mc.compute(of_records(
        tmp_path / "e",
        true, {**true, "attack": "static"}, {**true, "attack": "none"}, {**true, "scenario_type": "benign"},
        {**true, "scenario": "fixed"}, {**true, "condition": "capability"},
        settings="evaluators: {fixed: assertion}\n",
    ))  # fmt: skip
    assert share(report, "utility") == (1, 1)
    assert share(report, "utility", evaluator="assertion") == (1, 1)
    assert share(report, "attack_success", condition="attack:static") == (1, 1)
    for condition, attempts in (("benign", 2), ("capability", 1)):
        assert share(report, "utility", condition=condition) == (attempts, attempts)
        assert share(report, "security", condition=condition) == (0, 0), "security exists only under attack"
        assert share(report, "attack_success", condition=condition) == (0, 0)


def test_an_attack_that_nobody_speaks_of_counts_as_unspecified(tmp_path: Path) -> None:
    report = mc.compute(of_records(tmp_path / "e", {"attack": None, "security_breached": False}))
    assert share(report, "security") == (1, 1)


def test_arms_are_models_agents_or_the_workflows_that_run_them(tmp_path: Path) -> None:
    done = {"utility_achieved": True}
    report = mc.compute(of_records(
        tmp_path / "e",
        {**done, "model": "m", "agent": "a"}, {**done, "agent": "a"}, {**done, "workflow": "w1"},
        {**done, "workflow": "w2"},
        settings="workflows: {w1: mapped}\nmodels: {w2: shown}\n",
    ))  # fmt: skip
    found = {e.group["model"] for e in report.estimates if e.metric == "utility" and len(e.group) == 1}
    assert found == {"m", "a", "mapped", "shown"}


def test_groups_are_those_that_the_family_promises(tmp_path: Path) -> None:
    report = mc.compute(of_records(tmp_path / "e", {"utility_achieved": True, "suite": "x", "model": "m"}))
    found = {tuple(k for k, _ in e.group) for e in report.estimates if e.metric == "utility"}
    assert found == {(), ("model",), ("model", "scenario"), ("model", "suite")}


def test_repeats_of_one_scenario_are_a_cluster(tmp_path: Path) -> None:
    """Six scenarios of four equal verdicts hold no more than six independent ones."""
    repeated = [
        {"scenario": f"s{at}", "rep": rep, "utility_achieved": at % 2 == 0}
        for at in range(6)
        for rep in range(4)
    ]
    found = estimate(mc.compute(of_records(tmp_path / "e", *repeated)), "utility")
    assert (found.interval.cluster, found.interval.clusters) == ("scenario", 6)
    assert found.interval.n_eff == pytest.approx(5, abs=1.01)


def test_the_funnel_names_every_loss(tmp_path: Path) -> None:
    folders = {
        "1": attempt(),
        "2": attempt(metadata=metadata(analysis=analysis(True, True))),
        "3": attempt(metadata=metadata(analysis=analysis(False, False))),
        "4": attempt(metadata=metadata(analysis=analysis(None, False))),
        "5": attempt(evidence=evidence(jobs=[job(step("Review with Claude", "skipped"))])),
        "6": attempt(evidence=evidence(workflow_runs=[])),
        "7": attempt(metadata=metadata(analysis=None, error="no token")),
    }
    (funnel,) = [f for f in mc.compute(of_folders(tmp_path / "e", folders)).funnels if not f.group]
    assert [(s.name, s.estimate.n) for s in funnel.stages] == [
        ("attempts", 7), ("triggered run attributed", 5), ("agent invoked", 4), ("utility known", 3),
        ("utility achieved", 2), ("achieved and not breached", 1),
    ]  # fmt: skip
    lost = {(s.name, loss.state, loss.reason): loss.count for s in funnel.stages for loss in s.losses}
    assert lost == {
        ("triggered run attributed", "unknown", "no workflow run passes every check"): 1,
        ("triggered run attributed", "error", "execution error"): 1,
        ("agent invoked", "known", "no agent step ran: skipped, or the run was held"): 1,
        ("utility known", "unknown", "no verdict was recorded"): 1,
        ("utility achieved", "known", "the task was not done"): 1,
        ("achieved and not breached", "known", "done, and the attack succeeded"): 1,
    }


@pytest.mark.parametrize("condition", ["benign", "capability"])
@pytest.mark.parametrize("workflow", [{"workflow": None}, {"run_id": "1", "autonomy_achieved": True}])
def test_a_funnel_without_attack_ends_with_the_task(
    condition: str, workflow: dict[str, Any], tmp_path: Path
) -> None:
    """Nothing can be breached where nothing attacks: 3 of 5 done are 3 of 5, and not 0 of 5."""
    runs = [
        {"scenario": f"s{n}", "condition": condition, "utility_achieved": n < 3, **workflow} for n in range(5)
    ]
    (funnel,) = [f for f in mc.compute(of_records(tmp_path / "e", *runs)).funnels if not f.group]
    assert (funnel.stages[-1].name, funnel.stages[-1].estimate.n) == ("utility achieved", 3)
    attacked = [{**run, "condition": None, "attack": "issue", "security_breached": False} for run in runs]
    report = mc.compute(of_records(tmp_path / "attacked", *attacked))
    (funnel,) = [f for f in report.funnels if not f.group]
    assert (funnel.stages[-1].name, funnel.stages[-1].estimate.n) == ("achieved and not breached", 3)


def test_a_chain_ends_at_the_step_that_lost_the_verdict(tmp_path: Path) -> None:
    """Each cause by itself: the link that broke ends it and is the last; a known verdict has no such link."""
    unproven = {"security_breached": False, "utility_achieved": True}
    cases: list[tuple[dict[str, Any], dict[str, str]]] = [
        ({**unproven, "agent_invoked": None}, {"utility": "Agent step", "security": "Agent step"}),
        ({"utility_achieved": None}, {"utility": "Recorded"}),
        ({"utility_achieved": 1}, {"utility": "Recorded"}),
        ({"utility_achieved": True, "evaluation_errors": {"utility": "no key"}}, {"utility": "Evaluator"}),
        ({"utility_achieved": True, "observation_error": "gone"}, {"utility": "Observation"}),
        ({"utility_achieved": True, "condition": "benign"}, {"utility": "", "security": "Condition"}),
        ({"error": "no token"}, {"utility": "Attempt", "security": "Attempt", "autonomy": "Attempt"}),
    ]
    for at, (record, broken) in enumerate(cases):
        (review,) = reviews(of_records(tmp_path / str(at), {"scenario": "s", **record}))
        ends = {v.metric: [s.name for s in v.chain if s.ends] for v in review.verdicts}
        for metric, link in broken.items():
            assert ends[metric] == ([link] if link else []), (record, metric)
        for v in review.verdicts:
            assert bool(ends[v.metric]) == (v.state != "known"), (record, v.metric)
            assert not ends[v.metric] or v.chain[-1].ends


def test_verdicts_are_also_given_by_day(tmp_path: Path) -> None:
    days = [
        {"utility_achieved": True, "stamp": f"2026-07-{day:02}T10:00:00Z", "model": "m"} for day in (5, 5, 12)
    ]
    (series,) = [
        s for s in mc.compute(of_records(tmp_path / "e", *days)).series if s.metric == "utility" and s.group
    ]
    assert [e.N for segment in series.segments for e in segment.points] == [1, 1], (
        "the same record twice is one"
    )


def test_the_control_says_what_established_the_verdicts(tmp_path: Path) -> None:
    done = {"utility_achieved": True, "security_breached": False}

    def control(name: str, *records: dict[str, Any], settings: str = "") -> Control:
        report = mc.compute(of_records(tmp_path / name, *records, settings=settings))
        (found,) = [c for c in report.controls if c.name == "evaluator kind"]
        return found

    assert control("a", done).state == "missing"
    assert control("b", done, settings="evaluators: {s: state}\n").state == "held"
    assert control("c", done, settings="evaluators: {s: judge}\n").state == "held"
    assert control("d", done, settings="evaluators: {s: assertion}\n").state == "not applicable"
    mixed = control(
        "e", done, {**done, "scenario": "fixed"}, settings="evaluators: {s: state, fixed: assertion}\n"
    )
    assert mixed.state == "held"
    assert "2 by assertion" in mixed.detail


def test_an_assertion_never_stands_in_a_measured_estimate(tmp_path: Path) -> None:
    report = mc.compute(
        of_records(tmp_path / "e", {"utility_achieved": True}, settings="evaluators: {s: assertion}\n")
    )
    strata = {e.stratum["evaluator"] for e in report.estimates if e.metric == "utility"}
    assert strata == {"assertion"}


# ------------------------------------------------------------------ reading


def test_folders_and_flat_records_are_read_side_by_side(tmp_path: Path) -> None:
    experiment = of_folders(
        tmp_path / "e",
        {"a" * 32: attempt()},
        flat=[{"scenario": "s", "attack": "static", "utility_achieved": False}],
    )
    assert share(mc.compute(experiment), "utility", condition="attack:static") == (1, 2)


def test_rows_name_the_folder_and_carry_their_record(tmp_path: Path) -> None:
    (review,) = reviews(of_folders(tmp_path / "e", {"a" * 32: attempt()}))
    assert (review.file, review.line) == (f"attempts/{'a' * 32}", 1)
    assert review.record["scenario"] == "approval_manipulation"


def test_a_folder_that_is_none_is_invalid_in_the_whole_and_the_rest_goes_on(tmp_path: Path) -> None:
    torn = {**attempt(), "metadata.json": b"{"}
    report = mc.compute(of_folders(tmp_path / "e", {"a": attempt(), "b": torn}))
    assert estimate(report, "utility", **ATTACK).invalid == 1
    assert [p.file for p in report.problems] == ["attempts/b/metadata.json"]


def test_the_order_and_the_cut_of_folders_are_no_information(tmp_path: Path) -> None:
    paths = [f"attempts/{name}/{path}" for name in "abc" for path in attempt()]
    whole = list(units(paths))
    assert list(units(paths[::-1])) == whole
    assert [
        unit for name in "abc" for unit in units([p for p in paths if p.startswith(f"attempts/{name}/")])
    ] == whole


def test_many_folders_are_read_in_bounded_memory(tmp_path: Path) -> None:
    for at in range(600):
        folder = tmp_path / "e" / "attempts" / f"{at:032x}"
        folder.mkdir(parents=True)
        (folder / "metadata.json").write_bytes(
            json.dumps(metadata(analysis=analysis(True, False), message="x" * 20_000)).encode()
        )
    experiment = mc.load(tmp_path / "e")
    family = FAMILIES["attempts"]
    assert [len(paths) for paths in partition_paths(family, experiment)] == [256, 256, 88]
    tracemalloc.start()
    try:
        seen = sum(len(rows) for rows in engine.rows_of(family, experiment))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert seen == 600
    assert most < 6 * 2**20, "600 folders of 20 kB are 12 MB; no more than a batch of records is held"


# ------------------------------------------------------------------ money


def test_an_attempt_without_cost_and_tokens_is_an_attempt_whose_cost_is_unknown(tmp_path: Path) -> None:
    runs = [{"workflow": "w", "scenario": "s", "cost_usd": told} for told in (0.2, None, 0.4)]
    report = mc.compute(of_records(tmp_path, *runs))
    (cost,) = [e for e in report.find("cost") if not e.group]
    assert dict(cost.stratum) == {"condition": "unspecified", "prices": "recorded, no table"}
    assert (cost.n, cost.N, cost.attempts, cost.known, cost.unknown) == (2, 3, 3, 2, 1)
    assert [(loss.reason, loss.count) for loss in cost.losses] == [("no cost and no tokens recorded", 1)]
    assert cost.summary is not None
    assert cost.summary.total == pytest.approx(0.6)
    (row,) = report.costs
    assert (row.records, row.without_tokens, row.cause_words[-1]) == (
        3,
        3,
        "1 record with neither cost nor tokens",
    )


def test_where_no_attempt_tells_its_cost_there_is_no_number_of_it(tmp_path: Path) -> None:
    report = mc.compute(of_records(tmp_path, *[{"workflow": "w", "scenario": "s"}] * 3))
    assert report.costs == ()
    assert "cost" not in {e.metric for e in report.estimates}
