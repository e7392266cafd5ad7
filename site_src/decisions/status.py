"""The status of a decision: what each needs, which may follow which, and whether the evidence supports it.

Does: refuse a status that the decision's own file, another decision or an earlier edition contradicts; list
the claims and quotations of accepted decisions that the evidence does not support. Does not: judge a claim,
or stop a build; `check` and `publish` stop on what is listed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from metrics_core.errors import ClaimError
from metrics_core.suggestions import nearest
from site_src.decisions.model import STATUSES, Decision, JudgedDecision, Status
from site_src.wording import listed

if TYPE_CHECKING:
    from site_src.decisions.model import Decision

MAY_FOLLOW: Final[dict[str, tuple[Status, ...]]] = {
    "proposed": ("proposed", "accepted", "superseded"),
    "accepted": ("accepted", "reopened", "superseded"),
    "reopened": ("reopened", "accepted", "superseded"),
    "superseded": ("superseded",),
}
"""What a decision may be in one edition, by what it was in the one before."""

AS_PUBLISHED = "quote the record as the site publishes it, byte for byte"
WAYS_ON = "reopen it, give it the date on which it is accepted anew, or soften the claim"


def check_status(decision: Decision) -> None:
    """Refuse a decision that lacks what its status needs.

    Raises:
        ClaimError: What is missing, and what to write.
    """
    d = decision
    if d.status == "accepted":
        for has, what, hint in (
            (d.date, "a date", "date: 2026-07-20"),
            (d.deciders, "anyone who decided", "deciders: [evaluation group]"),
            (d.claims, "a claim", "an accepted decision claims something that its evidence bears out"),
        ):
            if not has:
                raise ClaimError(f"accepted without {what}", where=d.where, hint=hint)
        if d.reopened and d.reopened[-1].date > d.date:
            raise ClaimError(
                f"accepted on {d.date}, yet reopened on {d.reopened[-1].date}",
                where=d.where,
                hint="give it the date on which it was accepted anew, or the status reopened",
            )
    if d.status == "reopened" and not d.reopened:
        raise ClaimError(
            "reopened, and nothing says when and why", where=d.where, hint="reopened: [{date: ..., why: ...}]"
        )
    if d.status == "reopened" and d.date and d.reopened[-1].date < d.date:
        raise ClaimError(
            f"reopened on {d.reopened[-1].date}, before it was accepted on {d.date}",
            where=d.where,
            hint="the last entry of reopened is the one that stands",
        )
    if (d.status == "superseded") != bool(d.superseded_by):
        problem = "superseded, and nothing says by what" if d.status == "superseded" else (
            f"superseded by {d.superseded_by}, yet its status is {d.status}")  # fmt: skip
        raise ClaimError(
            problem, where=d.where, hint="status: superseded goes with superseded_by: the-other-one"
        )


def check_together(decisions: Sequence[Decision]) -> None:
    """Refuse a decision that names another which is not there, or does not name it back.

    Raises:
        ClaimError: ``file:line``, the name, and the nearest ones.
    """
    by_slug = {d.slug: d for d in decisions}
    for d in decisions:
        for key, other in (("superseded_by", d.superseded_by), ("supersedes", d.supersedes)):
            if other and (other == d.slug or other not in by_slug):
                slugs = [slug for slug in by_slug if slug != d.slug]
                raise ClaimError(f"{key} names {other!r}, which is no other decision", where=d.where,
                                 hint=nearest(other, slugs))  # fmt: skip
        if d.supersedes and by_slug[d.supersedes].superseded_by != d.slug:
            raise ClaimError(
                f"supersedes {d.supersedes}, which does not say so",
                where=d.where,
                hint=f"in {by_slug[d.supersedes].source} write superseded_by: {d.slug}",
            )
        if d.superseded_by and by_slug[d.superseded_by].status == "proposed":
            raise ClaimError(
                f"superseded by {d.superseded_by}, which is only proposed",
                where=d.where,
                hint="it stands, or is reopened, until the other is accepted",
            )
    _check_circles(decisions, by_slug)


def _check_circles(decisions: Iterable[Decision], by_slug: dict[str, Decision]) -> None:
    for d in decisions:
        seen, at = {d.slug}, d.superseded_by
        while at:
            if at in seen:
                raise ClaimError("superseded in a circle", where=d.where, hint="one of them must still stand")
            seen.add(at)
            at = by_slug[at].superseded_by


def check_transition(decision: Decision, before: str) -> None:
    """Refuse a status that cannot follow the one of an earlier edition.

    Args:
        decision: As it is now.
        before: Its status in that edition.

    Raises:
        ClaimError: Both, and what is allowed.
    """
    allowed = MAY_FOLLOW.get(before, STATUSES)
    if decision.status not in allowed:
        raise ClaimError(
            f"{before} in an earlier edition, and now {decision.status}",
            where=decision.where,
            hint=f"from {before} it may become {listed(allowed[1:]) or 'nothing else'}",
        )


def unsupported(decisions: Iterable[JudgedDecision]) -> tuple[ClaimError, ...]:
    """An error for each claim of an accepted decision that is not supported, each quote that is not found.

    Args:
        decisions: All of the site, judged.

    Returns:
        None of them raised, in the order given; empty where all is borne out.
    """
    return tuple(error for judged in decisions for error in _of(judged))


def _of(judged: JudgedDecision) -> Iterator[ClaimError]:
    if judged.decision.status == "accepted":
        for c in judged.claims:
            if c.verdict != "supported":
                found = f"{c.verdict}, {c.reason}"
                problem = f"accepted, but “{c.claim.text}”: {found}"
                yield ClaimError(problem, where=c.claim.where, hint=WAYS_ON)
    for q in judged.quotes:
        if not q.found:
            what = "these words do not stand in" if q.record is not None else "there is no record"
            problem = f"quoted, but {what} {q.quote.source}"
            yield ClaimError(problem, where=q.quote.where, hint=AS_PUBLISHED)
