"""What came of a decision: a verdict a claim, whether each quotation stands in its record; also as JSON.

Does: hold verdicts with the evidence that gave them. Does not: give one; `site_src.decisions.judging` does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from metrics_core.compared import Comparison
from metrics_core.control import Control
from metrics_core.estimate import Estimate
from site_src.decisions.claim import Claim
from site_src.decisions.quotes import CheckedQuote
from site_src.decisions.reading import Decision
from site_src.decisions.reasons import Reason

Word = Literal["supported", "cannot separate", "contradicted", "inadmissible", "no data"]
WORDS: Final[tuple[Word, ...]] = get_args(Word)


@dataclass(frozen=True, slots=True)
class Differs:
    """Two things that may not be held against each other: what differs; the older, or claimed, one first.

    ``what`` is ``contract``, ``pack``, ``data`` (both full digests) or the name of a stratum key.
    """

    what: str
    first: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedClaim:
    """One claim beside its evidence.

    Attributes:
        why: Why the verdict is what it is.
        estimates: What it rests on: one, or the two sides; none where nothing is there yet.
        comparison: Of the two sides, the claimed one first.
        control: For a claim about one.
        differs: What makes it inadmissible where an instrument or the like is not the same.
        changed: Whether that is since the decision was accepted, rather than between the two sides.
        worst: The value, or the difference, with every unknown verdict counted against the claim; None where
            all are known, or N does not count attempts.
        asked: Finds out what would flip it: only for who reads it, since runs are counted for it.
    """

    claim: Claim
    verdict: Word
    why: Reason
    estimates: tuple[Estimate, ...] = ()
    comparison: Comparison | None = None
    control: Control | None = None
    differs: Differs | None = None
    changed: bool = False
    worst: float | None = None
    asked: Callable[[], str] = field(default=str, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.verdict == "no data" or self.control is not None:
            return
        if not self.estimates:
            raise ValueError(f"{self.claim.where}: {self.verdict}, on no estimate")

    @property
    def reason(self) -> str:
        """Why the verdict is what it is, in words, without a number of the data."""
        return str(self.why)

    def flip(self) -> str:
        """What would flip the verdict, in a sentence; may read the runs of an experiment, once."""
        return self.asked()

    @property
    def withheld(self) -> Estimate | None:
        """The estimate that a failed control withholds, if one does."""
        return next((e for e in self.estimates if e.withheld is not None), None)

    def to_json(self) -> dict[str, Any]:
        """As an edition keeps it."""
        return {
            "claim": self.claim.identity,
            "says": self.claim.says,
            "kind": self.claim.kind,
            "verdict": self.verdict,
            "reason": self.reason,
            "estimates": [e.id for e in self.estimates],
            "contracts": list(dict.fromkeys(e.contract.digest for e in self.estimates)),
            "packs": list(dict.fromkeys(e.pack for e in self.estimates if e.pack)),
        }


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """A decision, its claims as the evidence has them, its quotations as the records have them."""

    decision: Decision
    claims: tuple[JudgedClaim, ...]
    quotes: tuple[CheckedQuote, ...]

    @property
    def slug(self) -> str:
        """Name of its page."""
        return self.decision.slug

    @property
    def counts(self) -> dict[Word, int]:
        """How many claims came to each verdict, in the order of `WORDS`; none that does not occur."""
        found = Counter(c.verdict for c in self.claims)
        return {word: found[word] for word in WORDS if found[word]}

    def to_json(self) -> dict[str, Any]:
        """As an edition keeps it, and `data/decisions.json` shows it."""
        d = self.decision
        return {
            "slug": d.slug,
            "title": d.title,
            "status": d.status,
            "date": d.date,
            "deciders": list(d.deciders),
            "claims": [c.to_json() for c in self.claims],
            "quotes": [{"text": q.quote.text, "from": q.quote.source, "found": q.found} for q in self.quotes],
        }
