"""The smallest difference that two arms on the same tasks could show, with 80 % power, by either rule.

*Paired*: the difference on the same tasks is significant after Holm's first step. *Strict*: the two drawn
intervals part as well. Both use what one comparison saw: means, spreads and covariance of its task means.
`task_moments` takes them from runs, `metrics_core.statistics.planning` from assumed values. How good the
figures are was measured by simulation (`benchmarks/RESULTS.md`).

The terms in ``phi^2 h`` and the cap of the skewness were fitted to simulations, and are this project's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import fsum, sqrt
from typing import Final

from msgspec import Struct

from metrics_core.results import NoSmallestDifference, SmallestDifference
from metrics_core.statistics.clustered import degrees_of_freedom, square, standard_error
from metrics_core.statistics.differences import bonett_price
from metrics_core.statistics.distributions import holm_normal_quantile, holm_t_quantile, reach, t_quantile
from metrics_core.statistics.exact_tests import discordant_power, mcnemar_midp
from metrics_core.statistics.frequencies import ClusterSums, Frequencies, Values, counts_of
from metrics_core.statistics.proportions import wilson_limits
from metrics_core.statistics.separation import MIN_COMPARED, MIN_DISCORDANT, SIGNIFICANT
from metrics_core.statistics.t_table import Z_800, Z_975

ROUGH_BELOW: Final = 10
"""Fewer tasks or clusters than this make the figure itself a rough one."""

POWER: Final = 0.8
STEPS: Final = 2000
"""Gaps are looked for on the grid 1/2000, 2/2000, ... 1."""

EXACT_UP_TO: Final = 400
"""Tasks up to which the power of single true or false runs is counted out."""

_HIGHEST_CORRELATION: Final = 0.95
_NEGLIGIBLE: Final = 1e-12


class ArmMoments(Struct, frozen=True, kw_only=True):
    """One arm over the tasks that both ran.

    Attributes:
        mean: Mean of its task means, in the metric's unit.
        variance: Of its task means (divisor tasks - 1); with clusters of tasks, ``tasks * SE^2`` by CR1.
        known: Its known runs on these tasks.
        df: Of the t quantile of its own drawn interval; None where plain Wilson is drawn.
    """

    mean: float
    variance: float
    known: int
    df: int | None


class PairedMoments(Struct, frozen=True, kw_only=True):
    """Two arms on the same tasks: what the smallest difference is computed from.

    Attributes:
        a: The first arm.
        b: The second arm.
        covariance: Of the task means, as the variances are made.
        tasks: That both ran.
        df: Of the paired test: units - 1, with units the tasks or clusters of tasks.
        single: One true or false run a task and arm, tasks independent.
        in_unit: All values lie in 0..1.
        seen: From data; False where a design is planned from assumed, true values.
    """

    a: ArmMoments
    b: ArmMoments
    covariance: float
    tasks: int
    df: int
    single: bool
    in_unit: bool = True
    seen: bool = True


def task_moments(
    a: Sequence[Values], b: Sequence[Values], clusters: Sequence[str] | None = None
) -> PairedMoments | None:
    """Means, spreads and covariance of two arms over the tasks that both ran.

    Args:
        a: Known values of the first arm, task by task; one or more each.
        b: The same of the second arm, the same tasks in the same order.
        clusters: The cluster of each task, where tasks err together; they are kept whole.

    Returns:
        None below two tasks, or two clusters.

    Raises:
        ValueError: Lengths differ, or a task has no value.

    >>> found = task_moments([[1, 1, 0], [0, 0, 1], [1, 1, 1]], [[1, 0, 0], [0, 0, 0], [1, 1, 0]])
    >>> round(found.a.mean, 6), round(found.b.variance, 6), round(found.covariance, 6), found.df
    (0.666667, 0.111111, 0.111111, 2)
    """
    homes = clusters if clusters is not None else [str(at) for at in range(len(a))]
    grouped: dict[str, list[tuple[Frequencies, Frequencies]]] = {}
    for home, left, right in zip(homes, a, b, strict=True):
        if not left or not right:
            raise ValueError("a task without a known value")
        grouped.setdefault(home, []).append((counts_of(left), counts_of(right)))
    if len(grouped) < 2:
        return None
    units = list(grouped.values())
    first = ClusterSums.of([[left.mean for left, _ in unit] for unit in units])
    second = ClusterSums.of([[right.mean for _, right in unit] for unit in units])
    values = {value for unit in units for pair in unit for side in pair for value, _ in side.counts}
    single = len(units) == len(a) and all(len(x) == len(y) == 1 for x, y in zip(a, b, strict=True))
    return PairedMoments(
        a=_arm(first, [[left for left, _ in unit] for unit in units]),
        b=_arm(second, [[right for _, right in unit] for unit in units]),
        covariance=_covariance(first, second),
        tasks=len(a),
        df=degrees_of_freedom(first.sizes),
        single=single and values <= {0.0, 1.0},
        in_unit=all(0.0 <= value <= 1.0 for value in values),
    )


def smallest_difference(
    moments: PairedMoments | None, *, family: int = 1, known: tuple[int, int] | None = None
) -> SmallestDifference:
    """The smallest difference that such a comparison shows with 80 % power, by both rules.

    From data: ``smallest_difference(task_moments(a, b, clusters), family=holm_size, known=(n_a, n_b))``.

    Args:
        moments: What `task_moments` took from data, or `planned_moments` assumed.
        family: Comparisons that Holm's adjustment runs over; the figure is for its first step.
        known: Known runs of either arm, where they have more than those on the common tasks; fewer than
            15 on one side separate nothing.

    Returns:
        Multiples of 0.0005 in the metric's unit; for values outside 0..1 the paired one alone, unrounded.

    Raises:
        ValueError: The family is below 1.

    Source: this project's own, on Jennett and Welch 1939 (JRSS Suppl. 6:94) for the noncentral t and, for
    single runs, the exact power of Bonett-Price with mid-p McNemar.

    >>> arm = ArmMoments(mean=0.5, variance=0.133333, known=60, df=19)
    >>> moments = PairedMoments(a=arm, b=arm, covariance=0.036396, tasks=20, df=19, single=False, seen=False)
    >>> smallest_difference(moments).to_json()
    {'paired': 0.2855, 'strict': 0.4255, 'family': 1, 'reason': None}
    """
    if moments is None:
        return SmallestDifference.none(NoSmallestDifference.FEWER_THAN_2_UNITS, family=family)
    rough = moments.df + 1 < ROUGH_BELOW
    if min(known or (moments.a.known, moments.b.known)) < MIN_COMPARED:
        return SmallestDifference.none(NoSmallestDifference.TOO_FEW_RUNS, family=family, rough=rough)
    if max(moments.a.variance, moments.b.variance) <= 0.0:
        return SmallestDifference.none(NoSmallestDifference.NO_SPREAD, family=family, rough=rough)
    variance = moments.a.variance + moments.b.variance - 2 * moments.covariance
    alike = not moments.single and variance <= _NEGLIGIBLE * (moments.a.variance + moments.b.variance)
    none = SmallestDifference.none(NoSmallestDifference.DIFFER_ALIKE, family=family, rough=rough)
    if not moments.in_unit:
        return none if alike else _beyond_unit(moments, variance, family, rough)
    gaps = _Gaps.of(moments)
    paired = _least(lambda gap: gaps.shows_paired(gap, family))
    if alike and paired == 1 / STEPS:
        return none
    apart = None if paired is None else _least(gaps.shows_apart)
    strict = None if paired is None or apart is None else max(paired, apart)
    why = NoSmallestDifference.NO_GAP if strict is None else None
    return SmallestDifference(paired=paired, strict=strict, family=family, why_not=why, rough=rough)


@lru_cache(maxsize=64)
def least_on_better_side(tasks: int, family: int = 1) -> tuple[int | None, ...]:
    """For 0, 1, ... discordant of so many tasks: the fewest on the better side that separate, if any do.

    Bonett-Price's interval excludes 0, mid-p McNemar after Holm's first step is at most 0.05, and six tasks
    at least are discordant.

    >>> least_on_better_side(20)[5:8]
    (None, 6, 7)
    """
    found: list[int | None] = []
    better = 0
    for discordant in range(tasks + 1):
        better = max(better, (discordant + 1) // 2)
        while better <= discordant and not _separates(better, discordant, tasks, family):
            better += 1
        found.append(better if better <= discordant else None)
        better = max(0, better - 1)
    return tuple(found)


def paired_power(tasks: int, better_alone: float, worse_alone: float, family: int = 1) -> float:
    """Power of the paired rule for one true or false run a task and side, counted out.

    Args:
        tasks: That both sides run.
        better_alone: Share of tasks that the better side alone solves.
        worse_alone: Share of tasks that the worse side alone solves.
        family: Comparisons that Holm's adjustment runs over.

    >>> round(paired_power(20, 0.45, 0.1), 9)
    0.570751307
    """
    discordant = min(1.0, better_alone + worse_alone)
    better = min(1.0, better_alone / discordant)
    return discordant_power(tasks, discordant, better, least_on_better_side(tasks, family))


class _Gaps(Struct, frozen=True, kw_only=True):
    """What decides whether a gap between two arms is shown; the gap is given to each method.

    ``a`` is the lower arm. ``runs_a`` is g, its effective runs a task, ``size_a`` the n of its Wilson limits,
    ``quantile_a`` theirs; ``phi`` the correlation of one run of either arm on one task.
    """

    tasks: int
    df: int
    single: bool
    mean_a: float
    mean_b: float
    runs_a: float
    runs_b: float
    size_a: float
    size_b: float
    df_a: int | None
    df_b: int | None
    phi: float

    @classmethod
    def of(cls, m: PairedMoments) -> _Gaps:
        a, b = sorted((m.a, m.b), key=lambda arm: (arm.mean, arm.variance, arm.known))
        whole_a, whole_b = (_one_run(arm, m) for arm in (a, b))
        runs_a, runs_b = (
            1.0 if m.single else whole / arm.variance if arm.variance > 0.0 else 0.0
            for whole, arm in ((whole_a, a), (whole_b, b))
        )
        runs_a, runs_b = runs_a or runs_b, runs_b or runs_a
        size_a, size_b = (
            float(m.tasks) if arm.df is None else min(float(arm.known), runs * m.tasks)
            for arm, runs in ((a, runs_a), (b, runs_b))
        )
        return cls(
            tasks=m.tasks, df=m.df, single=m.single, mean_a=a.mean, mean_b=b.mean,
            runs_a=runs_a, runs_b=runs_b,
            size_a=size_a, size_b=size_b, df_a=a.df, df_b=b.df,
            phi=_correlation(m.covariance, sqrt(whole_a * whole_b), b.mean - a.mean if m.seen else None),
        )  # fmt: skip

    def place(self, gap: float) -> tuple[float, float]:
        """Where the two means stand at this gap: around their middle, no nearer to 0 or 1 than was seen."""
        widest = max(abs(self.mean_a - 0.5), abs(self.mean_b - 0.5), gap / 2)
        low = (self.mean_a + self.mean_b) / 2 - gap / 2
        low = min(max(low, 0.5 - widest), 0.5 + widest - gap)
        return min(1.0, max(0.0, low)), min(1.0, max(0.0, low + gap))

    def variance(self, gap: float) -> float:
        """Of one task's difference."""
        a, b = self.place(gap)
        one_a, one_b = a * (1 - a), b * (1 - b)
        own = one_a / self.runs_a + one_b / self.runs_b
        return own - 2 * self.phi * sqrt(one_a * one_b) + square(self.phi) * _parting(gap, self.phi)

    def shows_paired(self, gap: float, family: int) -> bool:
        """Whether the paired rule shows this gap with 80 % power."""
        variance = self.variance(gap)
        if self.single:
            discordant = min(1.0, max(gap, variance + square(gap)))
            if self.tasks > EXACT_UP_TO:
                error = sqrt(max(0.0, discordant - square(gap)) / self.tasks)
                return gap >= (holm_normal_quantile(family) + Z_800) * error
            better = (discordant + gap) / 2
            return paired_power(self.tasks, better, discordant - better, family) >= POWER
        if variance <= 0.0:
            return True
        critical, most = holm_t_quantile(self.df, family), 0.6 * (1 - self.phi)
        skew = min(1.0, max(-1.0, self._third_moment(gap) / (variance * sqrt(variance))))
        term = min(most, max(-most, critical * skew / sqrt(self.df + 1)))
        return gap >= reach(self.df, family, term) * sqrt(variance / self.tasks)

    def _third_moment(self, gap: float) -> float:
        a, b = self.place(gap)
        own = b * (1 - b) * (1 - 2 * b) / square(self.runs_b) - a * (1 - a) * (1 - 2 * a) / square(
            self.runs_a
        )
        return (1 - self.phi) * own + self.phi * gap * (1 - gap) * (1 - 2 * gap)

    def shows_apart(self, gap: float) -> bool:
        """Whether the two drawn intervals part at this gap with 80 % power."""
        a, b = self.place(gap)
        upper = wilson_limits(a, self.size_a, _quantile(self.df_a))[1]
        lower = wilson_limits(b, self.size_b, _quantile(self.df_b))[0]
        var_a, var_b = a * (1 - a) / (self.runs_a * self.tasks), b * (1 - b) / (self.runs_b * self.tasks)
        shared = (var_a + var_b - self.variance(gap) / self.tasks) / 2
        slope_a = _slope(a, self.size_a, _quantile(self.df_a), 1.0)
        slope_b = _slope(b, self.size_b, _quantile(self.df_b), -1.0)
        spread = square(slope_a) * var_a + square(slope_b) * var_b - 2 * slope_a * slope_b * shared
        if self.df_a is not None:
            spread += square(upper - a) / (2 * self.df_a)
        if self.df_b is not None:
            spread += square(b - lower) / (2 * self.df_b)
        return lower - upper >= Z_800 * sqrt(max(0.0, spread))


