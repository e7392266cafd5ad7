"""Differences between two sides that ran the same tasks.

Binary verdicts, one run a side: Bonett-Price and mid-p McNemar. Fractions or repeats: t on per-task mean
differences. Only + - * / and sqrt on floats, and exact integers. Different tasks are in
`metrics_core.unpaired`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

from metrics_core.cluster_sums import ClusterSums, square, standard_error
from metrics_core.codes import Method, NoInterval
from metrics_core.comparison import Difference
from metrics_core.exact_tests import mcnemar_midp
from metrics_core.interval import FEW_CLUSTERS, Interval
from metrics_core.quantiles import t_p_value, t_quantile
from metrics_core.t_table import POWER_REACH, Z_975


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
        detectable=POWER_REACH * error,
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
        clusters: The cluster of each task; they are kept whole, and df = clusters - 1.
        key: What the clusters are, for the caption.
        limits: What a difference can be; None where there is no limit (money, seconds).

    Returns:
        Where all tasks differ alike there is no spread for t: then, within limits, Bonett-Price's one
        pseudo-task each way makes the interval and a sign test the p-value. No interval below two tasks
        or clusters.

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
    if error == 0.0:
        return _all_alike(value, tasks, s.count, limits)
    method = Method.PAIRED_T if s.independent else Method.PAIRED_T_ON_CLUSTERS
    interval = _around(value, t_quantile(s.count - 1) * error, method, limits)
    if not s.independent:
        interval = replace(interval, cluster=key, clusters=s.count, few=s.count < FEW_CLUSTERS)
    return Difference(
        value=value,
        interval=interval,
        p=t_p_value(value / error, s.count - 1),
        test="t",
        paired_on=tasks,
        detectable=POWER_REACH * error,
    )


def smallest_detectable_difference(variance: float, n: int, design_effect: float = 1.0) -> float:
    """The difference that n tasks would show with 80 % power at 95 %.

    Args:
        variance: Of the per-task differences, 0 or more.
        n: Tasks, 1 or more.
        design_effect: 1 where tasks are independent.

    Returns:
        ``(1.959964 + 0.841621) * sqrt(variance / n) * sqrt(design_effect)``, in the differences' unit.

    Raises:
        ValueError: An argument is out of its range.

    Source: Miller 2024, arXiv 2411.00640, section 5.

    >>> round(smallest_detectable_difference(0.25, 50), 4)
    0.1981
    """
    if variance < 0 or n < 1 or design_effect < 0:
        raise ValueError(f"variance {variance!r} over {n} tasks, design effect {design_effect!r}")
    return POWER_REACH * sqrt(variance / n) * sqrt(design_effect)


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
        detectable=POWER_REACH * error * unit,
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
