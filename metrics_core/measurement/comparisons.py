"""Which arms of one metric the pack can tell apart: every pair, by task wherever both ran the same tasks.

Only within one stratum: the same contract, pack and conditions. Pairs that share no stratum are *not
comparable*, and the field that differs is named. Overlap is stated: unless the data separate two arms, the
pack cannot separate them yet. `difference` chooses among the paired and unpaired statistics of
`metrics_core.statistics.differences`; the rule that separates is in `metrics_core.statistics.separation`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import fsum
from typing import TYPE_CHECKING

from metrics_core.measurement.estimators import reestimate
from metrics_core.measurement.family import Context, Metric
from metrics_core.measurement.grouping import RunGroup, cluster_of, refill
from metrics_core.results import (
    MIN_KNOWN,
    ByControl,
    Comparison,
    ComparisonVerdict,
    Denominator,
    Difference,
    Estimate,
    Interval,
    Keys,
    Method,
    NoInterval,
    State,
    Unlike,
    Withheld,
)
from metrics_core.statistics import (
    Rule,
    SeparationVerdict,
    holm,
    paired_binary,
    paired_t,
    unpaired_binary,
    unpaired_means,
    verdict,
    worst_case_reverses,
)

if TYPE_CHECKING:
    from metrics_core.memo import Memo

Key = tuple[Keys, Keys]

OTHER_DENOMINATORS: tuple[tuple[Denominator, tuple[State, ...], float | None], ...] = (
    (Denominator.ERRORS_AS_FAILURES, ("error", "invalid"), None),
    (Denominator.UNKNOWN_AGAINST, ("unknown",), 0.0),
    (Denominator.UNKNOWN_FOR, ("unknown",), 1.0),
)
"""Name, which runs are counted too, and as what; None is a failure, whichever way the metric counts."""


@dataclass(frozen=True, slots=True)
class ComparedArm:
    """One arm of a comparison: its name, its runs, its estimate, and the interval that these runs give."""

    arm: str
    run_group: RunGroup
    estimate: Estimate
    interval: Interval


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two sides and their difference: the verdict waits for the p adjusted over all pairs."""

    a: ComparedArm
    b: ComparedArm
    difference: Difference


def comparisons(
    metric: Metric, run_groups: Mapping[Key, RunGroup], made: Mapping[Key, Estimate], context: Context
) -> Iterator[Comparison]:
    """Every pair of arms of a metric, over each key that it is compared over.

    Holm over the pairs of one metric, key, stratum and group: what one reader would look through together.

    Args:
        metric: What is compared.
        run_groups: (stratum, group) -> runs.
        made: (stratum, group) -> estimate, for the same keys.
        context: The experiment's rule of separation.
    """
    rule = context.settings.separation
    for over in metric.compared:
        fields = (over,) if (over,) in metric.groups else ("model", over)
        families: dict[tuple[Keys, Keys], list[ComparedArm]] = {}
        for (stratum, group), e in made.items():
            if group.names == tuple(sorted(fields)) and e.known:
                families.setdefault((stratum, group.without(over)), []).append(
                    ComparedArm(group[over], run_groups[(stratum, group)], e, e.interval)
                )
        for (_, rest), sides in sorted(families.items(), key=lambda item: item[0]):
            sides.sort(key=lambda side: side.arm)
            yield from _among(sides, rest, over, rule, metric, cluster_of(metric, context), context.memo)
        yield from _not_comparable(families, over, rule)


def _among(
    sides: Sequence[ComparedArm], rest: Keys, over: str, rule: Rule, metric: Metric, cluster: str, memo: Memo
) -> Iterator[Comparison]:
    """Every pair of sides, and what it would come to under the other denominators."""
    judged = _judged(sides, rule, cluster)
    failure = 1.0 if metric.polarity == "against" else 0.0
    again = []
    for name, states, value in OTHER_DENOMINATORS:
        counted = failure if value is None else value
        filled = [_refilled(side, states, counted, cluster, memo) for side in sides]
        same = all(now is before for now, before in zip(filled, sides, strict=True))
        again.append((name, judged if same else _judged(filled, rule, cluster)))
    for at, (pair, p_adjusted, found) in enumerate(judged):
        sensitivity = tuple(
            (name, refilled[at][2].word, refilled[at][0].difference.value) for name, refilled in again
        )
        yield _comparison(pair, p_adjusted, found, rest, over, len(judged), sensitivity)


