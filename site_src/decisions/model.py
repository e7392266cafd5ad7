"""A decision, its claims and quotations; and what came of them: a verdict a claim, found or not a quotation.

Does: hold them, refuse a claim that is not whole, identify a claim by what it claims, make its sentence where
its author gave none, and give all of it as JSON. Does not: read a file (`parse`), look into reports
(`evidence`), or give a verdict (`judge`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import isfinite
from typing import Annotated, Any, Final, Literal, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from metrics_core.formats import Day, OneLine, Text
from metrics_core.measurement import SpentBeside
from metrics_core.results import Comparison, Control, Estimate, PartlyCompared, Rule, Vocabulary
from site_src.decisions.reasons import Reason
from site_src.project import Heads, Registration
from site_src.references import Query, parse_query
from site_src.wording import metric_words, number, sentence_case, shown_name

ClaimKind = Literal[
    "above", "not worse than", "separated from", "in place of", "at least", "at most", "below", "control"
]  # fmt: skip

COMPARED: Final[tuple[ClaimKind, ...]] = ("above", "not worse than", "separated from", "in place of")
"""Kinds about two arms: their line lies on the axis of differences, that of others on the metric's own."""

SHARES: Final = ("fraction", "F1")
"""Units of what lies between 0 and 1: one run moves such a mean by at most 1 in as many as are known."""

Status = Literal["proposed", "accepted", "reopened", "superseded"]
STATUSES: Final[tuple[Status, ...]] = get_args(Status)
ClaimVerdict = Literal["supported", "cannot separate", "contradicted", "inadmissible", "no data"]
CLAIM_VERDICTS: Final[tuple[ClaimVerdict, ...]] = get_args(ClaimVerdict)
MODEL: Final = "model"


class Claim(PartlyCompared, frozen=True, kw_only=True):
    """One claim, as its author wrote it.

    Attributes:
        kind: ``above``, ``not worse than``, ``separated from``; ``in place of``: a switch from ``than`` to
            ``of``; ``at least``, ``at most``, ``below``; ``control``.
        where: ``file:line`` at which it begins; every error about it begins with that.
        metric: Reference to the metric, without the arm: ``gh-2026/attempts.security condition=benign``.
        of: The arm that it is about; empty where the reference names all keys itself.
        than: The arm it is compared with, for the kinds of `COMPARED`.
        within: ``key=value ...`` in which the other side differs, such as ``experiment=brownfield-2026-05``.
        line: What is claimed, in the metric's unit: the least, the most, the margin (0 for none).
        unit: Of ``line``, for ``below``: ``USD``, ``s``, ``count``.
        over: The group key that the arms are values of.
        control, experiment: Which control holds, and where.
        awaited: That there may be no such run yet, so that a name nobody knows is no mistake.
        cost: How many times the other arm's cost per success it may cost, for ``in place of``.
        separation: ``paired`` where the difference on the same tasks may decide alone; None for the rule
            that is in force.
        sentence: The author's sentence; empty where none was given.
        words: Of the metric's family, once it is judged.

    Raises:
        ValueError: A part is missing, or one that the kind has not.
    """

    kind: ClaimKind
    where: str
    metric: str = ""
    of: str = ""
    than: str = ""
    within: str = ""
    line: float = 0.0
    unit: str = ""
    over: str = MODEL
    control: str = ""
    experiment: str = ""
    awaited: bool = False
    cost: float = 1.0
    separation: Literal["paired"] | None = None
    sentence: str = ""
    words: Vocabulary | None = None

    def __post_init__(self) -> None:
        if (self.kind == "control") != bool(self.control) or (self.kind == "control") == bool(self.metric):
            raise ValueError(f"{self.where}: a claim is about a metric, or about a control")
        if (self.kind in COMPARED) != bool(self.than) or (self.than and not self.of):
            raise ValueError(f"{self.where}: {self.kind} needs two arms exactly if it compares")
        if not isfinite(self.line) or (self.kind in COMPARED and self.line < 0):
            raise ValueError(f"{self.where}: a claimed line at {self.line}")
        if self.kind == "below" and not self.unit:
            raise ValueError(f"{self.where}: below needs a unit")
        if not (isfinite(self.cost) and self.cost > 0):
            raise ValueError(f"{self.where}: {self.cost} times the cost")

    @property
    def asks(self) -> ClaimKind:
        """What it asks of the difference: a switch, not to be worse by its margin, else to be above."""
        if self.kind == "in place of":
            return "not worse than" if self.line else "above"
        return self.kind

    @property
    def of_difference(self) -> Claim:
        """The claim about the difference alone: of a switch, without what it may cost."""
        return replace(self, kind=self.asks, cost=1.0)

    @property
    def identity(self) -> str:
        """The claim without its sentence: equal for two editions of one claim, whatever its words.

        The line stands in it in full, so that two lines that round alike are two claims.
        """
        about = (self.metric, self.over, self.of, self.than, self.within)
        rule = f"separation {self.separation}" if self.separation else ""
        cost = f"cost {self.cost!r}" if self.kind == "in place of" else ""
        parts = (self.kind, *about, self.line_in_full, self.unit, self.control, self.experiment, rule, cost)
        return " · ".join(part for part in parts if part)

    @property
    def line_in_full(self) -> str:
        """The claimed line to its last digit, as its author may have typed it."""
        return repr(self.line).removesuffix(".0")

    @property
    def query(self) -> Query:
        """The reference without the arm."""
        return parse_query(self.metric, self.where)

    def side(self, arm: str, within: str = "") -> Query:
        """The reference to one arm; ``within`` replaces keys of it."""
        found = self.query
        keys = found.keys | (parse_query(f"x.y {within}", self.where).keys if within else ())
        keys |= {self.over: arm} if arm else {}
        words = f"{self.metric} {self.over}={arm}" if arm else self.metric
        return Query(f"{words} {within}".strip(), found.family, found.metric, keys, self.where)

    @property
    def names(self) -> str:
        """Whom or what it is about, as short as a label: first less second, or the one arm."""
        if self.kind == "control":
            return shown_name(self.experiment)
        if not self.than:
            return shown_name(self.of) or "all"
        other = shown_name(self.than)
        if self.within:
            other = f"{other} ({shown_name(self.within.partition('=')[2])})"
        return f"{shown_name(self.of)} − {other}"

    @property
    def text(self) -> str:
        """The author's sentence, or the claim in plain words."""
        return self.sentence or sentence_case(self._plainly())

    def _plainly(self) -> str:
        if self.kind == "control":
            return f"the control {shown_name(self.control)} of {shown_name(self.experiment)} held."
        metric = metric_words(self.query.metric, self.words)
        of, than = (
            shown_name(self.of),
            shown_name(self.than) + (f" in {shown_name(self.within)}" if self.within else ""),
        )
        line = number(self.line, self.unit or "fraction")
        alone = ", by the difference on the same tasks alone" if self.separation else ""
        match self.kind:
            case "above":
                return f"on {metric}, {of} is {f'at least {line} ' if self.line else ''}above {than}{alone}."
            case "not worse than":
                return f"on {metric}, {of} is not worse than {than} by {line} or more."
            case "in place of":
                worse = f"not worse than {than} by {line} or more" if self.line else f"above {than}{alone}"
                times = f"at most {self.cost:g} times as much" if self.cost != 1 else "no more"
                return (
                    f"{of} takes the place of {than}: on {metric} it is {worse}, and a success costs {times}."
                )
            case "separated from":
                return f"on {metric}, {of} and {than} can be told apart{alone}."
            case _:
                whose = f" of {of}" if of else ""
                return f"the {metric}{whose} is {self.kind} {line}."


