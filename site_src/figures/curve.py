"""Curve: a metric at each step of an ordered key, turn after turn or repeat after repeat, one panel an arm.

Every step has its own n/N, interval and axis from 0 to 1. Points are joined by straight hairlines only
where neighbouring steps hold the same tasks: of pass^k and pass@k those of a larger k are among those of
a smaller one, so that an equal N means the same tasks; turns are other tasks, and nothing joins them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from metrics_core.results import PLAIN, Estimate, Keys
from site_src.drawing import (
    NARROWEST,
    PANEL_ROOMS,
    SHARE_TICKS,
    WIDE,
    Figure,
    Panel,
    PanelRoom,
    PanelRow,
    RowFigure,
    Sheet,
    arm_rows,
    axes,
    figure,
    in_rows,
    panel as panel_of,
    specification,
    width,
)
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
    shown_name,
    stratum_words,
    titles,
    value,
)

KIND = "curve"
LAYERS = ("boxes", "paths", "rules", "upright_intervals", "upright_caps", "upright_points", "labels")

BEFORE, PLOT, WIDEST = 46.0, 120.0, 92.0
"""Left of a panel's plot, height of a plot, most room of a step in a specification: px."""


class Curve(Struct, frozen=True):
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
    if hidden is None:
        drawing = RowFigure(id=figure_id, plots=_drawn(panels, key, figure_id, context))
    else:
        drawing = RowFigure(id=figure_id, tables=(arm_rows.hidden(shown, context),))
    notes = () if hidden else (*_notes(panels), *captions.beside_notes(shown))
    reads = () if hidden else _reads(panels, key)
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc, rows=drawing,
        caption=captions.caption(shown, context, reads=reads, bar="the bar", notes=notes),
        table=figure.reading(shown), csv=figure.csv(shown),
        spec=specification(KIND, LAYERS, _below_one_another(panels, key)), estimates=shown,
    )  # fmt: skip


def _title(panels: Sequence[Curve], key: str) -> str:
    """The counts at the first step and the last of the first panel; of repeats, over how many tasks.

    It names whose counts they are unless they are those of all.
    """
    shown, step = [e for panel in panels for e in panel.points], key_words(key, panels[0].points[0].words)
    what = listed(list(dict.fromkeys(metric_words(e.metric, e.words) for e in shown)))
    arms, words = {_whose(e, key) for e in shown}, shown[0].words
    named = ", ".join((what, *(group_words(whose, words) for whose in arms if whose and len(arms) == 1)))
    if is_nested(shown[0], key):
        levels = [shown_name(level) for _, level in sorted(_level(e, key) for e in shown)]
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
        f"{count(e.n)} of {count(e.N)} at {step} {shown_name(e.group[key])}"
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


def _panels(found: Sequence[Estimate], key: str, figure_id: str) -> list[Curve]:
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
        panels.append(Curve(sentence_case(", ".join(filter(None, head))), frozenset(k for k, _ in whose),
                            tuple(ordered)))  # fmt: skip
    return panels


def _reads(panels: Sequence[Curve], key: str) -> list[str]:
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


def _notes(panels: Sequence[Curve]) -> list[str]:
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


def _drawn(panels: Sequence[Curve], key: str, figure_id: str, context: FigureContext) -> tuple[PanelRow, ...]:
    """Panels in rows; those of another kind of arm begin a row, unless only the whole stands in it."""
    most = max(len(panel.points) for panel in panels)
    room = max(width(ratio_words(e), size=12, bold=True) for panel in panels for e in panel.points) + 8
    needed = BEFORE + most * room
    size: PanelRoom = next((name for name, px in PANEL_ROOMS.items() if needed <= px), "whole")
    out: list[list[Panel]] = [[]]
    before: frozenset[str] = frozenset()
    for at, panel in enumerate(panels):
        if out[-1] and before not in (panel.keys, frozenset()):
            out.append([])
        before = panel.keys
        sheet = Sheet(min(PANEL_ROOMS[size], NARROWEST), left=BEFORE)
        sheet.height = _panel(sheet, panel, key, 0.0, sheet.end - sheet.start, context)
        made = panel_of(
            KIND, LAYERS, sheet, element_id=f"{figure_id}-plot-{at + 1}",
            title=panel.name or key_words(key, panel.points[0].words),
            desc=captions.described(panel.points), memo=context.memo, name=panel.name,
        )  # fmt: skip
        out[-1].append(made)
    return tuple(PanelRow(room=size, panels=tuple(row)) for row in out)


def _below_one_another(panels: Sequence[Curve], key: str) -> Sheet:
    """All panels on one sheet, to be looked at as a whole."""
    sheet, y = Sheet(WIDE, left=BEFORE), 0.0
    for panel in panels:
        wide = min(sheet.end - sheet.start, WIDEST * len(panel.points))
        y = _panel(sheet, panel, key, y, wide, None) + 20
    sheet.height = y - 14
    return sheet


def _panel(
    sheet: Sheet, panel: Curve, key: str, y: float, wide: float, context: FigureContext | None
) -> float:
    """One panel from y on; gives the y below it. Without a context it has its name, and leads nowhere."""
    top = 10.5 if context is not None else 28.5
    if context is None:
        sheet.label(sheet.start, y + 12, panel.name, bold=True, room=sheet.end - sheet.start)
    sheet.parameters = {"floor": 0.0, "ceiling": 1.0, "top": top, "bottom": top + PLOT}
    bottom = y + top + PLOT
    x, step = sheet.start, wide / len(panel.points)
    for at, word in SHARE_TICKS:
        level = bottom - at * PLOT
        sheet.rule(x, level, x + wide, level, "hair" if at else "rule")
        sheet.label(x - 8, level + 4, word, size=12, fill="ink3", align="right")
    places = [x + (at + 0.5) * step for at in range(len(panel.points))]
    for (a, b), (left, right) in zip(pairwise(panel.points), pairwise(places), strict=True):
        if _joined(a, b, key) and a.value is not None and b.value is not None:
            sheet.rule(left, bottom - a.value * PLOT, right, bottom - b.value * PLOT, "ink3")
    for e, place in zip(panel.points, places, strict=True):
        axes.upright_estimate(sheet, e, place, y, tip=captions.text(captions.clause(e, label=panel.name)))
    return _under(sheet, panel, key, places, step, bottom, context)


def _under(
    sheet: Sheet, panel: Curve, key: str, places: Sequence[float], step: float, bottom: float,
    context: FigureContext | None,
) -> float:  # fmt: skip
    """Below the axis the steps, their n/N in as many lines as keep them apart, and their values."""
    counts = [ratio_words(e) for e in panel.points]
    rooms = [width(words, size=12, bold=True) for words in counts]
    lines = in_rows(places, rooms, rows=len(counts), apart=6)
    last = max(line or 0 for line in lines)
    step_name = key_words(key, panel.points[0].words)
    for down, words in ((19, step_name), (36, "n/N"), *(((52, "value"),) if not last else ())):
        sheet.label(BEFORE - 8, bottom + down, words, size=12, fill="ink3", align="right", room=BEFORE - 8)
    for e, x, words, line in zip(panel.points, places, counts, lines, strict=True):
        sheet.label(x, bottom + 19, shown_name(e.group[key]), size=12, align="center", room=max(step - 2, 8))
        bold = e.headline == "point"
        href = _href(e, key, context) if context is not None else ""
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
