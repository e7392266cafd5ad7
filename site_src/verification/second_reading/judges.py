"""A judge held against raters: kappa, the share corrected for its errors, the prediction-powered mean.

A run's value is the judge's verdict, 1 or 0; its n of N what raters say: 1/1, 0/1, or 0/0 where nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt

from site_src.verification.second_reading.clusters import (
    FEWEST,
    Limits,
    degrees,
    effective_runs,
    limits,
    mean,
    together,
)
from site_src.verification.second_reading.distributions import Z, t_quantile, wilson
from site_src.verification.second_reading.estimates import EstimateRead, PlainRun


def read_kappa(runs: Sequence[PlainRun]) -> EstimateRead:
    """Cohen's kappa, with the variance of its linear part summed by cluster.

    >>> both = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
    >>> round(read_kappa([PlainRun(str(i), "", float(j), r, 1) for i, (r, j) in enumerate(both)]).value, 12)
    0.4
    """
    known = [(run.cluster, run.n, run.value) for run in runs if run.value is not None]
    size, same = len(known), sum(rated == judged for _, rated, judged in known)
    if not known:
        return EstimateRead(None, 0, 0, None)
    rated, judged = fsum(r for _, r, _ in known) / size, fsum(j for _, _, j in known) / size
    seen, chance = same / size, rated * judged + (1 - rated) * (1 - judged)
    if chance == 1:
        return EstimateRead(None, same, size, None)
    value = (seen - chance) / (1 - chance)
    slope = (1 - seen) / (1 - chance) ** 2
    parts = [
        (c, (r == j) / (1 - chance) - slope * ((rated if j else 1 - rated) + (judged if r else 1 - judged)))
        for c, r, j in known
    ]
    middle = fsum(part for _, part in parts) / size
    clusters = together([(c, part - middle) for c, part in parts])
    count = len(clusters)
    squared = fsum(fsum(cluster) ** 2 for cluster in clusters)
    if size < FEWEST or count < 2:
        return EstimateRead(value, same, size, None)
    alone = count == size
    times = Z if alone else t_quantile(degrees(clusters)) * sqrt(count / (count - 1))
    reach = times * sqrt(squared) / size
    low, high = max(-1.0, value - reach), min(1.0, value + reach)
    return EstimateRead(value, same, size, (low, high) if high - low > 1e-9 else None)


def read_corrected(runs: Sequence[PlainRun]) -> EstimateRead:
    """The judge's share corrected by its errors, between the limits of Lang and Reiczigel (2014)."""
    known = [run for run in runs if run.value is not None]
    n, of = sum(run.value == 1 for run in known), len(known)
    judged = together((run.cluster, run.value or 0.0) for run in known)
    passed = together((run.cluster, run.value or 0.0) for run in known if run.N and run.n)
    failed = together((run.cluster, 1 - (run.value or 0.0)) for run in known if run.N and not run.n)
    if not passed or not failed:
        return EstimateRead(None, n, of, None)
    three = (judged, passed, failed)
    alone = all(len(cluster) == 1 for each in three for cluster in each)
    z = Z if alone else t_quantile(max(1, min(map(degrees, three))))
    shares, sizes = [mean(each) for each in three], [effective_runs(each) or 1.0 for each in three]
    lower = fsum(wilson(shares[i], sizes[i])[0] for i in (1, 2))
    if shares[1] + shares[2] <= 1 or lower <= 1:
        return EstimateRead(None, n, of, None)
    value = min(1.0, max(0.0, (shares[0] + shares[2] - 1) / (shares[1] + shares[2] - 1)))
    if of < FEWEST or len(judged) < 2:
        return EstimateRead(value, n, of, None)
    return EstimateRead(value, n, of, _lang_reiczigel(shares, sizes, z))


def _lang_reiczigel(shares: Sequence[float], sizes: Sequence[float], z: float) -> Limits:
    worth = sizes[0] + z * z
    q = (sizes[0] * shares[0] + z * z / 2) / worth
    se, sp = ((size * share + 1) / (size + 2) for share, size in zip(shares[1:], sizes[1:], strict=True))
    spread = [se * (1 - se) / (sizes[1] + 2), sp * (1 - sp) / (sizes[2] + 2)]
    r = (q + sp - 1) / (se + sp - 1)
    moved = r + 2 * z * z * (r * spread[0] - (1 - r) * spread[1])
    reach = z * sqrt(q * (1 - q) / worth + r * r * spread[0] + (1 - r) ** 2 * spread[1]) / (se + sp - 1)
    value = min(1.0, max(0.0, (shares[0] + shares[2] - 1) / (shares[1] + shares[2] - 1)))
    low, high = (min(1.0, max(0.0, end)) for end in (moved - reach, moved + reach))
    return min(low, value), max(high, value)


def read_powered(runs: Sequence[PlainRun]) -> EstimateRead:
    """``mean_N(f) + mean_n(y - f)`` over items; its terms summed by cluster for the variance."""
    items: dict[tuple[str, str], list[PlainRun]] = {}
    for run in runs:
        if run.value is not None:
            items.setdefault((run.cluster, run.task), []).append(run)
    rated, others = [], []
    for (cluster, _), tried in items.items():
        mine = [run for run in tried if run.N]
        said = fsum(run.value or 0.0 for run in mine or tried) / len(mine or tried)
        if mine:
            rated.append((cluster, sum(run.n for run in mine) / len(mine), said))
        else:
            others.append((cluster, said))
    n, of = len(rated), len(rated) + len(others)
    if not rated or not others:
        return EstimateRead(None, n, of, None)
    judged, off = fsum(f for _, f in others) / len(others), fsum(y - f for _, y, f in rated) / n
    terms = [(c, (f - judged) / len(others)) for c, f in others] + [
        (c, (y - f - off) / n) for c, y, f in rated
    ]
    reach = Z * sqrt(fsum(fsum(cluster) ** 2 for cluster in together(terms)))
    ends = max(0.0, judged + off - reach), min(1.0, judged + off + reach)
    drawn = ends if n >= FEWEST and ends[1] - ends[0] > 1e-9 else None
    labels = limits(together((c, y) for c, y, _ in rated))
    return EstimateRead(min(1.0, max(0.0, judged + off)), n, of, drawn, also={"labels only": labels})
