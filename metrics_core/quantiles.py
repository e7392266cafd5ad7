"""Normal and t quantiles at 95 %, and the p-value of a t statistic.

Only + - * / and sqrt are used, so that two machines agree to the last bit. Levels other than 95 % are
not served: every interval of the project is drawn at one level, and a table is only as good as the
check it gets.
"""

from __future__ import annotations

from math import floor, isnan

from metrics_core.incomplete_beta import regularised_beta
from metrics_core.t_table import T_975, T_975_EXPANSION, Z_975


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

    Source: table in `metrics_core.t_table`; Abramowitz and Stegun 26.7.5 above df 200.

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
        to df 2,000 (see `metrics_core.incomplete_beta`).

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
