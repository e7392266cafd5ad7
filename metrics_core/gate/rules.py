"""Each rule of a gate held against two arms: kept, broken, or not told.

Both ends of an interval are one-sided 2.5 %. Does: evaluate one rule on given runs, so that the same is asked
again under other denominators and in slices. Does not: know which runs these are, or what all rules together
come to.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.comparison import Compared, metric_of, task_outcomes
from metrics_core.errors import InputError
from metrics_core.gate.findings import GateRule, GateVerdict, NotTold, RuleFinding, Settling, Supposed
from metrics_core.gate.policy import PassHatK
from metrics_core.measurement import RunGroup, difference, made_again
from metrics_core.memo import Memo
from metrics_core.results import (
    MIN_IN_COMMON,
    MOST_NOT_KNOWN,
    Difference,
    Estimate,
    Interval,
    NotSeparated,
    Ratio,
)
from metrics_core.statistics import (
    MIN_COMPARED,
    DifferenceVariance,
    holm,
    p_worse,
    share_not_known,
    tasks_to_settle,
    tasks_to_tell,
    variance_of_difference,
)

Why = NotTold | NotSeparated | None
"""Why a rule is neither kept nor broken; None where it is one of these."""

ONE_SIDED = 0.025
"""Each end of a 95 % interval, and what a slice's p must not exceed after Holm."""


class Held(Struct, frozen=True, kw_only=True):
    """Two arms as a rule looks at them.

    Attributes:
        compared: Whose arms they are.
        a: Runs of the baseline under one denominator.
        b: Runs of the candidate.
        memo: What was made of the same runs before.
    """

    compared: Compared
    a: RunGroup
    b: RunGroup
    memo: Memo

    @property
    def against(self) -> bool:
        """Whether more of the metric is worse."""
        return self.compared.a.polarity == "against"


def _by_limits(interval: Interval, *, kept: bool, broken: bool) -> tuple[GateVerdict, Why]:
    if interval.lo is None:
        return GateVerdict.CANNOT_TELL, NotTold.NO_INTERVAL
    if kept:
        return GateVerdict.PASS, None
    return (GateVerdict.FAIL, None) if broken else (GateVerdict.CANNOT_TELL, NotTold.INSIDE)


def _if_known(verdict: GateVerdict, why: Why, *sides: RunGroup) -> tuple[GateVerdict, Why]:
    """The verdict, unless it is a pass and over a fifth of the runs of a side has none: they may be failures.

    Errors and invalid records are not among them: `max_errors` bounds these, and they are asked again as
    failures.
    """
    mostly = (_share_unknown(side) > MOST_NOT_KNOWN for side in sides)
    if verdict is GateVerdict.PASS and any(mostly):
        return GateVerdict.CANNOT_TELL, NotTold.MOSTLY_UNKNOWN
    return verdict, why


def _share_unknown(side: RunGroup) -> float:
    """How much of the runs of a side ended without a verdict, pooled or by task."""
    tasks = [place for place in side.places() if place.of_task]
    unknown = [
        sum(n for (state, _), n in side.lost.get(place.task, {}).items() if state == "unknown")
        if side.home.get(place.task) == place.cluster
        else 0
        for place in tasks
    ]
    return share_not_known([place.attempts for place in tasks], unknown)


def not_worse_by(held: Held, margin: float, cost: Ratio | None) -> RuleFinding:
    """Whether the candidate is worse by no more than a margin, on the tasks that both ran.

    Args:
        held: The two arms.
        margin: In the metric's unit, 0 or more.
        cost: What a run costs, for what would settle it.
    """
    first, second = (held.a, held.b) if held.against else (held.b, held.a)
    d = difference(first, second, held.compared.cluster)
    outcomes = task_outcomes(held.a, held.b, against=held.against)
    verdict, why = _if_known(*_of_difference(d, margin, held, outcomes.common), held.a, held.b)
    settling = None
    if verdict is GateVerdict.CANNOT_TELL:
        settling = _settling(held, d, margin, cost)
    return RuleFinding(
        rule=GateRule.NOT_WORSE_BY,
        verdict=verdict,
        value=d.value,
        interval=d.interval,
        bound=margin,
        why=why,
        told={
            "tasks": outcomes.common,
            "known": held.b.known,
            "p_worse": p_worse(d, margin),
            "better": len(outcomes.better),
            "worse": len(outcomes.worse),
            "same": outcomes.same,
        },
        settling=settling,
    )


def _of_difference(d: Difference, margin: float, held: Held, common: int) -> tuple[GateVerdict, Why]:
    if min(held.a.known, held.b.known) < MIN_COMPARED:
        return GateVerdict.CANNOT_TELL, NotSeparated.FEW_RUNS
    if d.unpaired or common < MIN_IN_COMMON:
        return GateVerdict.CANNOT_TELL, NotTold.FEW_TASKS
    lo, hi = d.interval.lo, d.interval.hi
    return _by_limits(
        d.interval, kept=lo is not None and lo >= -margin, broken=hi is not None and hi < -margin
    )


