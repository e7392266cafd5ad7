"""Harbor jobs: a reward is the verdict, an exception of the harness an error; the job's totals are held."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core.adapters.harbor import AGENTS_OWN, claims, convert
from metrics_core.counting import rows_of
from metrics_core.families.traces import FAMILY
from metrics_core.families.traces.record import Trace
from metrics_core.formats import Declared, Element, Ended, Limited, OutsideFile, OwnFigure, RunsDeclared
from metrics_core.results import Aside, Estimate, NoRuns, Report

MODEL = "anthropic/claude"
NAMED = f"terminus-2 {MODEL}"


def trial(task: str, reward: Any = 1.0, exception: str | None = None, **more: Any) -> dict[str, Any]:
    failed = {"exception_type": exception, "exception_message": "because", "exception_traceback": "..."}
    verified = None if reward is None else {"rewards": {"reward": reward}}
    agent = {
        "name": "terminus-2",
        "version": "2.0",
        "model_info": {"name": "claude", "provider": "anthropic"},
    }
    return {
        "id": f"id-{task}", "task_name": task, "trial_name": f"{task}__x", "trial_uri": f"file:///{task}",
        "task_id": {"path": task}, "source": "tb", "task_checksum": "c0ffee",
        "config": {"agent": {"name": "terminus-2", "model_name": MODEL, "kwargs": {}}},
        "agent_info": agent,
        "agent_result": {"n_input_tokens": 100, "n_cache_tokens": 40, "n_output_tokens": 7, "cost_usd": 0.25},
        "verifier_result": verified, "exception_info": failed if exception else None,
        "started_at": "2026-01-01T10:00:00Z", "finished_at": "2026-01-01T10:09:00Z",
        "agent_execution": {"started_at": "2026-01-01T10:01:00Z", "finished_at": "2026-01-01T10:01:30.5Z"},
        **more,
    }  # fmt: skip


def of_job(planned: int, **more: Any) -> dict[str, Any]:
    return {
        "id": "job", "started_at": "2026-01-01T10:00:00Z", "finished_at": "2026-01-01T12:00:00Z",
        "n_total_trials": planned, "stats": {"n_cancelled_trials": 0, "evals": {}}, **more,
    }  # fmt: skip


def means(mean: float, **reward_stats: Any) -> dict[str, Any]:
    figures = {"metrics": [{"mean": mean}], "reward_stats": reward_stats or {"reward": {}}}
    return {"evals": {"terminus-2__claude__tb": figures}}


def written(root: Path, trials: list[dict[str, Any]], job: Any = None, config: Any = None) -> Path:
    for one in trials:
        path = root / "job" / one["trial_name"] / "result.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(one, indent=4))
    for name, value in (("result.json", job), ("config.json", config)):
        if value is not None:
            (root / "job").mkdir(parents=True, exist_ok=True)
            (root / "job" / name).write_text(json.dumps(value, indent=4))
    return root


def measured(root: Path, trials: list[dict[str, Any]], **job: Any) -> Report:
    return mc.compute(mc.load(written(root, trials, **job)))


def runs(root: Path) -> list[Trace]:
    return [row.record for batch in rows_of(FAMILY, mc.load(root)) for row in batch]


def whole_of(report: Report, metric: str = "score", **keys: str) -> Estimate:
    (found,) = (e for e in report.find(metric, **keys) if not e.group)
    return found


def made(whole: dict[str, Any], path: str = "job/a__x/result.json") -> list[Any]:
    return list(convert(OutsideFile(path=path, data=json.dumps(whole).encode())))


# ------------------------------------------------------------------ what a trial is


def test_a_trial_is_a_trace_of_its_agent_and_model(tmp_path: Path) -> None:
    config = {"datasets": [{"name": "other", "version": "9"}, {"name": "tb", "version": "2.0"}]}
    (run,) = runs(written(tmp_path, [trial("a")], job=of_job(1), config=config))
    assert (run.agent, run.model, run.task_id, run.suite) == (NAMED, MODEL, "a", "tb 2.0")
    assert (run.prompt_tokens, run.completion_tokens, run.cached_tokens, run.cost_usd) == (100, 7, 40, 0.25)
    assert (run.wall_s, run.stamp, run.run_id, run.scores) == (
        29.5 + 1,
        "2026-01-01T10:00:00Z",
        "id-a",
        {"reward": 1.0},
    )
    (run,) = runs(
        written(tmp_path / "bare", [trial("a", config={}, agent_info={"name": "oracle"}, source=None)])
    )
    assert (run.agent, run.model, run.suite) == ("oracle", None, None)


def test_no_reward_is_unknown_and_an_exception_of_the_harness_an_error(tmp_path: Path) -> None:
    trials = [
        trial("pass"), trial("fail", 0), trial("none", None),
        trial("null", verifier_result={"rewards": None}),
        trial("empty", verifier_result={"rewards": {}}),
        trial("void", verifier_result={"rewards": {"reward": None}}),
        trial("build", None, "EnvironmentStartTimeoutError"), trial("api", 0.0, "ApiRateLimitError"),
        trial("new", 0.0, "SomethingNobodyKnowsError"), trial("late", 0.0, "AgentTimeoutError"),
        trial("crash", 1.0, "NonZeroAgentExitCodeError"), trial("unseen", None, "AgentTimeoutError"),
        trial("refused", 1.0, reward_valid=False), trial("shapeless", 1.0, exception_info="boom"),
    ]  # fmt: skip
    score = whole_of(measured(tmp_path, trials))
    assert (score.n, score.N, score.unknown, score.errors, score.invalid) == (2, 4, 5, 5, 0)
    by_task = {run.task_id: run for run in runs(tmp_path)}
    assert by_task["api"].error == "ApiRateLimitError: because"
    assert (by_task["late"].error, by_task["late"].timeout) == (None, True)


@pytest.mark.parametrize("kind", AGENTS_OWN)
def test_the_agent_s_own_failure_keeps_its_reward_unless_its_job_said_otherwise(kind: str) -> None:
    (kept,) = made(trial("a", 0.0, kind))
    assert "error" not in kept.record
    one = trial("a", 0.0, kind)
    one["exception_info"]["policy_override"] = {"has_valid_reward": False}
    assert made(one)[0].record["error"].startswith(kind)
    other = trial("a", 0.0, "ApiError")
    other["exception_info"]["policy_override"] = {"has_valid_reward": True}
    assert "error" not in made(other)[0].record


def test_tokens_and_cost_of_nothing_are_not_known() -> None:
    used = {"n_input_tokens": 0, "n_cache_tokens": 0, "n_output_tokens": 0, "cost_usd": 0.0}
    record = made(trial("a", agent_result=used))[0].record
    assert not {"prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd"} & set(record)
    record = made(trial("a", agent_result={**used, "n_input_tokens": 5, "n_output_tokens": 1}))[0].record
    assert (record["prompt_tokens"], record["cached_tokens"], "cost_usd" in record) == (5, 0, False)
    record = made(trial("a", agent_result=None))[0].record
    assert "prompt_tokens" not in record


def test_steps_are_added_up_and_a_step_s_exception_is_the_trial_s() -> None:
    step = {"step_name": "1", "agent_result": {"n_input_tokens": 10, "n_output_tokens": 2, "cost_usd": 0.5}}
    record = made(trial("a", agent_result=None, step_results=[step, step]))[0].record
    assert (record["prompt_tokens"], record["completion_tokens"], record["cost_usd"]) == (20, 4, 1.0)
    lost = {
        "step_name": "2",
        "agent_result": {"n_output_tokens": 2},
        "exception_info": {"exception_type": "ApiError"},
    }
    record = made(trial("a", agent_result=None, step_results=[step, lost]))[0].record
    assert ("prompt_tokens" in record, record["completion_tokens"], record["error"]) == (False, 4, "ApiError")


def test_each_reward_is_a_scorer_and_a_trial_without_is_unknown_to_each(tmp_path: Path) -> None:
    both = {"rewards": {"f2p": 1, "p2p": 0.5}}
    job = of_job(2, stats=means(0.5, f2p={}, p2p={}))
    report = measured(tmp_path, [trial("a", verifier_result=both), trial("b", None)], job=job)
    for scorer, n in (("f2p", 1), ("p2p", 0)):
        score = whole_of(report, scorer=scorer)
        assert (score.n, score.N, score.unknown) == (n, 1, 1)


def test_another_version_of_the_agent_inside_an_arm_is_another_stratum(tmp_path: Path) -> None:
    newer = {"name": "terminus-2", "version": "2.1"}
    tasks = [trial("a"), trial("b")]
    assert len([e for e in measured(tmp_path / "same", tasks).find("score") if not e.group]) == 1
    tasks.append(trial("c", agent_info=newer))
    assert len([e for e in measured(tmp_path / "moved", tasks).find("score") if not e.group]) == 2
    hot = {"agent": {"name": "terminus-2", "model_name": MODEL, "kwargs": {"temperature": 1}}}
    tasks[2] = trial("c", config=hot)
    assert len([e for e in measured(tmp_path / "hot", tasks).find("score") if not e.group]) == 2


# ------------------------------------------------------------------ what a job says


def test_a_job_s_totals_and_means_are_held_against_its_trials(tmp_path: Path) -> None:
    trials = [trial("a"), trial("b", 0.0), trial("c", None, "ApiError")]
    report = measured(tmp_path, trials, job=of_job(4, stats=means(1 / 3)))
    found = {type(f.difference): f.difference for f in report.findings if isinstance(f, Declared)}
    assert found[RunsDeclared] == RunsDeclared(4, 3)
    assert found[OwnFigure] == OwnFigure("mean of reward", 1 / 3, 0.5)
    assert "job/result.json declares 4 runs; 3 are here" in whole_of(report).notes
    same = measured(tmp_path / "same", trials[:2], job=of_job(2, stats=means(0.5)))
    assert [f for f in same.findings if isinstance(f, Declared)] == []


def test_a_job_that_did_not_end_says_so(tmp_path: Path) -> None:
    report = measured(tmp_path / "a", [trial("a")], job=of_job(3, finished_at=None))
    assert [f.difference for f in report.findings if isinstance(f, Declared)] == [Ended("unfinished", 2, 3)]
    report = measured(tmp_path / "b", [trial("a")], job=of_job(3, stats={"n_cancelled_trials": 2}))
    assert [f.difference for f in report.findings if isinstance(f, Declared)] == [Ended("cancelled", 2, 3)]


def test_a_job_that_took_a_part_of_its_tasks_says_so(tmp_path: Path) -> None:
    config = {"datasets": [{"name": "tb", "n_tasks": 1}, {"name": "other"}]}
    report = measured(tmp_path, [trial("a")], job=of_job(1), config=config)
    assert [f.difference for f in report.findings if isinstance(f, Declared)] == [Limited("1 task of tb")]


def test_trials_inside_a_job_s_own_file_are_read_where_they_have_none(tmp_path: Path) -> None:
    listed = [trial("a"), trial("b", 0.0), 5]
    report = measured(tmp_path, [trial("a")], job=of_job(2, trial_results=listed))
    score = whole_of(report)
    assert (score.n, score.N) == (1, 2)
    assert [(p.file, p.line, p.field) for p in report.problems] == [("job/result.json", 3, "trial_name")]


def test_a_job_without_trials_counts_nothing() -> None:
    assert [type(item) for item in made(of_job(3), "job/result.json")] == [NoRuns]


# ------------------------------------------------------------------ troubles


def test_one_bad_trial_costs_one_run_and_is_told_with_its_file(tmp_path: Path) -> None:
    root = written(tmp_path, [trial(task) for task in "abcdef"], job=of_job(6))
    edits = {
        "a": ('"reward": 1.0', '"reward": NaN'),
        "b": ('"n_input_tokens": 100', f'"n_input_tokens": {"9" * 400}'),
        "c": ('"task_name": "c"', '"task_name": null'), "d": ('"cost_usd": 0.25', '"cost_usd": "free"'),
        "e": ('"reward": 1.0', '"reward": "yes"'),
    }  # fmt: skip
    for task, (old, new) in edits.items():
        path = root / "job" / f"{task}__x" / "result.json"
        path.write_text(path.read_text().replace(old, new))
    report = mc.compute(mc.load(root))
    told = {p.file.split("/")[1][0]: p for p in report.problems}
    assert {task: p.field for task, p in told.items()} == {
        "a": "verifier_result/rewards/reward", "b": "agent_result/n_input_tokens",
        "c": "task_name", "d": "cost_usd",
    }  # fmt: skip
    assert "NaN is no JSON" in told["a"].what
    assert "a number of 400 digits" in told["b"].what
    score = whole_of(report)
    assert (score.n, score.N, score.invalid) == (1, 1, 5)


def test_a_file_that_breaks_off_is_claimed_and_told_with_its_place(tmp_path: Path) -> None:
    root = written(tmp_path, [trial("a"), trial("b")], job=of_job(2))
    path = root / "job" / "a__x" / "result.json"
    path.write_text(path.read_text()[:-60])
    report = mc.compute(mc.load(root))
    (problem,) = report.problems
    assert problem.file == "job/a__x/result.json"
    assert "expected JSON" in problem.what
    assert whole_of(report).N == 1


def test_the_same_trial_twice_is_counted_once_and_two_outcomes_are_both_kept(tmp_path: Path) -> None:
    copy = written(tmp_path, [trial("a"), trial("b")])
    written(tmp_path / "copy", [trial("a"), trial("b", 0.0)])
    report = mc.compute(mc.load(copy))
    score = whole_of(report)
    assert (score.n, score.N, report.duplicates) == (2, 3, 1)
    (told,) = (f for f in report.findings if type(f) is Aside and f.field == "verifier_result")
    assert "has another outcome in copy/job/b__x/result.json: both are kept" in told.what


def test_a_fault_of_the_job_s_own_file_costs_no_trial(tmp_path: Path) -> None:
    root = written(tmp_path, [trial("a")], job=of_job(1))
    path = root / "job" / "result.json"
    path.write_text(path.read_text().replace('"n_total_trials": 1', '"n_total_trials": NaN'))
    report = mc.compute(mc.load(root))
    assert whole_of(report).N == 1
    assert any(type(f) is Aside and f.field == "n_total_trials" for f in report.findings)
    path.write_text(path.read_text()[:50])
    assert whole_of(mc.compute(mc.load(root))).N == 1


def test_only_results_of_trials_and_jobs_are_claimed() -> None:
    assert claims("j/t/result.json", json.dumps(trial("a"), indent=4).encode()[:4096])
    assert claims("j/t/result.json", json.dumps({"schema_version": 1, **trial("a")}).encode()[:300])
    assert claims("j/result.json", json.dumps(of_job(3)).encode())
    assert not claims("j/t/result.txt", json.dumps(trial("a")).encode())
    assert not claims(
        "j/t/config.json", b'{"task": {"path": "a"}, "trial_name": "a__x", "agent": {"name": "b"}}'
    )
    assert not claims("package.json", b'{"id": 1, "name": "x", "trial_name": "y"}')


def test_a_trial_s_source_is_its_file(tmp_path: Path) -> None:
    (item,) = made(trial("a"))
    assert isinstance(item, Element)
    assert json.loads(item.source) == trial("a")
