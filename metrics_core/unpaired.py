"""Differences between two sides that ran different tasks, labelled so.

Binary verdicts: Newcombe and mid-p Fisher. Means of 0..1 values, with or without clusters: Newcombe's
construction on Wilson limits with effective n. Where both ran the same tasks, `metrics_core.paired` knows
more.
"""

from __future__ import annotations

from math import sqrt

from metrics_core.cluster_sums import Clusters, effective_n, square, sums
from metrics_core.codes import Method, NoInterval
from metrics_core.comparison import Difference
from metrics_core.exact_tests import fisher_midp
from metrics_core.interval import Interval
from metrics_core.proportions import wilson_limits
from metrics_core.quantiles import t_p_value, t_quantile
from metrics_core.t_table import POWER_REACH, Z_975


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
    method = Method.NEWCOMBE if independent else Method.NEWCOMBE_EFFECTIVE_N
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
        wilson_limits(s.share, n, Z_975 if s.independent else t_quantile(s.count - 1))
        for s, n in ((first, n_a), (second, n_b))
    )
    interval = _from_limits(share_a, limits_a, share_b, limits_b, method)
    (mean_a, variance_a), (mean_b, variance_b) = _laplace(share_a, n_a), _laplace(share_b, n_b)
    error = sqrt(variance_a + variance_b)
    p = t_p_value((mean_a - mean_b) / error, min(first.count, second.count) - 1)
    return _unpaired(value, interval, p, "t", error)


def _unpaired(
    value: float | None, interval: Interval, p: float | None, test: str, error: float | None
) -> Difference:
    return Difference(
        value=value,
        interval=interval,
        p=p,
        test=test,
        paired_on=None,
        detectable=None if error is None else POWER_REACH * error,
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
