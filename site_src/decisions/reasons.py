"""Why a claim has its verdict: codes, and small structs where a reason carries data; each with its words.

Does: name every reason once, with the words that a page and an edition state for it. Does not: judge. The
code asks for the member or the type (`judged.why is Why.ACROSS`), never for the words.
"""

from __future__ import annotations

from enum import StrEnum, unique
from typing import Final

from msgspec import Struct

from metrics_core.results import (
    MIN_KNOWN,
    Absence,
    ControlState,
    FewInCommon,
    Kept,
    NoEvidence,
    NotSeparated,
    Withheld,
)
from metrics_core.text import visible


@unique
class Why(StrEnum):
    """A reason that carries no data."""

    ON_SIDE = "the whole interval lies on the claimed side of the line"
    OFF_SIDE = "the whole interval lies on the other side of the line"
    ACROSS = "the interval holds the line"
    SEPARATED = "the two are separated"
    BY_THE_DIFFERENCE = "the difference on the same tasks tells the two apart, and decides alone here"
    SAME_TASKS_ONLY = "the same tasks alone tell the two apart, and their own intervals overlap"
    COULD_TURN = "over a fifth is not known, and what is not known could turn it around"
    COULD_BE_ANYTHING = "over a fifth is not known, and what those runs came to could be anything"
    WORST_TURNS = "what is not known could turn it around"
    COUNTED_OTHERWISE = "with unknown verdicts or errors counted too, the difference lies on the other side"


UNKNOWN_STANDS: Final = frozenset(
    {Why.COULD_TURN, Why.COULD_BE_ANYTHING, Why.WORST_TURNS, Why.COUNTED_OTHERWISE}
)
"""Reasons that only outcomes of the runs without one could lift."""


class NotApart(Struct, frozen=True):
    """What stands against the separation that the claim needs, in the order of the house's rule."""

    reasons: tuple[NotSeparated | FewInCommon, ...]

    def __str__(self) -> str:
        return "; ".join(map(str, self.reasons))


class LevelWithoutInterval(Struct, frozen=True):
    """The number of one arm has no interval."""

    absent: Absence | Kept | None

    def __str__(self) -> str:
        return f"no interval: {visible(str(self.absent or ''))}"


class DifferenceWithoutInterval(Struct, frozen=True):
    """The difference of two arms has no interval."""

    absent: Absence | Kept | None

    def __str__(self) -> str:
        return visible(str(self.absent or NotSeparated.NO_DIFFERENCE))


class NoRunYet(Struct, frozen=True):
    """No run was made of what is claimed: the metric in words, the arms' keys and values, the experiment."""

    metric: str
    keys: tuple[tuple[str, str], ...]
    experiment: str = ""

    def __str__(self) -> str:
        whose = " ".join(f"{key} {value}" for key, value in self.keys) or "anyone"
        where = f" in {self.experiment}" if self.experiment else ""
        return visible(f"no run with {self.metric} of {whose}{where} yet")


class ExperimentUnread(Struct, frozen=True):
    """The experiment that the claim is about could not be read or measured; empty where it names none."""

    experiment: str = ""

    def __str__(self) -> str:
        which = visible(self.experiment) if self.experiment else "an experiment that may hold it"
        return f"{which} could not be read or measured"


class TooFewKnown(Struct, frozen=True):
    """Fewer known runs than an interval takes; of which arms, where they have names."""

    arms: tuple[str, ...] = ()

    def __str__(self) -> str:
        whose = f" of {' and '.join(map(visible, self.arms))}" if self.arms else ""
        return f"fewer than {MIN_KNOWN} known runs{whose}"


class ControlFound(Struct, frozen=True):
    """What a control came to, where the claim is about it."""

    state: ControlState
    detail: str

    def __str__(self) -> str:
        return f"{self.state}: {visible(self.detail)}"


class ControlMissing(Struct, frozen=True):
    """A control that guards the number was not run."""

    title: str
    detail: str

    def __str__(self) -> str:
        return f"control missing: {visible(self.title)}, {visible(self.detail)}"


class NumberWithheld(Struct, frozen=True):
    """A control that failed withholds the number."""

    by: Withheld | Kept

    def __str__(self) -> str:
        return f"withheld: {self.words}"

    @property
    def words(self) -> str:
        """The controls that failed and what they found."""
        return visible(str(self.by))


class NotComparable(Struct, frozen=True):
    """The two sides are unlike in what is named: ``contract``, ``pack``, ``data``, or a stratum's key."""

    what: str

    def __str__(self) -> str:
        return f"not comparable: {self.what} differs"


class ChangedSince(Struct, frozen=True):
    """What is named, ``contract`` or ``pack``, is not the one under which the claim was accepted."""

    what: str

    def __str__(self) -> str:
        return f"{self.what} changed since it was accepted"


@unique
class OfCost(StrEnum):
    """Why a cost per success lies on its side of the line, or cannot be told."""

    WITHIN = "a success costs no more than is claimed"
    BEYOND = "a success costs more than is claimed"
    ACROSS = "the interval of the ratio of costs per success holds the line"
    NOT_RECORDED = "no cost of both is recorded at one price table"
    NO_SUCCESS = "one of the two has no success that its cost could be divided by"
    NO_INTERVAL = "the costs per success have no interval"
    MOSTLY_UNKNOWN = "over a fifth of the runs of one has no known cost or outcome"


class HalvesOfSwitch(Struct, frozen=True):
    """Where the difference lies, and what a success costs: a switch needs both."""

    difference: Reason
    cost: OfCost

    def __str__(self) -> str:
        return f"of the difference: {self.difference}; of the cost: {self.cost}"


Reason = (
    Why
    | HalvesOfSwitch
    | NotSeparated
    | NotApart
    | LevelWithoutInterval
    | DifferenceWithoutInterval
    | NoRunYet
    | ExperimentUnread
    | TooFewKnown
    | ControlFound
    | ControlMissing
    | NoEvidence
    | NumberWithheld
    | NotComparable
    | ChangedSince
)
"""Why a claim has its verdict; its words are its `str`."""


def brief(reason: Reason) -> str:
    """What stands on an axis where a claim has no number, in two or three words.

    >>> brief(ControlMissing("negative control", "no file"))
    'control missing'
    """
    match reason:
        case NoEvidence():
            return reason.brief
        case ControlMissing():
            return "control missing"
        case _:
            return "no interval"
