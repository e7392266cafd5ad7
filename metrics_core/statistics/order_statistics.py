"""Median, 90th and 95th percentile and total of a quantity that is context: cost, latency, tokens, retries.

No mean and no normal theory: such quantities have long tails. They are never a score.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping, Sequence
from math import ceil, floor, fsum, sqrt
from typing import Final

from msgspec import Struct

from metrics_core.results import Interval, Method, NoInterval, Summary
from metrics_core.statistics.clustered import effective_n, square
from metrics_core.statistics.distributions import regularised_beta
from metrics_core.statistics.frequencies import ClusterSums
from metrics_core.statistics.t_table import Z_975

EXACT_UP_TO = 1000
"""Up to this many values the rank comes from the binomial distribution itself."""

TAIL: Final = (19, 20)
"""The percentile of a tail, as a fraction of whole numbers: 0.95."""

FEW = 1000
"""Values up to which they are put in order sooner than numpy is loaded."""

_FEWER_THAN_6 = Interval.none(NoInterval.FEWER_THAN_6_VALUES, method=Method.ORDER_STATISTICS)


def summary(values: Sequence[float]) -> Summary | None:
    """Median, 90th percentile (the smallest value that 90 % do not exceed) and total.

    Args:
        values: In the metric's unit, any order, finite.

    Returns:
        None without a single value.

    >>> summary([3.0, 1.0, 2.0, 10.0])
    Summary(median=2.5, p90=10.0, total=16.0)
    """
    found = summarised(array("d", values))
    return None if found is None else found[0]


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
    (2.0, 9.0)
    """
    found = summarised(array("d", values))
    return _FEWER_THAN_6 if found is None else found[1]


