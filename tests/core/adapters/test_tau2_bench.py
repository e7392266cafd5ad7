"""tau2-bench: rewards as the benchmark gave them, two costs apart, ends that are no doing of the agent."""

from __future__ import annotations

import json
from math import comb, fsum, isclose
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core.adapters.tau2_bench import FAILED_ENDS, claims, convert
from metrics_core.counting import rows_of
from metrics_core.errors import FormatError
from metrics_core.families.traces import FAMILY
from metrics_core.formats import Declared, Element, OutsideFile, RunsDeclared
from metrics_core.results import Aside, Conflicting, Estimate, NoRuns, Problem, Report

COMMIT = "c0ffee" * 6


def info(**more: Any) -> dict[str, Any]:
    user = {"implementation": "user_simulator", "llm": "gpt-4.1", "llm_args": {"temperature": 0.0}}
    agent = {"implementation": "llm_agent", "llm": "m", "llm_args": {"temperature": 0.0}}
    environment = {"domain_name": "retail", "policy": "p"}
    return {
        "git_commit": COMMIT, "num_trials": 2, "max_steps": 100, "max_errors": 10, "user_info": user,
        "agent_info": agent, "environment_info": environment, "seed": 300, **more,
    }  # fmt: skip


def run(task: str, trial: Any, reward: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": f"{task}.{trial}", "task_id": task, "start_time": f"2026-01-01T10:0{len(task)}:00",
        "duration": 2.5, "termination_reason": "user_stop", "agent_cost": 0.25, "user_cost": 0.125,
        "reward_info": {"reward": reward}, "trial": trial, "messages": [], **more,
    }  # fmt: skip


def results(runs: list[Any], tasks: tuple[str, ...] = ("a", "b"), **more: Any) -> dict[str, Any]:
    known = [{"id": task, "evaluation_criteria": {"reward_basis": ["DB"]}} for task in tasks]
    return {"timestamp": "2026-01-01T10:00:00", "info": info(), "tasks": known, "simulations": runs, **more}


def made(whole: Any, path: str = "r.json") -> list[Any]:
    data = whole if isinstance(whole, bytes) else json.dumps(whole).encode()
    return list(convert(OutsideFile(path=path, data=data)))


def records(whole: Any) -> list[Any]:
    return [item.record for item in made(whole) if isinstance(item, Element)]


def measured(root: Path, *files: dict[str, Any]) -> Report:
    for number, file in enumerate(files):
        (root / f"{number}.json").write_text(json.dumps(file))
    return mc.compute(mc.load(root))


def whole_of(report: Report, metric: str, **keys: str) -> list[Estimate]:
    return [e for e in report.find(metric, **keys) if set(e.group.names) <= {*keys, "k"}]


# ------------------------------------------------------------------ the real file


def test_the_published_file_gives_its_facts(shared_data: Path) -> None:
    experiment = mc.load(shared_data / "tau2")
    report = mc.compute(experiment)
    (score,) = whole_of(report, "score")
    assert (score.n, score.N, score.value, score.unknown, score.errors) == (0, 4, 0.0, 0, 0)
    assert score.stratum["suite"] == "airline-relaxed, user xai/grok-3-mini"
    assert score.stratum["grader"] == "cc2ee4d29c8f"
    rows = [row.record for batch in rows_of(FAMILY, experiment) for row in batch]
    assert isclose(fsum(row.cost_usd for row in rows), 0.0825032)
    assert isclose(fsum(row.user_cost_usd for row in rows), 0.002758 + 0.0048911 + 0.0056317 + 0.0037082)
    assert sorted(row.rep for row in rows) == [0, 1, 2, 3]
    assert {row.task_id for row in rows} == {"airline-relaxed/8"}
    hats = {e.group["k"]: (e.n, e.N) for e in whole_of(report, "pass_hat_k")}
    assert hats == {str(k): (0, 1) for k in range(1, 5)}
    assert report.problems == report.findings == ()
    raw = json.loads((shared_data / "tau2" / "airline_relaxed_grok-3-mini.json").read_bytes())
    said = [m["usage"] for s in raw["simulations"] for m in s["messages"] if m["role"] == "assistant"]
    assert sum(r.prompt_tokens for r in rows) == sum(u["prompt_tokens"] for u in said if u)


