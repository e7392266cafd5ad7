"""How near each decision is to flipping: its nearest claim, and what would flip that, the least first.

A decision whose every claim is supported no longer holds as soon as one of them is not, so the claim that
the fewest runs would flip is its nearest. Of one that does not hold, the nearest is found among the claims
that are not supported. What is no number of runs, such as a control that would have to fail, comes last.

Does: order decisions, and say what all of them come to. Does not: count; `robustness` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum, unique
from math import inf

from msgspec import Struct

from site_src.decisions.model import Flip, JudgedClaim, JudgedDecision
from site_src.wording import listed, many_in_words


@unique
class Standing(StrEnum):
    """Whether the claims of a decision hold, as the head of a group of decisions."""

    HOLDS = "Every claim holds"
    OPEN = "Not every claim holds"
    CLOSED = "Superseded"


class Nearness(Struct, frozen=True):
    """A decision and what would flip it first.

    Attributes:
        decision: The decision.
        standing: Whether its claims hold.
        claim: The nearest; None where it claims nothing, or is superseded.
        flip: What would flip that claim; where there is none, why not.
    """

    decision: JudgedDecision
    standing: Standing
    claim: JudgedClaim | None
    flip: Flip

    @property
    def distance(self) -> float:
        """How many runs would flip it; infinity where it is no number of runs."""
        return inf if self.flip.runs is None else self.flip.runs


def nearness(judged: JudgedDecision) -> Nearness:
    """The claim of a decision that the least evidence would flip; may read the runs of an experiment, once.

    Of claims that are equally near, the first in its file.
    """
    if judged.decision.status == "superseded":
        return Nearness(judged, Standing.CLOSED, None, Flip("Nothing rests on it any more."))
    if not judged.claims:
        return Nearness(judged, Standing.OPEN, None, Flip("Nothing: it claims nothing that could flip."))
    loose = [c for c in judged.claims if c.verdict != "supported"]
    standing = Standing.OPEN if loose else Standing.HOLDS
    return min((Nearness(judged, standing, c, c.flip()) for c in loose or judged.claims), key=_distance)


def _distance(near: Nearness) -> float:
    return near.distance


def nearest_first(decisions: Iterable[JudgedDecision]) -> dict[Standing, list[Nearness]]:
    """Decisions by whether their claims hold, in each group the one first that the fewest runs would flip.

    Args:
        decisions: All of a site, judged.

    Returns:
        Only the groups that hold any, in the order of `Standing`; equally near ones by title.
    """
    found = sorted(map(nearness, decisions), key=lambda near: (near.distance, near.decision.decision.title))
    groups = {standing: [near for near in found if near.standing is standing] for standing in Standing}
    return {standing: group for standing, group in groups.items() if group}


def told(holding: Sequence[Nearness]) -> str:
    """Which of the decisions that hold is nearest to flipping, and how many runs could do it.

    Args:
        holding: Decisions whose every claim holds, nearest first.

    Returns:
        One sentence; empty where none of them would flip by a number of runs.
    """
    near = [each for each in holding if each.flip.runs is not None]
    if not near:
        return ""
    least = [each for each in near if each.flip.runs == near[0].flip.runs]
    which = listed([each.decision.decision.title for each in least])
    be = "is" if len(least) == 1 else "are"
    runs = near[0].flip.runs or 0
    enough = "a single run" if runs == 1 else f"as few as {many_in_words(runs, 'run')}"
    each_of = "" if len(least) == 1 else " each"
    return f"Nearest to flipping {be} {which}: {enough} could do it{each_of}."
