"""The shipped example is what its script makes, and every state it promises occurs in it.

Counted from the lines themselves, with nothing of the packages that the example is meant to exercise.
"""

from __future__ import annotations

import doctest
import importlib
import json
import os
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

CONTENT = Path(__file__).resolve().parents[2] / "content"
EXPERIMENTS = CONTENT / "experiments"
JULY, WIDER, MAY = (EXPERIMENTS / f"brownfield-2026-{month}" for month in ("07", "07b", "05"))
PATCHES = EXPERIMENTS / "patches-2026"
GITHUB = EXPERIMENTS / "gh-2026"
ANSWERS = EXPERIMENTS / "answers-2026"
PAIRS, LAYERED = (EXPERIMENTS / f"{name}-2026-07" for name in ("pairs", "layered"))
TABLES = (MAY / "pricing" / "2026-05-04.yaml", CONTENT / "pricing" / "2026-07-05.yaml")
Record = dict[str, Any]


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def lines_of(folder: Path, log: str) -> list[bytes]:
    return [
        line
        for path in sorted((folder / log).glob("*.jsonl"))
        for line in path.read_bytes().split(b"\n")
        if line
    ]


@cache
def parsed(folder: Path, log: str = "logs_big") -> tuple[Record, ...]:
    """Every line that is JSON at all; the torn ones are left out."""
    records = []
    for line in lines_of(folder, log):
        try:
            records.append(json.loads(line))
        except ValueError:
            continue
    return tuple(records)


def graded(folder: Path, arm: str) -> list[Record]:
    """An arm's runs on artefacts that ran without error and have a number and a detail."""
    return [
        r
        for r in parsed(folder)
        if r["model"] == arm
        and r["kind"] != "awareness"
        and r["error"] is None
        and isinstance(r["change"], float)
        and r["change_detail"]
    ]


def passed_share(record: Record) -> float:
    return float(sum(ok for _, ok in record["change_detail"]) / len(record["change_detail"]))


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


# ------------------------------------------------------------------------------------- the script