# ------------------------------------------------------------------ small inputs with their right value


def test_pass_hat_k_is_the_benchmark_s_own_formula(tmp_path: Path) -> None:
    wins = {"t0": 4, "t1": 3, "t2": 2, "t3": 1, "t4": 0, "t5": 4, "t6": 3, "t7": 1}
    runs = [run(t, n, float(n < won)) for t, won in wins.items() for n in range(4)]
    report = measured(tmp_path, results(runs, tuple(wins), info=info(num_trials=4)))
    for e in whole_of(report, "pass_hat_k"):
        k = int(e.group["k"])
        assert isclose(e.value or 0, sum(comb(won, k) / comb(4, k) for won in wins.values()) / len(wins))
    assert len(whole_of(report, "pass_hat_k")) == 4


def test_a_reward_of_a_run_that_failed_elsewhere_is_an_error(tmp_path: Path) -> None:
    stops = ("user_stop", "agent_stop", "max_steps", "timeout", "too_many_errors", "agent_error")
    runs = [run(f"t{n}", 0, 0.0, termination_reason=why) for n, why in enumerate((*stops, *FAILED_ENDS))]
    runs.append(run("s", 0, 0.0, skipped=True))
    runs.append(run("g", 0, 0.0, reward_info={"reward": 0.0, "info": {"error": "KeyError: x"}}))
    report = measured(tmp_path, results(runs, tasks=()))
    (score,) = whole_of(report, "score")
    assert (score.n, score.N, score.errors) == (0, len(stops), len(FAILED_ENDS) + 2)
    assert [r["error"] for r in records(results(runs)) if "error" in r] == [
        *FAILED_ENDS,
        "skipped after an error",
        "the grader failed: KeyError: x",
    ]
    assert [r["task_id"] for r in records(results(runs)) if r.get("timeout")] == ["retail/t3"]


def test_no_reward_is_unknown_and_a_reward_without_criteria_too(tmp_path: Path) -> None:
    runs = [run("a", 0, None), run("b", 0, 1.0), run("c", 0, 1.0, reward_info=None), run("d", 0, 1.0)]
    file = results(runs, ("a", "b", "c"), info=info(num_trials=1))
    file["tasks"].append({"id": "d", "evaluation_criteria": None})
    (score,) = whole_of(measured(tmp_path, file), "score")
    assert (score.n, score.N, score.unknown) == (1, 1, 3)


def test_what_a_reward_is_made_of_are_scorers_where_the_file_says_so() -> None:
    broken = {"reward": 0.0, "reward_breakdown": {"DB": 1.0, "COMMUNICATE": 0.0}}
    early = run("b", 0, 0.0, termination_reason="max_steps")
    file = results([run("a", 0, 0.0, reward_info=broken), early])
    file["tasks"][1]["evaluation_criteria"]["reward_basis"] = ["DB", "ACTION"]
    first, second = records(file)
    assert first["scores"] == {"reward": 0.0, "reward/DB": 1.0, "reward/COMMUNICATE": 0.0}
    assert second["scores"] == {"reward": 0.0, "reward/DB": None}
    assert records(results([early]))[0]["scores"] == {"reward": 0.0}


def test_circumstances_make_strata_and_seeds_do_not(tmp_path: Path) -> None:
    def file(trial: int, **more: Any) -> dict[str, Any]:
        return results([run("a", trial, 1.0), run("b", trial, 1.0)], info=info(num_trials=1, **more))

    def strata(*files: dict[str, Any]) -> int:
        root = tmp_path / str(len(list(tmp_path.iterdir())))
        root.mkdir()
        return len(whole_of(measured(root, *files), "score"))

    assert strata(file(0), file(1, seed=301)) == 1
    hot = {"implementation": "llm_agent", "llm": "m", "llm_args": {"temperature": 1.0}}
    assert strata(file(0), file(1, agent_info=hot)) == 2
    assert strata(file(0), file(1, git_commit="d" * 40)) == 2
    assert strata(file(0), file(1, user_info={"implementation": "user_simulator", "llm": "other"})) == 2
    assert (
        strata(
            file(0), file(1, environment_info={"domain_name": "retail", "policy": "p", "tool_defs": {"x": 1}})
        )
        == 2
    )


