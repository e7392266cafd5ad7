"""What turned between two editions: verdicts of claims, states of decisions and controls, instruments.

Does: list each with how it stood before and how it stands now. Does not: say why a verdict turned; the
figures it rests on are named, and `site_src.editions.moves` tells what moved them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from site_src.editions.edition import Edition, EditionClaim, EditionDecision, EditionExperiment

Was = Literal["data", "contract", "pack", "prices", "settings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A decision's status, or one of its claims, that is not what it was.

    Attributes:
        says: The claim's words; empty for the decision's status.
        key: What the claim is found by, for two may be worded alike; empty for the decision's status.
        before, now: Verdict or status; empty where the claim or the decision was not there.
        estimates: Ids of what the claim rests on now.
    """

    slug: str
    title: str
    says: str
    key: str
    before: str
    now: str
    estimates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlTurn:
    """A control whose state is not what it was; empty where it was not there."""

    experiment: str
    title: str
    guards: str
    before: str
    now: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Something that figures are made from and that is not what it was.

    Attributes:
        kind: Which of the things a figure is made from.
        name: Of the contract, or the date of the price table; else empty.
        before, now: Digests; empty where there was none.
    """

    experiment: str
    kind: Was
    name: str
    before: str
    now: str


def arrived(before: Edition, now: Edition) -> tuple[EditionExperiment, ...]:
    """Experiments that one edition has and the one before had not; turned round, those that are gone."""
    return tuple(x for x in now.experiments if before.experiment(x.slug) is None)


def turned(before: Edition, now: Edition) -> tuple[Turn, ...]:
    """Decisions whose status or verdicts are not what they were, new ones apart.

    A claim is known by what it claims; one that claims something else is one gone and one new.
    """
    then = {d.slug: d for d in before.decisions}
    return tuple(
        turn for d in now.decisions if d.slug in then for turn in _turns(then[d.slug], d)
    )


def _turns(was: EditionDecision, now: EditionDecision) -> Iterator[Turn]:
    def turn(claim: EditionClaim | None, before: str, since: str) -> Turn:
        return Turn(
            slug=now.slug,
            title=now.title,
            says=claim.says if claim else "",
            key=claim.key if claim else "",
            before=before,
            now=since,
            estimates=claim.estimates if claim and since else (),
        )

    if was.status != now.status:
        yield turn(None, was.status, now.status)
    verdicts = {claim.key: claim.verdict for claim in was.claims}
    for claim in now.claims:
        if verdicts.get(claim.key) != claim.verdict:
            yield turn(claim, verdicts.get(claim.key, ""), claim.verdict)
    kept = {claim.key for claim in now.claims}
    yield from (turn(c, c.verdict, "") for c in was.claims if c.key not in kept)


def new_decisions(before: Edition | None, now: Edition) -> tuple[EditionDecision, ...]:
    """Decisions that the edition before did not have."""
    then = {d.slug for d in before.decisions} if before else set()
    return tuple(d for d in now.decisions if d.slug not in then)


def controls_turned(before: Edition, now: Edition) -> tuple[ControlTurn, ...]:
    """Controls whose state changed, in experiments that both editions have."""
    return tuple(turn for was, x in _both(before, now) for turn in _control_turns(was, x))


def _control_turns(was: EditionExperiment, now: EditionExperiment) -> Iterator[ControlTurn]:
    then = {(c.guards, c.name, c.contract): c for c in was.controls}
    since = {(c.guards, c.name, c.contract): c for c in now.controls}
    contracts = {c.digest for c in now.contracts} & {c.digest for c in was.contracts}
    for key in sorted({*then, *since}):
        before, after = then.get(key), since.get(key)
        told = after or before
        if told is None or (before and after and before.state == after.state):
            continue
        if told.contract and told.contract not in contracts:
            continue  # the control of another contract, which is told as such
        yield ControlTurn(
            experiment=now.slug,
            title=told.title,
            guards=told.guards,
            before=before.state if before else "",
            now=after.state if after else "",
        )


def changed(before: Edition, now: Edition) -> tuple[Change, ...]:
    """Digests that are not what they were, in experiments that both editions have; what they moved or not."""
    return tuple(change for was, x in _both(before, now) for change in _changes(was, x))


def _changes(was: EditionExperiment, now: EditionExperiment) -> Iterator[Change]:
    def change(kind: Was, name: str, before: str | None, since: str | None) -> Iterator[Change]:
        if before != since:
            yield Change(
                experiment=now.slug, kind=kind, name=name, before=before or "", now=since or ""
            )

    yield from change("data", "", was.logs, now.logs)
    then = {(c.id, c.version): c.digest for c in was.contracts}
    since = {(c.id, c.version): c.digest for c in now.contracts}
    for key in sorted({*then, *since}):
        yield from change("contract", " v".join(key), then.get(key), since.get(key))
    yield from change("pack", "", was.pack, now.pack)
    for date in sorted({t.date for t in (*was.prices, *now.prices)}):
        yield from change("prices", date, was.price_digest(date), now.price_digest(date))
    yield from change("settings", "", was.settings, now.settings)


def _both(before: Edition, now: Edition) -> Iterator[tuple[EditionExperiment, EditionExperiment]]:
    for x in now.experiments:
        was = before.experiment(x.slug)
        if was is not None:
            yield was, x
