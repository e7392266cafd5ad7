"""How the sum of as many draws as there are units is spread, in floating point, with a bound on its error.

The polynomial that `metrics_core.exact_bootstrap` counts out in integers is raised to its power through a
Fourier transform: many times faster, and right but for rounding. Whoever asks gets an answer only where no
rounding within the bound could change it; None says that integers must decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

_ROUNDING = 2.0**-53
"""Unit of rounding of a double."""


def reached_at(
    places: Sequence[int], slots: int, shares: Sequence[float], rising: Floats | None = None
) -> list[int] | None:
    """The slots in which the running total of probability first reaches each share.

    Args:
        places: The slot of each unit, 0 or more; a draw takes any unit alike, and slots of draws add up.
        slots: Slots that as many draws as there are units can fall in: 1 + draws * max(places).
        shares: Between 0 and 1, rising.
        rising: A value of each slot by which they are gone through; in their own order by default.

    Returns:
        One slot a share; None where a total comes nearer to a share than rounding could have moved it.

    >>> reached_at([0, 1, 0, 0, 1, 0, 0, 1], 9, (0.025, 0.975))
    [1, 6]
    >>> reached_at([0, 1], 3, (0.25,)) is None  # exactly a quarter of all draws: for integers to say
    True
    """
    spread, off = _spread(places, slots)
    order = None if rising is None else np.argsort(rising, kind="stable")
    totals = np.cumsum(spread if order is None else spread[order])
    found = []
    for share in shares:
        at = int(np.searchsorted(totals, share - off))
        if at == slots or totals[at] < share + off:
            return None
        found.append(at if order is None else int(order[at]))
    return found


def _spread(places: Sequence[int], slots: int) -> tuple[Floats, float]:
    """Probability of each slot, and how far a running total of them may be off.

    Source of the bound: Higham 2002, Accuracy and Stability of Numerical Algorithms, theorem 24.2 (a
    transform of length 2^t is off by less than 7 t roundings of its norm); the power multiplies it by the
    number of draws, a sum over slots by at most the root of their number. Doubled, to be safe.
    """
    draws, steps = len(places), max(1, (slots - 1).bit_length())
    once = np.bincount(places, minlength=slots) / draws
    spectrum = _power(np.fft.rfft(once, 1 << steps), draws)
    spread = np.fft.irfft(spectrum, 1 << steps)[:slots]
    a_slot = 2 * draws * (7 * steps + 4 + log2(draws + 1)) * _ROUNDING
    return np.maximum(spread, 0.0), sqrt(slots) * a_slot + slots * _ROUNDING


def _power(base: NDArray[np.complex128], exponent: int) -> NDArray[np.complex128]:
    """By squaring: numpy's own goes through logarithms, and is less exact."""
    result = np.ones_like(base)
    while exponent:
        if exponent & 1:
            result = result * base
        base, exponent = base * base, exponent >> 1
    return result
