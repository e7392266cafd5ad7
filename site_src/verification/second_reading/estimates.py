"""One estimate from its runs: a share, a mean of fractions, a contract's score, pass^k and pass@k."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, comb, fsum, sqrt

from site_src.verification.second_reading.clusters import FEWEST, Limits, limits, mean, t_limits, together
from site_src.verification.second_reading.distributions import Z, clopper_pearson

MOST_COUNTED = 1000
"""Values up to which the rank of a median's limits is counted out; beyond, the normal approximation."""


@dataclass(frozen=True, slots=True)
class PlainRun:
    """One run of a group.

    Attributes:
        cluster: What it errs together with.
        task: What was tried.
        value: What it came to; None where that is not known.
        n, N: Its own counts, such as 5 of 7 assertions.
    """

    cluster: str
    task: str
    value: float | None
    n: int = 0
    N: int = 0


@dataclass(frozen=True, slots=True)
class EstimateRead:
    """What the runs come to.

    Attributes:
        value, n, N: As an estimate has them; None where nothing is said.
        drawn: Limits of the interval that is drawn.
        bounds: The mean with all that is not known at 0 and at 1.
        also: Limits of the intervals beside it, by the name that the data give them.
        summary: Median, 90th percentile and total of a quantity that is context.
    """

    value: float | None
    n: int
    N: int
    drawn: Limits
    bounds: Limits = None
    also: Mapping[str, Limits] = field(default_factory=dict)
    summary: Mapping[str, float] | None = None


def read_share(runs: Sequence[PlainRun], strays: int = 0) -> EstimateRead:
    """A share: n of N known verdicts.

    Args:
        runs: Of the group, known and not.
        strays: Lines that were no records: not known, and of no task.

    >>> read_share([PlainRun(str(i), str(i), float(i < 6), int(i < 6), 1) for i in range(8)]).value
    0.75
    """
    known = [run for run in runs if run.value is not None]
    n = sum(run.n for run in known)
    exact = clopper_pearson(n, len(known)) if len(known) >= FEWEST else None
    return _mean(runs, strays, n, len(known), {"clopper-pearson": exact})


def read_mean(runs: Sequence[PlainRun], strays: int = 0, *, by_runs: bool = False) -> EstimateRead:
    """The mean over runs of a fraction; n and N are the runs' own, added; ``by_runs``: full runs, of all."""
    known = [run for run in runs if run.value is not None]
    if by_runs:
        return _mean(runs, strays, sum(run.value == 1.0 for run in known), len(known), {})
    return _mean(runs, strays, sum(run.n for run in known), sum(run.N for run in known), {})


def read_bootstrapped(runs: Sequence[PlainRun], strays: int = 0) -> EstimateRead:
    """The mean score under a user's contract: the wider of its percentile bootstrap and Wilson's limits."""
    known = [run for run in runs if run.value is not None]
    n = sum(run.n for run in known)
    plain = _mean(runs, strays, n, len(known), {})
    if len(known) < FEWEST:
        return EstimateRead(None, n, len(known), None)
    signed = bootstrap([v for _, v in sorted((r.task, r.value or 0.0) for r in known)])
    drawn = plain.drawn
    if drawn is None or (signed is not None and signed[1] - signed[0] >= drawn[1] - drawn[0]):
        drawn = signed
    also = {**plain.also, "signed bootstrap": signed, "wilson": plain.drawn}
    return EstimateRead(plain.value, n, len(known), drawn, plain.bounds, also)


def read_repeated(runs: Sequence[PlainRun], k: int, *, every: bool) -> EstimateRead:
    """pass^k (``every``) or pass@k: per task, then the mean over tasks that were tried k times or more.

    A run passed where its n is its N. Its bounds are not read.
    """
    tasks: dict[str, list[PlainRun]] = {}
    for run in runs:
        if run.value is not None:
            tasks.setdefault(run.task, []).append(run)
    known = sum(map(len, tasks.values()))
    values = []
    for _, tried in sorted(tasks.items()):
        passed, tries = sum(run.n == run.N for run in tried), len(tried)
        if tries >= k:
            lost = comb(tries - passed, k) / comb(tries, k)
            values.append((tried[0].cluster, comb(passed, k) / comb(tries, k) if every else 1.0 - lost))
    n = sum(value == 1.0 for _, value in values)
    if not values or known < FEWEST:
        return EstimateRead(None, n, len(values), None)
    clusters = together(values)
    return EstimateRead(
        mean(clusters), n, len(values), limits(clusters, len(values)),
        also={"cr1 t": t_limits(clusters, len(values))},
    )  # fmt: skip


def read_context(runs: Sequence[PlainRun], attempts: int) -> EstimateRead:
    """The median of a quantity such as latency, between two order statistics; n of N attempts have it."""
    values = sorted(run.value for run in runs if run.value is not None)
    n = len(values)
    if not values:
        return EstimateRead(None, 0, attempts, None)
    middle = (values[(n - 1) // 2] + values[n // 2]) / 2
    rank = _median_rank(n)
    around = (values[rank - 1], values[n - rank]) if rank else None
    if around is not None and around[0] == around[1]:
        around = None
    summary = {"median": middle, "p90": values[ceil(Fraction(9 * n, 10)) - 1], "total": fsum(values)}
    return EstimateRead(middle, n, attempts, around, summary=summary)


def _median_rank(n: int) -> int:
    """The largest r such that fewer than r of n values lie below the median with 2.5 % or less; 0 if none."""
    if n > MOST_COUNTED:
        return int((n - Z * sqrt(n)) / 2)
    rank = 0
    while sum(comb(n, i) for i in range(rank + 1)) * 40 <= 2**n:
        rank += 1
    return rank


def bootstrap(scores: Sequence[float], seed: int = 7, resamples: int = 2000) -> Limits:
    """The percentile bootstrap of the reference contract's contract; None where all resamples agree.

    >>> bootstrap([1.0] * 12 + [0.0] * 3)
    (0.6, 1.0)
    """
    draw, size = random.Random(seed), len(scores)
    means = []
    for _ in range(resamples):
        total = 0.0
        for _ in range(size):
            total += scores[draw.randrange(size)]
        means.append(total / size)
    means.sort()
    low, high = means[int(0.025 * resamples)], means[int(0.975 * resamples)]
    return None if low == high else (low, high)


def _mean(runs: Sequence[PlainRun], strays: int, n: int, of: int, also: Mapping[str, Limits]) -> EstimateRead:
    known = [(run.cluster, run.value) for run in runs if run.value is not None]
    attempts = len(runs) + strays
    lost = attempts - len(known)
    total = fsum(value for _, value in known)
    bounds = (total / attempts, (total + lost) / attempts) if attempts else None
    if not known:
        return EstimateRead(None, n, of, None, bounds)
    clusters = together(known)
    worst, best = (
        together((run.cluster, filler if run.value is None else run.value) for run in runs)
        + [[filler]] * strays
        for filler in (0.0, 1.0)
    )
    low, high = limits(worst), limits(best)
    outer = (low[0], high[1]) if low is not None and high is not None else None
    beside = {**also, "cr1 t": t_limits(clusters), "outer wilson": outer}
    return EstimateRead(total / len(known), n, of, limits(clusters), bounds, beside)
