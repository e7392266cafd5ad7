"""Which figures stand on which page: chooses what a report offers and has it drawn. Draws nothing itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from metrics_core.compared import Comparison
from metrics_core.estimate import Estimate, Pairs
from metrics_core.report import Points, Report
from metrics_core.shapes import Series
from site_src import titles
from site_src.arms import ARMS, arm_of, kind_words
from site_src.figures import (
    assertion_strip,
    change_regress,
    controls as control_figure,
    cost as cost_figure,
    cost_score,
    funnel,
    overview as overview_figure,
    separation,
    timeline,
)
from site_src.figures.context import FigureContext
from site_src.figures.drawing import Drawing
from site_src.views import breakdowns
from site_src.views.controls import facts
from site_src.views.figures import Gallery, figure_id
from site_src.views.headline import arm_keys, at_a_glance, compared
from site_src.views.of_report import metric_order
from site_src.views.parts import Figure

LINES = ("change", "regress", "score", "utility", "security", "autonomy", "check_pass", "total_pass")
"""Metrics whose course over the stamps a model's page draws; of others it is in the data."""

Namer = Callable[..., str]


def overview(reports: Sequence[Report], gallery: Gallery, context: FigureContext) -> tuple[Figure, ...]:
    """The newest experiment of each family at a glance, all metrics on one axis."""
    found = at_a_glance(reports)
    if not found:
        return ()
    pairs = [c for r in reports for c in r.comparisons if c.over in ARMS]
    return (gallery.hang(_at_once(found, pairs, figure_id("overview", gallery.page), context)),)


def _at_once(
    found: Sequence[Estimate], pairs: Sequence[Comparison], key: str, context: FigureContext
) -> Drawing:
    """Metrics on one axis; where nothing is compared, the title does not speak of telling apart."""
    alone = titles.fitting(
        f"each metric of {found[0].family}, where there is nothing to compare", "each metric"
    )
    shown = any(e.withheld is None for e in found)
    own = {arm[0] for e in found if (arm := arm_of(e.group)) is not None}
    arms = f"{kind_words(own.pop())}s" if len(own) == 1 else "models"
    return overview_figure.draw(
        found, pairs, figure_id=key, context=context, title="" if pairs or not shown else alone, arms=arms
    )


def family(report: Report, name: str, gallery: Gallery, context: FigureContext) -> tuple[Figure, ...]:
    """Figures of a family on its experiment's page: models at a glance, then all runs together."""

    def key(kind: str, *more: object) -> str:
        return figure_id(kind, gallery.page, name, *map(str, more))

    return tuple(
        gallery.hang(made)
        for made in (
            *_glance(report, name, key, context),
            *_funnels(report, name, (), key, context),
            *_scatters(report, name, (), key, context),
            *_strips(report, name, key, context),
            *breakdowns.of_experiment(report, name, key, context),
        )
    )


def arm(
    report: Report, name: str, who: tuple[str, str], gallery: Gallery, context: FigureContext
) -> tuple[Figure, ...]:
    """Figures of a family on an arm's page: its funnels, its courses, its runs as points, its verdicts."""
    part = who[0] if who[0] != "model" else ""

    def key(kind: str, *more: object) -> str:
        return figure_id(kind, gallery.page, report.experiment, name, *filter(None, (part,)), *map(str, more))

    group = (who,)
    return tuple(
        gallery.hang(made)
        for made in (
            *_funnels(report, name, group, key, context),
            *_timelines(report, name, group, key, context),
            *_scatters(report, name, group, key, context),
            *breakdowns.of_arm(report, name, who, key, context),
        )
    )


def comparisons(report: Report, gallery: Gallery, context: FigureContext) -> tuple[Figure, ...]:
    """A forest of differences for each metric and stratum on which arms are compared."""
    by_metric: dict[tuple[str, str, Pairs, str], list[Comparison]] = {}
    for c in report.comparisons:
        if c.over in ARMS:
            by_metric.setdefault((c.family, c.metric, c.stratum, c.over), []).append(c)
    order = {m: i for i, m in enumerate(metric_order(metric for _, metric, *_ in by_metric))}
    made = (
        _forest(report, found, figure_id("separation", gallery.page, str(key)), context)
        for key, found in sorted(
            by_metric.items(), key=lambda item: (item[0][0], order[item[0][1]], item[0][2:])
        )
    )
    return tuple(gallery.hang(drawing) for drawing in made if drawing)


def cost(report: Report, gallery: Gallery, context: FigureContext) -> tuple[Figure, ...]:
    """Money by model, recorded beside recomputed, and the headline metric against it."""
    spent = [
        e for e in report.estimates if e.metric == "cost" and _by_model(e) and e.withheld is None and e.known
    ]
    if not spent or not report.costs:
        return ()
    made = [cost_figure.draw(report.costs, spent, figure_id=figure_id("cost", gallery.page), context=context)]
    for name in report.families:
        made += _against_cost(report, name, spent, figure_id("cost-score", gallery.page, name), context)
    return tuple(map(gallery.hang, made))


