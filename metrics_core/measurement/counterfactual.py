"""Numbers as they would be, had some outcomes come out otherwise or had more runs been made.

Does: draw an estimate or a comparison again under such a change, and count the fewest outcomes, or the runs,
that carry it over a line. A draw for other counts is believed only where the same draw for the counts at
hand gives what was published. Does not: know what a claim is; the caller hands in how it judges.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from math import fsum, inf, isclose
from statistics import NormalDist
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.measurement.comparisons import OTHER_DENOMINATORS, difference, worst_case
from metrics_core.measurement.estimators import reestimate
from metrics_core.measurement.grouping import RunGroup
from metrics_core.measurement.tabulate import Value
from metrics_core.memo import Memo
from metrics_core.results import (
    RECORDED_ONLY,
    Comparison,
    CountedUnit,
    Denominator,
    Difference,
    Estimate,
    Interval,
    Keys,
    NotSeparated,
    Review,
    State,
)
from metrics_core.statistics import (
    POWER_REACH,
    Z_800,
    Z_975,
    median_rank,
    separation,
    t_quantile,
    wilson_limits,
)

MOST_FLIPS = 40
"""Runs that are changed at most; beyond, the spread tells more than a count would."""

MOST_WORK = 25_000
"""Runs times ways to change one, beyond which nothing is counted: it would take longer than a build."""

MOST_RUNS = 10_000
"""More runs than this are not asked for: the answer is that the rate lies too close to the line."""

Limits = tuple[float, float]
Sides = tuple[Estimate, Estimate]
"""Two estimates, that of a comparison's first arm first."""

Judgement = TypeVar("Judgement")


# ------------------------------------------------------------------------------------------- one arm


def units(e: Estimate) -> int:
    """How many outcomes the value is a mean of: known runs, or tasks that were repeated."""
    return e.N or 0 if e.counted_unit is CountedUnit.TASKS else e.known


def counted(e: Estimate) -> bool:
    """Whether the value is a plain n of N, so that one outcome moves it by 1/N and no less."""
    return e.counted_unit is not CountedUnit.TASKS and e.known == e.N and e.value is not None and isclose(
        e.value, (e.n or 0) / e.N, abs_tol=1e-12
    )  # fmt: skip


def limits_at(e: Estimate, share: float, times: float = 1.0) -> Limits:
    """Wilson's limits of another share, on as many runs as the estimate's own stand for.

    Args:
        e: An estimate that is `redrawable`.
        share: 0 to 1.
        times: How many times as many runs.
    """
    return wilson_limits(share, (e.interval.n_eff or units(e)) * times, _quantile(e))


def _quantile(e: Estimate) -> float:
    return Z_975 if e.interval.n_eff is None else t_quantile(e.interval.df or 1)


def _all_units(e: Estimate) -> int:
    """How many outcomes the bounds are a mean of: attempts, or every task."""
    if e.counted_unit is not CountedUnit.TASKS:
        return e.attempts
    return (e.N or 0) + (e.left_out.tasks if e.left_out else 0)


def outer_at(e: Estimate, bounds: tuple[float, float], times: float = 1.0) -> Limits:
    """Wilson's limits around other bounds, on as many outcomes as the estimate's own stand for.

    Args:
        e: An estimate that is `redrawable`.
        bounds: 0 to 1.
        times: How many times as many outcomes.
    """
    runs = (e.interval.n_eff or units(e)) / units(e) * _all_units(e) * times
    (lo, _), (_, hi) = (wilson_limits(bound, runs, _quantile(e)) for bound in bounds)
    return lo, hi


def redrawable(e: Estimate) -> bool:
    """Whether the estimate's interval is Wilson's on its own counts, so that it can be drawn for others."""
    if e.value is None or e.interval.lo is None or e.interval.hi is None or not 0.0 <= e.value <= 1.0:
        return False
    lo, hi = limits_at(e, e.value)
    return isclose(lo, e.interval.lo, abs_tol=1e-9) and isclose(hi, e.interval.hi, abs_tol=1e-9)


