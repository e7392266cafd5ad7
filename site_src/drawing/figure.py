"""A finished figure: its drawing, caption, alternative text, data, specification; tables of estimates.

Does: hold what a page needs to publish a figure, refuse one that lacks its evidence, and list estimates as
rows of text, for readers and in full precision. Does not: draw, or make a sentence; titles and captions come
from `site_src.wording`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from metrics_core.results import Control, Estimate
from metrics_core.text import visible
from site_src.drawing.rows import RowFigure
from site_src.wording import (
    LONGEST,
    Caption,
    FigureContext,
    Links,
    ReviewFilter,
    TextTable,
    exact,
    few_words,
    group_words,
    metric_words,
    missing,
    numbers,
    of_words,
    ratio,
    share,
    shown_limits,
    stratum_words,
)

WIDE = 1040
"""Width in px of a figure over the whole page."""

CSV_HEADER = (
    "id", "experiment", "family", "metric", "group", "stratum", "unit", "value", "n", "N", "of",
    "attempts", "known", "unknown", "invalid", "errors", "never_recorded", "lo", "hi", "level", "method",
    "no_interval_because", "bound_lo", "bound_hi", "contract_id", "contract_version", "contract_digest",
    "data_digest", "pack", "first_stamp", "last_stamp", "prices", "withheld",
)  # fmt: skip


class Figure(Struct, frozen=True, kw_only=True):
    """A figure that cannot exist without the estimates it shows.

    Attributes:
        kind: Value of ``data-figure``: "funnel", "timeline", ...
        id: Element id of the ``<figure>``; every id inside it begins with it.
        title: Sentence that says what is seen, at most 75 characters.
        desc: Alternative text: the same in words, with every number.
        rows: The drawing, which reflows.
        caption: Lines of parts; see `site_src.wording.captions`.
        table: What is drawn, as text for a reader.
        csv: The same with full precision and estimate ids, as text for a machine.
        spec: Vega-Lite specification, with its data.
        estimates: What is drawn; only a figure of controls has none.
        controls: Controls that are drawn, for that kind.
    """

    kind: str
    id: str
    title: str
    desc: str
    caption: Caption
    table: TextTable
    csv: TextTable
    spec: dict[str, Any]
    rows: RowFigure
    estimates: tuple[Estimate, ...] = ()
    controls: tuple[Control, ...] = ()

    def __post_init__(self) -> None:
        if not self.estimates and not (self.kind == "controls" and self.controls):
            raise ValueError(f"figure {self.id} ({self.kind}) was given no estimates")
        if not 0 < len(self.title) <= LONGEST:
            raise ValueError(f"figure {self.id}: a title of {len(self.title)} characters: {self.title!r}")

    @property
    def estimate_ids(self) -> str:
        """Value of ``data-estimates``: ids without white space, in the order they are drawn."""
        return " ".join(e.id for e in self.estimates)


__all__ = ["Figure", "FigureContext", "Links", "ReviewFilter"]


def csv(estimates: Sequence[Estimate]) -> TextTable:
    """One row an estimate, in full precision."""
    rows = []
    for e in estimates:
        lo, hi = e.bounds or (None, None)
        first, last = e.stamps or (None, None)
        cells = (
            e.id, e.experiment, e.family, e.metric, _pairs(e.group), _pairs(e.stratum), e.unit, e.value,
            e.n, e.N, e.of,
            e.attempts, e.known, e.unknown, e.invalid, e.errors,
            e.never_recorded.runs if e.never_recorded else 0, e.interval.lo, e.interval.hi, e.interval.level,
            e.interval.method, e.interval.reason, lo, hi, e.contract.id, e.contract.version,
            e.contract.digest,
            e.data_digest, e.pack, first, last, e.prices, e.withheld,
        )  # fmt: skip
        rows.append(tuple(exact(cell) for cell in cells))
    return TextTable(CSV_HEADER, tuple(rows))


def _pairs(pairs: Sequence[tuple[str, str]]) -> str:
    return " ".join(f"{k}={v}" for k, v in pairs)


def value_text(e: Estimate) -> str:
    """The value as a cell shows it."""
    if e.withheld is not None:
        return "withheld"
    if e.headline == "bounds" and e.bounds:
        return f"bounds {share(e.bounds[0])} to {share(e.bounds[1])}"
    if e.headline == "counts" or e.value is None:
        return few_words(e) if e.N else "N/A (0/0)"
    return numbers.value(e)


def reading(estimates: Sequence[Estimate]) -> TextTable:
    """One row an estimate, for a reader."""
    rows = tuple(
        (
            metric_words(e.metric, e.words), stratum_words(e.stratum, e.words),
            group_words(e.group, e.words), ratio(e), of_words(e, brief=False),
            missing(e)[1:-1], value_text(e), shown_limits(e) or visible(e.interval.reason or ""),
        )
        for e in estimates
    )  # fmt: skip
    header = ("Metric", "Stratum", "Group", "n/N", "of", "Not in N", "Value", "95\u202f% interval")
    return TextTable(header, rows, (3,))
