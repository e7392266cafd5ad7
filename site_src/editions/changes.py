"""What changed between two editions: figures that moved, and why; decisions, controls and instruments.

Does: pair the estimates of two editions, find which moved, and name every cause that the digests show; list
claims, statuses, controls and digests with how each stood before and stands now. Does not: apportion a move
among causes (where data and contract both changed, both are named), say why a verdict changed (the figures
that it rests on are named), or make sentences. A number that moved although nothing it is made from changed
is *unexplained*: a fault of the instrument.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from msgspec import Struct

from metrics_core.results import Estimate
from site_src.editions.edition import Edition, EditionClaim, EditionDecision, EditionExperiment

Cause = Literal["data", "contract", "pack", "prices", "settings", "exclusions", "unexplained"]

CAUSES: tuple[Cause, ...] = (
    "data", "contract", "pack", "prices", "settings", "exclusions", "unexplained",
)  # fmt: skip

MoveKind = Literal["moved", "new", "gone"]
InputKind = Literal["data", "contract", "pack", "prices", "settings"]
_DIGEST = re.compile(r"(?:^| )sha256:[0-9a-f]+\Z")
_BY_DIGEST = frozenset({"contract", "pack"})

_ALIKE = 1e-9
"""Two values nearer than this, relatively, are one value computed on two machines."""


class Move(Struct, frozen=True, kw_only=True):
    """One figure that moved, is new, or is gone.

    Attributes:
        causes: In the order of `CAUSES`; empty for a figure that is new or gone in an experiment that is.
        before, now: The estimate in either edition; None where it was not, or is no more.
    """

    experiment: str
    kind: MoveKind
    causes: tuple[Cause, ...]
    before: Estimate | None
    now: Estimate | None

    @property
    def id(self) -> str:
        """Of the figure as it is now, or as it was."""
        shown = self.now or self.before
        return shown.id if shown else ""


class DecisionChange(Struct, frozen=True, kw_only=True):
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


class ControlChange(Struct, frozen=True, kw_only=True):
    """A control whose state is not what it was; empty where it was not there."""

    experiment: str
    title: str
    guards: str
    before: str
    now: str


class InputChange(Struct, frozen=True, kw_only=True):
    """Something that figures are made from and that is not what it was.

    Attributes:
        kind: Which of the things a figure is made from.
        name: Of the contract, or the date of the price table; else empty.
        before, now: Digests; empty where there was none.
    """

    experiment: str
    kind: InputKind
    name: str
    before: str
    now: str


class OutcomeChange(Struct, frozen=True, kw_only=True):
    """Two arms of which the rules of separation say something else than they did.

    Attributes:
        about: On what the two are compared, and their names.
        before, now: The outcome, and who is above, in words.
    """

    experiment: str
    about: str
    before: str
    now: str


# --------------------------------------------------------------------------------------------------- figures


def moved(before: Edition, now: Edition) -> tuple[Move, ...]:
    """Every figure that is not as it was, by experiment and id.

    Args:
        before: An edition.
        now: A later one, or a draft.
    """
    found = []
    for was, is_ in _paired(before, now):
        if was is not None and is_ is not None and same(was, is_):
            continue
        name = (is_ or was).experiment  # type: ignore[union-attr] # a pair holds one at least
        then, since = before.experiment(name), now.experiment(name)
        kind: MoveKind = "new" if was is None else "gone" if is_ is None else "moved"
        causes = tuple(_causes(was, is_, then, since)) if then and since else ()
        found.append(
            Move(
                experiment=name,
                kind=kind,
                causes=causes or (("unexplained",) if kind == "moved" else ()),
                before=was,
                now=is_,
            )
        )
    return tuple(sorted(found, key=lambda move: (move.experiment, move.id)))


def same(was: Estimate, now: Estimate) -> bool:
    """Whether two estimates are the same: counts, value, interval, and the form they are shown in."""
    counts = all(
        getattr(was, name) == getattr(now, name)
        for name in ("n", "N", "of", "unit", "known", "unknown", "invalid", "errors", "headline")
    )
    return counts and all(_near(a, b) for a, b in zip(_values(was), _values(now), strict=True))


def _values(e: Estimate) -> tuple[float | None, ...]:
    bounds = e.bounds or (None, None)
    more = (None, None) if e.summary is None else (e.summary.p90, e.summary.total)
    return (e.value, e.interval.lo, e.interval.hi, *bounds, *more)


def _near(a: float | None, b: float | None) -> bool:
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=_ALIKE, abs_tol=1e-12)


def _paired(before: Edition, now: Edition) -> Iterator[tuple[Estimate | None, Estimate | None]]:
    """Estimates of both, by id; and by what they are about where an id holds a digest that changed."""
    then, since = {e.id: e for e in before.estimates}, {e.id: e for e in now.estimates}
    for name in then.keys() & since.keys():
        yield then[name], since[name]
    left = _about(e for name, e in then.items() if name not in since)
    right = _about(e for name, e in since.items() if name not in then)
    for key in {**left, **right}:
        was, is_ = left.get(key, []), right.get(key, [])
        if len(was) == len(is_) == 1:
            yield was[0], is_[0]
        else:
            yield from ((e, None) for e in was)
            yield from ((None, e) for e in is_)


def _about(estimates: Iterable[Estimate]) -> Mapping[tuple[object, ...], list[Estimate]]:
    found: dict[tuple[object, ...], list[Estimate]] = {}
    for e in estimates:
        stratum = tuple(
            (key, "" if key == "prices" else _DIGEST.sub("", value) if key in _BY_DIGEST else value)
            for key, value in e.stratum
        )
        found.setdefault((e.experiment, e.family, e.metric, e.group, stratum), []).append(e)
    return found


def _causes(
    was: Estimate | None, now: Estimate | None, then: EditionExperiment, since: EditionExperiment
) -> Iterator[Cause]:
    """What changed among the things that a figure is made from."""
    if was is not None and now is not None and (was.withheld is None) != (now.withheld is None):
        yield "exclusions"  # a control lifted or laid the number open: whatever else changed is not seen yet
        return
    if then.logs != since.logs:
        yield "data"
    if was is not None and now is not None and was.contract != now.contract:
        yield "contract"
    if then.pack != since.pack and (was or now) and any(e.pack for e in (was, now) if e):
        yield "pack"
    if was is not None and now is not None and _prices(was, then) != _prices(now, since):
        yield "prices"
    if then.settings != since.settings:
        yield "settings"
    if was is not None and now is not None and was.attempts == now.attempts and was.invalid != now.invalid:
        yield "exclusions"


def _prices(e: Estimate, x: EditionExperiment) -> tuple[str | None, str | None]:
    return e.prices, x.price_digest(e.prices)


# -------------------------------------------------------------------------- decisions, controls, instruments


def arrived(before: Edition, now: Edition) -> tuple[EditionExperiment, ...]:
    """Experiments that one edition has and the one before had not; exchanged, those that are gone."""
    return tuple(x for x in now.experiments if before.experiment(x.slug) is None)


def changed_decisions(before: Edition, now: Edition) -> tuple[DecisionChange, ...]:
    """Decisions whose status or verdicts are not what they were, new ones apart.

    A claim is known by what it claims; one that claims something else is one gone and one new.
    """
    then = {d.slug: d for d in before.decisions}
    return tuple(
        change for d in now.decisions if d.slug in then for change in _decision_changes(then[d.slug], d)
    )


def _decision_changes(was: EditionDecision, now: EditionDecision) -> Iterator[DecisionChange]:
    def change(claim: EditionClaim | None, before: str, since: str) -> DecisionChange:
        return DecisionChange(
            slug=now.slug,
            title=now.title,
            says=claim.says if claim else "",
            key=claim.key if claim else "",
            before=before,
            now=since,
            estimates=claim.estimates if claim and since else (),
        )

    if was.status != now.status:
        yield change(None, was.status, now.status)
    verdicts = {claim.key: claim.verdict for claim in was.claims}
    for claim in now.claims:
        if verdicts.get(claim.key) != claim.verdict:
            yield change(claim, verdicts.get(claim.key, ""), claim.verdict)
    kept = {claim.key for claim in now.claims}
    yield from (change(c, c.verdict, "") for c in was.claims if c.key not in kept)


def new_decisions(before: Edition | None, now: Edition) -> tuple[EditionDecision, ...]:
    """Decisions that the edition before did not have."""
    then = {d.slug for d in before.decisions} if before else set()
    return tuple(d for d in now.decisions if d.slug not in then)


def changed_controls(before: Edition, now: Edition) -> tuple[ControlChange, ...]:
    """Controls whose state changed, in experiments that both editions have."""
    return tuple(change for was, x in _both(before, now) for change in _control_changes(was, x))


def _control_changes(was: EditionExperiment, now: EditionExperiment) -> Iterator[ControlChange]:
    then = {(c.guards, c.name, c.contract): c for c in was.controls}
    since = {(c.guards, c.name, c.contract): c for c in now.controls}
    contracts = {c.digest for c in now.contracts} & {c.digest for c in was.contracts}
    for key in sorted({*then, *since}):
        before, after = then.get(key), since.get(key)
        control = after or before
        if control is None or (before and after and before.state == after.state):
            continue
        if control.contract and control.contract not in contracts:
            continue  # the control of another contract, which is listed as such
        yield ControlChange(
            experiment=now.slug,
            title=control.title,
            guards=control.guards,
            before=before.state if before else "",
            now=after.state if after else "",
        )


def changed_outcomes(before: Edition, now: Edition) -> tuple[OutcomeChange, ...]:
    """Comparisons of both editions whose outcome is not what it was, or that put the other arm above."""
    return tuple(
        OutcomeChange(experiment=x.slug, about=outcome.about, before=then[outcome.id], now=outcome.words)
        for was, x in _both(before, now)
        for then in [{o.id: o.words for o in was.outcomes or ()}]
        for outcome in x.outcomes or ()
        if then.get(outcome.id, outcome.words) != outcome.words
    )


def changed_inputs(before: Edition, now: Edition) -> tuple[InputChange, ...]:
    """Digests that are not what they were, in experiments that both editions have; what they moved or not."""
    return tuple(change for was, x in _both(before, now) for change in _input_changes(was, x))


def _input_changes(was: EditionExperiment, now: EditionExperiment) -> Iterator[InputChange]:
    def change(kind: InputKind, name: str, before: str | None, since: str | None) -> Iterator[InputChange]:
        if before != since:
            yield InputChange(experiment=now.slug, kind=kind, name=name, before=before or "", now=since or "")

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
