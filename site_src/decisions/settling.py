"""What would settle a claim that cannot be separated: what stands in its way first, then how much more.

Does: name what no further run can mend (attempts of which nothing is known), then count runs at the present
rate, or scale what this many tasks could have shown with the root of their number. Does not: guess. "About"
stands where a spread is taken to stay as it is.
"""

from __future__ import annotations

from math import ceil

from metrics_core.codes import NotSeparated
from metrics_core.compared import Comparison
from metrics_core.counterfactual import (
    MOST_RUNS,
    TASKS,
    Limits,
    growth_needed,
    holm_factor,
    more_needed,
    redrawable,
)
from metrics_core.estimate import Estimate
from metrics_core.separation import MIN_COMPARED, MIN_DISCORDANT
from metrics_core.text import visible
from site_src.decisions import measuring
from site_src.decisions.reasons import UNKNOWN_STANDS
from site_src.decisions.verdict import JudgedClaim, Word
from site_src.rounding import count

_UNTESTED = frozenset(
    {NotSeparated.NO_INTERVAL, NotSeparated.NO_DIFFERENCE, NotSeparated.NO_TEST, NotSeparated.DISAGREE}
)
"""Reasons of a comparison that no number of tasks can be worked out from."""


def of_one_arm(judged: JudgedClaim, e: Estimate) -> str:
    """What would settle a claim about the level of one arm."""
    if judged.why in UNKNOWN_STANDS:
        return _verdicts((e,))
    if e.value is None or not redrawable(e):
        return "Other runs than these: this interval cannot be drawn again from n and N."

    def settled(plain: Limits, outer: Limits | None) -> Word | None:
        word, _ = measuring.placed(judged.claim, plain, outer)
        return None if word == "cannot separate" else word

    what = "tasks" if e.of == TASKS else "runs"
    if (needed := more_needed(e, settled)) is not None:
        about = "" if e.interval.n_eff is None and e.headline != "bounds" else "About "
        return f"{about}{count(needed[0])} more {what} that come out as these did: then it is {needed[1]}."
    if e.headline == "bounds":
        return _verdicts((e,))
    return f"More than {count(MOST_RUNS)} more {what} like these: their rate lies too close to the line."


def of_two_arms(judged: JudgedClaim, c: Comparison) -> str:
    """What would settle a claim about two arms.

    Where what is not known could turn the difference around, only verdicts for it help, however many tasks
    are added. Then come too few runs to compare at all, then the number of tasks: for the line, and for all
    that stands against the house's separation where the claim asks for it.
    """
    a, b = judged.estimates
    claim, reasons = judged.claim, c.reasons
    if judged.why in UNKNOWN_STANDS or _left_open(judged, c):
        return _verdicts(judged.estimates)
    if NotSeparated.FEW_RUNS in reasons:
        return _compared_at_all(judged)
    if c.difference is None or c.detectable is None or not _UNTESTED.isdisjoint(reasons):
        return "More runs on the tasks that both have."
    line = measuring.edge(claim, a)
    if abs(c.difference - line) < 1e-9:
        return "No number of tasks, if the difference is as it looks: on the line."
    against = reasons if _asks_for_separation(judged, c) else ()
    crossed = not _clear_of_line(judged, c)
    times = growth_needed(c, (a, b), line=line, crossed=crossed, against=against)
    tested = NotSeparated.HOLDS_ZERO in against or NotSeparated.NOT_SIGNIFICANT in against
    told = _tasks(c, min(a.known, b.known), times)
    if NotSeparated.FEW_DISCORDANT in against:
        alone = f"{count(MIN_DISCORDANT)} tasks or more that one of the two alone gets done"
        told = f"{told}, with {alone}" if times > 1 else f"{alone}, on which the test rests: here are fewer"
    elif times <= 1:
        told = f"{told}: it is close, and no spread is known well enough to say how many"
    if tested and holm_factor(c) > 1.0:
        told = f"{told}; Holm adjusts for {count(c.holm_size)} comparisons at once"
    return f"{told}."


def _left_open(judged: JudgedClaim, c: Comparison) -> bool:
    """Whether what is not known would stand in the way of the verdict that more tasks would lead to."""
    claim, (a, b) = judged.claim, judged.estimates
    if claim.kind == "separated from":
        return NotSeparated.REVERSES in c.reasons
    if c.difference is None:
        return False
    heading: Word = "supported" if measuring.holds_at(claim, a, c.difference) else "contradicted"
    asked = _asks_for_separation(judged, c) and NotSeparated.REVERSES in c.reasons
    return asked or measuring.left_open(claim, c, (a, b), heading) is not None


def _asks_for_separation(judged: JudgedClaim, c: Comparison) -> bool:
    """Whether the verdict that more tasks would lead to needs the house's separation as well."""
    claim = judged.claim
    if claim.kind != "above" or not claim.line:
        return claim.kind != "not worse than"
    return c.difference is not None and c.difference > claim.line


def _clear_of_line(judged: JudgedClaim, c: Comparison) -> bool:
    lo, hi, edge = c.interval.lo, c.interval.hi, measuring.edge(judged.claim, judged.estimates[0])
    return lo is not None and hi is not None and not lo <= edge <= hi


def _tasks(c: Comparison, known: int, times: float) -> str:
    now = c.paired_on if c.paired_on is not None else known
    what = "tasks in common" if c.paired_on is not None else "runs a side"
    if times <= 1:
        return f"More {what}"
    if now * times > MOST_RUNS:
        head = f"More than {count(MOST_RUNS)} {what}"
    else:
        head = f"About {count(ceil(now * times))} {what} in place of {count(now)}"
    return f"{head}, if both are as far apart as they look"


def _compared_at_all(judged: JudgedClaim) -> str:
    told = [
        f"{count(MIN_COMPARED - e.known)} more known run{'' if e.known == MIN_COMPARED - 1 else 's'}"
        f" of {visible(e.group.get(judged.claim.over, 'it'))}"
        for e in judged.estimates
        if e.known < MIN_COMPARED
    ]
    return f"{' and '.join(told)}: with fewer than {count(MIN_COMPARED)} nothing is separated."


def _verdicts(estimates: tuple[Estimate, ...]) -> str:
    lost = sum(e.attempts - e.known for e in estimates)
    what = "Verdicts" if all(e.bounds is not None for e in estimates) else "Values"
    one = "1 attempt" if lost == 1 else f"{count(lost)} attempts"
    return f"{what} for {one} of which none is known."
