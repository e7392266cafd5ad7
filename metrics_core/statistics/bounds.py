"""What is not known could do to a mean of 0..1 values: its worst and best case, without any assumption.

Bounds say what is *not known*; an interval says what is known only from a sample. They are never mixed,
except in `outer_wilson` and `outer_limits`, which say so in their method. Whether bounds lead is asked of
`share_not_known`. Tasks that were tried several times have theirs in `metrics_core.statistics.pass_at_k`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from metrics_core.results import Interval, Method, NoInterval
from metrics_core.statistics.clustered import wilson_effective
from metrics_core.statistics.frequencies import ClusterTotals, Frequencies, Values, counts_of, together
from metrics_core.statistics.proportions import wilson_limits


def manski_bounds(n: float, N: int, attempts: int) -> tuple[float, float] | None:
    """The mean if every attempt without a known value had counted 0, and 1.

    Args:
        n: Successes, or the sum of values in 0..1; 0 to N.
        N: Known verdicts or values, at most ``attempts``.
        attempts: Every run that was made, or that was planned.

    Returns:
        Lowest and highest mean, or None without a single attempt.

    Raises:
        ValueError: Not ``0 <= n <= N <= attempts``.

    Source: Manski 1989, Journal of Human Resources 24:343.

    >>> manski_bounds(12, 15, 20), manski_bounds(13.5, 20, 25)
    ((0.6, 0.85), (0.54, 0.74))
    """
    if not 0 <= n <= N <= attempts:
        raise ValueError(f"{n} of {N} of {attempts}: expected 0 <= n <= N <= attempts")
    return (n / attempts, (n + attempts - N) / attempts) if attempts else None


def share_not_known(attempts: Sequence[int], not_known: Sequence[int]) -> float:
    """How much of the attempts is not known: pooled, or by task, whichever is larger.

    Where a few tasks were run again and again, their runs lower the pooled share and not the mean over tasks.
    Bounds lead where it is above a fifth; exactly a fifth does not.

    Args:
        attempts: Of each task, 0 or more; tasks without any are passed over.
        not_known: How many of them are not known.

    Returns:
        0 to 1, correctly rounded; 0 without attempts.

    Raises:
        ValueError: Lengths differ, or more are not known than were made.

    >>> share_not_known([26] + [1] * 99, [0] + [1] * 25 + [0] * 74)
    0.25
    """
    tasks = [(lost, made) for lost, made in zip(not_known, attempts, strict=True) if lost or made]
    if any(not 0 <= lost <= made for lost, made in tasks):
        raise ValueError(f"{not_known} not known of {attempts}")
    if not tasks:
        return 0.0
    lost_of, made_of = sum(lost for lost, _ in tasks), sum(made for _, made in tasks)
    of_size: dict[int, int] = {}
    for lost, made in tasks:
        of_size[made] = of_size.get(made, 0) + lost
    lost_by, made_by = 0, 1
    for made, lost in of_size.items():
        lost_by, made_by = lost_by * made + lost * made_by, made_by * made
    made_by *= len(tasks)
    return max(lost_of / made_of, lost_by / made_by)


def outer_limits(
    known: Sequence[Values],
    not_known: Sequence[int],
    clusters: Sequence[str] | None = None,
    *,
    key: str | None = None,
) -> Interval:
    """The lower limit with all that is not known filled with 0, and the upper one with it filled with 1.

    Each hole is filled in its own task, and each filling has the limits of `wilson_effective`: so what is
    not known moves the spread between tasks as well as the mean.

    Args:
        known: Known values in 0..1, task by task; a task may have none.
        not_known: Of each task, runs that are not known, or that are missing from a planned grid.
        clusters: The cluster of each task; by default every task is its own.
        key: What the clusters are (``scenario``), for the caption.

    Returns:
        No interval where `wilson_effective` gives none on as many known runs.

    Raises:
        ValueError: Lengths differ, or a number of runs is negative.

    Source: Horowitz and Manski 2000, JASA 95:77 (limits that hold both bounds).

    >>> limits = outer_limits([[1, 1], [0], [1, 1], [0, 1], [1], [1, 1]], [0, 1, 0, 0, 1, 0], key="scenario")
    >>> round(limits.lo, 6), round(limits.hi, 6), str(limits.method)
    (0.265382, 0.966623, 'wilson effective n at the bounds')
    """
    if any(missing < 0 for missing in not_known):
        raise ValueError(f"{not_known} runs not known")
    homes = clusters if clusters is not None else [str(at) for at in range(len(known))]
    found: dict[str, list[Frequencies]] = {}
    holes: dict[str, int] = {}
    for home, values, missing in zip(homes, known, not_known, strict=True):
        counted = counts_of(values)
        if counted.counts or missing:
            found.setdefault(home, []).append(counted)
            holes[home] = holes.get(home, 0) + missing
    each = list(zip(map(together, found.values()), holes.values(), strict=True))
    sizes = tuple([len(counted) + missing for counted, missing in each])
    worst = ClusterTotals(tuple([counted.total for counted, _ in each]), sizes)
    if not any(not_known):
        return _between(worst, worst, key)
    filled = tuple([counted.and_more(1.0, missing).total for counted, missing in each])
    return _between(worst, ClusterTotals(filled, sizes), key)


def outermost(
    worst: Sequence[float],
    best: Sequence[float],
    clusters: Sequence[str] | None,
    *,
    key: str | None = None,
) -> Interval:
    """The lower limit of one filling and the upper limit of another, of the same tasks.

    Args:
        worst: The value of each task with everything not known at its worst.
        best: The same at its best.
        clusters: The cluster of each task; None where every task is its own.
        key: What the clusters are.
    """
    homes = clusters if clusters is not None else [str(at) for at in range(len(worst))]
    low, high = (_by_home(filling, homes) for filling in (worst, best))
    return _between(low, high, key)


def _by_home(values: Sequence[float], homes: Sequence[str]) -> ClusterTotals:
    grouped: dict[str, list[float]] = {}
    for home, value in zip(homes, values, strict=True):
        grouped.setdefault(home, []).append(value)
    return ClusterTotals.of(list(grouped.values()))


def _between(worst: ClusterTotals, best: ClusterTotals, key: str | None) -> Interval:
    low = wilson_effective(worst, key=key)
    high = low if best is worst else wilson_effective(best, key=key)
    independent = low.method is Method.WILSON
    method = Method.WILSON_AT_THE_BOUNDS if independent else Method.WILSON_EFFECTIVE_N_AT_THE_BOUNDS
    return replace(low, hi=high.hi, method=method, n_eff=None)


def outer_wilson(n: float, N: int, attempts: int) -> Interval:
    """Wilson's lower limit at the worst case and its upper limit at the best case; for independent runs.

    Args:
        n: Successes, or the sum of values in 0..1; 0 to N.
        N: Known verdicts or values, at most ``attempts``.
        attempts: Every run that was made, or that was planned.

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
