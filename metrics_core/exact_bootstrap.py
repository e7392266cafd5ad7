"""Percentile bootstrap without resampling: every resample there could be, counted.

The number of ways to reach each sum is a coefficient of ``(sum of x^value)^n``. The polynomial is packed
into one integer, wide enough that coefficients cannot touch, and raised to the n-th power: exact, no
seed, no noise. Values must stand on a common integer scale (`on_common_scale`). Problems that would take
more than some tenths of a second are declined with a reason; the signed, random bootstrap is in
`metrics_core.bootstrap`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import gcd, lcm

from metrics_core.intervals import FEW_CLUSTERS, MIN_KNOWN, TOO_FEW, Interval

MAX_BITS = 2_000_000
"""Largest packed integer: its power takes about a tenth of a second."""

MAX_BINOMIAL = 5_000
"""Most draws of two-valued units, whose coefficients are binomial and need no packing."""

MAX_RATIOS = 100_000
"""Most (runs, sum) outcomes that are sorted where clusters differ in size."""

Outcome = tuple[int, int, int]
"""Ways to draw it, its sum on the integer scale, its number of runs."""


def on_common_scale(values: Sequence[float], largest: int = 1000) -> tuple[list[int], int] | None:
    """Values as whole multiples of one fraction, where they are such.

    Args:
        values: Finite numbers, any order.
        largest: Denominators up to this are recognised; a common one may reach 1,000,000.

    Returns:
        Integers and the scale that divides them, or None.

    >>> on_common_scale([0.2, 0.25, 1.0])
    ([4, 5, 20], 20)
    """
    fractions = {value: Fraction(value).limit_denominator(largest) for value in set(values)}
    if any(float(fraction) != value for value, fraction in fractions.items()):
        return None
    scale = lcm(*(fraction.denominator for fraction in fractions.values()))
    if scale > 1_000_000:
        return None
    whole = {value: int(fraction * scale) for value, fraction in fractions.items()}
    return [whole[value] for value in values], scale


def exact_percentile_bootstrap(values: Sequence[int], scale: int = 1) -> Interval:
    """The 2.5 % and 97.5 % points of the mean over all n^n resamples of independent runs.

    Args:
        values: One a run, whole numbers: the run's value times ``scale``.
        scale: 1 or more.

    Returns:
        Limits in ``value / scale``. No interval below 8 runs, where all runs agree, or where the count
        would take too long.

    Source: Efron 1979, Annals of Statistics 7:1; quantiles of type 1 (Hyndman and Fan 1996).

    >>> limits = exact_percentile_bootstrap([0, 1, 0, 0, 1, 0, 0, 1])
    >>> limits.lo, limits.hi
    (0.125, 0.75)
    """
    method = "exact percentile bootstrap"
    if len(values) < MIN_KNOWN:
        return Interval.none(TOO_FEW, method=method)
    none = Interval.none("all runs agree", method=method)
    return _percentiles([(value, 1) for value in values], scale, none)


def exact_cluster_bootstrap(
    clusters: Sequence[Sequence[int]], scale: int = 1, *, key: str | None = None
) -> Interval:
    """The same with clusters drawn whole: mean over runs of all G^G resamples of clusters.

    Args:
        clusters: Values of each cluster as whole numbers, times ``scale``; sizes may differ.
        scale: 1 or more.
        key: What the clusters are, for the caption.

    Returns:
        Limits in ``value / scale``. No interval below 8 runs, with a single cluster, where all clusters
        agree, or where the count would take too long.

    Source: Davison and Hinkley 1997, Bootstrap Methods and their Application, 3.8.

    >>> limits = exact_cluster_bootstrap([[1, 1, 0, 1], [0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 0, 0]])
    >>> limits.lo, limits.hi
    (0.125, 0.875)
    """
    method = "exact cluster bootstrap"
    if sum(len(values) for values in clusters) < MIN_KNOWN:
        return Interval.none(TOO_FEW, method=method)
    if len(clusters) == 1:
        return Interval.none("a single cluster", method=method, cluster=key, clusters=1)
    few = len(clusters) < FEW_CLUSTERS
    none = Interval.none("all clusters agree", method=method, cluster=key, clusters=len(clusters), few=few)
    return _percentiles([(sum(values), len(values)) for values in clusters], scale, none)


def _percentiles(units: Sequence[tuple[int, int]], scale: int, none: Interval) -> Interval:
    """Limits over all resamples of units (sum, runs); ``none`` carries what is told either way."""
    if scale < 1 or min(size for _, size in units) < 1:
        raise ValueError(f"scale {scale} and sizes of 1 or more expected")
    ways = len(units) ** len(units)
    found = _outcomes(units)
    if found is None:
        return replace(none, reason="too many values for the exact bootstrap")
    # Type 1: the smallest mean that 2.5 % (97.5 %) of all resamples do not exceed.
    limits: list[Fraction] = []
    seen = 0
    for weight, total, runs in found:
        seen += weight
        while len(limits) < 2 and 40 * seen >= (1, 39)[len(limits)] * ways:
            limits.append(Fraction(total, runs * scale))
        if len(limits) == 2:
            break
    lo, hi = (float(limit) for limit in limits)
    if lo == hi:
        return replace(none, reason="all resamples agree")
    return replace(none, lo=lo, hi=hi, reason=None)


def _outcomes(units: Sequence[tuple[int, int]]) -> Iterator[Outcome] | None:
    """Every (ways, sum, runs) of as many draws as there are units, by rising mean; None if too many."""
    draws = len(units)
    low, small = min(total for total, _ in units), min(size for _, size in units)
    step = gcd(*(total - low for total, _ in units)) or 1
    shifted = [((total - low) // step, size - small) for total, size in units]
    even = all(size == 0 for _, size in shifted)
    if even and max(total for total, _ in shifted) <= 1:
        successes = sum(total for total, _ in shifted)
        return _binomial_outcomes(successes, draws, low, step, small) if draws <= MAX_BINOMIAL else None
    # A slot for each sum; where sizes differ, a row of such slots for each number of runs.
    row = draws * max(total for total, _ in shifted) + 1
    slots = row * (draws * max(size for _, size in shifted) + 1)
    width = ((draws**draws).bit_length() + 7) // 8
    if slots * width * 8 > MAX_BITS or (not even and slots > MAX_RATIOS):
        return None
    packed = 0
    for total, size in shifted:
        packed += 1 << (8 * width * (size * row + total))
    coefficients = (packed**draws).to_bytes(slots * width + 1, "little")

    def read() -> Iterator[Outcome]:
        for slot in range(slots):
            weight = int.from_bytes(coefficients[slot * width : (slot + 1) * width], "little")
            if weight:
                yield weight, slot % row * step + draws * low, slot // row + draws * small

    return read() if even else iter(sorted(read(), key=lambda outcome: Fraction(outcome[1], outcome[2])))


def _binomial_outcomes(successes: int, draws: int, low: int, step: int, size: int) -> Iterator[Outcome]:
    failures = draws - successes
    if not successes:
        yield draws**draws, draws * low, draws * size
        return
    weight = failures**draws
    for i in range(draws + 1):
        if weight:
            yield weight, i * step + draws * low, draws * size
        weight = weight * (draws - i) * successes // ((i + 1) * failures) if i < draws else 0
