"""The regularised incomplete beta function, and Student's t from it, to the same bit on every machine.

Binomial tails and t tails are values of the beta function. It is written with + - * /, sqrt and exact
scaling by powers of two only: library `gamma`, `log` and `pow` differ in their last bit between machines. It
serves half-integer parameters, which is all that tails of counts and of t need; it is no general library.
Quantiles are those of 95 %: every interval of the project is given at one level, and a table is only as good
as the check it gets. What a first step of Holm's asks for is found by inverting the t p-value.

Relative accuracy, measured against 40-digit arithmetic: 1e-13 for parameters up to 500, 1e-12 up to 5,000.
The error grows with the parameter (at most about a / 2^52), because x is rounded before it is raised to
the power a.
"""

from __future__ import annotations

from functools import lru_cache
from math import floor, frexp, isnan, ldexp, pi, sqrt
from typing import Final

from metrics_core.statistics.t_table import T_975, T_975_EXPANSION, Z_800, Z_975

SMALLEST: Final = 1e-300
"""No part of a continued fraction comes nearer to 0."""

ENOUGH: Final = 3e-16
"""A continued fraction has converged once a step moves it by no more than this share."""

Scaled = tuple[float, int]
"""A positive number as (mantissa, exponent of two): powers of small numbers would underflow a float."""


def regularised_beta(x: float, y: float, a2: int, b2: int) -> float:
    """I_x(a, b), the probability that a Beta(a, b) variable is at most x.

    Args:
        x: Between 0 and 1.
        y: ``1 - x``, given apart because the caller often knows it without cancellation.
        a2: Twice the first parameter, 1 or more.
        b2: Twice the second parameter, 1 or more.

    Returns:
        A probability, 0 to 1.

    Raises:
        ValueError: A parameter is below one half, or x or y lies outside 0..1.

    Source: continued fraction DLMF 8.17.22, evaluated by Lentz's method.

    >>> regularised_beta(0.5, 0.5, 2, 2)
    0.5
    >>> round(regularised_beta(0.25, 0.75, 4, 6), 9)  # P(at least 2 of 4 at 0.25)
    0.26171875
    """
    if a2 < 1 or b2 < 1:
        raise ValueError(f"parameters are {a2}/2 and {b2}/2, expected 1/2 or more")
    if not (0.0 <= x <= 1.0 and 0.0 <= y <= 1.0):
        raise ValueError(f"x is {x!r} and y is {y!r}, expected 0 to 1")
    if x == 0.0 or y == 0.0:
        return 0.0 if x == 0.0 else 1.0
    # The fraction converges quickly on the near side of the mean; the far side is its complement.
    if x * (a2 + b2 + 4) > a2 + 2:
        return 1.0 - _tail(y, x, b2, a2)
    return _tail(x, y, a2, b2)


def _tail(x: float, y: float, a2: int, b2: int) -> float:
    mantissa, exponent = inverse_beta(a2, b2)
    for base, twice in ((x, a2), (y, b2)):
        factor, shift = _half_power(base, twice)
        mantissa, carry = frexp(mantissa * factor)
        exponent += shift + carry
    value = mantissa * _continued_fraction(x, a2 / 2, b2 / 2) / (a2 / 2)
    return min(1.0, ldexp(value, exponent)) if exponent > -1080 else 0.0


@lru_cache(maxsize=1024)
def inverse_beta(a2: int, b2: int) -> Scaled:
    """1 / B(a, b) as a scaled number, from B(1/2, 1/2) = pi, B(1/2, 1) = 2, B(1, 1) = 1 upwards.

    Args:
        a2: Twice the first parameter, 1 or more.
        b2: Twice the second parameter, 1 or more.

    >>> inverse_beta(4, 6)  # 1/B(2, 3) = 12 = 0.75 * 2^4
    (0.75, 4)
    """
    a, b = 2 - a2 % 2, 2 - b2 % 2
    scaled = frexp({2: 1 / pi, 3: 0.5, 4: 1.0}[a + b])
    return stepped(b, b2, a2, stepped(a, a2, b, scaled))


