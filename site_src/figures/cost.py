"""Cost: what the harness recorded beside what the tokens come to, per date of the price table.

Bars are drawn in US dollars on one scale, over all runs of a model; below them stands the median of a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from metrics_core.results import CostRow, Estimate
from metrics_core.text import visible
from site_src.drawing import (
    LONG,
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
    value_ticks,
)
from site_src.marks import swatch
from site_src.wording import (
    FigureContext,
    Line,
    Span,
    TextTable,
    captions,
    count,
    exact,
    fraction,
    many,
    money,
    price_words,
    recorded_money,
    records_behind,
    shown_name,
    stratum_words,
    svg_markup,
    titles,
)

KIND = "cost"
LOOKS = {"recorded": ("still", "rule"), "recomputed": ("ink3", "ink3"), "repriced": ("paper", "ink3")}
"""Fill and edge of a bar, by where its money is from."""


def draw(
    rows: Sequence[CostRow], estimates: Sequence[Estimate], *, figure_id: str, context: FigureContext,
    title: str = "",
) -> Figure:  # fmt: skip
    """Draw money.

    Args:
        rows: One a model.
        estimates: Cost of a run by model, in US dollars.
        figure_id: Id of the figure on its page.
        context: Links and build.
        title: In place of the one made from the data.

    Raises:
        ValueError: No estimate or no row.
    """
    found, costs = tuple(estimates), tuple(rows)
    if not found or not costs:
        raise ValueError(f"figure {figure_id}: {len(costs)} costs behind {len(found)} estimates")
    hidden = next((e.withheld for e in found if e.withheld is not None), None)
    title = title or (titles.withheld(found[0]) if hidden else titles.cost(costs))
    clauses = () if hidden else tuple(map(captions.cost_clause, costs))
    desc = "; ".join((captions.described(found), *clauses))
    tables = (_withheld(found, context),) if hidden else (_money(costs), _medians(found, context))
    reads = (
        ()
        if hidden
        else ("A bar is the money of all runs of a model; below, a point is the median of a run.",)
    )
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc, rows=RowFigure(id=figure_id, tables=tables),
        caption=captions.caption(found, context, reads=reads, further=clauses),
        table=figure.reading(found) if hidden else _table(costs),
        csv=figure.csv(found) if hidden else _csv(costs),
        spec=_specification(() if hidden else costs), estimates=found,
    )  # fmt: skip


class Bar(NamedTuple):
    """The money of a model from one source; ``usd`` is None where there is none, and ``why`` says why."""

    kind: str
    words: str
    usd: float | None
    why: str


def _bars(row: CostRow) -> list[Bar]:
    unpriced = f"{count(row.unpriced_records)} of {many(row.records, 'record')} not priced"
    bars = [Bar("recorded", "Recorded by the harness", row.recorded, "not recorded")]
    if row.prices is None:
        return bars
    why = unpriced if row.unpriced_records else "not recomputed for the same records"
    bars.append(Bar("recomputed", f"Tokens at {price_words(row.prices)}", row.recomputed, why))
    if row.repriced is not None:
        bars.append(Bar("repriced", f"Tokens at {price_words(row.repriced[0])}", row.repriced[1], unpriced))
    return bars


def _most(rows: Sequence[CostRow]) -> float:
    return max((bar.usd for row in rows for bar in _bars(row) if bar.usd is not None), default=1.0) or 1.0


def _under(row: CostRow) -> list[str]:
    if row.prices is None:
        return [
            f"{many(row.records, 'record')}, no price table to recompute from",
            *map(visible, row.cause_words),
        ]
    parts = [records_behind(row)]
    if row.compared:
        parts.append(f"{fraction(row.agree, row.compared)} agree with what was recorded")
    return [" · ".join(parts), *(visible(cause) for cause in row.cause_words)]


def _amount(row: CostRow, bar: Bar) -> str:
    """US dollars beside a bar; a recorded 0 for tokens that nothing prices is not called free."""
    return recorded_money(row) if bar.kind == "recorded" else money(bar.usd or 0.0)


# ---------------------------------------------------------------------------------------------------- rows


def _withheld(found: Sequence[Estimate], context: FigureContext) -> RowTable:
    group = RowGroup(instead=arm_rows.withheld(found, context))
    return RowTable(of="amounts", whose="US dollars", heads=(), scale=Markup(), groups=(group,))


def _money(rows: Sequence[CostRow]) -> RowTable:
    """All runs of a model, a bar a source."""
    most = _most(rows)
    ticks = value_ticks("USD", [most])
    groups = (
        RowGroup(
            head=shown_name(row.model),
            told=(Span("; ".join(_under(row)), "quiet"),),
            rows=tuple(_row(row, bar, ticks[-1][0]) for bar in _bars(row)),
        )
        for row in rows
    )
    return RowTable(
        name="Money of all runs", of="amounts", whose="All runs of a model, US dollars",
        heads=(RowHead(kind="value", words="US dollars"),), scale=strip.scale(ticks), groups=tuple(groups),
    )  # fmt: skip


def _row(row: CostRow, bar: Bar, most: float) -> DrawnRow:
    marks = strip.Strip(0.0, most)
    said = f"{bar.words} {bar.why}"
    if bar.usd is None:
        value: Line = (Span(bar.why, "quiet", mark=svg_markup(swatch("missing"))),)
    else:
        fill, edge = LOOKS[bar.kind]
        marks.bar(0.0, bar.usd, fill=fill, edge=edge)
        amount = _amount(row, bar)
        value = (Span(amount, "strong" if bar.kind == "recomputed" else "plain"),)
        said = f"{bar.words} {amount}"
    return DrawnRow(
        name=(Span(bar.words),), marks=marks.markup, cells=(RowCell(kind="value", words=value),),
        arms=shown_name(row.model), says=f"{shown_name(row.model)}: {said}",
    )  # fmt: skip


def _medians(found: Sequence[Estimate], context: FigureContext) -> RowTable:
    """What a run costs, by model and stratum."""
    ends = [
        v for e in found for v in (e.value, e.interval.lo, e.interval.hi, *(e.bounds or ())) if v is not None
    ]
    ticks = value_ticks("USD", ends)
    names = [shown_name(e.group.get("model", e.experiment)) for e in found]
    strata = len({e.stratum for e in found}) > 1
    rows = (
        arm_rows.row(e, _named(name, e, strata=strata), name, ticks, context)
        for name, e in zip(names, found, strict=True)
    )
    return RowTable(
        name="Median of a run", of="arms", whose="Median of a run", heads=arm_rows.heads(context),
        scale=strip.scale(ticks), groups=(RowGroup(rows=tuple(rows)),),
        long=strata or any(len(name) > LONG for name in names),
    )  # fmt: skip


def _named(name: str, e: Estimate, *, strata: bool) -> Line:
    further = [stratum_words(e.stratum, e.words)] if strata else []
    further += [price_words(e.prices)] if e.prices else []
    return (Span(name), *(Span(words, "under") for words in further if words))


def _specification(rows: Sequence[CostRow]) -> dict[str, Any]:
    bars: list[dict[str, Any]] = [
        {
            "stage": f"{shown_name(row.model)}: {bar.words}", "state": bar.kind, "start": 0.0, "end": bar.usd,
            "n": row.compared, "N": row.records,
        }
        for row in rows
        for bar in _bars(row)
    ]  # fmt: skip
    return chart.in_bars(KIND, bars)


def _table(rows: Sequence[CostRow]) -> TextTable:
    out = []
    for row in rows:
        again = "" if row.repriced is None else f"{_usd(row.repriced[1])} at {price_words(row.repriced[0])}"
        out.append((shown_name(row.model), recorded_money(row), _usd(row.recomputed),
                    price_words(row.prices or "no table"),
                    again, "; ".join(_under(row))))  # fmt: skip
    header = ("Model", "Recorded", "Recomputed", "At", "Repriced", "Records")
    return TextTable(header, tuple(out), (1, 2, 4))


def _usd(value: float | None) -> str:
    return "none" if value is None else money(value)


def _csv(rows: Sequence[CostRow]) -> TextTable:
    header = ("model", "recorded_usd", "recomputed_usd", "prices", "records", "records_in_both",
              "unpriced_records", "records_without_tokens", "recorded_as_zero", "agree", "repriced_at",
              "repriced_usd", "causes")  # fmt: skip
    out = []
    for row in rows:
        again = row.repriced or (None, None)
        cells = (row.model, row.recorded, row.recomputed, row.prices, row.records, row.compared,
                 row.unpriced_records, row.without_tokens, row.recorded_as_zero,
                 row.agree, *again, "; ".join(row.cause_words))  # fmt: skip
        out.append(tuple(exact(cell) for cell in cells))
    return TextTable(header, tuple(out))