def _settling(held: Held, d: Difference, margin: float, cost: Ratio | None) -> Settling | None:
    """How many tasks, or runs of a task, would settle it were both sides alike."""
    variance = variance_of_difference(d)
    if variance is None or d.paired_on is None:
        return None
    tasks = tasks_to_settle(margin, variance)
    left, right = held.a.by_task(), held.b.by_task()
    common = [task for task in left if task in right]
    parts = DifferenceVariance.of([left[t] for t in common], [right[t] for t in common])
    runs = None if parts is None else parts.runs_to_settle(margin, len(common))
    return Settling(
        supposed=Supposed.ALIKE,
        tasks=tasks,
        now=d.paired_on,
        runs=runs,
        floor=parts is not None and runs is None,
        usd=_usd(tasks, d.paired_on, cost, (0, 1)),
    )


def _usd(tasks: int | None, now: int, cost: Ratio | None, sides: tuple[int, ...]) -> float | None:
    """What the runs of further tasks cost: of the candidate (1), or of the baseline (0) as well."""
    if tasks is None or cost is None or cost.a is None or cost.b is None or not cost.tasks:
        return None
    means = (cost.a, cost.b)
    return max(0, tasks - now) * fsum(cost.runs[side] * means[side] / cost.tasks for side in sides)


def _settling_value(
    value: float | None,
    interval: Interval,
    bound: float,
    now: int,
    cost: Ratio | None,
    *,
    ratio: bool = False,
) -> Settling | None:
    """How many tasks would tell a value from its bound, were it in truth what was found."""
    if value is None or interval.lo is None or interval.hi is None or not now:
        return None
    tasks = tasks_to_tell(value, (interval.lo, interval.hi), bound, now, ratio=ratio)
    usd = _usd(tasks, now, cost, (0, 1) if ratio else (1,))
    return Settling(supposed=Supposed.AS_FOUND, tasks=tasks, now=now, usd=usd)


def in_slices(slices: dict[str, Held], margin: float, cost: Ratio | None) -> RuleFinding:
    """The same in each slice: all must be kept, and one fails only where Holm over all of them says so.

    Args:
        slices: Name of a slice -> the two arms' runs in it.
        margin: In the metric's unit.
        cost: What a run costs.

    Source: an intersection-union test needs no correction to pass, Berger 1982, Technometrics 24:295.
    """
    found = {name: not_worse_by(held, margin, cost) for name, held in slices.items()}
    adjusted = holm([each.told["p_worse"] for each in found.values()])
    judged = {
        name: after_holm(each, p, NotTold.AFTER_HOLM)
        for (name, each), p in zip(found.items(), adjusted, strict=True)
    }
    verdicts = {each.verdict for each in judged.values()}
    verdict = next(
        (v for v in (GateVerdict.FAIL, GateVerdict.CANNOT_TELL) if v in verdicts), GateVerdict.PASS
    )
    why = NotTold.SLICES if verdict is GateVerdict.CANNOT_TELL else None
    return RuleFinding(rule=GateRule.SLICES, verdict=verdict, bound=margin, why=why, slices=judged)


def after_holm(found: RuleFinding, p: float | None, why: NotTold) -> RuleFinding:
    """A rule that is asked several times at once: it fails only where Holm over all of them says so.

    Args:
        found: What it comes to alone.
        p: Of "worse by more than the margin", adjusted; None where there is none.
        why: What is said where it fails alone, and not after Holm.
    """
    found = replace(found, told={**found.told, "p_worse_holm": p})
    if found.verdict is GateVerdict.FAIL and (p is None or p > ONE_SIDED):
        return replace(found, verdict=GateVerdict.CANNOT_TELL, why=why)
    return found


def holm_over_strata(strata: Sequence[Sequence[RuleFinding]]) -> list[tuple[RuleFinding, ...]]:
    """The rules of each stratum, once it is said that the margin is held against all of them at once.

    Args:
        strata: Rules of each, of one policy; a single stratum stays as it is.
    """
    if len(strata) < 2:
        return [tuple(rules) for rules in strata]
    asked = [
        (at, place)
        for at, found in enumerate(strata)
        for place, rule in enumerate(found)
        if rule.rule is GateRule.NOT_WORSE_BY
    ]
    made = [list(rules) for rules in strata]
    adjusted = holm([made[at][place].told["p_worse"] for at, place in asked])
    for (at, place), p in zip(asked, adjusted, strict=True):
        made[at][place] = after_holm(made[at][place], p, NotTold.AFTER_HOLM_OVER_STRATA)
    return [tuple(rules) for rules in made]


