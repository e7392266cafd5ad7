"""Score against cost: a point a model, with intervals both ways. Nothing is ranked and no line is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metrics_core.results import Estimate
from site_src.drawing import (
    CAP,
    LONG,
    NARROWEST,
    WIDE,
    DrawnRow,
    Figure,
    PanelRow,
    RowCell,
    RowFigure,
    RowGroup,
    RowTable,
    Sheet,
    Ticks,
    arm_rows,
    around,
    axes,
    figure,
    fit,
    panel,
    specification,
    strip,
    value_ticks,
    width,
)
from site_src.marks import colour, swatch
from site_src.wording import (
    FigureContext,
    Span,
    captions,
    group_words,
    metric_words,
    sentence_case,
    svg_markup,
    titles,
)

KIND = "cost-score"
LAYERS = (
    "boxes", "grid", "levels", "paths", "rules", "intervals", "caps", "upright_intervals", "upright_caps",
    "crossings", "labels",
)  # fmt: skip

COST = "median cost of a run"
NO_COST = "no cost recorded"
OTHER_RUNS = "Score and cost are not of the same runs: each says of how many attempts it is."

_Arm = tuple[str, Estimate, Estimate | None]
"""Name, score, and cost where there is one."""

HIGH = 260.0
"""Of the plot, in px."""


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
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc,
        rows=RowFigure(
            id=figure_id,
            plots=_plots(arms, figure_id, title, desc, context),
            tables=tuple(_tables(arms, context)),
        ),
        caption=captions.caption(found, context, reads=reads, bar="a line through it", notes=notes),
        table=figure.reading(found), csv=figure.csv(found),
        spec=specification(KIND, LAYERS, _plot(arms, WIDE)), estimates=found,
    )  # fmt: skip


def _plots(
    arms: Sequence[_Arm], figure_id: str, title: str, desc: str, context: FigureContext
) -> tuple[PanelRow, ...]:
    """The plot; none where no arm has its place in it."""
    if not any(map(_drawable, arms)):
        return ()
    drawn = panel(
        KIND, LAYERS, _plot(arms, NARROWEST), element_id=f"{figure_id}-plot", title=title, desc=desc,
        memo=context.memo,
    )  # fmt: skip
    return (PanelRow(panels=(drawn,)),)


def _drawable(arm: _Arm) -> bool:
    _, score, money = arm
    return money is not None and all(e.headline == "point" and e.value is not None for e in (score, money))


def _plot(arms: Sequence[_Arm], broad: float) -> Sheet:
    """The plot: what stands apart in the narrowest picture stands apart in every wider one."""
    sheet = Sheet(broad)
    top, bottom, high = 34.5, 34.5 + HIGH, HIGH
    shown = [(name, s, c) for name, s, c in arms if c is not None and _drawable((name, s, c))]
    reach = [v for _, _, c in shown for v in (c.value, c.interval.hi) if v is not None]
    across = value_ticks("USD", reach)
    most = across[-1][0]
    wide = sheet.end - sheet.start
    sheet.parameters = {"low": 0.0, "high": most, "start": sheet.start, "end": sheet.end,
                        "floor": 0.0, "ceiling": 1.0, "top": top, "bottom": bottom}  # fmt: skip
    for value, word in across:
        sheet.add("grid", at=value, y=top, y2=bottom, stroke=colour("hair"), width=1, dash=[])
        x = sheet.start + value / most * wide
        if value == most:  # within the frame, and not in the middle of its line
            sheet.label(sheet.end + 10, bottom + 18, word, size=12, fill="ink3", align="right")
        else:
            sheet.label(x, bottom + 18, word, size=12, fill="ink3", align="center")
    for value, word in value_ticks("fraction", ()):
        stroke = colour("hair" if value else "rule")
        sheet.add("levels", at=value, x=sheet.start, x2=sheet.end, stroke=stroke, width=1, dash=[])
        y = bottom - value * high + 4
        sheet.label(sheet.start - 10, y, word, size=12, fill="ink3", align="right")
    metric = metric_words(arms[0][1].metric, arms[0][1].words)
    sheet.label(sheet.start, top - 20, f"↑ {metric}", size=12, fill="ink2")
    sheet.label(sheet.end, bottom + 38, f"{COST}, USD →", size=12, fill="ink2", align="right")
    sheet.height = bottom + 46
    places = [(sheet.start + (c.value or 0) / most * wide, bottom - (s.value or 0) * high)
              for _, s, c in shown]  # fmt: skip
    for (name, s, c), (x, y) in zip(shown, places, strict=True):
        told = f"{captions.text(captions.clause(s))}; {captions.text(captions.clause(c))}"
        _cross(sheet, s, c, x, y, f"{name}: {told}")
    names = [fit(name, 150, size=12, bold=True) for name, _, _ in shown]
    frame = (sheet.start - 30, top - 14, sheet.end + 6, bottom - 2)
    bars: list[tuple[float, float, float, float]] = []
    for (_, s, c), (x, y) in zip(shown, places, strict=True):
        if c.interval.lo is not None and c.interval.hi is not None:
            ends = [sheet.start + v / most * wide for v in (c.interval.lo, c.interval.hi)]
            bars.append((ends[0], y - 2, ends[1], y + 2))
        if s.interval.lo is not None and s.interval.hi is not None:
            ends = [bottom - v * high for v in (s.interval.hi, s.interval.lo)]
            bars.append((x - 2, ends[0], x + 2, ends[1]))
    named = [(x, y, width(n, size=12, bold=True)) for n, (x, y) in zip(names, places, strict=True)]
    for name, (at, _), (x, y, align) in zip(names, places, around(named, frame, bars), strict=True):
        with sheet.pinned(at):
            sheet.label(x, y, name, size=12, bold=True, align=align)
    return sheet


def _cross(sheet: Sheet, s: Estimate, c: Estimate, x: float, y: float, tip: str) -> None:
    ink = colour("ink")
    if c.interval.lo is not None and c.interval.hi is not None:
        axes.interval(sheet, c.interval.lo, c.interval.hi, y)
    if s.interval.lo is not None:
        sheet.add(
            "upright_intervals", x=x, lo=s.interval.lo, hi=s.interval.hi, stroke=ink, width=1.5, dash=[]
        )
        with sheet.pinned(x):
            for limit in (s.interval.lo, s.interval.hi):
                sheet.add("upright_caps", at=limit, x=x - CAP, x2=x + CAP, stroke=ink, width=1.5)
    sheet.add("crossings", across=c.value, value=s.value, fill=ink, stroke=colour("paper"), size=64, tip=tip)


# ------------------------------------------------------------------------------------------ both, in numbers


def _tables(arms: Sequence[_Arm], context: FigureContext) -> Iterator[RowTable]:
    """Each arm's score, then its cost; also of those that have no point, and why."""
    metric = sentence_case(metric_words(arms[0][1].metric, arms[0][1].words))
    scores = [(name, score) for name, score, _ in arms]
    yield _table(metric, scores, value_ticks("fraction", ()), context)
    costs = [cost for _, _, cost in arms if cost is not None]
    ticks = value_ticks("USD", [v for c in costs for v in (c.value, c.interval.hi) if v is not None])
    yield _table(sentence_case(COST), [(name, cost) for name, _, cost in arms], ticks, context)


