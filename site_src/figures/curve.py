"""Curve: a metric at each step of an ordered key, turn after turn or repeat after repeat, one panel an arm.

Every step has its own n/N, interval and axis from 0 to 1. Points are joined by straight hairlines only
where neighbouring steps hold the same tasks: of pass^k and pass@k those of a larger k are among those of
a smaller one, so that an equal N means the same tasks; turns are other tasks, and nothing joins them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from metrics_core.results import PLAIN, Estimate, Keys
from metrics_core.text import visible
from site_src.drawing import NARROW, SHARE_TICKS, WIDE, Figure, Sheet, axes, figure, in_rows, pictures, width
from site_src.wording import (
    FigureContext,
    ReviewFilter,
    captions,
    count,
    group_words,
    in_words,
    is_mean,
    key_words,
    listed,
    many,
    metric_words,
    ratio_words,
    sentence_case,
    stratum_words,
    titles,
    value,
)

KIND = "curve"
LAYERS = ("boxes", "paths", "rules", "upright_intervals", "upright_caps", "upright_points", "labels")

MARGIN, GAP, PLOT, WIDEST = 42.0, 26.0, 120.0, 92.0
"""Left of the first panel, between panels, height of a plot, most room of a step: px."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One arm, or all, in one metric and stratum: its estimates in the order of the steps."""

    name: str
    keys: frozenset[str]
    points: tuple[Estimate, ...]


def step_of(e: Estimate) -> str:
    """The key of an estimate's step; empty where it has none.

    >>> from tests.support.figure_samples import share
    >>> step_of(share("check_pass", 9, 12, group=(("k", "2"),))), step_of(share("security", 9, 12))
    ('k', '')
    """
    return next((key for key, _ in e.group if (e.words or PLAIN).key(key).step), "")


def is_nested(e: Estimate, key: str) -> bool:
    """Whether the tasks of a step are among those of the step before it."""
    return (e.words or PLAIN).key(key).nested


def draw(
    found: Sequence[Estimate], *, figure_id: str, context: FigureContext, title: str = "",
) -> Figure:  # fmt: skip
    """Draw a metric, or metrics of one kind, at each step.

    Args:
        found: Shares from 0 to 1 whose groups fix the same step key, a whole number, and at most an arm.
        figure_id: Id of the figure on its page.
        context: Links and build.
        title: In place of the one made from the data.

    Raises:
        ValueError: No estimate, no step key or several, or two estimates of one step in one panel.
    """
    keys = {step_of(e) for e in found}
    if len(keys) != 1 or "" in keys:
        raise ValueError(f"figure {figure_id}: {len(found)} estimates over {sorted(keys)} steps")
    (key,) = keys
    panels = _panels(found, key, figure_id)
    shown = tuple(e for panel in panels for e in panel.points)
    hidden = shown[0].withheld if all(e.withheld is not None for e in shown) else None
    title = title or (titles.withheld(shown[0]) if hidden else _title(panels, key))
    desc = captions.described(shown)
    wide, narrow = Sheet(WIDE), Sheet(NARROW)
    for sheet in (wide, narrow):
        if hidden is None:
            _lay_out(sheet, panels, key, context)
        else:
            sheet.notice(hidden)
    rendered = pictures(
        KIND, LAYERS, wide, narrow, figure_id=figure_id, title=title, desc=desc, memo=context.memo
    )
    notes = () if hidden else (*_notes(panels), *captions.beside_notes(shown))
    reads = () if hidden else _reads(panels, key)
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc, svg_wide=rendered.wide, svg_narrow=rendered.narrow,
        caption=captions.caption(shown, context, reads=reads, bar="the bar", notes=notes),
        table=figure.reading(shown), csv=figure.csv(shown), spec=rendered.spec, estimates=shown,
    )  # fmt: skip


