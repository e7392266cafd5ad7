"""The difference of two sides of runs: what each brings to it, and what becomes of it in the worst case.

What a side brings to a difference, such as the mean of each of its tasks, is counted once for all the pairs
that it stands in (`ArmRuns`). `difference` chooses among the paired and unpaired statistics of
`metrics_core.statistics`. Does not: know which pairs there are, or separate anything; `pairs_of_arms` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import fsum
from typing import Final, Literal, NamedTuple

from metrics_core.measurement.grouping import RunGroup, refill
from metrics_core.results import (
    MIN_IN_COMMON,
    MIN_KNOWN,
    Difference,
    FewInCommon,
    Interval,
    NoInterval,
    SmallestDifference,
    State,
)
from metrics_core.statistics import (
    LAST_BITS,
    ClusterSums,
    Frequencies,
    Values,
    paired_binary,
    paired_t,
    smallest_difference,
    task_moments,
    unpaired_binary,
    unpaired_means,
)

NOT_KNOWN: Final[tuple[State, ...]] = ("unknown", "invalid", "error")
"""Every state of a run that is not known."""


class TaskValues(NamedTuple):
    """The known runs of one task of a side, their mean, and how far from 0 the farthest of them lies."""

    values: Frequencies
    mean: float
    largest: float


class ArmRuns:
    """The runs of one side of a comparison, each sum over them made when it is first asked for.

    Args:
        run_group: The runs; they are not changed while this is used.
    """

    def __init__(self, run_group: RunGroup) -> None:
        self.run_group = run_group
        self._filled: dict[float, ArmRuns] = {}

    @cached_property
    def known(self) -> int:
        """Runs with a known value."""
        return self.run_group.known

    @cached_property
    def tasks(self) -> dict[str, TaskValues]:
        """Known runs of each task, in order of the tasks' names."""
        return {
            task: TaskValues(runs, runs.mean, max(abs(value) for value, _ in runs.counts))
            for task, runs in self.run_group.counted_by_task().items()
        }

    @cached_property
    def clusters(self) -> ClusterSums:
        """What its clusters add up to."""
        return ClusterSums.of(self.run_group.by_cluster())

    @cached_property
    def verdicts(self) -> bool:
        """Every known value is 0 or 1."""
        return {value for value, _, _ in self._values} <= {0.0, 1.0}

    @cached_property
    def in_unit(self) -> bool:
        """Every known value lies in 0..1."""
        return all(0 <= value <= 1 for value, _, _ in self._values)

    @cached_property
    def _values(self) -> set[tuple[float, int, int]]:
        return {value for value, _ in self.run_group.counted()}

    def common(self, other: ArmRuns) -> list[str]:
        """The tasks that both ran, in order of their names."""
        return [task for task in self.tasks if task in other.tasks]

    def homes(self, tasks: Sequence[str]) -> list[str]:
        """The cluster of each task."""
        return [self.run_group.home.get(task, task) for task in tasks]

    def filled(self, value: float) -> ArmRuns:
        """The same side with everything that is not known taken for this value."""
        if value not in self._filled:
            self._filled[value] = ArmRuns(refill(self.run_group, NOT_KNOWN, value))
        return self._filled[value]


def difference(a: RunGroup, b: RunGroup, cluster: str) -> Difference:
    """The difference a - b of two groups of runs.

    One verdict a task and side, and tasks that are independent: Bonett-Price and mid-p McNemar. Fractions,
    repeats, or clusters of several tasks: t on per-task mean differences, clusters kept whole. No task in
    common: unpaired, and labelled so. Fewer than 8 tasks in common are no pair, and fewer than 8 known runs
    on a side give none.

    Args:
        a: Runs of the first side.
        b: Of the second.
        cluster: The key within which tasks err together, for the caption.

    Returns:
        In the metric's unit; ``paired_on`` counts the tasks in common, and is None where there is no pair.

    >>> from collections import Counter
    >>> passed, failed = ({t: {t: Counter({(x, int(x), 1): 1})} for t in "abcdefgh"} for x in (1.0, 0.0))
    >>> found = difference(RunGroup(passed), RunGroup(failed), "scenario")
    >>> found.value, found.paired_on, str(found.method)
    (1.0, 8, 'bonett-price')
    """
    return difference_of(ArmRuns(a), ArmRuns(b), cluster)


def difference_of(a: ArmRuns, b: ArmRuns, cluster: str) -> Difference:
    """`difference` of two sides, each of which may stand in other pairs, too.

    Args:
        a: The first side.
        b: The second.
        cluster: As in `difference`.
    """
    common = a.common(b)
    if min(a.known, b.known) < MIN_KNOWN:
        return _refused(NoInterval.TOO_FEW, len(common) or None, unpaired=not common)
    if not common:
        return _unpaired(a, b)
    if len(common) < MIN_IN_COMMON:
        return _refused(FewInCommon(len(common)), None)
    sides, homes = [(a.tasks[task], b.tasks[task]) for task in common], a.homes(common)
    if _single_verdicts(sides) and len(set(homes)) == len(common):
        only_a = sum(x.mean > y.mean for x, y in sides)
        return paired_binary(only_a, sum(x.mean < y.mean for x, y in sides), len(common))
    return paired_t([_apart(x, y) for x, y in sides], homes, key=cluster, limits=_limits(a, b))