class Quote(Struct, frozen=True):
    """Words from a record, and the record: ``experiment/run`` or ``experiment/file:line``."""

    text: str
    source: str
    where: str


class Reopening(Struct, frozen=True, forbid_unknown_fields=True):
    """That a decision was opened again: ISO date, and why."""

    date: Day
    why: Annotated[OneLine, Meta(description="why it was opened again")]


class Registered(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a decision registers before its data are there, beside its claims."""

    planned: Annotated[int, Meta(ge=1, description="attempts planned for each arm, such as 150")] | None = (
        None
    )
    contracts: tuple[
        Annotated[Text, Meta(description="the digest of a contract, sha256: and 64 digits")], ...
    ] = ()
    packs: tuple[Annotated[Text, Meta(description="the digest of a pack, sha256: and 64 digits")], ...] = ()
    separation: (
        Annotated[Rule, Meta(description="the rule of separation that is to be in force: overlap, or paired")]
        | None
    ) = None


class Decision(Struct, frozen=True, kw_only=True):
    """A decision as its file holds it.

    Attributes:
        slug: Name of the file, and of its page.
        source: Path within the content folder.
        where: ``file:line`` of its status.
        date: ISO date on which it was accepted, last; of the proposal, while it is one. May be empty.
        deciders: Names of groups.
        lede: The sentence below the title; may be empty.
        text: The body, as Markdown.
        first_line: The line of the file on which the body begins.
        registered: What it registers before its data are there; None where it does not say that it does.
        heads: Sentences of the front matter, each with its ``file:line``; a claim's without what it claims.
    """

    slug: str
    source: str
    where: str
    title: str
    status: Status
    date: str = ""
    deciders: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    quotes: tuple[Quote, ...] = ()
    reopened: tuple[Reopening, ...] = ()
    supersedes: str = ""
    superseded_by: str = ""
    lede: str = ""
    text: str = ""
    first_line: int = 1
    registered: Registered | None = None
    heads: Heads = ()


class Record(Struct, frozen=True):
    """A run's record as published: the text of the record, and where its page is.

    Attributes:
        data: The record as UTF-8 JSON, every text in it as it is.
    """

    experiment: str
    run: str
    title: str
    data: bytes


class CheckedQuote(Struct, frozen=True):
    """A quote and the record that it names.

    Attributes:
        record: None where there is no such record.
        found: Whether the words stand in the record, byte for byte.
    """

    quote: Quote
    record: Record | None
    found: bool


class Differs(Struct, frozen=True):
    """Two things that may not be compared: what differs; the older, or claimed, one first.

    ``what`` is ``contract``, ``pack``, ``data`` (both full digests) or the name of a stratum key.
    """

    what: str
    first: str
    second: str


class Flip(Struct, frozen=True):
    """What would flip the verdict on a claim.

    Attributes:
        words: One sentence.
        runs: How many runs that is: that come out otherwise, or that are made or known in addition; None
            where it is no number of runs. Where the sentence says "about" or "at least", so is this.
    """

    words: str
    runs: int | None = None


class Switch(Struct, frozen=True):
    """The two halves of a switch: where the difference lies, and what a success of each costs.

    Attributes:
        verdict: On the difference alone, as on a claim of kind `Claim.asks`.
        why: Why that is so.
        spent: What a success costs; None where no cost of both is recorded at one price table.
    """

    verdict: ClaimVerdict
    why: Reason
    spent: SpentBeside | None


class JudgedClaim(PartlyCompared, frozen=True, kw_only=True):
    """One claim beside its evidence.

    Attributes:
        why: Why the verdict is what it is.
        estimates: What it rests on: one, or the two sides; none where nothing is there yet.
        comparison: Of the two sides, the claimed one first.
        control: For a claim about one.
        differs: What makes it inadmissible where an instrument or the like is not the same.
        changed: Whether that is since the decision was accepted, rather than between the two sides.
        worst: The value, or the difference, with all that is not known counted against the claim; None where
            all are known, or N does not count attempts.
        switch: For a switch, the verdict on the difference alone, and what a success costs.
        unguarded: Controls of its numbers that are missing, and that the experiment holds to be optional.
        find_flip: Finds out what would flip it: only for who reads it, since runs are counted for it.
    """

    UNCOMPARED = ("find_flip",)

    claim: Claim
    verdict: ClaimVerdict
    why: Reason
    estimates: tuple[Estimate, ...] = ()
    comparison: Comparison | None = None
    control: Control | None = None
    differs: Differs | None = None
    changed: bool = False
    worst: float | None = None
    switch: Switch | None = None
    unguarded: tuple[Control, ...] = ()
    find_flip: Callable[[], Flip] = lambda: Flip("")

    def __post_init__(self) -> None:
        if self.verdict == "no data" or self.control is not None:
            return
        if not self.estimates:
            raise ValueError(f"{self.claim.where}: {self.verdict}, on no estimate")

    @property
    def reason(self) -> str:
        """Why the verdict is what it is, in words, without a number of the data."""
        return str(self.why)

    def flip(self) -> Flip:
        """What would flip the verdict; may read the runs of an experiment, once."""
        return self.find_flip()

    @property
    def withheld(self) -> Estimate | None:
        """The estimate that a failed control withholds, if one does."""
        return next((e for e in self.estimates if e.withheld is not None), None)

    def to_json(self) -> dict[str, Any]:
        """As an edition keeps it."""
        return {
            "claim": self.claim.identity,
            "says": self.claim.text,
            "kind": self.claim.kind,
            "verdict": self.verdict,
            "reason": self.reason,
            "estimates": [e.id for e in self.estimates],
            "contracts": list(dict.fromkeys(e.contract.digest for e in self.estimates)),
            "packs": list(dict.fromkeys(e.pack for e in self.estimates if e.pack)),
        }


class JudgedDecision(Struct, frozen=True):
    """A decision, its claims as the evidence has them, its quotations as the records have them.

    Attributes:
        registration: What git says of its words, where it says that it is registered.
        undated: Whether a run that its claims may rest on has no date.
    """

    decision: Decision
    claims: tuple[JudgedClaim, ...]
    quotes: tuple[CheckedQuote, ...]
    registration: Registration | None = None
    undated: bool = False

    @property
    def slug(self) -> str:
        """Name of its page."""
        return self.decision.slug

    @property
    def counts(self) -> dict[ClaimVerdict, int]:
        """How many claims came to each verdict, in the order of `CLAIM_VERDICTS`; none without a claim."""
        found = Counter(c.verdict for c in self.claims)
        return {word: found[word] for word in CLAIM_VERDICTS if found[word]}

    def to_json(self) -> dict[str, Any]:
        """As an edition keeps it; `site.json` has its state and its verdicts."""
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