def _title(panels: Sequence[Panel], key: str) -> str:
    """The counts at the first step and the last of the first panel; of repeats, over how many tasks.

    It names whose counts they are unless they are those of all.
    """
    shown, step = [e for panel in panels for e in panel.points], key_words(key, panels[0].points[0].words)
    what = listed(list(dict.fromkeys(metric_words(e.metric, e.words) for e in shown)))
    arms, words = {_whose(e, key) for e in shown}, shown[0].words
    named = ", ".join((what, *(group_words(whose, words) for whose in arms if whose and len(arms) == 1)))
    if is_nested(shown[0], key):
        levels = [visible(level) for _, level in sorted(_level(e, key) for e in shown)]
        tasks = sorted({e.N for e in shown if e.N})
        most = tasks[-1] if tasks else 0
        of = many(most, "task") if len(tasks) < 2 else f"{count(tasks[0])} to {many(most, 'task')}"
        over = f"{step} from {levels[0]} to {levels[-1]} over {of}"
        return titles.fitting(f"{named}: {over}", f"{what}: {over}", over)
    if len(strata := {e.stratum for e in shown}) > 1:
        apart = f"{step} by {step}, {in_words(len(strata))} strata, never pooled"
        return titles.fitting(f"{named}, {apart}", f"{what}, {apart}")
    first, last = panels[0].points[0], panels[0].points[-1]
    shares = ", ".join(
        f"{count(e.n)} of {count(e.N)} at {step} {visible(e.group[key])}"
        for e in dict.fromkeys((first, last))
        if e.n is not None and e.N
    )
    whom = group_words(_whose(first, key), first.words) if _whose(first, key) else ""
    own = ", ".join(filter(None, (metric_words(first.metric, first.words), whom)))
    about = ", ".join(filter(None, (own, stratum_words(first.stratum, first.words))))
    return titles.fitting(f"{about}: {shares}", f"{own}: {shares}", f"{what}, {step} by {step}")


def _whose(e: Estimate, key: str) -> Keys:
    """The group of an estimate without its step: an arm, or nothing for all."""
    return e.group.without(key)


def _level(e: Estimate, key: str) -> tuple[int, str]:
    level = e.group[key]
    return (int(level) if level.isascii() and level.isdecimal() else 0, level)


def _panels(found: Sequence[Estimate], key: str, figure_id: str) -> list[Panel]:
    """All runs first, then each arm, in the order in which they are given."""
    parts: dict[tuple[str, Keys, Keys], list[Estimate]] = {}
    for e in found:
        parts.setdefault((e.metric, e.stratum, _whose(e, key)), []).append(e)
    metrics, strata = ({part[i] for part in parts} for i in (0, 1))
    one_arm = len({whose for _, _, whose in parts}) == 1 and len(parts) > 1
    panels = []
    for (metric, stratum, whose), points in parts.items():
        words = points[0].words
        ordered = sorted(points, key=lambda e: _level(e, key))
        if len({_level(e, key) for e in ordered}) < len(ordered):
            raise ValueError(f"figure {figure_id}: two estimates of one step of {group_words(whose, words)}")
        head = [metric_words(metric, words)] if len(metrics) > 1 else []
        head += [stratum_words(stratum, words)] if len(strata) > 1 else []
        head += [] if one_arm else [group_words(whose, words)]
        panels.append(Panel(sentence_case(", ".join(filter(None, head))), frozenset(k for k, _ in whose),
                            tuple(ordered)))  # fmt: skip
    return panels


def _reads(panels: Sequence[Panel], key: str) -> list[str]:
    """What a point and a line are."""
    points = [e for panel in panels for e in panel.points]
    step = key_words(key, points[0].words)
    reads = [f"A point is one {step}."]
    if not is_nested(points[0], key):
        reads.append(f"No line joins the {step}s: each holds other tasks.")
    elif any(_joined(a, b, key) for panel in panels for a, b in pairwise(panel.points)):
        reads.append("A line joins steps over the same tasks, and claims nothing between them.")
    if any(axes.is_hollow(e) for e in points):
        reads.append("Hollow: a value without an interval.")
    return reads


def _notes(panels: Sequence[Panel]) -> list[str]:
    points = [e for panel in panels for e in panel.points]
    notes = []
    counts = {(e.words or PLAIN).metric(e.metric).counts for e in points if is_mean(e)} - {""}
    if counts:
        notes.append(
            f"n/N: tasks {listed(sorted(counts))}, and all that N counts; the point is the mean over N"
        )
    if any(e.left_out for e in points):
        notes.append("bounds are of all tasks, those left out of N included")
    return notes


def _joined(a: Estimate, b: Estimate, key: str) -> bool:
    """Whether a line may lead from a step to the next: the same tasks, and a point at both."""
    points = all(e.headline == "point" and e.value is not None for e in (a, b))
    return is_nested(a, key) and points and a.N == b.N and _level(b, key)[0] - _level(a, key)[0] == 1


def _rows(panels: Sequence[Panel], columns: int) -> list[list[Panel]]:
    """Panels side by side; those of another kind of arm begin a row, unless only the whole stands in it."""
    rows: list[list[Panel]] = [[]]
    for panel in panels:
        another = bool(rows[-1]) and rows[-1][-1].keys not in (panel.keys, frozenset())
        if len(rows[-1]) == columns or another:
            rows.append([])
        rows[-1].append(panel)
    return rows


