"""A gate tried on a baseline alone: its repetitions are split at random, and the false alarms counted.

Both halves are one arm, so every difference that is found is a false one. Halves are drawn task by task: a
repetition that was lower as a whole is spread over both, and its shock is not in these rates.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from msgspec import Struct

from metrics_core.between_experiments import cluster_behind
from metrics_core.comparison import MeasuredExperiment, arm_of
from metrics_core.errors import InputError
from metrics_core.measurement import RunGroup, difference, reestimate
from metrics_core.memo import Memo
from metrics_core.results import MIN_IN_COMMON
from metrics_core.statistics import verdict

SPLITS = 500
SEED = 7
ALARM = 0.05
"""A two-sided p at or below this is an alarm of the paired rule."""


class SelfTest(Struct, frozen=True, kw_only=True):
    """False alarms over so many splits.

    Attributes:
        splits: How many were drawn.
        tasks: Tasks with two known runs or more.
        margin: Of the policy, in the metric's unit.
        paired: Splits whose paired p is at most 0.05; 5 % are expected.
        strict: Splits that the strict rule separates; none are expected.
        worse_at_0: Splits whose difference lies below 0 with its whole interval; 2.5 % are expected.
        worse_at_margin: Splits on which ``not_worse_by`` fails; under 0.5 % at a margin of 0.05.
        not_passed: Splits on which it does not pass, though nothing changed: what the gate costs.
    """

    splits: int
    tasks: int
    margin: float
    paired: int
    strict: int
    worse_at_0: int
    worse_at_margin: int
    not_passed: int

    def to_json(self) -> dict[str, Any]:
        """Counts and rates, with the rates that are expected."""
        expected = {"paired": 0.05, "strict": 0.0, "worse_at_0": 0.025, "worse_at_margin": 0.005}
        counts = {name: getattr(self, name) for name in (*expected, "not_passed")}
        return {
            "schema": "assay.gate-self-test/1",
            "splits": self.splits,
            "tasks": self.tasks,
            "margin": self.margin,
            "counts": counts,
            "rates": {name: n / self.splits for name, n in counts.items()},
            "expected": expected,
        }


def tried_on(
    side: MeasuredExperiment, metric: str, arm: str, margin: float, *, splits: int = SPLITS
) -> SelfTest:
    """Split the repetitions of a baseline many times, and count what the rules find.

    Args:
        side: The baseline.
        metric: As a policy spells it; empty for what leads its report.
        arm: Of the baseline; empty for the only one.
        margin: Of ``not_worse_by``.
        splits: How many times.

    Raises:
        InputError: Fewer than 8 tasks have two known runs; there is no such metric or arm.
    """
    e = arm_of(side, metric, arm)
    runs, cluster = side.runs(e), cluster_behind(e)
    homes = runs.home
    tasks = {task: values for task, values in runs.by_task().items() if len(values) > 1}
    if len(tasks) < MIN_IN_COMMON:
        raise InputError(
            f"{len(tasks)} tasks have two known runs or more, {MIN_IN_COMMON} are needed",
            where=side.report.experiment,
            hint="run each task several times",
        )
    draw = random.Random(SEED)
    found: Counter[str] = Counter()
    for _ in range(splits):
        a, b = _halves(tasks, homes, draw)
        d = difference(b, a, cluster)
        limits = [reestimate(e, half, cluster, Memo()) for half in (b, a)]
        judged = verdict(limits[0], limits[1], d, d.p, b.known, a.known)
        lo, hi = d.interval.lo, d.interval.hi
        found["paired"] += d.p is not None and d.p <= ALARM
        found["strict"] += judged.strict != "cannot separate"
        found["worse_at_0"] += hi is not None and hi < 0.0
        found["worse_at_margin"] += hi is not None and hi < -margin
        found["not_passed"] += lo is None or lo < -margin
    return SelfTest(
        splits=splits,
        tasks=len(tasks),
        margin=margin,
        **{name: found[name] for name in ("paired", "strict", "worse_at_0", "worse_at_margin", "not_passed")},
    )


def _halves(
    tasks: dict[str, list[float]], homes: dict[str, str], draw: random.Random
) -> tuple[RunGroup, RunGroup]:
    """Two arms of half the runs of each task; of an odd number one is left out."""
    halves = RunGroup(), RunGroup()
    for task, values in tasks.items():
        shuffled = draw.sample(values, len(values))
        size = len(values) // 2
        for half, part in zip(halves, (shuffled[:size], shuffled[size : 2 * size]), strict=True):
            home = homes.get(task, task)
            half.home[task] = home
            for value in part:
                half.values[home][task][(value, int(value == 1.0), 1)] += 1
    return halves