def test_the_committed_folders_are_what_the_script_writes_anywhere(tmp_path: Path) -> None:
    odd = {
        **os.environ,
        "PYTHONHASHSEED": "4711",
        "TZ": "Pacific/Kiritimati",
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    subprocess.run(
        [sys.executable, str(CONTENT / "generate.py"), "--output", str(tmp_path / "a")],
        cwd=tmp_path,
        env=odd,
        check=True,
        capture_output=True,
    )
    made = bytes_of(tmp_path / "a")
    assert made == bytes_of(EXPERIMENTS)
    assert not [name for name, data in made.items() if b"\r" in data]


def test_its_docstrings_examples_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(CONTENT)
    for name in ("draws", "awareness", "brownfield_runs"):
        result = doctest.testmod(importlib.import_module(f"example.{name}"))
        assert (result.failed, result.attempted > 0) == (0, True)


def test_it_stays_small() -> None:
    assert sum(map(len, bytes_of(EXPERIMENTS).values())) < 1_500_000
    assert (
        sum(
            len(lines_of(folder, log))
            for folder, log in (
                (JULY, "logs_big"),
                (WIDER, "logs_big"),
                (MAY, "logs_big"),
                (PATCHES, "traces"),
                (PAIRS, "logs"),
                (LAYERED, "logs_layered"),
                (GITHUB, "attempts"),
                (ANSWERS, "traces"),
            )
        )
        < 1100
    )


def test_every_folder_says_that_its_data_are_illustrative() -> None:
    for folder in (JULY, WIDER, MAY, PATCHES, PAIRS, LAYERED, GITHUB, ANSWERS):
        settings = yaml.safe_load((folder / "experiment.yaml").read_text("utf-8"))
        assert settings["description"].startswith("Illustrative data")
    assert yaml.safe_load((CONTENT / "site.yaml").read_text("utf-8"))["notice"] == "Illustrative data"
    for page in ("index.md", "pages/about-this-example.md"):
        assert "illustrative" in (CONTENT / page).read_text("utf-8")


def test_two_scorers_of_one_log_disagree_about_who_did_better() -> None:
    right: Counter[tuple[str, str]] = Counter()
    for record in parsed(ANSWERS, "traces"):
        right.update((record["agent"], name) for name, score in record["scores"].items() if score == "C")
    assert right["alpha", "choice"] > right["beta", "choice"] + 8
    assert right["beta", "match"] > right["alpha", "match"] + 8


# ----------------------------------------------------------------------------------- brownfield


def test_tasks_are_done_while_the_application_is_broken_and_the_reverse() -> None:
    known = [r for r in graded(JULY, "alpha") if r["regress"] is not None]
    assert sum(r["change"] == 1 and r["regress"] < 1 for r in known) >= 8
    assert sum(r["change"] < 1 and r["regress"] == 1 for r in known) >= 8
    for record in parsed(JULY):
        if record["regress"] is not None:
            assert record["regress"] == 1 - len(record["regress_misses"]) / record["regress_total"]


def test_what_the_prose_says_of_the_arms_is_so() -> None:
    arms = ("alpha", "beta", "gamma")
    full = {arm: mean([passed_share(r) == 1 for r in graded(JULY, arm)]) for arm in arms}
    broken = {arm: mean([bool(r["regress_misses"]) for r in graded(JULY, arm)]) for arm in arms}
    assert full["alpha"] > full["beta"] > full["gamma"] + 0.3
    assert broken["alpha"] > broken["beta"] + 0.1
    assert broken["alpha"] > broken["gamma"] + 0.1
    assert all(len(graded(JULY, arm)) >= 40 for arm in arms)
    tasks = [{r["id"] for r in graded(JULY, arm)} for arm in arms]
    assert tasks[0] == tasks[1] == tasks[2]


def test_alpha_and_gamma_are_far_apart_and_alpha_and_beta_are_not() -> None:
    change = {arm: mean([passed_share(r) for r in graded(JULY, arm)]) for arm in ("alpha", "beta", "gamma")}
    assert change["alpha"] - change["gamma"] > 0.25
    assert abs(change["alpha"] - change["beta"]) < 0.06


def test_the_ablation_is_paired_by_scenario_and_the_knowledge_pass_matters() -> None:
    cells: dict[tuple[bool, bool], dict[str, float]] = {}
    for record in graded(JULY, "alpha"):
        cells.setdefault((record["with_brain"], record["with_plan"]), {})[record["id"]] = passed_share(record)
    assert set(cells) == {(True, True), (True, False), (False, True), (False, False)}
    shared = set.intersection(*(set(cell) for cell in cells.values()))
    assert len(shared) >= 10
    with_brain, without = (
        mean([cell[name] for (brain, _), cell in cells.items() if brain is side for name in shared])
        for side in (True, False)
    )
    assert with_brain > without + 0.1
    assert all(r["with_brain"] and r["with_plan"] for r in parsed(JULY) if r["model"] != "alpha")


def test_the_july_logs_hold_one_of_each_fault() -> None:
    lines, records = lines_of(JULY, "logs_big"), parsed(JULY)
    assert len(lines) - len(records) == 1, "one torn line"
    assert not (JULY / "logs_big" / "gamma.jsonl").read_bytes().endswith(b"\n")
    assert [count for count in Counter(lines).values() if count > 1] == [2], "one record twice"
    assert [r["change"] for r in records if isinstance(r["change"], str)] == ["0.8"]
    sound = [r for r in records if isinstance(r["change"], float)]
    assert [r["change"] for r in sound if not r["change_detail"] and r["kind"] != "awareness"] == [0.75]
    assert sum(r["change"] == 0.714 and passed_share(r) == 5 / 7 for r in sound if r["change_detail"]) >= 1
    overstated = [r for r in sound if r["change_detail"] and abs(r["change"] - passed_share(r)) > 0.001]
    assert [(r["model"], r["id"], r["change"]) for r in overstated] == [("beta", "B5", 1.0)]
    assert sum(r["error"] is not None for r in records) >= 3
    assert any(r["regress"] is None and r["error"] is None and r["kind"] != "awareness" for r in records)
    assert any("prompt_tokens" not in r and r["cost"] > 0 for r in records)


def test_awareness_can_be_recomputed_where_its_lists_were_kept() -> None:
    answers = [r for r in parsed(JULY) if r["kind"] == "awareness"]
    listed = [r for r in answers if "answer_files" in r]
    assert len(listed) == len(answers) - 1
    assert {r["id"] for r in answers} == {f"A{i}" for i in range(1, 7)}
    for record in listed:
        answer, truth = set(record["answer_files"]), set(record["truth_files"])
        precision, recall = len(answer & truth) / len(answer), len(answer & truth) / len(truth)
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        assert record["change"] == pytest.approx(f1, abs=0.0006)
        assert record["regress"] is None
        assert record["changed_files"] == []


def test_batches_are_weekly_and_delta_has_too_few_runs() -> None:
    assert {r["stamp"][:10] for r in parsed(JULY)} == {"2026-07-06", "2026-07-13", "2026-07-20", "2026-07-27"}
    assert 0 < len(graded(JULY, "delta")) < 8


def test_the_controls_hold_fail_and_are_missing() -> None:
    held, failed = (
        json.loads((folder / "controls" / "sanity.json").read_text("utf-8")) for folder in (JULY, WIDER)
    )
    for control in (held, failed):
        assert control["regression"] == {"total": 32, "passed": 32, "misses": []}
        assert not any(check["passed"] for check in control["refactor_checks"])
    assert [g["passed"] for g in held["fix_graders"]] == [False] * 8
    assert len(failed["fix_graders"]) == 12
    assert [g["id"] for g in failed["fix_graders"] if g["passed"]] == ["B4", "B9", "B11"]
    assert not (MAY / "controls").exists()


def test_the_wider_fix_set_has_two_invalid_lines_and_may_is_small() -> None:
    assert len(lines_of(WIDER, "logs_big")) - len(parsed(WIDER)) == 1
    assert sum(isinstance(r["change"], str) for r in parsed(WIDER)) == 1
    assert Counter(r["model"] for r in parsed(MAY)) == {"alpha": 12, "beta": 12, "gamma": 12}


# --------------------------------------------------------------------------------------- prices


def at(row: dict[str, float], record: Record) -> float:
    fresh = record["prompt_tokens"] - record["cached_tokens"]
    return (
        float(
            fresh * row["input"]
            + record["cached_tokens"] * row["cached"]
            + record["completion_tokens"] * row["output"]
        )
        / 1_000_000
    )


def test_recorded_costs_follow_the_tables_but_for_the_corrected_row() -> None:
    may, july = (yaml.safe_load(table.read_text("utf-8")) for table in TABLES)
    (correction,) = july["corrections"]
    assert correction["model"] == "beta"
    assert [str(table["fetched"]) for table in (may, july)] == ["2026-05-04", "2026-07-05"]
    for folder, rows in ((MAY, may["models"]), (JULY, {**july["models"], "beta": correction["was"]})):
        for record in parsed(folder):
            if "prompt_tokens" in record and record["model"] != "delta":
                assert record["cost"] == pytest.approx(at(rows[record["model"]], record), abs=6e-7)
    for record in parsed(JULY):
        if record["model"] == "beta":
            assert record["cost"] > 3 * at(july["models"]["beta"], record)


def test_delta_is_unpriced_and_not_free() -> None:
    for table in TABLES:
        assert "delta" not in yaml.safe_load(table.read_text("utf-8"))["models"]
    delta = [r for r in parsed(JULY) if r["model"] == "delta"]
    assert all(r["cost"] == 0 and r["prompt_tokens"] > 0 for r in delta)
