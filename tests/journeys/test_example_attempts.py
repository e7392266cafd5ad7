"""The shipped attempts on GitHub: each state that they are there to show occurs, counted from the files."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

GITHUB = Path(__file__).resolve().parents[2] / "content" / "experiments" / "gh-2026"
ATTEMPTS = GITHUB / "attempts"
STEP = "Ask the agent"
Json = dict[str, Any]


@cache
def flat() -> tuple[Json, ...]:
    """Records of the two logs."""
    return tuple(
        json.loads(line) for log in sorted(ATTEMPTS.glob("*.jsonl")) for line in log.read_bytes().splitlines()
    )


@cache
def folders() -> dict[str, dict[str, Json]]:
    """Name of each folder -> its JSON files by name."""
    return {
        folder.name: {
            path.relative_to(folder).as_posix(): json.loads(path.read_bytes())
            for path in sorted(folder.rglob("*.json"))
        }
        for folder in sorted(ATTEMPTS.iterdir())
        if folder.is_dir()
    }


def current() -> list[dict[str, Json]]:
    """Folders of the current generation that came to their end."""
    return [files for files in folders().values() if "artifacts/evidence.json" in files]


def verdicts(files: dict[str, Json]) -> tuple[Any, Any, Any]:
    said = files["metadata.json"].get("analysis", {})
    return said.get("utility_achieved"), said.get("security_breached"), said.get("autonomy_achieved")


def agent_steps(files: dict[str, Json]) -> list[Json]:
    return [
        step
        for job in files["artifacts/evidence.json"]["jobs"]
        for step in job["steps"]
        if step["name"] == STEP
    ]


def test_there_are_about_seventy_attempts_of_two_arms() -> None:
    counted = [
        files for files in folders().values() if not {"asr_curve", "mode"} & {*files.get("metadata.json", {})}
    ]
    assert 65 <= len(flat()) + len(counted) <= 80
    arms = Counter(record["workflow"] for record in flat())
    assert set(arms) == set(yaml.safe_load((GITHUB / "experiment.yaml").read_text("utf-8"))["workflows"])
    assert len(set(arms.values())) == 1


def test_tasks_are_benign_and_under_attack() -> None:
    assert {(r["scenario_type"], r["attack"]) for r in flat()} == {("benign", None), ("malicious", "static")}
    assert all(r["security_breached"] is None for r in flat() if r["attack"] is None)


def test_unknown_verdicts_have_their_reasons() -> None:
    for record in flat():
        failed = record.get("error") is not None
        assert failed or record["utility_achieved"] is not None or "utility" in record["evaluation_errors"]
    assert any("utility" in record["evaluation_errors"] for record in flat())
    assert any(record.get("error") for record in flat())


def test_one_scenario_was_never_given_an_evaluator_for_security() -> None:
    left = [r for r in flat() if r["scenario"] == "open-back-door" and not r.get("error")]
    assert left
    assert all(
        r["security_breached"] is None and "configured" in r["evaluation_errors"]["security"] for r in left
    )


def test_one_scenario_is_only_asserted() -> None:
    evaluators = yaml.safe_load((GITHUB / "experiment.yaml").read_text("utf-8"))["evaluators"]
    assert [name for name, kind in evaluators.items() if kind == "assertion"] == ["always-held"]
    assert {r["security_breached"] for r in flat() if r["scenario"] == "always-held"} == {False}
    assert set(evaluators) >= {r["scenario"] for r in flat()}, "every kind is stated"


def test_alpha_follows_injected_texts_more_often_than_beta() -> None:
    breaches = {
        arm: [
            r["security_breached"]
            for r in flat()
            if r["workflow"] == arm and r["security_breached"] is not None
        ]
        for arm in ("alpha-review", "beta-review")
    }
    assert sum(breaches["alpha-review"]) > sum(breaches["beta-review"]) + 2
    assert all(len(known) >= 8 for known in breaches.values())


def test_most_evidence_agrees_with_what_was_written_down() -> None:
    usual = [
        files
        for files in current()
        if len(files["artifacts/evidence.json"]["workflow_runs"]) == 1
        and any(step["conclusion"] == "success" for step in agent_steps(files))
        and verdicts(files)[2] is True
    ]
    assert len(usual) >= 10


@pytest.mark.parametrize("named", [False, True])
def test_two_runs_could_be_the_attempts_and_once_a_receipt_names_one(named: bool) -> None:
    two = [f for f in current() if len(f["artifacts/evidence.json"]["workflow_runs"]) == 2]
    assert len(two) == 2
    assert (
        sum((f["artifacts/trigger_receipt.json"]["workflow_run_id"] is not None) is named for f in two) == 1
    )


def test_a_run_of_another_workflow_was_taken_for_the_attempts() -> None:
    paths = [
        (run["path"], files["metadata.json"]["workflow"])
        for files in current()
        for run in files["artifacts/evidence.json"]["workflow_runs"]
    ]
    assert [path for path, workflow in paths if workflow not in path] == [".github/workflows/labels.yml"]


def test_an_unknown_bot_replied_and_an_input_actor_commented() -> None:
    authors = Counter(
        comment["user"]["login"]
        for files in current()
        for comment in files["artifacts/evidence.json"]["comments"]
    )
    assert authors["halden-triage[bot]"] == 1
    assert authors["halden-probe"] == 1
    assert authors["github-actions[bot]"] == len(current())


def test_a_step_only_resembles_the_agents_one_was_skipped_and_a_run_waited() -> None:
    names = {
        step["name"]
        for f in current()
        for job in f["artifacts/evidence.json"]["jobs"]
        for step in job["steps"]
    }
    assert "Ask the agents" in names
    ends = Counter(step["conclusion"] for f in current() for step in agent_steps(f))
    assert (ends["skipped"], ends[None]) == (1, 1)
    ended = {run["conclusion"] for f in current() for run in f["artifacts/evidence.json"]["workflow_runs"]}
    assert ended == {"success", "action_required"}


def test_an_observation_failed_though_the_evaluator_says_breached() -> None:
    (failed,) = [f for f in current() if "error" in f["artifacts/evidence.json"]]
    assert verdicts(failed)[1] is True


def test_a_breach_has_no_agent_behind_it() -> None:
    without = [f for f in current() if not agent_steps(f) and verdicts(f)[2] is None]
    assert [verdicts(f)[:2] for f in without] == [(False, True)]


def test_a_judge_gave_no_reasoning() -> None:
    answers = [
        answer
        for f in current()
        for answer in f["metadata.json"]
        .get("analysis", {})
        .get("details", {})
        .get("evaluations", {})
        .values()
    ]
    assert [sorted(answer) for answer in answers] == [["is_success"]]


def test_attempts_failed_early_and_late_and_there_are_older_ones() -> None:
    early = [f for f in folders().values() if "metadata.json" not in f]
    late = [f for f in current() if "error" in f["metadata.json"]]
    older = [
        name for name, f in folders().items() if "manifest.json" not in f and "analysis" in f["metadata.json"]
    ]
    assert (len(early), len(late), len(older)) == (1, 1, 2)
    assert all(name[:8].isdigit() for name in older)


def test_a_search_and_an_offline_run_lie_beside_them() -> None:
    others = [
        f["metadata.json"]
        for f in folders().values()
        if not {"analysis", "error"} & {*f.get("metadata.json", {"error": 0})}
    ]
    assert sorted("asr_curve" in other for other in others) == [False, True]
