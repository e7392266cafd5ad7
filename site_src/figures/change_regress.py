"""Runs as points of two metrics: each run a point, and the corner that is to be noticed first counted.

That corner holds the runs whose first metric is exactly 1 and whose second is below 1. Runs at exactly 1
have a lane of their own, so that 0.99 is never taken for it. Points are as large as the runs they stand
for; bars at the margins count runs by quarter.
"""

from __future__ import annotations

from collections.abc import Sequence

from metrics_core.estimate import Estimate
from metrics_core.report import Points
from metrics_core.text import visible
from metrics_core.vocabulary import PLAIN
from site_src import captions, parts, titles
from site_src.figures.axis_marks import SHARE_TICKS
from site_src.figures.context import FigureContext, ReviewFilter
from site_src.figures.drawing import NARROW, WIDE, Drawing
from site_src.figures.making import pictures
from site_src.figures.patterns import LOOKS, colour
from site_src.figures.readings import of_words, ratio_words, value_runs
from site_src.figures.run_corners import GAP, LANE, Plot, counted, dots, is_in, margins, quadrants
from site_src.figures.sheet import Sheet
from site_src.naming import metric_words, sentence_case
from site_src.parts import Span, TextTable
from site_src.rounding import count, fraction, share
from site_src.text_width import width

KIND = "change-regress"
LAYERS = ("boxes", "grid", "levels", "paths", "rules", "crossings", "overlays", "labels")


def draw(
    points: Points, estimates: Sequence[Estimate], *, figure_id: str, context: FigureContext, title: str = "",
) -> Drawing:  # fmt: skip
    """Draw runs as points.

    Args:
        points: Runs with both metrics known, both from 0 to 1.
        estimates: Of the two metrics, and of what is counted in the marked corner.
        figure_id: Id of the figure on its page.
        context: Links and build.
        title: In place of the one made from the data.

    Raises:
        ValueError: No estimate.
    """
    found = tuple(estimates)
    if not found:
        raise ValueError(f"figure {figure_id}: points without the estimates behind them")
    hidden = next((e.withheld for e in found if e.withheld is not None), None)
    runs = sum(n for _, _, n in points.points)
    corners, words = quadrants(points), (points.words or PLAIN).corners
    clause = words.clause if words else corners[0][0]
    title = title or (
        titles.fitting(f"{titles.against(points)} is withheld") if hidden
        else titles.corners(points, counted(points, corners[0]), runs, clause)
    )  # fmt: skip
    desc = captions.described(found)
    if hidden is None:
        desc += "; " + "; ".join(f"{q[0]} {fraction(counted(points, q), runs)} runs" for q in corners)
        wide, narrow = _wide(points, found, context), _narrow(points, found, context)
    else:
        wide, narrow = _withheld(WIDE, hidden), _withheld(NARROW, hidden)
    drawn = pictures(
        KIND, LAYERS, wide, narrow, figure_id=figure_id, title=title, desc=desc, memo=context.memo
    )
    notes = ("a point is as large as the runs it stands for", *((words.note,) if words else ()))
    return Drawing(
        kind=KIND, id=figure_id, title=title, desc=desc, svg_wide=drawn.wide, svg_narrow=drawn.narrow,
        caption=captions.caption(found, context, notes=() if hidden else notes),
        table=_table(points, hidden), csv=_csv(points, hidden), spec=drawn.spec, estimates=found,
    )  # fmt: skip


def _plot(sheet: Sheet, points: Points, plot: Plot) -> None:
    sheet.parameters = {"low": 0.0, "high": 1.0, "start": plot.left, "end": plot.right,
                        "floor": 0.0, "ceiling": 1.0, "top": plot.top, "bottom": plot.bottom}  # fmt: skip
    lane_x, lane_y = plot.right + GAP - LANE, plot.top - GAP - LANE
    tall, across = plot.bottom - plot.top, plot.right - plot.left
    sheet.box(plot.left, plot.top, across, tall, stroke="hair")
    sheet.box(plot.left, lane_y, across, 2 * LANE, stroke="hair")
    sheet.box(lane_x, lane_y, 2 * LANE, 2 * LANE, stroke="hair")
    sheet.box(lane_x, plot.top, 2 * LANE, tall, stroke=LOOKS["false"].edge, dash=(3, 3))
    for value, word in SHARE_TICKS:
        if 0 < value < 1:
            sheet.add("grid", at=value, y=plot.top, y2=plot.bottom, stroke=colour("hair"), width=1, dash=[])
            sheet.add("levels", at=value, x=plot.left, x2=plot.right, stroke=colour("hair"), width=1, dash=[])
        sheet.label(plot.x(value), plot.bottom + 18, word, size=12, fill="ink3", align="center")
        sheet.label(plot.left - 20, plot.y(value) + 4, word, size=12, fill="ink3", align="right")
    dots(sheet, points, plot)
    margins(sheet, points, plot)


