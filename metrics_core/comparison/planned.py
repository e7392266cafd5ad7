"""How many tasks and repetitions would show a difference, at which cost and in how many hours.

Does: take the parts of the variance, prices and times from runs that are there, lay designs beside each
other, and try the cheapest one by simulation from the tasks' own rates. Does not: know what the next
candidate is like; with one arm alone it is taken to find the same tasks hard.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from enum import StrEnum, unique
from math import fsum, sqrt
from typing import Any, Final

from msgspec import Struct

from metrics_core.comparison.measured_experiment import MeasuredExperiment
from metrics_core.comparison.spending import COST, LATENCY, context_of
from metrics_core.comparison.stability import Stability, of_arm
from metrics_core.errors import InputError
from metrics_core.measurement import task_difference, task_mean
from metrics_core.results import Difference, Estimate
from metrics_core.statistics import (
    POWERS,
    DifferenceVariance,
    paired_binary,
    paired_t,
    tasks_to_detect,
    within_tasks,
)

SCHEMA = "assay.plan/1"
REPETITIONS: Final = (1, 2, 3, 5, 10)
FEWEST: Final = 8
TRIALS: Final = 300
MOST_SIMULATED: Final = 4000
"""Runs of one arm beyond which a design is not simulated."""

SEED: Final = 7


@unique
class Assumed(StrEnum):
    """What a plan takes for granted."""

    TWO_ARMS = "the variance of the difference is that of the two arms"
    SAME_TASKS_HARD = "the next candidate finds the same tasks hard: what tasks differ by is taken as 0"
    ONE_RUN_EACH = "no task was repeated: every run counts as if it were of a task of its own"


class Design(Struct, frozen=True, kw_only=True):
    """So many tasks with so many runs of each on both arms.

    Attributes:
        runs: Of each task and arm.
        tasks: That show the difference; None where a million do not.
        smallest: What the tasks of now would show with so many runs.
        usd: Cost of all runs at the data's mean cost; None where none is recorded.
        hours: Their time, one after another; None where none is recorded.
    """

    runs: int
    tasks: int | None
    smallest: float
    usd: float | None
    hours: float | None

    def to_json(self) -> dict[str, Any]:
        """As it stands in the record."""
        return {name: getattr(self, name) for name in ("runs", "tasks", "smallest", "usd", "hours")}


class ComparisonPlan(Struct, frozen=True, kw_only=True):
    """What it takes to show a difference.

    Attributes:
        detect: The difference, in the metric's unit.
        power: How often it is to be shown.
        arms: One, or the two whose difference was looked at.
        tasks: Tasks of now, that both arms have known runs of.
        parts: What tasks and what repetitions add to the variance of one task's difference.
        floor: What endless runs of the tasks of now would show.
        assumed: What is taken for granted.
        designs: By runs of a task; one alone where no task was repeated.
        best: The design that costs least; the fewest runs where no cost is known; None where none shows it.
        simulated: Share of simulated experiments of that design that show it; None where it was not tried.
        stability: Of each arm.
    """

    detect: float
    power: float
    arms: tuple[str, ...]
    unit: str
    tasks: int
    parts: DifferenceVariance
    floor: float
    assumed: Assumed
    designs: tuple[Design, ...]
    best: Design | None
    simulated: float | None
    stability: tuple[Stability, ...]

    def to_json(self) -> dict[str, Any]:
        """The record (``assay.plan/1``)."""
        return {
            "schema": SCHEMA,
            "detect": self.detect,
            "power": self.power,
            "arms": list(self.arms),
            "unit": self.unit,
            "tasks": self.tasks,
            "variance": {"of_task": self.parts.of_task, "of_repetition": self.parts.of_repetition},
            "floor": self.floor,
            "assumed": str(self.assumed),
            "designs": [design.to_json() for design in self.designs],
            "best": None if self.best is None else self.best.to_json(),
            "simulated_power": self.simulated,
            "stability": [each.to_json() for each in self.stability],
        }


def planned_from(
    side: MeasuredExperiment, estimates: Sequence[Estimate], detect: float, power: float = 0.8
) -> ComparisonPlan:
    """Plan a comparison from runs that are there.

    Args:
        side: The experiment, measured with `REP` as a slice.
        estimates: Of one arm, or of two.
        detect: The difference that is to be shown, above 0, in the metric's unit.
        power: One of `POWERS`.

    Raises:
        InputError: Fewer than 8 tasks are known; the difference or the power is none.
    """
    where = side.report.experiment
    if power not in POWERS:
        have = ", ".join(f"{each:g}" for each in POWERS)
        raise InputError(f"expected a power of {have}, got {power:g}", where=where)
    if detect <= 0.0:
        raise InputError(f"expected a difference above 0, got {detect:g}", where=where)
    groups = [side.runs(e) for e in estimates]
    known = [group.by_task() for group in groups]
    common = [task for task in known[0] if all(task in each for each in known)]
    if len(common) < FEWEST:
        raise InputError(f"{len(common)} tasks are known, {FEWEST} are needed", where=where)
    arms = [[each[task] for task in common] for each in known]
    parts, assumed = _parts(arms)
    quantile = POWERS[power]
    tries = (1,) if assumed is Assumed.ONE_RUN_EACH else REPETITIONS
    usd, hours = (_mean_of_run(side, estimates, metric) for metric in (COST, LATENCY))
    designs = tuple(_design(parts, runs, len(common), detect, quantile, usd, hours) for runs in tries)
    best = min((d for d in designs if d.tasks is not None), key=_price, default=None)
    return ComparisonPlan(
        detect=detect,
        power=power,
        arms=tuple(_name(e) for e in estimates),
        unit=estimates[0].unit,
        tasks=len(common),
        parts=parts,
        floor=parts.smallest(len(common), None, quantile=quantile),
        assumed=assumed,
        designs=designs,
        best=best,
        simulated=None if best is None else _tried(arms, parts, best, detect),
        stability=tuple(of_arm(side, e, group, _name(e)) for e, group in zip(estimates, groups, strict=True)),
    )


def _name(e: Estimate) -> str:
    return ", ".join(value for _, value in e.group)


def _parts(arms: Sequence[Sequence[Sequence[float]]]) -> tuple[DifferenceVariance, Assumed]:
    if len(arms) == 2:
        found = DifferenceVariance.of(*arms)
        if found is not None:
            return found, Assumed.TWO_ARMS
        means = [task_difference(a, b) for a, b in zip(*arms, strict=True)]
        return DifferenceVariance(0.0, _variance(means)), Assumed.ONE_RUN_EACH
    within = within_tasks(arms[0])
    if within is None:
        means = [task_mean(task) for task in arms[0]]
        return DifferenceVariance(0.0, 2 * _variance(means)), Assumed.ONE_RUN_EACH
    return DifferenceVariance(0.0, 2 * within), Assumed.SAME_TASKS_HARD


def _variance(values: Sequence[float]) -> float:
    mean = fsum(values) / len(values)
    return fsum((value - mean) * (value - mean) for value in values) / (len(values) - 1)


def _design(
    parts: DifferenceVariance,
    runs: int,
    now: int,
    detect: float,
    quantile: float,
    usd: float | None,
    seconds: float | None,
) -> Design:
    tasks = tasks_to_detect(detect, parts.with_runs(runs), quantile=quantile)
    whole = None if tasks is None else 2 * runs * tasks
    return Design(
        runs=runs,
        tasks=tasks,
        smallest=parts.smallest(now, runs, quantile=quantile),
        usd=None if usd is None or whole is None else usd * whole,
        hours=None if seconds is None or whole is None else seconds * whole / 3600,
    )


def _price(design: Design) -> tuple[float, int]:
    tasks = design.tasks or 0
    return (design.usd if design.usd is not None else float(design.runs * tasks), tasks)


def _mean_of_run(side: MeasuredExperiment, estimates: Sequence[Estimate], metric: str) -> float | None:
    """Mean over the known runs of all arms; None where one of them has none."""
    totals: list[tuple[float, int]] = []
    for e in estimates:
        found = context_of((side, e), metric)
        values = [] if found is None else [v for _, _, (v, _, _) in side.runs(found).runs()]
        if not values:
            return None
        totals.append((fsum(values), len(values)))
    return fsum(total for total, _ in totals) / sum(n for _, n in totals)


def _tried(
    arms: Sequence[Sequence[Sequence[float]]], parts: DifferenceVariance, design: Design, detect: float
) -> float | None:
    """How often the paired rule shows the difference in simulated experiments of a design.

    Tasks are drawn from those of now, each with its own rates, drawn together as far as they differ by
    chance; the two arms then differ by what is to be shown. Only of verdicts that are true or false.
    """
    tasks, runs = design.tasks or 0, design.runs
    binary = all(x in (0.0, 1.0) for arm in arms for task in arm for x in task)
    if tasks * runs > MOST_SIMULATED or not binary:
        return None
    draw = random.Random(SEED)
    pairs = _rates(arms, parts, detect)
    shown = 0
    for _ in range(TRIALS):
        chosen = [pairs[draw.randrange(len(pairs))] for _ in range(tasks)]
        found = _compared([(_passes(draw, a, runs), _passes(draw, b, runs)) for a, b in chosen], runs)
        shown += found.interval.lo is not None and found.interval.lo > 0.0
    return shown / TRIALS


def _passes(draw: random.Random, rate: float, runs: int) -> int:
    return sum(draw.random() < rate for _ in range(runs))


def _compared(passes: Sequence[tuple[int, int]], runs: int) -> Difference:
    """Candidate less baseline."""
    if runs == 1:
        better = sum(b > a for a, b in passes)
        return paired_binary(better, sum(b < a for a, b in passes), len(passes))
    return paired_t([(b - a) / runs for a, b in passes])


def _rates(
    arms: Sequence[Sequence[Sequence[float]]], parts: DifferenceVariance, detect: float
) -> list[tuple[float, float]]:
    """True rates of each task, baseline and candidate, that differ by ``detect`` on average."""
    levels = [fsum(task_mean(arm[at]) for arm in arms) / len(arms) for at in range(len(arms[0]))]
    within = fsum(within_tasks(arm) or 0.0 for arm in arms) / len(arms)
    tries = fsum(len(task) for arm in arms for task in arm) / sum(map(len, arms))
    levels = _shrunk(levels, max(0.0, _variance(levels) - within / (tries * len(arms))))
    apart = [0.0] * len(levels)
    if len(arms) == 2:
        apart = [task_difference(b, a) for a, b in zip(*arms, strict=True)]
        apart = _shrunk(apart, parts.of_task)
        middle = fsum(apart) / len(apart)
        apart = [each - middle for each in apart]
    shift = detect
    pairs: list[tuple[float, float]] = []
    for _ in range(20):
        pairs = [
            (_unit(level - (gap + shift) / 2), _unit(level + (gap + shift) / 2))
            for level, gap in zip(levels, apart, strict=True)
        ]
        reached = fsum(b - a for a, b in pairs) / len(pairs)
        shift += detect - reached
    return pairs


def _shrunk(values: Sequence[float], variance: float) -> list[float]:
    """The same values drawn together to a variance, which is that without chance."""
    seen = _variance(values)
    factor = sqrt(min(1.0, variance / seen)) if seen > 0.0 else 0.0
    mean = fsum(values) / len(values)
    return [mean + factor * (value - mean) for value in values]


def _unit(value: float) -> float:
    return min(1.0, max(0.0, value))
