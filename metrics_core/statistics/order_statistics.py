"""Median, 90th percentile and total of a quantity that is context: cost, latency, tokens, retries.

No mean and no normal theory: such quantities have long tails. They are never a score.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import fsum, sqrt

from metrics_core.results import Interval, Method, NoInterval, Summary
from metrics_core.statistics.t_table import Z_975

EXACT_UP_TO = 1000
"""Up to this many values the rank comes from the binomial distribution itself."""

FEW = 1000
"""Values up to which they are put in order sooner than numpy is loaded."""


def in_order(values: array[float]) -> Sequence[float]:
    """The values, ascending; which of 0.0 and -0.0 comes first is left open.

    Args:
        values: Finite.

    >>> in_order(array("d", [3.0, 1.0, 2.0]))
    [1.0, 2.0, 3.0]
    """
    if len(values) <= FEW:
        return sorted(values)
    import numpy as np

    ordered: list[float] = np.sort(np.frombuffer(values)).tolist()
    return ordered


def summary(values: Sequence[float]) -> Summary | None:
    """Median, 90th percentile (the smallest value that 90 % do not exceed) and total.

    Args:
        values: In the metric's unit, any order, finite.

    Returns:
        None without a single value.

    >>> summary([3.0, 1.0, 2.0, 10.0])
    Summary(median=2.5, p90=10.0, total=16.0)
    """
    if not values:
        return None
    ordered, n = sorted(values), len(values)
    middle = ordered[n // 2] if n % 2 else fsum((ordered[n // 2 - 1], ordered[n // 2])) / 2
    return Summary(median=middle, p90=ordered[(9 * n + 9) // 10 - 1], total=fsum(values))


def median_interval(values: Sequence[float]) -> Interval:
    """The interval between two order statistics that holds the median with at least 95 %.

    Args:
        values: In the metric's unit, any order, finite.

    Returns:
        No interval below 6 values, where none reaches 95 %, nor where both ends are equal.

    Source: David and Nagaraja 2003, Order Statistics, 7.1: the number of values below the median is
    binomial(n, 1/2). Beyond 1,000 values the rank is the normal approximation's, rounded outwards.

    >>> limits = median_interval([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    >>> limits.lo, limits.hi
    (2, 9)
    """
    ordered, rank = sorted(values), median_rank(len(values))
    if rank == 0:
        return Interval.none(NoInterval.FEWER_THAN_6_VALUES, method=Method.ORDER_STATISTICS)
    lo, hi = ordered[rank - 1], ordered[-rank]
    if lo == hi:
        return Interval.none(NoInterval.EQUAL_AROUND_MEDIAN, method=Method.ORDER_STATISTICS)
    return Interval(lo=lo, hi=hi, method=Method.ORDER_STATISTICS)


def median_rank(n: int) -> int:
    """The rank k such that the k-th smallest and k-th largest of n values hold the median with 95 %.

    0 where even the extremes do not. Beyond 1,000 values it is at most the exact rank.

    >>> median_rank(5), median_rank(6), median_rank(10)
    (0, 1, 2)
    """
    if n > EXACT_UP_TO:
        return int((n - Z_975 * sqrt(n)) / 2)
    ways, term, rank = 0, 1, 0
    while 40 * (ways + term) <= 2**n:
        ways, rank = ways + term, rank + 1
        term = term * (n - rank + 1) // rank
    return rank
