"""Cost: what the harness recorded beside what the tokens come to, per date of the price table.

Bars are drawn in US dollars on one scale, over all runs of a model; the median of a run stands beside.
"""

from __future__ import annotations

from collections.abc import Sequence

from metrics_core.results import CostRow, Estimate
from metrics_core.text import visible
from site_src.drawing import NARROW, WIDE, Figure, Sheet, figure, pictures, width, wrap
from site_src.marks import colour
from site_src.wording import (
    FigureContext,
    Span,
    TextTable,
    captions,
    count,
    exact,
    fraction,
    many,
    money,
    of_words,
    price_words,
    ratio_words,
    recorded_money,
    records_behind,
    stratum_words,
    titles,
    value_runs,
)

KIND = "cost"
LAYERS = ("boxes", "bars", "paths", "rules", "overlays", "labels")
BAR = 12

_FILLS = {"recorded": ("still", "rule"), "recomputed": ("ink3", "ink3"), "repriced": ("paper", "ink3")}


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
    wide, narrow = (Sheet(WIDE), Sheet(NARROW)) if hidden else (_wide(costs, found), _narrow(costs, found))
    if hidden:
        wide.notice(hidden)
        narrow.notice(hidden)
    rendered = pictures(
        KIND, LAYERS, wide, narrow, figure_id=figure_id, title=title, desc=desc, memo=context.memo
    )
    reads = () if hidden else ("A bar is the money of all runs of a model.",)
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc, svg_wide=rendered.wide, svg_narrow=rendered.narrow,
        caption=captions.caption(found, context, reads=reads, further=clauses),
        table=figure.reading(found) if hidden else _table(costs),
        csv=figure.csv(found) if hidden else _csv(costs), spec=rendered.spec, estimates=found,
    )  # fmt: skip


Bar = tuple[str, str, float | None, str]
"""Kind, words, US dollars or None, and why it is None."""


def _bars(row: CostRow) -> list[Bar]:
    unpriced = f"{count(row.unpriced_records)} of {many(row.records, 'record')} not priced"
    bars: list[Bar] = [("recorded", "recorded by the harness", row.recorded, "not recorded")]
    if row.prices is None:
        return bars
    why = unpriced if row.unpriced_records else "not recomputed for the same records"
    bars.append(("recomputed", f"tokens at {price_words(row.prices)}", row.recomputed, why))
    if row.repriced is not None:
        bars.append(("repriced", f"tokens at {price_words(row.repriced[0])}", row.repriced[1], unpriced))
    return bars


def _most(rows: Sequence[CostRow]) -> float:
    return max((usd for row in rows for _, _, usd, _ in _bars(row) if usd is not None), default=1.0) or 1.0


def _mine(row: CostRow, found: Sequence[Estimate]) -> list[Estimate]:
    return [e for e in found if e.group.get("model", row.model) == row.model]


def _behind(e: Estimate) -> str:
    """Counts behind a median, and the prices it was made with."""
    return f"{ratio_words(e)} {of_words(e)}" + (f" · {price_words(e.prices)}" if e.prices else "")


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


def _money_bar(sheet: Sheet, bar: Bar, y: float) -> float:
    """Draw a bar, or the strip that says why there is none; gives its right end."""
    kind, _, usd, why = bar
    left, right = sheet.parameters["left"], sheet.parameters["right"]
    if usd is None:
        sheet.swatch(left, y + 0.5, "missing")
        sheet.label(left + 20, y + 10.5, why, size=12, fill="ink2")
        return left
    fill, stroke = _FILLS[kind]
    sheet.add("bars", **{"from": 0.0, "to": usd}, y=y + 0.5, y2=y + BAR - 0.5, fill=colour(fill),
              stroke=colour(stroke),
              dash=[])  # fmt: skip
    return left + usd / sheet.parameters["counts"] * (right - left)


