"""How many tasks and repetitions a comparison needs, from assumed values or from the parts of a variance.

What one comparison of data could have shown is in `metrics_core.statistics.smallest_difference`; its rule of
80 % power holds here too.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, fsum, log, sqrt
from typing import Final

from msgspec import Struct

from metrics_core.results import Difference, Interval, Method, NoInterval, SmallestDifference
from metrics_core.statistics.clustered import icc_anova, square
from metrics_core.statistics.distributions import f_p_value, reach, t_quantile
from metrics_core.statistics.separation import has_one_each_way
from metrics_core.statistics.smallest_difference import ArmMoments, PairedMoments, smallest_difference
from metrics_core.statistics.t_table import POWER_REACH, Z_800, Z_975

FEWEST_TASKS: Final = 10
"""Fewer tasks than this say nothing of how variance is shared."""

_ROUNDING: Final = 1e-15

MOST_TASKS: Final = 1_000_000
"""More tasks than this are not looked for."""


def planned_difference(
    tasks: int,
    runs: int,
    *,
    means: tuple[float, float],
    variances: tuple[float, float],
    covariance: float,
    binary: bool,
    family: int = 1,
) -> SmallestDifference:
    """The smallest difference that a design could show, were these the true values.

    Args:
        tasks: Of both arms, 2 or more, independent.
        runs: Of each task and arm, 1 or more.
        means: True mean of either arm, 0 to 1.
        variances: Over tasks, of the mean of ``runs`` runs, of either arm.
        covariance: Over tasks, of these means.
        binary: Whether a run is true or false.
        family: Comparisons that Holm's adjustment runs over.

    Raises:
        ValueError: Fewer than two tasks, no run, or a mean outside 0..1.

    >>> found = planned_difference(40, 1, means=(0.8, 0.8), variances=(0.16, 0.16), covariance=0, binary=True)
    >>> found.paired, found.strict
    (0.3005, 0.3875)
    """
    if tasks < 2 or runs < 1 or not all(0.0 <= mean <= 1.0 for mean in means):
        raise ValueError(f"{tasks} tasks x {runs} at {means}: expected 2 or more, 1 or more, means of 0 to 1")
    a, b = (
        ArmMoments(mean=mean, variance=variance, known=tasks * runs, df=None if runs == 1 else tasks - 1)
        for mean, variance in zip(means, variances, strict=True)
    )
    moments = PairedMoments(
        a=a, b=b, covariance=covariance, tasks=tasks, df=tasks - 1, single=binary and runs == 1, seen=False
    )
    return smallest_difference(moments, family=family)


def tasks_to_detect(
    difference: float, variance: float, *, family: int = 1, quantile: float = Z_800
) -> int | None:
    """The fewest tasks whose paired t test shows a difference with 80 % power.

    Args:
        difference: To be shown, above 0.
        variance: Of one task's difference.
        family: Comparisons that Holm's adjustment runs over.
        quantile: The normal quantile of another power.

    Returns:
        Two or more; None where a million do not.

    Raises:
        ValueError: The difference is not above 0, or the variance below it.

    >>> tasks_to_detect(0.1, 0.2)
    159
    """
    if difference <= 0.0 or variance < 0.0:
        raise ValueError(f"a difference of {difference!r} with variance {variance!r}")

    def enough(tasks: int) -> bool:
        return reach(tasks - 1, family, quantile=quantile) * sqrt(variance / tasks) <= difference

    below, above = 1, 2
    while not enough(above):
        below, above = above, 2 * above
        if above > MOST_TASKS:
            return None
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (below, middle) if enough(middle) else (middle, above)
    return above


def variance_of_difference(d: Difference) -> float | None:
    """The variance of one task's difference, as its interval was made from it; None where there is none.

    >>> from metrics_core.statistics.differences import paired_binary
    >>> round(variance_of_difference(paired_binary(0, 0, 12)), 6)
    0.142857
    """
    if not d.standard_error or d.paired_on is None:
        return None
    return square(d.standard_error) * (d.paired_on + 2 * has_one_each_way(d))


def tasks_to_settle(margin: float, variance: float, truth: float = 0.0) -> int | None:
    """The fewest tasks that show with 80 % power that a candidate is not worse by more than a margin.

    Args:
        margin: By how much it may be worse, 0 or more, in the metric's unit.
        variance: Of one task's difference, above 0.
        truth: By how much it is better in truth, in the same unit.

    Returns:
        None where the truth is at the margin or beyond: then no number of tasks settles it.

    Source: the normal approximation, ``(z + z80)^2 V / (M + t)^2``.

    >>> tasks_to_settle(0.1, 0.25), tasks_to_settle(0.0, 0.25)
    (197, None)
    """
    if margin + truth <= 0.0:
        return None
    return max(2, ceil(square(POWER_REACH) * variance / square(margin + truth)))


def tasks_to_tell(
    value: float, limits: tuple[float, float], bound: float, tasks: int, *, ratio: bool = False
) -> int | None:
    """The fewest tasks that tell a value from a bound with 80 % power, were what was found the truth.

    Args:
        value: What was found on the tasks of now.
        limits: Its 95 % limits.
        bound: What it is held against.
        tasks: Tasks of now, each run as often as now.
        ratio: Whether it is a ratio: then its logarithm is what varies evenly.

    Returns:
        None where the value is the bound, or a ratio's limit or value is not above 0.

    Source: the standard error that the limits stand for, ``(hi - lo) / (2 z)``, which falls with the root of
    the number of tasks; then as `tasks_to_settle`.

    >>> tasks_to_tell(0.6, (0.46, 0.73), 0.5, 50), tasks_to_tell(0.5, (0.36, 0.64), 0.5, 50)
    (187, None)
    >>> tasks_to_tell(1.2, (0.9, 1.6), 1.25, 50, ratio=True)
    5074
    """
    lo, hi = limits
    if ratio:
        if min(lo, value, bound) <= 0.0:
            return None
        lo, hi, value, bound = log(lo), log(hi), log(value), log(bound)
    return tasks_to_settle(abs(bound - value), tasks * square((hi - lo) / (2 * Z_975)))


class DifferenceVariance(Struct, frozen=True):
    """The variance of one task's difference, in what repetitions can lessen and what they cannot.

    Attributes:
        of_task: Between tasks: how differently the two arms find them.
        of_repetition: Within tasks, of one run of each arm.

    Raises:
        ValueError: A part is below 0.
    """

    of_task: float
    of_repetition: float

    def __post_init__(self) -> None:
        if self.of_task < 0.0 or self.of_repetition < 0.0:
            raise ValueError(f"variances {self.of_task!r} and {self.of_repetition!r}")

    @classmethod
    def of(cls, a: Sequence[Sequence[float]], b: Sequence[Sequence[float]]) -> DifferenceVariance | None:
        """From the runs of two arms on the same tasks; None below two tasks, or where no task was repeated.

        Args:
            a: Known values of the first arm, task by task.
            b: The same of the second arm, the same tasks in the same order.

        >>> DifferenceVariance.of([[1, 1], [0, 1], [0, 0]], [[1, 0], [0, 1], [0, 0]])
        DifferenceVariance(of_task=0.0, of_repetition=0.5)
        """
        within = [within_tasks(arm) for arm in (a, b)]
        if len(a) < 2 or within[0] is None or within[1] is None:
            return None
        differences = [fsum(x) / len(x) - fsum(y) / len(y) for x, y in zip(a, b, strict=True)]
        mean = fsum(differences) / len(differences)
        variance = fsum(square(d - mean) for d in differences) / (len(differences) - 1)
        averaged = sum(
            part * fsum(1 / len(task) for task in arm) / len(arm)
            for part, arm in zip((within[0], within[1]), (a, b), strict=True)
        )
        return cls(max(0.0, variance - averaged), within[0] + within[1])

    def with_runs(self, runs: int) -> float:
        """The variance with so many runs a task and arm."""
        return self.of_task + self.of_repetition / runs

    def smallest(self, tasks: int, runs: int | None, *, family: int = 1, quantile: float = Z_800) -> float:
        """The smallest difference that the paired t test would show with 80 % power.

        Args:
            tasks: Two or more.
            runs: Of each task and arm; None for endless ones, the floor below which none help.
            family: Comparisons that Holm's adjustment runs over.
            quantile: The normal quantile of another power.

        >>> parts = DifferenceVariance(0.05, 0.3)
        >>> round(parts.smallest(50, 3), 6), round(parts.smallest(50, None), 6)
        (0.156545, 0.090381)
        """
        variance = self.of_task if runs is None else self.with_runs(runs)
        return reach(tasks - 1, family, quantile=quantile) * sqrt(variance / tasks)

    def runs_to_settle(self, margin: float, tasks: int, truth: float = 0.0) -> int | None:
        """The fewest runs a task and arm that show the same as `tasks_to_settle`, on the tasks there are.

        Args:
            margin: By how much the candidate may be worse.
            tasks: Two or more.
            truth: By how much it is better in truth.

        Returns:
            None where endless runs would not: what the tasks differ by is too much.

        >>> parts = DifferenceVariance(0.05, 0.3)
        >>> parts.runs_to_settle(0.1, 50), parts.runs_to_settle(0.05, 50)
        (22, None)
        """
        reached = tasks * square(max(0.0, margin + truth)) / square(POWER_REACH) - self.of_task
        return None if reached <= 0.0 else max(1, ceil(self.of_repetition / reached))


def within_tasks(arm: Sequence[Sequence[float]]) -> float | None:
    """Variance of one run of a task, pooled over tasks; None where no task was repeated.

    >>> within_tasks([[1, 0], [1, 1]]), within_tasks([[1], [0]])
    (0.25, None)
    """
    free = sum(len(task) - 1 for task in arm)
    if free < 1:
        return None
    means = [fsum(task) / len(task) for task in arm]
    return fsum(square(x - mean) for task, mean in zip(arm, means, strict=True) for x in task) / free


def task_share(arm: Sequence[Sequence[float]]) -> tuple[float | None, Interval]:
    """Which share of the variance of one run lies between tasks; the rest is what repetitions differ by.

    Args:
        arm: Known values, task by task, one or more each.

    Returns:
        The intraclass correlation of the one-way analysis of variance (Donner 1986, for unequal runs too),
        and its interval by the jackknife over tasks, cut to 0 to 1. Nothing below 10 tasks or without
        repetitions.

    Source: the jackknife, Arvesen 1969, Annals of Mathematical Statistics 40:2076: on verdicts the F
    interval, which is made for normal values, covers 0.62 to 0.95.

    >>> share, limits = task_share([[1, 1, 1], [1, 1, 1], [1, 1, 1], [0, 0, 1], [0, 1, 0], [0, 0, 0],
    ...     [1, 1, 1], [1, 1, 0], [0, 1, 1], [0, 1, 1], [0, 0, 0], [1, 0, 0]])
    >>> round(share, 6), limits.lo, round(limits.hi, 6)
    (0.346535, 0.0, 0.811606)
    """
    if len(arm) < FEWEST_TASKS:
        return None, Interval.none(NoInterval.FEWER_THAN_10_TASKS, method=Method.JACKKNIFE)
    whole = icc_anova(arm)
    if whole is None:
        return None, Interval.none(NoInterval.NO_REPEATED_TASK, method=Method.JACKKNIFE)
    tasks = len(arm)
    without = [icc_anova([*arm[:at], *arm[at + 1 :]]) for at in range(tasks)]
    values = [tasks * whole - (tasks - 1) * each for each in without if each is not None]
    if len(values) < tasks:
        return whole, Interval.none(NoInterval.CLUSTERS_AGREE, method=Method.JACKKNIFE)
    mean = fsum(values) / tasks
    error = sqrt(fsum(square(value - mean) for value in values) / (tasks - 1) / tasks)
    lo, hi = (min(1.0, max(0.0, whole + sign * t_quantile(tasks - 1) * error)) for sign in (-1.0, 1.0))
    if not lo < hi:
        return whole, Interval.none(NoInterval.CLUSTERS_AGREE, method=Method.JACKKNIFE)
    return whole, Interval(lo=lo, hi=hi, method=Method.JACKKNIFE)


def repetition_shock(table: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """Whether a whole repetition was lower or higher than the others: F of a two-way table, and its p.

    It means something only where a repetition was run together.

    Args:
        table: A row a task, a column a repetition, every value known.

    Returns:
        F and p; None below two tasks or repetitions, or where nothing is left to compare with.

    Source: two-way analysis of variance without replication; on verdicts 4.5 to 5.2 % false alarms.

    >>> found = repetition_shock([[1, 1, 1], [1, 1, 1], [1, 1, 1], [0, 0, 1], [0, 1, 0], [0, 0, 0],
    ...     [1, 1, 1], [1, 1, 0], [0, 1, 1], [0, 1, 1], [0, 0, 0], [1, 0, 0]])
    >>> round(found[0], 9), round(found[1], 9)
    (0.47826087, 0.626155987)
    """
    tasks, runs = len(table), len(table[0]) if table else 0
    if tasks < 2 or runs < 2:
        return None
    whole = fsum(x for row in table for x in row) / (tasks * runs)
    of_task = [fsum(row) / runs for row in table]
    of_run = [fsum(column) / tasks for column in zip(*table, strict=True)]
    between = tasks * fsum(square(mean - whole) for mean in of_run)
    left = fsum(
        square(x - task - run + whole)
        for row, task in zip(table, of_task, strict=True)
        for x, run in zip(row, of_run, strict=True)
    )
    df1, df2 = runs - 1, (runs - 1) * (tasks - 1)
    if left <= _ROUNDING * tasks * runs:
        return None
    statistic = (between / df1) / (left / df2)
    return statistic, f_p_value(statistic, df1, df2)
