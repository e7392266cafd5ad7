"""Experiments of attempts in a folder, and what their report says, in the few words that tests need."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import metrics_core as mc
from metrics_core import engine
from metrics_core.experiments.experiment import Experiment
from metrics_core.results.estimate import Estimate
from metrics_core.results.report import Report
from metrics_core.results.review import Review

UNSPECIFIED = {"condition": "unspecified", "evaluator": "measured"}


def of_folders(
    root: Path, folders: Mapping[str, Mapping[str, bytes]], settings: str = "", flat: Iterable[Any] = ()
) -> Experiment:
    """An experiment whose attempts are folders, and records in one log."""
    for name, files in folders.items():
        for path, data in files.items():
            place = root / "attempts" / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
    lines = [json.dumps(record) for record in flat]
    (root / "attempts").mkdir(parents=True, exist_ok=True)
    if lines:
        (root / "attempts" / "flat.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    if settings:
        (root / "experiment.yaml").write_text(settings, "utf-8")
    return mc.load(root)


def of_records(root: Path, *records: dict[str, Any], settings: str = "") -> Experiment:
    """An experiment whose attempts are lines of one log."""
    return of_folders(
        root, {}, settings, [{"scenario": "s", "workflow": "w", **record} for record in records]
    )


def estimate(report: Report, metric: str, group: Mapping[str, str] | None = None, **stratum: str) -> Estimate:
    """The one estimate of that metric; of the whole experiment and the unspecified condition by default."""
    wanted = {**UNSPECIFIED, **stratum}
    (found,) = [
        e
        for e in report.estimates
        if e.metric == metric and dict(e.group) == (group or {}) and dict(e.stratum) == wanted
    ]
    return found


def share(
    report: Report, metric: str, group: Mapping[str, str] | None = None, **stratum: str
) -> tuple[int, int]:
    """n and N of that estimate."""
    found = estimate(report, metric, group, **stratum)
    assert found.n is not None
    assert found.N is not None
    return found.n, found.N


def reviews(experiment: Experiment) -> list[Review]:
    """What a reader is shown of every attempt."""
    return list(engine.reviews(experiment))


def verdicts(experiment: Experiment) -> list[tuple[str, ...]]:
    """Words of the three verdicts of every attempt."""
    return [tuple(verdict.word for verdict in review.verdicts) for review in reviews(experiment)]
