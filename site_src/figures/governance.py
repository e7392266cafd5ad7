"""Governance bars: every attempt of each verdict, counted, beside the verdict's interval and bounds.

Bars are drawn in counts on one scale, so a small N looks small; each verdict has its own denominator.
Colour follows what the numerator says: security that *held* is blue, though the Boolean is false.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup

from metrics_core.results import Estimate
from metrics_core.text import visible
from site_src.drawing import (
    SHARE_TICKS,
    DrawnRow,
    Figure,
    RowCell,
    RowFigure,
    RowGroup,
    RowHead,
    RowTable,
    arm_rows,
    chart,
    figure,
    strip,
)
from site_src.marks import StateName, swatch
from site_src.wording import (
    FigureContext,
    Line,
    Span,
    about,
    arm_of,
    bounds_words,
    captions,
    common_keys,
    headline_of,
    many,
    metric_words,
    shown_name,
    svg_markup,
    tally_words,
    titles,
    value_runs,
    where,
    why_nothing,
)

KIND = "governance"
BAR, FOOT = 22.0, 6.0
"""Of a bar, and of the bounds below an interval, in px."""


def draw(
    estimates: Sequence[Estimate], *, figure_id: str, context: FigureContext, title: str = "",
) -> Figure:  # fmt: skip
    """Draw verdicts.

    Args:
        estimates: Shares of known verdicts, in the order of their rows.
        figure_id: Id of the figure on its page.
        context: Links and build.
        title: In place of the one made from the data.

    Raises:
        ValueError: No estimate, or one whose N does not count runs: then there is no attempt to stack.
    """
    found = tuple(estimates)
    if not found:
        raise ValueError(f"figure {figure_id}: no verdict to draw")
    for e in found:
        if e.withheld is None and e.known != e.N:
            raise ValueError(f"figure {figure_id}: {e.id} counts {e.of}, not runs")
    reads = ["A bar is all attempts, by verdict; beside it the share of what is known, with its interval."]
    if any(e.bounds for e in found):
        reads.append("Dotted: every attempt without a known verdict counted for, or against.")
    return Figure(
        kind=KIND, id=figure_id, title=title or titles.governance(found), desc=captions.described(found),
        rows=_rows(found, figure_id, context),
        caption=captions.caption(
            found, context, reads=reads, bar="the line beside it", notes=captions.beside_notes(found)
        ),
        table=figure.reading(found), csv=figure.csv(found), spec=_specification(found), estimates=found,
    )  # fmt: skip


def _pieces(e: Estimate) -> list[tuple[StateName, int]]:
    n, N = e.n or 0, e.N or 0
    good, bad = _NUMERATOR[e.polarity]
    sizes: tuple[tuple[StateName, int], ...] = (
        (good, n), (bad, N - n), ("unknown", e.unknown), ("error", e.errors), ("invalid", e.invalid),
    )  # fmt: skip
    return [(state, size) for state, size in sizes if size]


_NUMERATOR: dict[str, tuple[StateName, StateName]] = {
    "for": ("true", "false"), "against": ("false", "true"), "neither": ("still-in", "missing"),
}  # fmt: skip
"""Looks of the numerator and of what is not in it, by what the numerator speaks for."""

_KEY: tuple[tuple[StateName, str], ...] = (
    ("true", "counts for"), ("false", "counts against"), ("still-in", "counted"), ("unknown", "unknown"),
    ("error", "error"), ("invalid", "invalid record"), ("withheld", "withheld"),
)  # fmt: skip


def _key(found: Sequence[Estimate]) -> Iterator[Line]:
    states = {state for e in found for state, _ in _pieces(e)}
    for e in found:
        if e.withheld is not None:
            states.add("withheld")
    for state, words in _KEY:
        if state in states:
            yield (Span(words, mark=svg_markup(swatch(state))),)


# ---------------------------------------------------------------------------------------------------- rows


def _rows(found: tuple[Estimate, ...], figure_id: str, context: FigureContext) -> RowFigure:
    most = max((e.attempts for e in found if e.withheld is None), default=1) or 1
    scale = strip.scale(((0.0, "0"), (float(most), many(most, "attempt"))), SHARE_TICKS)
    shared = _shared(found)
    rows = (_row(e, most, about(e, without=common_keys(found), stratum=not shared), context) for e in found)
    table = RowTable(
        of="tallied",
        whose=shared or "Verdict",
        heads=(
            RowHead(kind="value", words="Value [95\u202f% interval]", defined=context.links.term("interval")),
            RowHead(kind="counted", words="n/N", defined=context.links.term("n-of-n")),
            RowHead(kind="finding", words="Every attempt, counted"),
        ),
        scale=Markup() if all(e.withheld is not None for e in found) else scale,
        groups=(RowGroup(rows=tuple(rows)),),
    )
    return RowFigure(id=figure_id, key=tuple(_key(found)), tables=(table,))


def _shared(found: Sequence[Estimate]) -> str:
    """The stratum of every row, named once, where there are several rows."""
    strata = {where(e) for e in found}
    return strata.pop() if len(found) > 1 and len(strata) == 1 else ""


def _row(e: Estimate, most: int, whose: str, context: FigureContext) -> DrawnRow:
    arm = arm_of(e.group, e.words)
    return DrawnRow(
        name=(Span(headline_of(e), "strong"), *((Span(whose, "under"),) if whose else ())),
        marks=_marks(e, most),
        cells=(
            RowCell(kind="value", words=_value(e)),
            RowCell(kind="counted", words=arm_rows.counted(e, context)),
            RowCell(kind="finding", words=_counts(e, context)),
        ),
        arms="" if arm is None else shown_name(arm[1]),
        says=captions.described([e]),
    )


def _marks(e: Estimate, most: int) -> Markup:
    """Every attempt on one axis, the share of what is known on another; withheld, neither."""
    if e.withheld is not None:
        hidden = strip.Strip(0.0, 1.0, BAR)
        hidden.state("withheld")
        return hidden.markup
    bar = strip.Strip(0.0, float(most), BAR + FOOT, FOOT)
    at = 0
    for state, size in _pieces(e):
        bar.part(at, at + size, state)
        at += size
    share = strip.Strip(0.0, 1.0, BAR + FOOT, FOOT)
    if e.headline != "nothing":
        share.grid(value for value, _ in SHARE_TICKS)
    share.estimate(e)
    if e.headline == "point" and e.bounds is not None and e.bounds[0] < e.bounds[1]:
        share.bounds(*e.bounds)
    return bar.beside(share)


def _value(e: Estimate) -> Line:
    """The value with its interval, and what the unknown runs could do to it."""
    further = visible(e.interval.reason or "") if e.headline == "counts" else bounds_words(e)
    return (*value_runs(e), *((Span(further, "under"),) if further and e.withheld is None else ()))


def _counts(e: Estimate, context: FigureContext) -> Line:
    """Every attempt in the metric's own words, or why there is none; what is no verdict leads to its runs."""
    if e.withheld is not None:
        return (Span(visible(e.withheld)),)
    why = (Span(f"; {why_nothing(e)}"),) if e.headline == "nothing" else ()
    return (*tally_words(e, lambda state: arm_rows.gap_runs(e, state, context)), *why)


def _specification(found: Sequence[Estimate]) -> dict[str, Any]:
    """Each verdict a panel, its estimates by what tells them apart."""
    return chart.in_rows(
        KIND, [chart.row_of(e, metric_words(e.metric, e.words), about(e) or e.experiment) for e in found]
    )
