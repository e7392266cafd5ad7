"""Experiments made to be hard for sentences: ties, one arm, one task, tasks that are not shared, holes,
nothing known, nothing but errors, names alike but for case, a scale of its own, everything withheld, scorers
and experiments that disagree.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace

import metrics_core as mc
from metrics_core.experiments import Experiment
from metrics_core.results.codes import Kept
from metrics_core.results.report import Report
from metrics_core.results.shapes import Funnel, Stage
from tests.support import figure_samples as samples, sample_reports, small_runs
from tests.support.by_day import by_day

EXAMPLE = Path(__file__).resolve().parents[2] / "content" / "experiments"


def scored(agent: str, task: int, **scores: float | str | None) -> dict[str, Any]:
    return {"task_id": f"t{task}", "agent": agent, "scores": scores}


def of_scores(**arms: tuple[range, int]) -> list[dict[str, Any]]:
    """Runs under one scorer: of each arm these tasks, of which the first so many score."""
    return [
        scored(arm, task, match=float(at < hits))
        for arm, (tasks, hits) in arms.items()
        for at, task in enumerate(tasks)
    ]


HARD: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "ties": ("traces", of_scores(alpha=(range(40), 20), beta=(range(40), 20), gamma=(range(40), 20))),
    "one arm": ("traces", of_scores(alpha=(range(40), 20))),
    "one task": ("traces", [scored(arm, 1, match=1.0) for arm in ("alpha", "beta") for _ in range(9)]),
    "disjoint": ("traces", of_scores(alpha=(range(40), 36), beta=(range(50, 90), 10))),
    "first": ("traces", of_scores(alpha=(range(40), 36), beta=(range(40), 4))),
    "opposed": ("traces", of_scores(alpha=(range(40), 4), beta=(range(40), 36))),
    "many arms": ("traces", of_scores(**{f"m{n}": (range(30), 5 * n) for n in range(6)})),
    "scorers": ("traces", [
        scored(arm, task, choice=float(task < hits), match=float(task >= hits))
        for arm, hits in (("alpha", 36), ("beta", 4)) for task in range(40)
    ]),
    "holes": ("traces", [
        *(scored("alpha", n, match=None if n > 25 else float(n < 20)) for n in range(30)),
        *(scored("beta", n, match=float(n < 7)) for n in range(20)),
    ]),
    "bounds": ("traces", [
        scored(arm, n, match=None if n > last else float(n < hits))
        for arm, last, hits in (("alpha", 26, 20), ("beta", 35, 7)) for n in range(40)
    ]),
    "unknown": ("traces", [scored(arm, task, match=None) for arm in ("alpha", "beta") for task in range(12)]),
    "same tasks only": ("traces", of_scores(alpha=(range(50), 25), beta=(range(50), 32))),
    "names alike": ("traces", of_scores(Alpha=(range(20), 18), alpha=(range(20), 2), ALPHA=(range(20), 10))),
    "few in common": ("traces", of_scores(alpha=(range(20), 20), beta=(range(13, 33), 0))),
    "one side unknown": ("traces", [
        scored(arm, n, match=None if arm == "alpha" else float(n < 8)) for arm in ("alpha", "beta")
        for n in range(16)
    ]),
    "own scale": ("traces", [
        scored(arm, n, loss=low - n / 7) for arm, low in (("alpha", -3.0), ("beta", -8.0)) for n in range(16)
    ]),
    "differ alike": ("traces", [
        scored(arm, n, match=low + (n % 5) / 10) for arm, low in (("alpha", 0.1), ("beta", 0.5))
        for n in range(16)
    ]),
    "all errors": ("traces", [
        {**scored(arm, n, match=None), "error": "gone"} for arm in ("alpha", "beta") for n in range(12)
    ]),
    "brownfield": ("logs_big", [*small_runs.arm("alpha", 30, 28), *small_runs.arm("beta", 30, 3)]),
    "idle": ("logs_big", small_runs.arm("alpha", 12, 0)),
    "benign": ("attempts", [
        {"scenario": f"s{n}", "model": m, "condition": "benign", "utility_achieved": n < 6}
        for m in ("alpha", "beta") for n in range(12)
    ]),
    "attacked": ("attempts", [
        {"scenario": f"s{n}", "model": m, "attack": "issue", "utility_achieved": None if n < 4 else True,
         "security_breached": None if n < 4 else n < 8}
        for m in ("alpha", "beta") for n in range(12)
    ]),
}  # fmt: skip


def experiments(root: Path) -> Iterator[Experiment]:
    """Every hard experiment, written below a folder."""
    for name, (folder, records) in HARD.items():
        path = root / name.replace(" ", "-") / folder
        path.mkdir(parents=True)
        (path / "log.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records), "utf-8")
        yield mc.load(path.parent)


def hidden(report: Report) -> Report:
    """The report with nothing to show."""
    why = Kept("no control held")
    return replace(
        report,
        experiment=f"{report.experiment}-withheld",
        estimates=tuple(samples.withheld(e, why) for e in report.estimates),
        funnels=tuple(
            Funnel(f.family, f.group, f.stratum,
                   tuple(Stage(s.name, samples.withheld(s.estimate, why), (), s.achieved) for s in f.stages))
            for f in report.funnels
        ),
        comparisons=(), checks=(), grids=(), points=(), costs=(), series=(),
    )  # fmt: skip


@cache
def reports() -> tuple[Report, ...]:
    """Sample reports, the shipped example, and the hard ones; the last three also with nothing to show.

    By day one in three of the example's.
    """
    shipped = [mc.compute(folder) for folder in sorted(EXAMPLE.iterdir()) if by_day(folder.name, 3)]
    with TemporaryDirectory() as root:
        found = [*sample_reports.reports(), *shipped, *map(mc.compute, experiments(Path(root)))]
    return (*found, *map(hidden, found[-3:]))
