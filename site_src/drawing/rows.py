"""A figure of rows: words in the page, and on each row's axis its marks; it reflows, and is drawn once.

Does: hold what a row, a group of rows and the verdicts beside them say. Does not: make a sentence, or choose
what is shown. A page sets it as a table: what is drawn is what is read aloud.
"""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from site_src.wording import Line

LONG = 16
"""Characters from which on a name needs a wider column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnRow:
    """One estimate.

    Attributes:
        name: Whose it is.
        marks: On the axis; see `site_src.drawing.strip`.
        value: The value with its interval, or the words in their place.
        counted: n/N and its word.
        lost: How many attempts are not known.
    """

    name: str
    marks: Markup
    value: Line
    counted: Line
    lost: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PairVerdict:
    """Whether two arms are told apart.

    Attributes:
        mark: The difference beside 0.
        word: The outcome in two or three words.
        apart: Whether it tells them apart.
        names: Both names.
        why: Why not; empty where they are, or where the drawing says so.
    """

    mark: Markup
    word: str
    apart: bool
    names: str
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowGroup:
    """RowFigure of one metric and stratum.

    Attributes:
        head: The metric.
        defined: Address of what the metric counts, in its contract's words; empty for none.
        section: Address of the part of the page that the group leads to; empty for none.
        gloss: What it is of, in plain words; the stratum, the experiment.
        rows: One an arm; none where the group is withheld.
        verdicts: Beside them; empty where nothing is compared.
        instead: What stands in place of rows.
    """

    head: str
    gloss: str
    rows: tuple[DrawnRow, ...] = ()
    verdicts: tuple[PairVerdict, ...] = ()
    instead: Line = ()
    defined: str = ""
    section: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFigure:
    """The drawing.

    Attributes:
        id: Of the figure.
        whose, value, counted, lost, between: Heads of the columns: name, value, n/N, not known, verdicts.
        scale: Words of the axis; see `site_src.drawing.strip.scale`.
        groups: In the order in which they are read.
        long: Whether a name needs a wider column.
        compared: Whether verdicts stand beside any group.
    """

    id: str
    whose: str
    value: str
    counted: str
    lost: str
    between: str
    scale: Markup
    groups: tuple[RowGroup, ...]
    long: bool
    compared: bool
