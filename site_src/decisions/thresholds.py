"""Where an interval lies to the line that a claim draws, and whether what is not known could move it.

Does: one verdict, from one estimate or one comparison that may be used as evidence. Does not: ask whether
it may; `site_src.decisions.judge` has.
"""

from __future__ import annotations

from collections.abc import Sequence

from metrics_core.results import Comparison, Denominator, Estimate, FewInCommon, NotSeparated, Separation
from site_src.decisions.model import COMPARED, Claim, ClaimVerdict
from site_src.decisions.reasons import DifferenceWithoutInterval, LevelWithoutInterval, NotApart, Reason, Why
from site_src.wording import outer_interval

THIN_EVIDENCE = frozenset(
    {NotSeparated.FEW_RUNS, NotSeparated.TOO_FEW_RUNS, NotSeparated.NO_INTERVAL, NotSeparated.NO_DIFFERENCE}
)
"""Reasons of a comparison that speak of how little there is, and not of where the difference lies."""

_LIES: dict[ClaimVerdict, Why] = {
    "supported": Why.ON_SIDE,
    "contradicted": Why.OFF_SIDE,
    "cannot separate": Why.ACROSS,
}

Judgement = tuple[ClaimVerdict, Reason]
"""A verdict, and why."""


def side_of(claim: Claim, lo: float, hi: float) -> ClaimVerdict:
    """Where an interval lies to the line of a claim about one arm.

    >>> side_of(Claim(kind="at least", where="a.md:1", metric="f.m", line=0.5), 0.5, 0.9)
    'supported'
    """
    x = claim.line
    match claim.asks:
        case "at least":
            return "supported" if lo >= x else "contradicted" if hi < x else "cannot separate"
        case "at most":
            return "supported" if hi <= x else "contradicted" if lo > x else "cannot separate"
        case _:
            return "supported" if hi < x else "contradicted" if lo >= x else "cannot separate"


def level(claim: Claim, e: Estimate) -> Judgement:
    """The verdict on one arm; where over a fifth is not known, the outer limits of the bounds count as well.

    A cost, and scores that leave 0..1, have none: with over a fifth not known, nothing is decided on them.
    """
    lo, hi = e.interval.lo, e.interval.hi
    if lo is None or hi is None:
        return "cannot separate", LevelWithoutInterval(e.interval.absent)
    if not e.mostly_bounds:
        return placed(claim, (lo, hi))
    if e.bounds is None:
        return "cannot separate", Why.COULD_BE_ANYTHING
    outer = outer_interval(e) or e.interval
    if outer.lo is None or outer.hi is None:
        raise ValueError(f"{e.id}: bounds in place of a point, and no limits around them")
    return placed(claim, (lo, hi), (outer.lo, outer.hi))


def placed(claim: Claim, plain: tuple[float, float], outer: tuple[float, float] | None = None) -> Judgement:
    """The verdict on limits about one arm; with outer ones, what the plain ones say must hold for both."""
    found = side_of(claim, *plain)
    if outer and side_of(claim, min(plain[0], outer[0]), max(plain[1], outer[1])) != found:
        return "cannot separate", Why.COULD_TURN
    return found, _LIES[found]


def difference(claim: Claim, c: Comparison, estimates: Sequence[Estimate]) -> Judgement:
    """The verdict on two arms.

    Args:
        claim: Of a kind that compares.
        c: Reversed where needed, so that the claimed side is first.
        estimates: Both sides, the claimed one first.
    """
    reasons = tuple(r for r in c.reasons if isinstance(r, (NotSeparated, FewInCommon)))
    if claim.asks == "separated from":
        if not c.separated:
            return "cannot separate", _not_apart(c, reasons)
        alone = c.outcome is Separation.SAME_TASKS_ONLY
        return "supported", Why.BY_THE_DIFFERENCE if alone else Why.SEPARATED
    lo, hi = c.interval.lo, c.interval.hi
    if lo is None or hi is None:
        return "cannot separate", DifferenceWithoutInterval(c.interval.absent)
    if thin := tuple(r for r in reasons if r in THIN_EVIDENCE):
        return "cannot separate", NotApart(thin)
    if lower_is_better(claim, estimates[0]):
        lo, hi = -hi, -lo
    line = _line(claim)
    found = _by_margin(claim, c, lo, hi, line)
    if found == "cannot separate":
        return found, Why.ACROSS if lo <= line <= hi else _not_apart(c, reasons)
    if why := left_open(claim, c, estimates, found):
        return "cannot separate", why
    return found, _LIES[found]


def _not_apart(c: Comparison, reasons: tuple[NotSeparated | FewInCommon, ...]) -> Reason:
    """What stands against the separation; of two that only overlap, that the same tasks tell them apart."""
    alone = c.outcome is Separation.SAME_TASKS_ONLY and c.overlap
    return Why.SAME_TASKS_ONLY if alone else NotApart(reasons)


