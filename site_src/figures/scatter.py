"""Scatter: each run a point of two metrics, and the corner that is to be noticed first counted.

That corner holds the runs whose first metric is exactly 1 and whose second is below 1. Runs at exactly 1 have
a lane of their own, so that 0.99 is never taken for it. Points are as large as the runs they stand for; bars
at the margins count runs by quarter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.results import PLAIN, Estimate, Points
from metrics_core.text import visible
from site_src.drawing import (
    LONG,
    NARROWEST,
    SHARE_TICKS,
    WIDE,
    Figure,
    PanelRow,
    RowFigure,
    RowGroup,
    RowTable,
    Sheet,
    arm_rows,
    on_share_axis,
    panel,
    specification,
    strip,
)
from site_src.marks import LOOKS, StateName, colour, swatch
from site_src.wording import (
    FigureContext,
    Line,
    ReviewFilter,
    Span,
    TextTable,
    captions,
    count,
    fraction,
    many,
    metric_words,
    sentence_case,
    share,
    svg_markup,
    titles,
)

KIND = "change-regress"
LAYERS = ("boxes", "grid", "levels", "paths", "rules", "crossings", "labels")

GAP, LANE = 30.0, 18.0
"""From the end of an axis to the middle of the lane of exactly 1, and half the lane's breadth, in px."""

HIGH, TOP, BAR = 240.0, 116.5, 34.0
"""Of the plot, of what stands above it, and of the longest bar at a margin, in px."""

BINS = ((0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0))

_Quadrant = tuple[str, StateName, bool, bool]
"""(words, look, whether x is 1, whether y is 1)."""


class _ScatterPlot(Struct, frozen=True):
    """Edges of the plotting area and greatest length of a margin's bar, in px."""

    left: float
    right: float
    top: float
    bottom: float
    bar: float

    def x(self, value: float) -> float:
        """Place of a value of the first metric; 1 is in its lane."""
        return self.left + value * (self.right - self.left) + (GAP if value == 1 else 0)

    def y(self, value: float) -> float:
        """Place of a value of the second metric; 1 is in its lane."""
        return self.bottom - value * (self.bottom - self.top) - (GAP if value == 1 else 0)


def draw(
    points: Points, estimates: Sequence[Estimate], *, figure_id: str, context: FigureContext, title: str = "",
) -> Figure:  # fmt: skip
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
    corners, words = _quadrants(points), (points.words or PLAIN).corners
    clause = words.clause if words else corners[0][0]
    title = title or (
        titles.fitting(f"{titles.against(points)} is withheld") if hidden
        else titles.corners(points, _counted(points, corners[0]), runs, clause)
    )  # fmt: skip
    desc = captions.described(found)
    if hidden is None:
        desc += "; " + "; ".join(f"{q[0]} {fraction(_counted(points, q), runs)} runs" for q in corners)
        drawn = panel(
            KIND, LAYERS, _laid_out(points, NARROWEST), element_id=f"{figure_id}-plot", title=title,
            desc=desc, memo=context.memo,
        )  # fmt: skip
        rows = RowFigure(
            id=figure_id, key=tuple(_key(points, found, context)),
            plots=(PanelRow(room="half", panels=(drawn,)),), tables=(_table_of(found, context),),
        )  # fmt: skip
    else:
        rows = RowFigure(id=figure_id, tables=(arm_rows.hidden(found, context),))
    shown = points if hidden is None else replace(points, points=())
    reads = ("A point is as large as the runs that it stands for.",)
    notes = (words.note,) if words else ()
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc, rows=rows,
        caption=captions.caption(
            found, context, reads=() if hidden else reads, notes=() if hidden else notes
        ),
        table=_table(points, hidden), csv=_csv(points, hidden),
        spec=specification(KIND, LAYERS, _laid_out(shown, WIDE)), estimates=found,
    )  # fmt: skip


# --------------------------------------------------------------------------------------------------- corners


def _quadrants(points: Points) -> tuple[_Quadrant, ...]:
    """The four corners, the one to notice first; in words of the family, else by the two metrics."""
    x, y = points.x, points.y
    corners = (points.words or PLAIN).corners
    names = corners.names if corners else (
        f"{x} 1, {y} below", f"{x} 1, {y} 1", f"{x} below 1, {y} 1", f"{x} and {y} below 1"
    )  # fmt: skip
    looks: tuple[tuple[StateName, bool, bool], ...] = (
        ("false", True, False),
        ("true", True, True),
        ("still-in", False, True),
        ("still-in", False, False),
    )
    return tuple((name, *look) for name, look in zip(names, looks, strict=True))


def _is_in(x: float, y: float, quadrant: _Quadrant) -> bool:
    """Whether a run falls into a corner."""
    return (x == 1, y == 1) == quadrant[2:]


def _counted(points: Points, quadrant: _Quadrant) -> int:
    """Runs in a corner."""
    return sum(n for x, y, n in points.points if _is_in(x, y, quadrant))


# ---------------------------------------------------------------------------------------------------- layout


def _laid_out(points: Points, broad: float) -> Sheet:
    sheet = Sheet(broad, left=44, right=GAP + LANE + 8 + BAR + 34)
    plot = _ScatterPlot(left=sheet.start, right=sheet.end, top=TOP, bottom=TOP + HIGH, bar=BAR)
    _plot(sheet, points, plot)
    y, x = plot.bottom + 38, metric_words(points.x, points.words)
    sheet.label(plot.left, y, f"↑ {metric_words(points.y, points.words)}", size=12, fill="ink2")
    sheet.label(plot.right + GAP + LANE, y + 16, f"{x} →", size=12, fill="ink2", align="right")
    sheet.height = y + 24
    return sheet


