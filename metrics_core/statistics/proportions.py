"""Intervals for a single share of independent verdicts: Wilson's, Clopper-Pearson's, and the wider of two."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt
from typing import Final

from metrics_core.results import LEVEL, MIN_KNOWN, Interval, Method, NoInterval
from metrics_core.statistics.distributions import regularised_beta
from metrics_core.statistics.t_table import Z_975

MANY_SHARES: Final = 24
"""Shares from which on exact limits take less time together, as arrays, than one after the other."""

AGREED: Final = 4e-16
"""Two guesses at a limit agree where they differ by no more than this share."""


def wilson_limits(share: float, n: float, quantile: float = Z_975) -> tuple[float, float]:
    """Wilson's score limits for a share of n independent runs.

    Args:
        share: Observed share, 0 to 1.
        n: Runs, above 0; an effective number may be a fraction.
        quantile: In standard errors.

    Returns:
        Lower and upper limit in 0..1; exactly 0 below a share of 0, exactly 1 above a share of 1.

    Raises:
        ValueError: The share is outside 0..1, or n is not above 0.

    Source: Wilson 1927, JASA 22:209. The order of operations is part of the promise: the limits are
    published to the last bit.

    >>> [round(limit, 12) for limit in wilson_limits(12 / 15, 15)]
    [0.548145512848, 0.92952450653]
    """
    if not (0.0 <= share <= 1.0 and n > 0):
        raise ValueError(f"a share of {share!r} of {n!r} runs, expected 0 to 1 of more than 0")
    square = quantile * quantile
    denominator = 1 + square / n
    centre = (share + square / (2 * n)) / denominator
    reach = quantile * sqrt(share * (1 - share) / n + square / (4 * n * n)) / denominator
    return (0.0 if share == 0 else max(0.0, centre - reach), 1.0 if share == 1 else min(1.0, centre + reach))


def wilson(n: int, N: int, *, known: int | None = None) -> Interval:
    """Wilson's interval for n of N independent verdicts.

    Args:
        n: Successes, 0 to N.
        N: Known verdicts.
        known: Runs they came from, where that is not N; fewer than 8 give no interval.

    Raises:
        ValueError: n is not within 0..N.

    >>> wilson(12, 15).to_json()["method"], wilson(1, 2).reason
    ('wilson', 'too few valid runs')
    """
    if refused := _refused(n, N, known, Method.WILSON):
        return refused
    lo, hi = wilson_limits(n / N, N)
    return Interval(lo=lo, hi=hi, method=Method.WILSON)


def clopper_pearson(n: int, N: int, *, known: int | None = None) -> Interval:
    """Clopper-Pearson's exact interval for n of N independent verdicts; conservative.

    Args:
        n: Successes, 0 to N.
        N: Known verdicts.
        known: Runs they came from, where that is not N; fewer than 8 give no interval.

    Raises:
        ValueError: n is not within 0..N.

    Source: Clopper and Pearson 1934, Biometrika 26:404, by false position on the binomial tail.

    >>> [round(limit, 12) for limit in (clopper_pearson(12, 15).lo, clopper_pearson(12, 15).hi)]
    [0.519108866193, 0.956687994894]
    """
    if refused := _refused(n, N, known, Method.CLOPPER_PEARSON):
        return refused
    return Interval(lo=_exact_lower(n, N), hi=1.0 - _exact_lower(N - n, N), method=Method.CLOPPER_PEARSON)


def wider(signed: Interval, other: Interval) -> Interval:
    """Of two intervals for one value, the wider one; the one there is, if there is but one.

    >>> found = Interval(lo=0.7, hi=1.0, method=Method.WILSON)
    >>> wider(Interval.none(NoInterval.RESAMPLES_AGREE), found) is found
    True
    """
    if signed.width is None or other.width is None:
        return signed if other.width is None else other
    return other if other.width > signed.width else signed


def _refused(n: int, N: int, known: int | None, method: Method) -> Interval | None:
    if not 0 <= n <= N:
        raise ValueError(f"{n} of {N} is no share: expected 0 <= n <= N")
    if N == 0 or (N if known is None else known) < MIN_KNOWN:
        return Interval.none(NoInterval.TOO_FEW, method=method)
    return None


@lru_cache(maxsize=4096)
def _exact_lower(n: int, size: int) -> float:
    """The share at which ``n`` or more of ``size`` has probability 0.025."""
    if n == 0:
        return 0.0

    def excess(share: float) -> float:
        return regularised_beta(share, 1.0 - share, 2 * n, 2 * (size - n + 1)) - (1.0 - LEVEL) / 2

    below, above, last = 0.0, n / size, 0
    under, over = excess(below), excess(above)
    share, guess = -1.0, wilson_limits(n / size, size)[0]  # close by, and so a good first guess
    # False position; an end that stays twice is trusted half as much (the Illinois rule).
    while below < guess < above and abs(guess - share) > AGREED * guess:
        share = guess
        found = excess(share)
        side = 1 if found > 0.0 else -1
        if side > 0:
            above, over, under = share, found, under / 2 if last == side else under
        else:
            below, under, over = share, found, over / 2 if last == side else over
        last = side
        guess = (below * over - above * under) / (over - under)
    return min(max(guess, below), above)