def left_open(
    claim: Claim, c: Comparison, estimates: Sequence[Estimate], found: ClaimVerdict
) -> Reason | None:
    """Why what is not known keeps a claim from a verdict that its interval gives; None where it does not.

    With a margin, the difference must lie on the same side with every unknown counted the other way. Where
    the two have no bounds, it must under each other denominator of the comparison itself, and
    nothing is decided where over a fifth is not known. Without a margin the house's rule has looked already.

    Args:
        claim: Of a kind that compares.
        c: Reversed where needed, so that the claimed side is first.
        estimates: Both sides, the claimed one first.
        found: ``supported`` or ``contradicted``.
    """
    if all(e.known == e.attempts for e in estimates):
        return None
    if not claim.line:
        return NotSeparated.REVERSES if NotSeparated.REVERSES in c.reasons else None
    bounded = all(e.bounds is not None for e in estimates)
    if not bounded and any(e.mostly_bounds for e in estimates):
        return Why.COULD_BE_ANYTHING
    least, most = _reach(claim, c, estimates)
    if _beyond(claim, least) if found == "supported" else most < _line(claim):
        return None
    return Why.WORST_TURNS if bounded else Why.COUNTED_OTHERWISE


def holds_at(claim: Claim, e: Estimate, x: float) -> bool:
    """Whether a level, or a difference, first less second, lies on the claimed side of the line."""
    if claim.asks not in COMPARED:
        return side_of(claim, x, x) == "supported"
    return _beyond(claim, -x if lower_is_better(claim, e) else x)


def _beyond(claim: Claim, difference: float) -> bool:
    """Whether a difference, better less worse, lies on the claimed side of the line."""
    line = _line(claim)
    return difference > line if claim.asks == "not worse than" or not line else difference >= line


def _line(claim: Claim) -> float:
    """Where the line lies on the axis of better less worse."""
    return -claim.line if claim.asks == "not worse than" else claim.line


def _by_margin(claim: Claim, c: Comparison, lo: float, hi: float, edge: float) -> ClaimVerdict:
    if claim.asks == "not worse than":
        return "supported" if lo > edge else "contradicted" if hi < edge else "cannot separate"
    if not edge:
        words: dict[str, ClaimVerdict] = {"a above b": "supported", "b above a": "contradicted"}
        return words.get(c.verdict, "cannot separate")
    if lo >= edge:
        return "supported" if c.verdict == "a above b" else "cannot separate"
    return "contradicted" if hi < edge else "cannot separate"


def rests_on_separation(claim: Claim, found: ClaimVerdict) -> bool:
    """Whether a verdict on two arms needs the house's own separation, beside where the difference lies."""
    return claim.asks != "not worse than" and (found == "supported" or not claim.line)


def flips_down(claim: Claim, found: ClaimVerdict, c: Comparison, e: Estimate) -> bool:
    """Whether the claimed arm must come out lower for the verdict on two arms to flip.

    Args:
        claim: Of a kind that compares.
        found: ``supported`` or ``contradicted``.
        c: Reversed where needed, so that the claimed side is first.
        e: Of the claimed side.
    """
    if claim.asks == "separated from":
        return (c.difference or 0.0) > 0
    return (found == "supported") != lower_is_better(claim, e)


def edge(claim: Claim, e: Estimate) -> float:
    """Where the line lies on the axis of the difference, first less second."""
    if claim.asks == "not worse than":
        return claim.line if lower_is_better(claim, e) else -claim.line
    return claim.line


def lower_is_better(claim: Claim, e: Estimate) -> bool:
    """Whether less is better: then "not worse" looks at the difference from the other end."""
    return claim.asks == "not worse than" and e.polarity == "against"


def _reach(claim: Claim, c: Comparison, estimates: Sequence[Estimate]) -> tuple[float, float]:
    """The difference, better less worse, with every unknown counted against the claim, and for it."""
    a, b = (e.bounds for e in estimates)
    if a is not None and b is not None:
        low, high = a[0] - b[1], a[1] - b[0]
    else:
        # Runs that were never recorded are no attempts: what they could have come to keeps no claim open.
        again = [x.difference for x in c.sensitivity if x.denominator is not Denominator.ALL_PLANNED]
        differences = [d for d in (c.difference, *again) if d is not None]
        low, high = min(differences), max(differences)
    return (-high, -low) if lower_is_better(claim, estimates[0]) else (low, high)


def worst(claim: Claim, estimates: Sequence[Estimate]) -> float | None:
    """The value or difference with all that is not known counted against the claim, in the metric's own sign.

    None where all are known, where N does not count attempts, and for "separated from", where the house's
    rule has looked at both fillings already.
    """
    if all(e.known == e.attempts for e in estimates) or any(e.bounds is None for e in estimates):
        return None
    if len(estimates) == 1:
        low, high = estimates[0].bounds or (0.0, 1.0)
        return low if claim.asks == "at least" else high
    if claim.asks == "separated from":
        return None
    a, b = (e.bounds or (0.0, 1.0) for e in estimates)
    return a[1] - b[0] if lower_is_better(claim, estimates[0]) else a[0] - b[1]
