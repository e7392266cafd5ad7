"""Claims against estimates: what is supported, what is not, and what is inadmissible.

A claim is *supported* where the whole interval lies on its side of the line, *contradicted* where the whole
interval lies on the other, and *cannot separate* in between. Above that stands what makes a number no
evidence:

- A control that failed withholds it. A control that is *missing* lets a number be shown, with a mark, but
  not be decided on: the control is what makes the rest admissible, and a claim leans on a number harder
  than a page that shows it. So a missing control makes the claim inadmissible, unless the experiment holds
  it to be optional: then the claim is judged, and the absence stands beside its number.
- A fixed evaluator asserts and does not measure; a probe item never enters a headline.
- Two sides under two instruments, packs or conditions are not compared. A decision that was accepted under
  another instrument waits until it is reopened or accepted anew, unless the ledger holds both digests as
  equal.

Fewer than 8 known runs are no data. Where over a fifth of the attempts is not known, the bounds of a level
decide with its interval: it holds only if it holds with every unknown counted against it. A number that has
no bounds decides nothing there: what the unknown runs cost, for one, could be anything. Two arms are held to
the worst case however few are unknown, as the house's own separation is: the difference must lie on its side
of the line, margin and all, with every unknown counted against it. Scores that leave 0..1 have no bounds;
their difference must lie there under every other denominator of the comparison. ``above`` asks for the
house's separation too (overlap and Holm), whatever its margin: a stronger claim cannot stand where the weaker
one falls. That two arms are separated is never contradicted: a pack cannot show that they are equal.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache, partial
from typing import Any

from msgspec.structs import replace

from metrics_core.errors import ClaimError
from metrics_core.measurement import RecordedOutcome, run_outcomes, spent_beside
from metrics_core.results import MIN_KNOWN, Control, Estimate
from site_src.decisions import robustness, switching, thresholds
from site_src.decisions.evidence import control_of, evidence
from site_src.decisions.model import (
    SHARES,
    Claim,
    ClaimVerdict,
    Decision,
    Differs,
    JudgedClaim,
    JudgedDecision,
    Record,
    Switch,
)
from site_src.decisions.quotes import Runs, checked
from site_src.decisions.reasons import (
    ChangedSince,
    ControlFound,
    ControlMissing,
    ExperimentUnread,
    NotComparable,
    NumberWithheld,
    Reason,
    TooFewKnown,
)
from site_src.decisions.status import check_transition
from site_src.references import Index, WithheldReferenceError
from site_src.wording import no_evidence

NO_PACK = "none"
"""Stands where others have the digest of a pack."""


def judge_decision(
    decision: Decision,
    index: Index,
    *,
    published: Mapping[str, Any] | None = None,
    known_revisions: Collection[frozenset[str]] = (),
    records: Mapping[str, Record] | None = None,
    runs: Runs | None = None,
) -> JudgedDecision:
    """A verdict for each claim of a decision, and whether each quotation stands in its record.

    Args:
        decision: As it was read.
        index: The reports as they are now.
        published: The decision's JSON in the edition under which it was accepted, or None.
        known_revisions: Contract digests that the ledger holds as equal, a set for each contract and version.
        records: What `site_src.decisions.quotes.cited` found.
        runs: A pass over the runs of an experiment, for what would flip a difference; None leaves the
            answer to what the comparison itself can say.

    Raises:
        ClaimError: A name in a claim is wrong, or the status cannot follow the one that was published.
        PoolingError: A claim leaves a stratum open.
    """
    if published is not None:
        check_transition(decision, str(published["status"]))
    before = _under_which(decision, published)
    kept: dict[str, tuple[RecordedOutcome, ...]] = {}  # one pass an experiment, and without the records

    def outcomes(experiment: str) -> tuple[RecordedOutcome, ...]:
        if experiment not in kept:
            kept[experiment] = run_outcomes(runs(experiment)) if runs is not None else ()
        return kept[experiment]

    claims = []
    for each in decision.claims:
        family = "" if each.control else each.query.family
        claim = replace(each, words=index.words_of(family))
        judged = (
            _control(claim, index)
            if claim.control
            else _metric(claim, index, before, known_revisions, outcomes)
        )
        find_flip = cache(partial(robustness.flip, judged, None if runs is None else outcomes))
        claims.append(replace(judged, find_flip=find_flip))
    return JudgedDecision(decision, tuple(claims), checked(decision, records or {}))


def _under_which(decision: Decision, published: Mapping[str, Any] | None) -> dict[str, Mapping[str, Any]]:
    """Claims as they were accepted, by identity; none where the decision was reopened or accepted anew."""
    if published is None or decision.status != "accepted":
        return {}
    if published["status"] != "accepted" or published["date"] != decision.date:
        return {}
    return {str(claim["claim"]): claim for claim in published["claims"]}


def _control(claim: Claim, index: Index) -> JudgedClaim:
    try:
        control = control_of(claim, index)
    except WithheldReferenceError:
        return JudgedClaim(claim=claim, verdict="no data", why=ExperimentUnread(claim.experiment))
    words: dict[str, ClaimVerdict] = {"held": "supported", "failed": "contradicted"}
    return JudgedClaim(
        claim=claim, verdict=words.get(control.state, "no data"), control=control,
        why=ControlFound(control.state, control.detail),
    )  # fmt: skip


def _metric(
    claim: Claim,
    index: Index,
    before: Mapping[str, Mapping[str, Any]],
    revisions: Collection[frozenset[str]],
    outcomes: robustness.Outcomes,
) -> JudgedClaim:
    found = evidence(claim, index)
    if found.absent is not None:
        return JudgedClaim(claim=claim, verdict="no data", why=found.absent)
    compared = found.comparison
    if compared is not None and claim.separation is not None:
        compared = compared.under(claim.separation)
    judged = partial(
        JudgedClaim,
        claim=claim,
        estimates=found.estimates,
        comparison=compared,
        differs=found.differs,
        unguarded=_unguarded(found.estimates, index),
    )
    _check_units(claim, found.estimates)
    if (why := _inadmissible(found.estimates, index, found.differs)) is not None:
        return judged(verdict="inadmissible", why=why)
    if (was := before.get(claim.identity)) and (moved := _moved(was, found.estimates, revisions)):
        return judged(verdict="inadmissible", differs=moved, changed=True, why=ChangedSince(moved.what))
    few = [e for e in found.estimates if e.known < MIN_KNOWN]
    if few:
        return judged(verdict="no data", why=TooFewKnown(_whose(few, claim)))
    if compared is None:
        verdict, lies = thresholds.level(claim, found.estimates[0])
    else:
        verdict, lies = thresholds.difference(claim, compared, found.estimates)
        if claim.kind == "in place of":
            e = found.estimates[0]
            costs = [x for r in index.reports if r.experiment == e.experiment for x in r.estimates
                     if x.metric == "cost"]  # fmt: skip
            spent = spent_beside(found.estimates, costs, outcomes(e.experiment))
            half = Switch(verdict, lies, spent)
            verdict, lies = switching.decided(claim, half)
            judged = partial(judged, switch=half)
    return judged(verdict=verdict, why=lies, worst=thresholds.worst(claim, found.estimates))


def _whose(few: Sequence[Estimate], claim: Claim) -> tuple[str, ...]:
    """The arms of estimates; none where one of them has no name."""
    arms = tuple(e.group.get(claim.over, "") for e in few)
    return arms if all(arms) else ()


def _check_units(claim: Claim, estimates: Sequence[Estimate]) -> None:
    e = estimates[0]
    if claim.kind == "below" and claim.unit != e.unit:
        raise ClaimError(f"below is in {claim.unit}, and {e.metric} in {e.unit}", where=claim.where,
                         hint=f"unit: {e.unit}")  # fmt: skip
    if claim.kind in ("at least", "at most") and e.unit not in SHARES:
        raise ClaimError(f"{claim.kind} is of a share, and {e.metric} is in {e.unit}", where=claim.where,
                         hint=f"write below: {claim.line_in_full} and unit: {e.unit}")  # fmt: skip
    if e.unit in SHARES and not 0 <= claim.line <= 1:
        raise ClaimError(f"a share of {claim.line_in_full}", where=claim.where, hint="0 to 1; 80 % is 0.80")
    if claim.kind == "in place of" and (e.unit != "fraction" or e.polarity != "for"):
        raise ClaimError(f"{e.metric} has no success", where=claim.where,
                         hint="a success is a run that comes to 1, where more is better")  # fmt: skip
    if claim.asks == "not worse than" and e.polarity == "neither":
        raise ClaimError(f"{e.metric} is context: neither more of it nor less is better", where=claim.where,
                         hint="claim above, with the side that you mean first")  # fmt: skip


def _inadmissible(estimates: Sequence[Estimate], index: Index, unlike: Differs | None) -> Reason | None:
    """Why these numbers are no evidence; None where they are."""
    for e in estimates:
        if e.withheld_by is not None:
            return NumberWithheld(e.withheld_by)
    if unlike is not None:
        return NotComparable(unlike.what)
    for e in estimates:
        if missing := [c for c in _guards(e, index) if c.state == "missing" and c.stops_publication]:
            return ControlMissing(missing[0].title, missing[0].detail)
        if (why := no_evidence(e.stratum, e.words)) is not None:
            return why
    return None


def _unguarded(estimates: Sequence[Estimate], index: Index) -> tuple[Control, ...]:
    """Controls that are missing and optional by the experiment: the claim is judged without them."""
    found = {c.name: c for e in estimates for c in _guards(e, index)}
    return tuple(c for c in found.values() if c.state == "missing" and not c.stops_publication)


def _guards(e: Estimate, index: Index) -> list[Control]:
    return [
        c
        for report in index.reports
        if report.experiment == e.experiment
        for c in report.controls
        if c.guards == e.family and c.covers(e.metric, e.contract.digest)
    ]


def _moved(
    was: Mapping[str, Any], estimates: Sequence[Estimate], revisions: Collection[frozenset[str]]
) -> Differs | None:
    """A contract or a pack that is not the one under which the claim was accepted: the old, then the new.

    A pack that came or went is one that moved. A claim that rested on nothing then has nothing to move.
    """
    if not was["estimates"]:
        return None
    for what, now in (
        ("contract", [e.contract.digest for e in estimates]),
        ("pack", [e.pack or NO_PACK for e in estimates]),
    ):
        old = list(was[f"{what}s"]) or [NO_PACK]
        came = [digest for digest in now if not _among(digest, old, revisions)]
        gone = [digest for digest in old if not _among(digest, now, revisions)]
        if came or gone:
            return Differs(what, (gone or old)[0], (came or now)[0])
    return None


def _among(digest: str, others: Sequence[str], revisions: Collection[frozenset[str]]) -> bool:
    """Whether a digest is one of others, or equal to one by the ledger."""
    return not {digest}.union(*(r for r in revisions if digest in r)).isdisjoint(others)
