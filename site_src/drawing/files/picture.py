"""A figure as one SVG file: title, drawing, how it is read, what stands behind it, address.

Does: set the drawing of a figure, rows and plots, with the words that it may not be shown without; colours
are written out, so that it needs no style sheet, and nothing in it is a link. Does not: make a sentence, or
draw a mark anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar
from xml.sax.saxutils import escape

from msgspec.structs import replace

from metrics_core.text import visible
from site_src.drawing.figure import WIDE, Figure
from site_src.drawing.files.paper import EDGE, Paper, longest, measured
from site_src.drawing.rows import (
    PANEL_ROOMS,
    CellKind,
    DrawnRow,
    PairVerdict,
    PanelRow,
    RowCell,
    RowFigure,
    RowGroup,
    RowKind,
    RowTable,
)
from site_src.drawing.svg import plain_number
from site_src.wording import Span, spans

T = TypeVar("T")

GAP: Final = 14.0
"""Px between two columns."""

BETWEEN: Final = 24.0
"""Px between two plots."""

ROOM: Final[Mapping[CellKind, float]] = {
    "value": 178.0, "counted": 160.0, "lost": 120.0, "finding": 330.0, "between": 330.0,
}  # fmt: skip
"""Px that a column of each kind has."""

NAMES: Final[Mapping[RowKind, float]] = {
    "arms": 120.0, "pairs": 170.0, "claimed": 200.0, "stages": 240.0, "tallied": 170.0,
    "amounts": 290.0, "checks": 120.0, "cells": 150.0,
}  # fmt: skip
BELOW: Final[Mapping[RowKind, Sequence[CellKind]]] = {"tallied": ("finding",), "cells": ("counted", "value")}
"""Cells that stand below the marks of their row or upon them, by what the rows of a table are."""
SIDE_BY_SIDE: Final[Mapping[RowKind, float]] = {"cells": 118.0}
"""Px that a row has, of tables whose rows stand side by side."""
WIDEST_VALUE: Final = 240.0
"""Px that a column of values has at most."""
LONG_NAMES: Final = 290.0
"""Px that the names of rows have."""

_KEPT_ROOM = re.compile(r'class="plotted before-([0-9.]+) behind-([0-9.]+)"')
_SPOKEN = re.compile(r'<title id="[^"]*">[^<]*</title><desc id="[^"]*">[^<]*</desc>')
_WIDER = re.compile(r' class="(?:from-[0-9]+ ?)?(?:rise-([0-9]+))?"')
_TAG = re.compile(r"""<[A-Za-z](?:"[^"]*"|'[^']*'|[^<>"'])*>""")
_VARIABLE = re.compile(r"""(\s(?:fill|stroke|stop-color|color|font-family)=)"var\(--([a-z0-9-]+)\)\"""")
_DECLARED = re.compile(r"--([a-z0-9-]+):\s*([^;]+);")
_PALETTE = Path(__file__).resolve().parents[2] / "assets" / "css" / "10-palette.css"


def picture_file(figure: Figure, place: str, address: str) -> str:
    """The picture, as the text of an SVG file.

    Args:
        figure: Title, drawing and caption are its own.
        place: What the page is called on which it stands: whose numbers they are, where the figure is one's.
        address: Where it stands, on the web or within its site; the last line of the picture.
    """
    sheet = Paper()
    sheet.write((Span(figure.title, "strong"),), size=18.0, leading=26.0)
    sheet.write((Span(place),), colour="ink2")
    sheet.y += 8
    _rows(sheet, figure.rows)
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
        f'color="var(--ink)" fill="none">'
        f'<title id="{figure.id}-picture">{escape(visible(figure.title))}</title>'
        f'<rect width="{across}" height="{down}" fill="var(--paper)"/>{"".join(sheet.marks)}</svg>'
    )


