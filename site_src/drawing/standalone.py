"""A figure as one SVG file: title, drawing, how it is read, what stands behind it, address.

Does: set the drawing of a figure, in rows or drawn as a picture, with the words that it may not be shown
without; colours are written out, so that it needs no style sheet, and nothing in it is a link. Does not: make
a sentence, or draw a mark anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from metrics_core.text import visible
from site_src.drawing.figure import WIDE, Figure
from site_src.drawing.rows import CellKind, DrawnRow, PairVerdict, RowFigure, RowGroup, RowTable
from site_src.drawing.svg import plain_number
from site_src.drawing.text_metrics import width
from site_src.wording import Line, Span, spans

EDGE: Final = 24.0
"""Px of paper around the drawing."""

SIZE, LEADING = 13.0, 18.0
"""Of the words, and from one line of them to the next, in px."""

GAP: Final = 14.0
"""Px between two columns."""

ROOM: Final[Mapping[CellKind, float]] = {
    "value": 178.0, "counted": 160.0, "lost": 120.0, "finding": 330.0, "between": 330.0,
}  # fmt: skip
"""Px that a column of each kind has."""

NAMES: Final = {"arms": 120.0, "pairs": 170.0, "stages": 240.0}
LONG_NAMES: Final = 290.0
"""Px that the names of rows have."""

_VARIABLE = re.compile(r"var\(--([a-z0-9-]+)\)")
_DECLARED = re.compile(r"--([a-z0-9-]+):\s*([^;]+);")
_LINK = re.compile(r"</?a\b[^>]*>")
_OPENED = re.compile(r"<svg\b[^>]*>")
_SIZE = re.compile(r'\b(width|height)="([\d.]+)"')
_PALETTE = Path(__file__).resolve().parents[1] / "assets" / "css" / "10-palette.css"


def standalone(figure: Figure, address: str) -> str:
    """The picture, as the text of an SVG file.

    Args:
        figure: Title, drawing and caption are its own.
        address: Where it stands, on the web or within its site; the last line of the picture.
    """
    sheet = _Sheet()
    sheet.write((Span(figure.title, "strong"),), size=18.0, leading=26.0)
    sheet.y += 8
    if figure.rows is not None:
        _rows(sheet, figure.rows)
    else:
        sheet.place(figure.svg_wide, WIDE, _measured(figure.svg_wide)[1])
    sheet.y += 12
    sheet.write(figure.caption.reads, colour="ink2")
    sheet.y += 8
    sheet.rule("hair")
    sheet.write(spans.joined(figure.caption.strip), size=12.0, colour="ink2")
    sheet.write((Span(address),), size=12.0, colour="ink3")
    across, down = plain_number(WIDE + 2 * EDGE), plain_number(sheet.y + EDGE)
    return written_out(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}" width="{across}" '
        f'height="{down}" role="img" aria-labelledby="{figure.id}-picture" font-family="var(--sans)" '
        f'fill="none"><title id="{figure.id}-picture">{escape(visible(figure.title))}</title>'
        f'<rect width="{across}" height="{down}" fill="var(--paper)"/>{"".join(sheet.marks)}</svg>'
    )


def written_out(markup: str) -> str:
    """Markup whose colours and fonts are written out as they are on a light page.

    >>> written_out('<path stroke="var(--ink)"/>')
    '<path stroke="#191c20"/>'
    """
    return _VARIABLE.sub(lambda found: palette()[found[1]], markup)


@cache
def palette() -> Mapping[str, str]:
    """What the style sheet declares for a light page, by name."""
    light = _PALETTE.read_text("utf-8").partition("}")[0]
    return {name: " ".join(value.split()).replace('"', "'") for name, value in _DECLARED.findall(light)}


def _measured(markup: str) -> tuple[float, float]:
    """Width and height of a picture of ours in px; the width of one that fills its room is 0."""
    opened = _OPENED.match(markup)
    found = dict(_SIZE.findall(opened[0])) if opened else {}
    if "height" not in found:
        raise ValueError(f"a picture without a height: {markup[:80]}")
    return float(found.get("width", 0.0)), float(found["height"])


@dataclass(slots=True)
class _Sheet:
    """Paper of one width, filled from its top."""

    y: float = EDGE
    marks: list[str] = field(default_factory=list)

    def write(
        self, line: Line, *, size: float = SIZE, leading: float = LEADING, colour: str = "ink",
    ) -> None:  # fmt: skip
        """Words over the whole width, broken where they must be."""
        if line:
            self.y += self.set(line, EDGE, WIDE, size=size, leading=leading, colour=colour)

    def set(
        self, line: Line, x: float, room: float, *,
        size: float = SIZE, leading: float = LEADING, colour: str = "ink",
    ) -> float:  # fmt: skip
        """Words from ``x`` on within ``room`` px, from the present height on.

        Returns:
            How high they are.
        """
        rows = list(_broken(line, room, size))
        for number, row in enumerate(rows):
            base = self.y + number * leading + (leading + 0.72 * size) / 2
            self._line(row, x, base, size, colour)
        return len(rows) * leading

    def place(self, markup: str, across: float, down: float, x: float = EDGE, y: float | None = None) -> None:
        """A drawing of ours, without its links; one over the whole page moves the height on."""
        inner = _OPENED.sub(
            lambda found: re.sub(r'\s(?:class|id|role|aria-[a-z]+|focusable)="[^"]*"', "", found[0]),
            _LINK.sub("", markup),
        )
        at = self.y if y is None else y
        self.marks.append(
            f'<svg x="{plain_number(x)}" y="{plain_number(at)}" width="{plain_number(across)}" '
            f'height="{plain_number(down)}" overflow="visible">{inner}</svg>'
        )
        if y is None:
            self.y += down

    def rule(self, colour: str) -> None:
        """A line across, with room on both sides."""
        y = plain_number(self.y)
        self.marks.append(
            f'<path stroke="var(--{colour})" d="M{plain_number(EDGE)},{y}h{plain_number(WIDE)}"/>'
        )
        self.y += 6

    def _line(self, row: Sequence[Span], x: float, base: float, size: float, colour: str) -> None:
        words = ""
        start = at = x
        for span in (*row, None):
            if span is None or span.mark:
                if words:
                    self.marks.append(
                        f'<text x="{plain_number(start)}" y="{plain_number(base)}" '
                        f'font-size="{plain_number(size)}" fill="var(--{colour})">{words}</text>'
                    )
                words = ""
                if span is None:
                    return
                across, down = _measured(span.mark)
                self.place(span.mark, across, down, at, base - (0.72 * size + down) / 2)
                at += across + BESIDE
                start = at
            look = ' font-weight="600"' if span.role in _BOLD else ""
            look += ' font-family="var(--mono)"' if span.role in _MONO else ""
            text = escape(span.text)
            words += f"<tspan{look}>{text}</tspan>" if look else text
            at += _wide(span, size)


BESIDE: Final = 5.0
"""Px between a swatch or a hallmark and its words."""

_BOLD: Final = ("strong", "state", "letter")
_MONO: Final = ("digest", "mono")


def _wide(span: Span, size: float) -> float:
    return width(span.text, size=size, bold=span.role in _BOLD, mono=span.role in _MONO)


def _broken(line: Line, room: float, size: float) -> Iterator[tuple[Span, ...]]:
    """A line broken at its spaces; a second line of a cell begins anew, and unseen words are left out."""
    row: list[Span] = []
    used = 0.0
    for span in line:
        if span.role == "unseen":
            continue
        if span.role == "under" and row:
            yield tuple(row)
            row, used = [], 0.0
        for number, piece in enumerate(re.findall(r"[^ ]* ?", visible(span.text))):
            if not piece and not (span.mark and number == 0):
                continue
            part = Span(piece, span.role, mark=span.mark if number == 0 else spans.NO_MARK)
            mark = _measured(part.mark)[0] + BESIDE if part.mark else 0.0
            needed = _wide(Span(piece.rstrip(" "), span.role), size) + mark
            if row and used + needed > room:
                yield tuple(row)
                row, used = [], 0.0
            if needed > room:
                *full, last = wrap_anywhere(piece, room, size)
                yield from ((Span(text, span.role),) for text in full)
                part = Span(last, span.role)
            row.append(part)
            used += _wide(part, size) + mark
    if row:
        yield tuple(row)


def wrap_anywhere(text: str, room: float, size: float) -> list[str]:
    """A word that is wider than its column, in pieces that are not.

    >>> wrap_anywhere("aaaa", 20, 13)
    ['aa', 'aa']
    """
    pieces = [""]
    for character in text:
        if pieces[-1] and width(pieces[-1] + character, size=size, bold=True) > room:
            pieces.append("")
        pieces[-1] += character
    return pieces


# ------------------------------------------------------------------------------------------------ rows


def _rows(sheet: _Sheet, rows: RowFigure) -> None:
    sheet.write(tuple(span for sample in rows.key for span in (*sample, Span("\u2003 "))), colour="ink2")
    for table in rows.tables:
        columns = _columns(table)
        plot = WIDE - sum(room + GAP for _, room in columns) - _names(table)
        sheet.y += 6
        _heads(sheet, table, columns, plot)
        for group in table.groups:
            _group(sheet, table, group, columns, plot)
        sheet.rule("rule")


def _names(table: RowTable) -> float:
    return (LONG_NAMES if table.long else NAMES[table.of]) + GAP


def _columns(table: RowTable) -> list[tuple[str, float]]:
    return [(head.words, ROOM[head.kind]) for head in table.heads]


def _heads(sheet: _Sheet, table: RowTable, columns: Sequence[tuple[str, float]], plot: float) -> None:
    high = sheet.set((Span(table.whose),), EDGE, _names(table) - GAP, size=12, colour="ink3")
    x = EDGE + _names(table)
    sheet.marks.append('<g font-size="12" fill="var(--ink3)">')
    sheet.place(table.scale, plot, 16, x, sheet.y)
    sheet.marks.append("</g>")
    x += plot + GAP
    for words, room in columns:
        high = max(high, sheet.set((Span(words),), x, room, size=12, colour="ink3"))
        x += room + GAP
    sheet.y += high + 3
    sheet.rule("rule")


def _group(
    sheet: _Sheet, table: RowTable, group: RowGroup, columns: Sequence[tuple[str, float]], plot: float
) -> None:
    sheet.y += 4
    if group.head:
        gloss = (Span(f" {group.gloss}"),) if group.gloss else ()
        sheet.write((Span(group.head, "strong"), *gloss))
        sheet.y += 3
    sheet.write(group.instead)
    for row in group.rows:
        _row(sheet, row, _names(table), columns, plot)
    for verdict in group.verdicts:
        _verdict(sheet, verdict)
    sheet.y += 4


def _row(
    sheet: _Sheet, row: DrawnRow, names: float, columns: Sequence[tuple[str, float]], plot: float
) -> None:
    tall = _measured(row.marks)[1]
    sheet.place(row.marks, plot, tall, EDGE + names, sheet.y)
    high = max(tall, sheet.set(row.name, EDGE, names - GAP))
    x = EDGE + names + plot + GAP
    for cell, (_, room) in zip(row.cells, columns, strict=True):
        high = max(high, sheet.set(cell.words, x, room))
        x += room + GAP
    sheet.y += high + 4


def _verdict(sheet: _Sheet, verdict: PairVerdict) -> None:
    sheet.place(verdict.mark, 44, 16, EDGE, sheet.y + 1)
    word = (Span(f"{verdict.word} ", "strong" if verdict.apart else "plain"),) if verdict.word else ()
    why = (Span(f" {verdict.why}"),) if verdict.why else ()
    sheet.y += sheet.set((*word, *verdict.names, *why), EDGE + 58, WIDE - 58, colour="ink2")
