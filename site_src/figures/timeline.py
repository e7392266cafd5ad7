"""Timeline: estimates by stamp or by experiment; the line breaks where contract, pack or price table changes.

A full-height rule stands at a change, and over each segment its instrument's identicon, name and digest, side
by side where they fit. No line and no band joins two instruments, and a stamp with too few known runs breaks
the line as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from metrics_core.results import Estimate, Segment, Series
from metrics_core.text import visible
from site_src.drawing import (
    NARROW,
    WIDE,
    Figure,
    Sheet,
    axes,
    figure,
    in_rows,
    pictures,
    places,
    value_ticks,
    width,
    wrap,
)
from site_src.marks import DigestKind, colour, identicons
from site_src.wording import FigureContext, TextTable, captions, contract_name, ratio, shown_limits, titles

KIND = "timeline"

LAYERS = (
    "boxes", "bands", "levels", "paths", "rules", "lines",
    "upright_intervals", "upright_caps", "upright_points", "overlays", "labels",
)  # fmt: skip

IDENTICON = (42, 20)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Measures of one of the two pictures, in px, and how points are named in it."""

    sheet: Sheet
    left: float
    right: float
    height: float
    rows: int
    full: bool
    name: Callable[[Estimate], str]
    brief: Callable[[Estimate], str]


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
    name, brief = _namers(estimates, names)
    wide = _Frame(Sheet(WIDE), 44.0, 1012.0, 210.0, 2, full=True, name=name, brief=brief)
    narrow = _Frame(Sheet(NARROW), 34.0, 322.0, 190.0, 3, full=False, name=name, brief=brief)
    hidden = estimates[0].withheld if all(e.withheld is not None for e in estimates) else None
    for frame in (wide, narrow):
        if hidden is None:
            _lay_out(frame, series)
        else:
            frame.sheet.notice(hidden)
    rendered = pictures(
        KIND, LAYERS, wide.sheet, narrow.sheet, figure_id=figure_id, title=title, desc=desc, memo=context.memo
    )
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc, svg_wide=rendered.wide, svg_narrow=rendered.narrow,
        caption=captions.caption(estimates, context, reads=_reads(series), bar="the bar"),
        table=_table(series, name),
        csv=figure.csv(estimates), spec=rendered.spec, estimates=estimates,
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


def _lay_out(frame: _Frame, series: Series) -> None:
    sheet = frame.sheet
    points = [e for segment in series.segments for e in segment.points]
    at = places([frame.name(e) for e in points], frame.left + 16, frame.right - 16)
    scale = value_ticks(points[0].unit, _reach(points))
    cuts, begin = [], 0
    for segment in series.segments[:-1]:
        begin += len(segment.points)
        cuts.append((at[begin - 1] + at[begin]) / 2)
    top = _headers(frame, series.segments, cuts) + (26 if any(e.headline != "point" for e in points) else 12)
    bottom = top + frame.height
    sheet.parameters = {"floor": 0.0, "ceiling": scale[-1][0], "top": top, "bottom": bottom}
    for value, word in scale:
        y = bottom - value / scale[-1][0] * frame.height
        sheet.label(frame.left - 8, y + 4, word, size=12, fill="ink3", align="right")
        sheet.add("levels", at=value, x=frame.left, x2=frame.right, width=1, dash=[],
                  stroke=colour("hair" if value else "rule"))  # fmt: skip
    _joined(sheet, series.segments, at)
    for e, x in zip(points, at, strict=True):
        axes.upright_estimate(sheet, e, x, tip=captions.text(captions.clause(e, label=frame.name(e))))
    _over(sheet, points, at, top - 7)
    end = _under(frame, points, at, bottom)
    for x in cuts:
        sheet.rule(round(x) + 0.0, 2, round(x) + 0.0, end, "ink2", width=1.5)
    sheet.height = end + 6


# ----------------------------------------------------------------------------------------- over the segments