def _list(
    sheet: Sheet,
    points: Points,
    found: Sequence[Estimate],
    context: FigureContext,
    x: float,
    y: float,
    room: float,
) -> float:
    """The four corners with their counts, then the estimates; gives the y below."""
    runs = sum(n for _, _, n in points.points)
    first = found[0]
    for at, quadrant in enumerate(quadrants(points)):
        words, state, *_ = quadrant
        href = ""
        if not at:
            where = ReviewFilter(experiment=first.experiment, family=points.family, group=points.group,
                                 stratum=points.stratum, facet=words)  # fmt: skip
            href = context.links.reviews(where)
        sheet.swatch(x + 0.5, y - 10.5, state)
        sheet.label(x + 20, y, sentence_case(words), bold=state == "false", href=href)
        sheet.label(
            x + room, y, fraction(counted(points, quadrant), runs), bold=state == "false", align="right"
        )
        y += 22
    y += 4
    for e in found:
        sheet.rule(x, y - 7.5, x + room, y - 7.5)
        about: list[Span] = [
            Span(metric_words(e.metric, e.words), "strong"),
            Span(f" {ratio_words(e)} {of_words(e)}", "quiet"),
        ]
        if width(parts.text(about), bold=True) <= room:
            sheet.label(x, y + 10, about)
        else:
            sheet.label(x, y + 10, metric_words(e.metric, e.words), bold=True, room=room)
            y += 17
            sheet.label(x, y + 10, f"{ratio_words(e)} {of_words(e)}", size=12, fill="ink2", room=room)
        sheet.label(x, y + 27, value_runs(e))
        y += 48
    return y


def _names(sheet: Sheet, points: Points, plot: Plot) -> None:
    y = plot.bottom + 38
    sheet.label(plot.left, y, f"↑ {metric_words(points.y, points.words)}", size=12, fill="ink2")
    name = metric_words(points.x, points.words)
    sheet.label(plot.right + GAP + LANE, y, f"{name} →", size=12, fill="ink2", align="right")


def _wide(points: Points, found: Sequence[Estimate], context: FigureContext) -> Sheet:
    sheet = Sheet(WIDE)
    plot = Plot(left=46.5, right=514.5, top=136.5, bottom=376.5, bar=56)
    _plot(sheet, points, plot)
    _names(sheet, points, plot)
    below = _list(sheet, points, found, context, 720, 34, WIDE - 720)
    sheet.height = max(plot.bottom + 46, below)
    return sheet


def _narrow(points: Points, found: Sequence[Estimate], context: FigureContext) -> Sheet:
    sheet = Sheet(NARROW)
    plot = Plot(left=44.5, right=216.5, top=114.5, bottom=284.5, bar=34)
    _plot(sheet, points, plot)
    _names(sheet, points, plot)
    sheet.height = _list(sheet, points, found, context, 0, plot.bottom + 74, NARROW)
    return sheet


def _withheld(across: float, why: str) -> Sheet:
    sheet = Sheet(across)
    sheet.notice(why)
    return sheet


def _table(points: Points, hidden: str | None) -> TextTable:
    runs = sum(n for _, _, n in points.points)
    named = (sentence_case(metric_words(metric, points.words)) for metric in (points.x, points.y))
    header, corners = (*named, "Runs", "Corner"), quadrants(points)
    if hidden is not None:
        return TextTable(header, (("withheld", "withheld", "withheld", visible(hidden)),), (0, 1, 2))
    rows = [
        (share(x), share(y), count(n), next(q[0] for q in corners if is_in(x, y, q)))
        for x, y, n in points.points
    ]
    rows += [("", "", fraction(counted(points, q), runs), f"{q[0]}, in all") for q in corners]
    return TextTable(header, tuple(rows), (0, 1, 2))


def _csv(points: Points, hidden: str | None) -> TextTable:
    rows = () if hidden is not None else tuple((str(x), str(y), str(n)) for x, y, n in points.points)
    return TextTable((points.x, points.y, "runs"), rows)