def _dots(sheet: Sheet, points: Points, plot: _ScatterPlot) -> None:
    """A dot for each place where runs fall, the largest lowest."""
    corners = _quadrants(points)
    most = max((n for _, _, n in points.points), default=1)
    each = min(44.0, 900.0 / most)
    apart_x, apart_y = GAP / (plot.right - plot.left), GAP / (plot.bottom - plot.top)
    for x, y, n in sorted(points.points, key=lambda p: (-p[2], p[:2])):
        state = next(q[1] for q in corners if _is_in(x, y, q))
        runs = many(n, "run")
        named = (metric_words(points.x, points.words), metric_words(points.y, points.words))
        tip = f"{named[0]} {share(x)}, {named[1]} {share(y)}: {runs}"
        across, up = x + (apart_x if x == 1 else 0), y + (apart_y if y == 1 else 0)
        sheet.add("crossings", across=across, value=up, runs=n, fill=colour(LOOKS[state].fill),
                  size=max(16.0, each * n), tip=tip,
                  stroke=colour("paper" if state == "true" else LOOKS[state].edge))  # fmt: skip


def _margins(sheet: Sheet, points: Points, plot: _ScatterPlot) -> None:
    """Bars over and beside the plot: runs by quarter of each metric, and those at exactly 1."""
    for axis in (0, 1):
        values = [(p[axis], p[2]) for p in points.points]
        found = [(lo, hi, sum(n for v, n in values if lo <= v < hi)) for lo, hi in BINS]
        found.append((1.0, 1.0, sum(n for v, n in values if v == 1)))
        most = max(n for _, _, n in found) or 1
        for lo, hi, n in found:
            if not n:
                continue
            length = max(1.5, n / most * plot.bar)
            place = plot.x if axis == 0 else plot.y
            low = place(lo) - (LANE if lo == 1 else 0)
            high = place(lo) + LANE if lo == 1 else (plot.right, plot.top)[axis] if hi == 1 else place(hi)
            if lo == 1 and axis == 1:
                low, high = place(1) - LANE, place(1) + LANE
            begin, end = min(low, high), max(low, high)
            middle = (begin + end) / 2
            if axis == 0:
                foot = plot.top - GAP - LANE - 8
                sheet.box(begin, foot - length, end - begin, length, fill="still", stroke="rule")
                sheet.label(middle, foot - length - 5, count(n), size=12, fill="ink2", align="center")
            else:
                foot = plot.right + GAP + LANE + 8
                sheet.box(foot, begin, length, end - begin, fill="still", stroke="rule")
                sheet.label(foot + length + 6, middle + 4, count(n), size=12, fill="ink2")


def _plot(sheet: Sheet, points: Points, plot: _ScatterPlot) -> None:
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
    _dots(sheet, points, plot)
    _margins(sheet, points, plot)


def _key(points: Points, found: Sequence[Estimate], context: FigureContext) -> Iterator[Line]:
    """The four corners with their counts, the one to notice first leading to its runs."""
    runs, first = sum(n for _, _, n in points.points), found[0]
    where = ReviewFilter(experiment=first.experiment, family=points.family, group=points.group,
                         stratum=points.stratum, facet=_quadrants(points)[0][0])  # fmt: skip
    for at, quadrant in enumerate(_quadrants(points)):
        words, state, *_ = quadrant
        counted = f" {fraction(_counted(points, quadrant), runs)}"
        href = "" if at else context.links.reviews(where)
        yield (
            Span(sentence_case(words), "plain" if at else "strong", href, mark=svg_markup(swatch(state))),
            Span(counted, "plain" if at else "strong"),
        )


def _table_of(found: Sequence[Estimate], context: FigureContext) -> RowTable:
    """Both metrics, and what is counted in the marked corner."""
    names = [metric_words(e.metric, e.words) for e in found]
    return RowTable(
        of="arms", whose="Metric", heads=arm_rows.heads(context), scale=strip.scale(SHARE_TICKS),
        groups=(
            RowGroup(
                rows=tuple(
                    arm_rows.row(e, (Span(sentence_case(name)),), "", SHARE_TICKS, context,
                                 on_axis=on_share_axis(e))
                    for name, e in zip(names, found, strict=True)
                )
            ),
        ),
        long=any(len(name) > LONG for name in names),
    )  # fmt: skip


def _table(points: Points, hidden: str | None) -> TextTable:
    runs = sum(n for _, _, n in points.points)
    named = (sentence_case(metric_words(metric, points.words)) for metric in (points.x, points.y))
    header, corners = (*named, "Runs", "Corner"), _quadrants(points)
    if hidden is not None:
        return TextTable(header, (("withheld", "withheld", "withheld", visible(hidden)),), (1, 2))
    rows = [
        (share(x), share(y), count(n), next(q[0] for q in corners if _is_in(x, y, q)))
        for x, y, n in points.points
    ]
    rows += [("all", "all", fraction(_counted(points, q), runs), q[0]) for q in corners]
    return TextTable(header, tuple(rows), (1, 2))


def _csv(points: Points, hidden: str | None) -> TextTable:
    rows = () if hidden is not None else tuple((str(x), str(y), str(n)) for x, y, n in points.points)
    return TextTable((points.x, points.y, "runs"), rows)
