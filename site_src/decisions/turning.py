"""How few runs of one arm, by its records, would have to come out otherwise to flip a verdict on two arms.

Does: lay the runs of both arms out again by task, make sure that they give the published difference to the
last digit, then turn one run of the claimed arm after another, each time the one that moves the verdict
most, and draw everything again. Does not: say what a report already says; it answers only what no report
holds. The count is enough, and found one run at a time: another choice of runs might do with fewer.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import fsum, isclose

from metrics_core import separation
from metrics_core.bounds import worst_case_reverses
from metrics_core.compared import Comparison
from metrics_core.comparison import Difference
from metrics_core.differences import difference
from metrics_core.estimate import Estimate, Pairs
from metrics_core.estimators import drawn_again
from metrics_core.intervals import Interval
from metrics_core.review import Review
from metrics_core.rollup import Bunch, Value
from metrics_core.separation import overlaps
from site_src.decisions import measuring
from site_src.decisions.verdict import JudgedClaim, Word

MOST = 40
"""Runs that are turned at most; beyond, the spread tells more than a count would."""


MOST_WORK = 25_000
"""Runs times ways to turn one, beyond which nothing is counted: it would take longer than a build."""


@dataclass(frozen=True, slots=True)
class Turned:
    """How many runs, whether each is true or false, and whether they come out lower than they did.

    ``count`` is 0 where all of them together would not do.
    """

    count: int
    binary: bool
    down: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run came to on one metric: family, metric and stratum; whose it is; task; value, n and N."""

    what: tuple[str, str, Pairs]
    group: Pairs
    task: str
    value: Value


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The claimed arm's runs, its interval, and its difference from the other arm."""

    runs: Bunch
    interval: Interval
    difference: Difference


Outcomes = Callable[[str], Iterable[Outcome]]
"""Experiment -> what each of its runs came to."""


def fewest(judged: JudgedClaim, c: Comparison, told: Iterable[Outcome]) -> Turned | None:
    """How many runs of the claimed arm are enough; None where that cannot be counted on the records at hand.

    Args:
        judged: A claim about two arms that is supported or contradicted.
        c: Its comparison, the claimed arm first.
        told: What each run of the experiment came to.
    """
    a, b = judged.estimates
    mine, theirs = _laid_out((a, b), told)
    if c.difference is None or not (mine.values and theirs.values):
        return None
    now = _drawn(a, mine, theirs)
    if not (_same(now.difference, c) and _drawn_alike(a, mine) and _drawn_alike(b, theirs)):
        return None
    values = {value for side in (mine, theirs) for _, _, (value, _, _) in side.runs()}
    down = goes_down(judged, c)
    ways = len(_may_turn(mine, down=down))
    if not all(0.0 <= value <= 1.0 for value in values) or ways * a.known > MOST_WORK:
        return None
    if _judged_anew(judged, c, now, theirs) != judged.verdict:
        return None
    for k in range(1, MOST + 1):
        turned = [_drawn(a, _with(now.runs, at, down=down), theirs) for at in _may_turn(now.runs, down=down)]
        if not turned:
            return Turned(0, values <= {0.0, 1.0}, down)
        if any(_judged_anew(judged, c, way, theirs) != judged.verdict for way in turned):
            return Turned(k, values <= {0.0, 1.0}, down)
        now = min(turned, key=lambda way: _distance(judged, c, way, down=down))
    return None


def outcomes(runs: Iterable[Review]) -> tuple[Outcome, ...]:
    """What is known of each run; a record with a stamp or a repetition that stands twice is one run."""
    seen: set[bytes] = set()
    found = []
    for review in runs:
        if isinstance(review.record, dict) and ("stamp" in review.record or "rep" in review.record):
            text = json.dumps([review.family, review.record], sort_keys=True)
            key = hashlib.sha256(text.encode()).digest()
            if key in seen:
                continue
            seen.add(key)
        for v in review.verdicts:
            if v.state == "known" and v.value is not None:
                what = (review.family, v.metric, v.stratum)
                found.append(Outcome(what, review.group, review.task, (v.value, v.n, v.N)))
    return tuple(found)


def _laid_out(arms: tuple[Estimate, Estimate], told: Iterable[Outcome]) -> tuple[Bunch, Bunch]:
    """The known runs of both arms by task, which is its own cluster: as where a harness repeats tasks."""
    made = (Bunch(), Bunch())
    for outcome in told:
        for e, bunch in zip(arms, made, strict=True):
            if outcome.what == (e.family, e.metric, e.stratum) and set(e.group) <= set(outcome.group):
                bunch.values[outcome.task][outcome.task][outcome.value] += 1
                bunch.home[outcome.task] = outcome.task
    return made


