"""What a figure draws: rows, words in the page with marks on an axis, and plots; it reflows, drawn once.

Does: hold what a row, a group of rows, the verdicts beside them and the tables that they stand in say, and
the plots above them. Does not: make a sentence, or choose what is shown. A page sets rows as tables: what is
drawn is what is read aloud.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from markupsafe import Markup
from msgspec import Struct

from site_src.wording import Definition, Line

LONG = 16
"""Characters from which on a name needs a wider column, and a letter that pairs call it by."""

CellKind = Literal["value", "counted", "lost", "finding", "between"]
"""What a cell holds: the value with its interval, n/N, what is not known, or what follows of it."""

RowKind = Literal["arms", "pairs", "claimed", "stages", "tallied", "amounts", "checks", "cells"]
"""What the rows of a table are."""


class RowCell(Struct, frozen=True, kw_only=True):
    """A cell beside the marks of a row.

    Attributes:
        kind: What it holds.
        words: What it says.
        label: What it is of, said on a phone, where no head stands above it.
    """

    kind: CellKind
    words: Line
    label: str = ""


class DrawnRow(Struct, frozen=True, kw_only=True):
    """One estimate, or one difference.

    Attributes:
        name: Whose it is.
        marks: On the axis; see `site_src.drawing.strip`.
        cells: Beside them, one under each head of its table.
        arms: Names of the arms that it is of, a line each: the same arm is shown in every figure of a page;
            empty for none.
        says: The row in words, with everything that stands behind it.
    """

    name: Line
    marks: Markup
    cells: tuple[RowCell, ...]
    arms: str
    says: str


class PairVerdict(Struct, frozen=True, kw_only=True):
    """Whether two arms are told apart.

    Attributes:
        mark: The difference beside 0.
        word: The outcome in two or three words.
        apart: Whether it tells them apart.
        names: Both names.
        why: Why not; empty where they are, or where the drawing says so.
        arms: As of a row; empty where it speaks of several pairs.
    """

    mark: Markup
    word: str
    apart: bool
    names: Line = ()
    why: str = ""
    arms: str = ""


class RowGroup(Struct, frozen=True, kw_only=True):
    """Rows of one metric and stratum.

    Attributes:
        head: The metric; empty where the table has one group that the figure's title names.
        defined: What the metric counts, in its contract's words; nothing where it says none.
        section: Address of the part of the page that the group leads to; empty for none.
        told: What holds of all its rows, below its head; nothing where they say it.
        gloss: What it is of, in plain words; the stratum, the experiment.
        rows: One an arm or a pair; none where the group is withheld.
        verdicts: Beside them; empty where nothing is compared.
        instead: What stands in place of rows.
    """

    head: str = ""
    gloss: str = ""
    rows: tuple[DrawnRow, ...] = ()
    verdicts: tuple[PairVerdict, ...] = ()
    instead: Line = ()
    defined: tuple[Definition, ...] = ()
    section: str = ""
    told: Line = ()


class RowHead(Struct, frozen=True, kw_only=True):
    """Head of the cells of one kind; ``defined`` says what it means."""

    kind: CellKind
    words: str
    defined: tuple[Definition, ...] = ()


class RowTable(Struct, frozen=True, kw_only=True):
    """Rows that share an axis.

    Attributes:
        name: What it holds, for those who hear it; empty where the figure's title says so.
        of: What its rows are: arms by themselves, pairs of them, claims, stages that runs pass, verdicts with
            every attempt counted, amounts that are bars, one check of each arm, or cells side by side.
        whose: Head of the names.
        heads: Of the cells.
        between: Head of the verdicts; nothing where none stand beside any group.
        scale: Words of the axis; see `site_src.drawing.strip.scale`.
        groups: In the order in which they are read.
        long: Whether a name needs a wider column.
    """

    name: str = ""
    of: RowKind
    whose: str
    heads: tuple[RowHead, ...]
    between: tuple[RowHead, ...] = ()
    scale: Markup
    groups: tuple[RowGroup, ...]
    long: bool = False


class Panel(Struct, frozen=True, kw_only=True):
    """A plot of two measured axes.

    Attributes:
        name: Whose it is; nothing where the figure's title says so.
        picture: It fills the width it is given; see `site_src.drawing.svg`.
    """

    name: str = ""
    picture: Markup


class PanelRow(Struct, frozen=True, kw_only=True):
    """Plots side by side, as many as there is room for.

    Attributes:
        room: The least of `PANEL_ROOMS` that each is readable in.
    """

    room: PanelRoom = "whole"
    panels: tuple[Panel, ...]


PanelRoom = Literal["quarter", "third", "half", "whole"]

PANEL_ROOMS: Final[Mapping[PanelRoom, float]] = {
    "quarter": 224.0,
    "third": 328.0,
    "half": 508.0,
    "whole": 1040.0,
}
"""Least width in px of a panel on a page that has room for it, and the greatest of a half; a phone gives each
its whole width."""


class RowFigure(Struct, frozen=True, kw_only=True):
    """The drawing.

    Attributes:
        id: Of the figure.
        plots: Rows of plots; none of a figure that is rows alone.
        tables: One below the other, each with an axis of its own.
        key: What its marks look like, each beside its word; nothing where the rows say it.

    Raises:
        ValueError: It has neither a panel nor a table.
    """

    id: str
    key: tuple[Line, ...] = ()
    plots: tuple[PanelRow, ...] = ()
    tables: tuple[RowTable, ...] = ()

    def __post_init__(self) -> None:
        if not self.plots and not self.tables:
            raise ValueError(f"figure {self.id}: drawn as nothing")
