"""A decision as a file: front matter that says what is decided and claimed, and a body of prose.

Does: read it, say with file and line what was expected and what stood there, and check its status. Does
not: look anything up in the reports, or make HTML of the body.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from metrics_core import yaml_strict
from metrics_core.decoding import Wrong, decode, expected, fault
from metrics_core.errors import ClaimError, InputError
from metrics_core.yaml_strict import Document, Path
from site_src import markdown
from site_src.content import Heads
from site_src.decisions import workflow
from site_src.decisions.claim import Claim
from site_src.decisions.claim_reading import claim
from site_src.decisions.front_matter import DecisionFront, Reopening
from site_src.decisions.stated_line import without_claim
from site_src.decisions.workflow import Status

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Quote:
    """Words from a record, and the record: ``experiment/run`` or ``experiment/file:line``."""

    text: str
    source: str
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
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
    heads: Heads = ()


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
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as bad:
        raise InputError(f"not UTF-8: {bad.reason} at byte {bad.start}", where=source) from bad
    slug = source.rpartition("/")[2].removesuffix(".md")
    if not _SLUG.fullmatch(slug):
        raise ClaimError(f"a decision's file is named {slug!r}", where=source,
                         hint="write a-z, 0-9 and single hyphens: it is the address of its page")  # fmt: skip
    tokens = markdown.parse(text)
    if not tokens or tokens[0].type != "front_matter":
        raise ClaimError("a decision without front matter", where=f"{source}:1",
                         hint="begin it with ---, title: ..., status: proposed, ---")  # fmt: skip
    _refuse_pictures(tokens, source)
    below = (tokens[0].map or (0, 0))[1]
    # The line of the three dashes is kept as an empty one, so that the lines of errors are the file's own.
    document = yaml_strict.parse(("\n" + tokens[0].content).encode(), source)
    front = decode(document, DecisionFront, ClaimError)
    made = _decision(front, document, slug, source, "\n".join(text.split("\n")[below:]), below + 1)
    workflow.hold(made)
    return made


def _refuse_pictures(tokens: Sequence[Token], source: str) -> None:
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
        text=body,
        first_line=first_line,
        heads=tuple(_heads(front, document, claims)),
    )


def _heads(front: DecisionFront, document: Document, claims: Sequence[Claim]) -> Iterator[tuple[str, str]]:
    """Sentences of the front matter with their places: title, lede, claims, why it was opened again.

    What a claim claims is no result, and is judged beside it: its sentence stands here without that.
    """
    told: list[tuple[Path, str]] = [(("title",), front.title), (("lede",), front.lede)]
    told += [(("claims", at, "says"), without_claim(made.said, made.line)) for at, made in enumerate(claims)]
    told += [(("reopened", at, "why"), each.why) for at, each in enumerate(front.reopened)]
    yield from ((document.where(*at), words) for at, words in told if words)


def _claims(front: DecisionFront, document: Document) -> tuple[Claim, ...]:
    made: dict[str, Claim] = {}
    for at, row in enumerate(front.claims):
        one = claim(row, document, "claims", at)
        if one.identity in made:
            hint = f"it stands in {made[one.identity].where} already"
            wrong = Wrong(expected("each claim once", one.says), hint=hint)
            raise fault(document, ClaimError, wrong, "claims", at)
        made[one.identity] = one
    return tuple(made.values())
