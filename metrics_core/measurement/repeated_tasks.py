"""pass^k and pass@k of tasks that were repeated: per task first, then the mean over tasks, by cluster.

Works on the runs of another metric: a run passed where it counts fully (n = N). A task of two arms is two
tasks, and one cluster. The formulas are in `metrics_core.statistics.pass_at_k`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from math import fsum
from typing import TYPE_CHECKING

from metrics_core.measurement.estimators import clustered, reported_intervals
from metrics_core.measurement.family import Metric
from metrics_core.measurement.grouping import RunGroup
from metrics_core.results import MIN_KNOWN, Estimate, Interval, Keys, NoInterval
from metrics_core.statistics import pass_at_k, pass_hat_k

if TYPE_CHECKING:
    from metrics_core.memo import Memo

MOST_TRIES = 10
"""Largest k that is given: beyond it, few logs hold enough tries of any task."""

Formula = Callable[[int, int, int], float]


def by_k(run_groups: Mapping[tuple[Keys, Keys], RunGroup]) -> dict[tuple[Keys, Keys], RunGroup]:
    """The same runs under each k that some task was tried often enough for.

    Args:
        run_groups: (stratum, group) -> runs, a task of each arm by itself.

    Returns:
        (stratum, group with ``k``) -> the same runs; nothing where no task has two known runs.
    """
    return {
        (stratum, group | {"k": str(k)}): run_group
        for (stratum, group), run_group in run_groups.items()
        if (most := max((tries for _, tries, _ in _tasks(run_group)), default=0)) > 1
        for k in range(1, min(most, MOST_TRIES) + 1)
    }


def all_of_k(metric: Metric, run_group: RunGroup, e: Estimate, cluster: str, memo: Memo) -> Estimate:
    """pass^k: N counts tasks with k known runs or more, n those of them in which every known run passed."""
    return _mean_over_tasks(pass_hat_k, run_group, e, cluster, memo)


def any_of_k(metric: Metric, run_group: RunGroup, e: Estimate, cluster: str, memo: Memo) -> Estimate:
    """pass@k: N counts tasks with k known runs or more, n those that any k of their runs pass for certain."""
    return _mean_over_tasks(pass_at_k, run_group, e, cluster, memo)


def _mean_over_tasks(
    formula: Formula, run_group: RunGroup, e: Estimate, cluster: str, memo: Memo
) -> Estimate:
    k = int(e.group["k"])
    clusters: dict[str, list[float]] = {}
    for name, tries, passed in _tasks(run_group):
        if tries >= k:
            clusters.setdefault(name, []).append(formula(tries, passed, k))
    by_cluster = list(clusters.values())
    values = [value for inside in by_cluster for value in inside]
    if not values:
        return e
    counted = replace(e, n=sum(value == 1 for value in values), N=len(values), headline="counts")
    if e.known < MIN_KNOWN:
        return replace(counted, interval=Interval.none(NoInterval.TOO_FEW))
    return replace(
        clustered(counted, by_cluster, cluster, memo, known=len(values)),
        value=fsum(values) / len(values),
        headline="counts" if len(values) < MIN_KNOWN else "point",
        also=memo(reported_intervals, by_cluster, cluster, len(values)),
    )


def _tasks(run_group: RunGroup) -> Iterator[tuple[str, int, int]]:
    """Cluster, known runs and runs that passed, of each task, in order of their names."""
    for cluster, tasks in sorted(run_group.values.items()):
        for _, counted in sorted(tasks.items()):
            tries, passed = Counter(counted).total(), sum(n for (_, m, N), n in counted.items() if m == N)
            if tries:
                yield cluster, tries, passed


KINDS: dict[str, Callable[[Metric, RunGroup, Estimate, str, Memo], Estimate]] = {
    "all of k": all_of_k,
    "any of k": any_of_k,
}
