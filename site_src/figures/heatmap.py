"""Heat map: one metric in one stratum over two axes of models, n/N in every cell.

A cell is as strongly coloured as its value, from 0 to 1; one with too few known is hatched, one that was
not run is empty. Strata are never pooled: each has a figure of its own. On a page the cells of a row stand
side by side in as many columns as there is room for: they are read aloud as they are seen.
"""

from __future__ import annotations

from collections.abc import Mapping

from metrics_core.results import Estimate, Grid
from site_src.drawing import (
    WIDE,
    DrawnRow,
    Figure,
    RowCell,
    RowFigure,
    RowGroup,
    RowHead,
    RowTable,
    Sheet,
    arm_rows,
    figure,
    specification,
    strip,
    width,
)
from site_src.marks import StateName, colour, swatch
from site_src.wording import (
    FigureContext,
    Line,
    ReviewFilter,
    Span,
    captions,
    key_words,
    numbers,
    ratio_words,
    sentence_case,
    shown_name,
    svg_markup,
    titles,
)

KIND = "heatmap"
LAYERS = ("tiles", "boxes", "paths", "rules", "labels")
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
    table = _table(grid, cells, context) if hidden is None else arm_rows.hidden(grid.cells, context)
    reads = () if hidden else _reads(grid)
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc, rows=RowFigure(id=figure_id, tables=(table,)),
        caption=captions.caption(grid.cells, context, reads=reads), table=figure.reading(grid.cells),
        csv=figure.csv(grid.cells), spec=specification(KIND, LAYERS, _sheet(grid, cells)),
        estimates=grid.cells,
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


def _fill(e: Estimate) -> str:
    """Colour of a cell that has a value."""
    return "false" if e.polarity == "against" else "true"


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


# ------------------------------------------------------------------------------------------------ cells


def _table(grid: Grid, cells: Cells, context: FigureContext) -> RowTable:
    """A row of cells side by side for each name that goes down."""
    down, across = grid.axes
    columns = grid.levels(across)
    groups = tuple(
        RowGroup(head=shown_name(row), rows=tuple(_drawn(c, cells.get((row, c)), context) for c in columns))
        for row in grid.levels(down)
    )
    return RowTable(
        of="cells", whose=_axes(grid), scale=strip.NO_SCALE, groups=groups,
        heads=(RowHead(kind="counted", words="n/N", defined=context.links.term("n-of-n")),
               RowHead(kind="value", words="Value")),
    )  # fmt: skip


def _drawn(column: str, e: Estimate | None, context: FigureContext) -> DrawnRow:
    """A cell: its ground, whose it is, n/N and the value."""
    ground = strip.Strip(0.0, 1.0, height=HIGH)
    first, second = _words(e)
    counted: Line = (Span(first, "strong", _href(e, context) if e is not None else ""),) if first else ()
    value: Line = (Span(second, "quiet"),) if second else ()
    if e is None:
        ground.state("missing")
        value = (Span(second, "quiet", mark=svg_markup(swatch("missing"))),)
    elif e.withheld is not None:
        ground.bar(0.0, 1.0, fill="paper", edge="ink")
        counted, value = (), (Span(first, "state", mark=svg_markup(swatch("withheld"))),)
    elif e.headline == "counts":
        ground.tile("none", 0.0)
        ground.part(0.88, 1.0, "too-few")
    else:
        strength = round(e.value * STRONGEST, 3) if e.headline == "point" and e.value is not None else 0.0
        ground.tile(_fill(e), strength)
    return DrawnRow(
        name=(Span(shown_name(column)),), marks=ground.markup, arms="",
        cells=(RowCell(kind="counted", words=counted), RowCell(kind="value", words=value)),
        says=captions.described([e]) if e is not None else f"{shown_name(column)}: {second}",
    )  # fmt: skip


# ------------------------------------------------------------------------------------------- specification


def _tile(sheet: Sheet, e: Estimate | None, x: float, y: float, wide: float, high: float) -> None:
    """A cell's ground: its value as strength of colour, or the look of why there is none."""
    looks: dict[str, StateName] = {"counts": "too-few"}
    if e is None or e.headline in looks:
        sheet.state_box(x, y, wide, high, "missing" if e is None else looks[e.headline])
        return
    if e.headline == "point" and e.value is not None:  # bounds have no one strength
        strength = round(e.value * STRONGEST, 3)
        sheet.add("tiles", x=x, x2=x + wide, y=y, y2=y + high, fill=colour(_fill(e)), strength=strength)
    sheet.box(x, y, wide, high, stroke="rule")


def _sheet(grid: Grid, cells: Cells) -> Sheet:
    """All cells on one sheet, to be looked at as a whole."""
    down, across = grid.axes
    rows, columns, axes = grid.levels(down), grid.levels(across), _axes(grid)
    sheet = Sheet(WIDE)
    names = min(220.0, max(width(axes, size=12), *(width(shown_name(r)) for r in rows))) + 20
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
                x, wide, e = round(names + i * step) + 0.5, round(step - 6), cells.get((row, column))
                _tile(sheet, e, x, y + 0.5, wide, HIGH - 1)
                for down_by, words in zip((19.5, 36.5), filter(None, _words(e)), strict=False):
                    sheet.label(x + wide / 2, y + down_by, words, size=12, align="center", room=wide - 6)
            y += HIGH + 6
        y += 24
    sheet.height = y - 22
    return sheet