def summarised(values: array[float]) -> tuple[Summary, Interval] | None:
    """`summary` and `median_interval` of the same values, which are put in their places once.

    Args:
        values: In the metric's unit, any order, finite.

    Returns:
        None without a single value.

    >>> found, limits = summarised(array("d", [3.0, 1.0, 2.0, 10.0]))
    >>> found.p90, limits.reason
    (10.0, 'fewer than 6 values')
    """
    if not values:
        return None
    n, rank = len(values), median_rank(len(values))
    ends = {rank - 1, n - rank} if rank else set()
    at = placed(values, {(n - 1) // 2, n // 2, (9 * n + 9) // 10 - 1, *ends})
    low, high = at[(n - 1) // 2], at[n // 2]
    found = Summary(
        median=high if n % 2 else fsum((low, high)) / 2, p90=at[(9 * n + 9) // 10 - 1], total=fsum(values)
    )
    return found, _between(at[rank - 1], at[n - rank]) if rank else _FEWER_THAN_6


def placed(values: array[float], places: Collection[int]) -> Mapping[int, float]:
    """The values at some places of their order; which of 0.0 and -0.0 comes first is left open.

    Args:
        values: Finite.
        places: The least is at 0.

    >>> placed(array("d", [3.0, 1.0, 2.0]), {0, 2})
    {0: 1.0, 2: 3.0}
    """
    if len(values) <= FEW:
        ordered = sorted(values)
        return {place: ordered[place] for place in places}
    import numpy as np

    parted = np.partition(np.frombuffer(values), sorted(places))
    return {place: float(parted[place]) for place in places}


def _between(lo: float, hi: float) -> Interval:
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


class TailQuantile(Struct, frozen=True):
    """A 95th percentile: the smallest value that 95 % of the runs do not exceed, and its limits.

    Attributes:
        point: In the metric's unit.
        lo: Lower limit.
        hi: Upper limit; None where there are too few runs for one.
    """

    point: float
    lo: float
    hi: float | None


def tail_quantile(tasks: Sequence[Sequence[float]]) -> TailQuantile | None:
    """The 95th percentile over the runs of all tasks, with binomial limits on as many runs as they are worth.

    Args:
        tasks: Values by task, in the metric's unit, any order.

    Returns:
        None without a value.

    Source: order statistics as David and Nagaraja 2003, 7.1; repeats by the effective n of the indicator
    below the percentile, Woodruff 1952, JASA 47:635.

    >>> tail_quantile([[float(n)] for n in range(1, 101)])
    TailQuantile(point=95.0, lo=90.0, hi=100.0)
    >>> tail_quantile([[float(n)] for n in range(1, 60)])
    TailQuantile(point=57.0, lo=52.0, hi=None)
    """
    ordered = sorted(value for task in tasks for value in task)
    n = len(ordered)
    if not n:
        return None
    point = ordered[-(-TAIL[0] * n // TAIL[1]) - 1]
    below = ClusterSums.of([[float(value <= point) for value in task] for task in tasks if task])
    worth = effective_n(below)
    if worth is None:  # one task: it is one outcome
        worth = 1.0
    independent = max(1, floor(worth))
    low, high = _ranks(independent)
    lo = ordered[max(1, floor(low * n / independent)) - 1]
    hi = None if high is None else ordered[min(n, ceil(high * n / independent)) - 1]
    return TailQuantile(point, lo, hi)


def _ranks(n: int) -> tuple[int, int | None]:
    """Ranks of the order statistics that hold the 95th percentile of n independent values with 95 %.

    The lower is the least l with P(Bin <= l) > 0.025, the upper the least u with P(Bin <= u - 1) >= 0.975.
    """
    low = next(rank for rank in range(n + 1) if rank == n or _at_most(n, rank) > 0.025)
    high = next((rank for rank in range(max(1, low), n + 1) if _at_most(n, rank - 1) >= 0.975), None)
    return max(1, low), high


def _at_most(n: int, count: int) -> float:
    """P(Bin(n, 0.95) <= count)."""
    if count >= n:
        return 1.0
    share = TAIL[0] / TAIL[1]
    return regularised_beta(1 - share, share, 2 * (n - count), 2 * (count + 1))


def tail_ratio(a: TailQuantile | None, b: TailQuantile | None) -> tuple[float | None, Interval]:
    """The candidate's 95th percentile over the baseline's, with MOVER's limits.

    Args:
        a: Of the baseline.
        b: Of the candidate.

    Returns:
        The ratio, and its interval; none where one of the two has no upper limit, or the baseline's limits
        reach so far that the ratio has no upper one. Conservative where both ran the same tasks.

    Source: Donner and Zou 2012, Statistical Methods in Medical Research 21:347.

    >>> value, limits = tail_ratio(TailQuantile(50, 44, 60), TailQuantile(60, 52, 75))
    >>> value, round(limits.lo, 9), round(limits.hi, 9)
    (1.2, 0.951392119, 1.553183005)
    """
    if a is None or b is None:
        return None, Interval.none(NoInterval.NO_KNOWN_RUNS_ON_ONE_SIDE, method=Method.MOVER)
    if a.point <= 0.0:
        return None, Interval.none(NoInterval.NO_RATIO, method=Method.MOVER)
    value = b.point / a.point
    if a.hi is None or b.hi is None:
        return value, Interval.none(NoInterval.FEWER_THAN_72_RUNS, method=Method.MOVER)
    return value, mover_ratio((a.point, a.lo, a.hi), (b.point, b.lo, b.hi))


def mover_ratio(a: tuple[float, float, float], b: tuple[float, float, float]) -> Interval:
    """MOVER's limits of b over a, each with limits of its own; conservative where both ran the same tasks.

    Args:
        a: Value above 0, lower limit and upper limit of what stands below.
        b: Of what stands above.

    Returns:
        None where the limits of ``a`` reach so far that the ratio has no upper one.

    Source: Donner and Zou 2012, Statistical Methods in Medical Research 21:347.

    >>> limits = mover_ratio((50, 44, 60), (60, 52, 75))
    >>> round(limits.lo, 9), round(limits.hi, 9)
    (0.951392119, 1.553183005)
    """
    (first, first_lo, first_hi), (second, second_lo, second_hi) = a, b
    if first_hi >= 2 * first or first_lo <= 0.0:
        return Interval.none(NoInterval.NO_RATIO, method=Method.MOVER)
    product = first * second
    low_root = square(product) - second_lo * first_hi * (2 * second - second_lo) * (2 * first - first_hi)
    high_root = square(product) - second_hi * first_lo * (2 * second - second_hi) * (2 * first - first_lo)
    lo = (product - sqrt(max(0.0, low_root))) / (first_hi * (2 * first - first_hi))
    hi = (product + sqrt(max(0.0, high_root))) / (first_lo * (2 * first - first_lo))
    if not lo < hi:
        return Interval.none(NoInterval.RUNS_AGREE, method=Method.MOVER)
    return Interval(lo=lo, hi=hi, method=Method.MOVER)
