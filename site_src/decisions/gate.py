"""Accepted decisions that their evidence does not bear out any more.

Does: say which, and where, in words that can be an error or a note. Does not: stop anything; `check` and
`publish` do, and a build tells it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from metrics_core.errors import ClaimError
from site_src.decisions.verdict import JudgedDecision

AS_PUBLISHED = "quote the record as the site publishes it, byte for byte"
WAYS_ON = "reopen it, give it the date on which it is accepted anew, or soften the claim"


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
                problem = f"accepted, but “{c.claim.says}”: {found}"
                yield ClaimError(problem, where=c.claim.where, hint=WAYS_ON)
    for q in judged.quotes:
        if not q.found:
            what = "these words do not stand in" if q.record is not None else "there is no record"
            problem = f"quoted, but {what} {q.quote.source}"
            yield ClaimError(problem, where=q.quote.where, hint=AS_PUBLISHED)
