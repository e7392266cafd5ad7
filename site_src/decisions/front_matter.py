"""The front matter of a decision: which keys it may have, and what each may be.

Does: type every key, and hold the order of reopenings. Does not: know what makes a claim whole, or a status.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct, field

from metrics_core.decoding import Day, Line, Text, Wrong, expected, read_with
from site_src.decisions.workflow import Status


def _source(value: Any) -> Any:
    if isinstance(value, str) and not all(value.strip().partition("/")):
        raise ValueError(value)
    return value.strip() if isinstance(value, str) else value


def _words(value: Any) -> Any:
    return value.removesuffix("\n") if isinstance(value, str) else value


Arm = Annotated[Text, Meta(description="the arm it is held against")]
Level = Annotated[float, Meta(description="a number, in the metric's unit")]
Other = Annotated[Text, Meta(description="the name of another decision")]
Sentence = Annotated[Line, Meta(description="a sentence")]


class ClaimRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One claim, key by key; what is left out is empty or None."""

    says: Sentence = ""
    awaited: bool = False
    metric: Annotated[Text, Meta(description="[experiment/]family.metric key=value")] = ""
    over: Annotated[Text, Meta(description="the group key of the arms, such as chat")] = ""
    of: Annotated[Text, Meta(description="the arm that it is about")] = ""
    by: Annotated[float, Meta(description="a margin, such as 0.05")] | None = None
    within: Annotated[Text, Meta(description="key=value in which the other side differs")] = field(
        default="", name="in"
    )
    unit: Annotated[Text, Meta(description="the unit of below: USD, s or count")] = ""
    experiment: Annotated[Text, Meta(description="the experiment whose control it is")] = ""
    above: Arm = ""
    not_worse_than: Arm = ""
    separated_from: Arm = ""
    at_least: Level | None = None
    at_most: Level | None = None
    below: Level | None = None
    control: Annotated[Text, Meta(description="the name of a control, such as sanity")] = ""

    def given(self) -> dict[str, Any]:
        """What was written, by key."""
        held = zip(self.__struct_encode_fields__, self.__struct_fields__, strict=True)
        found = {key: getattr(self, name) for key, name in held}
        return {key: value for key, value in found.items() if value is not None and value != ""}


class QuoteRow(Struct, frozen=True, forbid_unknown_fields=True):
    """Words from a record, and where it is."""

    text: Annotated[str, Meta(pattern=r"\S", description="the words that are quoted"), read_with(_words)]
    source: Annotated[
        str, Meta(description="experiment/run, or experiment/file:line"), read_with(_source)
    ] = field(name="from")


class Reopening(Struct, frozen=True, forbid_unknown_fields=True):
    """That a decision was opened again: ISO date, and why."""

    date: Day
    why: Annotated[Line, Meta(description="why it was opened again")]


class DecisionFront(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The front matter of a decision; attributes as of `site_src.decisions.Decision`."""

    title: Annotated[Line, Meta(description="a title")]
    status: Status
    date: Day = ""
    deciders: Annotated[
        tuple[Annotated[Line, Meta(description="the name of a group")], ...],
        Meta(description="a list of names"),
    ] = ()
    lede: Sentence = ""
    claims: tuple[ClaimRow, ...] = ()
    quotes: tuple[QuoteRow, ...] = ()
    reopened: tuple[Reopening, ...] = ()
    supersedes: Other = ""
    superseded_by: Other = ""

    def __post_init__(self) -> None:
        last = ""
        for at, each in enumerate(self.reopened):
            if each.date < last:
                problem = expected(f"{last} or later", each.date)
                raise Wrong(problem, "reopened", at, "date", hint="the last entry is the latest")
            last = each.date
