"""Heat map: one metric in one stratum over two axes of models, n/N in every cell.

A cell is as strongly coloured as its value, from 0 to 1; one with too few known is hatched, one that was
not run is empty. Strata are never pooled: each has a figure of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from metrics_core.results import Estimate, Grid
from metrics_core.text import visible
from site_src.drawing import NARROW, WIDE, Figure, Sheet, figure, pictures, width
from site_src.marks import colour
from site_src.wording import (
    FigureContext,
    ReviewFilter,
    captions,
    key_words,
    numbers,
    ratio_words,
    sentence_case,
    shown_limits,
    titles,
)

KIND = "heatmap"
LAYERS = ("tiles", "boxes", "paths", "rules", "overlays", "labels")
MOST_COLUMNS = 8
HIGH = 46.0
STRONGEST = 0.5
"""Opacity of a cell whose value is 1: text upon it keeps its contrast in both themes."""

Cells = Mapping[tuple[str, str], Estimate]


def draw(grid: Grid, *, figure_id: str, context: FigureContext, title: str = "") -> Figure:
    """Draw a grid.

    Args:
        grid: Cells over two axes, values from 0 to 1.
        figure_id: Id of the figure on its page.
        context: Links and build.
        title: In place of the one made from the data.

    Raises:
        ValueError: A grid without a cell, or not over two axes.
    """
    if not grid.cells or len(grid.axes) != 2:
        raise ValueError(f"figure {figure_id}: {len(grid.cells)} cells over {len(grid.axes)} axes")
    down, across = grid.axes
    cells = {(e.group[down], e.group[across]): e for e in grid.cells}
    hidden = grid.cells[0].withheld if all(e.withheld is not None for e in grid.cells) else None
    title = title or (titles.heatmap(grid) if hidden is None else titles.withheld(grid.cells[0]))
    desc = captions.described(grid.cells)
    wide, narrow = Sheet(WIDE), Sheet(NARROW)
    if hidden is None:
        _wide(wide, grid, cells, context)
        _narrow(narrow, grid, cells, context)
    else:
        wide.notice(hidden)
        narrow.notice(hidden)
    rendered = pictures(
        KIND, LAYERS, wide, narrow, figure_id=figure_id, title=title, desc=desc, memo=context.memo
    )
    reads = () if hidden else _reads(grid)
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc, svg_wide=rendered.wide, svg_narrow=rendered.narrow,
        caption=captions.caption(grid.cells, context, reads=reads), table=figure.reading(grid.cells),
        csv=figure.csv(grid.cells), spec=rendered.spec, estimates=grid.cells,
    )  # fmt: skip


def _reads(grid: Grid) -> list[str]:
    """What the ground of a cell says, and which interval is shown of it."""
    reads = ["The higher a cell's value, the stronger its colour; hatched: too few known, counts only."]
    if any(e.headline == "bounds" for e in grid.cells):
        reads.append(
            "Without colour: bounds, since too much is not known for one value; in the table the interval of "
            "such a cell is that around its bounds, of all others that of what is known."
        )
    return reads


def _href(e: Estimate, context: FigureContext) -> str:
    return context.links.reviews(
        ReviewFilter(experiment=e.experiment, family=e.family, group=e.group, stratum=e.stratum)
    )


def _tile(sheet: Sheet, e: Estimate | None, x: float, y: float, wide: float, high: float) -> None:
    """A cell's ground: its value as strength of colour, or the look of why there is none."""
    if e is None:
        sheet.state_box(x, y, wide, high, "missing")
        return
    if e.headline == "counts":
        edge = round(wide * 0.22)  # the middle is left free for the count
        sheet.box(x, y, wide, high, stroke="rule")
        sheet.lined(x, y, edge, high, "too-few")
        sheet.lined(x + wide - edge, y, edge, high, "too-few")
        return
    if e.headline == "point" and e.value is not None:  # bounds have no one strength
        fill = colour("false" if e.polarity == "against" else "true")
        strength = round(e.value * STRONGEST, 3)
        sheet.add("tiles", x=x, x2=x + wide, y=y, y2=y + high, fill=fill, strength=strength)
    sheet.box(x, y, wide, high, stroke="rule")


