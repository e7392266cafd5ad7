"""One group of runs -> one estimate, by the kind of its metric. The only place that divides.

Share: n of N known verdicts. Mean: mean over runs of fractions. Score: mean of a user contract's scores,
with its own bootstrap as signed. Context: median, 90th percentile and total; never a score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.measurement.family import Metric
from metrics_core.measurement.grouping import RunGroup, TaskRuns, in_clusters
from metrics_core.results import (
    MIN_KNOWN,
    Absence,
    ByControl,
    ByTask,
    ContractRef,
    Estimate,
    Interval,
    Keys,
    Method,
    NeverRecorded,
    NoInterval,
    NotCountedOut,
    Note,
    State,
    Withheld,
)
from metrics_core.statistics import (
    MANY_SHARES,
    ClusterSums,
    Values,
    clopper_pearson,
    counts_of,
    cr1_t,
    design_effect,
    exact_cluster_bootstrap,
    exact_percentile_bootstrap,
    exact_sum,
    icc_anova,
    manski_bounds,
    on_common_scale,
    outer_limits,
    share_not_known,
    summarised,
    sums,
    task_weighted,
    wider,
    wilson_effective,
)
from metrics_core.text import spelled

if TYPE_CHECKING:
    from metrics_core.memo import Memo
    from metrics_core.results import Vocabulary

SIGNED = "signed bootstrap"
"""Name among an estimate's other intervals of the contract's own."""
OUTER = "outer wilson"
"""Name among an estimate's other intervals of the limits around its bounds."""
EXACT_UP_TO = 1000
"""Runs of an estimate up to which its bootstraps are counted out; beyond, the data say that they are not."""
CR1 = "cr1 t"
"""Name among an estimate's other intervals of the one on cluster totals."""
EXACT = Method.EXACT_PERCENTILE_BOOTSTRAP.value
Clusters = Sequence[Values]
Headline = Literal["point", "bounds", "counts", "nothing", "withheld"]


def blank(
    metric: Metric,
    run_group: RunGroup,
    *,
    experiment: str,
    family: str,
    group: Keys,
    stratum: Keys,
    contract: ContractRef,
    data_digest: str,
    pack: str | None,
    words: Vocabulary | None = None,
) -> Estimate:
    """An estimate that says what was tried and holds no value yet."""
    losses = run_group.losses
    lost: dict[State, int] = {}
    for loss in losses:
        lost[loss.state] = lost.get(loss.state, 0) + loss.count
    return Estimate(
        experiment=experiment,
        family=family,
        metric=metric.name,
        group=group,
        stratum=stratum,
        unit=metric.unit,
        value=None,
        n=0,
        N=0,
        of=metric.of,
        known=run_group.known,
        unknown=lost.get("unknown", 0),
        invalid=lost.get("invalid", 0),
        errors=lost.get("error", 0),
        interval=Interval.none(NoInterval.NOTHING_KNOWN),
        contract=contract,
        data_digest=data_digest,
        pack=pack,
        stamps=run_group.span.ends,
        prices=stratum.get("prices"),
        polarity=metric.polarity,
        losses=losses,
        headline="nothing",
        notes=metric.notes,
        words=words,
    )


def share(metric: Metric, run_group: RunGroup, e: Estimate, cluster: str, memo: Memo) -> Estimate:
    """N of N known verdicts, with Wilson's interval and the bounds that the unknown ones leave."""
    n, places = _successes(run_group), run_group.places()
    e, outer = bounded(e, places, cluster, n, memo)
    if not e.known:
        return e
    found = memo(of_clusters, in_clusters(places), cluster, e.known)
    return replace(
        e,
        interval=found.interval,
        design_effect=found.design_effect,
        icc=found.icc,
        value=n / e.known,
        n=n,
        N=e.known,
        headline=leading(e),
        also=(("clopper-pearson", memo(clopper_pearson, n, e.known)), (OUTER, outer), *found.beside),
    )


def _successes(run_group: RunGroup) -> int:
    return sum([one * times for (_, one, _), times in run_group.counted()])


def ahead(run_groups: Iterable[tuple[Metric, RunGroup]], memo: Memo) -> None:
    """Make what is made for many groups of runs sooner than for one after the other: exact limits of shares.

    Args:
        run_groups: The groups of every metric, each with what will be made of it.
        memo: Who will be asked for it.
    """
    shares = {
        (_successes(group), group.known)
        for metric, group in run_groups
        if metric.kind == "share" and group.known >= MIN_KNOWN
    }
    if len(shares) >= MANY_SHARES:
        from metrics_core.statistics import clopper_pearsons  # numpy is loaded for it

        memo.ahead(clopper_pearson, clopper_pearsons, sorted(shares))


