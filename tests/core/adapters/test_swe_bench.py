"""SWE-bench reports: resolved is the verdict, and nothing that is not listed is taken for unresolved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core.adapters.swe_bench import claims, convert
from metrics_core.counting import rows_of
from metrics_core.errors import ConfigError, FormatError
from metrics_core.families.traces import FAMILY
from metrics_core.families.traces.record import Trace
from metrics_core.formats import Declared, Element, OutsideFile, OwnFigure, RunsDeclared
from metrics_core.results import Aside, Estimate, NoRuns, Problem, Report

IDS = tuple(f"django__django-{n}" for n in range(6)) + tuple(f"sympy__sympy-{n}" for n in range(6))


def lists(**ids: Any) -> dict[str, Any]:
    """A report as the harness writes it, its counts those of its lists."""
    kinds = ("submitted", "completed", "incomplete", "resolved", "unresolved", "empty_patch", "error")
    outcomes = [i for kind in kinds[3:] for i in ids.get(kind, ())]
    found = {kind: list(ids.get(kind, outcomes if kind == "submitted" else ())) for kind in kinds}
    counts = {f"{kind}_instances": len(found[kind]) for kind in kinds if kind != "incomplete"}
    total = len({*found["submitted"], *found["incomplete"]})
    return {
        "total_instances": total,
        **counts,
        **{f"{kind}_ids": found[kind] for kind in kinds},
        "schema_version": 2,
    }


def report_of(instance: str, resolved: Any = True, **more: Any) -> dict[str, Any]:
    applied = {"patch_is_None": False, "patch_exists": True, "patch_successfully_applied": True}
    return {instance: {**applied, "resolved": resolved, **more}}


def written(root: Path, **files: Any) -> Path:
    """Files by path, ``__`` for a slash where a keyword is a path."""
    for path, value in files.items():
        where = root / path
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_text(value if isinstance(value, str) else json.dumps(value, indent=4))
    return root


def measured(root: Path, files: dict[str, Any]) -> Report:
    return mc.compute(mc.load(written(root, **files)))


def runs(root: Path) -> list[Trace]:
    return [row.record for batch in rows_of(FAMILY, mc.load(root)) for row in batch]


def whole_of(report: Report, **keys: str) -> Estimate:
    (found,) = (e for e in report.find("score", **keys) if set(e.group.names) <= {*keys})
    return found


def counts(report: Report, **keys: str) -> tuple[int, int, int, int, int]:
    score = whole_of(report, **keys)
    return score.n, score.N, score.unknown, score.errors, score.invalid


def made(whole: Any, path: str = "m.run1.json") -> list[Any]:
    data = whole if isinstance(whole, bytes) else json.dumps(whole).encode()
    return list(convert(OutsideFile(path=path, data=data)))


def asides(found: Any) -> list[Aside]:
    return [item for item in found if type(item) is Aside]


# ------------------------------------------------------------------ a run's report of lists


def test_a_report_of_lists_gives_a_run_an_id(tmp_path: Path) -> None:
    one = lists(
        resolved=IDS[:3], unresolved=IDS[3:5], empty_patch=IDS[5:6], error=IDS[6:8], incomplete=IDS[8:]
    )
    report = measured(tmp_path, {"org__m-1.5.run1.json": one})
    assert counts(report, model="org__m-1.5") == (3, 6, 0, 2, 0)
    assert [f.difference for f in report.findings if isinstance(f, Declared)] == [RunsDeclared(12, 8)]
    assert "org__m-1.5.run1.json declares 12 runs; 8 are here" in whole_of(report).notes
    by_task = {run.task_id: run for run in runs(tmp_path)}
    assert by_task[IDS[5]].scores == {"resolved": False}
    assert by_task[IDS[6]].error == "the evaluation failed"
    assert IDS[8] not in by_task
    assert report.problems == ()


def test_what_was_submitted_and_stands_nowhere_is_unknown(tmp_path: Path) -> None:
    one = lists(resolved=IDS[:1], submitted=IDS[:3], completed=IDS[:4])
    assert counts(measured(tmp_path, {"m.r.json": one})) == (1, 1, 3, 0, 0)


def test_resolved_alone_counts_nothing(tmp_path: Path) -> None:
    leaderboard = {"no_generation": [IDS[0]], "no_logs": [], "resolved": list(IDS[1:4])}
    (found,) = made(leaderboard, "20240402_m/results/results.json")
    assert isinstance(found, NoRuns)
    assert "lists what was resolved and not what was not" in found.what
    (found,) = made({"resolved_ids": list(IDS[:3]), "total_instances": 12})
    assert isinstance(found, NoRuns)
    assert [type(item) for item in made(lists())] == [NoRuns]


def test_a_failure_of_the_infrastructure_is_an_error_with_its_reason(tmp_path: Path) -> None:
    one = lists(resolved=IDS[:1], unresolved=IDS[1:3])
    one |= {"infra_failure_ids": [IDS[2]], "failure_reasons": {IDS[2]: "disk_full"}}
    assert counts(measured(tmp_path, {"m.r.json": one})) == (1, 2, 0, 1, 0)
    assert [run.error for run in runs(tmp_path)] == [None, None, "disk_full"]


def test_an_id_in_two_lists_is_told_and_both_are_kept(tmp_path: Path) -> None:
    one = lists(resolved=IDS[:2], unresolved=IDS[1:3], empty_patch=IDS[2:3], error=IDS[:1])
    report = measured(tmp_path, {"m.r.json": one})
    assert counts(report) == (2, 4, 0, 1, 0)
    told = {f.field: f.what for f in asides(report.findings)}
    assert told[IDS[0]] == "stands in resolved_ids and error_ids: both are kept"
    assert told[IDS[1]] == "stands in resolved_ids and unresolved_ids: both are kept"
    assert IDS[2] not in told


def test_an_id_twice_in_one_list_is_one_run(tmp_path: Path) -> None:
    one = lists(resolved=[IDS[0], IDS[0]], unresolved=[IDS[1]])
    report = measured(tmp_path, {"m.r.json": one})
    assert counts(report) == (1, 2, 0, 0, 0)
    assert "resolved_ids/1" in [f.field for f in asides(report.findings)]


def test_counts_are_held_against_the_lists(tmp_path: Path) -> None:
    one = lists(resolved=IDS[:1], unresolved=IDS[1:4])
    one["resolved_instances"] = 3
    report = measured(tmp_path, {"m.r.json": one})
    assert [f.what for f in asides(report.findings) if f.field == "resolved_instances"] == [
        "says 3; resolved_ids holds 1"
    ]
    (own,) = (f.difference for f in report.findings if isinstance(f, Declared))
    assert own == OwnFigure("resolved of submitted", 3 / 4, 1 / 4)


def test_the_model_and_the_run_are_what_the_name_and_the_folders_say(tmp_path: Path) -> None:
    one = lists(resolved=IDS[:1], unresolved=IDS[1:2])
    (first, *_) = made(one, "claude-3.5.nightly.json")
    assert (first.record["agent"], first.record["run_id"]) == ("claude-3.5", "nightly")
    (first, *_) = made(one, "evaluation/m/results/results.json")
    assert first.record["agent"] == "m"
    (first, *_) = made(one, "results.json")
    assert first.record["agent"] == "swe-bench"
    own = {f"logs/run_evaluation/v1.2/m/{IDS[0]}/report.json": report_of(IDS[0])}
    report = measured(tmp_path, {"m.v1.2.json": one, **own})
    assert counts(report, model="m") == (1, 2, 0, 0, 0)


def test_two_runs_of_one_model_are_repetitions(tmp_path: Path) -> None:
    first = lists(resolved=IDS[:4], unresolved=IDS[4:8])
    report = measured(tmp_path, {"m.r1.json": first, "m.r2.json": first})
    assert counts(report) == (8, 16, 0, 0, 0)
    (twice,) = (e for e in report.find("pass_hat_k", k="2") if e.group.names == ("k",))
    assert (twice.n, twice.N) == (4, 8)


def test_tasks_of_one_repository_can_be_one_cluster(tmp_path: Path) -> None:
    one = lists(resolved=IDS[:4], unresolved=IDS[4:])
    report = measured(tmp_path, {"m.r.json": one, "experiment.yaml": "cluster: repo\n"})
    interval = whole_of(report).interval
    assert (interval.cluster, interval.clusters) == ("repo", 2)
    assert {run.task_id for run in runs(tmp_path)} == set(IDS)
    bare = lists(resolved=["task-1"], unresolved=["task-2"])
    with pytest.raises(ConfigError, match='state no "repo"'):
        measured(tmp_path / "bare", {"m.r.json": bare, "experiment.yaml": "cluster: repo\n"})


# ------------------------------------------------------------------ an instance's own report


def of_run(root: Path, outcomes: dict[str, Any], run: str = "r", model: str = "m") -> dict[str, Any]:
    return {
        f"logs/run_evaluation/{run}/{model}/{i}/report.json": report_of(i, ok) for i, ok in outcomes.items()
    }


def test_reports_of_instances_are_runs_of_their_model(tmp_path: Path) -> None:
    report = measured(tmp_path, of_run(tmp_path, {IDS[0]: True, IDS[1]: False, IDS[2]: None}))
    assert counts(report, model="m") == (1, 2, 1, 0, 0)
    assert report.findings == report.problems == ()
    assert {run.run_id for run in runs(tmp_path)} == {"r"}


def test_no_patch_is_not_resolved_and_a_resolved_one_is_a_problem() -> None:
    (found,) = made(report_of(IDS[0], None, patch_is_None=True, patch_exists=False), "r/m/i/report.json")
    assert found.record["scores"] == {"resolved": False}
    (found,) = made(report_of(IDS[0], True, patch_is_None=True), "r/m/i/report.json")
    assert (type(found), found.field) == (Problem, f"{IDS[0]}/resolved")
    (found,) = made(
        report_of(IDS[0], False, infra_failure=True, infra_failure_reason="oom"), "r/m/i/report.json"
    )
    assert found.record["error"] == "oom"


def test_a_run_s_lists_and_its_instances_reports_are_read_once(tmp_path: Path) -> None:
    own = of_run(tmp_path, {IDS[0]: True, IDS[1]: False, IDS[2]: True})
    own[f"logs/run_evaluation/r/m/{IDS[6]}/report.json"] = "{"
    own[f"logs/run_evaluation/r/m/{IDS[7]}/report.json"] = json.dumps(report_of(IDS[7]))[:-20]
    one = lists(resolved=IDS[:1], unresolved=IDS[1:3], empty_patch=IDS[3:4], error=IDS[6:8])
    report = measured(tmp_path, {"m.r.json": one, **own})
    assert counts(report) == (2, 5, 0, 1, 0)  # the third is told in both ways
    assert [p.file for p in report.problems] == [f"logs/run_evaluation/r/m/{IDS[7]}/report.json"]  # damaged
    (told,) = (f for f in asides(report.findings) if "another outcome" in f.what)
    assert (told.file, told.field) == ("m.r.json", IDS[2])
    (problem,) = report.problems
    assert IDS[7] in problem.file
    assert "expected JSON" in problem.what


def test_instances_without_a_report_are_told_where_no_list_has_them(tmp_path: Path) -> None:
    own = of_run(tmp_path, {IDS[0]: True, IDS[1]: False})
    own[f"logs/run_evaluation/r/m/{IDS[2]}/run_instance.log"] = "failed"
    report = measured(tmp_path, own)
    assert [f.difference for f in report.findings if isinstance(f, Declared)] == [RunsDeclared(3, 2)]
    listed = measured(
        tmp_path / "b", {**own, "m.r.json": lists(resolved=IDS[:1], unresolved=IDS[1:2], error=IDS[2:3])}
    )
    assert [f for f in listed.findings if isinstance(f, Declared)] == []
    assert counts(listed) == (1, 2, 0, 1, 0)


def test_a_copy_is_read_once_and_another_outcome_is_told(tmp_path: Path) -> None:
    own = of_run(tmp_path, {IDS[0]: True, IDS[1]: False})
    again = {f"old/{path}": value for path, value in own.items()}
    again[f"old/logs/run_evaluation/r/m/{IDS[1]}/report.json"] = report_of(IDS[1], True)
    report = measured(tmp_path, {**own, **again})
    assert counts(report) == (2, 3, 0, 0, 0)
    told = [f.what for f in asides(report.findings)]
    assert any(what.startswith("the same file as logs/") for what in told)
    assert any("has another outcome in logs/" in what for what in told)
    one = lists(resolved=IDS[:1], unresolved=IDS[1:2])
    assert counts(measured(tmp_path / "c", {"a/m.r.json": one, "b/m.r.json": one})) == (1, 2, 0, 0, 0)


# ------------------------------------------------------------------ a leaderboard's instances


def test_a_leaderboard_s_instances_have_a_cost(tmp_path: Path) -> None:
    details = {
        IDS[0]: {"resolved": True, "cost": 0.5, "api_calls": 9},
        IDS[1]: {"resolved": False, "cost": 0.0, "api_calls": 4},
        IDS[2]: {"resolved": None, "cost": None, "api_calls": 0}, IDS[3]: {"cost": 1.0, "api_calls": 1},
        IDS[4]: {"resolved": False, "cost": 0.0, "api_calls": 0},
    }  # fmt: skip
    report = measured(tmp_path, {"20260101_mini_m/per_instance_details.json": details})
    assert counts(report, model="20260101_mini_m") == (1, 3, 2, 0, 0)
    assert [run.cost_usd for run in runs(tmp_path)] == [0.5, None, None, 1.0, 0.0]
    other = {IDS[0]: {"resolved": False, "cost": 0.5, "api_calls": 9}}
    report = measured(tmp_path, {"per_instance_details.json": other})
    assert counts(report, model="swe-bench") == (0, 1, 0, 0, 0)
    assert asides(report.findings) == []


def test_one_bad_instance_costs_one_run_and_is_told_with_its_place(tmp_path: Path) -> None:
    details = {i: {"resolved": True, "cost": 0.5, "api_calls": 9} for i in IDS[:7]}
    text = json.dumps(
        {**details, IDS[4]: 5, IDS[5]: {"resolved": "yes"}, IDS[6]: {"resolved": True, "cost": "free"}}
    )
    text = text.replace('"cost": 0.5', '"cost": NaN', 1).replace(
        '"api_calls": 9', f'"api_calls": {"9" * 400}', 2
    )
    text = text.replace(f'"api_calls": {"9" * 400}', '"api_calls": 9', 1)
    (tmp_path / "m.json").write_text(text)
    report = mc.compute(mc.load(tmp_path))
    assert counts(report) == (2, 2, 0, 0, 5)
    told = {p.field: p.what for p in report.problems}
    assert told[f"{IDS[0]}/cost"] == "NaN is no JSON"
    assert told[f"{IDS[1]}/api_calls"] == "a number of 400 digits"
    assert {IDS[4], "cost_usd"} <= set(told)
    assert next(p.line for p in report.problems if p.field == IDS[4]) == 5


# ------------------------------------------------------------------ troubles of lists


def test_a_list_with_what_is_no_id_keeps_the_others(tmp_path: Path) -> None:
    text = json.dumps(lists(resolved=[IDS[0], 5, None, IDS[1]], unresolved=[IDS[2]], submitted=[]))
    (tmp_path / "m.r.json").write_text(text.replace('["sympy', '[NaN, "sympy').replace("null", "NaN"))
    report = mc.compute(mc.load(tmp_path))
    assert {p.field for p in report.problems} == {"resolved_ids/1", "resolved_ids/2"}
    assert counts(report)[:2] == (2, 3)
    found = made({**lists(resolved=IDS[:1], unresolved=IDS[1:2]), "error_ids": 7})
    assert [(p.field, p.what) for p in found if type(p) is Problem] == [
        ("error_ids", "expected a list of ids, got 7")
    ]


def test_a_count_of_400_digits_is_no_crash() -> None:
    text = json.dumps(lists(resolved=IDS[:1], unresolved=IDS[1:2])).replace(
        '"total_instances": 2', f'"total_instances": {"9" * 400}'
    )
    assert sum(isinstance(item, Element) for item in made(text.encode())) == 2


def test_a_file_that_breaks_off_is_claimed_and_told_with_its_place() -> None:
    data = json.dumps(lists(resolved=IDS, unresolved=IDS[:1]), indent=2).encode()
    for whole, path in ((data, "m.r.json"), (json.dumps(report_of(IDS[0])).encode(), "r/m/i/report.json")):
        assert claims(path, whole[:60])
        with pytest.raises(FormatError, match=r"json:\d+: expected JSON: .* at column \d+"):
            made(whole[:-9], path)


def test_only_reports_are_claimed() -> None:
    assert claims("m.r.json", json.dumps(lists(resolved=IDS)).encode())
    assert claims(
        "report.json", json.dumps({"resolved_ids": [IDS[0]], "unresolved_ids": []}, indent=4).encode()
    )
    assert claims(
        "results.json", json.dumps({"no_generation": [IDS[0]], "no_logs": [], "resolved": []}).encode()
    )
    assert claims("results.json", b'{"no_generation": [], "no_logs": [], "resolved": []}')
    assert claims("d.json", json.dumps({IDS[0]: {"resolved": True, "cost": 1, "api_calls": 2}}).encode())
    assert not claims("d.jsonl", json.dumps(lists(resolved=IDS)).encode())
    assert not claims("deps.json", b'{"lodash": {"resolved": "https://registry", "version": "1"}}')
    assert not claims("a.json", b'{"id": "x", "results": [], "resolved_ids": []}')
    assert not claims("a.json", b'{"resolved": ["a", "b"], "rejected": []}')
    assert not claims("a.json", b'{"compilerOptions": {"target": "es2020"}}')