def _judged(
    sides: Sequence[ComparedArm], rule: Rule, cluster: str
) -> list[tuple[_Pair, float | None, SeparationVerdict]]:
    """Each pair of sides, its adjusted p and its verdict."""
    found = [_Pair(a, b, difference(a.run_group, b.run_group, cluster)) for a, b in combinations(sides, 2)]
    adjusted = holm([pair.difference.p for pair in found])
    return [(pair, p, _verdict(pair, p, rule)) for pair, p in zip(found, adjusted, strict=True)]


def _verdict(pair: _Pair, p_adjusted: float | None, rule: Rule) -> SeparationVerdict:
    a, b = pair.a, pair.b
    return verdict(
        a.interval, b.interval, pair.difference, p_adjusted, a.run_group.known, b.run_group.known,
        reverses=_reverses(pair), rule=rule,
    )  # fmt: skip


def _refilled(
    side: ComparedArm, states: tuple[State, ...], value: float, cluster: str, memo: Memo
) -> ComparedArm:
    """A side under another denominator; the same side where that changes nothing."""
    if not any(side.run_group.count(state) for state in states):
        return side
    run_group = refill(side.run_group, states, value)
    return replace(side, run_group=run_group, interval=reestimate(side.estimate, run_group, cluster, memo))


def _comparison(
    pair: _Pair,
    p_adjusted: float | None,
    judged: SeparationVerdict,
    rest: Keys,
    over: str,
    size: int,
    sensitivity: tuple[tuple[Denominator, ComparisonVerdict, float | None], ...],
) -> Comparison:
    a, d = pair.a.estimate, pair.difference
    return Comparison(
        experiment=a.experiment,
        family=a.family,
        metric=a.metric,
        group=rest,
        stratum=a.stratum,
        over=over,
        a=pair.a.arm,
        b=pair.b.arm,
        difference=d.value,
        interval=d.interval,
        overlap=judged.overlap,
        paired_on=d.paired_on,
        p=d.p,
        p_adjusted=p_adjusted,
        holm_size=size,
        rule=judged.rule,
        verdict=judged.word,
        reasons=judged.reasons,
        method=d.method,
        unpaired=d.unpaired,
        detectable=d.detectable,
        contract=a.contract,
        sensitivity=sensitivity,
        words=a.words,
    )


def _reverses(pair: _Pair) -> bool:
    value = pair.difference.value
    if value is None:
        return False
    a, b = (extremes(side.run_group, side.estimate.attempts) for side in (pair.a, pair.b))
    return worst_case_reverses(a, b, value)


def extremes(run_group: RunGroup, attempts: int) -> tuple[float, float]:
    """The mean if every run without a known value had counted 0, and 1.

    Args:
        run_group: Runs of one arm.
        attempts: All its runs, 1 or more, those under another denominator as they were.
    """
    total = fsum(value for _, _, (value, _, _) in run_group.runs())
    return total / attempts, (total + attempts - run_group.known) / attempts


def _not_comparable(
    families: Mapping[Key, Sequence[ComparedArm]], over: str, rule: Rule
) -> Iterator[Comparison]:
    """Pairs of arms that share no stratum, each once, with the first field that differs."""
    where: dict[tuple[Keys, str], list[ComparedArm]] = {}
    for (_, rest), sides in families.items():
        for side in sides:
            where.setdefault((rest, side.arm), []).append(side)
    for (rest, a), (other, b) in combinations(sorted(where), 2):
        mine, theirs = where[(rest, a)], where[(other, b)]
        if rest != other or {s.estimate.stratum for s in mine} & {s.estimate.stratum for s in theirs}:
            continue
        left, right = mine[0].estimate, theirs[0].estimate
        name, here, there = _first_difference(left, right)
        yield Comparison(
            experiment=left.experiment,
            family=left.family,
            metric=left.metric,
            group=rest,
            stratum=left.stratum,
            over=over,
            a=a,
            b=b,
            difference=None,
            interval=Interval.none(NoInterval.NOT_COMPARABLE),
            overlap=None,
            paired_on=None,
            p=None,
            p_adjusted=None,
            holm_size=0,
            rule=rule,
            verdict="not comparable",
            reasons=(Unlike(name, (a, here), (b, there)),),
            method=Method.NONE,
            detectable=None,
            contract=left.contract,
            words=left.words,
        )


