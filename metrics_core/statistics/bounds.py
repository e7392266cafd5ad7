"""What unknown verdicts could do to a share: its worst and best case, without any assumption.

Bounds say what is *not known*; an interval says what is known only from a sample. They are never mixed,
except in `outer_wilson`, which says so in its method.
"""

from __future__ import annotations

from metrics_core.results import Interval, Method, NoInterval
from metrics_core.statistics.proportions import wilson_limits


def manski_bounds(n: int, N: int, attempts: int) -> tuple[float, float] | None:
    """The share if every attempt without a known verdict had gone against it, and for it.

    Args:
        n: Successes, 0 to N.
        N: Known verdicts, at most ``attempts``.
        attempts: Every run that was made.

    Returns:
        Lowest and highest share, or None without a single attempt.

    Raises:
        ValueError: Not ``0 <= n <= N <= attempts``.

    Source: Manski 1989, Journal of Human Resources 24:343.

    >>> manski_bounds(12, 15, 20)
    (0.6, 0.85)
    """
    if not 0 <= n <= N <= attempts:
        raise ValueError(f"{n} of {N} of {attempts}: expected 0 <= n <= N <= attempts")
    return (n / attempts, (n + attempts - N) / attempts) if attempts else None


def outer_wilson(n: int, N: int, attempts: int) -> Interval:
    """Wilson's lower limit at the worst case and its upper limit at the best case.

    Args:
        n: Successes, 0 to N.
        N: Known verdicts, at most ``attempts``.
        attempts: Every run that was made.

    Raises:
        ValueError: Not ``0 <= n <= N <= attempts``.

    >>> limits = outer_wilson(12, 15, 20)
    >>> round(limits.lo, 12), round(limits.hi, 12)
    (0.386581500762, 0.947631254104)
    """
    bounds = manski_bounds(n, N, attempts)
    if bounds is None:
        return Interval.none(NoInterval.NO_ATTEMPTS, method=Method.WILSON_AT_THE_BOUNDS)
    lo, hi = wilson_limits(bounds[0], attempts)[0], wilson_limits(bounds[1], attempts)[1]
    return Interval(lo=lo, hi=hi, method=Method.WILSON_AT_THE_BOUNDS)
