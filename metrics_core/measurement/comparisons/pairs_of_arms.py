"""Which arms of one metric can be told apart: every pair, by task wherever both ran the same tasks.

Only within one stratum: the same contract, pack and conditions. Pairs that share no stratum are *not
comparable*, and the field that differs is named. Both rules of separation are always found. How one
difference is made is in `differences`; the rule that separates is in `metrics_core.statistics.separation`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.measurement.comparisons.differences import (
    NOT_KNOWN,
    ArmRuns,
    difference_of,
    shown_by,
    worst_case_of,
)
from metrics_core.measurement.estimators import reestimate
from metrics_core.measurement.family import Context, Metric
from metrics_core.measurement.grouping import RunGroup, cluster_of, refill
from metrics_core.results import (
    POOLING_RULES,
    Against,
    ByControl,
    Comparison,
    Denominator,
    Difference,
    Estimate,
    Interval,
    Keys,
    Method,
    NoInterval,
    NoSmallestDifference,
    NotSeparated,
    NoWorstCase,
    Polarity,
    Recount,
    Remark,
    Rule,
    SeparationVerdict,
    SmallestDifference,
    State,
    Unlike,
    Withheld,
    WorstTakesInZero,
)
from metrics_core.statistics import (
    holm,
    verdict,
)

if TYPE_CHECKING:
    from metrics_core.memo import Memo

Key = tuple[Keys, Keys]


class Filling(Struct, frozen=True):
    """What another denominator counts too, and as what.

    Attributes:
        states: Runs that are counted too, by state.
        value: What each comes to; None for a failure, whichever way the metric counts.
        never_recorded: Whether runs of the grid that left no record are counted as well.
    """

    states: tuple[State, ...]
    value: float | None = None
    never_recorded: bool = False


OTHER_DENOMINATORS: Final[Mapping[Denominator, Filling]] = {
    Denominator.ERRORS_AS_FAILURES: Filling(("error", "invalid")),
    Denominator.UNKNOWN_AGAINST: Filling(("unknown",), 0.0),
    Denominator.UNKNOWN_FOR: Filling(("unknown",), 1.0),
    Denominator.ALL_PLANNED: Filling(NOT_KNOWN, never_recorded=True),
}
"""What a comparison is made again with, in the order in which it is told."""


class ComparedArm(Struct, frozen=True):
    """One arm of a comparison: its name, its runs, its estimate, and the interval that these runs give."""

    arm: str
    run_group: RunGroup
    estimate: Estimate
    interval: Interval


class ComparedSet(Struct, frozen=True):
    """Arms that are compared with one another: those of one stratum and of one group, over one key.

    Attributes:
        over: The key whose values the arms are.
        rest: What else all of them share of their groups.
        sides: The arms; every two of them are a pair.
    """

    over: str
    rest: Keys
    sides: Sequence[ComparedArm]


class _Pair(Struct, frozen=True):
    """Two sides and their difference: the verdict waits for the p adjusted over all pairs."""

    a: ComparedArm
    b: ComparedArm
    runs: tuple[ArmRuns, ArmRuns]
    difference: Difference


class _Judged(Struct, frozen=True):
    """A pair, its adjusted p, what both rules say, and what is said beside it."""

    pair: _Pair
    p_adjusted: float | None
    verdict: SeparationVerdict
    remark: Remark | None


def comparisons(
    metric: Metric, run_groups: Mapping[Key, RunGroup], made: Mapping[Key, Estimate], context: Context
) -> Iterator[Comparison]:
    """Every pair of arms of a metric, over each key that it is compared over.

    Holm over all of them: every key, stratum and group of the metric in this experiment.

    Args:
        metric: What is compared.
        run_groups: (stratum, group) -> runs.
        made: (stratum, group) -> estimate, for the same keys.
        context: The experiment's rule of separation.
    """
    cluster = cluster_of(metric, context)
    rule: Rule = context.settings.separation or "overlap"
    among: list[ComparedSet] = []
    apart: list[Comparison] = []
    for over in metric.compared:
        fields = (over,) if (over,) in metric.groups else ("model", over)
        families: dict[tuple[Keys, Keys], list[ComparedArm]] = {}
        for (stratum, group), e in made.items():
            if group.names == tuple(sorted(fields)) and e.known:
                families.setdefault((stratum, group.without(over)), []).append(
                    ComparedArm(group[over], run_groups[(stratum, group)], e, e.interval)
                )
        among += [
            ComparedSet(over, rest, sorted(sides, key=lambda side: side.arm))
            for (_, rest), sides in sorted(families.items(), key=lambda item: item[0])
        ]
        apart += _not_comparable(families, over, rule)
    yield from compare_within(among, rule, metric.polarity, cluster, context.memo)
    yield from apart


def compare_within(
    among: Sequence[ComparedSet], rule: Rule, polarity: Polarity, cluster: str, memo: Memo
) -> Iterator[Comparison]:
    """Every pair within each set of arms, and what it would come to under the other denominators.

    Args:
        among: Sets of one metric; Holm goes over the pairs of all of them.
        rule: The rule of separation in force.
        polarity: Of the metric.
        cluster: The key within which tasks err together.
        memo: What was made of the same runs before.
    """
    judged = _judged([each.sides for each in among], polarity, cluster)
    failure = 1.0 if polarity == "against" else 0.0
    holes = any(side.run_group.never for each in among for side in each.sides)
    again = []
    for name, filling in OTHER_DENOMINATORS.items():
        if filling.never_recorded and not holes:
            continue
        counted = replace(filling, value=failure if filling.value is None else filling.value)
        filled = [[_refilled(side, counted, cluster, memo) for side in each.sides] for each in among]
        same = all(
            now is before
            for refilled, each in zip(filled, among, strict=True)
            for now, before in zip(refilled, each.sides, strict=True)
        )
        again.append((name, judged if same else _judged(filled, polarity, cluster)))
    whose = [each for each in among for _ in combinations(each.sides, 2)]
    for at, (found, each) in enumerate(zip(judged, whose, strict=True)):
        sensitivity = tuple(_recount(name, found.pair, other[at]) for name, other in again)
        smallest = _smallest(found.pair, len(judged), memo)
        yield _comparison(found, each, rule, len(judged), smallest, sensitivity)


def _recount(name: Denominator, stands: _Pair, again: _Judged) -> Recount:
    """What a pair comes to under another denominator; where the two share no task, not over both plans."""
    if OTHER_DENOMINATORS[name].never_recorded and stands.difference.unpaired:
        withheld = SeparationVerdict(above=None, against=(NotSeparated.NOT_PLANNED,), overlap=None)
        return Recount(denominator=name, judged=withheld, difference=None)
    return Recount(denominator=name, judged=again.verdict, difference=again.pair.difference.value)


def _judged(sets: Sequence[Sequence[ComparedArm]], polarity: Polarity, cluster: str) -> list[_Judged]:
    """Each pair within each set of sides, its p adjusted over all of them, and its verdict."""
    found = []
    for sides in sets:
        counted = [(side, ArmRuns(side.run_group)) for side in sides]
        for (a, left), (b, right) in combinations(counted, 2):
            found.append(_Pair(a, b, (left, right), difference_of(left, right, cluster)))
    adjusted = holm([pair.difference.p for pair in found])
    return [_verdict(pair, p, polarity, cluster) for pair, p in zip(found, adjusted, strict=True)]


def _verdict(pair: _Pair, p_adjusted: float | None, polarity: Polarity, cluster: str) -> _Judged:
    a, b = pair.a, pair.b
    left, right = pair.runs
    filling = worst_case_of(left, right, pair.difference, cluster)
    found = verdict(
        a.interval, b.interval, pair.difference, p_adjusted, left.known, right.known,
        reverses=filling == "reverses",
    )  # fmt: skip
    remark: Remark | None = None
    if filling == "no bounds":
        remark = NoWorstCase()
    elif filling == "takes in 0":
        upper = (pair.difference.value or 0.0) > 0
        remark = WorstTakesInZero((a if upper != (polarity == "against") else b).arm)
    return _Judged(pair, p_adjusted, found, remark)


def _refilled(side: ComparedArm, filling: Filling, cluster: str, memo: Memo) -> ComparedArm:
    """A side under another denominator; the same side where that changes nothing."""
    lost = any(side.run_group.count(state) for state in filling.states)
    if not (lost or (filling.never_recorded and side.run_group.never)):
        return side
    run_group = refill(side.run_group, filling.states, filling.value or 0.0, never=filling.never_recorded)
    return replace(side, run_group=run_group, interval=reestimate(side.estimate, run_group, cluster, memo))


def _comparison(
    found: _Judged,
    among: ComparedSet,
    rule: Rule,
    size: int,
    smallest: SmallestDifference | None,
    sensitivity: tuple[Recount, ...],
) -> Comparison:
    a, d = found.pair.a.estimate, found.pair.difference
    return Comparison(
        experiment=a.experiment,
        family=a.family,
        metric=a.metric,
        group=among.rest,
        stratum=a.stratum,
        over=among.over,
        a=found.pair.a.arm,
        b=found.pair.b.arm,
        difference=d.value,
        interval=d.interval,
        paired_on=d.paired_on,
        p=d.p,
        p_adjusted=found.p_adjusted,
        holm_size=size,
        rule=rule,
        judged=found.verdict,
        method=d.method,
        standard_error=d.standard_error,
        detectable=smallest,
        contract=a.contract,
        pack=a.pack,
        polarity=a.polarity,
        unit=a.unit,
        remarks=() if found.remark is None else (found.remark,),
        sensitivity=sensitivity,
        words=a.words,
    )


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
        unlike = Unlike(name, (a, here), (b, there))
        yield not_compared(left, ComparedPair(over, rest, a, b), unlike, rule)


class ComparedPair(Struct, frozen=True):
    """Two arms by name: the key whose values they are, and what else they share of their groups."""

    over: str
    rest: Keys
    a: str
    b: str


def not_compared(left: Estimate, pair: ComparedPair, why: Against, rule: Rule) -> Comparison:
    """Two arms of which no number is made, and why.

    Args:
        left: The first arm's estimate, whose metric and instrument are named.
        pair: Which arms.
        why: What stands against it.
        rule: The rule of separation in force.
    """
    return Comparison(
        experiment=left.experiment,
        family=left.family,
        metric=left.metric,
        group=pair.rest,
        stratum=left.stratum,
        over=pair.over,
        a=pair.a,
        b=pair.b,
        difference=None,
        interval=Interval.none(NoInterval.NOT_COMPARABLE),
        paired_on=None,
        p=None,
        p_adjusted=None,
        holm_size=0,
        rule=rule,
        judged=SeparationVerdict(above=None, against=(why,), overlap=None),
        method=Method.NONE,
        standard_error=None,
        detectable=None,
        contract=left.contract,
        pack=left.pack,
        polarity=left.polarity,
        unit=left.unit,
        words=left.words,
    )


def _first_difference(left: Estimate, right: Estimate) -> tuple[str, str, str]:
    """The key in which two strata differ, and both values; of several the one that makes others differ."""
    differing = left.stratum.differing(right.stratum)
    if not differing:
        return "contract", left.contract.digest, right.contract.digest
    key = next((name for name in POOLING_RULES if name in differing), differing[0])
    return key, left.stratum.get(key, "not stated"), right.stratum.get(key, "not stated")


def _smallest(pair: _Pair, family: int, memo: Memo) -> SmallestDifference | None:
    """The smallest difference that the tasks of a pair could have shown; None where nothing was compared."""
    a, b = pair.runs
    if pair.difference.value is None:
        return None
    if pair.difference.unpaired:
        return SmallestDifference.none(NoSmallestDifference.DIFFERENT_TASKS, family=family)
    common = a.common(b)
    sides = [a.tasks[task].values for task in common], [b.tasks[task].values for task in common]
    return memo(shown_by, *sides, a.homes(common), family, (a.known, b.known))


def withheld(c: Comparison, why: Withheld) -> Comparison:
    """The same comparison without any number."""
    return replace(
        c,
        difference=None,
        interval=Interval.none(ByControl(why)),
        p=None,
        p_adjusted=None,
        judged=SeparationVerdict(above=None, against=(ByControl(why),), overlap=None, unpaired=c.unpaired),
        standard_error=None,
        detectable=None,
        remarks=(),
        sensitivity=(),
    )
