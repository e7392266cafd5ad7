"""Runs of two arms on tasks whose true rates are known: what intervals and tests are tried on.

Independent of the program: numpy's generator, scipy's beta quantiles. Task rates are beta with a given
intraclass correlation, and the two arms' rates are joined by a Gaussian copula. For true or false runs.
`seen` has the program compute the figures of one experiment; the rules on them are as they are written.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace
from scipy import special, stats

from metrics_core.statistics.clustered import wilson_effective
from metrics_core.statistics.differences import paired_binary, paired_t
from metrics_core.statistics.frequencies import ClusterSums

Floats = npt.NDArray[np.float64]

_GRID = 4001


@cache
def rate_of_score(mean: float, icc: float) -> Callable[[Floats], Floats]:
    """Normal score -> task rate, by a table: the beta quantile is slow. At ICC 0 every task has the mean."""
    if icc == 0.0 or mean in {0.0, 1.0}:
        return lambda scores: np.full_like(scores, mean)
    size = (1 - icc) / icc
    grid = np.linspace(-6.0, 6.0, _GRID)
    rates = special.betaincinv(mean * size, (1 - mean) * size, stats.norm.cdf(grid))
    return lambda scores: np.interp(scores, grid, rates)


class Design(Struct, frozen=True, kw_only=True):
    """Tasks of two arms.

    Attributes:
        tasks: How many both run.
        runs: Of each task and arm.
        means: True mean of either arm.
        icc: Intraclass correlation of runs of one task.
        correlation: Of the two arms' task rates, on the normal scale of the copula.
    """

    tasks: int
    runs: int
    means: tuple[float, float]
    icc: float = 0.0
    correlation: float = 0.0

    def apart(self, gap: float) -> Design:
        """The same with ``b`` above ``a`` by ``gap``, as near to the middle of both as 0 and 1 allow.

        No mean comes nearer to 0 or 1 than one of the design, unless the gap is too wide for that.
        """
        widest = max(*(abs(mean - 0.5) for mean in self.means), gap / 2)
        low = sum(self.means) / 2 - gap / 2
        low = min(max(low, 0.5 - widest), 0.5 + widest - gap)
        return replace(self, means=(low, low + gap))

    def draws(self, rng: np.random.Generator, experiments: int) -> tuple[Floats, Floats]:
        """Passes of each task (experiments x tasks), of either arm."""
        first = rng.standard_normal((experiments, self.tasks))
        own = rng.standard_normal((experiments, self.tasks))
        second = self.correlation * first + np.sqrt(1 - self.correlation**2) * own
        a, b = (
            rng.binomial(self.runs, rate_of_score(mean, self.icc)(scores)).astype(float)
            for mean, scores in zip(self.means, (first, second), strict=True)
        )
        return a, b

    def moments(self) -> tuple[tuple[float, float], float]:
        """True variance over tasks of the mean of ``runs`` runs, of either arm, and their covariance."""
        nodes, weights = np.polynomial.hermite_e.hermegauss(101)
        weights = weights / weights.sum()
        a, b = (rate_of_score(mean, self.icc) for mean in self.means)
        rest = np.sqrt(1 - self.correlation**2)
        given = np.array([weights @ b(self.correlation * x + rest * nodes) for x in nodes])
        covariance = float(weights @ (a(nodes) * given)) - float(weights @ a(nodes)) * float(weights @ given)
        variances = [mean * (1 - mean) * (self.icc + (1 - self.icc) / self.runs) for mean in self.means]
        return (variances[0], variances[1]), covariance


def sums_of(passes: Floats, runs: int) -> ClusterSums:
    """Passes of each task, as the program adds up the runs of clusters."""
    return ClusterSums(tuple(passes.tolist()), (runs,) * len(passes), float(passes.sum()))


class Seen(Struct, frozen=True):
    """What decides in one experiment, whether ``b`` is above ``a``.

    Attributes:
        p: Of the paired difference; None where there is none.
        above: 1 where its interval has ``b`` above, -1 where ``a``; 0 where it holds 0, or fewer than six
            tasks are discordant.
        apart: Whether the two intervals are.
    """

    p: float | None
    above: int
    apart: bool

    def tells(self, *, strict: bool, family: int = 1) -> int:
        """1 where ``b`` is told to be above, -1 where ``a`` is, else 0; after Holm's first step."""
        significant = self.p is not None and family * self.p <= 0.05
        return self.above if significant and (self.apart or not strict) else 0


def seen(passes_a: Floats, passes_b: Floats, runs: int) -> Seen:
    """The figures of one experiment: passes of each task, of either arm."""
    if runs == 1:
        better, worse = int((passes_b > passes_a).sum()), int((passes_b < passes_a).sum())
        difference = paired_binary(worse, better, len(passes_a))
    else:
        difference = paired_t(((passes_a - passes_b) / runs).tolist())
    span, few = difference.interval, difference.discordant is not None and difference.discordant < 6
    above = 0
    if span.lo is not None and span.hi is not None and not few:
        above = -1 if span.lo > 0 else 1 if span.hi < 0 else 0
    a, b = (wilson_effective(sums_of(passes, runs)) for passes in (passes_a, passes_b))
    known = a.lo is not None and a.hi is not None and b.lo is not None and b.hi is not None
    return Seen(difference.p, above, known and (a.hi < b.lo or b.hi < a.lo))
