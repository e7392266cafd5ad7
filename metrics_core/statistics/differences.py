"""Differences and ratios between two sides: on the same tasks (paired), or on different ones, labelled so.

Same tasks. Binary verdicts, one run a side: Bonett-Price and mid-p McNemar. Fractions or repeats: t on
per-task mean differences. Different tasks. Binary verdicts: Newcombe and mid-p Fisher. Means of 0..1 values,
with or without clusters: Newcombe's construction on Wilson limits with effective n. Only + - * / and sqrt on
floats, and exact integers. Where both sides ran the same tasks, the paired ones know more. The ratio of
mean costs on the same tasks is Fieller's.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from typing import Final

from msgspec.structs import replace

from metrics_core.results import FEW_CLUSTERS, Difference, Interval, Method, NoInterval
from metrics_core.statistics.clustered import (
    degrees_of_freedom,
    effective_clusters,
    effective_n,
    square,
    standard_error,
)
from metrics_core.statistics.distributions import t_p_value, t_quantile
from metrics_core.statistics.exact_tests import fisher_midp, mcnemar_midp
from metrics_core.statistics.frequencies import Clusters, ClusterSums, sums
from metrics_core.statistics.proportions import wilson_limits
from metrics_core.statistics.t_table import Z_975

LAST_BITS: Final = 1e-12
"""Sums that differ by no more than this share of their largest term differ in how they were rounded."""


def bonett_price(only_a: int, only_b: int, tasks: int) -> Interval:
    """Interval for the difference of two shares of the same tasks, one run a side.

    Args:
        only_a: Tasks that the first side alone solved.
        only_b: Tasks that the second side alone solved.
        tasks: All tasks that both ran.

    Returns:
        Limits in -1..1; none without tasks.

    Raises:
        ValueError: The discordant tasks are more than all tasks.

    Source: Bonett and Price 2012, JEBS 37:479: Wald on counts with one task added each way.

    >>> limits = bonett_price(9, 2, 61)
    >>> round(limits.lo, 12), round(limits.hi, 12)
    (0.002347747668, 0.219874474555)
    """
    if only_a < 0 or only_b < 0 or only_a + only_b > tasks:
        raise ValueError(f"{only_a} + {only_b} discordant of {tasks} tasks")
    if tasks == 0:
        return Interval.none(NoInterval.NO_TASKS_IN_COMMON, method=Method.BONETT_PRICE)
    centre, error = _with_one_each_way(float(only_a - only_b), float(only_a + only_b), tasks)
    return _around(centre, Z_975 * error, Method.BONETT_PRICE)


def paired_binary(only_a: int, only_b: int, tasks: int) -> Difference:
    """Two sides on the same tasks, one true or false verdict each: Bonett-Price and mid-p McNemar.

    Args:
        only_a: Tasks that the first side alone solved.
        only_b: Tasks that the second side alone solved.
        tasks: All tasks that both ran.

    >>> difference = paired_binary(9, 2, 61)
    >>> difference.p, difference.discordant
    (0.03857421875, 11)
    """
    interval = bonett_price(only_a, only_b, tasks)
    if tasks == 0:
        return Difference(value=None, interval=interval, p=None, test="mcnemar mid-p", paired_on=0)
    error = _with_one_each_way(float(only_a - only_b), float(only_a + only_b), tasks)[1]
    return Difference(
        value=(only_a - only_b) / tasks,
        interval=interval,
        p=mcnemar_midp(only_a, only_b),
        test="mcnemar mid-p",
        paired_on=tasks,
        discordant=only_a + only_b,
        standard_error=error,
    )


def paired_t(
    differences: Sequence[float],
    clusters: Sequence[str] | None = None,
    *,
    key: str | None = None,
    limits: tuple[float, float] | None = (-1.0, 1.0),
) -> Difference:
    """Two sides on the same tasks, with fractions or repeats: t on per-task mean differences.

    Args:
        differences: First less second, the mean of each task.
        clusters: The cluster of each task; they are kept whole, and df = clusters - 1, or that of the
            effective clusters where a few hold most tasks (`degrees_of_freedom`).
        key: What the clusters are, for the caption.
        limits: What a difference can be; None where there is no limit (money, seconds).

    Returns:
        Where all tasks differ alike, but for the last bits of their means, there is no spread for t: then,
        within limits, Bonett-Price's one pseudo-task each way makes the interval and a sign test the
        p-value. No interval below two tasks or clusters.

    Raises:
        ValueError: A difference is beyond the limits, or not every one has its cluster.

    Source: Student 1908; clusters by CR1, Cameron and Miller 2015.

    >>> result = paired_t([0.2, -0.1, 0.4, 0, 0.3, 0.1, -0.2, 0.5, 0.25, 0.15])
    >>> round(result.p, 12), round(result.interval.lo, 12)
    (0.045675201234, 0.003818292879)
    """
    s = _by_cluster(differences, clusters)
    if limits is not None and any(not limits[0] <= d <= limits[1] for d in differences):
        raise ValueError(f"a difference beyond {limits[0]} to {limits[1]}")
    tasks, value, error = len(differences), (s.mean if differences else None), standard_error(s)
    if value is None or error is None:
        absent = NoInterval.FEWER_THAN_2_TASKS if tasks < 2 else NoInterval.SINGLE_CLUSTER
        none = Interval.none(absent, method=Method.PAIRED_T)
        return Difference(value=value, interval=none, p=None, test="t", paired_on=tasks)
    if error <= LAST_BITS * max(map(abs, differences)):
        return _all_alike(value, tasks, s.count, limits)
    df = degrees_of_freedom(s.sizes)
    interval = _around(value, t_quantile(df) * error, Method.PAIRED_T, limits)
    if not s.independent:
        worth = effective_clusters(s.sizes) if s.unequal else None
        interval = replace(
            interval,
            method=Method.PAIRED_T_ON_EFFECTIVE_CLUSTERS if s.unequal else Method.PAIRED_T_ON_CLUSTERS,
            cluster=key,
            clusters=s.count,
            effective_clusters=worth,
            few=(s.count if worth is None else worth) < FEW_CLUSTERS,
        )
    return Difference(
        value=value,
        interval=interval,
        p=t_p_value(value / error, df),
        test="t",
        paired_on=tasks,
        standard_error=error,
    )


def newcombe(n1: int, N1: int, n2: int, N2: int) -> Interval:
    """Interval for the difference of two independent shares, from their Wilson limits.

    Args:
        n1: Successes of the first side, 0 to N1.
        N1: Known verdicts of the first side.
        n2: Successes of the second side, 0 to N2.
        N2: Known verdicts of the second side.

    Returns:
        Limits in -1..1; none where a side has no known verdict.

    Raises:
        ValueError: An n is not within 0..N.

    Source: Newcombe 1998, Statistics in Medicine 17:873, method 10.

    >>> limits = newcombe(56, 70, 48, 80)
    >>> round(limits.lo, 12), round(limits.hi, 12)
    (0.052431472402, 0.333872654037)
    """
    if not (0 <= n1 <= N1 and 0 <= n2 <= N2):
        raise ValueError(f"{n1} of {N1} and {n2} of {N2}: expected 0 <= n <= N")
    if N1 == 0 or N2 == 0:
        return Interval.none(NoInterval.NO_KNOWN_VERDICTS_ON_ONE_SIDE, method=Method.NEWCOMBE)
    a, b = n1 / N1, n2 / N2
    return _from_limits(a, wilson_limits(a, N1), b, wilson_limits(b, N2), Method.NEWCOMBE)


def unpaired_binary(n1: int, N1: int, n2: int, N2: int) -> Difference:
    """Two shares of different tasks, independent verdicts: Newcombe and mid-p Fisher.

    Args:
        n1: Successes of the first side, 0 to N1.
        N1: Known verdicts of the first side.
        n2: Successes of the second side, 0 to N2.
        N2: Known verdicts of the second side.

    >>> unpaired_binary(56, 70, 48, 80).label
    'different tasks'
    """
    interval = newcombe(n1, N1, n2, N2)
    if interval.lo is None:
        return _unpaired(None, interval, None, "fisher mid-p", None)
    error = sqrt(_laplace(n1 / N1, N1)[1] + _laplace(n2 / N2, N2)[1])
    return _unpaired(n1 / N1 - n2 / N2, interval, fisher_midp(n1, N1, n2, N2), "fisher mid-p", error)


def unpaired_means(a: Clusters, b: Clusters) -> Difference:
    """Two means of 0..1 values over different tasks, with clusters.

    The interval is Newcombe's, made from Wilson limits on effective n; the p-value is t with the smaller
    side's df, on shares with one success and one failure added to each side (so that it is defined at 0
    and 1 too).

    Args:
        a: Values in 0..1 of the first side, by cluster.
        b: The same of the second.

    Returns:
        No interval where a side has fewer than two clusters or values outside 0..1.

    Source: Zou and Donner 2008, Statistics in Medicine 27:1693 (limits of a difference from limits of its
    parts); Agresti and Caffo 2000, American Statistician 54:280.

    >>> result = unpaired_means([[1, 1], [0, 1], [1, 1]], [[0, 0], [0, 1], [0, 0]])
    >>> round(result.value, 3), str(result.method)
    (0.667, 'newcombe, effective n, t(G-1)')
    """
    first, second = sums(a), sums(b)
    independent = first.independent and second.independent
    unequal = first.unequal or second.unequal
    method = Method.NEWCOMBE_EFFECTIVE_CLUSTERS if unequal else Method.NEWCOMBE_EFFECTIVE_N
    method = Method.NEWCOMBE if independent else method
    n_a, n_b = effective_n(first), effective_n(second)
    value = first.mean - second.mean if first.count and second.count else None
    if value is None or n_a is None or n_b is None:
        absent = (
            NoInterval.NO_KNOWN_RUNS_ON_ONE_SIDE if value is None else NoInterval.SINGLE_CLUSTER_ON_ONE_SIDE
        )
        return _unpaired(value, Interval.none(absent, method=method), None, "t", None)
    if not (first.within_unit and second.within_unit):
        return _unpaired(value, Interval.none(NoInterval.OUTSIDE_UNIT, method=method), None, "t", None)
    share_a, share_b = first.share, second.share
    limits_a, limits_b = (
        wilson_limits(s.share, n, Z_975 if s.independent else t_quantile(degrees_of_freedom(s.sizes)))
        for s, n in ((first, n_a), (second, n_b))
    )
    interval = _from_limits(share_a, limits_a, share_b, limits_b, method)
    (mean_a, variance_a), (mean_b, variance_b) = _laplace(share_a, n_a), _laplace(share_b, n_b)
    error = sqrt(variance_a + variance_b)
    df = min(degrees_of_freedom(first.sizes), degrees_of_freedom(second.sizes))
    p = t_p_value((mean_a - mean_b) / error, df)
    return _unpaired(value, interval, p, "t", error)


def cost_ratio(a: Sequence[float], b: Sequence[float]) -> tuple[float | None, Interval]:
    """Mean of ``b`` over mean of ``a`` on the same tasks, with Fieller's limits.

    Args:
        a: Task means of the baseline, in one unit, 0 or more.
        b: Task means of the candidate, the same tasks in the same order.

    Returns:
        The ratio, and its interval; no interval below two tasks, where the baseline is not told from 0, or
        where every task has the same ratio.

    Source: Fieller 1954, JRSS B 16:175: all ratios r for which the t test of ``b - r a`` does not reject 0.

    >>> value, limits = cost_ratio([0.08, 0.16, 0.05, 0.2, 0.27], [0.09, 0.15, 0.06, 0.25, 0.3])
    >>> round(value, 6), round(limits.lo, 6), round(limits.hi, 6)
    (1.118421, 0.870702, 1.341571)
    """
    tasks = len(a)
    if tasks != len(b):
        raise ValueError(f"{tasks} and {len(b)} tasks: expected the same")
    if tasks < 2:
        return None, Interval.none(NoInterval.FEWER_THAN_2_TASKS, method=Method.FIELLER)
    first, second = fsum(a) / tasks, fsum(b) / tasks
    if first <= 0.0:
        return None, Interval.none(NoInterval.NO_RATIO, method=Method.FIELLER)
    per_task = square(t_quantile(tasks - 1)) / tasks
    q_a = square(first) - per_task * _products(a, first, a, first)
    q_b = first * second - per_task * _products(a, first, b, second)
    q_c = square(second) - per_task * _products(b, second, b, second)
    if q_a <= 0.0:
        return second / first, Interval.none(NoInterval.NO_RATIO, method=Method.FIELLER)
    apart = square(q_b) - q_a * q_c
    if apart <= LAST_BITS * square(q_b):
        return second / first, Interval.none(NoInterval.SAME_RATIO, method=Method.FIELLER)
    root = sqrt(apart)
    return second / first, Interval(lo=(q_b - root) / q_a, hi=(q_b + root) / q_a, method=Method.FIELLER)


def _products(x: Sequence[float], mean_x: float, y: Sequence[float], mean_y: float) -> float:
    """Covariance over tasks (divisor G - 1)."""
    return fsum((u - mean_x) * (v - mean_y) for u, v in zip(x, y, strict=True)) / (len(x) - 1)


def _with_one_each_way(total: float, squares: float, n: int) -> tuple[float, float]:
    """Mean of n differences in -1..1 and of one +1 and one -1, and its standard error."""
    mean = total / (n + 2)
    return mean, sqrt(((squares + 2) / (n + 2) - square(mean)) / (n + 2))


def _all_alike(value: float, tasks: int, count: int, limits: tuple[float, float] | None) -> Difference:
    method = Method.BONETT_PRICE_ALL_ALIKE
    if limits is None:
        none = Interval.none(NoInterval.DIFFER_ALIKE, method=Method.PAIRED_T)
        return Difference(value=value, interval=none, p=None, test="t", paired_on=tasks)
    unit = max(abs(limits[0]), abs(limits[1]))
    share = value / unit
    centre, error = _with_one_each_way(count * share, count * square(share), count)
    return Difference(
        value=value,
        interval=_around(centre * unit, Z_975 * error * unit, method, limits),
        p=mcnemar_midp(count, 0) if value else 1.0,
        test="sign test mid-p",
        paired_on=tasks,
        standard_error=error * unit,
    )


def _by_cluster(differences: Sequence[float], clusters: Sequence[str] | None) -> ClusterSums:
    if clusters is None:
        return ClusterSums.of([[difference] for difference in differences])
    grouped: dict[str, list[float]] = {}
    for difference, cluster in zip(differences, clusters, strict=True):
        grouped.setdefault(cluster, []).append(difference)
    return ClusterSums.of(list(grouped.values()))


def _around(
    centre: float, reach: float, method: Method, limits: tuple[float, float] | None = (-1.0, 1.0)
) -> Interval:
    lo, hi = centre - reach, centre + reach
    if limits is not None:
        lo, hi = max(limits[0], lo), min(limits[1], hi)
    return Interval(lo=lo, hi=hi, method=method)


def _unpaired(
    value: float | None, interval: Interval, p: float | None, test: str, error: float | None
) -> Difference:
    return Difference(
        value=value,
        interval=interval,
        p=p,
        test=test,
        paired_on=None,
        standard_error=error,
        unpaired=True,
    )


def _laplace(share: float, n: float) -> tuple[float, float]:
    """Share with one success and one failure added, and its variance."""
    mean = (share * n + 1) / (n + 2)
    return mean, mean * (1 - mean) / (n + 2)


def _from_limits(
    a: float, a_limits: tuple[float, float], b: float, b_limits: tuple[float, float], method: Method
) -> Interval:
    """Limits of ``a - b`` from the limits of either."""
    down = sqrt(square(a - a_limits[0]) + square(b_limits[1] - b))
    up = sqrt(square(a_limits[1] - a) + square(b - b_limits[0]))
    return Interval(lo=max(-1.0, a - b - down), hi=min(1.0, a - b + up), method=method)