def stepped(x: int, until: int, other: int, scaled: Scaled) -> Scaled:
    """``(x + other) / x`` multiplied on for every second x: between the scalings it stays in the range.

    Args:
        x: The first.
        until: One beyond the last.
        other: What is added to each.
        scaled: What they are multiplied on, its mantissa from 0.5 to 1.

    >>> stepped(2, 6, 2, (0.5, 1))  # (4/2) (6/4) = 3
    (0.75, 2)
    """
    mantissa, exponent = scaled
    at, beside = float(x), float(other)
    unscaled = max(1, 900 // (until + other).bit_length())
    for done in range(0, (until - x) // 2, unscaled):
        for _ in range(min(unscaled, (until - x) // 2 - done)):
            mantissa = mantissa * (at + beside) / at
            at += 2.0
        mantissa, carry = frexp(mantissa)
        exponent += carry
    return mantissa, exponent


def _half_power(base: float, twice: int) -> Scaled:
    """``base ** (twice / 2)`` by repeated squaring; `pow` is not the same on every machine."""
    mantissa, exponent = frexp(sqrt(base)) if twice % 2 else (1.0, 0)
    square, square_exponent = frexp(base)
    power = twice // 2
    while power:
        if power % 2:
            mantissa, carry = frexp(mantissa * square)
            exponent += square_exponent + carry
        square, carry = frexp(square * square)
        square_exponent = 2 * square_exponent + carry
        power //= 2
    return mantissa, exponent


def _continued_fraction(x: float, a: float, b: float) -> float:
    """Lentz's method: neither fraction comes nearer to 0 than ``SMALLEST``."""
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    value = d = 1.0 / (d if abs(d) > SMALLEST else SMALLEST)
    m = 1.0
    while True:
        end = a + 2 * m
        factor = m * (b - m) * x / ((end - 1.0) * end)
        d, c = 1.0 + factor * d, 1.0 + factor / c
        d = 1.0 / (d if abs(d) > SMALLEST else SMALLEST)
        c = c if abs(c) > SMALLEST else SMALLEST
        value *= d * c
        factor = -(a + m) * (a + b + m) * x / (end * (end + 1.0))
        d, c = 1.0 + factor * d, 1.0 + factor / c
        d = 1.0 / (d if abs(d) > SMALLEST else SMALLEST)
        c = c if abs(c) > SMALLEST else SMALLEST
        step = d * c
        value *= step
        if abs(step - 1.0) <= ENOUGH:
            return value
        m += 1.0


def t_quantile(df: float) -> float:
    """The 0.975 quantile of Student's t distribution.

    Args:
        df: Degrees of freedom, 1 or more. Up to 200 a fraction is stepped down to the whole number
            below, which gives the larger quantile and so the wider interval.

    Returns:
        The quantile, in standard errors. Up to df 200 from the shipped table, correctly rounded; above
        by Cornish-Fisher expansion, within 3e-12.

    Raises:
        ValueError: df is below 1 or not a number.

    Source: table in `metrics_core.statistics.t_table`; Abramowitz and Stegun 26.7.5 above df 200.

    >>> t_quantile(5), t_quantile(5.9)
    (2.5705818356363155, 2.5705818356363155)
    >>> round(t_quantile(1000), 9)
    1.962339081
    """
    if isnan(df) or df < 1:
        raise ValueError(f"degrees of freedom are {df!r}, expected 1 or more")
    if df < len(T_975) + 1:
        return T_975[floor(df) - 1]
    g1, g2, g3, g4 = T_975_EXPANSION
    step = 1.0 / df
    return Z_975 + step * (g1 + step * (g2 + step * (g3 + step * g4)))


def t_p_value(statistic: float, df: int) -> float:
    """The two-sided p-value of a t statistic.

    Args:
        statistic: Estimate over its standard error; may be infinite.
        df: Degrees of freedom, 1 or more.

    Returns:
        Probability, 0 to 1, of a statistic at least this far from 0. Relative accuracy 1e-12 up
        to df 2,000 (see `metrics_core.statistics.distributions`).

    Raises:
        ValueError: df is below 1, or the statistic is not a number.

    Source: P(|T| > t) = I_x(df/2, 1/2) with x = df / (df + t^2).

    >>> round(t_p_value(2.317461838009, 9), 9)
    0.045675201
    >>> t_p_value(0.0, 9)
    1.0
    """
    if isnan(statistic):
        raise ValueError("the t statistic is not a number")
    if df < 1:
        raise ValueError(f"degrees of freedom are {df!r}, expected 1 or more")
    ratio = statistic * statistic / df
    if ratio > 1e300:
        return 0.0
    return regularised_beta(1.0 / (1.0 + ratio), ratio / (1.0 + ratio), df, 1)


@lru_cache(maxsize=1024)
def holm_t_quantile(df: int, family: int) -> float:
    """The t quantile that the smallest p-value of a family has to reach: ``1 - 0.025 / family``.

    Args:
        df: Degrees of freedom, 1 or more.
        family: Comparisons that Holm's adjustment runs over, 1 or more.

    Returns:
        `t_quantile` for a family of one; else by bisection of `t_p_value`, to the last bit but one.

    Raises:
        ValueError: df or family is below 1.

    >>> round(holm_t_quantile(19, 3), 12), holm_t_quantile(19, 1) == t_quantile(19)
    (2.625105913223, True)
    """
    if family < 1:
        raise ValueError(f"a family of {family} comparisons")
    below = t_quantile(df)
    if family == 1:
        return below
    above = 2 * below
    while t_p_value(above, df) > 0.05 / family:
        below, above = above, 2 * above
    while below < (middle := below + (above - below) / 2) < above:
        if t_p_value(middle, df) > 0.05 / family:
            below = middle
        else:
            above = middle
    return above


def holm_normal_quantile(family: int) -> float:
    """The normal quantile at ``1 - 0.025 / family``: the limit of `holm_t_quantile` in df.

    Args:
        family: Comparisons that Holm's adjustment runs over, 1 or more.

    Returns:
        Extrapolated (Richardson) from df 500, 1000 and 2000, within 1e-7 up to a family of 1000.

    >>> round(holm_normal_quantile(3), 6)
    2.39398
    """
    if family == 1:
        return Z_975
    first, second, third = (holm_t_quantile(df, family) for df in (500, 1000, 2000))
    return (first - 6 * second + 8 * third) / 3


def one_sided(statistic: float, df: int | None) -> float:
    """The probability of a statistic at least this low: the one-sided p-value of "lower".

    Args:
        statistic: Estimate less the tested value, over its standard error; may be infinite.
        df: Degrees of freedom of Student's t, 1 or more; None for the normal distribution.

    Returns:
        Probability, 0 to 1; for the normal distribution extrapolated (Richardson) from df 500, 1000 and 2000,
        within 1e-7.

    >>> round(one_sided(0.494974746831, None), 5), one_sided(0.0, 9)
    (0.68969, 0.5)
    """
    if df is None:
        first, second, third = (t_p_value(statistic, each) for each in (500, 1000, 2000))
        both = min(1.0, max(0.0, (first - 6 * second + 8 * third) / 3))
    else:
        both = t_p_value(statistic, df)
    return both / 2 if statistic < 0.0 else 1.0 - both / 2


def f_p_value(statistic: float, df1: int, df2: int) -> float:
    """The probability of an F statistic at least this large.

    Args:
        statistic: Of two mean squares, 0 or more.
        df1: Degrees of freedom of the first, 1 or more.
        df2: Of the second, 1 or more.

    Source: P(F > f) = I_x(df2/2, df1/2) with x = df2 / (df2 + df1 f).

    >>> round(f_p_value(0.478260869565, 2, 22), 9)
    0.626155987
    """
    total = df2 + df1 * statistic
    return regularised_beta(df2 / total, df1 * statistic / total, df2, df1)


def reach(df: int, family: int = 1, skew_term: float = 0.0, *, quantile: float = Z_800) -> float:
    """How many standard errors a difference must measure for the t test to show it with 80 % power.

    Args:
        df: Degrees of freedom of the test, 1 or more.
        family: Comparisons that Holm's adjustment runs over, for its first step.
        skew_term: What the skewness of the difference takes off the variance of the statistic, below 1.
        quantile: The normal quantile of another power.

    Source: the noncentral t by Jennett and Welch 1939, JRSS Supplement 6:94; without skewness within 0.006
    of 80 % for df 5 to 299 and families of 1 to 15.

    >>> round(reach(19), 9), round(reach(99, 3), 9)
    (2.954294819, 3.283322614)
    """
    critical = holm_t_quantile(df, family)
    spread = 1 + critical * critical / (2 * df) - skew_term
    return critical * (1 - 1 / (4 * df)) + quantile * sqrt(spread)
