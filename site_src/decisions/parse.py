"""A decision's file, read: front matter that says what is decided and claimed, and a body of prose.

Does: type every key of the front matter, make its claims, and refuse with file and line what is misspelt,
missing, given twice or out of order. Does not: look anything up (that a metric or an arm exists is found when
the claim is judged), check what a status needs (`status`), or make HTML of the body.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final, Literal

from markdown_it.token import Token
from msgspec import Meta, Struct, field

from metrics_core.errors import ClaimError
from metrics_core.formats import (
    Day,
    Document,
    OneLine,
    Path,
    Text,
    Wrong,
    decode,
    expected,
    fault,
    missing,
    read_with,
    unknown_key,
)
from site_src.decisions.claim_text import without_claim
from site_src.decisions.model import (
    COMPARED,
    MODEL,
    Claim,
    ClaimKind,
    Decision,
    Quote,
    Registered,
    Reopening,
    Status,
)
from site_src.decisions.status import check_status
from site_src.project import markdown
from site_src.references import parse_query
from site_src.wording import listed


def _source(value: Any) -> Any:
    if isinstance(value, str) and not all(value.strip().partition("/")):
        raise ValueError(value)
    return value.strip() if isinstance(value, str) else value


def _words(value: Any) -> Any:
    return value.removesuffix("\n") if isinstance(value, str) else value


ArmName = Annotated[Text, Meta(description="the arm it is held against")]
Level = Annotated[float, Meta(description="a number, in the metric's unit")]
Other = Annotated[Text, Meta(description="the name of another decision")]
SentenceLine = Annotated[OneLine, Meta(description="a sentence")]


class ClaimRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One claim, key by key; what is left out is empty or None."""

    says: SentenceLine = ""
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
    separation: (
        Annotated[
            Literal["paired"], Meta(description="paired: the difference on the same tasks decides alone")
        ]
        | None
    ) = None
    above: ArmName = ""
    not_worse_than: ArmName = ""
    separated_from: ArmName = ""
    in_place_of: Annotated[Text, Meta(description="the arm whose place it is to take")] = ""
    cost: (
        Annotated[
            float,
            Meta(gt=0, description="how many times the other's cost per success it may cost, such as 1.2"),
        ]
        | None
    ) = None
    at_least: Level | None = None
    at_most: Level | None = None
    below: Level | None = None
    control: Annotated[Text, Meta(description="the name of a control, such as sanity")] = ""

    def given(self) -> dict[str, Any]:
        """What was written, by key."""
        fields = zip(self.__struct_encode_fields__, self.__struct_fields__, strict=True)
        found = {key: getattr(self, name) for key, name in fields}
        return {key: value for key, value in found.items() if value is not None and value != ""}


class QuoteRow(Struct, frozen=True, forbid_unknown_fields=True):
    """Words from a record, and where it is."""

    text: Annotated[str, Meta(pattern=r"\S", description="the words that are quoted"), read_with(_words)]
    source: Annotated[
        str, Meta(description="experiment/run, or experiment/file:line"), read_with(_source)
    ] = field(name="from")


