"""Percentile bootstrap without resampling: every resample there could be, counted.

The number of ways to reach each sum is a coefficient of ``(sum of x^value)^n``. `reached_at` raises that
polynomial to its power through a Fourier transform, in floating point and with a bound on its error, and
gives an answer only where no rounding within the bound could change it. Elsewhere the polynomial is packed
into one integer, wide enough that coefficients cannot touch, and raised in integers. Either way the limits
are exact: no seed, no noise.

Values must stand on a common integer scale (`on_common_scale`). Problems for which counting would take more
than some tenths of a second are declined with a reason; the signed, random bootstrap is in
`metrics_core.statistics.bootstrap.resampled`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm, log2, sqrt
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.results import FEW_CLUSTERS, MIN_KNOWN, Interval, Method, NoInterval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Slots: TypeAlias = NDArray[np.intp]

Whole: TypeAlias = Sequence[int] | Mapping[int, int]
"""Whole numbers one by one, or each with how often it occurs."""

MAX_BITS = 2_000_000
"""Largest packed integer: its power takes about a tenth of a second."""

MAX_BINOMIAL = 5_000
"""Most draws of two-valued units, whose coefficients are binomial and need no packing."""

MAX_RATIOS = 100_000
"""Most (runs, sum) outcomes that are sorted where clusters differ in size."""

FEW_SLOTS = 32
"""Outcomes that are counted in integers at once: that takes no longer than a transform, and no numpy."""

BANDS = 1024
"""Parts of the range of means in which resamples are counted, before those of one are put in order."""

_ROUNDING = 2.0**-53
"""Unit of rounding of a double."""


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
    fractions = {value: _fraction(value, largest) for value in set(values)}
    if any(top / bottom != value for value, (top, bottom) in fractions.items()):
        return None
    scale = lcm(*(bottom for _, bottom in fractions.values()))
    if scale > 1_000_000:
        return None
    whole = {value: top * (scale // bottom) for value, (top, bottom) in fractions.items()}
    return [whole[value] for value in values], scale


@lru_cache(maxsize=4096)
def _fraction(value: float, largest: int) -> tuple[int, int]:
    """The nearest fraction whose denominator is no larger."""
    return Fraction(value).limit_denominator(largest).as_integer_ratio()


def exact_percentile_bootstrap(values: Whole, scale: int = 1) -> Interval:
    """The 2.5 % and 97.5 % points of the mean over all n^n resamples of independent runs.

    Args:
        values: Of each run its value times ``scale``.
        scale: 1 or more.

    Returns:
        Limits in ``value / scale``. No interval below 8 runs, where all runs agree, or where the count
        would take too long.

    Source: Efron 1979, Annals of Statistics 7:1; quantiles of type 1 (Hyndman and Fan 1996).

    >>> limits = exact_percentile_bootstrap([0, 1, 0, 0, 1, 0, 0, 1])
    >>> limits.lo, limits.hi
    (0.125, 0.75)
    """
    method = Method.EXACT_PERCENTILE_BOOTSTRAP
    counted = _each_counted(values)
    if sum(counted.values()) < MIN_KNOWN:
        return Interval.none(NoInterval.TOO_FEW, method=method)
    none = Interval.none(NoInterval.RUNS_AGREE, method=method)
    return _percentiles({(value, 1): n for value, n in counted.items()}, scale, none)


def exact_cluster_bootstrap(clusters: Sequence[Whole], scale: int = 1, *, key: str | None = None) -> Interval:
    """The same with clusters drawn whole: mean over runs of all G^G resamples of clusters.

    Args:
        clusters: Values of each cluster, times ``scale``; sizes may differ.
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
    method = Method.EXACT_CLUSTER_BOOTSTRAP
    units = [
        (sum([value * n for value, n in counted.items()]), sum(counted.values()))
        for counted in map(_each_counted, clusters)
    ]
    if sum(size for _, size in units) < MIN_KNOWN:
        return Interval.none(NoInterval.TOO_FEW, method=method)
    if len(clusters) == 1:
        return Interval.none(NoInterval.SINGLE_CLUSTER, method=method, cluster=key, clusters=1)
    few = len(clusters) < FEW_CLUSTERS
    none = Interval.none(
        NoInterval.CLUSTERS_AGREE, method=method, cluster=key, clusters=len(clusters), few=few
    )
    return _percentiles(Counter(units), scale, none)


def _each_counted(values: Whole) -> Mapping[int, int]:
    return values if isinstance(values, Mapping) else Counter(values)


