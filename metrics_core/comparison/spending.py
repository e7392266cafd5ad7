"""What two arms take beside each other: mean cost on the same tasks, and the 95th percentile of latency."""

from __future__ import annotations

from collections.abc import Iterable

from metrics_core.comparison.measured_experiment import MeasuredExperiment
from metrics_core.measurement import RunGroup, task_mean
from metrics_core.results import Estimate, Keys, Ratio, first_unlike
from metrics_core.statistics import cost_ratio, tail_quantile, tail_ratio

COST = "cost"
LATENCY = "latency"

Side = tuple[MeasuredExperiment, Estimate]
"""Whose arm, and its estimate on what is compared."""


def context_of(side: Side, metric: str) -> Estimate | None:
    """The estimate of what an arm's runs took, under the conditions of another of its estimates.

    Args:
        side: The arm and an estimate of it.
        metric: ``cost`` or ``latency``.

    Returns:
        None where nothing of the sort is recorded, or several strata fit.
    """
    whole, e = side
    found = [
        x
        for x in whole.report.estimates
        if x.metric == metric
        and x.family == e.family
        and x.group == e.group
        and x.withheld is None
        and _agree(x.stratum.without("prices"), e.stratum)
    ]
    return found[0] if len(found) == 1 else None


def _agree(conditions: Keys, stratum: Keys) -> bool:
    return all(stratum.get(key, value) == value for key, value in conditions)


def spent(a: Side, b: Side) -> Ratio | None:
    """The candidate's mean cost over the baseline's, on the tasks of which both are known.

    Args:
        a: The baseline.
        b: The candidate.

    Returns:
        None where one of them records no cost, or the two are priced by different tables.
    """
    found = _both(a, b, COST)
    if found is None:
        return None
    left, right = found
    mine, theirs = left.by_task(), right.by_task()
    common = [task for task in mine if task in theirs]
    means = [[task_mean(side[task]) for task in common] for side in (mine, theirs)]
    value, interval = cost_ratio(*means)
    return Ratio(
        metric=COST,
        unit="USD",
        value=value,
        interval=interval,
        a=task_mean(sorted(means[0])) if common else None,
        b=task_mean(sorted(means[1])) if common else None,
        tasks=len(common),
        runs=(_runs(mine[task] for task in common), _runs(theirs[task] for task in common)),
        not_known=(_lost(left), _lost(right)),
    )


def slowest(a: Side, b: Side) -> Ratio | None:
    """The candidate's 95th percentile of latency over the baseline's, each over all its known runs.

    Args:
        a: The baseline.
        b: The candidate.

    Returns:
        None where one of them records no time.
    """
    found = _both(a, b, LATENCY)
    if found is None:
        return None
    left, right = (list(group.by_task().values()) for group in found)
    first, second = tail_quantile(left), tail_quantile(right)
    value, interval = tail_ratio(first, second)
    return Ratio(
        metric=LATENCY,
        unit="s",
        value=value,
        interval=interval,
        a=None if first is None else first.point,
        b=None if second is None else second.point,
        tasks=min(len(left), len(right)),
        runs=(_runs(left), _runs(right)),
        not_known=(_lost(found[0]), _lost(found[1])),
    )


def _both(a: Side, b: Side, metric: str) -> tuple[RunGroup, RunGroup] | None:
    left, right = context_of(a, metric), context_of(b, metric)
    if left is None or right is None or first_unlike(left, right) is not None:
        return None
    groups = a[0].runs(left), b[0].runs(right)
    return groups if all(group.known for group in groups) else None


def _runs(tasks: Iterable[list[float]]) -> int:
    return sum(map(len, tasks))


def _lost(group: RunGroup) -> int:
    return sum(n for lost in group.lost.values() for n in lost.values())