def _words(e: Estimate | None) -> tuple[str, str]:
    """What a cell says: n/N, and the value where there is one."""
    if e is None:
        return "", "not run"
    if e.withheld is not None:
        return "withheld", ""
    if e.headline == "bounds" and e.bounds:
        return ratio_words(e), f"{numbers.share(e.bounds[0])} to {numbers.share(e.bounds[1])}"
    return ratio_words(e), "" if e.headline in ("counts", "nothing") else numbers.value(e)


def _axes(grid: Grid) -> str:
    """What goes down, and what across."""
    down, across = (key_words(axis, grid.words) for axis in grid.axes)
    return f"{sentence_case(down)}, by {across}"


def _wide(sheet: Sheet, grid: Grid, cells: Cells, context: FigureContext) -> None:
    down, across = grid.axes
    rows, columns = grid.levels(down), grid.levels(across)
    axes = _axes(grid)
    names = min(220.0, max(width(axes, size=12), *(width(visible(r)) for r in rows))) + 20
    y = 14.0
    for at in range(0, len(columns), MOST_COLUMNS):
        shown = columns[at : at + MOST_COLUMNS]
        step = min(150.0, (WIDE - names) / len(shown))
        sheet.label(0, y, axes, size=12, fill="ink3", room=names - 10)
        for i, name in enumerate(shown):
            sheet.label(names + i * step, y, name, bold=True, room=step - 8)
        y += 12
        for row in rows:
            sheet.label(0, y + HIGH / 2 + 4, row, room=names - 12)
            for i, column in enumerate(shown):
                x = round(names + i * step) + 0.5
                _cell(sheet, cells.get((row, column)), x, y + 0.5, step - 6, context)
            y += HIGH + 6
        y += 24
    sheet.height = y - 22


def _cell(sheet: Sheet, e: Estimate | None, x: float, y: float, wide: float, context: FigureContext) -> None:
    wide = round(wide)
    _tile(sheet, e, x, y, wide, HIGH - 1)
    first, second = _words(e)
    href = "" if e is None else _href(e, context)
    if first and second:
        sheet.label(x + wide / 2, y + 19, first, bold=True, align="center", href=href, room=wide - 6)
        sheet.label(x + wide / 2, y + 36, second, size=12, align="center", room=wide - 6)
    else:
        words, size = first or second, 13 if first else 12
        sheet.label(x + wide / 2, y + 27, words, size=size, fill="ink" if first else "ink2", align="center",
                    href=href, room=wide - 6)  # fmt: skip


def _narrow(sheet: Sheet, grid: Grid, cells: Cells, context: FigureContext) -> None:
    down, across = grid.axes
    columns: Sequence[str] = grid.levels(across)
    names = min(120.0, max(width(visible(c), size=12) for c in columns)) + 14
    y = 14.0
    axes = _axes(grid)
    sheet.label(0, y, axes, size=12, fill="ink3", room=NARROW)
    y += 12
    for row in grid.levels(down):
        sheet.rule(0, y + 0.5, NARROW, y + 0.5)
        sheet.label(0, y + 20, row, bold=True, room=NARROW)
        y += 30
        for column in columns:
            e = cells.get((row, column))
            first, second = _words(e)
            sheet.label(0, y + 15, column, size=12, room=names - 8)
            _tile(sheet, e, names + 0.5, y + 0.5, 96, 21)
            href = "" if e is None else _href(e, context)
            sheet.label(names + 48.5, y + 15.5, first or second, size=12, align="center", href=href, room=92)
            reading = f"{second} {shown_limits(e)}".strip() if e is not None and second and first else ""
            if width(reading, size=12) > NARROW - names - 108:
                reading = second
            sheet.label(names + 108, y + 15.5, reading, size=12, fill="ink2")
            y += 26
        y += 8
    sheet.height = y