def shifted(e: Estimate, by: int) -> Estimate:
    """The estimate with ``by`` outcomes more at 1, or with ``-by`` fewer; no lower than 0, no higher than 1.

    Args:
        e: An estimate that is `redrawable`; n follows where it is the value's own numerator.
        by: Outcomes, as `units` counts them.
    """
    n, N, value = e.n or 0, units(e), e.value or 0.0
    if counted(e):
        n = min(N, max(0, n + by))
        value = n / N
    else:
        value = round(min(1.0, max(0.0, value + by / N)), 12)
    lo, hi = limits_at(e, value)
    made = replace(e, n=n, value=value, interval=replace(e.interval, lo=lo, hi=hi))
    if e.bounds is None:
        return made
    moved = (value - (e.value or 0.0)) * N / _all_units(e)
    bounds = (min(1.0, max(0.0, e.bounds[0] + moved)), min(1.0, max(0.0, e.bounds[1] + moved)))
    if counted(e):
        bounds = (n / e.attempts, (n + e.attempts - e.known) / e.attempts)
    low, high = outer_at(e, bounds)
    return replace(
        made,
        bounds=bounds,
        also=tuple(
            (name, replace(i, lo=low, hi=high) if i.at_the_bounds and i.lo is not None else i)
            for name, i in e.also
        ),
    )


def fewest_outcomes(e: Estimate, flips: Callable[[Estimate], bool], *, down: bool) -> int | None:
    """The fewest outcomes of an estimate that must come out otherwise; None where all of them would not do.

    Args:
        e: An estimate that is `redrawable`.
        flips: Whether an estimate leads to another verdict than this one.
        down: Whether outcomes come out at 0 rather than at 1.
    """
    return next((k for k in range(1, units(e) + 1) if flips(shifted(e, -k if down else k))), None)


def more_needed(
    e: Estimate, judge: Callable[[Limits, Limits | None], Judgement | None]
) -> tuple[int, Judgement] | None:
    """How many more runs like these give a verdict, and which; None where `MOST_RUNS` more give none.

    Args:
        e: An estimate that is `redrawable`; where N counts repeated tasks, tasks are counted, not runs.
        judge: Verdict on limits, and on outer ones where bounds lead; None where they give none.
    """
    now = units(e) if e.counted_unit is CountedUnit.TASKS else e.attempts
    for more in range(1, MOST_RUNS + 1):
        times = (now + more) / now
        outer = None
        if e.headline == "bounds" and e.bounds is not None:
            outer = outer_at(e, e.bounds, times)
        found = judge(limits_at(e, e.value or 0.0, times), outer)
        if found is not None:
            return more, found
    return None


def runs_beyond_median(e: Estimate) -> int:
    """How many runs must lie beyond a line for a limit of the median to; 0 where so few give no interval."""
    return median_rank(e.known)


def counts_under(e: Estimate, denominator: Denominator | None = None) -> tuple[int, int]:
    """Successes and runs of a share under another denominator; of a mean, only the runs mean anything.

    Args:
        e: An estimate of which something is known.
        denominator: What is counted too; None for its own.
    """
    if denominator is None:
        return e.n or 0, e.known
    filling = OTHER_DENOMINATORS[denominator]
    lost = {"unknown": e.unknown, "error": e.errors, "invalid": e.invalid}
    more = sum(lost[state] for state in filling.states)
    if filling.never_recorded and e.never_recorded is not None:
        more += e.never_recorded.runs
    failure = 1.0 if e.polarity == "against" else 0.0
    return (e.n or 0) + (more if (failure if filling.value is None else filling.value) else 0), e.known + more


# ------------------------------------------------------------------------------------------ two arms


class RecordedOutcome(Struct, frozen=True):
    """What one run came to on one metric.

    Attributes:
        what: Family, metric and stratum.
        group: Whose run it is.
        task: What it ran.
        state: Whether that is known.
        value: Its value, n and N; None where that is not known.
        costs: What the whole run cost, by what its money was reckoned by; nothing where that is not known.
    """

    what: tuple[str, str, Keys]
    group: Keys
    task: str
    state: State
    value: Value | None
    costs: tuple[tuple[str, float], ...] = ()