def written_out(markup: str) -> str:
    """Markup whose colours and fonts are written out as they are on a light page; texts stay as they are.

    >>> written_out('<text stroke="var(--ink)">var(--ink)</text>')
    '<text stroke="#191c20">var(--ink)</text>'
    """
    light = palette()

    def attributes(tag: re.Match[str]) -> str:
        return _VARIABLE.sub(lambda found: f'{found[1]}"{light[found[2]]}"', tag[0])

    return _TAG.sub(attributes, markup)


def specification_file(specification: Mapping[str, Any]) -> dict[str, Any]:
    """A specification whose colours are written out as they are on a light page; texts stay as they are.

    Args:
        specification: Of a figure, whose marks have colours of the style sheet, which a file does not bring.

    >>> specification_file({"mark": {"stroke": "var(--ink)"}, "datasets": [{"text": "var(--ink)"}]})
    {'mark': {'stroke': '#191c20'}, 'datasets': [{'text': 'var(--ink)'}]}
    """
    light = palette()

    def written(key: str, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: written(name, each) for name, each in value.items()}
        if isinstance(value, list | tuple):
            return [written(key, each) for each in value]
        if key in ("fill", "stroke") and isinstance(value, str) and value.startswith("var(--"):
            return light[value[len("var(--") : -1]]
        return value

    return {name: written(name, each) for name, each in specification.items()}


def palette() -> Mapping[str, str]:
    """What the style sheet declares for a light page, by name."""
    light = _PALETTE.read_text("utf-8").partition("}")[0]
    return {name: " ".join(value.split()).replace('"', "'") for name, value in _DECLARED.findall(light)}


# ------------------------------------------------------------------------------------------------ rows


def _rows(sheet: Paper, rows: RowFigure) -> None:
    sheet.write(tuple(span for sample in rows.key for span in (*sample, Span("\u2003 "))), colour="ink2")
    for side_by_side in rows.plots:
        _panels(sheet, side_by_side)
    values = _value_room(rows.tables)
    for table in rows.tables:
        columns = _columns(table, values)
        plot = WIDE - sum(room + GAP for _, room in columns) - _names(table)
        sheet.y += 6
        _heads(sheet, table, columns, plot)
        for group in table.groups:
            _group(sheet, table, group, columns, plot)
        sheet.rule("rule")


def _panels(sheet: Paper, plots: PanelRow) -> None:
    """Plots side by side, as many as there is room for."""
    sheet.y += 8
    least = PANEL_ROOMS[plots.room]
    columns = int((WIDE + BETWEEN) / (least + BETWEEN))
    room = (WIDE + BETWEEN) / columns - BETWEEN
    for row in _in_lines(plots.panels, columns):
        high = 0.0
        for number, panel in enumerate(row):
            x = EDGE + number * (room + BETWEEN)
            named = sheet.set((Span(panel.name, "strong"),), x, room) if panel.name else 0.0
            tall = measured(panel.picture)[1]
            before, behind = _kept_room(panel.picture)
            sheet.place(widest(panel.picture), room - before - behind, tall, x + before, sheet.y + named)
            high = max(high, named + tall)
        sheet.y += high + 12


def _in_lines(things: Sequence[T], columns: int) -> Iterator[Sequence[T]]:
    """So many side by side, and the next below them."""
    return (things[at : at + columns] for at in range(0, len(things), columns))


def _kept_room(picture: str) -> tuple[float, float]:
    """Px before and behind what stretches, which the classes of a plot name."""
    found = _KEPT_ROOM.search(picture)
    if found is None:
        raise ValueError(f"a plot that names no room: {picture[:80]}")
    return float(found[1]), float(found[2])


def widest(picture: str) -> str:
    """A plot with every label that has room in a wide one, which no style sheet shows in a file.

    Its own title and description are left out: the file has its title, and a page that holds both holds no id
    twice.
    """
    return _WIDER.sub(
        lambda found: f' transform="translate(0,-{16 * int(found[1])})"' if found[1] else "",
        _SPOKEN.sub("", picture),
    )


def _names(table: RowTable) -> float:
    return (LONG_NAMES if table.long else NAMES[table.of]) + GAP


