"""What would settle a claim that cannot be separated: what stands in its way first, then how much more.

Does: name what no further run can mend (attempts of which nothing is known), then count runs at the present
rate, or scale what this many tasks could have shown with the root of their number. Does not: guess. "About"
stands where a spread is taken to stay as it is.
"""

from __future__ import annotations

from math import ceil, inf
from statistics import NormalDist

from metrics_core.codes import NotSeparated
from metrics_core.compared import Comparison
from metrics_core.comparison import POWER_REACH
from metrics_core.estimate import Estimate
from metrics_core.intervals import wilson_limits
from metrics_core.separation import MIN_COMPARED, MIN_DISCORDANT, SIGNIFICANT
from metrics_core.t_table import Z_800
from site_src.decisions import measuring
from site_src.decisions.come_out_otherwise import TASKS, can_be_drawn, drawn, units
from site_src.decisions.reasons import UNKNOWN_STANDS
from site_src.decisions.verdict import JudgedClaim, Word
from site_src.rounding import count
from site_src.visible import visible

MOST_RUNS = 10_000
"""More runs than this are not asked for: the answer is that the rate lies too close to the line."""

_UNTESTED = frozenset(
    {NotSeparated.NO_INTERVAL, NotSeparated.NO_DIFFERENCE, NotSeparated.NO_TEST, NotSeparated.DISAGREE}
)
"""Reasons of a comparison that no number of tasks can be worked out from."""


def of_one_arm(judged: JudgedClaim, e: Estimate) -> str:
    """What would settle a claim about the level of one arm."""
    if judged.why in UNKNOWN_STANDS:
        return _verdicts((e,))
    if e.value is None or not can_be_drawn(e):
        return "Other runs than these: this interval cannot be drawn again from n and N."
    tasks = e.of == TASKS
    what, now = ("tasks", units(e)) if tasks else ("runs", e.attempts)
    about = "" if e.interval.n_eff is None and e.headline != "bounds" else "About "
    for more in range(1, MOST_RUNS + 1):
        times = (now + more) / now
        outer = None
        if e.headline == "bounds" and e.bounds is not None:
            low, high = (wilson_limits(share, e.attempts * times) for share in e.bounds)
            outer = low[0], high[1]
        found, _ = measuring.placed(judged.claim, drawn(e, e.value, times), outer)
        if found != "cannot separate":
            return f"{about}{count(more)} more {what} that come out as these did: then it is {found}."
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
    off = abs(c.difference - measuring.edge(claim, a))
    if off < 1e-9:
        return "No number of tasks, if the difference is as it looks: on the line."
    against = reasons if _asks_for_separation(judged, c) else ()
    times = 1.0 if _clear_of_line(judged, c) else (c.detectable / off) ** 2
    if NotSeparated.OVERLAP in against:
        times = max(times, _apart(a, b))
    tested = NotSeparated.HOLDS_ZERO in against or NotSeparated.NOT_SIGNIFICANT in against
    if tested:
        critical = NormalDist().inv_cdf(1.0 - SIGNIFICANT / 2 / _by_holm(c))
        reach = c.detectable / POWER_REACH * (critical + Z_800)
        times = max(times, (reach / abs(c.difference)) ** 2 if c.difference else inf)
    told = _tasks(c, min(a.known, b.known), times)
    if NotSeparated.FEW_DISCORDANT in against:
        alone = f"{count(MIN_DISCORDANT)} tasks or more that one of the two alone gets done"
        told = f"{told}, with {alone}" if times > 1 else f"{alone}, on which the test rests: here are fewer"
    elif times <= 1:
        told = f"{told}: it is close, and no spread is known well enough to say how many"
    if tested and _by_holm(c) > 1.0:
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


def _by_holm(c: Comparison) -> float:
    """How many times as large Holm has made the p-value; as its comparisons, where that is cut off at 1."""
    if c.p and c.p_adjusted is not None and c.p_adjusted < 1.0:
        return max(1.0, c.p_adjusted / c.p)
    return float(max(1, c.holm_size))


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


def _apart(a: Estimate, b: Estimate) -> float:
    """By how much the runs must grow before the two intervals no longer overlap."""
    if a.value is None or b.value is None or a.value == b.value:
        return inf
    high, low = (a, b) if a.value > b.value else (b, a)
    if high.interval.lo is None or low.interval.hi is None or high.value is None or low.value is None:
        return inf
    reach = (high.value - high.interval.lo) + (low.interval.hi - low.value)
    return float((reach / (high.value - low.value)) ** 2)


def _compared_at_all(judged: JudgedClaim) -> str:
    told = [
        f"{count(MIN_COMPARED - e.known)} more known run{'' if e.known == MIN_COMPARED - 1 else 's'}"
        f" of {visible(dict(e.group).get(judged.claim.over, 'it'))}"
        for e in judged.estimates
        if e.known < MIN_COMPARED
    ]
    return f"{' and '.join(told)}: with fewer than {count(MIN_COMPARED)} nothing is separated."


def _verdicts(estimates: tuple[Estimate, ...]) -> str:
    lost = sum(e.attempts - e.known for e in estimates)
    what = "Verdicts" if all(e.bounds is not None for e in estimates) else "Values"
    one = "1 attempt" if lost == 1 else f"{count(lost)} attempts"
    return f"{what} for {one} of which none is known."