def _table(
    name: str, found: Sequence[tuple[str, Estimate | None]], ticks: Ticks, context: FigureContext
) -> RowTable:
    known = [e for _, e in found if e is not None]
    if known and all(e.withheld is not None for e in known):
        group = RowGroup(head=name, instead=arm_rows.withheld(known, context))
    else:
        group = RowGroup(head=name, rows=tuple(_row(arm, e, ticks, context) for arm, e in found))
    return RowTable(
        name=name, of="arms", whose="Model", heads=arm_rows.heads(context), scale=strip.scale(ticks),
        groups=(group,), long=any(len(arm) > LONG for arm, _ in found),
    )  # fmt: skip


def _row(arm: str, e: Estimate | None, ticks: Ticks, context: FigureContext) -> DrawnRow:
    if e is not None:
        return arm_rows.row(e, (Span(arm),), arm, ticks, context)
    words = (Span(NO_COST, "quiet", mark=svg_markup(swatch("missing"))),)
    cells = (RowCell(kind="value", words=words), RowCell(kind="counted", words=()),
             RowCell(kind="lost", words=()))  # fmt: skip
    return DrawnRow(name=(Span(arm),), marks=strip.Strip(0.0, 1.0).markup, cells=cells,
                    arms=arm, says=f"{arm}: {NO_COST}")  # fmt: skip
