"""Each file is claimed by the adapter of its own format and by no other, whole or broken off."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metrics_core.adapters import ADAPTERS

FORMATS = ("tau2-bench", "harbor", "terminal-bench", "swe-bench")
"""Those whose files are told apart from such as lie beside them."""

INFO = {"git_commit": "c0ffee", "num_trials": 1, "max_steps": 9, "user_info": {}, "agent_info": {"llm": "m"}}
HARBOR = {"id": "1", "task_name": "a", "trial_name": "a__x", "trial_uri": "file:///a", "task_checksum": "c"}
TERMINAL = {"id": "1", "trial_name": "a.1-of-1.r", "task_id": "a", "instruction": "do", "is_resolved": None}
PATCH = {"patch_is_None": False, "patch_exists": True, "resolved": True}

SAMPLES: dict[tuple[str, str], Any] = {
    ("tau2-bench", "a.json"): {"timestamp": "2026", "info": INFO, "tasks": [], "simulations": []},
    ("tau2-bench", "b/results.json"): {"info": INFO, "tasks": [], "simulation_index": []},
    ("tau2-bench", "b/simulations/1.json"): {"id": "1", "task_id": "a", "termination_reason": "user_stop"},
    ("harbor", "job/a__x/result.json"): HARBOR,
    ("harbor", "job/b__x/result.json"): {"schema_version": 1, **HARBOR},
    ("harbor", "job/result.json"): {"id": "1", "started_at": "2026-01-01", "n_total_trials": 1, "stats": {}},
    ("terminal-bench", "r/results.json"): {"id": "1", "results": [TERMINAL], "resolved_ids": []},
    ("terminal-bench", "r/a/x/results.json"): TERMINAL,
    ("swe-bench", "m.r.json"): {"total_instances": 1, "resolved_ids": ["a__b-1"], "unresolved_ids": []},
    ("swe-bench", "results.json"): {"no_generation": ["a__b-1"], "no_logs": [], "resolved": []},
    ("swe-bench", "r/m/a__b-1/report.json"): {"a__b-1": PATCH},
    ("swe-bench", "per_instance_details.json"): {"a__b-1": {"cost": 0.5, "api_calls": 2, "resolved": False}},
    ("tau-bench", "gpt-4o-airline.json"): [{"task_id": 0, "reward": 1.0, "info": {}, "traj": []}],
    ("inspect", "log.json"): {"version": 2, "status": "success", "eval": {"model": "m"}},
}
OTHERS: dict[str, Any] = {
    "package.json": {"name": "x", "version": "1.0.0", "scripts": {"test": "x"}},
    "tsconfig.json": {"compilerOptions": {"target": "es2020"}, "include": ["src"]},
    "config.json": {"task": {"path": "a"}, "trial_name": "a__x", "trials_dir": "jobs/a"},
    "job/config.json": {"job_name": "a", "jobs_dir": "jobs", "n_attempts": 1, "datasets": []},
    "run_metadata.json": {"run_id": "r", "dataset_name": "core", "agent_name": "a", "n_attempts": 1},
    "trajectory.json": {"schema_version": "ATIF-v1.5", "session_id": "1", "agent": {}, "steps": []},
    "results_2026.json": {"results": {"arc": {"acc,none": 0.5}}, "configs": {}, "n-samples": {}},
    "output.json": {"evalId": "e", "results": {"version": 3, "results": [{"success": True}]}},
    "preds.json": {"a__b-1": {"instance_id": "a__b-1", "model_patch": "diff", "model_name_or_path": "m"}},
    "locks.json": {"lodash": {"resolved": "https://x", "version": "1"}},
    "tasks.json": [{"id": "a", "user_scenario": {}, "evaluation_criteria": None}],
    "ids.json": {"id": "x", "results": [], "resolved_ids": ["a"]},
}


def heads(value: Any) -> list[bytes]:
    """A file with and without indents."""
    return [json.dumps(value, indent=indent).encode() for indent in (None, 2, 4)]


@pytest.mark.parametrize(("name", "path"), SAMPLES)
def test_a_file_is_claimed_by_its_own_format_alone(name: str, path: str) -> None:
    for head in heads(SAMPLES[name, path]):
        assert [each for each, adapter in ADAPTERS.items() if adapter.claims(path, head)] == [name]
        cut = head[: len(head) * 9 // 10]
        assert {each for each, adapter in ADAPTERS.items() if adapter.claims(path, cut)} <= {name}


@pytest.mark.parametrize("path", OTHERS)
def test_what_is_of_another_kind_is_claimed_by_none(path: str) -> None:
    for head in heads(OTHERS[path]):
        assert [name for name in FORMATS if ADAPTERS[name].claims(path, head)] == []


def test_what_lies_beside_results_is_nearly_its_format() -> None:
    near = {
        path: [said for name in FORMATS if (said := ADAPTERS[name].nearly(path, heads(value)[0]))]
        for path, value in OTHERS.items()
    }
    assert {path: said for path, said in near.items() if said} == {
        "config.json": ["a Harbor job, but without its result.json"],
        "job/config.json": ["a Harbor job, but without its result.json"],
        "run_metadata.json": ["a Terminal-Bench run, but without its results.json"],
        "preds.json": ["SWE-bench predictions, but without a report"],
        "tasks.json": ["tau2-bench tasks, but without simulations"],
    }


@pytest.mark.parametrize("name", FORMATS)
def test_text_that_is_no_json_of_its_own_is_claimed_by_none(name: str) -> None:
    claims = ADAPTERS[name].claims
    for path, value in ((path, value) for (of, path), value in SAMPLES.items() if of == name):
        assert not claims(f"{path}.md", json.dumps(value).encode())
        assert not claims("README.md", f"# Results\n\n{json.dumps(value)}".encode())
        assert not claims(path, b"")
        assert not claims(path, b"null")