def _one_run(arm: ArmMoments, m: PairedMoments) -> float:
    """Variance of one run, p(1-p); from data, without the bias that their mean brings in."""
    spread = arm.mean * (1 - arm.mean)
    return spread + arm.variance / m.tasks if m.seen and not m.single else spread


def _correlation(covariance: float, whole: float, apart: float | None) -> float:
    """Of one run of either arm on one task; ``apart``, seen in data, has made it smaller than at no gap."""
    phi = min(_HIGHEST_CORRELATION, max(0.0, covariance / whole)) if whole > 0.0 else 0.0
    if apart is None or whole <= 0.0:
        return phi
    taken = _parting(apart, phi) / whole
    if taken > 0.0:
        phi = (1 - sqrt(max(0.0, 1 - 2 * taken * phi))) / taken
    return min(_HIGHEST_CORRELATION, max(0.0, phi))


def _parting(gap: float, phi: float) -> float:
    """h(d): how much of their common spread two arms lose when they part."""
    cubed = phi * phi * phi
    return min(1.0, 2 * gap + cubed * cubed / 2) * gap * (1 - gap)


def _quantile(df: int | None) -> float:
    return Z_975 if df is None else t_quantile(df)


def _slope(share: float, size: float, quantile: float, side: float) -> float:
    """How fast a Wilson limit moves with its share: the upper for side 1, the lower for -1."""
    per_run = square(quantile) / size
    root = sqrt(share * (1 - share) / size + per_run / (4 * size))
    return (1 + side * quantile * (1 - 2 * share) / (2 * size * root)) / (1 + per_run)