def test_an_agent_of_another_kind_is_another_arm() -> None:
    solo = info(
        agent_info={"implementation": "llm_agent_solo", "llm": "m"},
        user_info={"implementation": "dummy_user"},
    )
    (record,) = records(results([run("a", 0, 1.0)], info=solo))
    assert (record["agent"], record["model"], record["suite"]) == (
        "llm_agent_solo m",
        "m",
        "retail, user dummy_user",
    )
    voice = info(agent_info={"implementation": "voice"}, audio_native_config={"model": "live-1"})
    assert records(results([run("a", 0, 1.0)], info=voice))[0]["agent"] == "voice live-1"


def test_tokens_are_the_agent_s_and_a_cost_of_nothing_is_not_known() -> None:
    said = [
        {"role": "assistant", "content": "Hi!", "cost": 0.0, "usage": None},
        {"role": "user", "usage": {"prompt_tokens": 500, "completion_tokens": 50}},
        {"role": "assistant", "usage": {"prompt_tokens": 10, "completion_tokens": 1}},
        {"role": "assistant", "usage": {"prompt_tokens": 20, "completion_tokens": 2}},
    ]
    (record,) = records(results([run("a", 0, 1.0, messages=said, agent_cost=0.0, user_cost=0.0)]))
    assert (record["prompt_tokens"], record["completion_tokens"]) == (30, 3)
    assert "cost_usd" not in record
    assert "user_cost_usd" not in record
    lost = [*said, {"role": "assistant", "content": "bye"}]
    assert "prompt_tokens" not in records(results([run("a", 0, 1.0, messages=lost)]))[0]
    (record,) = records(results([run("a", 0, 1.0, agent_cost=0.0)]))
    assert record["cost_usd"] == 0.0


# ------------------------------------------------------------------ troubles


def test_one_bad_simulation_costs_one_run_and_is_told_with_its_number(tmp_path: Path) -> None:
    whole = results(
        [run("a", 0, 1.0), run("b", 0, 1.0), 5, run("a", 1, 1.0), run("b", 1, 1.0)], info=info(num_trials=2)
    )
    text = json.dumps(whole)
    text = text.replace('"reward": 1.0', '"reward": NaN', 1).replace(
        '"duration": 2.5', f'"duration": {"9" * 400}', 2
    )
    text = text.replace(f'"duration": {"9" * 400}', '"duration": 2.5', 1)
    found = made(text.encode())
    problems = [item for item in found if isinstance(item, Problem) and not isinstance(item, Aside)]
    assert [(p.line, p.field) for p in problems] == [
        (1, "reward_info/reward"),
        (2, "duration"),
        (3, "task_id"),
    ]
    assert "NaN is no JSON" in problems[0].what
    assert "a number of 400 digits" in problems[1].what
    (tmp_path / "r.json").write_text(text)
    report = mc.compute(mc.load(tmp_path))
    (score,) = whole_of(report, "score")
    assert (score.n, score.N, score.invalid) == (2, 2, 3)


def test_a_value_of_the_wrong_type_is_a_problem_of_its_field(tmp_path: Path) -> None:
    odd = [
        run("a", "first", 1.0), run("b", 0, "1.0"), run("c", 0, 1.0, agent_cost="free"),
        run("d", 0, 1.0, agent_cost=False), run("e", 0, "1.5"), run("f", [0], 1.0), run("g", 0, 1.0),
    ]  # fmt: skip
    report = measured(tmp_path, results(odd, tasks=()))
    (score,) = whole_of(report, "score")
    assert (score.n, score.N, score.invalid) == (1, 1, 6)
    assert sorted(p.field for p in report.problems) == ["cost_usd", "cost_usd", "rep", "rep"]


def test_a_number_that_no_float_holds_is_no_crash() -> None:
    with_int = json.dumps(results([run("a", 0, 1.0)])).replace(
        '"max_steps": 100', f'"max_steps": {"9" * 400}'
    )
    found = made(with_int.encode())
    assert [f.field for f in found if type(f) is Aside] == ["info/max_steps"]
    assert sum(isinstance(item, Element) for item in found) == 1


