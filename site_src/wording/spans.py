"""What pages, captions and labels say: stretches of text in one voice, joined into lines.

Does: hold them, and join them into plain text. Does not: make them; `site_src.wording.captions` and the pages
do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from metrics_core.results import ContractRef

SpanRole = Literal[
    "plain",
    "strong",
    "light",
    "digest",
    "state",
    "nowrap",
    "mono",
    "quiet",
    "pre",
    "outcome",
    "under",
    "whole",
    "letter",
    "unseen",
    "run",
    "defined",
]
"""How a stretch is set: text; bold; light (an interval); a digest in mono behind its identicon; a state in
bold behind its swatch; unbroken (dates); code; faint; lines as they are; one run's outcome; a second line; a
name, broken at its hyphens only where no line has room for it; a letter in a box; words for those who hear
the page; a run, of which the mark alone is seen; a word that leads to what it means."""


def svg_markup(svg: str) -> Markup:
    """SVG of ours as markup; the one door through which it enters a page.

    Args:
        svg: What `site_src.figures`, `site_src.marks` made; text from records is escaped there.
    """
    return Markup(svg)  # noqa: S704 - it is made by us, and escapes the texts in it


NO_MARK: Final = Markup("")


class Named(NamedTuple):
    """A metric that a stretch of text names, by the contract that says what it counts."""

    contract: ContractRef
    metric: str


class Span(Struct, frozen=True):
    """A stretch of text in one voice; stretches join without anything between them.

    Attributes:
        href: Address relative to the page; empty for none.
        mark: Swatch or identicon before the text, hidden from assistive technology; empty for none.
        estimate: Id of the estimate whose number this is, for ``data-estimate``; empty for none.
        record: Name of the single record that a number belongs to; empty for none.
        away: Whether the link leaves the site.
    """

    text: str
    role: SpanRole = "plain"
    href: str = ""
    mark: Markup = NO_MARK
    estimate: str = ""
    record: str = ""
    away: bool = False


class MetricSpan(Span, frozen=True, kw_only=True):
    """A stretch that names a metric: the first of a page leads to what that counts."""

    names: Named


Line = tuple[Span, ...]

DOT: Final = Span("\u00a0· ")
"""Between two facts; it ends a line rather than begins one."""


class Caption(Struct, frozen=True):
    """How a drawing or a table is read, what stands behind it, and each of its numbers in words.

    Attributes:
        reads: What a reader needs to read it, in a few sentences; never a number that it shows.
        strip: Contract, data, pack, control, prices and build: a fact each, behind its hallmark.
        lines: What was counted, each with its n/N; folded on a page, where the rows show the same.
        shared: How all of them were made, and when the runs were; folded with them.

    Raises:
        ValueError: Nothing stands behind it.
    """

    reads: Line
    strip: tuple[Line, ...]
    lines: tuple[Line, ...] = ()
    shared: Line = ()

    def __post_init__(self) -> None:
        if not self.strip:
            raise ValueError("a caption without its strip")


class TextTable(Struct, frozen=True):
    """Rows of text under a header of the same length; ``numeric`` names the columns set to the right."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.header):
                raise ValueError(f"{len(row)} cells under {len(self.header)} heads: {row}")


def joined(lines: Iterable[Line]) -> Line:
    r"""Lines one after another, a dot between them; empty ones leave nothing.

    >>> [part.text for part in joined([(Span("a"),), (), (Span("b"),)])]
    ['a', '\xa0· ', 'b']
    """
    out: list[Span] = []
    for line in lines:
        if line:
            out += (DOT, *line) if out else line
    return tuple(out)


def in_series(lines: Sequence[Line]) -> Line:
    """Lines as an enumeration in a sentence.

    >>> text(in_series([(Span("a"),), (Span("b"),), (Span("c"),)]))
    'a, b and c'
    """
    out: Line = ()
    for at, line in enumerate(lines):
        between = " and " if at == len(lines) - 1 else ", "
        out += ((Span(between),) if at else ()) + line
    return out


def in_paragraph(sentences: Iterable[Line]) -> Line:
    """Sentences one after another.

    >>> text(in_paragraph([(Span("One."),), (Span("Two."),)]))
    'One. Two.'
    """
    out: Line = ()
    for each in sentences:
        out += ((Span(" "),) if out else ()) + each
    return out


def capitalised(line: Line) -> Line:
    """A line with a capital first letter, the rest untouched.

    >>> text(capitalised((Span("on "), Span("change"))))
    'On change'
    """
    return tuple(
        replace(span, text=span.text[:1].upper() + span.text[1:]) if at == 0 else span
        for at, span in enumerate(line)
    )


def text(line: Iterable[Span]) -> str:
    """A line as plain text.

    >>> text((Span("50/58", "strong"), Span(" known")))
    '50/58 known'
    """
    return "".join(part.text for part in line)


def plain(caption: Caption) -> str:
    """A caption as plain text, a line each: for alternatives, JSON and feeds."""
    told = (caption.reads, *caption.lines, caption.shared, joined(caption.strip))
    return "\n".join(text(line) for line in told if line)
