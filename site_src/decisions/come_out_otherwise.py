"""An estimate of one arm as it would be, had some of its outcomes come out otherwise.

Does: move a share or a mean by a number of outcomes and draw its intervals again, plain and at the bounds, as
they were drawn. Does not: judge; the estimate it gives is judged like any other.
"""

from __future__ import annotations

from dataclasses import replace
from math import isclose

from metrics_core.bounds import outer_wilson
from metrics_core.codes import Method
from metrics_core.estimate import Estimate
from metrics_core.intervals import wilson_limits
from metrics_core.quantiles import t_quantile
from metrics_core.t_table import Z_975

TASKS = "tasks"
"""What N counts where the mean is over tasks that were repeated, and not over runs."""


def units(e: Estimate) -> int:
    """How many outcomes the value is a mean of: known runs, or tasks that were repeated."""
    return e.N or 0 if e.of == TASKS else e.known


def counted(e: Estimate) -> bool:
    """Whether the value is a plain n of N, so that one outcome moves it by 1/N and no less."""
    return e.of != TASKS and e.known == e.N and e.value is not None and isclose(
        e.value, (e.n or 0) / e.N, abs_tol=1e-12
    )  # fmt: skip


def drawn(e: Estimate, share: float, times: float = 1.0) -> tuple[float, float]:
    """Wilson's limits of another share, on as many runs as the estimate's own stand for.

    Args:
        e: An estimate that `can_be_drawn`.
        share: 0 to 1.
        times: How many times as many runs.
    """
    quantile = Z_975 if e.interval.n_eff is None else t_quantile((e.interval.clusters or 2) - 1)
    return wilson_limits(share, (e.interval.n_eff or units(e)) * times, quantile)


def can_be_drawn(e: Estimate) -> bool:
    """Whether the estimate's interval is Wilson's on its own counts, so that it can be drawn for others."""
    if e.value is None or e.interval.lo is None or e.interval.hi is None or not 0.0 <= e.value <= 1.0:
        return False
    lo, hi = drawn(e, e.value)
    return isclose(lo, e.interval.lo, abs_tol=1e-9) and isclose(hi, e.interval.hi, abs_tol=1e-9)


def turned(e: Estimate, by: int) -> Estimate:
    """The estimate with ``by`` outcomes more at 1, or with ``-by`` fewer; no lower than 0, no higher than 1.

    Args:
        e: An estimate that `can_be_drawn`; n follows where it is the value's own numerator.
        by: Outcomes, as `units` counts them.
    """
    n, N, value = e.n or 0, units(e), e.value or 0.0
    if counted(e):
        n = min(N, max(0, n + by))
        value = n / N
    else:
        value = round(min(1.0, max(0.0, value + by / N)), 12)
    lo, hi = drawn(e, value)
    made = replace(e, n=n, value=value, interval=replace(e.interval, lo=lo, hi=hi))
    if e.bounds is None:
        return made
    outer = outer_wilson(n, e.known, e.attempts)
    return replace(
        made,
        bounds=(n / e.attempts, (n + e.attempts - e.known) / e.attempts),
        also=tuple((name, outer if i.method is Method.WILSON_AT_THE_BOUNDS else i) for name, i in e.also),
    )
