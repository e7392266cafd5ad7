"""Score against cost: a point a model, with intervals both ways. Nothing is ranked and no line is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from metrics_core.results import Estimate
from metrics_core.text import visible
from site_src.drawing import (
    CAP,
    NARROW,
    WIDE,
    Figure,
    Sheet,
    around,
    axes,
    figure,
    fit,
    pictures,
    value_ticks,
    width,
    wrap,
)
from site_src.marks import colour
from site_src.wording import (
    FigureContext,
    captions,
    group_words,
    metric_words,
    of_words,
    ratio_words,
    spans,
    titles,
    value_runs,
)

KIND = "cost-score"
LAYERS = (
    "boxes", "grid", "levels", "paths", "rules", "intervals", "caps", "upright_intervals", "upright_caps",
    "crossings", "overlays", "labels",
)  # fmt: skip

OTHER_RUNS = "Score and cost are not of the same runs: each says of how many attempts it is."

_Arm = tuple[str, Estimate, Estimate | None]
"""Name, score, and cost where there is one."""


@dataclass(frozen=True, slots=True)
class _Plot:
    """Edges of the plotting area, in px."""

    left: float
    right: float
    top: float
    bottom: float


def draw(
    scores: Sequence[Estimate], costs: Sequence[Estimate], *, figure_id: str, context: FigureContext,
    title: str = "",
) -> Figure:  # fmt: skip
    """Draw score against cost.

    Args:
        scores: One metric by arm, from 0 to 1.
        costs: Cost of a run by arm, in US dollars.
        figure_id: Id of the figure on its page.
        context: Links and build.
        title: In place of the one made from the data.

    Raises:
        ValueError: No score, no cost, or two of one arm.
    """
    for what, given in (("score", scores), ("cost", costs)):
        names = [group_words(e.group, e.words) for e in given]
        if not given or len({*names}) < len(names):
            raise ValueError(f"figure {figure_id}: {len(names)} estimates of {what} for {len({*names})} arms")
    by_arm = {group_words(e.group, e.words): e for e in costs}
    named = [(group_words(e.group, e.words), e) for e in scores]
    arms: list[_Arm] = [(name, e, by_arm.get(name)) for name, e in named]
    found = (*scores, *costs)
    title = title or titles.cost_score(scores[0], [name for name, _, _ in arms])
    desc = captions.described(found)
    notes = captions.beside_notes(found)
    reads = ["A point is a model: what it reached against what a run of it cost."]
    if any(cost is not None and cost.attempts != score.attempts for _, score, cost in arms):
        reads.append(OTHER_RUNS)
    rendered = pictures(
        KIND, LAYERS, _wide(arms), _narrow(arms), figure_id=figure_id, title=title, desc=desc,
        memo=context.memo,
    )  # fmt: skip
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc, svg_wide=rendered.wide, svg_narrow=rendered.narrow,
        caption=captions.caption(found, context, reads=reads, bar="a line through it", notes=notes),
        table=figure.reading(found),
        csv=figure.csv(found), spec=rendered.spec, estimates=found,
    )  # fmt: skip


def _drawable(arm: _Arm) -> bool:
    _, score, money = arm
    return money is not None and all(e.headline == "point" and e.value is not None for e in (score, money))


def _plot(sheet: Sheet, arms: Sequence[_Arm], plot: _Plot) -> None:
    shown = [(name, s, c) for name, s, c in arms if c is not None and _drawable((name, s, c))]
    reach = [v for _, _, c in shown for v in (c.value, c.interval.hi) if v is not None]
    across = value_ticks("USD", reach)
    top = across[-1][0]
    sheet.parameters = {"low": 0.0, "high": top, "start": plot.left, "end": plot.right,
                        "floor": 0.0, "ceiling": 1.0, "top": plot.top, "bottom": plot.bottom}  # fmt: skip
    for value, word in across:
        sheet.add("grid", at=value, y=plot.top, y2=plot.bottom, stroke=colour("hair"), width=1, dash=[])
        x = plot.left + value / top * (plot.right - plot.left)
        sheet.label(x, plot.bottom + 18, word, size=12, fill="ink3", align="center")
    for value, word in value_ticks("fraction", ()):
        stroke = colour("hair" if value else "rule")
        sheet.add("levels", at=value, x=plot.left, x2=plot.right, stroke=stroke, width=1, dash=[])
        sheet.label(plot.left - 10, plot.bottom - value * (plot.bottom - plot.top) + 4, word, size=12,
                    fill="ink3",
                    align="right")  # fmt: skip
    metric = metric_words(arms[0][1].metric, arms[0][1].words)
    sheet.label(plot.left, plot.bottom + 38, f"↑ {metric}", size=12, fill="ink2")
    sheet.label(
        plot.right, plot.bottom + 38, "median cost of a run, USD →", size=12, fill="ink2", align="right"
    )
    places = [(plot.left + (c.value or 0) / top * (plot.right - plot.left),
               plot.bottom - (s.value or 0) * (plot.bottom - plot.top)) for _, s, c in shown]  # fmt: skip
    for (name, s, c), (x, y) in zip(shown, places, strict=True):
        _cross(
            sheet,
            s,
            c,
            x,
            y,
            f"{visible(name)}: {captions.text(captions.clause(s))}; {captions.text(captions.clause(c))}",
        )
    names = [fit(name, 150, size=12, bold=True) for name, _, _ in shown]
    frame = (plot.left - 30, plot.top - 14, plot.right + 6, plot.bottom - 2)
    bars: list[tuple[float, float, float, float]] = []
    for (_, s, c), (x, y) in zip(shown, places, strict=True):
        if c.interval.lo is not None and c.interval.hi is not None:
            ends = [plot.left + v / top * (plot.right - plot.left) for v in (c.interval.lo, c.interval.hi)]
            bars.append((ends[0], y - 2, ends[1], y + 2))
        if s.interval.lo is not None and s.interval.hi is not None:
            ends = [plot.bottom - v * (plot.bottom - plot.top) for v in (s.interval.hi, s.interval.lo)]
            bars.append((x - 2, ends[0], x + 2, ends[1]))
    named = [(x, y, width(n, size=12, bold=True)) for n, (x, y) in zip(names, places, strict=True)]
    placed = around(named, frame, bars)
    for name, (x, y, align) in zip(names, placed, strict=True):
        sheet.label(x, y, name, size=12, bold=True, align=align)


def _cross(sheet: Sheet, s: Estimate, c: Estimate, x: float, y: float, tip: str) -> None:
    ink = colour("ink")
    if c.interval.lo is not None and c.interval.hi is not None:
        axes.interval(sheet, c.interval.lo, c.interval.hi, y)
    if s.interval.lo is not None:
        sheet.add(
            "upright_intervals", x=x, lo=s.interval.lo, hi=s.interval.hi, stroke=ink, width=1.5, dash=[]
        )
        for limit in (s.interval.lo, s.interval.hi):
            sheet.add("upright_caps", at=limit, x=x - CAP, x2=x + CAP, stroke=ink, width=1.5)
    sheet.add("crossings", across=c.value, value=s.value, fill=ink, stroke=colour("paper"), size=64, tip=tip)


def _list(sheet: Sheet, arms: Sequence[_Arm], x: float, y: float, room: float) -> float:
    """Each arm with both readings; also those that have no point, and why."""
    for place, (name, score, money) in enumerate(arms):
        if place:
            sheet.rule(x, y - 15.5, x + room, y - 15.5)
        sheet.label(x, y, name, bold=True, room=room)
        for e in (score, money):
            if e is None:
                sheet.swatch(x + 0.5, y + 7.5, "missing")
                sheet.label(x + 20, y + 18, "no cost recorded", size=12, fill="ink2")
                y += 18
                continue
            if e.withheld is not None:
                sheet.swatch(x + 0.5, y + 7.5, "withheld")
                for i, words in enumerate(
                    wrap(f"withheld: {visible(e.withheld)}", room - 20, size=12, lines=3)
                ):
                    sheet.label(x + 20, y + 18 + 15 * i, words, size=12, fill="ink2")
                    y += 15 if i else 0
                y += 18
                continue
            counts = f"{ratio_words(e)} {of_words(e)}"
            reading = value_runs(e)
            if width(spans.text(reading), bold=True) + width(counts, size=12) + 14 > room:
                sheet.label(x, y + 18, reading)
                y += 16
            else:
                sheet.label(x, y + 18, reading)
            sheet.label(x + room, y + 18, counts, size=12, fill="ink2", align="right")
            y += 18
        y += 32
    return y - 18


def _wide(arms: Sequence[_Arm]) -> Sheet:
    sheet = Sheet(WIDE)
    plot = _Plot(44.5, 640.5, 14.5, 314.5)
    _plot(sheet, arms, plot)
    sheet.height = max(plot.bottom + 46, _list(sheet, arms, 720, 16, WIDE - 720))
    return sheet


def _narrow(arms: Sequence[_Arm]) -> Sheet:
    sheet = Sheet(NARROW)
    plot = _Plot(34.5, 312.5, 14.5, 224.5)
    _plot(sheet, arms, plot)
    sheet.height = _list(sheet, arms, 0, plot.bottom + 76, NARROW)
    return sheet