def controls(report: Report, gallery: Gallery, context: FigureContext) -> tuple[Figure, ...]:
    """The controls of an experiment, with what they guard."""
    if not report.controls:
        return ()
    made = control_figure.draw(
        report.controls,
        figure_id=figure_id("controls", gallery.page),
        context=context,
        facts=facts(report, context, report.controls),
    )
    return (gallery.hang(made),)


# -------------------------------------------------------------------------------------- what is offered


def _by_model(e: Estimate) -> bool:
    return len(e.group) == 1 and e.group[0][0] == "model"


def _glance(report: Report, name: str, key: Namer, context: FigureContext) -> Iterator[Drawing]:
    pairs = [c for c in report.comparisons if c.over in ARMS and c.family == name]
    for place, over in enumerate(arm_keys(report, name)):
        own = [c for c in pairs if c.over == over]
        more = () if over == "model" else (over,)
        if (own or not place) and (found := compared(report, name, over)):
            yield _at_once(found, own, key("overview", *more), context)


def _funnels(
    report: Report, name: str, group: Pairs, key: Namer, context: FigureContext
) -> Iterator[Drawing]:
    for shape in report.funnels:
        if shape.family == name and shape.group == group:
            yield funnel.draw(shape, figure_id=key("funnel", shape.stratum), context=context)


def _timelines(
    report: Report, name: str, group: Pairs, key: Namer, context: FigureContext
) -> Iterator[Drawing]:
    for line in report.series:
        if line.family == name and line.group == group and line.metric in LINES and _moves(line):
            yield timeline.draw(line, figure_id=key("timeline", line.metric, line.stratum), context=context)


def _moves(line: Series) -> bool:
    """Whether there is a course to see: two stamps or more, something known or withheld at one."""
    points = [e for segment in line.segments for e in segment.points]
    return len(points) > 1 and any(e.headline != "nothing" for e in points)


def _scatters(
    report: Report, name: str, group: Pairs, key: Namer, context: FigureContext
) -> Iterator[Drawing]:
    """Runs as points: of one model, or of all models together where the group is empty."""
    own = [p for p in report.points if p.family == name]
    for points in [p for p in own if p.group == group] or (_together(own) if not group else ()):
        metrics = (points.x, points.y, "divergence")
        found = [
            e
            for m in metrics
            for e in report.estimates
            if (e.family, e.metric, e.group, e.stratum) == (name, m, points.group, points.stratum)
            and e.withheld is None
        ]
        if found and points.points:
            yield change_regress.draw(
                points, found, figure_id=key("change-regress", points.stratum), context=context
            )


def _together(found: Sequence[Points]) -> Iterator[Points]:
    """The points of all models of a stratum, counted together."""
    for stratum in dict.fromkeys(p.stratum for p in found):
        same = [p for p in found if p.stratum == stratum]
        counted: Counter[tuple[float, float]] = Counter()
        for points in same:
            for x, y, n in points.points:
                counted[(x, y)] += n
        yield replace(same[0], group=(), points=tuple((x, y, n) for (x, y), n in sorted(counted.items())))


def _strips(report: Report, name: str, key: Namer, context: FigureContext) -> Iterator[Drawing]:
    """Named assertions that fail, by model, one figure a stratum."""
    for stratum in dict.fromkeys(row.stratum for row in report.checks if row.family == name):
        rows = [row for row in report.checks if row.family == name and row.stratum == stratum]
        found = [
            e
            for e in report.estimates
            if e.family == name
            and e.stratum == stratum
            and _by_model(e)
            and e.metric == "change"
            and e.withheld is None
            and e.N
        ]
        if found and any(tally.false for row in rows for _, tally in row.by_model):
            yield assertion_strip.draw(rows, found, figure_id=key("assertions", stratum), context=context)


def _forest(report: Report, found: Sequence[Comparison], key: str, context: FigureContext) -> Drawing | None:
    """Differences of one metric and stratum, unless nothing is known of the models or it is withheld."""
    c = found[0]
    names = {name for pair in found for name in (pair.a, pair.b)}
    estimates = [
        e
        for e in report.estimates
        if (e.family, e.metric, e.stratum) == (c.family, c.metric, c.stratum)
        and e.withheld is None
        and e.known
        and {k for k, _ in e.group} == {c.over}
        and e.group[0][1] in names
    ]
    return separation.draw(found, estimates, figure_id=key, context=context) if estimates else None


def _against_cost(
    report: Report, name: str, spent: Sequence[Estimate], key: str, context: FigureContext
) -> Iterator[Drawing]:
    """The family's first metric against the cost of a run, where each model has one of both."""
    shown = [e for e in compared(report, name) if e.withheld is None and e.headline == "point"]
    if not shown:
        return
    scores = [e for e in shown if (e.metric, e.stratum) == (shown[0].metric, shown[0].stratum)]
    arms = {e.group for e in scores}
    shared = dict(shown[0].stratum)
    costs = [
        e
        for e in spent
        if e.family == name and e.group in arms and all(shared.get(k, v) == v for k, v in e.stratum)
    ]
    both = {e.group for e in costs}
    scores = [e for e in scores if e.group in both]
    if len(costs) == len(both) and len(scores) > 1:
        yield cost_score.draw(scores, costs, figure_id=key, context=context)
