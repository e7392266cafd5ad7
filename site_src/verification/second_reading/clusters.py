"""Means of runs that err together: standard errors by clusters, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import fsum, sqrt
from typing import TypeAlias

from site_src.verification.second_reading.distributions import Z, t_quantile, wilson

Limits: TypeAlias = tuple[float, float] | None
"""Lower and upper limit; None where no interval is given."""
FEWEST = 8
"""Known runs below which no interval is given."""
_ROUNDING = 1e-12


def together(values: Iterable[tuple[str, float]]) -> list[list[float]]:
    """Values of each cluster, from (cluster, value)."""
    found: dict[str, list[float]] = {}
    for cluster, value in values:
        found.setdefault(cluster, []).append(value)
    return list(found.values())


def mean(clusters: Sequence[Sequence[float]]) -> float:
    """Mean over runs."""
    values = [value for cluster in clusters for value in cluster]
    return fsum(values) / len(values)


def standard_error(clusters: Sequence[Sequence[float]]) -> float | None:
    """CR1: ``sqrt(G/(G-1) sum e_g^2) / n`` with ``e_g`` the summed deviations of a cluster; None below two.

    >>> round(standard_error([[1, 1, 0], [0, 1, 0], [1, 1, 1]]), 12)
    0.19245008973
    """
    count, runs = len(clusters), sum(map(len, clusters))
    if count < 2:
        return None
    middle = mean(clusters)
    deviations = [fsum(value - middle for value in cluster) for cluster in clusters]
    error = sqrt(count / (count - 1) * fsum(e * e for e in deviations)) / runs
    largest = max(abs(fsum(cluster)) / len(cluster) for cluster in clusters)
    return error if error > _ROUNDING * largest else 0.0


def degrees(clusters: Sequence[Sequence[float]]) -> int:
    """G-1; where ``G* = n^2 / sum n_g^2`` is below 0.9 G, ``max(1, floor(G*) - 1)``."""
    sizes = [len(cluster) for cluster in clusters]
    effective = Fraction(sum(sizes) ** 2, sum(size * size for size in sizes))
    if effective < Fraction(9, 10) * len(sizes):
        return max(1, int(effective) - 1)
    return len(sizes) - 1


def effective_runs(clusters: Sequence[Sequence[float]], most: int | None = None) -> float | None:
    """``min(n, m(1-m)/SE^2)``; G where SE is 0 or the mean is 0 or 1; None below two clusters."""
    error = standard_error(clusters)
    if error is None:
        return None
    runs = sum(map(len, clusters)) if most is None else most
    if alone(clusters) and most is None:
        return float(runs)
    middle = min(1.0, max(0.0, mean(clusters)))
    if error == 0.0 or middle in {0.0, 1.0}:
        return float(len(clusters))
    return min(float(runs), middle * (1.0 - middle) / (error * error))


def alone(clusters: Sequence[Sequence[float]]) -> bool:
    """Whether every cluster holds one run."""
    return all(len(cluster) == 1 for cluster in clusters)


def within_unit(clusters: Sequence[Sequence[float]]) -> bool:
    """Whether the mean of every cluster lies in 0..1."""
    return all(0.0 <= fsum(cluster) <= len(cluster) for cluster in clusters)


def quantile(clusters: Sequence[Sequence[float]]) -> float:
    """The normal one for runs alone, else Student's."""
    return Z if alone(clusters) else t_quantile(degrees(clusters))


def limits(clusters: Sequence[Sequence[float]], known: int | None = None) -> Limits:
    """Wilson's limits on the effective n: of a mean of values in 0..1.

    Args:
        clusters: Values by cluster.
        known: Runs that they came from, where that is not their number.
    """
    runs = sum(map(len, clusters))
    if (runs if known is None else known) < FEWEST or not within_unit(clusters) or len(clusters) < 2:
        return None
    n = effective_runs(clusters)
    assert n is not None  # noqa: S101 - there are two clusters
    return wilson(min(1.0, max(0.0, mean(clusters))), n, quantile(clusters))


def t_limits(clusters: Sequence[Sequence[float]], known: int | None = None) -> Limits:
    """``mean +- t SE``, cut at 0 and 1; None where all clusters agree."""
    if limits(clusters, known) is None:
        return None
    error = standard_error(clusters)
    if not error:
        return None
    middle, reach = mean(clusters), t_quantile(degrees(clusters)) * error
    return max(0.0, middle - reach), min(1.0, middle + reach)
