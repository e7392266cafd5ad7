"""One arm in two experiments: whether the newer can be told from the older, by the tasks that both ran.

Does: lay the runs of an arm out by task again, refuse unlike things as within one experiment, and compare
by the same two rules. Does not: pool; runs of two experiments are never repetitions of one another, so each
side is its own experiment's estimate, and no number is made of both but their difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import isclose
from typing import Final

from msgspec import Struct

from metrics_core.measurement import (
    TASK,
    ComparedArm,
    ComparedPair,
    ComparedSet,
    RecordedOutcome,
    RunGroup,
    compare_within,
    not_compared,
    reestimate,
)
from metrics_core.memo import Memo
from metrics_core.results import (
    ByControl,
    Comparison,
    Estimate,
    Interval,
    Rule,
    Unlike,
    Withheld,
    first_unlike,
)

EXPERIMENT: Final = "experiment"
"""What such a comparison is over: its two sides are one arm in two experiments."""


class InExperiment(Struct, frozen=True):
    """One arm's estimate in one experiment, and its runs.

    Attributes:
        name: What the side is called; the two of a pair have different names.
        estimate: As the experiment's report has it.
        runs: Gives the runs behind the estimate, None where they do not give it again; asked only where the
            two are alike.
    """

    name: str
    estimate: Estimate
    runs: Callable[[], RunGroup | None]


def in_experiment(e: Estimate, outcomes: Callable[[], Iterable[RecordedOutcome]]) -> InExperiment:
    """An arm called by its experiment, its runs laid out from what each came to.

    Args:
        e: As the experiment's report has it.
        outcomes: Gives what each run of the experiment came to; asked only where the two are alike.
    """
    return InExperiment(e.experiment, e, lambda: run_group_of(e, outcomes()))


def between_experiments(
    pairs: Sequence[tuple[InExperiment, InExperiment]], rule: Rule, memo: Memo, *, over: str = EXPERIMENT
) -> tuple[Comparison | None, ...]:
    """The difference of each pair, the first side less the second, with the verdict of both rules.

    Args:
        pairs: Of one metric; Holm goes over all of them.
        rule: The rule of separation in force.
        memo: What was made of the same runs before.
        over: The key whose values the two names are: the experiment, or the arm where the two arms differ.

    Returns:
        One for each pair, in their order: *not comparable* where the two are unlike things or withheld; None
        where the runs do not give the published estimate again, so that nothing can be paired.
    """
    found: list[Comparison | None] = []
    among: list[tuple[int, ComparedSet]] = []
    cluster = TASK
    for at, (newer, older) in enumerate(pairs):
        rest = newer.estimate.group.without(over)
        found.append(_refused(newer, older, ComparedPair(over, rest, newer.name, older.name), rule))
        if found[-1] is not None:
            continue
        sides = [
            ComparedArm(side.name, run_group, side.estimate, side.estimate.interval)
            for side in (newer, older)
            if (run_group := side.runs()) is not None
        ]
        if len(sides) == 2:
            cluster = cluster_behind(newer.estimate)
            among.append((at, ComparedSet(over, rest, sides)))
    if among:
        polarity = among[0][1].sides[0].estimate.polarity
        made = compare_within([each for _, each in among], rule, polarity, cluster, memo)
        for (at, _), comparison in zip(among, made, strict=True):
            found[at] = comparison
    return tuple(found)


def _refused(newer: InExperiment, older: InExperiment, pair: ComparedPair, rule: Rule) -> Comparison | None:
    """Why no number may be made of the two; None where one may."""
    unlike = first_unlike(newer.estimate, older.estimate)
    if unlike is not None:
        field, mine, theirs = unlike
        here, there = ("not stated" if value is None else str(value) for value in (mine, theirs))
        why = Unlike(field, (newer.name, here), (older.name, there))
        return not_compared(newer.estimate, pair, why, rule)
    for side in (newer, older):
        if isinstance(side.estimate.withheld_by, Withheld):
            return not_compared(newer.estimate, pair, ByControl(side.estimate.withheld_by), rule)
    return None


def run_group_of(e: Estimate, outcomes: Iterable[RecordedOutcome]) -> RunGroup | None:
    """The runs behind an estimate by cluster and task; None unless they give its counts and its interval.

    Args:
        e: An estimate of runs.
        outcomes: What each run of its experiment came to, each with the group keys of the run.
    """
    cluster, made = cluster_behind(e), RunGroup()
    for outcome in outcomes:
        if outcome.what != (e.family, e.metric, e.stratum) or not set(e.group) <= set(outcome.group):
            continue
        home = outcome.group.get(cluster, outcome.task)
        made.home[outcome.task] = home
        if outcome.value is None:
            made.lost[outcome.task][(outcome.state, "")] += 1
        else:
            made.values[home][outcome.task][outcome.value] += 1
    lost = sum(n for lost in made.lost.values() for n in lost.values())
    if (made.known, lost) != (e.known, e.attempts - e.known):
        return None
    return made if _alike(reestimate(e, made, cluster, Memo()), e.interval) else None


def cluster_behind(e: Estimate) -> str:
    """The key within which the runs of an estimate err together."""
    return e.interval.cluster or TASK


def _alike(again: Interval, published: Interval) -> bool:
    pairs = ((again.lo, published.lo), (again.hi, published.hi))
    return all(x is y or (x is not None and y is not None and isclose(x, y, abs_tol=1e-9)) for x, y in pairs)
