"""Timeline: estimates by stamp or by experiment; the line breaks where contract, pack or price table changes.

A full-height rule stands at a change, and over each segment the identicon of its instrument, whose name and
digest the key gives. No line and no band joins two instruments, and a stamp with too few known runs breaks
the line as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from metrics_core.results import Estimate, Segment, Series
from metrics_core.text import visible
from site_src.drawing import (
    NARROWEST,
    WIDE,
    Figure,
    PanelRow,
    RowFigure,
    Sheet,
    arm_rows,
    axes,
    figure,
    panel,
    places,
    rows_as_it_widens,
    specification,
    value_ticks,
    width,
)
from site_src.marks import DigestKind, colour, identicons
from site_src.wording import (
    FigureContext,
    Line,
    Span,
    TextTable,
    captions,
    contract_name,
    provenance,
    ratio,
    shown_limits,
    shown_name,
    titles,
)

KIND = "timeline"

LAYERS = (
    "boxes", "bands", "levels", "paths", "rules", "lines",
    "upright_intervals", "upright_caps", "upright_points", "labels",
)  # fmt: skip

IDENTICON = (42, 20)
HIGH = 200.0
"""Of the plot, in px."""
ROWS = 4
"""Lines of n/N below the axis at most."""


class _Points(Struct, frozen=True):
    """What is drawn, and how points are named: in words, and under their marks."""

    series: Series
    name: Callable[[Estimate], str]
    brief: Callable[[Estimate], str]

    @property
    def every(self) -> list[Estimate]:
        """All points, in their order."""
        return [e for segment in self.series.segments for e in segment.points]


def draw(
    series: Series,
    *,
    figure_id: str,
    context: FigureContext,
    title: str = "",
    names: Mapping[str, str] | None = None,
) -> Figure:
    """Draw a timeline.

    Args:
        series: Segments of points, in order of their stamps.
        figure_id: Id of the figure on its page.
        context: Links and build.
        title: In place of the one made from the data.
        names: Where the points are experiments, what stands under each, by its name.

    Raises:
        ValueError: A series without a point.
    """
    estimates = tuple(e for segment in series.segments for e in segment.points)
    if not estimates:
        raise ValueError(f"figure {figure_id}: a timeline without a point")
    title = title or titles.timeline(series)
    desc = captions.described(estimates)
    points = _Points(series, *_namers(estimates, names))
    hidden = all(e.withheld is not None for e in estimates)
    wide = _laid_out(points, WIDE)
    if hidden:
        rows = RowFigure(id=figure_id, tables=(arm_rows.hidden(estimates, context),))
    else:
        drawn = panel(
            KIND, LAYERS, _laid_out(points, NARROWEST), element_id=f"{figure_id}-plot", title=title,
            desc=desc, memo=context.memo,
        )  # fmt: skip
        rows = RowFigure(id=figure_id, key=tuple(_key(points, context)), plots=(PanelRow(panels=(drawn,)),))
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc, rows=rows,
        caption=captions.caption(estimates, context, reads=_reads(series), bar="the bar"),
        table=_table(series, points.name), csv=figure.csv(estimates),
        spec=specification(KIND, LAYERS, wide), estimates=estimates,
    )  # fmt: skip


def _reads(series: Series) -> list[str]:
    """What a point and a break are."""
    points = [e for segment in series.segments for e in segment.points]
    reads = [f"A point is one {'experiment' if len({e.experiment for e in points}) > 1 else 'date'}."]
    if any(segment.why for segment in series.segments):
        reads.append("No line joins two instruments.")
    if any(map(axes.is_hollow, points)):
        reads.append("Hollow: a value without an interval.")
    return reads


# ------------------------------------------------------------------------------------------------ instruments


def _key(drawn: _Points, context: FigureContext) -> Iterator[Line]:
    """The instrument of each segment, from when on, and why; nothing where there is only one."""
    segments = drawn.series.segments
    for segment in segments if len(segments) > 1 else ():
        first = segment.points[0]
        why = f" from {drawn.name(first)}: {visible(segment.why)}" if segment.why else ""
        whole = provenance.pack if _by_pack(segments) else provenance.contract
        yield (*whole([first], context), *((Span(why, "quiet"),) if why else ()))


def _by_pack(segments: Sequence[Segment]) -> bool:
    """Whether packs tell the segments apart, and contracts do not."""
    return len({s.contract for s in segments}) == 1 and len({s.pack for s in segments}) > 1


def _over_segments(
    sheet: Sheet, segments: Sequence[Segment], at: Sequence[float], cuts: Sequence[float]
) -> None:
    """The identicon of each segment, over the middle of its points, where it has room."""
    (wide, high), begin = IDENTICON, 0
    centres: list[float] = []
    for segment in segments:
        own = at[begin : begin + len(segment.points)]
        left = cuts[len(centres) - 1] if centres else sheet.start
        right = cuts[len(centres)] if len(centres) < len(cuts) else sheet.end
        middle = sum(own) / len(own)
        centres.append(min(max(middle, left + wide / 2), max(right - wide / 2, left + wide / 2)))
        begin += len(own)
    reach = (sheet.start, sheet.end)
    placed = rows_as_it_widens(centres, [wide] * len(centres), reach, rows=1, apart=4)
    for segment, x, place in zip(segments, centres, placed, strict=True):
        if place is None:
            continue
        pack = segment.pack if _by_pack(segments) else None
        kind: DigestKind = "pack" if pack else "contract"
        with sheet.pinned(x):
            frame = identicons.frame(kind, width=wide, height=high)
            bars = identicons.bars(pack or segment.contract.digest, width=wide, height=high)
            left = x - wide / 2
            sheet.path(left, 1, frame, stroke="ink2", width=1.2, css=place[1])
            sheet.path(left, 1, bars, stroke="ink2", width=identicons.stroke(high), css=place[1])


# ----------------------------------------------------------------------------------------------------- layout


def _laid_out(drawn: _Points, broad: float) -> Sheet:
    sheet, points, segments = Sheet(broad), drawn.every, drawn.series.segments
    ratios = [_ratio(e) for e in points]
    inset = max(16.0, *(width(ratios[end], size=12, bold=True) / 2 for end in (0, -1)))
    at = places([drawn.name(e) for e in points], sheet.start + inset, sheet.end - inset)
    scale = value_ticks(points[0].unit, _reach(points))
    cuts, begin = [], 0
    for segment in segments[:-1]:
        begin += len(segment.points)
        cuts.append((at[begin - 1] + at[begin]) / 2)
    top = IDENTICON[1] + 10.5 if cuts else 0.5
    if cuts:
        _over_segments(sheet, segments, at, cuts)
    top += 24 if any(e.headline != "point" for e in points) else 10
    bottom = top + HIGH
    sheet.parameters = {"floor": 0.0, "ceiling": scale[-1][0], "top": top, "bottom": bottom}
    for value, word in scale:
        y = bottom - value / scale[-1][0] * HIGH
        sheet.label(sheet.start - 8, y + 4, word, size=12, fill="ink3", align="right")
        sheet.add("levels", at=value, x=sheet.start, x2=sheet.end, width=1, dash=[],
                  stroke=colour("hair" if value else "rule"))  # fmt: skip
    _joined(sheet, segments, at)
    for e, x in zip(points, at, strict=True):
        axes.upright_estimate(sheet, e, x, tip=captions.text(captions.clause(e, label=drawn.name(e))))
    _over(sheet, points, at, top - 7)
    end = _under(sheet, drawn, at, bottom)
    for x in cuts:
        sheet.rule(x, 2, x, end, "ink2", width=1.5)
    sheet.height = end + 6
    return sheet


# ---------------------------------------------------------------------------------------------------- points


def _stamp(e: Estimate) -> str:
    """The stamp of a point, as its group names it."""
    return visible(e.group.get("stamp", e.stamps[0] if e.stamps else ""))


def _namers(
    points: Sequence[Estimate], names: Mapping[str, str] | None
) -> tuple[Callable[[Estimate], str], Callable[[Estimate], str]]:
    """How a point is named in words, and how under its mark: by its day, or as its experiment is called."""
    if names is not None:
        return lambda e: shown_name(e.experiment), lambda e: shown_name(names[e.experiment])
    years = len({_stamp(e)[:4] for e in points}) > 1
    return _stamp, lambda e: _stamp(e)[:10] if years else _stamp(e)[5:10]


def _reach(points: Sequence[Estimate]) -> list[float]:
    return [v for e in points for v in (e.value, e.interval.hi) if v is not None]


def _joined(sheet: Sheet, segments: Sequence[Segment], at: Sequence[float]) -> None:
    """Lines and bands through neighbours of one segment that both have a point with an interval."""
    place = run = 0
    for segment in segments:
        open_run: list[tuple[float, Estimate]] = []
        for e in (*segment.points, None):
            if e is not None and e.headline == "point" and e.value is not None:
                open_run.append((at[place], e))
            else:
                if len(open_run) > 1:
                    run += 1
                    _run(sheet, open_run, run)
                open_run = []
            place += e is not None


def _run(sheet: Sheet, points: Sequence[tuple[float, Estimate]], run: int) -> None:
    with_interval = all(e.interval.lo is not None for _, e in points)
    for x, e in points:
        sheet.add("lines", x=x, value=e.value, run=run)
        if with_interval:
            sheet.add("bands", x=x, lo=e.interval.lo, hi=e.interval.hi, run=run)


def _over(sheet: Sheet, points: Sequence[Estimate], at: Sequence[float], y: float) -> None:
    """The word of each stamp that has no point, once for neighbours of a kind, where it fits."""
    groups: list[tuple[str, list[float]]] = []
    for place, (e, x) in enumerate(zip(points, at, strict=True)):
        word = axes.WORDS.get(e.headline, "")
        if word and groups and groups[-1][0] == word and points[place - 1].headline == e.headline:
            groups[-1][1].append(x)
        elif word:
            groups.append((word, [x]))
    centres = [sum(xs) / len(xs) for _, xs in groups]
    rooms = [width(word, size=12) for word, _ in groups]
    shown = rows_as_it_widens(centres, rooms, (sheet.start, sheet.end), rows=1)
    for (word, _), x, found in zip(groups, centres, shown, strict=True):
        if found is not None:
            sheet.label(x, y, word, size=12, fill="ink2", align="center", css=found[1])


def _ratio(e: Estimate) -> str:
    return "N/A" if e.headline == "nothing" else "—" if e.withheld is not None else ratio(e)


def _under(sheet: Sheet, drawn: _Points, at: Sequence[float], bottom: float) -> float:
    """Dates, then n/N in as many rows as keep them apart; gives the y below."""
    points, reach = drawn.every, (sheet.start, sheet.end)
    dates = [drawn.brief(e) for e in points]
    shown = rows_as_it_widens(at, [width(d, size=12) for d in dates], reach, rows=1)
    for x, day, place in zip(at, dates, shown, strict=True):
        if place is not None:
            sheet.label(x, bottom + 18, day, size=12, fill="ink2", align="center", css=place[1])
    ratios = [_ratio(e) for e in points]
    rooms = [width(r, size=12, bold=True) for r in ratios]
    rows = rows_as_it_widens(at, rooms, reach, rows=ROWS, apart=6)
    sheet.label(sheet.start - 8, bottom + 36, "n/N", size=12, fill="ink3", align="right")
    for e, x, words, place in zip(points, at, ratios, rows, strict=True):
        if place is not None and e.withheld is None:
            y, bold = bottom + 36 + 16 * place[0], e.headline == "point"
            sheet.label(x, y, words, size=12, bold=bold, align="center", css=place[1])
    return bottom + 40 + 16 * max((place[0] for place in rows if place is not None), default=0)


def _table(series: Series, name: Callable[[Estimate], str]) -> TextTable:
    rows = []
    for segment in series.segments:
        for e in segment.points:
            shown = shown_limits(e) or visible(e.interval.reason or "")
            rows.append((name(e), contract_name(segment.contract),
                         identicons.short(segment.contract.digest), ratio(e),
                         captions.missing(e)[1:-1], figure.value_text(e), shown))  # fmt: skip
    first = "Experiment" if len({e.experiment for s in series.segments for e in s.points}) > 1 else "Date"
    header = (first, "Contract", "Digest", "n/N", "Not in N", "Value", "95\u202f% interval")
    return TextTable(header, tuple(rows), (3,))
