"""Switch, keep, or not yet: a candidate in place of an incumbent, by the difference and by cost per success.

*Switch* (supported) where the difference lies on its side of the line, as a claim about it alone would be
judged, and the whole interval of the ratio of costs per success lies at or below what is claimed. *Keep*
(contradicted) where either lies wholly on the other side. *Not yet* in between, and where no cost is known:
what nobody recorded is never a 0. What keeps two sides apart, and a failed control, is looked at before.

Does: put the two halves together, and say what would settle or flip them. Does not: add up money
(`cost_per_success` does), or judge a difference (`thresholds` does).
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from metrics_core.measurement import SpentBeside
from metrics_core.text import visible
from site_src.decisions.model import Claim, ClaimVerdict, Flip, JudgedClaim, Switch
from site_src.decisions.reasons import HalvesOfSwitch, OfCost
from site_src.wording import count, many, money


def of_cost(claim: Claim, spent: SpentBeside | None) -> tuple[ClaimVerdict, OfCost]:
    """The verdict on what a success of the candidate costs, beside the incumbent's."""
    if spent is None:
        return "cannot separate", OfCost.NOT_RECORDED
    if spent.candidate.mostly_unknown or spent.incumbent.mostly_unknown:
        return "cannot separate", OfCost.MOSTLY_UNKNOWN
    if not (spent.candidate.successes and spent.incumbent.successes):
        return "cannot separate", OfCost.NO_SUCCESS
    lo, hi = spent.interval.lo, spent.interval.hi
    if lo is None or hi is None:
        return "cannot separate", OfCost.NO_INTERVAL
    if hi <= claim.cost:
        return "supported", OfCost.WITHIN
    return ("contradicted", OfCost.BEYOND) if lo > claim.cost else ("cannot separate", OfCost.ACROSS)


def decided(claim: Claim, half: Switch) -> tuple[ClaimVerdict, HalvesOfSwitch]:
    """The verdict on a switch, and why.

    Args:
        claim: Of kind ``in place of``.
        half: The verdict on its difference alone, and what a success costs.
    """
    cost, of = of_cost(claim, half.spent)
    verdicts = (half.verdict, cost)
    why = HalvesOfSwitch(half.why, of)
    if "contradicted" in verdicts:
        return "contradicted", why
    return ("supported", why) if set(verdicts) == {"supported"} else ("cannot separate", why)


def flip(judged: JudgedClaim, half: Switch, of_difference: Callable[[JudgedClaim], Flip]) -> Flip:
    """What would flip a switch: what flips its difference where that would, and what its cost would take.

    Args:
        judged: The claim with its verdict.
        half: Its two halves.
        of_difference: What would flip a claim about the difference alone.
    """
    claim = judged.claim
    cost, why = of_cost(claim, half.spent)
    alone = replace(judged, claim=claim.of_difference, verdict=half.verdict, why=half.why, switch=None)
    if judged.verdict == "supported":
        found = of_difference(alone)
        return Flip(f"{found.words} Or a success that costs more than {_times(claim)}.", found.runs)
    if judged.verdict == "contradicted":
        if half.verdict == cost == "contradicted":
            return Flip(f"{of_difference(alone).words} And a success that costs {_times(claim)} at most.")
        if cost == "contradicted":
            return Flip(f"Cheaper runs, or more successes: one that costs {_times(claim)} at most.")
        return of_difference(alone)
    open_ = [of_difference(alone)] if half.verdict == "cannot separate" else []
    open_ += [_settled(judged, half, why)] if cost == "cannot separate" else []
    words = " ".join([open_[0].words, *(f"And of the cost: {each.words}" for each in open_[1:])])
    runs = [each.runs for each in open_]
    total = None if None in runs else max((n for n in runs if n is not None), default=None)
    return Flip(f"{words}{_price(half.spent, total)}", total)


def _times(claim: Claim) -> str:
    than = visible(claim.than)
    return f"{claim.cost:g} times one of {than}" if claim.cost != 1 else f"one of {than}"


def _settled(judged: JudgedClaim, half: Switch, why: OfCost) -> Flip:
    """What would tell the ratio of costs per success from its line, were it in truth what was found."""
    spent = half.spent
    if spent is None:
        return Flip("Costs of the runs of both, recorded or priced by one table.")
    if why is OfCost.MOSTLY_UNKNOWN:
        lost = spent.candidate.left_out + spent.incumbent.left_out
        return Flip(f"Costs and outcomes of {many(lost, 'run')} of which one is not known.", lost)
    if why is not OfCost.ACROSS:
        return Flip("More runs on the tasks that both have, until both have successes enough to divide by.")
    tasks = spent.tasks_to_tell(judged.claim.cost)
    if tasks is None:
        return Flip("No number of tasks, if the ratio of costs per success is as it looks: on the line.")
    runs = spent.runs_of(max(0, tasks - spent.tasks))
    return Flip(
        f"About {many(tasks, 'task')} in place of {count(spent.tasks)}, if costs are as they look.", runs
    )


def _price(spent: SpentBeside | None, runs: int | None) -> str:
    """What so many further runs cost at the data's own costs, where they are known."""
    if spent is None or not runs:
        return ""
    return f" That is about {many(runs, 'run')} of both, {money(runs * spent.a_run)} at these costs."
