"""Rows of runs as the inputs of other tools that compare two sides, for docs/explanations/peers.md.

    python -m benchmarks.peer_inputs BASELINE.jsonl CANDIDATE.jsonl FOLDER

A row has ``case``, ``run``, ``passed`` and ``infra_error``. A run that broke has no outcome: a tool that
reads means or plain scores does not see it, and one that needs a number for every run gets 0. The page says
how each tool is called on these files.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]
SIDES = ("baseline", "candidate")


def inputs(baseline: Iterable[Row], candidate: Iterable[Row]) -> Iterator[tuple[str, str]]:
    """Name and text of every file.

    Args:
        baseline: Its runs.
        candidate: The runs that are held against it.

    Yields:
        What evalci (``-means.csv``), agent-regress (``-scores.json``), multivon-eval (``-report.json``),
        nemo-evaluator (``nemo-*``), agentv (``agentv-*``) and evalstats (``long.csv``) read.
    """
    sides = dict(zip(SIDES, (list(baseline), list(candidate)), strict=True))
    for name, rows in sides.items():
        tasks = _by_task(rows)
        known = {task: [float(r["passed"]) for r in runs if _known(r)] for task, runs in tasks.items()}
        means = [(task, sum(v) / len(v)) for task, v in known.items() if v]
        yield f"{name}-means.csv", _csv([("item_id", "score"), *means])
        yield f"{name}-scores.json", json.dumps([score for v in known.values() for score in v])
        yield f"{name}-report.json", json.dumps({"cases": [_case(task, v) for task, v in known.items()]})
        numbers = {task: number for number, task in enumerate(tasks)}
        yield (
            f"nemo-{name}/results.jsonl",
            _lines(
                {"problem_idx": numbers[r["case"]], "repeat": r["run"] - 1, "reward": _score(r)} for r in rows
            ),
        )
        mean = sum(map(_score, rows)) / len(rows)
        benchmark = {"name": "peers", "samples": len(tasks), "scores": {"mean_reward": {"value": mean}}}
        bundle = {"benchmark": benchmark, "config": {"benchmark": "peers"}, "run_id": name}
        yield f"nemo-{name}/eval-peers.json", json.dumps(bundle)
        yield (
            f"agentv-{name}/index.jsonl",
            _lines(
                {
                    "timestamp": "2026-07-01T00:00:00Z",
                    "test_id": r["case"],
                    "target": name,
                    "score": _score(r),
                    "execution_status": "execution_error" if r["infra_error"] else "ok",
                }
                for r in rows
            ),
        )
    yield (
        "long.csv",
        _csv(
            [
                ("model", "prompt", "input", "run", "score"),
                *(
                    (name, "p", r["case"], r["run"], float(r["passed"]) if _known(r) else "")
                    for name, rows in sides.items()
                    for r in rows
                ),
            ]
        ),
    )


def _by_task(rows: Iterable[Row]) -> dict[str, list[Row]]:
    tasks: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        tasks[row["case"]].append(row)
    return dict(sorted(tasks.items()))


def _known(row: Row) -> bool:
    return row["passed"] is not None and not row["infra_error"]


def _score(row: Row) -> float:
    return float(row["passed"]) if _known(row) else 0.0


def _case(task: str, scores: list[float]) -> dict[str, Any]:
    """Every known run passed, or the case did not; a case without a known run has the error in its place."""
    passed = bool(scores) and all(scores)
    mean = sum(scores) / len(scores) if scores else 0.0
    return {
        "input": task,
        "output": "",
        "case_id": task,
        "case_digest": task,
        "runs": max(1, len(scores)),
        "pass_count": int(sum(scores)),
        "evaluators": [{"name": "passed", "score": mean, "passed": passed, "reason": ""}],
        **({} if scores else {"model_error": "no run with a known outcome"}),
    }


def _csv(rows: Iterable[tuple[Any, ...]]) -> str:
    lines: list[str] = []
    csv.writer(_Lines(lines), lineterminator="\n").writerows(rows)
    return "".join(lines)


class _Lines:
    """What a CSV writer writes to, a line at a time."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def write(self, line: str, /) -> None:
        self._lines.append(line)


def _lines(rows: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def _read(path: str) -> list[Row]:
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


if __name__ == "__main__":
    *given, folder = sys.argv[1:]
    for name, text in inputs(*map(_read, given)):
        target = Path(folder) / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