class DecisionFront(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The front matter of a decision; attributes as of `site_src.decisions.Decision`."""

    title: Annotated[OneLine, Meta(description="a title")]
    status: Status
    date: Day = ""
    deciders: Annotated[
        tuple[Annotated[OneLine, Meta(description="the name of a group")], ...],
        Meta(description="a list of names"),
    ] = ()
    lede: SentenceLine = ""
    claims: tuple[ClaimRow, ...] = ()
    quotes: tuple[QuoteRow, ...] = ()
    reopened: tuple[Reopening, ...] = ()
    supersedes: Other = ""
    superseded_by: Other = ""
    registered: Registered | None = None

    def __post_init__(self) -> None:
        last = ""
        for at, each in enumerate(self.reopened):
            if each.date < last:
                problem = expected(f"{last} or later", each.date)
                raise Wrong(problem, "reopened", at, "date", hint="the last entry is the latest")
            last = each.date


KINDS: Final[dict[str, ClaimKind]] = {
    "above": "above", "not_worse_than": "not worse than", "separated_from": "separated from",
    "in_place_of": "in place of",
    "at_least": "at least", "at_most": "at most", "below": "below", "control": "control",
}  # fmt: skip
"""The key that says what is claimed, and the kind it makes."""

_MAY: Final[dict[ClaimKind, tuple[str, ...]]] = {
    "above": ("of", "by", "in", "separation"), "not worse than": ("of", "by", "in"),
    "separated from": ("of", "in", "separation"), "in place of": ("of", "by", "cost", "separation"),
    "below": ("of", "unit"), "control": ("experiment",),
}  # fmt: skip
"""Keys that a kind may have beside those of every claim about a metric."""

_MUST: Final[dict[ClaimKind, tuple[str, ...]]] = {
    "above": ("of", "metric"), "not worse than": ("of", "metric", "by"), "separated from": ("of", "metric"),
    "in place of": ("of", "metric"), "below": ("metric", "unit"), "control": ("experiment",),
}  # fmt: skip
"""Keys that a kind must have; the others need the metric alone."""

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def read(source: str, data: bytes) -> Decision:
    r"""One decision.

    Args:
        source: Path within the content folder, ``decisions/route-hostile.md``; its name is the slug.
        data: The file's bytes.

    Raises:
        InputError: Not UTF-8.
        FormatError: The front matter is not YAML that every reader reads alike.
        ClaimError: ``file:line``, what was expected and what stood there, and the nearest names.

    >>> read("decisions/a.md", b"---\ntitle: Try beta\nstatus: proposed\n---\nBecause.\n").title
    'Try beta'
    """
    slug = source.rpartition("/")[2].removesuffix(".md")
    if not _SLUG.fullmatch(slug):
        raise ClaimError(f"a decision's file is named {slug!r}", where=source,
                         hint="write a-z, 0-9 and single hyphens: it is the address of its page")  # fmt: skip
    file = markdown.read(data, source)
    if file.front is None:
        raise ClaimError("a decision without front matter", where=f"{source}:1",
                         hint="begin it with ---, title: ..., status: proposed, ---")  # fmt: skip
    _check_pictures(file.tokens, source)
    front = decode(file.front, DecisionFront, ClaimError)
    body = file.text_from(file.front_lines)
    made = _decision(front, file.front, slug, source, body, file.front_lines + 1)
    check_status(made)
    return made


def _check_pictures(tokens: Sequence[Token], source: str) -> None:
    for token, line in markdown.walk(tokens):
        if token.type == "image":
            raise ClaimError(
                "a picture in a decision",
                where=f"{source}:{line}",
                hint="put it on a page, and link to that; a figure of the data is placed by {figure}",
            )


def _decision(
    front: DecisionFront, document: Document, slug: str, source: str, body: str, first_line: int
) -> Decision:
    claims = _claims(front, document)
    return Decision(
        slug=slug,
        source=source,
        where=document.where("status"),
        title=front.title,
        status=front.status,
        date=front.date,
        deciders=front.deciders,
        claims=claims,
        quotes=tuple(
            Quote(q.text, q.source, document.where("quotes", at)) for at, q in enumerate(front.quotes)
        ),
        reopened=front.reopened,
        supersedes=front.supersedes,
        superseded_by=front.superseded_by,
        lede=front.lede,
        registered=front.registered,
        text=body,
        first_line=first_line,
        heads=tuple(_heads(front, document, claims)),
    )


def _heads(front: DecisionFront, document: Document, claims: Sequence[Claim]) -> Iterator[tuple[str, str]]:
    """Sentences of the front matter with their places: title, lede, claims, why it was opened again.

    What a claim claims is no result, and is judged beside it: its sentence stands here without that.
    """
    sentences: list[tuple[Path, str]] = [(("title",), front.title), (("lede",), front.lede)]
    sentences += [
        (("claims", at, "says"), without_claim(made.sentence, made.line)) for at, made in enumerate(claims)
    ]
    sentences += [(("reopened", at, "why"), each.why) for at, each in enumerate(front.reopened)]
    yield from ((document.where(*at), words) for at, words in sentences if words)


def _claims(front: DecisionFront, document: Document) -> tuple[Claim, ...]:
    made: dict[str, Claim] = {}
    for at, row in enumerate(front.claims):
        one = _claim(row, document, "claims", at)
        if one.identity in made:
            hint = f"it stands in {made[one.identity].where} already"
            wrong = Wrong(expected("each claim once", one.text), hint=hint)
            raise fault(document, ClaimError, wrong, "claims", at)
        made[one.identity] = one
    return tuple(made.values())


def _claim(row: ClaimRow, document: Document, *at: str | int) -> Claim:
    """The claim that stands at a path of a document.

    Raises:
        ClaimError: ``file:line#/pointer``, what was expected and what stood there.
    """
    given = row.given()
    where = document.where(*at)
    named = [key for key in KINDS if key in given]
    if len(named) != 1:
        wrong = Wrong(expected(f"exactly one of {listed(list(KINDS))}", named))
        raise fault(document, ClaimError, wrong, *at)
    key, kind = named[0], KINDS[named[0]]
    every = ("says", "awaited") if kind == "control" else ("says", "awaited", "metric", "over")
    may = [*every, key, *_MAY.get(kind, ("of",))]
    for unexpected in given:
        if unexpected not in may:
            raise fault(document, ClaimError, unknown_key(unexpected, may), *at)
    for needed in _MUST.get(kind, ("metric",)):
        if needed not in given:
            raise fault(document, ClaimError, missing(ClaimRow, needed), *at)
    if row.by is not None and row.by <= 0:
        hint = "a margin says how much worse would still not matter"
        wrong = Wrong(
            expected("a margin above 0", row.by),
            "by",
            hint="leave by out" if kind in ("above", "in place of") else hint,
        )
        raise fault(document, ClaimError, wrong, *at)
    over = row.over or MODEL
    fixed = parse_query(row.metric, where).fixed if row.metric else {}
    if row.of and over in fixed:
        wrong = Wrong(expected(f"{over} fixed once, by of", row.metric), "metric",
                      hint=f"leave {over}= out of the metric")  # fmt: skip
        raise fault(document, ClaimError, wrong, *at)
    if row.within:
        parse_query(f"x.y {row.within}", document.where(*at, "in"))
    compared = kind in COMPARED
    return Claim(
        kind=kind, where=where, metric=row.metric, of=row.of, over=over, sentence=row.says,
        awaited=row.awaited, separation=row.separation, cost=1.0 if row.cost is None else row.cost,
        than=given[key] if compared else "", within=row.within, unit=row.unit, control=row.control,
        experiment=row.experiment, line=(row.by or 0.0) if compared else given[key] if row.metric else 0.0,
    )  # fmt: skip
