"""Whether the words of a decision came before its data: the commit against the dates inside the records.

Does: say which came first, by how much, and what came otherwise than it was registered. Does not: ask git
(`site_src.project.registrations` does), or judge a claim. What git cannot show is said beside it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Literal

from msgspec import Struct

from metrics_core.results import Estimate, Review
from metrics_core.text import many
from site_src.decisions.model import JudgedDecision

Order = Literal[
    "before", "between", "after", "no claim", "no record", "undated", "not committed", "no history"
]

READ: Final = (
    "Read from git, the first commit since which the file claims and registers what it does now, and from "
    "the dates inside the records, where one without an offset is taken as UTC."
)
FIRST: Final = "It shows that the words came first, not that nobody had looked, nor that clocks were right."
SHOWN: Final = 7
"""Digits of a commit that are shown."""


class Departure(Struct, frozen=True):
    """One thing that was registered beside what came.

    Attributes:
        what: ``contract``, ``pack``, ``attempts of an arm`` or ``rule of separation``.
        registered: Digests, a number, or a rule.
        came: The same of the evidence; none where nothing is there yet.
    """

    what: Literal["contract", "pack", "attempts of an arm", "rule of separation"]
    registered: tuple[str, ...]
    came: tuple[str, ...]

    @property
    def departs(self) -> bool:
        """Whether something else came than was registered."""
        return bool(self.came) and set(self.came) != set(self.registered)


def estimates(judged: JudgedDecision) -> tuple[Estimate, ...]:
    """What the claims of a decision rest on, each once."""
    return tuple({e.id: e for claim in judged.claims for e in claim.estimates}.values())


def rests_on_undated(judged: JudgedDecision, runs: Callable[[str], Iterator[Review]]) -> bool:
    """Whether a run that a decision's claims may rest on has no date.

    Args:
        judged: The decision.
        runs: A pass over the runs of an experiment.
    """
    found = estimates(judged)
    return any(
        run.stamp is None
        for experiment in sorted({e.experiment for e in found})
        for run in runs(experiment)
        if any(
            (e.experiment, e.family) == (experiment, run.family)
            and all(run.group.get(key, value) == value for key, value in e.group)
            for e in found
        )
    )


def span(judged: JudgedDecision) -> tuple[str, str] | None:
    """When the first and the last record behind a decision's claims were made; None without dates."""
    ends = [e.stamps for e in estimates(judged) if e.stamps is not None]
    return (min(first for first, _ in ends), max(last for _, last in ends)) if ends else None


def order(judged: JudgedDecision) -> Order:
    """Which came first, the words or the records."""
    known = judged.registration
    if known is None or known.proof == "no history":
        return "no history"
    if known.proof == "not committed":
        return "not committed"
    if not judged.claims:
        return "no claim"
    found = [e for e in estimates(judged) if e.attempts]
    if not found:
        return "no record"
    dated, committed = span(judged), _moment(known.time)
    whole = dated is not None and not judged.undated and all(e.stamps is not None for e in found)
    if dated is not None and _moment(dated[0]) <= committed:
        return "after" if whole and _moment(dated[1]) <= committed else "between"
    return "before" if whole else "undated"  # a run without a date may be the first of all


def told(judged: JudgedDecision) -> str:
    """One sentence, without a full stop: whether it was registered before its data."""
    known = judged.registration
    commit = "" if known is None else known.commit[:SHOWN]
    match order(judged):
        case "before":
            first, _ = span(judged) or ("", "")
            assert known is not None  # noqa: S101 - it has an order
            return f"Registered in commit {commit}, {_apart(known.time, first)} before the first record"
        case "after":
            return f"Registered in commit {commit}, after the data were there"
        case "between":
            return f"Registered in commit {commit}, after the first record"
        case "no claim":
            return f"Registered in commit {commit}; it claims nothing that records could show"
        case "no record":
            return f"Registered in commit {commit}; its claims rest on no record so far"
        case "undated":
            return (
                f"Registered in commit {commit}; not all records are dated, so which came first is not shown"
            )
        case "not committed":
            return "Says that it is registered, and is not committed as it stands"
        case _:
            return "Says that it is registered; dates are not provable here, without the whole history of git"


def limits(judged: JudgedDecision) -> str:
    """What the order was read from, and what it does not show; empty where nothing was read."""
    match order(judged):
        case "no history" | "not committed":
            return ""
        case "before":
            return f"{READ} {FIRST}"
        case _:
            return READ


def departures(judged: JudgedDecision) -> Iterator[Departure]:
    """What was registered, beside what came."""
    registered = judged.decision.registered
    if registered is None:
        return
    found = [e for e in estimates(judged) if e.attempts]
    if registered.contracts:
        yield Departure("contract", registered.contracts, _once(e.contract.digest for e in found))
    if registered.packs:
        yield Departure("pack", registered.packs, _once(e.pack or "none" for e in found))
    if registered.planned is not None:
        came = _once(str(e.attempts) for e in sorted(found, key=lambda e: e.attempts))
        yield Departure("attempts of an arm", (str(registered.planned),), came)
    if registered.separation is not None:
        rules = _once(
            claim.comparison.rule
            for claim in judged.claims
            if claim.comparison is not None and claim.claim.separation is None
        )
        yield Departure("rule of separation", (registered.separation,), rules)


def _once(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def _moment(stamp: str) -> dt.datetime:
    found = dt.datetime.fromisoformat(stamp)
    return found if found.tzinfo is not None else found.replace(tzinfo=dt.UTC)


def _apart(first: str, second: str) -> str:
    """How long lies between two stamps, in whole days or hours.

    >>> _apart("2026-07-03T09:00:00Z", "2026-07-06T10:00:00Z")
    '3 days'
    """
    seconds = int((_moment(second) - _moment(first)).total_seconds())
    if seconds >= 86400:
        return many(seconds // 86400, "day")
    return many(seconds // 3600, "hour") if seconds >= 3600 else "less than an hour"
