"""Clopper-Pearson's limits of many shares at once, to the same bit as one by one.

A report asks for hundreds. Each step that `metrics_core.statistics.proportions` and
`metrics_core.statistics.distributions` take for one share is taken here for all of them, in the same order of
operations, over arrays: + - * /, and exact scaling by powers of two, round alike in either. A law holds that
both give the same limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from metrics_core.results import LEVEL, MIN_KNOWN, Interval, Method
from metrics_core.statistics.distributions import ENOUGH, SMALLEST, Scaled, stepped
from metrics_core.statistics.proportions import AGREED, MANY_SHARES, clopper_pearson, wilson_limits

Floats: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int64]


def clopper_pearsons(shares: Sequence[tuple[int, int]]) -> list[Interval]:
    """`clopper_pearson` of many shares.

    Args:
        shares: n and N of each, as `clopper_pearson` takes them.

    Raises:
        ValueError: An n is not within 0..N.

    >>> clopper_pearsons([(n, 40) for n in range(41)])[12] == clopper_pearson(12, 40)
    True
    """
    at_once = {(n, size) for n, size in shares if size >= MIN_KNOWN and 0 <= n <= size}
    if len(at_once) < MANY_SHARES:
        at_once = set()
    wanted = {(k, size) for n, size in at_once for k in (n, size - n) if k}
    lower = {(0, size): 0.0 for _, size in at_once} | _lower_limits(sorted(wanted))
    return [
        Interval(lo=lower[n, size], hi=1.0 - lower[size - n, size], method=Method.CLOPPER_PEARSON)
        if (n, size) in at_once
        else clopper_pearson(n, size)
        for n, size in shares
    ]


def _lower_limits(shares: Sequence[tuple[int, int]]) -> dict[tuple[int, int], float]:
    """The share at which n or more of N has probability 0.025, of each n above 0."""
    if not shares:
        return {}
    n, size = (np.array(each, dtype=np.int64) for each in zip(*shares, strict=True))
    beta = _Beta(2 * n, 2 * (size - n + 1))
    everyone = np.arange(len(shares))
    below, above = np.zeros(len(shares)), n / size
    under, over = _excess(beta, everyone, below), _excess(beta, everyone, above)
    share, last = np.full(len(shares), -1.0), np.zeros(len(shares), dtype=np.int64)
    guess = np.array([wilson_limits(k / of, of)[0] for k, of in shares])
    while True:
        open_ = (below < guess) & (guess < above) & (np.abs(guess - share) > AGREED * guess)
        at = np.flatnonzero(open_)
        if not at.size:
            break
        share[at] = guess[at]
        found = _excess(beta, at, share[at])
        high = found > 0.0
        up, down = at[high], at[~high]
        under[up] = np.where(last[up] == 1, under[up] / 2, under[up])
        above[up], over[up], last[up] = share[up], found[high], 1
        over[down] = np.where(last[down] == -1, over[down] / 2, over[down])
        below[down], under[down], last[down] = share[down], found[~high], -1
        guess[at] = (below[at] * over[at] - above[at] * under[at]) / (over[at] - under[at])
    limits = np.minimum(np.maximum(guess, below), above)
    return dict(zip(shares, limits.tolist(), strict=True))


def _excess(beta: _Beta, at: Whole, share: Floats) -> Floats:
    return beta.regularised(at, share, 1.0 - share) - (1.0 - LEVEL) / 2


class _Beta:
    """`regularised_beta` of many parameters, all of them whole.

    Args:
        a2: Twice the first parameters, even.
        b2: Twice the second, even.
    """

    def __init__(self, a2: Whole, b2: Whole) -> None:
        self.parameters = a2, b2
        self.inverse = np.full((2, len(a2)), np.nan)
        self.exponent = np.zeros((2, len(a2)), dtype=np.int64)

    def regularised(self, at: Whole, x: Floats, y: Floats) -> Floats:
        """I_x of those parameters that stand at some places."""
        a2, b2 = (each[at] for each in self.parameters)
        found = np.where(x == 0.0, 0.0, 1.0)
        inside = np.flatnonzero((x != 0.0) & (y != 0.0))
        if not inside.size:
            return found
        at, x, y, a2, b2 = at[inside], x[inside], y[inside], a2[inside], b2[inside]
        far = x * (a2 + b2 + 4) > a2 + 2
        x, y = np.where(far, y, x), np.where(far, x, y)
        a2, b2 = np.where(far, b2, a2), np.where(far, a2, b2)
        tail = _tail(x, y, a2, b2, *self._inverses(far.astype(np.intp), at, a2, b2))
        found[inside] = np.where(far, 1.0 - tail, tail)
        return found

    def _inverses(self, turned: Whole, at: Whole, a2: Whole, b2: Whole) -> tuple[Floats, Whole]:
        """1 / B(a, b), or with the two parameters in the other order, which rounds otherwise."""
        missing = np.isnan(self.inverse[turned, at])
        if missing.any():
            where = turned[missing], at[missing]
            self.inverse[where], self.exponent[where] = _inverse_betas(a2[missing], b2[missing])
        return self.inverse[turned, at], self.exponent[turned, at]


def _tail(x: Floats, y: Floats, a2: Whole, b2: Whole, mantissa: Floats, exponent: Whole) -> Floats:
    for base, twice in ((x, a2), (y, b2)):
        factor, shift = _power(base, twice // 2)
        mantissa, carry = np.frexp(mantissa * factor)
        exponent = exponent + shift + carry
    value = mantissa * _continued_fractions(x, a2 / 2, b2 / 2) / (a2 / 2)
    scaled = np.ldexp(value, np.maximum(exponent, -1080).astype(np.intc))
    return np.where(exponent > -1080, np.minimum(1.0, scaled), 0.0)


def _power(base: Floats, power: Whole) -> tuple[Floats, Whole]:
    """By repeated squaring, as a scaled number."""
    mantissa, exponent = np.ones(len(base)), np.zeros(len(base), dtype=np.int64)
    square, carry = np.frexp(base)
    square_exponent = carry.astype(np.int64)
    while power.any():
        odd = power % 2 == 1
        multiplied, carry = np.frexp(mantissa * square)
        mantissa = np.where(odd, multiplied, mantissa)
        exponent = np.where(odd, exponent + square_exponent + carry, exponent)
        square, carry = np.frexp(square * square)
        square_exponent = 2 * square_exponent + carry
        power = power // 2
    return mantissa, exponent


def _continued_fractions(x: Floats, a: Floats, b: Floats) -> Floats:
    """Lentz's method; what has converged is put aside, once half of what is left has."""
    found, at = np.empty(len(x)), np.arange(len(x))
    c = np.ones(len(x))
    value = d = 1.0 / _kept_from_zero(1.0 - (a + b) * x / (a + 1.0))
    both = a + b
    open_ = np.ones(len(x), dtype=bool)
    m = 1.0
    while at.size:
        end = a + 2 * m
        factor = m * (b - m) * x / ((end - 1.0) * end)
        d, c = 1.0 / _kept_from_zero(1.0 + factor * d), _kept_from_zero(1.0 + factor / c)
        value = value * (d * c)
        factor = -(a + m) * (both + m) * x / (end * (end + 1.0))
        d, c = 1.0 / _kept_from_zero(1.0 + factor * d), _kept_from_zero(1.0 + factor / c)
        step = d * c
        value = value * step
        done = (np.abs(step - 1.0) <= ENOUGH) & open_
        if done.any():
            found[at[done]] = value[done]
            open_ &= ~done
            if 2 * np.count_nonzero(open_) <= len(open_):
                at, x, a, b, both = at[open_], x[open_], a[open_], b[open_], both[open_]
                c, d, value = c[open_], d[open_], value[open_]
                open_ = np.ones(len(at), dtype=bool)
        m += 1.0
    return found