def _percentiles(units: Mapping[tuple[int, int], int], scale: int, none: Interval) -> Interval:
    """Limits over all resamples of counted units (sum, runs); ``none`` carries what holds either way."""
    if scale < 1 or min(size for _, size in units) < 1:
        raise ValueError(f"scale {scale} and sizes of 1 or more expected")
    draws = _Draws.of(units)
    if draws is None:
        return replace(none, absent=NoInterval.TOO_MANY_FOR_EXACT)
    low, high = _limits(draws)
    lo, hi = float(low / scale), float(high / scale)
    if lo == hi:
        return replace(none, absent=NoInterval.RESAMPLES_AGREE)
    return replace(none, lo=lo, hi=hi, absent=None)


@lru_cache(maxsize=4096)
def _limits(draws: _Draws) -> tuple[Fraction, Fraction]:
    """Type 1: the smallest mean that 2.5 % (97.5 %) of all resamples do not exceed."""
    return (None if draws.slots <= FEW_SLOTS else _near(draws)) or _counted(draws)


class _Draws(Struct, frozen=True):
    """As many draws as there are units, as powers of one variable: draws multiply, slots add up.

    A slot for each sum; where sizes differ, a row of such slots for each number of runs.

    Attributes:
        draws: How many.
        places: Slots of units, less the lowest, in steps, and how many units are at each; ascending.
        row: Slots of one number of runs.
        slots: All of them.
        step: What one slot adds to the sum.
        low: Sum of the lowest slot.
        small: Runs of the lowest row.
    """

    draws: int
    places: tuple[tuple[int, int], ...]
    row: int
    slots: int
    step: int
    low: int
    small: int

    @classmethod
    def of(cls, units: Mapping[tuple[int, int], int]) -> _Draws | None:
        """None where counting them out would take too long."""
        draws = sum(units.values())
        low, small = min(total for total, _ in units), min(size for _, size in units)
        step = gcd(*(total - low for total, _ in units)) or 1
        shifted = {((total - low) // step, size - small): n for (total, size), n in units.items()}
        widest, tallest = max(total for total, _ in shifted), max(size for _, size in shifted)
        row = draws * widest + 1
        slots = row * (draws * tallest + 1)
        places = tuple(sorted((size * row + total, n) for (total, size), n in shifted.items()))
        found = cls(draws, places, row, slots, step, draws * low, draws * small)
        if found.two_valued:
            return found if draws <= MAX_BINOMIAL else None
        at_least = draws * (draws.bit_length() - 1)  # bits of the ways to draw
        too_many = (tallest and slots > MAX_RATIOS) or slots * at_least > MAX_BITS
        return None if too_many or slots * found.width * 8 > MAX_BITS else found

    @property
    def even(self) -> bool:
        """Every unit has as many runs as any other."""
        return self.row == self.slots

    @property
    def two_valued(self) -> bool:
        """Units of one size that are one thing or another, or all alike."""
        return self.even and self.slots <= self.draws + 1

    @property
    def width(self) -> int:
        """Bytes that hold a count of resamples."""
        return (self.ways.bit_length() + 7) // 8

    @property
    def ways(self) -> int:
        """Of drawing so often from so many units."""
        ways: int = self.draws**self.draws
        return ways

    def mean(self, slot: int) -> Fraction:
        """Mean over runs of the draws that fall in a slot."""
        return Fraction(slot % self.row * self.step + self.low, slot // self.row + self.small)


def _near(draws: _Draws) -> tuple[Fraction, Fraction] | None:
    """Both limits, where floating point is enough to be sure of them."""
    import numpy as np

    means = None
    if not draws.even:
        if (abs(draws.low) + draws.row * draws.step) * (draws.slots // draws.row + draws.small) >= 1 << 52:
            return None  # means that differ might be rounded alike
        runs = np.arange(draws.slots // draws.row) + draws.small
        means = ((np.arange(draws.row) * draws.step + draws.low) / runs[:, None]).ravel()
    found = reached_at(dict(draws.places), draws.slots, (1 / 40, 39 / 40), means)
    return None if found is None else (draws.mean(found[0]), draws.mean(found[1]))


def _counted(draws: _Draws) -> tuple[Fraction, Fraction]:
    """Both limits, by counting every resample in integers."""
    ways = draws.ways
    limits: list[Fraction] = []
    seen = 0
    for weight, mean in _outcomes(draws):
        seen += weight
        while len(limits) < 2 and 40 * seen >= (1, 39)[len(limits)] * ways:
            limits.append(mean)
        if len(limits) == 2:
            break
    return limits[0], limits[1]


def _outcomes(draws: _Draws) -> Iterator[tuple[int, Fraction]]:
    """Every mean with the number of ways to draw it, by rising mean."""
    successes = dict(draws.places).get(1, 0)
    counts = _binomial_counts(successes, draws.draws) if draws.two_valued else _counts(draws)
    found = ((weight, draws.mean(slot)) for slot, weight in counts if weight)
    return found if draws.even else iter(sorted(found, key=lambda outcome: outcome[1]))


def _counts(draws: _Draws) -> Iterator[tuple[int, int]]:
    width = draws.width
    packed = 0
    for place, n in draws.places:
        packed += n << (8 * width * place)
    coefficients = (packed**draws.draws).to_bytes(draws.slots * width + 1, "little")
    for slot in range(draws.slots):
        yield slot, int.from_bytes(coefficients[slot * width : (slot + 1) * width], "little")


def _binomial_counts(successes: int, draws: int) -> Iterator[tuple[int, int]]:
    failures = draws - successes
    if not successes:
        yield 0, draws**draws
        return
    weight = failures**draws
    for i in range(draws + 1):
        yield i, weight
        weight = weight * (draws - i) * successes // ((i + 1) * failures) if i < draws else 0


def reached_at(
    places: Mapping[int, int], slots: int, shares: Sequence[float], rising: Floats | None = None
) -> list[int] | None:
    """The slots in which the running total of probability first reaches each share.

    Args:
        places: Slots, 0 or more, and how many units are at each; a draw takes any unit alike, and slots of
            draws add up.
        slots: Slots that as many draws as there are units can fall in: 1 + draws * max(places).
        shares: Between 0 and 1, rising.
        rising: A value of each slot by which they are gone through; in their own order by default.

    Returns:
        One slot a share; None where a total comes nearer to a share than rounding could have moved it.

    >>> reached_at({0: 5, 1: 3}, 9, (0.025, 0.975))
    [1, 6]
    >>> reached_at({0: 1, 1: 1}, 3, (0.25,)) is None  # exactly a quarter of all draws: integers must decide
    True
    """
    import numpy as np

    spread, off = _spread(places, slots)
    if rising is None:
        return _reached(spread, np.arange(slots), shares, off)
    at = np.flatnonzero(spread > off / slots)  # the others are no more, together, than rounding
    value, off = rising[at], 2 * off
    low, high = float(value.min()), float(value.max())
    band = ((value - low) * (BANDS / (high - low or 1.0))).astype(np.intp)  # only one of them is put in order
    totals = np.cumsum(np.bincount(band, spread[at]))
    found: list[int] = []
    for share in shares:
        reached = int(np.searchsorted(totals, share - off))
        inside = np.flatnonzero(band == reached)
        order = at[inside[np.argsort(value[inside], kind="stable")]]
        before = float(totals[reached - 1]) if reached else 0.0
        slot = _reached(spread[order], order, (share - before,), off)
        if slot is None:
            return None
        found += slot
    return found


def _reached(weights: Floats, slots: Slots, shares: Sequence[float], off: float) -> list[int] | None:
    """The slots in which a running total first reaches each share; None where ``off`` might decide."""
    import numpy as np

    totals = np.cumsum(weights)
    found = []
    for share in shares:
        at = int(np.searchsorted(totals, share - off))
        if at == len(totals) or totals[at] < share + off:
            return None
        found.append(int(slots[at]))
    return found


def _spread(places: Mapping[int, int], slots: int) -> tuple[Floats, float]:
    """Probability of each slot, and how far a running total of them may be off.

    Source of the bound: Higham 2002, Accuracy and Stability of Numerical Algorithms, theorem 24.2 (a
    transform of length 2^t is off by less than 7 t roundings of its norm); the power multiplies it by the
    number of draws, a sum over slots by at most the root of their number. Doubled, to be safe.
    """
    import numpy as np

    draws, steps = sum(places.values()), max(1, (slots - 1).bit_length())
    once = np.zeros(slots)
    once[list(places)] = [n / draws for n in places.values()]
    spectrum = _power(np.fft.rfft(once, 1 << steps), draws)
    spread = np.fft.irfft(spectrum, 1 << steps)[:slots]
    a_slot = 2 * draws * (7 * steps + 4 + log2(draws + 1)) * _ROUNDING
    return np.maximum(spread, 0.0), sqrt(slots) * a_slot + slots * _ROUNDING


def _power(base: NDArray[np.complex128], exponent: int) -> NDArray[np.complex128]:
    """By squaring: numpy's own goes through logarithms, and is less exact. The exponent is 1 or more."""
    result = None
    while True:
        if exponent & 1:
            result = base if result is None else result * base
        exponent >>= 1
        if result is not None and not exponent:
            return result
        base = base * base