def _lay_out(sheet: Sheet, panels: Sequence[Panel], key: str, context: FigureContext) -> None:
    """Rows of panels of one width; steps stand as far apart as their counts need, and no further."""
    most = max(len(panel.points) for panel in panels)
    room = max(width(ratio_words(e), size=12, bold=True) for panel in panels for e in panel.points) + 10
    inner = sheet.width - MARGIN
    rows = _rows(panels, max(1, int((inner + GAP) / (most * room + GAP))))
    columns = max(map(len, rows))
    step = min((inner - (columns - 1) * GAP) / columns / most, WIDEST)
    top, y = 30.0, 0.0
    sheet.parameters = {"floor": 0.0, "ceiling": 1.0, "top": top, "bottom": top + PLOT}
    for row in rows:
        below = [
            _panel(sheet, panel, key, context, MARGIN + at * (most * step + GAP), y, step, named=not at)
            for at, panel in enumerate(row)
        ]
        y = max(below) + 20
    sheet.height = y - 14


def _panel(
    sheet: Sheet, panel: Panel, key: str, context: FigureContext, x: float, y: float, step: float, *,
    named: bool,
) -> float:  # fmt: skip
    """One panel, its name's top at y; gives the y below it. ``named``: whether its axis is spelled."""
    bottom = y + sheet.parameters["bottom"]
    wide = step * len(panel.points)
    sheet.label(x, y + 12, panel.name, bold=True, room=max(wide, step * 2))
    for at, word in SHARE_TICKS:
        level = bottom - at * PLOT
        sheet.rule(x, level, x + wide, level, "hair" if at else "rule")
        if named:
            sheet.label(x - 8, level + 4, word, size=12, fill="ink3", align="right")
    places = [x + (at + 0.5) * step for at in range(len(panel.points))]
    for (a, b), (left, right) in zip(pairwise(panel.points), pairwise(places), strict=True):
        if _joined(a, b, key) and a.value is not None and b.value is not None:
            sheet.rule(left, bottom - a.value * PLOT, right, bottom - b.value * PLOT, "ink3")
    for e, place in zip(panel.points, places, strict=True):
        axes.upright_estimate(sheet, e, place, y, tip=captions.text(captions.clause(e, label=panel.name)))
    return _under(sheet, panel, key, context, places, step, bottom, named=named)


def _under(
    sheet: Sheet, panel: Panel, key: str, context: FigureContext, places: Sequence[float], step: float,
    bottom: float, *, named: bool,
) -> float:  # fmt: skip
    """Below the axis the steps, their n/N in as many lines as keep them apart, and their values."""
    counts = [ratio_words(e) for e in panel.points]
    rooms = [width(words, size=12, bold=True) for words in counts]
    lines = in_rows(places, rooms, rows=len(counts), apart=6)
    last = max(line or 0 for line in lines)
    if named:
        step_name = key_words(key, panel.points[0].words)
        for down, words in ((19, step_name), (36, "n/N"), *(((52, "value"),) if not last else ())):
            sheet.label(MARGIN - 8, bottom + down, words, size=12, fill="ink3", align="right")
    for e, x, words, line in zip(panel.points, places, counts, lines, strict=True):
        sheet.label(x, bottom + 19, visible(e.group[key]), size=12, align="center", room=step - 4)
        bold = e.headline == "point"
        href = _href(e, key, context)
        sheet.label(x, bottom + 36 + 16 * (line or 0), words, size=12, bold=bold, align="center", href=href)
        shown = value(e) if e.headline == "point" else _INSTEAD.get(e.headline, "")
        if not last and width(shown, size=12) <= step:
            sheet.label(x, bottom + 52, shown, size=12, fill="ink2", align="center")
    return bottom + (56 if not last else 40 + 16 * last)


_INSTEAD: Final = {"counts": "too few", "bounds": "bounds", "withheld": "withheld"}
"""What stands in a value's place; n/N shows N/A already."""


def _href(e: Estimate, key: str, context: FigureContext) -> str:
    """The runs behind a step; of repeats every run, for a run is of no k."""
    group = e.group.without(key) if is_nested(e, key) else e.group
    return context.links.reviews(
        ReviewFilter(experiment=e.experiment, family=e.family, group=group, stratum=e.stratum)
    )