def mean(metric: Metric, run_group: RunGroup, e: Estimate, cluster: str, memo: Memo) -> Estimate:
    """Mean over runs of a fraction in 0..1; n and N are the runs' own counts, added."""
    runs, places = run_group.counted(), run_group.places()
    total = exact_sum([(value, times) for (value, _, _), times in runs])
    e, outer = bounded(e, places, cluster, total, memo)
    if not e.known:
        return e
    of = metric.of
    n, big = sum([one * times for (_, one, _), times in runs]), sum([N * times for (_, _, N), times in runs])
    if metric.of_runs and not all(N for (_, _, N), _ in runs):
        of, n, big = metric.of_runs, sum(times for (value, _, _), times in runs if value == 1), e.known
    found = memo(of_clusters, in_clusters(places), cluster, e.known)
    return replace(
        e,
        interval=found.interval,
        design_effect=found.design_effect,
        icc=found.icc,
        value=_unit(total / e.known),
        n=n,
        N=big,
        of=of,
        headline=leading(e),
        also=((OUTER, outer), *found.beside),
    )


def bounded(
    e: Estimate, places: Sequence[TaskRuns], cluster: str, total: float, memo: Memo
) -> tuple[Estimate, Interval]:
    """What is not known of a mean of values in 0..1, and the limits around its bounds.

    Args:
        e: Of the same runs.
        places: Its tasks, every value within 0..1.
        cluster: The key within which runs err together.
        total: Sum of the known values.
        memo: What was made of the same runs before.

    Returns:
        The estimate with its bounds, those of the planned grid, and what is told by task; and the limits
        around the bounds.
    """
    lost = [place.not_known for place in places]
    holes = [place.never_recorded for place in places]
    never = None
    if any(holes):
        missing = [a + b for a, b in zip(lost, holes, strict=True)]
        never = NeverRecorded(
            sum(holes),
            _bounds(total, e.known, e.attempts + sum(holes)),
            _outer(places, missing, cluster, memo),
        )
    told = of_tasks(e, places, cluster, memo)
    bounds = _bounds(total, e.known, e.attempts)
    return replace(e, **told, bounds=bounds, never_recorded=never), _outer(places, lost, cluster, memo)


def _bounds(total: float, known: int, attempts: int) -> tuple[float, float] | None:
    found = manski_bounds(min(float(known), max(0.0, total)), known, attempts)
    return None if found is None else (_unit(found[0]), _unit(found[1]))


def _outer(places: Sequence[TaskRuns], missing: list[int], cluster: str, memo: Memo) -> Interval:
    homes = [place.home for place in places]
    return memo(outer_limits, [place.values for place in places], missing, homes, key=cluster)


def of_tasks(e: Estimate, places: Sequence[TaskRuns], cluster: str, memo: Memo) -> dict[str, Any]:
    """Fields of an estimate that tell task by task: attempts, the share not known, the task-weighted mean."""
    tries = [(place, place.attempts) for place in places if place.of_task]
    tasks = [place for place, made in tries if made]
    attempts = [made for _, made in tries if made]
    told = [place for place in tasks if place.values.counts]
    weighted = None
    if len({len(place.values) for place in told}) > 1:
        values = [place.values for place in told]
        found = memo(task_weighted, values, [place.cluster for place in told], key=cluster)
        if found is not None:
            every = [value for each in values for value, _ in each.counts]
            low, high = min(every), max(every)
            weighted = ByTask(min(high, max(low, found[0])), len(told), found[1])
    return {
        "not_known_by_task": share_not_known(attempts, [place.not_known for place in tasks]),
        "runs_per_task": (min(attempts), max(attempts)) if attempts else None,
        "by_task": weighted,
        "notes": (*e.notes, Note.UNTIL_FIRST_SUCCESS) if ends_at_first_pass(told) else e.notes,
    }


def ends_at_first_pass(tasks: Sequence[TaskRuns]) -> bool:
    """Whether tasks look as if they had been tried until they passed: tries that depend on results.

    The order of tries is not kept, so it is read off their number: it differs between tasks, no task passed
    twice, and two or more passed only after a failure.

    Args:
        tasks: With their known values, 1 where a run passed.
    """
    tries = {len(place.values) for place in tasks}
    if len(tries) < 2:
        return False
    passes = [sum([n for value, n in place.values.counts if value == 1]) for place in tasks]
    if max(passes) != 1:
        return False
    late = sum(n == 1 and len(place.values) > 1 for n, place in zip(passes, tasks, strict=True))
    never_passed = {len(place.values) for n, place in zip(passes, tasks, strict=True) if not n}
    return late > 1 and never_passed <= {max(tries)}