def _single_verdicts(sides: Sequence[tuple[TaskValues, TaskValues]]) -> bool:
    """Whether each task was run once by either side, and comes to 0 or 1."""
    return all(
        len(x.values) == len(y.values) == 1 and x.mean in (0.0, 1.0) and y.mean in (0.0, 1.0)
        for x, y in sides
    )


def _apart(a: TaskValues, b: TaskValues) -> float:
    found = a.mean - b.mean
    return 0.0 if abs(found) <= LAST_BITS * max(a.largest, b.largest) else found


def task_mean(values: Sequence[float]) -> float:
    """Mean over the known runs of one task: what one side brings to a paired difference.

    Args:
        values: In the metric's unit, one or more, ascending.

    >>> task_mean([0.0, 1.0, 1.0, 1.0])
    0.75
    """
    return fsum(values) / len(values)


def task_difference(a: Sequence[float], b: Sequence[float]) -> float:
    """Mean of one side less mean of the other on one task; exactly 0 where they part only by rounding.

    Args:
        a: Values of the first side, as `task_mean` takes them.
        b: Of the second.

    >>> task_difference([0.1, 0.2, 0.3], [0.2, 0.2, 0.2]), task_difference([0.0, 1.0], [0.25])
    (0.0, 0.25)
    """
    return _apart(*(TaskValues(Frequencies(()), task_mean(each), max(map(abs, each))) for each in (a, b)))


def _refused(why: NoInterval | FewInCommon, common: int | None, *, unpaired: bool = False) -> Difference:
    return Difference(
        value=None, interval=Interval.none(why), p=None, test="none", paired_on=common, unpaired=unpaired
    )


def _unpaired(a: ArmRuns, b: ArmRuns) -> Difference:
    left, right = a.clusters, b.clusters
    if left.independent and right.independent and a.verdicts and b.verdicts:
        return unpaired_binary(int(a.run_group.total), left.count, int(b.run_group.total), right.count)
    return unpaired_means(left, right)


def _limits(a: ArmRuns, b: ArmRuns) -> tuple[float, float] | None:
    """What a difference can be: -1 to 1 for shares and fractions, anything for other scores."""
    return (-1.0, 1.0) if a.in_unit and b.in_unit else None


def shown_by(
    a: Sequence[Values], b: Sequence[Values], clusters: list[str], family: int, known: tuple[int, int]
) -> SmallestDifference:
    """The smallest difference that these tasks could have shown, by both rules.

    Args:
        a: Known values of the first arm, task by task.
        b: Of the second, the same tasks.
        clusters: The cluster of each task.
        family: Comparisons that Holm runs over.
        known: Known runs of either arm, also on tasks that the other did not run.

    >>> tasks = [[0.0, 1.0]] * 10 + [[1.0, 1.0]] * 10
    >>> shown_by(tasks, tasks[5:] + tasks[:5], list("abcdefghijklmnopqrst"), 3, (40, 40)).family
    3
    """
    return smallest_difference(task_moments(a, b, clusters), family=family, known=known)


def worst_case(
    a: RunGroup, b: RunGroup, found: Difference, cluster: str
) -> Literal["holds", "takes in 0", "reverses", "no bounds"]:
    """What becomes of a difference when everything that is not known goes against its leader.

    Args:
        a: Runs of the first side, those that are not known too.
        b: Of the second.
        found: Their difference.
        cluster: As in `difference`.

    Returns:
        ``reverses`` where its sign turns; ``takes in 0`` where only its interval, which left out 0, does no
        longer; ``no bounds`` where values lie outside 0..1, so that what is not known could be anything.

    Source: Manski 1989, Journal of Human Resources 24:343, for a difference of means on the same tasks.

    >>> from collections import Counter
    >>> passed, failed = ({t: {t: Counter({(x, int(x), 1): 1})} for t in "abcdefgh"} for x in (1.0, 0.0))
    >>> lost = {"i": Counter({("unknown", ""): 1})}
    >>> a = RunGroup(passed, lost=lost, home=dict(zip("abcdefghi", "abcdefghi")))
    >>> b = RunGroup(failed, home=dict(zip("abcdefgh", "abcdefgh")))
    >>> worst_case(a, b, difference(a, b, "scenario"), "scenario")
    'holds'
    """
    return worst_case_of(ArmRuns(a), ArmRuns(b), found, cluster)


def worst_case_of(
    a: ArmRuns, b: ArmRuns, found: Difference, cluster: str
) -> Literal["holds", "takes in 0", "reverses", "no bounds"]:
    """`worst_case` of two sides, each of which may stand in other pairs, too.

    Args:
        a: The first side.
        b: The second.
        found: Their difference.
        cluster: As in `difference`.
    """
    if not found.value or not (a.run_group.lost or b.run_group.lost):
        return "holds"
    if _limits(a, b) is None:
        return "no bounds"
    down = 0.0 if found.value > 0 else 1.0
    sides = a.filled(down), b.filled(1.0 - down)
    worst = _unpaired(*sides) if found.unpaired else difference_of(*sides, cluster)
    if worst.value is None or worst.value * found.value < 0:
        return "reverses"
    return "takes in 0" if _leaves_out_zero(found.interval) > _leaves_out_zero(worst.interval) else "holds"


def _leaves_out_zero(interval: Interval) -> bool:
    return interval.lo is not None and interval.hi is not None and not interval.lo <= 0.0 <= interval.hi
