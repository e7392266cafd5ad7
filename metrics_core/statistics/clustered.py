"""Means whose runs err together, such as repeats of a scenario or tasks of a repo, and their intervals.

Works on sums per cluster (`metrics_core.statistics.frequencies`). Which key clusters is the caller's
knowledge. A cluster of one run is no cluster: where all are such, the runs are independent and plain Wilson
is used. No seed, no resampling; the exact cluster bootstrap is in `metrics_core.statistics.bootstrap.exact`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, inf

from metrics_core.results import FEW_CLUSTERS, MIN_KNOWN, Interval, Method, NoInterval
from metrics_core.statistics.distributions import t_quantile
from metrics_core.statistics.frequencies import (
    ROUNDING,
    Clusters,
    ClusterSums,
    ClusterTotals,
    Totals,
    Values,
    counts_of,
    sums,
    totals,
    unequal,
)
from metrics_core.statistics.proportions import wilson_limits


def square(value: float) -> float:
    """By multiplication: ``value ** 2`` goes through the C library's `pow`."""
    return value * value


def standard_error(clusters: Totals) -> float | None:
    """CR1 standard error of the mean: ``sqrt(G/(G-1) * sum_g e_g^2) / n``, e_g a cluster's summed deviations.

    With clusters of one run this is the ordinary ``sd / sqrt(n)``. Spread that is only rounding gives 0.

    Args:
        clusters: Values by cluster, any unit.

    Returns:
        In the values' unit; None below two clusters.

    Source: Cameron and Miller 2015, Journal of Human Resources 50:317.

    >>> round(standard_error([[1, 1, 0], [0, 1, 0], [1, 1, 1]]), 12)
    0.19245008973
    """
    s = totals(clusters)
    return None if s.count < 2 else s.error


def effective_n(clusters: Totals) -> float | None:
    """How many independent runs a clustered mean of 0..1 values is worth.

    ``min(n, m(1-m)/SE^2)``; G where SE = 0 or the mean is 0 or 1; n where every cluster holds one run;
    None below two clusters.

    Source: Korn and Graubard 1998, Survey Methodology 24:193 (without their df ratio: the t quantile that
    goes with it carries the same correction).

    >>> effective_n([[1, 1], [1, 1], [1, 1]])
    3.0
    """
    s = totals(clusters)
    if s.count < 2:
        return None
    if s.independent:
        return float(s.runs)
    mean = s.mean
    error, spread = s.error, mean * (1 - mean)
    if error == 0.0 or spread <= 0.0:
        return float(s.count)
    return min(float(s.runs), spread / (error * error))


def effective_clusters(sizes: Sequence[int]) -> float:
    """How many clusters of one size these are worth: ``G* = n^2 / sum n_g^2``, 1 to G.

    Args:
        sizes: Runs (or tasks) of each cluster, 1 or more; one cluster at least.

    Source: Carter, Schnepel and Steigerwald 2017, Review of Economics and Statistics 99:698, without their
    differences between the clusters' own variances.

    >>> effective_clusters([5, 5, 5, 5]), round(effective_clusters([2, 3, 5, 10, 40]), 3)
    (4.0, 2.071)
    """
    return sum(sizes) * sum(sizes) / sum(size * size for size in sizes)