def leading(e: Estimate) -> Headline:
    """What leads where a value in 0..1 is known: bounds over a fifth not known, counts below 8 known."""
    if e.known < MIN_KNOWN:
        return "counts"
    return "bounds" if e.mostly_bounds else "point"


def score(metric: Metric, run_group: RunGroup, e: Estimate, cluster: str, memo: Memo) -> Estimate:
    """Mean of a contract's scores: its own percentile bootstrap and Wilson; the wider one is shown.

    Fewer than 8 valid runs give no value at all, as the contract's own rule says.
    """
    n = sum(one * times for (_, one, _), times in run_group.counted())
    scores = run_group.scores()
    within, places = all(0 <= x <= 1 for x in scores), run_group.places()
    outer: tuple[tuple[str, Interval], ...] = ()
    if within:
        e, limits = bounded(e, places, cluster, fsum(scores), memo)
        outer = ((OUTER, limits),)
    else:
        e = replace(e, **of_tasks(e, places, cluster, memo))
    if e.known < MIN_KNOWN:
        absent = NoInterval.TOO_FEW if e.known else NoInterval.NOTHING_KNOWN
        few = replace(e, by_task=None, bounds=None, interval=Interval.none(absent), headline="counts")
        return replace(few, n=n, N=e.known, never_recorded=without_bounds(e.never_recorded, absent))
    value, signed = memo(_signed, scores)
    found = memo(of_clusters, in_clusters(places), cluster, e.known)
    return replace(
        e,
        interval=wider(signed, found.interval),
        design_effect=found.design_effect,
        icc=found.icc,
        value=value,
        unit=e.unit if within else "score",
        n=n,
        N=e.known,
        headline=leading(e) if within else "point",
        also=(
            (SIGNED, signed),
            ("wilson", found.interval),
            *outer,
            *found.beside,
        ),
    )


def quantity(metric: Metric, run_group: RunGroup, e: Estimate, cluster: str, memo: Memo) -> Estimate:
    """Mean of numbers on a scale of their own, and their range; its exact bootstrap, else t on clusters."""
    scores = run_group.scores()
    if not scores:
        return e
    clusters = run_group.by_cluster()
    also = memo(reported_intervals, clusters, cluster, e.known, None)
    exact = [interval for name, interval in also if name != CR1 and interval.lo is not None]
    notes = (*e.notes, on_its_own_scale(e.stratum.get("scorer"), scores))
    return replace(
        e,
        **{**of_tasks(e, run_group.places(), cluster, memo), "notes": notes},
        value=fsum(scores) / len(scores),
        n=e.known,
        N=e.known,
        interval=exact[-1] if exact else also[0][1],
        headline="point" if e.known >= MIN_KNOWN else "counts",
        also=also,
    )


def on_its_own_scale(whose: str | None, values: Sequence[float]) -> str:
    """What stands beside a quantity: whose it is, and from where to where its values reach.

    >>> on_its_own_scale("rating", [2.0, 4.5])
    'rating on its own scale: values from 2 to 4.5'
    >>> on_its_own_scale("rating", [-1.0, -1.0])
    'rating on its own scale: every value is −1'
    """
    low, high = min(values), max(values)
    reach = (
        f"values from {spelled(low)} to {spelled(high)}" if low < high else f"every value is {spelled(low)}"
    )
    return f"{whose or 'a quantity'} on its own scale: {reach}"


def _signed(scores: list[float]) -> tuple[float | None, Interval]:
    """The mean and the interval of a contract's own bootstrap."""
    from metrics_core.statistics import bootstrap_mean_ci, signed_interval  # numpy is loaded for these

    result = bootstrap_mean_ci(scores)
    return result["mean"], signed_interval(result)


def reestimate(e: Estimate, run_group: RunGroup, cluster: str, memo: Memo) -> Interval:
    """The interval that an estimate would have, were these its runs: for other denominators.

    Where all its own values are equal, they do not tell how alike the runs of a cluster are, and outcomes
    that are counted too do not either: each cluster stays one outcome, so that a failure more never narrows.
    """
    alike = e.interval.n_eff is not None and e.interval.n_eff == e.interval.clusters
    plain = wilson_effective(run_group.by_cluster(), key=cluster, known=run_group.known, whole=alike)
    if SIGNED not in dict(e.also):
        return plain
    return wider(memo(_signed, run_group.scores())[1], plain)