def _headers(frame: _Frame, segments: Sequence[Segment], cuts: Sequence[float]) -> float:
    """Identicon, name and digest over each segment, in as many lines as it takes; gives the y below."""
    sheet, (wide, high) = frame.sheet, IDENTICON
    packs = len({s.contract for s in segments}) == 1 and len({s.pack for s in segments}) > 1
    begins = [frame.left, *(cut + 12 for cut in cuts)]
    ends = [*(cut - 8 for cut in cuts), frame.right]
    level_ends: list[float] = []
    below = 0.0
    for segment, x, end in zip(segments, begins, ends, strict=True):
        kind: DigestKind = "pack" if packs and segment.pack else "contract"
        full = segment.pack if packs and segment.pack else segment.contract.digest
        name = "pack" if packs else contract_name(segment.contract)
        brief = "pack" if packs else f"v{visible(segment.contract.version)}"
        room = end - x
        level = next((i for i, taken in enumerate(level_ends) if x >= taken), len(level_ends))
        y = level * 40.0
        sheet.path(x, y, identicons.frame(kind, width=wide, height=high), stroke="ink2", width=1.2)
        sheet.path(
            x, y, identicons.bars(full, width=wide, height=high), stroke="ink2", width=identicons.stroke(high)
        )
        used = float(wide)
        shown = name if wide + 8 + width(name, bold=True) <= room else brief
        if wide + 8 + width(shown, bold=True) <= max(room, wide + 60):
            sheet.label(x + wide + 8, y + 14.5, shown, bold=True)
            used += 8 + width(shown, bold=True)
            short = identicons.short(full)
            if used + 16 + width(short, size=12, mono=True) <= room:
                sheet.label(x + used + 16, y + 14.5, short, size=12, mono=True, fill="ink2")
                used += 16 + width(short, size=12, mono=True)
        lines = _reasons(segment, max(room, used), frame)
        for i, words in enumerate(lines):
            sheet.label(x, y + 35 + 15 * i, words, size=12, fill="ink2")
            used = max(used, width(words, size=12))
        if level == len(level_ends):
            level_ends.append(0.0)
        level_ends[level] = x + used + 10
        below = max(below, y + high + (16 * len(lines) if lines else 0))
    return below


def _reasons(segment: Segment, room: float, frame: _Frame) -> tuple[str, ...]:
    if not segment.why:
        return ()
    why = visible(segment.why)
    since = f"from {frame.name(segment.points[0])} {why}"
    for then in (
        ("not the same instrument, no line joins the two", "no line joins the two") if frame.full else ()
    ):
        if width(words := f"{since}: {then}", size=12) <= room:
            return (words,)
    return wrap(why, room, size=12, lines=2)


# ---------------------------------------------------------------------------------------------------- points


def _stamp(e: Estimate) -> str:
    """The stamp of a point, as its group names it."""
    return visible(e.group.get("stamp", e.stamps[0] if e.stamps else ""))


def _namers(
    points: Sequence[Estimate], names: Mapping[str, str] | None
) -> tuple[Callable[[Estimate], str], Callable[[Estimate], str]]:
    """How a point is named in words, and how under its mark: by its day, or as its experiment is called."""
    if names is not None:
        return lambda e: visible(e.experiment), lambda e: visible(names[e.experiment])
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
    shown = in_rows(centres, [width(word, size=12) for word, _ in groups], rows=1)
    for (word, _), x, row in zip(groups, centres, shown, strict=True):
        if row is not None:
            sheet.label(x, y, word, size=12, fill="ink2", align="center")


def _under(frame: _Frame, points: Sequence[Estimate], at: Sequence[float], bottom: float) -> float:
    """Dates, then n/N in as many rows as keep them apart; gives the y below."""
    sheet = frame.sheet
    dates = [frame.brief(e) for e in points]
    shown = in_rows(at, [width(d, size=12) for d in dates], rows=1)
    for x, day, row in zip(at, dates, shown, strict=True):
        if row is not None:
            sheet.label(x, bottom + 18, day, size=12, fill="ink2", align="center")
    ratios = [
        "N/A" if e.headline == "nothing" else "—" if e.withheld is not None else ratio(e) for e in points
    ]
    rooms = [width(r, size=12, bold=True) for r in ratios]
    centres = [min(max(x, room / 2), sheet.width - room / 2) for x, room in zip(at, rooms, strict=True)]
    rows = in_rows(centres, rooms, rows=frame.rows, apart=6)
    if frame.full:
        sheet.label(0, bottom + 36, "n/N", size=12, fill="ink3")
    for e, x, words, row in zip(points, centres, ratios, rows, strict=True):
        if row is not None and e.withheld is None:
            sheet.label(x, bottom + 36 + 16 * row, words, size=12, bold=e.headline == "point", align="center")
    return bottom + 40 + 16 * max((row for row in rows if row is not None), default=0)


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
