"""Which arms of one metric the pack can tell apart: every pair, by task wherever both ran the same tasks.

Only within one stratum: the same contract, pack and conditions. Pairs that share no stratum are *not
comparable*, and the field that differs is named. Overlap is said aloud: unless the data separate two arms,
the pack cannot separate them yet. Statistics of a difference stand in
`metrics_core.paired` and `metrics_core.unpaired`, the rule that separates in `metrics_core.separation`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import fsum

from metrics_core.bounds import worst_case_reverses
from metrics_core.clustered_intervals import wilson_effective
from metrics_core.compared import Comparison
from metrics_core.comparison import Difference
from metrics_core.estimate import Estimate, Pairs, State, pairs
from metrics_core.family import Context, Metric
from metrics_core.intervals import Interval
from metrics_core.paired import paired_binary, paired_t
from metrics_core.pooling import POOLING_RULES
from metrics_core.rollup import Bunch, refill
from metrics_core.separation import Rule, holm, verdict
from metrics_core.unpaired import unpaired_binary, unpaired_means

Key = tuple[Pairs, Pairs]
OTHER_DENOMINATORS: tuple[tuple[str, tuple[State, ...], float], ...] = (
    ("errors counted as failures", ("error", "invalid"), 0.0),
    ("unknown counted against", ("unknown",), 0.0),
    ("unknown counted for", ("unknown",), 1.0),
)


@dataclass(frozen=True, slots=True)
class Side:
    """One arm of a comparison: its name, its runs and its estimate."""

    arm: str
    bunch: Bunch
    estimate: Estimate


def comparisons(
    metric: Metric, bunches: Mapping[Key, Bunch], made: Mapping[Key, Estimate], context: Context
) -> Iterator[Comparison]:
    """Every pair of arms of a metric, over each key that it is compared over, Holm within each metric.

    Args:
        metric: What is compared.
        bunches: (stratum, group) -> runs.
        made: (stratum, group) -> estimate, for the same keys.
        context: The experiment's rule of separation.
    """
    rule = context.settings.separation
    for over in metric.compared:
        fields = (over,) if (over,) in metric.groups else ("model", over)
        families: dict[tuple[Pairs, Pairs], list[Side]] = {}
        for (stratum, group), e in made.items():
            keys = dict(group)
            if tuple(sorted(keys)) == tuple(sorted(fields)) and e.known:
                rest = pairs((k, v) for k, v in group if k != over)
                families.setdefault((stratum, rest), []).append(
                    Side(keys[over], bunches[(stratum, group)], e)
                )
        for (_, rest), sides in sorted(families.items(), key=lambda item: item[0]):
            sides.sort(key=lambda side: side.arm)
            found = [_compare(a, b, rest, over, rule) for a, b in combinations(sides, 2)]
            yield from _adjusted(found, rule)
        yield from _not_comparable(families, over, rule)


@dataclass(frozen=True, slots=True)
class _Pair:
    """A comparison before Holm: the verdict waits for the adjusted p."""

    a: Side
    b: Side
    rest: Pairs
    over: str
    difference: Difference


def _compare(a: Side, b: Side, rest: Pairs, over: str, rule: Rule) -> _Pair:
    return _Pair(a, b, rest, over, difference(a.bunch, b.bunch))


def difference(a: Bunch, b: Bunch) -> Difference:
    """The difference a - b of two bunches: paired by task wherever both ran the same tasks.

    One verdict a task and side: Bonett-Price and mid-p McNemar. Fractions or repeats: t on per-task mean
    differences, clusters kept whole. No two tasks in common: unpaired, and labelled so.
    """
    left, right = a.by_task(), b.by_task()
    common = [task for task in left if task in right]
    if len(common) < 2:
        return _unpaired(a, b)
    sides = [(left[task], right[task]) for task in common]
    if all(len(x) == len(y) == 1 and {x[0], y[0]} <= {0.0, 1.0} for x, y in sides):
        only_a = sum(x[0] > y[0] for x, y in sides)
        return paired_binary(only_a, sum(x[0] < y[0] for x, y in sides), len(common))
    return paired_t(
        [fsum(x) / len(x) - fsum(y) / len(y) for x, y in sides], _clusters(a, common), limits=_limits(a, b)
    )


def _unpaired(a: Bunch, b: Bunch) -> Difference:
    left, right = a.by_cluster(), b.by_cluster()
    singles = all(len(cluster) == 1 for cluster in (*left, *right))
    if singles and {x for (x,) in (*left, *right)} <= {0.0, 1.0}:
        return unpaired_binary(
            int(sum(x for (x,) in left)), len(left), int(sum(x for (x,) in right)), len(right)
        )
    return unpaired_means(left, right)


def _limits(a: Bunch, b: Bunch) -> tuple[float, float] | None:
    """What a difference can be: -1 to 1 for shares and fractions, anything for other scores."""
    values = [value for side in (a, b) for _, _, (value, _, _) in side.runs()]
    return (-1.0, 1.0) if all(0 <= value <= 1 for value in values) else None


def _clusters(bunch: Bunch, tasks: Sequence[str]) -> list[str]:
    """The cluster of each task; tasks are independent where the cluster is the task itself."""
    home = {task: cluster for cluster, inside in bunch.values.items() for task in inside}
    return [home[task] for task in tasks]


def _adjusted(found: Sequence[_Pair], rule: Rule) -> Iterator[Comparison]:
    for pair, p_adjusted in zip(found, holm([pair.difference.p for pair in found]), strict=True):
        yield _judged(pair, p_adjusted, len(found), rule)


def _judged(pair: _Pair, p_adjusted: float | None, size: int, rule: Rule) -> Comparison:
    a, b, d = pair.a.estimate, pair.b.estimate, pair.difference
    judged = verdict(
        a.interval, b.interval, d, p_adjusted, a.known, b.known, reverses=_reverses(pair), rule=rule
    )
    return Comparison(
        experiment=a.experiment,
        family=a.family,
        metric=a.metric,
        group=pair.rest,
        stratum=a.stratum,
        over=pair.over,
        a=pair.a.arm,
        b=pair.b.arm,
        difference=d.value,
        interval=d.interval,
        overlap=judged.overlap,
        paired_on=d.paired_on,
        p=d.p,
        p_adjusted=p_adjusted,
        holm_size=size,
        rule=rule,
        verdict=judged.word,
        reason="; ".join(judged.reasons),
        method=f"{d.method}, {d.label}" if d.label else d.method,
        detectable=d.detectable,
        contract=a.contract,
        sensitivity=tuple(_sensitivity(pair, rule)),
    )


def worst_and_best(bunch: Bunch, e: Estimate) -> tuple[float, float]:
    """The mean if every run without a known value had counted 0, and 1."""
    total = sum(value for _, _, (value, _, _) in bunch.runs())
    missing = e.attempts - e.known
    return total / e.attempts, (total + missing) / e.attempts


def _reverses(pair: _Pair) -> bool:
    a, b, value = pair.a, pair.b, pair.difference.value
    if value is None or not a.estimate.attempts or not b.estimate.attempts:
        return False
    return worst_case_reverses(
        worst_and_best(a.bunch, a.estimate), worst_and_best(b.bunch, b.estimate), value
    )


def _sensitivity(pair: _Pair, rule: Rule) -> Iterator[tuple[str, str, float | None]]:
    """The same comparison under the other denominators, each on its own, p not adjusted."""
    for name, states, value in OTHER_DENOMINATORS:
        a, b = (refill(side.bunch, states, value) for side in (pair.a, pair.b))
        d = difference(a, b)
        judged = verdict(*_intervals(a, b), d, d.p, a.known, b.known, rule=rule)
        yield name, judged.word, d.value


def _intervals(a: Bunch, b: Bunch) -> tuple[Interval, Interval]:
    return (
        wilson_effective(a.by_cluster(), known=a.known),
        wilson_effective(b.by_cluster(), known=b.known),
    )


def _not_comparable(families: Mapping[Key, Sequence[Side]], over: str, rule: Rule) -> Iterator[Comparison]:
    """Pairs of arms that share no stratum, each once, with the first field that differs."""
    where: dict[tuple[Pairs, str], list[Side]] = {}
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
            interval=Interval.none("not comparable"),
            overlap=None,
            paired_on=None,
            p=None,
            p_adjusted=None,
            holm_size=0,
            rule=rule,
            verdict="not comparable",
            reason=f"{name} is {here} for {a} and {there} for {b}: {POOLING_RULES.get(name, 'two strata')}",
            method="none",
            detectable=None,
            contract=left.contract,
        )


def _first_difference(left: Estimate, right: Estimate) -> tuple[str, str, str]:
    mine, theirs = dict(left.stratum), dict(right.stratum)
    for key in sorted({*mine, *theirs}):
        if mine.get(key) != theirs.get(key):
            return key, mine.get(key, "not stated"), theirs.get(key, "not stated")
    return "contract", left.contract.digest, right.contract.digest


def withheld(c: Comparison, why: str) -> Comparison:
    """The same comparison without any number."""
    return replace(
        c,
        difference=None,
        interval=Interval.none(f"withheld: {why}"),
        overlap=None,
        p=None,
        p_adjusted=None,
        verdict="not comparable",
        reason=f"withheld: {why}",
        detectable=None,
        sensitivity=(),
    )