def _beyond_unit(m: PairedMoments, variance: float, family: int, rough: bool) -> SmallestDifference:
    return SmallestDifference(
        paired=reach(m.df, family) * sqrt(variance / m.tasks),
        strict=None,
        family=family,
        why_not=NoSmallestDifference.OUTSIDE_UNIT,
        rough=rough,
    )


def _least(shows: Callable[[float], bool]) -> float | None:
    """The least gap of the grid that is shown; None where not even 1 is."""
    if not shows(1.0):
        return None
    below, above = 0, STEPS
    while above - below > 1:
        middle = (below + above) // 2
        if shows(middle / STEPS):
            above = middle
        else:
            below = middle
    return above / STEPS


def _arm(means: ClusterSums, runs: Sequence[Sequence[Frequencies]]) -> ArmMoments:
    """``runs``: those of each task of each unit."""
    error = standard_error(means) or 0.0
    sizes = [sum(map(len, unit)) for unit in runs]
    return ArmMoments(
        mean=means.mean,
        variance=means.runs * square(error),
        known=sum(sizes),
        df=None if max(sizes) == 1 else degrees_of_freedom(sizes),
    )


def _covariance(a: ClusterSums, b: ClusterSums) -> float:
    """Of the task means, clusters kept whole: as `standard_error` makes the variances."""
    mean_a, mean_b = a.mean, b.mean
    products = fsum(
        (x - size * mean_a) * (y - size * mean_b)
        for x, y, size in zip(a.totals, b.totals, a.sizes, strict=True)
    )
    return a.count / (a.count - 1) * products / a.runs


def _separates(better: int, discordant: int, tasks: int, family: int) -> bool:
    worse = discordant - better
    if discordant < MIN_DISCORDANT or family * mcnemar_midp(better, worse) > SIGNIFICANT or better <= worse:
        return False
    lower = bonett_price(better, worse, tasks).lo
    return lower is not None and lower > 0.0