class RunFlips(Struct, frozen=True):
    """How many runs, whether each is true or false, and whether they come out lower than they did.

    ``count`` is 0 where all of them together would not do.
    """

    count: int
    binary: bool
    down: bool


class _Redrawn(Struct, frozen=True):
    """The first arm's runs, its interval, and its difference from the other arm."""

    runs: RunGroup
    interval: Interval
    difference: Difference


def run_outcomes(runs: Iterable[Review]) -> tuple[RecordedOutcome, ...]:
    """What each run came to; a record with a stamp or a repetition that stands twice is one run."""
    seen: set[bytes] = set()
    found = []
    for review in runs:
        if isinstance(review.record, dict) and ("stamp" in review.record or "rep" in review.record):
            text = json.dumps([review.family, review.record], sort_keys=True)
            key = hashlib.sha256(text.encode()).digest()
            if key in seen:
                continue
            seen.add(key)
        costs = tuple(
            (line.prices or RECORDED_ONLY, line.usd)
            for line in review.costs
            if line.usd is not None and not (line.part or line.unproven)
        )
        for v in review.verdicts:
            value = None if v.state != "known" or v.value is None else (v.value, v.n, v.N)
            if value is not None or v.state != "known":
                what = (review.family, v.metric, v.stratum)
                found.append(RecordedOutcome(what, review.group, review.task, v.state, value, costs))
    return tuple(found)


def fewest_runs(
    c: Comparison,
    sides: Sides,
    outcomes: Iterable[RecordedOutcome],
    judge: Callable[[Comparison, Sides], str],
    *,
    verdict: str,
    down: bool,
    line: float,
    apart: bool,
) -> RunFlips | None:
    """How many runs of the first arm are enough for another verdict; None where that cannot be counted.

    The runs of both arms are laid out again by task and must give the published difference. Then one run
    of the first arm after another comes out otherwise, each time the one that moves the verdict most. The
    count is enough, and found one run at a time: another choice of runs might do with fewer.

    Args:
        c: The comparison.
        sides: Its estimates.
        outcomes: What each run of the experiment came to.
        judge: Verdict on a comparison and its estimates.
        verdict: The verdict as it stands.
        down: Whether runs come out at 0 rather than at 1.
        line: What the difference must pass.
        apart: Whether the verdict needs both intervals apart where the rule is ``overlap``.
    """
    a, b = sides
    mine, theirs = _laid_out(sides, outcomes)
    if c.difference is None or not (_all_of(a, mine) and _all_of(b, theirs)):
        return None
    memo = Memo()
    now = _redrawn(a, mine, theirs, memo)
    if not (_same(now.difference, c) and _redrawn_alike(a, mine, memo) and _redrawn_alike(b, theirs, memo)):
        return None
    values = {value for side in (mine, theirs) for _, _, (value, _, _) in side.runs()}
    ways = len(_changeable(mine, down=down))
    if not all(0.0 <= value <= 1.0 for value in values) or ways * a.known > MOST_WORK:
        return None

    apart = apart and c.rule == "overlap"

    def judged(way: _Redrawn) -> str:
        return judge(*_as_if(c, sides, way, theirs))

    def distance(way: _Redrawn) -> float:
        near = way.difference.interval.lo if down else way.difference.interval.hi
        gap = 0.0 if near is None else near - line if down else line - near
        return min(gap, interval_gap(way.interval, b.interval, above=down)) if apart else gap

    if judged(now) != verdict:
        return None
    for k in range(1, MOST_FLIPS + 1):
        changed = [
            _redrawn(a, _with_one_changed(now.runs, at, down=down), theirs, memo)
            for at in _changeable(now.runs, down=down)
        ]
        if not changed:
            return RunFlips(0, values <= {0.0, 1.0}, down)
        if any(judged(way) != verdict for way in changed):
            return RunFlips(k, values <= {0.0, 1.0}, down)
        now = min(changed, key=distance)
    return None


