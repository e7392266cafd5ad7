"""Figures of one metric broken down: by arm, by task, by two keys, step by step, and by what failed.

Does: choose which grids, rows and series of a family are drawn, of a whole experiment or of one arm, one
figure a stratum, never pooled. Does not: draw, or know a family; the choice rests on keys, units and what a
metric counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from metrics_core.results import NO_KEYS, PLAIN, CountedUnit, Estimate, Grid, Keys, Report
from site_src.drawing import Figure
from site_src.figures import curve, governance, heatmap, step_of
from site_src.pages.selection import is_context, metric_order, of_family
from site_src.wording import (
    FigureContext,
    arm_of,
    group_words,
    in_order,
    is_arm,
    is_whole,
    many_in_words,
    metric_words,
    titles,
)

Namer = Callable[..., str]

MOST_PANELS = 12
"""Panels of one figure; of more arms each key of arms has a figure of its own."""

MOST_CELLS = 100
"""Cells of a grid that is drawn; a larger one is a table."""

MOST_ROWS = 30
"""Rows of a figure of verdicts; more are a table."""


def of_experiment(report: Report, name: str, key: Namer, context: FigureContext) -> Iterator[Figure]:
    """Verdicts by arm and by task, grids, courses, and whose the failures were, of a whole experiment."""
    verdicts = _verdicts(report, name)
    words = report.words_of(name)
    arms = {arm[0] for e in verdicts if (arm := arm_of(e.group, words)) is not None}
    for over in in_order(arms, words):
        by_arm = [e for e in verdicts if set(e.group.names) == {over}]
        yield from _bars(by_arm, over, key, context)
    yield from _bars([e for e in verdicts if _by_task(e)], "scenario", key, context)
    yield from _side_by_side(report, name, NO_KEYS, key, context)
    for grid in report.grids:
        if grid.family == name and _is_map(grid):
            yield heatmap.draw(grid, figure_id=key("heatmap", grid.axes, grid.stratum), context=context)
    courses = list(series_of_experiment(report, name))
    alike = Counter(map(_course, courses))
    for series in courses:
        one_of_several = alike[_course(series)] > 1
        yield _curve(series, key, context, *([series[0].metric] if one_of_several else []))
    yield from _bars(_parted(report, name, NO_KEYS), "parted", key, context)


def of_arm(
    report: Report, name: str, arm: tuple[str, str], key: Namer, context: FigureContext
) -> Iterator[Figure]:
    """The same of one arm: its verdicts, its verdicts by task, its courses, and whose its failures were."""
    verdicts = _verdicts(report, name)
    yield from _bars([e for e in verdicts if e.group == (arm,)], "arm", key, context)
    yield from _bars([e for e in verdicts if _by_task(e) and arm in e.group], "scenario", key, context)
    yield from _side_by_side(report, name, Keys([arm]), key, context)
    for series in series_of_arm(report, name, arm):
        yield _curve(series, key, context)
    if is_whole(arm[0], report.words_of(name)):
        yield from _bars(_parted(report, name, Keys([arm])), "parted", key, context)


def _side_by_side(
    report: Report, name: str, group: Keys, key: Namer, context: FigureContext
) -> Iterator[Figure]:
    """Each part measured by itself beside the same part where it belongs; nothing where it is only one."""
    words = report.words_of(name)
    parts = (words or PLAIN).parts
    if parts is None:
        return
    order = {metric: at for at, metric in enumerate(parts.metrics)}
    found = [
        e
        for e in of_family(report, name)
        if e.group == group and parts.key in e.stratum.names
        and e.unit == "fraction" and e.polarity == "for"
        and (e.withheld is not None or e.known == e.N)
    ]  # fmt: skip
    rows = sorted(found, key=lambda e: (order.get(e.metric, len(order)), e.metric, e.stratum))
    levels: dict[str, set[str]] = {}
    for e in rows:
        levels.setdefault(e.metric, set()).add(e.stratum[parts.key])
    both = sum(len(measured) > 1 for measured in levels.values())
    if both and len(rows) <= MOST_ROWS:
        whose = f" of {group_words(group, words)}" if group else ""
        (only, *more) = [metric for metric, measured in levels.items() if len(measured) > 1]
        named = f"{many_in_words(both, 'metric')}" if more else metric_words(only, words)
        clause = f"each {parts.clause}" if more else parts.clause
        title = titles.fitting(f"{named}{whose}, {clause}", f"{named}, {clause}")
        figure_key = key("governance", "side by side")
        yield governance.draw(rows, figure_id=figure_key, context=context, title=title)


def _curve(series: Sequence[Estimate], key: Namer, context: FigureContext, *more: str) -> Figure:
    return curve.draw(series, figure_id=key("curve", *map(list, _course(series)), *more), context=context)


def _course(series: Sequence[Estimate]) -> tuple[tuple[str, ...], tuple[Keys, ...]]:
    """Keys and strata of a course: what its figure is named after."""
    which = {k for e in series for k, _ in e.group}
    return tuple(sorted(which)), tuple(sorted({e.stratum for e in series}))


def _by_task(e: Estimate) -> bool:
    keys = set(e.group.names)
    return "scenario" in keys and len(keys) == 2 and len(in_order(keys, e.words)) == 1


def _is_map(grid: Grid) -> bool:
    """Whether a grid is of two parts of one arm, or of two keys that are no arms; not results by arm."""
    arms = len(in_order(grid.axes, grid.words))
    return len(grid.axes) == 2 and arms != 1 and len(grid.cells) <= MOST_CELLS and _is_share(grid.cells)


def _is_confusion(grid: Grid) -> bool:
    """Whether both keys have the same levels: what should have been, and what was."""
    down, across = (set(grid.levels(axis)) for axis in grid.axes)
    return bool(down & across)


def _is_share(cells: Sequence[Estimate]) -> bool:
    return all(e.unit == "fraction" and not is_context(e) for e in cells)


def _verdicts(report: Report, name: str) -> list[Estimate]:
    """Shares of known verdicts, without those that only say another one the other way round."""
    found = [e for e in of_family(report, name) if e.counted_unit is CountedUnit.KNOWN_VERDICTS]
    good = {(e.group, e.stratum, e.N, (e.N or 0) - (e.n or 0)) for e in found if e.polarity == "for"}
    return [e for e in found if e.polarity != "against" or (e.group, e.stratum, e.N, e.n) not in good]


def _parted(report: Report, name: str, group: Keys) -> list[Estimate]:
    """Shares that make up a whole, by one key that is no arm, unless a grid holds it against its like."""
    confused = {g.metric for g in report.grids if g.family == name and _is_map(g) and _is_confusion(g)}
    keys = {k for k, _ in group}
    found = [
        e
        for e in of_family(report, name)
        if e.polarity == "neither"
        and e.unit == "fraction"
        and e.metric not in confused
        and set(group) <= set(e.group)
        and len(e.group) == len(group) + 1
        and not any(is_arm(k, e.words) for k in e.group.names if k not in keys)
        and e.withheld is None
        and e.known == e.N
    ]
    wholes: dict[tuple[object, ...], list[Estimate]] = {}
    for e in found:
        wholes.setdefault((e.metric, e.stratum, *e.group.names), []).append(e)
    return [
        e
        for parts in wholes.values()
        if len(parts) > 1 and {e.N for e in parts} == {sum(e.n or 0 for e in parts)}
        for e in parts
    ]


def _bars(found: Sequence[Estimate], of: str, key: Namer, context: FigureContext) -> Iterator[Figure]:
    """One figure a stratum; of many rows one a metric, and of very many none: they stand in a table."""
    order = {metric: i for i, metric in enumerate(metric_order(found))}
    ordered = sorted(found, key=lambda e: (e.stratum, order[e.metric], e.group))
    for stratum, same in groupby(ordered, key=lambda e: e.stratum):
        by_metric = [rows for rows in _by_metric(same) if any(e.headline != "nothing" for e in rows)]
        shown = [e for rows in by_metric for e in rows]
        parts = [shown] if len(shown) <= MOST_ROWS else by_metric
        for rows in parts:
            if rows and len(rows) <= MOST_ROWS:
                more = (of, stratum) if len(parts) == 1 else (of, stratum, rows[0].metric)
                title = titles.parts(rows) if of == "parted" else ""
                figure_key = key("governance", *more)
                yield governance.draw(rows, figure_id=figure_key, context=context, title=title)


def _by_metric(ordered: Iterable[Estimate]) -> list[list[Estimate]]:
    return [list(rows) for _, rows in groupby(ordered, key=lambda e: e.metric)]


def series_of_experiment(report: Report, name: str) -> Iterator[tuple[Estimate, ...]]:
    """The estimates of each figure of a family: one a step key and stratum, all runs first, then each arm."""
    found = sorted(_stepped(report, name), key=lambda e: (step_of(e), e.stratum))
    for _, same in groupby(found, key=lambda e: (step_of(e), e.stratum)):
        shown = _in_order(tuple(same))
        parts = [shown] if len({_panel(e) for e in shown}) <= MOST_PANELS else _by_keys(shown)
        yield from filter(_is_series, parts)


def series_of_arm(report: Report, name: str, arm: tuple[str, str]) -> Iterator[tuple[Estimate, ...]]:
    """The same of one arm: its strata side by side; nothing where no step has enough for a value."""
    found = sorted((e for e in _stepped(report, name) if arm in e.group), key=step_of)
    for _, same in groupby(found, key=step_of):
        shown = _in_order(tuple(same))
        if _is_series(shown) and any(e.headline not in ("counts", "nothing") for e in shown):
            yield shown


def _stepped(report: Report, name: str) -> Iterator[Estimate]:
    for e in of_family(report, name):
        rest = _whose(e)
        if step_of(e) and e.unit == "fraction" and not is_context(e) and (not rest or arm_of(rest, e.words)):
            yield e


def _whose(e: Estimate) -> Keys:
    return e.group.without(step_of(e))


def _panel(e: Estimate) -> tuple[str, Keys, Keys]:
    return e.metric, e.stratum, _whose(e)


def _is_series(shown: Sequence[Estimate]) -> bool:
    """Whether there is a course to see: two steps or more, something known or withheld at one, few panels."""
    steps = {e.group[step_of(e)] for e in shown}
    few = len({_panel(e) for e in shown}) <= MOST_PANELS
    return few and len(steps) > 1 and any(e.headline != "nothing" for e in shown)


def _in_order(found: Sequence[Estimate]) -> tuple[Estimate, ...]:
    """By metric and stratum; all runs first, unless they are those of the only arm; then arms by name."""
    metrics = {metric: at for at, metric in enumerate(metric_order(found))}
    arms = {_whose(e) for e in found} - {()}
    wanted = [e for e in found if len(arms) != 1 or _whose(e)]
    return tuple(sorted(wanted, key=lambda e: (metrics[e.metric], e.stratum, _arm_order(e))))


def _arm_order(e: Estimate) -> tuple[object, ...]:
    arms = [(arm, name) for key, name in _whose(e) if (arm := (e.words or PLAIN).arm(key)) is not None]
    return tuple((arm.place, name) for arm, name in arms)


def _by_keys(shown: Sequence[Estimate]) -> list[tuple[Estimate, ...]]:
    """All runs by themselves, and each key of arms by itself; they stand in that order already."""
    return [tuple(part) for _, part in groupby(shown, key=lambda e: (e.metric, _keys(_whose(e))))]


def _keys(whose: Keys) -> tuple[str, ...]:
    return whose.names
