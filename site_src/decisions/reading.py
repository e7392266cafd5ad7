"""A decision as a file: front matter that says what is decided and claimed, and a body of prose.

Does: read it, say with file and line what was expected and what stood there, and check its status. Does
not: look anything up in the reports, or make HTML of the body.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markdown_it.token import Token

from metrics_core import yaml_strict
from metrics_core.errors import ClaimError, InputError
from metrics_core.yaml_strict import Path
from site_src import markdown
from site_src.content import Heads
from site_src.decisions import workflow
from site_src.decisions.claim import Claim
from site_src.decisions.claim_reading import claim
from site_src.decisions.front_matter import Front
from site_src.decisions.stated_line import without_claim
from site_src.decisions.workflow import STATUSES, Status
from site_src.naming import listed
from site_src.references import nearest

KEYS: Final = (
    "title", "status", "date", "deciders", "lede", "claims", "quotes", "reopened", "supersedes",
    "superseded_by",
)  # fmt: skip

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Quote:
    """Words from a record, and the record: ``experiment/run`` or ``experiment/file:line``."""

    text: str
    source: str
    where: str


@dataclass(frozen=True, slots=True)
class Reopening:
    """That a decision was opened again: ISO date, and why."""

    date: str
    why: str


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
    front = Front(yaml_strict.parse(("\n" + tokens[0].content).encode(), source), KEYS)
    made = _decision(front, slug, source, "\n".join(text.split("\n")[below:]), below + 1)
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


def _decision(front: Front, slug: str, source: str, body: str, first_line: int) -> Decision:
    status = front.text(("status",), f"one of {', '.join(STATUSES)}", needed=True)
    found = next((s for s in STATUSES if s == status), None)
    if found is None:
        raise front.fault(("status",), f"one of {listed(STATUSES)}", status, nearest(status, STATUSES))
    claims = _claims(front)
    return Decision(
        slug=slug,
        source=source,
        where=front.document.where("status"),
        title=front.text(("title",), "a title", needed=True),
        status=found,
        date=front.day(("date",)),
        deciders=tuple(
            front.text(at, "the name of a group", needed=True) for at in front.entries("deciders", "names")
        ),
        claims=claims,
        quotes=tuple(_quote(front, at) for at in front.entries("quotes", "{text, from}")),
        reopened=tuple(_reopenings(front)),
        supersedes=front.text(("supersedes",), "the name of another decision"),
        superseded_by=front.text(("superseded_by",), "the name of another decision"),
        lede=front.text(("lede",), "a sentence"),
        text=body,
        first_line=first_line,
        heads=tuple(_heads(front, claims)),
    )


def _heads(front: Front, claims: Sequence[Claim]) -> Iterator[tuple[str, str]]:
    """Sentences of the front matter with their places: title, lede, claims, why it was opened again.

    What a claim claims is no result, and is judged beside it: its sentence stands here without that.
    """
    told: list[tuple[Path, str]] = [((key,), front.text((key,), "a sentence")) for key in ("title", "lede")]
    told += [
        ((*at, "says"), without_claim(made.said, made.line))
        for at, made in zip(front.entries("claims", "claims"), claims, strict=True)
    ]
    told += [
        ((*at, "why"), front.text((*at, "why"), "why it was opened again"))
        for at in front.entries("reopened", "{date, why}")
    ]
    yield from ((front.document.where(*at), words) for at, words in told if words)


def _claims(front: Front) -> tuple[Claim, ...]:
    made: dict[str, Claim] = {}
    for at in front.entries("claims", "claims"):
        one = claim(front, at)
        if one.identity in made:
            raise front.fault(
                at, "each claim once", one.says, f"it stands in {made[one.identity].where} already"
            )
        made[one.identity] = one
    return tuple(made.values())


def _quote(front: Front, at: Path) -> Quote:
    front.known(front.mapping(at, "text and from"), at, ("text", "from"))
    source = front.text((*at, "from"), "experiment/run, or experiment/file:line", needed=True)
    if not all(source.partition("/")):
        raise front.fault((*at, "from"), "experiment/run, or experiment/file:line", source)
    value = front.at((*at, "text"))
    if not isinstance(value, str) or not value.strip():
        raise front.fault((*at, "text"), "the words that are quoted", value)
    return Quote(value.removesuffix("\n"), source, front.document.where(*at))


def _reopenings(front: Front) -> Iterator[Reopening]:
    last = ""
    for at in front.entries("reopened", "{date, why}"):
        front.known(front.mapping(at, "date and why"), at, ("date", "why"))
        day = front.day((*at, "date"), needed=True)
        if day < last:
            raise front.fault((*at, "date"), f"{last} or later", day, "the last entry is the latest")
        last = day
        yield Reopening(day, front.text((*at, "why"), "why it was opened again", needed=True))
