"""Intervals for a share, or a mean of 0..1 values, whose runs come in clusters.

A cluster of one run is no cluster: where all are such, the runs are independent and plain Wilson is used.
No seed, no resampling; the exact cluster bootstrap is in `metrics_core.exact_bootstrap`.
"""

from __future__ import annotations

from metrics_core.cluster_sums import Clusters, ClusterSums, effective_n, standard_error, sums
from metrics_core.codes import Method, NoInterval
from metrics_core.interval import FEW_CLUSTERS, MIN_KNOWN, Interval
from metrics_core.proportions import wilson_limits
from metrics_core.quantiles import t_quantile


def wilson_effective(clusters: Clusters, *, key: str | None = None, known: int | None = None) -> Interval:
    """Wilson's interval for a mean of 0..1 values, on the effective n and the t(G-1) quantile.

    Args:
        clusters: Values in 0..1 by cluster.
        key: What the clusters are (``scenario``), for the caption.
        known: Runs they came from, where that is not their number; fewer than 8 give no interval.

    Returns:
        Plain ``wilson`` where every cluster holds one run. No interval below 8 known runs, with a single
        cluster, or where values leave 0..1. Below 6 clusters it is marked ``few``.

    Source: statistics of this project, chosen by simulation of coverage; Korn and Graubard 1998.

    >>> limits = wilson_effective([[1, 1, 0, 1, 1], [0, 0, 1, 0, 0], [1, 1, 1, 1, 1],
    ...                            [1, 0, 1, 1, 0], [0, 1, 1, 0, 1], [1, 1, 1, 0, 1]], key="scenario")
    >>> round(limits.lo, 12), round(limits.hi, 12), limits.clusters
    (0.372557203045, 0.870744359239, 6)
    """
    s = sums(clusters)
    method = Method.WILSON if s.independent else Method.WILSON_EFFECTIVE_N
    if refused := _refused(s, known, method, key):
        return refused
    if s.independent:
        lo, hi = wilson_limits(s.share, s.runs)
        return Interval(lo=lo, hi=hi, method=method)
    n_eff = effective_n(s)
    assert n_eff is not None  # noqa: S101 - two clusters or more, or it would have been refused
    lo, hi = wilson_limits(s.share, n_eff, t_quantile(s.count - 1))
    return _drawn(lo, hi, s, method, key, n_eff=n_eff)


def cr1_t(clusters: Clusters, *, key: str | None = None, known: int | None = None) -> Interval:
    """``mean +- t(G-1) * SE`` with the CR1 standard error, cut at 0 and 1.

    Args:
        clusters: Values in 0..1 by cluster.
        key: What the clusters are.
        known: Runs they came from, where that is not their number.

    Returns:
        No interval where `wilson_effective` gives none, nor where all clusters have one mean.

    >>> limits = cr1_t([[1, 1, 0, 1], [0, 0, 1, 0], [1, 1, 1, 1]])
    >>> limits.lo, limits.hi
    (0.0, 1.0)
    """
    s = sums(clusters)
    method = Method.T_ON_CLUSTERS
    if refused := _refused(s, known, method, key):
        return refused
    error = standard_error(s)
    if not error:
        return Interval.none(NoInterval.CLUSTERS_AGREE, method=method, cluster=key, clusters=s.count)
    reach = t_quantile(s.count - 1) * error
    return _drawn(max(0.0, s.mean - reach), min(1.0, s.mean + reach), s, method, key)


def _refused(s: ClusterSums, known: int | None, method: Method, key: str | None) -> Interval | None:
    if s.count == 0 or (s.runs if known is None else known) < MIN_KNOWN:
        return Interval.none(NoInterval.TOO_FEW, method=method)
    if not s.within_unit:
        return Interval.none(NoInterval.OUTSIDE_UNIT, method=method)
    if s.count == 1:
        return Interval.none(NoInterval.SINGLE_CLUSTER, method=method, cluster=key, clusters=1)
    return None


def _drawn(
    lo: float, hi: float, s: ClusterSums, method: Method, key: str | None, n_eff: float | None = None
) -> Interval:
    return Interval(
        lo=lo, hi=hi, method=method, cluster=key, clusters=s.count, n_eff=n_eff, few=s.count < FEW_CLUSTERS
    )