def degrees_of_freedom(sizes: Sequence[int]) -> int:
    """Of a t on these clusters: G-1 where they are of about one size, else that of the effective clusters.

    Where G* is below 0.9 G, a few large clusters make the standard error, which then varies far more than
    that of G clusters would: t(G-1) was measured to give 15 to 60 % false alarms there.

    Args:
        sizes: Runs (or tasks) of each cluster, 1 or more; two clusters at least.

    Returns:
        ``G-1``, or ``max(1, floor(G*) - 1)`` where ``G* < 0.9 G``; by whole numbers: no rounding decides.

    Raises:
        ValueError: Fewer than two clusters.

    >>> degrees_of_freedom([5, 5, 5, 5]), degrees_of_freedom([2, 3, 3, 4, 8, 10])
    (3, 3)
    >>> degrees_of_freedom([1, 1, 1, 1, 1, 30])
    1
    """
    if len(sizes) < 2:
        raise ValueError(f"{len(sizes)} clusters have no degrees of freedom")
    if not unequal(sizes):
        return len(sizes) - 1
    return max(1, sum(sizes) * sum(sizes) // sum([size * size for size in sizes]) - 1)


def design_effect(clusters: Clusters) -> float | None:
    """Variance of the clustered mean over that of as many independent runs: ``SE^2 / (s^2 / n)``.

    None below two clusters and where no run differs from another (0/0). Source: Kish 1965, Survey Sampling.

    >>> round(design_effect([[1, 1, 1], [0, 0, 0], [1, 0, 1]]), 12)
    3.15
    """
    s = sums(clusters)
    error, variance = standard_error(s), _variance(s)
    return None if error is None or not variance else error * error / (variance / s.runs)


def icc_anova(clusters: Clusters) -> float | None:
    """Intraclass correlation, from the one-way analysis of variance; may be below 0.

    None below two clusters, where every cluster holds one run, and where no run differs from another.

    Source: Donner 1986, International Statistical Review 54:67.

    >>> icc_anova([[1, 1], [0, 0]])
    1.0
    """
    s = sums(clusters)
    if s.count < 2 or s.independent:
        return None
    parts = fsum(total * total / size for total, size in zip(s.totals, s.sizes, strict=True))
    between = max(0.0, parts - s.runs * square(s.mean)) / (s.count - 1)
    within = max(0.0, s.squares - parts) / (s.runs - s.count)
    usual = (s.runs - fsum(size * size for size in s.sizes) / s.runs) / (s.count - 1)
    spread = between + (usual - 1) * within
    return (between - within) / spread if _variance(s) and spread > 0 else None


def _variance(s: ClusterSums) -> float:
    """Population variance over runs; rounding gives 0."""
    variance = s.squares / s.runs - square(s.mean)
    return variance if variance > ROUNDING * s.squares / s.runs else 0.0


def wilson_effective(
    clusters: Totals, *, key: str | None = None, known: int | None = None, whole: bool = False
) -> Interval:
    """Wilson's interval for a mean of 0..1 values, on the effective n and a t quantile.

    The quantile is t(G-1); where a few large clusters hold most runs, that of the effective clusters
    (`degrees_of_freedom`).

    Args:
        clusters: Values in 0..1 by cluster.
        key: What the clusters are (``scenario``), for the caption.
        known: Runs they came from, where that is not their number; fewer than 8 give no interval.
        whole: Take each cluster for one outcome, or less: how alike the runs of one are is not known.

    Returns:
        Plain ``wilson`` where every cluster holds one run. No interval below 8 known runs, with a single
        cluster, or where values leave 0..1. Below 6 clusters, or effective ones, it is marked ``few``.

    Source: statistics of this project, chosen by simulation of coverage; Korn and Graubard 1998.

    >>> limits = wilson_effective([[1, 1, 0, 1, 1], [0, 0, 1, 0, 0], [1, 1, 1, 1, 1],
    ...                            [1, 0, 1, 1, 0], [0, 1, 1, 0, 1], [1, 1, 1, 0, 1]], key="scenario")
    >>> round(limits.lo, 12), round(limits.hi, 12), limits.clusters
    (0.372557203045, 0.870744359239, 6)
    """
    s = totals(clusters)
    method = Method.WILSON_EFFECTIVE_CLUSTERS if s.unequal else Method.WILSON_EFFECTIVE_N
    method = Method.WILSON if s.independent else method
    if refused := _refused(s, known, method, key):
        return refused
    if s.independent:
        lo, hi = wilson_limits(s.share, s.runs)
        return Interval(lo=lo, hi=hi, method=method)
    n_eff = effective_n(s)
    assert n_eff is not None  # noqa: S101 - two clusters or more, or it would have been refused
    n_eff = min(n_eff, s.count) if whole else n_eff
    lo, hi = wilson_limits(s.share, n_eff, t_quantile(degrees_of_freedom(s.sizes)))
    return _interval(lo, hi, s, method, key, n_eff=n_eff)


def task_weighted(
    tasks: Sequence[Values],
    clusters: Sequence[str] | None = None,
    *,
    key: str | None = None,
) -> tuple[float, Interval] | None:
    """The mean of task means, in which every task counts alike however often it was run, and its interval.

    It does not mend numbers of runs that depend on results (run again until it passes): there the first run
    of each task is the only unbiased one.

    Args:
        tasks: Values in 0..1, task by task, one or more each.
        clusters: The cluster of each task, where tasks err together; by default every task is its own.
        key: What the clusters are, for the caption.

    Returns:
        Wilson's limits on ``min(n, m(1-m)/SE^2)`` effective runs (on G where SE = 0 or the mean is 0 or 1)
        and a t quantile; plain Wilson where every cluster holds one run. None without tasks.

    Source: this project's own; SE by CR1 on task means, n_eff as Korn and Graubard 1998.

    >>> value, limits = task_weighted([[1], [1], [0, 0, 0, 0, 0], [1], [0, 1], [1, 1, 0], [1], [0]])
    >>> round(value, 6), round(limits.lo, 6), round(limits.hi, 6)
    (0.645833, 0.294819, 0.888314)
    """
    if not tasks:
        return None
    homes = clusters if clusters is not None else [str(at) for at in range(len(tasks))]
    grouped: dict[str, list[float]] = {}
    sizes = list(map(len, tasks))
    for home, values, size in zip(homes, tasks, sizes, strict=True):
        grouped.setdefault(home, []).append(counts_of(values).total / size)
    inside = list(grouped.values())
    means = ClusterTotals(tuple(map(fsum, inside)), tuple(map(len, inside)))
    runs = sum(sizes)
    if means.independent and runs == len(tasks):
        return means.mean, wilson_effective(means, key=key)
    if refused := _refused(means, runs, Method.WILSON_TASK_WEIGHTED, key):
        return means.mean, refused
    error = standard_error(means)
    n_eff, spread = float(means.count), means.share * (1 - means.share)
    if error and spread > 0.0:
        n_eff = min(float(runs), spread / (error * error))
    lo, hi = wilson_limits(means.share, n_eff, t_quantile(degrees_of_freedom(means.sizes)))
    return means.mean, _interval(lo, hi, means, Method.WILSON_TASK_WEIGHTED, key, n_eff=n_eff)


def cr1_t(
    clusters: Totals,
    *,
    key: str | None = None,
    known: int | None = None,
    limits: tuple[float, float] | None = (0.0, 1.0),
) -> Interval:
    """``mean +- t * SE`` with the CR1 standard error and t(G-1) (or `degrees_of_freedom`), cut at its limits.

    Args:
        clusters: Values by cluster.
        key: What the clusters are.
        known: Runs they came from, where that is not their number.
        limits: What a value can be; None for a quantity on a scale of its own.

    Returns:
        No interval where `wilson_effective` gives none, nor where all clusters have one mean.

    >>> limits = cr1_t([[1, 1, 0, 1], [0, 0, 1, 0], [1, 1, 1, 1]])
    >>> limits.lo, limits.hi
    (0.0, 1.0)
    """
    s = totals(clusters)
    method = Method.T_ON_EFFECTIVE_CLUSTERS if s.unequal else Method.T_ON_CLUSTERS
    if refused := _refused(s, known, method, key, in_unit=limits is not None):
        return refused
    mean = s.mean
    error = s.error
    if not error:
        return Interval.none(NoInterval.CLUSTERS_AGREE, method=method, cluster=key, clusters=s.count)
    reach = t_quantile(degrees_of_freedom(s.sizes)) * error
    least, most = limits or (-inf, inf)
    return _interval(max(least, mean - reach), min(most, mean + reach), s, method, key)


def _refused(
    s: ClusterTotals, known: int | None, method: Method, key: str | None, *, in_unit: bool = True
) -> Interval | None:
    if s.count == 0 or (s.runs if known is None else known) < MIN_KNOWN:
        return Interval.none(NoInterval.TOO_FEW, method=method)
    if in_unit and not s.within_unit:
        return Interval.none(NoInterval.OUTSIDE_UNIT, method=method)
    if s.count == 1:
        return Interval.none(NoInterval.SINGLE_CLUSTER, method=method, cluster=key, clusters=1)
    return None


def _interval(
    lo: float, hi: float, s: ClusterTotals, method: Method, key: str | None, n_eff: float | None = None
) -> Interval:
    worth = effective_clusters(s.sizes) if s.unequal else None
    few = (s.count if worth is None else worth) < FEW_CLUSTERS
    return Interval(
        lo=lo,
        hi=hi,
        method=method,
        cluster=key,
        clusters=s.count,
        n_eff=n_eff,
        effective_clusters=worth,
        few=few,
    )