def _amount(row: CostRow, bar: Bar) -> str:
    """US dollars beside a bar; a recorded 0 for tokens that nothing prices is not called free."""
    return recorded_money(row) if bar[0] == "recorded" else money(bar[2] or 0.0)


def _wide(rows: Sequence[CostRow], found: Sequence[Estimate]) -> Sheet:
    sheet = Sheet(WIDE)
    names = min(150.0, max(width(visible(r.model), bold=True) for r in rows)) + 20
    words = max(width(b[1], size=12) for r in rows for b in _bars(r)) + 16
    left = round(names + words) + 0.5
    sheet.parameters = {"left": left, "right": 700.5, "counts": _most(rows)}
    sheet.label(names, 12, "all runs of a model, US dollars", size=12, fill="ink3")
    sheet.label(WIDE, 12, "median of a run [95\u202f% interval]", size=12, fill="ink3", align="right")
    y = 22.0
    for row in rows:
        sheet.rule(0, y + 0.5, WIDE, y + 0.5)
        sheet.label(0, y + 22, row.model, bold=True, room=names - 10)
        at = y + 22
        for bar in _bars(row):
            sheet.label(names, at, bar[1], size=12, fill="ink2")
            end = _money_bar(sheet, bar, at - 10.5)
            if bar[2] is not None:
                sheet.label(end + 8, at, _amount(row, bar), size=12, bold=bar[0] == "recomputed")
            at += 20
        for cause in _under(row):
            for line in wrap(cause, 790 - left, size=12, lines=2):
                sheet.label(left, at, line, size=12, fill="ink2")
                at += 15
        right = y + 22
        for e in _mine(row, found):
            sheet.label(WIDE, right, value_runs(e), align="right")
            sheet.label(WIDE, right + 17, _behind(e), size=12, fill="ink2", align="right")
            right += 17
            if len(_mine(row, found)) > 1:
                sheet.label(
                    WIDE, right + 16, stratum_words(e.stratum, e.words), size=12, fill="ink2", align="right"
                )
                right += 16
            right += 23
        y = max(at - 4, right - 14)
    sheet.height = y
    return sheet


def _narrow(rows: Sequence[CostRow], found: Sequence[Estimate]) -> Sheet:
    sheet = Sheet(NARROW)
    sheet.parameters = {"left": 0.5, "right": NARROW - 0.5, "counts": _most(rows)}
    y = 0.0
    for row in rows:
        sheet.rule(0, y + 0.5, NARROW, y + 0.5)
        sheet.label(0, y + 20, row.model, bold=True, room=NARROW)
        y += 40
        for bar in _bars(row):
            sheet.label(0, y, bar[1], size=12, fill="ink2", room=NARROW - 90)
            if bar[2] is not None:
                sheet.label(NARROW, y, _amount(row, bar), size=12, bold=bar[0] == "recomputed", align="right")
            _money_bar(sheet, bar, y + 5)
            y += 36
        y -= 2
        for e in _mine(row, found):
            runs: list[Span] = [Span("median ", "quiet"), *value_runs(e)]
            sheet.label(0, y, runs if e.value is not None else value_runs(e))
            sheet.label(0, y + 16, _behind(e), size=12, fill="ink2", room=NARROW)
            y += 16
            if len(_mine(row, found)) > 1:
                sheet.label(0, y + 15, stratum_words(e.stratum, e.words), size=12, fill="ink2", room=NARROW)
                y += 15
            y += 18
        for cause in _under(row):
            for line in wrap(cause, NARROW, size=12, lines=3):
                sheet.label(0, y, line, size=12, fill="ink2")
                y += 15
        y += 2
    sheet.height = y
    return sheet


def _table(rows: Sequence[CostRow]) -> TextTable:
    out = []
    for row in rows:
        again = "" if row.repriced is None else f"{_usd(row.repriced[1])} at {price_words(row.repriced[0])}"
        out.append((visible(row.model), recorded_money(row), _usd(row.recomputed),
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
