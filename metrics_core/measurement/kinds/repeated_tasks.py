"""pass^k and pass@k of tasks that were repeated: per task first, then the mean over tasks, by cluster.

Works on the runs of another metric: a run passed where it counts fully (n = N). A task of two arms is two
tasks, and one cluster. The value is of the tasks with k known runs or more, its bounds are of every task;
what is left out is told. The formulas are in `metrics_core.statistics.pass_at_k`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from metrics_core.measurement.estimators import OUTER, of_clusters, of_tasks
from metrics_core.measurement.family import Metric
from metrics_core.measurement.grouping import RunGroup, TaskRuns, majority
from metrics_core.results import (
    MIN_KNOWN,
    Estimate,
    Headline,
    Interval,
    Keys,
    LeftOut,
    NeverRecorded,
    NoInterval,
)
from metrics_core.statistics import OverTasks, over_tasks, pass_at_k, pass_hat_k

if TYPE_CHECKING:
    from metrics_core.memo import Memo

MOST_TRIES = 10
"""Largest k that is given: beyond it, few logs hold enough tries of any task."""

MOST_NAMED = 5
"""Tasks that are left out and named; of more only the number is told."""

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
        if (most := max((len(place.values) for place in run_group.places()), default=0)) > 1
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
    tasks = list(_tasks(run_group))
    homes = [place.cluster for place, _ in tasks]
    tries = [(len(place.values), passed) for place, passed in tasks]
    found = over_tasks(formula, tries, _planned(tasks, k), k, homes, key=cluster)
    told = {**of_tasks(e, [place for place, _ in tasks], cluster, memo), "by_task": None}
    if found is None:
        return replace(e, **told)
    few = [_name(tasks[at][0].task, e) for at in found.left_out]
    e = replace(
        e,
        **told,
        left_out=LeftOut(len(few), tuple(few) if len(few) <= MOST_NAMED else ()) if few else None,
        never_recorded=_never(tasks, found),
    )
    by_cluster: dict[str, list[float]] = {}
    for place, passed in tasks:
        if len(place.values) >= k:
            by_cluster.setdefault(place.cluster, []).append(formula(len(place.values), passed, k))
    values = [value for each in by_cluster.values() for value in each]
    if not values:
        return e
    ones, size = sum(value == 1 for value in values), len(values)
    if e.known < MIN_KNOWN:
        return replace(e, n=ones, N=size, interval=Interval.none(NoInterval.TOO_FEW), headline="counts")
    inside = memo(of_clusters, list(by_cluster.values()), cluster, size)
    lead: Headline = "bounds" if e.mostly_bounds else "point"
    return replace(
        e,
        interval=inside.interval,
        design_effect=inside.design_effect,
        icc=inside.icc,
        value=found.value,
        n=ones,
        N=size,
        bounds=found.bounds,
        headline="counts" if size < MIN_KNOWN else lead,
        also=((OUTER, found.outer), *inside.beside),
    )


def _planned(tasks: Sequence[tuple[TaskRuns, int]], k: int) -> int:
    """Tries planned for a task: as many as over half of the tasks have, no fewer than are missing of any."""
    wanted = [place.attempts + place.never_recorded for place, _ in tasks]
    holed = [n for n, (place, _) in zip(wanted, tasks, strict=True) if n > len(place.values)]
    return max([k, majority(wanted) or 1, *holed])


def _never(tasks: Sequence[tuple[TaskRuns, int]], found: OverTasks) -> NeverRecorded | None:
    """Runs that were never recorded: the bounds over all tasks hold these, too."""
    runs = sum(place.never_recorded for place, _ in tasks)
    return NeverRecorded(runs, found.bounds, found.outer) if runs else None


def _name(task: str, e: Estimate) -> str:
    """A task's name; of which arm, where the estimate is of several."""
    arm, _, name = task.rpartition("\n")
    return name if not arm or "model" in e.group.names else f"{name} ({arm})"


def _tasks(run_group: RunGroup) -> Iterator[tuple[TaskRuns, int]]:
    """Every task and how many of its known runs passed, in order of their names."""
    for place in run_group.places():
        if place.of_task:
            outcomes = run_group.values.get(place.cluster, {}).get(place.task)
            yield place, sum(n for (_, m, N), n in outcomes.items() if m == N) if outcomes else 0


KINDS: dict[str, Callable[[Metric, RunGroup, Estimate, str, Memo], Estimate]] = {
    "all of k": all_of_k,
    "any of k": any_of_k,
}