def _same(found: Difference, c: Comparison) -> bool:
    ends = (
        (found.value, c.difference),
        (found.interval.lo, c.interval.lo),
        (found.interval.hi, c.interval.hi),
    )
    return found.paired_on == c.paired_on and all(
        x is not None and y is not None and isclose(x, y, abs_tol=1e-9) for x, y in ends
    )


def _drawn_alike(e: Estimate, bunch: Bunch) -> bool:
    again = drawn_again(e, bunch, "scenario")
    if again.lo is None or again.hi is None or e.interval.lo is None or e.interval.hi is None:
        return False
    return isclose(again.lo, e.interval.lo, abs_tol=1e-9) and isclose(again.hi, e.interval.hi, abs_tol=1e-9)


def goes_down(judged: JudgedClaim, c: Comparison) -> bool:
    """Whether the claimed arm must come out lower for the verdict to flip."""
    if judged.claim.kind == "separated from":
        return (c.difference or 0.0) > 0
    return (judged.verdict == "supported") != measuring.turned(judged.claim, judged.estimates[0])


def _may_turn(side: Bunch, *, down: bool) -> list[tuple[str, Value]]:
    """Each task with each value that can still go down, or up."""
    worst = 0.0 if down else 1.0
    return list(dict.fromkeys((task, value) for _, task, value in side.runs() if value[0] != worst))


def _with(side: Bunch, at: tuple[str, Value], *, down: bool) -> Bunch:
    """The same runs, one of them come out at the other end."""
    task, (value, n, N) = at
    values = {name: {t: Counter(runs) for t, runs in tasks.items()} for name, tasks in side.values.items()}
    counted = values[side.home[task]][task]
    counted[(value, n, N)] -= 1
    counted += Counter()  # drops what came to nothing
    counted[(0.0, 0, N) if down else (1.0, N, N)] += 1
    return Bunch(values=values, home=side.home)


def _drawn(a: Estimate, mine: Bunch, theirs: Bunch) -> _Drawn:
    return _Drawn(mine, drawn_again(a, mine, "scenario"), difference(mine, theirs, "scenario"))


def _judged_anew(judged: JudgedClaim, c: Comparison, drawn: _Drawn, theirs: Bunch) -> Word:
    """The verdict on the claim, were these the runs of its arm.

    The p-value is taken as it is: Holm could only raise it.
    """
    a, b = judged.estimates
    d, mine = drawn.difference, _extremes(a, drawn.runs)
    reverses = d.value is not None and worst_case_reverses(mine, _extremes(b, theirs), d.value)
    house = separation.verdict(
        drawn.interval, b.interval, d, d.p, a.known, b.known, reverses=reverses, rule=c.rule
    )
    anew = replace(
        c, difference=d.value, interval=d.interval, verdict=house.word, reasons=house.reasons
    )
    turned = a if a.bounds is None else replace(a, bounds=mine)
    return measuring.difference(judged.claim, anew, (turned, b))[0]


def _extremes(e: Estimate, bunch: Bunch) -> tuple[float, float]:
    """The mean if every run without a known value had counted 0, and 1."""
    total = fsum(value for _, _, (value, _, _) in bunch.runs())
    return total / e.attempts, (total + e.attempts - bunch.known) / e.attempts


def _distance(judged: JudgedClaim, c: Comparison, drawn: _Drawn, *, down: bool) -> float:
    """How far the limits still are from where the verdict flips."""
    a, b = judged.estimates
    near = drawn.difference.interval.lo if down else drawn.difference.interval.hi
    edge = measuring.edge(judged.claim, a)
    gap = 0.0 if near is None else near - edge if down else edge - near
    if c.rule == "overlap" and measuring.rests_on_separation(judged.claim, judged.verdict):
        gap = min(gap, clear(drawn.interval, b.interval, above=down))
    return gap


def clear(mine: Interval, theirs: Interval, *, above: bool) -> float:
    """By how much two intervals are apart; 0 where they overlap."""
    if overlaps(mine, theirs) is not False:
        return 0.0
    upper, lower = (mine, theirs) if above else (theirs, mine)
    return 0.0 if upper.lo is None or lower.hi is None else upper.lo - lower.hi