class OfClusters(Struct, frozen=True):
    """What the clusters of an estimate come to, whose values lie in 0..1.

    Attributes:
        interval: Wilson on the effective n.
        design_effect, icc: What the clusters do to it.
        beside: Intervals that belong in the data beside it, by name.
    """

    interval: Interval
    design_effect: float | None
    icc: float | None
    beside: tuple[tuple[str, Interval], ...]


def of_clusters(clusters: Clusters, cluster: str, known: int) -> OfClusters:
    """Wilson on the effective n, what the clusters do to it, and the intervals beside it.

    Args:
        clusters: Values of each cluster.
        cluster: What the clusters are.
        known: Runs behind the values, or whatever is counted in their place.
    """
    s = sums(clusters)
    return OfClusters(
        interval=wilson_effective(s, key=cluster, known=known),
        design_effect=design_effect(s),
        icc=icc_anova(s),
        beside=_reported(clusters, s, cluster, known, (0.0, 1.0)),
    )


def reported_intervals(
    clusters: Clusters, cluster: str, known: int, limits: tuple[float, float] | None = (0.0, 1.0)
) -> tuple[tuple[str, Interval], ...]:
    """Intervals that belong in the data beside the one that is shown; ``limits``: what a value can be."""
    return _reported(clusters, sums(clusters), cluster, known, limits)


def _reported(
    clusters: Clusters, s: ClusterSums, cluster: str, known: int, limits: tuple[float, float] | None
) -> tuple[tuple[str, Interval], ...]:
    cr1 = (CR1, cr1_t(s, key=cluster, known=known, limits=limits))
    each = [counts_of(values).counts for values in clusters]
    many = sum(n for counts in each for _, n in counts) > EXACT_UP_TO
    distinct = [] if many else list({value for counts in each for value, _ in counts})
    scaled = None if many else on_common_scale(distinct)
    if scaled is None:
        absent = NotCountedOut(EXACT_UP_TO) if many else NoInterval.NO_COMMON_SCALE
        return (cr1, (EXACT, Interval.none(absent, method=Method.EXACT_PERCENTILE_BOOTSTRAP)))
    whole, scale = dict(zip(distinct, scaled[0], strict=True)), scaled[1]
    kept = [_whole(counts, whole) for counts in each]
    everything: dict[int, int] = {}
    for counted in kept:
        for value, n in counted.items():
            everything[value] = everything.get(value, 0) + n
    exact = (EXACT, exact_percentile_bootstrap(everything, scale))
    if all(sum(counted.values()) == 1 for counted in kept):
        return (cr1, exact)
    whole_clusters = exact_cluster_bootstrap(kept, scale, key=cluster)
    return (cr1, exact, (Method.EXACT_CLUSTER_BOOTSTRAP.value, whole_clusters))


def _whole(counts: Sequence[tuple[float, int]], whole: Mapping[float, int]) -> dict[int, int]:
    """Counted values on their common scale."""
    found: dict[int, int] = {}
    for value, n in counts:
        at = whole[value]
        found[at] = found.get(at, 0) + n
    return found


def context(metric: Metric, run_group: RunGroup, e: Estimate, cluster: str, memo: Memo) -> Estimate:
    """Median of a quantity that is context; n of N attempts have it."""
    found = summarised(run_group.numbers)
    if found is None:
        return replace(e, N=e.attempts)
    figures, interval = found
    return replace(
        e,
        value=figures.median,
        n=len(run_group.numbers),
        N=e.attempts,
        interval=interval,
        summary=figures,
        headline="point",
    )


def _unit(value: float) -> float:
    """A mean of values in 0..1, kept there against rounding."""
    return min(1.0, max(0.0, value))


KINDS: dict[str, Callable[[Metric, RunGroup, Estimate, str, Memo], Estimate]] = {
    "share": share,
    "mean": mean,
    "score": score,
    "quantity": quantity,
    "context": context,
}


def without_bounds(never: NeverRecorded | None, why: Absence) -> NeverRecorded | None:
    """How many runs were never recorded, and nothing of what they could have come to."""
    return None if never is None else NeverRecorded(never.runs, None, Interval.none(why))


def withhold(e: Estimate, why: Withheld) -> Estimate:
    """The same estimate without any number: who was counted stays, what it came to does not."""
    return replace(
        e,
        value=None,
        n=None,
        N=None,
        bounds=None,
        never_recorded=without_bounds(e.never_recorded, ByControl(why)),
        by_task=None,
        interval=Interval.none(ByControl(why)),
        withheld_by=why,
        also=(),
        summary=None,
        design_effect=None,
        icc=None,
        headline="withheld",
    )