def distance_to_flip(c: Comparison, sides: Sides, *, down: bool, line: float, apart: bool) -> float | None:
    """How far the difference must move before anything that the verdict needs no longer holds.

    Args:
        c: The comparison.
        sides: Its estimates.
        down: Whether it must get smaller.
        line: What it must pass.
        apart: Whether the verdict needs both intervals apart where the rule is ``overlap``.

    Returns:
        In the metric's unit; None where the difference has no interval.
    """
    a, b = sides
    near = c.interval.lo if down else c.interval.hi
    if near is None:
        return None
    gaps = [abs(near - line)]
    if apart and c.rule == "overlap":
        gaps.append(interval_gap(a.interval, b.interval, above=down))
    if a.bounds is not None and b.bounds is not None and a.known:
        far = a.bounds[0] - b.bounds[1] if down else a.bounds[1] - b.bounds[0]
        gaps.append(abs(far - line) * a.attempts / a.known)
    return min(gaps)


def growth_needed(
    c: Comparison, sides: Sides, *, line: float, crossed: bool, against: Collection[object]
) -> float:
    """How many times as many tasks would separate two arms, were both as far apart as they look.

    What this many tasks show with 80 % power, one comparison alone, is scaled with the root of their number.

    Args:
        c: A comparison with a difference and its standard error.
        sides: Its estimates.
        line: What the difference must pass; the difference does not lie on it.
        crossed: Whether the interval of the difference holds the line.
        against: Reasons against a separation that are to be lifted as well.

    Returns:
        1 or more; infinity where no number would do.

    Raises:
        ValueError: The comparison has no difference, or nothing is known of its spread.
    """
    if c.difference is None or c.standard_error is None:
        raise ValueError(f"{c.id}: no difference, or no spread to scale")
    times = (POWER_REACH * c.standard_error / abs(c.difference - line)) ** 2 if crossed else 1.0
    if NotSeparated.OVERLAP in against:
        times = max(times, _growth_until_apart(*sides))
    if NotSeparated.HOLDS_ZERO in against or NotSeparated.NOT_SIGNIFICANT in against:
        critical = NormalDist().inv_cdf(1.0 - separation.SIGNIFICANT / 2 / holm_factor(c))
        reach = c.standard_error * (critical + Z_800)
        times = max(times, (reach / abs(c.difference)) ** 2 if c.difference else inf)
    return times


def holm_factor(c: Comparison) -> float:
    """How many times as large Holm has made the p-value; as its comparisons, where that is cut off at 1."""
    if c.p and c.p_adjusted is not None and c.p_adjusted < 1.0:
        return max(1.0, c.p_adjusted / c.p)
    return float(max(1, c.holm_size))


def interval_gap(mine: Interval, theirs: Interval, *, above: bool) -> float:
    """By how much two intervals are apart; 0 where they overlap.

    Args:
        mine: The first interval.
        theirs: The second.
        above: Whether the first is the upper one.

    >>> from metrics_core.results import Method
    >>> low = Interval(lo=0.25, hi=0.5, method=Method.WILSON)
    >>> high = Interval(lo=0.75, hi=0.9, method=Method.WILSON)
    >>> interval_gap(high, low, above=True)
    0.25
    """
    if separation.overlaps(mine, theirs) is not False:
        return 0.0
    upper, lower = (mine, theirs) if above else (theirs, mine)
    return 0.0 if upper.lo is None or lower.hi is None else upper.lo - lower.hi


def _laid_out(sides: Sides, outcomes: Iterable[RecordedOutcome]) -> tuple[RunGroup, RunGroup]:
    """The runs of both arms by task, which is its own cluster: as where a harness repeats tasks."""
    made = (RunGroup(), RunGroup())
    for outcome in outcomes:
        for e, run_group in zip(sides, made, strict=True):
            if outcome.what == (e.family, e.metric, e.stratum) and set(e.group) <= set(outcome.group):
                run_group.home[outcome.task] = outcome.task
                if outcome.value is None:
                    run_group.lost[outcome.task][(outcome.state, "")] += 1
                else:
                    run_group.values[outcome.task][outcome.task][outcome.value] += 1
    return made


