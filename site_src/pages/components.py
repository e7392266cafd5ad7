"""The pieces that pages are set from: stretches of text, cells, tables, captions, figures, lists.

Every view is a frozen Struct of text, booleans and other views: never a number, never an estimate,
so a template cannot compute and cannot contradict a caption. Does not: word a number; `site_src.wording`
does. Markup is made here, in one place, from the site's own pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from site_src.drawing import RowFigure
from site_src.marks import DigestKind, identicon, short
from site_src.wording import Caption, Definition, Line, Links, Span, SpanRole, TermName, svg_markup

_TERMS: Final[dict[str, TermName]] = {
    "n/N": "n-of-n", "n/N of both": "n-of-n", "Not known": "n-of-n", "Not in N": "n-of-n",
    "Value [95 %]": "interval", "95 % interval": "interval",
    "Difference [95 %]": "interval", "Bounds": "bounds", "p after Holm": "paired", "p, Holm": "paired",
    "Verdict": "told-apart", "Outcome": "told-apart",
}  # fmt: skip
"""Heads of tables that name a statistic -> its entry in Methods."""


class Cell(Struct, frozen=True, kw_only=True):
    """One cell of a table; ``label`` is its column's head, which stands before it on a phone."""

    spans: Line
    label: str = ""
    numeric: bool = False
    head: bool = False
    id: str = ""


class TableRow(Struct, frozen=True, kw_only=True):
    """Cells under a table's heads; ``id`` is empty where nothing links to the row."""

    cells: tuple[Cell, ...]
    id: str = ""


class Head(Struct, frozen=True, kw_only=True):
    """A column's head, and what it means where that is written down."""

    text: str
    numeric: bool = False
    defined: tuple[Definition, ...] = ()


class Table(Struct, frozen=True, kw_only=True):
    """A table in the page; one of results carries its caption behind a rule at its left.

    Attributes:
        name: What it holds, for those who hear the page.
        captions: One a contract, data digest and price table that stands behind it; empty for none.
        apart: Address of the page that has it, where this one has no room for it; empty where it stands here.
    """

    name: str
    heads: tuple[Head, ...]
    rows: tuple[TableRow, ...]
    id: str = ""
    captions: tuple[Caption, ...] = ()
    apart: str = ""


class FigureBlock(Struct, frozen=True, kw_only=True):
    """A published figure: title, drawing, caption, and the same as a table.

    Attributes:
        kind: Value of ``data-figure``; ``estimates`` of ``data-estimates``.
        folded: What is folded below it: its numbers, one by one.
        csv, json, spec: Addresses of its data, relative to the page.
        picture, own: Addresses of its picture as a file, and of a page that has only it.
        command: What recomputes it in the project's folder, once ``elsewhere`` is put there.
        markdown, cite: Texts that are copied.
        apart: Whether it stands on a page of its own alone, since this one has no room for it.
    """

    id: str
    kind: str
    title: str
    estimates: str
    rows: RowFigure
    caption: Caption
    folded: str
    table: Table
    csv: str
    json: str
    spec: str
    command: str
    markdown: str
    cite: str
    picture: str
    own: str
    elsewhere: str = ""
    apart: bool = False


class Listing(Struct, frozen=True, kw_only=True):
    """A titled list of lines, in the side column or under a section."""

    title: str
    lines: tuple[Line, ...]


class Opening(Struct, frozen=True, kw_only=True):
    """How a page opens: its title, what it says first, and the list beside both."""

    title: str
    lede: Line
    here: Listing


class Term(Struct, frozen=True, kw_only=True):
    """A word and what is said of it; ``id`` is empty where nothing links to it."""

    word: str
    lines: tuple[Line, ...]
    id: str = ""


# ------------------------------------------------------------------------------------------- makers


def text(words: str, role: SpanRole = "plain", href: str = "") -> Span:
    """Plain text, or a link.

    >>> text("alpha").role, text("alpha", href="models/alpha/index.html").href
    ('plain', 'models/alpha/index.html')
    """
    return Span(words, role, href=href)


def line(*items: Span | str) -> Line:
    """Stretches of text, plain ones given as text.

    >>> [s.text for s in line("by ", text("x", "mono"))]
    ['by ', 'x']
    """
    return tuple(text(item) if isinstance(item, str) else item for item in items)


def cell(*items: Span | str, id: str = "") -> Cell:  # noqa: A002 - the word for an element's id
    """One cell; what column it stands in is settled by its table.

    >>> [s.text for s in cell("12").spans]
    ['12']
    """
    return Cell(spans=line(*items), id=id)


Given = Cell | Line | Span | str
"""What a cell can be made from."""


def table(
    name: str,
    heads: Sequence[str],
    rows: Iterable[TableRow | Sequence[Given]],
    *,
    numeric: Iterable[int] = (),
    id: str = "",  # noqa: A002 - the word for an element's id
    captions: Iterable[Caption] = (),
    defined: Mapping[str, tuple[Definition, ...]] | None = None,
) -> Table:
    """A table whose first column heads its rows.

    Args:
        name: What it holds, in words.
        heads: One text a column.
        rows: Cells, or what cells hold; as many as there are heads.
        numeric: Places of the columns that are set to the right.
        id: Element id; empty for none.
        captions: What stands behind the rule.
        defined: Text of a head, its spaces plain -> what it means.

    Raises:
        ValueError: A row has more or fewer cells than there are heads.

    >>> t = table("runs", ["model", "runs"], [["alpha", "12"]], numeric=[1])
    >>> t.rows[0].cells[0].head, t.rows[0].cells[1].label
    (True, 'runs')
    """
    right = frozenset(numeric)
    finished = []
    for row in rows:
        row_id, given = (row.id, row.cells) if isinstance(row, TableRow) else ("", row)
        cells = [_as_cell(item) for item in given]
        if len(cells) != len(heads):
            raise ValueError(f"{name}: {len(cells)} cells under {len(heads)} heads")
        finished.append(
            TableRow(
                id=row_id,
                cells=tuple(
                    Cell(spans=c.spans, label=heads[i] if i else "", numeric=i in right, head=i == 0, id=c.id)
                    for i, c in enumerate(cells)
                ),
            )
        )
    return Table(
        name=name,
        id=id,
        heads=tuple(
            Head(text=h, numeric=i in right, defined=(defined or {}).get(" ".join(h.split()), ()))
            for i, h in enumerate(heads)
        ),
        rows=tuple(finished),
        captions=tuple(captions),
    )


def terms(links: Links) -> dict[str, tuple[Definition, ...]]:
    """What heads of tables mean that name a statistic, by their texts."""
    return {text: links.term(name) for text, name in _TERMS.items()}


def _as_cell(item: Given) -> Cell:
    if isinstance(item, Cell):
        return item
    return Cell(spans=item if isinstance(item, tuple) else line(item))


def digest_span(digest: str, kind: DigestKind, href: str = "") -> Span:
    """A digest behind its hallmark."""
    return Span(text=short(digest), role="digest", href=href, mark=svg_markup(identicon(digest, kind)))


def first_figure(view: object) -> FigureBlock | None:
    """The figure that a page shows first, by the order of its view's fields; None where there is none.

    Args:
        view: What a template prints; figures in prose are markup, and are not found.
    """
    if isinstance(view, FigureBlock):
        return view
    if isinstance(view, tuple | list):
        parts: Iterable[object] = view
    elif isinstance(view, Struct) and not isinstance(view, Span | Table):
        parts = (getattr(view, name) for name in view.__struct_fields__)
    else:
        return None
    return next((found for part in parts if (found := first_figure(part)) is not None), None)