def _columns(table: RowTable, values: float) -> list[tuple[str, float]]:
    return [
        (head.words, values if head.kind == "value" else ROOM[head.kind])
        for head in table.heads
        if not _below(table, head.kind)
    ]


def _value_room(tables: Sequence[RowTable]) -> float:
    """Px for values, the same in all tables of a figure: no interval is broken that has room."""
    rows = (row for table in tables for group in table.groups for row in group.rows)
    cells = (cell for row in rows for cell in row.cells if cell.kind == "value")
    return min(max([ROOM["value"], *(longest(cell.words) + 2 for cell in cells)]), WIDEST_VALUE)


def _below(table: RowTable, kind: CellKind) -> bool:
    """Whether cells of a kind stand below the marks of their row, and not beside them."""
    return kind in BELOW.get(table.of, ())


def _heads(sheet: Paper, table: RowTable, columns: Sequence[tuple[str, float]], plot: float) -> None:
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
    sheet: Paper, table: RowTable, group: RowGroup, columns: Sequence[tuple[str, float]], plot: float
) -> None:
    sheet.y += 4
    if group.head:
        gloss = (Span(f" {group.gloss}"),) if group.gloss else ()
        sheet.write((Span(group.head, "strong"), *gloss))
        sheet.y += 3
    sheet.write(group.told, colour="ink2")
    sheet.write(group.instead)
    if room := SIDE_BY_SIDE.get(table.of):
        _cells(sheet, group, room)
        return
    for row in group.rows:
        beside = [cell for cell in row.cells if not _below(table, cell.kind)]
        below = [cell for cell in row.cells if _below(table, cell.kind)]
        _row(sheet, row, beside, _names(table), columns, plot)
        for cell in below:
            x = EDGE + _names(table)
            sheet.y += sheet.set(cell.words, x, WIDE + EDGE - x, colour="ink2") + 4
    for verdict in group.verdicts:
        _verdict(sheet, verdict)
    sheet.y += 4


def _row(
    sheet: Paper, row: DrawnRow, cells: Sequence[RowCell], names: float, columns: Sequence[tuple[str, float]],
    plot: float,
) -> None:  # fmt: skip
    tall = measured(row.marks)[1]
    sheet.place(row.marks, plot, tall, EDGE + names, sheet.y)
    high = max(tall, sheet.set(row.name, EDGE, names - GAP))
    x = EDGE + names + plot + GAP
    for cell, (_, room) in zip(cells, columns, strict=True):
        high = max(high, sheet.set(cell.words, x, room))
        x += room + GAP
    sheet.y += high + 4


def _cells(sheet: Paper, group: RowGroup, room: float) -> None:
    """Cells side by side: whose each is, its ground, and its words upon it."""
    columns = int((WIDE + GAP) / (room + GAP))
    for row in _in_lines(group.rows, columns):
        beside = [EDGE + number * (room + GAP) for number in range(len(row))]
        placed = [*zip(row, beside, strict=True)]
        sheet.y += max(sheet.set(cell.name, x, room, size=12, colour="ink2") for cell, x in placed)
        high = max(measured(cell.marks)[1] for cell in row)
        for cell, x in placed:
            sheet.place(cell.marks, room, measured(cell.marks)[1], x, sheet.y)
        sheet.y += 5
        for cell, x in zip(row, beside, strict=True):
            words = [part.words for part in cell.cells if part.words]
            sheet.set(
                tuple(span for each in words for span in (replace(each[0], role="under"), *each[1:])),
                x + 8,
                room - 16,
            )
        sheet.y += high + 5


def _verdict(sheet: Paper, verdict: PairVerdict) -> None:
    sheet.place(verdict.mark, 44, 16, EDGE, sheet.y + 1)
    word = (Span(f"{verdict.word} ", "strong" if verdict.apart else "plain"),) if verdict.word else ()
    why = (Span(f": {verdict.why}"),) if verdict.why else ()
    sheet.y += sheet.set((*word, *verdict.names, *why), EDGE + 58, WIDE - 58, colour="ink2")
