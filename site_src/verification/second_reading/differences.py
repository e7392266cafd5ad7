"""Differences of two groups of runs, by task wherever both ran the same, and Holm's adjustment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb, fsum, sqrt

from site_src.verification.second_reading.clusters import (
    FEWEST,
    Limits,
    alone,
    degrees,
    effective_runs,
    mean,
    quantile,
    standard_error,
    together,
    within_unit,
)
from site_src.verification.second_reading.distributions import Z, t_quantile, t_two_sided, wilson
from site_src.verification.second_reading.estimates import PlainRun

ROUNDING = 1e-12
"""Sums that are nearer than this share of their largest term differ in how they were rounded."""


@dataclass(frozen=True, slots=True)
class DifferenceRead:
    """First less second, its limits, its p-value, and on how many tasks in common."""

    value: float | None
    limits: Limits
    p: float | None
    paired_on: int | None


def difference(a: Sequence[PlainRun], b: Sequence[PlainRun], homes: Mapping[str, str]) -> DifferenceRead:
    """The difference of two sides.

    Args:
        a: Runs of the first side, known and not.
        b: Of the second.
        homes: The cluster of each task.
    """
    left, right = _by_task(a), _by_task(b)
    common = sorted(left.keys() & right.keys())
    if min(sum(map(len, side.values())) for side in (left, right)) < FEWEST:
        return DifferenceRead(None, None, None, len(common) or None)
    if not common:
        return _apart(a, b)
    if len(common) < FEWEST:
        return DifferenceRead(None, None, None, None)
    clusters = [homes[task] for task in common]
    singles = all(
        len(side[task]) == 1 and side[task][0] in {0.0, 1.0} for side in (left, right) for task in common
    )
    differences = [_less(left[t], right[t]) for t in common]
    if singles and len(set(clusters)) == len(common):
        return _of_verdicts(differences)
    inside = all(0 <= x <= 1 for side in (left, right) for values in side.values() for x in values)
    return _on_tasks(together(zip(clusters, differences, strict=True)), bounded=inside)


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Holm 1979: each p times the number of those not smaller, never below an earlier one.

    >>> holm([0.01, 0.04, None, 0.005])
    [0.03, 0.08, None, 0.02]
    """
    adjusted: list[float | None] = []
    for p in ps:
        below = [(len(ps) - rank) * q for rank, q in enumerate(sorted(x for x in ps if x is not None))
                 if p is not None and q <= p]  # fmt: skip
        adjusted.append(None if p is None else min(1.0, max(below)))
    return adjusted


def _by_task(runs: Sequence[PlainRun]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for run in runs:
        if run.value is not None:
            found.setdefault(run.task, []).append(run.value)
    return found


def _less(a: Sequence[float], b: Sequence[float]) -> float:
    size, found = max(abs(x) for x in (*a, *b)), fsum(a) / len(a) - fsum(b) / len(b)
    return found if abs(found) > ROUNDING * size else 0.0


def _of_verdicts(differences: Sequence[float]) -> DifferenceRead:
    """Bonett and Price 2012; mid-p McNemar (Fagerland and others 2013)."""
    won, lost, tasks = differences.count(1.0), differences.count(-1.0), len(differences)
    return DifferenceRead(
        (won - lost) / tasks, _one_more_each_way(won - lost, won + lost, tasks), _mid_p(won, lost), tasks
    )


def _one_more_each_way(total: float, squares: float, n: float, unit: float = 1.0) -> tuple[float, float]:
    middle = total / (n + 2)
    reach = Z * sqrt(((squares + 2) / (n + 2) - middle * middle) / (n + 2))
    return max(-unit, (middle - reach) * unit), min(unit, (middle + reach) * unit)


def _mid_p(won: int, lost: int) -> float:
    n, fewer = won + lost, min(won, lost)
    tail = sum(comb(n, i) for i in range(fewer + 1))
    return min(1.0, (2 * tail - comb(n, fewer)) / (1 << n))


def _on_tasks(clusters: Sequence[Sequence[float]], *, bounded: bool) -> DifferenceRead:
    """Student's t on task differences, clusters kept whole; where all differ alike, one more each way."""
    value, error, tasks = mean(clusters), standard_error(clusters), sum(map(len, clusters))
    if error is None:
        return DifferenceRead(value, None, None, tasks)
    if error <= ROUNDING * max(abs(x) for cluster in clusters for x in cluster):
        if not bounded:
            return DifferenceRead(value, None, None, tasks)
        count = len(clusters)
        around = _one_more_each_way(count * value, count * value * value, count)
        return DifferenceRead(value, around, _mid_p(count, 0) if value else 1.0, tasks)
    df = degrees(clusters)
    low, high = value - t_quantile(df) * error, value + t_quantile(df) * error
    if bounded:
        low, high = max(-1.0, low), min(1.0, high)
    return DifferenceRead(value, (low, high), t_two_sided(value / error, df), tasks)


def _apart(a: Sequence[PlainRun], b: Sequence[PlainRun]) -> DifferenceRead:
    """Different tasks: Newcombe 1998; mid-p Fisher, or t on shares with one more each way."""
    sides = [together((r.cluster, r.value) for r in side if r.value is not None) for side in (a, b)]
    means = [mean(side) for side in sides]
    value = means[0] - means[1]
    verdicts = all(x in {0.0, 1.0} for side in sides for cluster in side for x in cluster)
    single = all(alone(side) for side in sides)
    n = [effective_runs(side) for side in sides]
    if single and verdicts:
        n = [float(len(side)) for side in sides]
    if n[0] is None or n[1] is None or not all(within_unit(side) for side in sides):
        return DifferenceRead(value, None, None, None)
    shares = [min(1.0, max(0.0, each)) for each in means]
    (low_a, high_a), (low_b, high_b) = (
        wilson(share, runs, quantile(side))
        for share, runs, side in zip(shares, (n[0], n[1]), sides, strict=True)
    )
    down = sqrt((shares[0] - low_a) ** 2 + (high_b - shares[1]) ** 2)
    up = sqrt((high_a - shares[0]) ** 2 + (shares[1] - low_b) ** 2)
    around = max(-1.0, value - down), min(1.0, value + up)
    if single and verdicts:
        return DifferenceRead(
            value, around, _fisher(*(c for s in sides for c in (int(sum(x for (x,) in s)), len(s)))), None
        )
    more = [(share * runs + 1) / (runs + 2) for share, runs in zip(shares, (n[0], n[1]), strict=True)]
    spread = sqrt(sum(m * (1 - m) / (runs + 2) for m, runs in zip(more, (n[0], n[1]), strict=True)))
    df = min(degrees(side) for side in sides)
    return DifferenceRead(value, around, t_two_sided((more[0] - more[1]) / spread, df), None)


def _fisher(n1: int, N1: int, n2: int, N2: int) -> float:
    ways = [comb(N1, i) * comb(N2, n1 + n2 - i) for i in range(max(0, n1 + n2 - N2), min(n1 + n2, N1) + 1)]
    seen = comb(N1, n1) * comb(N2, n2)
    return (2 * sum(w for w in ways if w < seen) + sum(w for w in ways if w == seen)) / (2 * sum(ways))