def at_least(held: Held, e: Estimate, bound: float, cost: Ratio | None) -> RuleFinding:
    """Whether the candidate's value, with its own interval, is at a bound or above.

    Args:
        held: The two arms.
        e: The candidate's estimate, as drawn.
        bound: From 0 to 1.
        cost: What a run costs, for what would settle it.

    Raises:
        InputError: More of the metric is worse, or neither.
    """
    _refuse_polarity(e)
    again = made_again(e, metric_of(e), held.b, held.compared.cluster, held.memo)
    verdict, why = _if_known(*_of_value(again, bound), held.b)
    if again.known < MIN_COMPARED:
        verdict, why = GateVerdict.CANNOT_TELL, NotSeparated.FEW_RUNS
    settling = None
    if verdict is GateVerdict.CANNOT_TELL:
        settling = _settling_value(again.value, again.interval, bound, len(held.b.by_task()), cost)
    return RuleFinding(
        rule=GateRule.AT_LEAST,
        verdict=verdict,
        value=again.value,
        interval=again.interval,
        bound=bound,
        why=why,
        settling=settling,
    )


def _of_value(e: Estimate, bound: float) -> tuple[GateVerdict, Why]:
    lo, hi = e.interval.lo, e.interval.hi
    return _by_limits(e.interval, kept=lo is not None and lo >= bound, broken=hi is not None and hi < bound)


def _refuse_polarity(e: Estimate) -> None:
    if e.polarity != "for":
        raise InputError(
            f"at_least asks for much of {e.metric}, of which more is not better", where=e.experiment
        )


def pass_hat_k(held: Held, e: Estimate | None, rule: PassHatK, cost: Ratio | None) -> RuleFinding:
    """Whether pass^k of the candidate is at a bound or above.

    Args:
        held: The two arms.
        e: The candidate's pass^k for this k; None where no task was tried so often.
        rule: k and the bound.
        cost: What a run costs, for what would settle it.
    """
    found = RuleFinding(
        rule=GateRule.PASS_HAT_K,
        verdict=GateVerdict.CANNOT_TELL,
        bound=rule.at_least,
        why=NotTold.TOO_FEW_TRIES,
        told={"k": rule.k},
    )
    if e is None:
        return found
    again = made_again(e, metric_of(e), held.b, held.compared.cluster, held.memo)
    verdict, why = _if_known(*_of_value(again, rule.at_least), held.b)
    settling = None
    if verdict is GateVerdict.CANNOT_TELL:
        settling = _settling_value(again.value, again.interval, rule.at_least, again.N or 0, cost)
    return replace(
        found,
        verdict=verdict,
        value=again.value,
        interval=again.interval,
        why=why,
        told={"k": rule.k, "tasks": again.N},
        settling=settling,
    )


def at_most_times(rule: GateRule, found: Ratio | None, bound: float, cost: Ratio | None) -> RuleFinding:
    """Whether the candidate takes at most so many times as much.

    Args:
        rule: Of costs, or of 95th percentiles.
        found: Candidate over baseline; None where it is not recorded.
        bound: Above 0.
        cost: What a run costs, for what would settle it.
    """
    if found is None:
        return RuleFinding(rule=rule, verdict=GateVerdict.CANNOT_TELL, bound=bound, why=NotTold.NOT_RECORDED)
    lo, hi = found.interval.lo, found.interval.hi
    verdict, why = _by_limits(
        found.interval, kept=hi is not None and hi <= bound, broken=lo is not None and lo > bound
    )
    if any(
        lost > MOST_NOT_KNOWN * (runs + lost) for runs, lost in zip(found.runs, found.not_known, strict=True)
    ):
        verdict, why = GateVerdict.CANNOT_TELL, NotTold.MOSTLY_UNKNOWN
    settling = None
    if verdict is GateVerdict.CANNOT_TELL:
        settling = _settling_value(found.value, found.interval, bound, found.tasks, cost, ratio=True)
    return RuleFinding(
        rule=rule,
        verdict=verdict,
        value=found.value,
        interval=found.interval,
        bound=bound,
        why=why,
        settling=settling,
    )


def never_lost(held: Held, where: str) -> RuleFinding:
    """Whether no task went from always to never.

    Args:
        held: The two arms.
        where: The rule's place, for errors.

    Raises:
        InputError: No task was run twice on both sides, so that always and never mean nothing.
    """
    outcomes = task_outcomes(held.a, held.b, against=held.against)
    if not outcomes.repeated:
        raise InputError(
            "never_lost asks for two known runs of a task on both sides, and no task has them",
            where=where,
            hint="run each task again, or take the rule out",
        )
    verdict, why = (GateVerdict.FAIL if outcomes.lost else GateVerdict.PASS), None
    if outcomes.untold and not outcomes.lost:
        verdict, why = GateVerdict.CANNOT_TELL, NotTold.TASKS_UNTOLD
    return RuleFinding(
        rule=GateRule.PER_TASK,
        verdict=verdict,
        why=why,
        lost=outcomes.lost,
        told={"always": outcomes.always, "lost_by_chance": outcomes.by_chance},
    )