def _first_difference(left: Estimate, right: Estimate) -> tuple[str, str, str]:
    for key in left.stratum.differing(right.stratum):
        return key, left.stratum.get(key, "not stated"), right.stratum.get(key, "not stated")
    return "contract", left.contract.digest, right.contract.digest


def difference(a: RunGroup, b: RunGroup, cluster: str) -> Difference:
    """The difference a - b of two groups of runs: paired by task wherever both ran the same tasks.

    One verdict a task and side: Bonett-Price and mid-p McNemar. Fractions or repeats: t on per-task mean
    differences, clusters kept whole. No two tasks in common: unpaired, and labelled so. Fewer than 8 known
    runs on a side give none: too few refuse the interval and every comparison.

    Args:
        a: Runs of the first side.
        b: Of the second.
        cluster: The key within which tasks err together, for the caption.

    Returns:
        In the metric's unit; ``paired_on`` counts the tasks in common, and is None where they differ.

    >>> from collections import Counter
    >>> passed, failed = ({t: {t: Counter({(x, int(x), 1): 1})} for t in "abcdefgh"} for x in (1.0, 0.0))
    >>> found = difference(RunGroup(passed), RunGroup(failed), "scenario")
    >>> found.value, found.paired_on, str(found.method)
    (1.0, 8, 'bonett-price')
    """
    left, right = a.by_task(), b.by_task()
    common = [task for task in left if task in right]
    if min(a.known, b.known) < MIN_KNOWN:
        return _refused(len(common))
    if len(common) < 2:
        return _unpaired(a, b)
    sides = [(left[task], right[task]) for task in common]
    if all(len(x) == len(y) == 1 and {x[0], y[0]} <= {0.0, 1.0} for x, y in sides):
        only_a = sum(x[0] > y[0] for x, y in sides)
        return paired_binary(only_a, sum(x[0] < y[0] for x, y in sides), len(common))
    differences = [task_mean(x) - task_mean(y) for x, y in sides]
    return paired_t(differences, [a.home[task] for task in common], key=cluster, limits=_limits(a, b))


def task_mean(values: Sequence[float]) -> float:
    """Mean over the known runs of one task: what one side brings to a paired difference.

    Args:
        values: In the metric's unit, one or more, ascending.

    >>> task_mean([0.0, 1.0, 1.0, 1.0])
    0.75
    """
    return fsum(values) / len(values)


def _refused(common: int) -> Difference:
    return Difference(
        value=None,
        interval=Interval.none(NoInterval.TOO_FEW),
        p=None,
        test="none",
        paired_on=common if common > 1 else None,
    )


def _unpaired(a: RunGroup, b: RunGroup) -> Difference:
    left, right = a.by_cluster(), b.by_cluster()
    singles = all(len(cluster) == 1 for cluster in (*left, *right))
    if singles and {x for (x,) in (*left, *right)} <= {0.0, 1.0}:
        return unpaired_binary(
            int(sum(x for (x,) in left)), len(left), int(sum(x for (x,) in right)), len(right)
        )
    return unpaired_means(left, right)


def _limits(a: RunGroup, b: RunGroup) -> tuple[float, float] | None:
    """What a difference can be: -1 to 1 for shares and fractions, anything for other scores."""
    values = [value for side in (a, b) for _, _, (value, _, _) in side.runs()]
    return (-1.0, 1.0) if all(0 <= value <= 1 for value in values) else None


def withheld(c: Comparison, why: Withheld) -> Comparison:
    """The same comparison without any number."""
    return replace(
        c,
        difference=None,
        interval=Interval.none(ByControl(why)),
        overlap=None,
        p=None,
        p_adjusted=None,
        verdict="not comparable",
        reasons=(ByControl(why),),
        detectable=None,
        sensitivity=(),
    )
