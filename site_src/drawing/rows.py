"""A figure of rows: words in the page, and on each row's axis its marks; it reflows, and is drawn once.

Does: hold what a row, a group of rows and the verdicts beside them say. Does not: make a sentence, or choose
what is shown. A page sets it as a table: what is drawn is what is read aloud.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from site_src.wording import Line

LONG = 16
"""Characters from which on a name needs a wider column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
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
    """Rows of one metric and stratum.

    Attributes:
        head: The metric.
        gloss: What it is of, in plain words; the stratum, the experiment.
        rows: One an arm; none where the group is withheld.
        verdicts: Beside them; empty where nothing is compared.
        instead: What stands in place of rows.
    """

    head: str
    gloss: str
    rows: tuple[Row, ...] = ()
    verdicts: tuple[PairVerdict, ...] = ()
    instead: Line = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The drawing.

    Attributes:
        heads: Of the columns: whose, value, n/N, not known, verdicts.
        scale: Words of the axis; see `site_src.drawing.strip.scale`.
        groups: In the order in which they are read.
    """

    heads: tuple[str, str, str, str, str]
    scale: Markup
    groups: tuple[RowGroup, ...]

    @property
    def long(self) -> bool:
        """Whether a name needs a wider column."""
        return any(len(row.name) > LONG for group in self.groups for row in group.rows)

    @property
    def told(self) -> bool:
        """Whether verdicts stand beside any group."""
        return any(group.verdicts for group in self.groups)

    def words(self) -> Iterator[str]:
        """Every text that is shown, in the order in which it is read."""
        yield from self.heads
        for group in self.groups:
            yield from (group.head, group.gloss, "".join(span.text for span in group.instead))
            for row in group.rows:
                yield from (
                    row.name,
                    *("".join(s.text for s in line) for line in (row.value, row.counted)),
                    row.lost,
                )
            for pair in group.verdicts:
                yield from (pair.word, pair.names, pair.why)