def _kept_from_zero(values: Floats) -> Floats:
    if np.minimum.reduce(values) > SMALLEST:
        return values
    return np.where(np.abs(values) <= SMALLEST, SMALLEST, values)


def _inverse_betas(a2: Whole, b2: Whole) -> tuple[Floats, Whole]:
    """1 / B(a, b) of each pair of parameters, longest products first, so that those at an end drop out."""
    firsts: dict[int, Scaled] = {}
    reached, scaled = 2, (0.5, 1)
    for until in sorted({*a2.tolist()}):
        scaled = stepped(reached, until, 2, scaled)
        reached, firsts[until] = until, scaled
    order = np.argsort(-b2, kind="stable")
    a, steps = a2[order], (b2[order] - 2) // 2
    mantissa = np.array([firsts[each][0] for each in a.tolist()])
    exponent = np.array([firsts[each][1] for each in a.tolist()], dtype=np.int64)
    unscaled = max(1, 900 // int((a2 + b2).max()).bit_length())
    top, done = a + 2.0, 0
    active = int(np.count_nonzero(steps > done))
    while active >= MANY_SHARES:
        until = min(done + unscaled, int(steps[active - 1]))
        some, above = mantissa[:active], top[:active]
        for step in range(done, until):
            some *= above
            some /= 2.0 * step + 2.0
            above += 2.0
        some[:], carry = np.frexp(some)
        exponent[:active] += carry
        done = until
        active = int(np.count_nonzero(steps > done))
    for place in range(active):
        rest = stepped(
            2 * done + 2, int(b2[order[place]]), int(a[place]), (float(mantissa[place]), int(exponent[place]))
        )
        mantissa[place], exponent[place] = rest
    back = np.argsort(order, kind="stable")
    return mantissa[back], exponent[back]
