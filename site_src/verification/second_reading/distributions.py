"""Tails and quantiles: normal, Student's t, and the binomial through the incomplete beta function."""

from __future__ import annotations

from functools import lru_cache
from math import exp, lgamma, log, sqrt
from statistics import NormalDist
from typing import Final

Z: Final = NormalDist().inv_cdf(0.975)
_TINY: Final = 1e-300


def beta_tail(x: float, a: float, b: float) -> float:
    """I_x(a, b), by the continued fraction of DLMF 8.17.22 in the form of modified Lentz.

    >>> round(beta_tail(0.25, 2.0, 3.0), 9)
    0.26171875
    """
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - beta_tail(1.0 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1.0 - x)) / a
    c, d = 1.0, 1.0 / _kept(1.0 - (a + b) * x / (a + 1.0))
    value = d
    for m in range(1, 10_000):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0)),
        ):
            d = 1.0 / _kept(1.0 + step * d)
            c = _kept(1.0 + step / c)
            value *= c * d
        if abs(c * d - 1.0) < 1e-16:
            break
    return min(1.0, front * value)


def _kept(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def t_two_sided(statistic: float, df: int) -> float:
    """P(|T| > t) of Student's t.

    >>> round(t_two_sided(2.2621571627982053, 9), 9)
    0.05
    """
    if statistic * statistic == float("inf"):
        return 0.0
    return beta_tail(df / (df + statistic * statistic), df / 2, 0.5)


@lru_cache(maxsize=4096)
def t_quantile(df: int) -> float:
    """The 0.975 quantile of Student's t, by bisection.

    >>> round(t_quantile(5), 9)
    2.570581836
    """
    below, above = 1.9, 13.0
    for _ in range(60):
        middle = (below + above) / 2
        below, above = (middle, above) if t_two_sided(middle, df) > 0.05 else (below, middle)
    return (below + above) / 2


def wilson(share: float, n: float, quantile: float = Z) -> tuple[float, float]:
    """Wilson 1927: the shares p with ``|share - p| = quantile * sqrt(p (1 - p) / n)``, as roots.

    >>> [round(limit, 9) for limit in wilson(0.8, 15)]
    [0.548145513, 0.929524507]
    """
    q = quantile * quantile / n
    a, b, c = 1.0 + q, -(2.0 * share + q), share * share
    root = sqrt(max(0.0, b * b - 4.0 * a * c))
    high = (-b + root) / (2.0 * a)
    low = c / (a * high)
    return max(0.0, low), 1.0 if share == 1.0 else min(1.0, high)


@lru_cache(maxsize=1 << 16)
def clopper_pearson(n: int, of: int) -> tuple[float, float]:
    """Clopper and Pearson 1934: the shares at which n or more, and n or fewer, have probability 0.025.

    >>> [round(limit, 9) for limit in clopper_pearson(12, 15)]
    [0.519108866, 0.956687995]
    """
    low = 0.0 if n == 0 else _where(n, of - n + 1)
    high = 1.0 if n == of else 1.0 - _where(of - n, n + 1)
    return low, high


def _where(a: int, b: int) -> float:
    """The x at which I_x(a, b) is 0.025."""
    below, above = 0.0, 1.0
    while above - below > 1e-15 * above:
        middle = (below + above) / 2
        if not below < middle < above:
            break
        below, above = (middle, above) if beta_tail(middle, a, b) < 0.025 else (below, middle)
    return (below + above) / 2
