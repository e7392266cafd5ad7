"""Terminal-Bench: null is unknown, an agent that could not be run an error, and each trial is read once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core.adapters.terminal_bench import FAILED, claims, convert
from metrics_core.counting import rows_of
from metrics_core.errors import FormatError
from metrics_core.families.traces import FAMILY
from metrics_core.families.traces.record import Trace
from metrics_core.formats import Declared, Limited, OutsideFile, OwnFigure, RunsDeclared
from metrics_core.results import Aside, Estimate, NoRuns, Problem, Report

TEN = "2026-01-01T10:00"
LONG = "x " * 3000
METADATA = {
    "run_id": "r", "dataset_name": "core", "dataset_version": "0.1.1", "agent_name": "terminus",
    "model_name": "anthropic/claude", "n_attempts": 1, "dataset_size": 0,
}  # fmt: skip


def trial(task: str, resolved: Any = True, mode: str = "unset", at: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "id": f"{task}-{at}", "trial_name": f"{task}.{at}-of-2.r", "task_id": task, "instruction": LONG,
        "is_resolved": resolved, "failure_mode": mode, "parser_results": None, "recording_path": None,
        "total_input_tokens": 100, "total_output_tokens": 7, "trial_started_at": f"{TEN}:00+00:00",
        "agent_started_at": f"{TEN}:00+00:00", "agent_ended_at": f"{TEN}:30.5+00:00", **more,
    }  # fmt: skip


def written(root: Path, trials: list[Any], alone: list[dict[str, Any]] | None = None, **more: Any) -> Path:
    known = [t.get("is_resolved") for t in trials if isinstance(t, dict)]
    own = {"pass_at_k": {}, "n_resolved": known.count(True), "accuracy": known.count(True) / len(known)}
    run = root / "r"
    run.mkdir(parents=True)
    (run / "results.json").write_text(json.dumps({"id": "r", "results": trials, **own}, indent=4))
    (run / "run_metadata.json").write_text(json.dumps({**METADATA, **more}))
    for one in alone or []:
        path = run / one["task_id"] / one["trial_name"] / "results.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(one, indent=4))
    return root


def measured(root: Path, trials: list[Any], **more: Any) -> Report:
    return mc.compute(mc.load(written(root, trials, **more)))


def runs(root: Path) -> list[Trace]:
    return [row.record for batch in rows_of(FAMILY, mc.load(root)) for row in batch]


def whole_of(report: Report, metric: str = "score", **keys: str) -> Estimate:
    (found,) = (e for e in report.find(metric, **keys) if not e.group)
    return found


def made(whole: Any, path: str = "r/results.json") -> list[Any]:
    data = whole if isinstance(whole, bytes) else json.dumps(whole).encode()
    return list(convert(OutsideFile(path=path, data=data)))


def test_a_trial_is_a_trace_of_its_run_s_agent(tmp_path: Path) -> None:
    first, second = runs(written(tmp_path, [trial("a"), trial("a", False, at=2)]))
    assert (first.agent, first.model, first.suite) == (
        "terminus anthropic/claude",
        "anthropic/claude",
        "core 0.1.1",
    )
    assert (first.task_id, first.rep, second.rep, first.wall_s) == ("a", 1, 2, 30.5)
    assert (first.prompt_tokens, first.completion_tokens, first.scores) == (100, 7, {"is_resolved": True})
    (tmp_path / "r" / "run_metadata.json").unlink()
    assert runs(tmp_path)[0].agent == "r"


def test_null_is_unknown_and_an_agent_that_could_not_be_run_an_error(tmp_path: Path) -> None:
    trials = [trial("win"), trial("loss", False), trial("late", False, "agent_timeout"), trial("null", None)]
    trials += [trial("tests", None, "test_timeout"), trial("parse", None, "parse_error")]
    trials += [trial(mode, False, mode) for mode in FAILED]
    gone = trial("gone")
    del gone["is_resolved"]
    report = measured(tmp_path, [*trials, gone])
    score = whole_of(report)
    assert (score.n, score.N, score.unknown, score.errors) == (1, 3, 4, len(FAILED))
    assert [run.task_id for run in runs(tmp_path) if run.timeout] == ["late"]
    own = 1 / len([*trials, gone])
    assert OwnFigure("accuracy", own, 1 / 3) in [
        f.difference for f in report.findings if isinstance(f, Declared)
    ]


def test_no_tokens_where_an_agent_ran_are_not_known(tmp_path: Path) -> None:
    none = {"total_input_tokens": 0, "total_output_tokens": 0}
    (run,) = runs(written(tmp_path, [trial("a", **none)]))
    assert (run.prompt_tokens, run.completion_tokens) == (None, None)


def test_pass_hat_k_counts_the_tries_of_a_task(tmp_path: Path) -> None:
    trials = [trial(f"t{n}", won, at=at) for n in range(8) for at, won in ((1, True), (2, n < 4))]
    report = measured(tmp_path, trials, n_attempts=2, dataset_size=8)
    (twice,) = (e for e in report.find("pass_hat_k", k="2") if e.group.names == ("k",))
    assert (twice.n, twice.N, twice.value) == (4, 8, 0.5)
    assert [f for f in report.findings if isinstance(f, Declared)] == []


def test_trials_that_are_not_here_are_told(tmp_path: Path) -> None:
    report = measured(tmp_path, [trial("a"), trial("b")], dataset_size=3, n_attempts=2)
    assert [f.difference for f in report.findings if isinstance(f, Declared)] == [RunsDeclared(6, 2)]
    report = measured(tmp_path / "part", [trial("a")], n_tasks=1)
    assert [f.difference for f in report.findings if isinstance(f, Declared)] == [
        Limited("1 task of its dataset")
    ]


def test_a_trial_s_own_file_and_the_run_s_list_are_one_run(tmp_path: Path) -> None:
    trials = [trial("a"), trial("b", False), trial("c")]
    report = measured(tmp_path, trials, alone=[trial("a"), trial("b", False), trial("extra")])
    score = whole_of(report)
    assert (score.n, score.N, report.duplicates) == (3, 4, 0)
    assert [f for f in report.findings if type(f) is Aside and f.field == "is_resolved"] == []


def test_a_list_that_breaks_off_loses_no_trial_with_a_file_of_its_own(tmp_path: Path) -> None:
    root = written(tmp_path, [trial("a"), trial("b")], alone=[trial("a"), trial("b")])
    path = root / "r" / "results.json"
    path.write_text(path.read_text()[:-90])
    report = mc.compute(mc.load(root))
    assert whole_of(report).N == 2
    assert [p.file for p in report.problems] == ["r/results.json"]


def test_two_outcomes_of_one_trial_are_told_and_both_are_kept(tmp_path: Path) -> None:
    report = measured(tmp_path / "own", [trial("a"), trial("b")], alone=[trial("a", False)])
    assert (whole_of(report).n, whole_of(report).N) == (2, 3)
    (told,) = (f for f in report.findings if type(f) is Aside and f.field == "is_resolved")
    assert told.line == 1
    assert "has another outcome in r/a/a.1-of-2.r/results.json: both are kept" in told.what
    report = measured(tmp_path / "list", [trial("a"), trial("a", None, id="again")])
    assert (whole_of(report).N, whole_of(report).unknown) == (1, 1)
    assert any("another outcome in element 1" in f.what for f in report.findings)


def test_the_same_trial_twice_is_counted_once(tmp_path: Path) -> None:
    report = measured(tmp_path, [trial("a"), trial("a"), trial("b")])
    assert (whole_of(report).N, report.duplicates) == (2, 1)


def test_one_bad_trial_costs_one_run_and_is_told_with_its_number(tmp_path: Path) -> None:
    odd = trial("f", total_input_tokens="many")
    trials = [trial("a"), 5, trial("c", "yes"), trial("d", 1.5), trial(""), odd, trial("g")]
    text = json.dumps({"id": "r", "results": trials})
    text = text.replace('"is_resolved": true', '"is_resolved": NaN', 1)
    text = text.replace('"total_input_tokens": 100', f'"total_input_tokens": {"9" * 400}', 2)
    text = text.replace(f'"total_input_tokens": {"9" * 400}', '"total_input_tokens": 100', 1)
    (tmp_path / "results.json").write_text(text)
    report = mc.compute(mc.load(tmp_path))
    told = [(p.line, p.field) for p in report.problems if p.field != "prompt_tokens"]
    assert sorted(told) == [(1, "is_resolved"), (2, "task_id"), (3, "total_input_tokens"), (5, "task_id")]
    assert [p.field for p in report.problems].count("prompt_tokens") == 1
    assert any("NaN is no JSON" in p.what for p in report.problems)
    assert any("a number of 400 digits" in p.what for p in report.problems)
    score = whole_of(report)
    assert (score.n, score.N, score.invalid) == (1, 1, 6)


def test_a_file_that_breaks_off_is_claimed_and_told_with_its_place() -> None:
    data = json.dumps({"id": "r", "results": [trial("a")]}, indent=2).encode()
    assert claims("r/results.json", data[:2000])
    with pytest.raises(FormatError, match=r"r/results\.json:\d+: expected JSON: .* at column \d+"):
        made(data[:-20])
    alone = json.dumps(trial("a")).replace("true", "NaN").encode()
    (problem,) = made(alone, "r/a/a.1/results.json")
    assert isinstance(problem, Problem)
    assert problem.field == "is_resolved"


def test_a_run_without_trials_counts_nothing() -> None:
    assert [type(item) for item in made({"id": "r", "results": []})] == [NoRuns]


def test_only_results_of_runs_and_trials_are_claimed() -> None:
    assert claims("r/results.json", json.dumps({"id": "r", "results": [trial("a")]}).encode()[:4096])
    assert claims("r/results.json", b'{"id": "r", "results": [], "pass_at_k": {}, "n_resolved": 0}')
    assert claims("r/a/b/results.json", json.dumps(trial("a")).encode()[:4096])
    assert claims(
        "results.json", b'{"results": [{"task_id": "a", "is_resolved": null, "failure_mode": "unset"}]}'
    )
    assert not claims("results.json", b'{"results": [{"name": "x", "task_id": 1}]}')
    assert not claims("results.json", b'{"id": "x", "results": []}')
    assert not claims("run_metadata.json", json.dumps(METADATA).encode())