def test_a_trial_with_two_outcomes_is_told_and_both_are_kept(tmp_path: Path) -> None:
    again = run("a", 0, 0.0, id="other")
    runs = [run("a", 0, 1.0), again, run("a", 1, 1.0), run("a", 1, 1.0, id="same outcome")]
    report = measured(tmp_path, results(runs, tasks=()))
    told = [item for item in report.findings if isinstance(item, Conflicting)]
    assert [(item.line, item.with_place) for item in told] == [(2, "0.json:1")]
    (score,) = whole_of(report, "score")
    assert (score.n, score.N) == (3, 4)


def test_the_same_simulation_twice_is_counted_once(tmp_path: Path) -> None:
    one = run("a", 0, 1.0)
    report = measured(tmp_path, results([one, one], tasks=()), results([one], tasks=()))
    (score,) = whole_of(report, "score")
    assert (score.N, report.duplicates) == (1, 2)


def test_planned_trials_that_are_not_here_are_told_beside_the_number(tmp_path: Path) -> None:
    file = results([run("a", 0, 1.0), run("a", 1, 1.0), run("b", 0, 1.0)])
    (declared,) = (item for item in made(file) if isinstance(item, Declared))
    assert declared.difference == RunsDeclared(4, 3)
    (score,) = whole_of(measured(tmp_path, file), "score")
    assert "0.json declares 4 runs; 3 are here" in score.notes
    assert not [
        item
        for item in made(results([run(t, n, 1.0) for t in "ab" for n in (0, 1)]))
        if isinstance(item, Aside)
    ]


def test_results_without_simulations_count_nothing(tmp_path: Path) -> None:
    assert any(isinstance(item, NoRuns) for item in made(results([])))
    gone = results([])
    del gone["simulations"]
    assert any(isinstance(item, NoRuns) for item in made(gone))


def test_a_damaged_file_is_claimed_and_told_with_its_place() -> None:
    data = json.dumps(results([run("a", 0, 1.0)]), indent=2).encode()
    cut = data[: len(data) - 40]
    assert claims("r.json", cut[:4096])
    with pytest.raises(FormatError, match=r"r\.json:\d+: expected JSON: .* at column \d+"):
        made(cut)
    with pytest.raises(FormatError, match="name the agent"):
        made({"info": {"git_commit": "x", "num_trials": 1}, "simulations": []})


# ------------------------------------------------------------------ a file a simulation


def folder(root: Path, runs: list[dict[str, Any]], index: int) -> None:
    meta = results([], tasks=("a", "b"), simulation_index=[{"id": str(n)} for n in range(index)])
    del meta["simulations"]
    (root / "simulations").mkdir(parents=True)
    (root / "results.json").write_text(json.dumps(meta, indent=2))
    for one in runs:
        (root / "simulations" / f"{one['id']}.json").write_text(json.dumps(one, indent=2))


def test_a_folder_with_a_file_a_simulation_is_the_same_runs(tmp_path: Path) -> None:
    runs = [run("a", 0, 1.0), run("a", 1, 0.0), run("b", 0, 1.0), run("b", 1, 1.0)]
    folder(tmp_path / "dir", runs, 5)
    (tmp_path / "one").mkdir()
    report = mc.compute(mc.load(tmp_path / "dir"))
    (score,) = whole_of(report, "score")
    (same,) = whole_of(measured(tmp_path / "one", results(runs)), "score")
    assert (score.n, score.N, score.stratum, score.group) == (same.n, same.N, same.stratum, same.group)
    assert "results.json declares 5 runs; 4 are here" in score.notes
    assert report.problems == ()


def test_a_simulation_without_its_results_is_told(tmp_path: Path) -> None:
    folder(tmp_path, [run("a", 0, 1.0)], 1)
    (tmp_path / "results.json").unlink()
    report = mc.compute(mc.load(tmp_path))
    assert "the results that name its agent are missing" in str(report.problems[0])
    bad = tmp_path / "simulations" / "a.0.json"
    folder(tmp_path / "again", [run("a", 0, 1.0)], 1)
    bad = tmp_path / "again" / "simulations" / "a.0.json"
    bad.write_text(bad.read_text().replace("1.0", "NaN"))
    report = mc.compute(mc.load(tmp_path / "again"))
    assert [p.field for p in report.problems] == ["reward_info/reward"]