def _all_of(e: Estimate, run_group: RunGroup) -> bool:
    """Whether the runs are all that the estimate counted, the unknown ones too."""
    lost = sum(n for lost in run_group.lost.values() for n in lost.values())
    return 0 < run_group.known == e.known and lost == e.attempts - e.known


def _same(found: Difference, c: Comparison) -> bool:
    ends = (
        (found.value, c.difference),
        (found.interval.lo, c.interval.lo),
        (found.interval.hi, c.interval.hi),
    )
    return found.paired_on == c.paired_on and all(
        x is not None and y is not None and isclose(x, y, abs_tol=1e-9) for x, y in ends
    )


def _redrawn_alike(e: Estimate, run_group: RunGroup, memo: Memo) -> bool:
    again = reestimate(e, run_group, "scenario", memo)
    if again.lo is None or again.hi is None or e.interval.lo is None or e.interval.hi is None:
        return False
    return isclose(again.lo, e.interval.lo, abs_tol=1e-9) and isclose(again.hi, e.interval.hi, abs_tol=1e-9)


def _changeable(side: RunGroup, *, down: bool) -> list[tuple[str, Value]]:
    """Each task with each value that can still go down, or up."""
    worst = 0.0 if down else 1.0
    return list(dict.fromkeys((task, value) for _, task, value in side.runs() if value[0] != worst))


def _with_one_changed(side: RunGroup, at: tuple[str, Value], *, down: bool) -> RunGroup:
    """The same runs, one of them come out at the other end."""
    task, (value, n, N) = at
    values = {name: {t: Counter(runs) for t, runs in tasks.items()} for name, tasks in side.values.items()}
    runs = values[side.home[task]][task]
    runs[(value, n, N)] -= 1
    runs += Counter()  # drops what came to nothing
    runs[(0.0, 0, N) if down else (1.0, N, N)] += 1
    return RunGroup(values=values, lost=side.lost, home=side.home)


def _redrawn(a: Estimate, mine: RunGroup, theirs: RunGroup, memo: Memo) -> _Redrawn:
    interval = reestimate(a, mine, "scenario", memo)
    return _Redrawn(mine, interval, difference(mine, theirs, "scenario"))


def _as_if(c: Comparison, sides: Sides, way: _Redrawn, theirs: RunGroup) -> tuple[Comparison, Sides]:
    """The comparison and its estimates, were these the runs of the first arm.

    The p-value is taken as it is: Holm could only raise it.
    """
    a, b = sides
    d = way.difference
    found = separation.verdict(
        way.interval, b.interval, d, d.p, a.known, b.known,
        reverses=worst_case(way.runs, theirs, d, "scenario") == "reverses",
    )  # fmt: skip
    anew = replace(c, difference=d.value, interval=d.interval, judged=found)
    return anew, (a if a.bounds is None else replace(a, bounds=extremes(way.runs, a.attempts)), b)


def extremes(run_group: RunGroup, attempts: int) -> tuple[float, float]:
    """The mean if every run without a known value had counted 0, and 1.

    Args:
        run_group: Runs of one arm.
        attempts: All its runs, 1 or more.
    """
    total = fsum(value for _, _, (value, _, _) in run_group.runs())
    return total / attempts, (total + attempts - run_group.known) / attempts


def _growth_until_apart(a: Estimate, b: Estimate) -> float:
    """By how much the runs must grow before the two intervals no longer overlap."""
    if a.value is None or b.value is None or a.value == b.value:
        return inf
    high, low = (a, b) if a.value > b.value else (b, a)
    if high.interval.lo is None or low.interval.hi is None or high.value is None or low.value is None:
        return inf
    reach = (high.value - high.interval.lo) + (low.interval.hi - low.value)
    return float((reach / (high.value - low.value)) ** 2)
