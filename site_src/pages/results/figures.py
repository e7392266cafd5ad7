"""Which figures a page of results has: what a report holds for it, and the call that draws it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from metrics_core.results import (
    NO_KEYS,
    PLAIN,
    CheckRow,
    Comparison,
    Estimate,
    Keys,
    Points,
    Report,
    Series,
    Tally,
)
from site_src.drawing import Figure
from site_src.figures import (
    assertion_strip,
    controls as control_figure,
    cost as cost_figure,
    cost_score,
    forest,
    funnel,
    overview as overview_figure,
    scatter,
    timeline,
)
from site_src.pages.components import FigureBlock
from site_src.pages.figure_collection import FigureCollection, figure_id
from site_src.pages.pair_sets import ArmPair
from site_src.pages.results import breakdowns
from site_src.pages.results.controls import facts
from site_src.pages.selection import arm_keys, at_a_glance, compared, metric_order, metric_place, newest_first
from site_src.pages.site_map import site_map
from site_src.project import BuildInfo, SiteExperiment, of_all
from site_src.wording import FigureContext, arm_of, is_arm, kind_words, pair_titles, provenance

Namer = Callable[..., str]


MOST_FIRST = 13
"""Rows of the first figure of a site; the groups beyond them have a figure of their own, further down."""


def overview(collection: FigureCollection, context: FigureContext) -> tuple[FigureBlock, ...]:
    """Every experiment at a glance: the few rows that are met first, then the others.

    Experiments with most records come first, of equally many the newest: an order that no result can change.

    Args:
        collection: Takes the figures.
        context: Links and build.
    """
    site = collection.site
    leading = tuple(x.name for x in site.leading)
    drawn = of_all(site.experiments, _overviews, leading, collection.page, site.with_runs, site.pairs)
    return tuple(collection.add(_of_build(figure, context)) for figure in drawn)


def _of_build(figure: Figure, context: FigureContext) -> Figure:
    """A figure whose caption names the build that is made."""
    strip = provenance.strip(figure.estimates, context)
    return replace(figure, caption=replace(figure.caption, strip=strip))


def _overviews(
    experiments: Sequence[SiteExperiment],
    leading: Collection[str],
    page: str,
    with_runs: Collection[str],
    pairs_paged: frozenset[ArmPair],
) -> tuple[Figure, ...]:
    """The overviews of a site of these experiments, whatever else it has; their captions name no build.

    Args:
        experiments: Every one of the site.
        leading: Names of those whose numbers are shown.
        page: Where they will stand.
        with_runs: Names of those whose runs have pages.
        pairs_paged: Every two arms that have a page.
    """
    alone = site_map(experiments, (), BuildInfo(version="", digest=""), with_runs, asked=lambda: pairs_paged)
    context, shown = alone.context(page), [x for x in experiments if x.name in leading]
    names = {x.name: x.title for x in shown}
    found, pairs = _glanced_at(shown)
    groups: dict[tuple[object, ...], list[Estimate]] = {}
    for e in found:
        groups.setdefault((e.experiment, e.family, e.metric, e.stratum), []).append(e)
    first: list[Estimate] = []
    rest: list[Estimate] = []
    for group in groups.values():
        met = not first or (not rest and len(first) + len(group) <= MOST_FIRST)
        (first if met else rest).extend(group)
    return tuple(
        _at_once(some, pairs, figure_id("overview", page, *key), names, context)
        for some, key in ((first, ()), (rest, ("others",)))
        if some
    )


def _glanced_at(
    experiments: Sequence[SiteExperiment],
) -> tuple[tuple[Estimate, ...], tuple[Comparison, ...]]:
    """Every experiment at a glance, those with most records first, and the pairs of their arms."""
    reports = [x.report for x in experiments]
    place = {r.experiment: i for i, r in enumerate(sorted(newest_first(reports), key=lambda r: -r.records))}
    found = sorted(at_a_glance(reports), key=lambda e: (e.withheld is not None, place[e.experiment]))
    pairs = (c for r in reports for c in r.comparisons if is_arm(c.over, c.words))
    return tuple(found), tuple(pairs)


def _at_once(
    found: Sequence[Estimate],
    pairs: Sequence[Comparison],
    key: str,
    names: Mapping[str, str],
    context: FigureContext,
) -> Figure:
    """Metrics on one axis; where nothing is compared, the title does not speak of telling apart."""
    shown = any(e.withheld is None for e in found)
    own = {kind_words(arm[0], e.words) for e in found if (arm := arm_of(e.group, e.words)) is not None}
    arms = f"{own.pop()}s" if len(own) == 1 else "models"
    return overview_figure.draw(
        found,
        pairs,
        figure_id=key,
        context=context,
        title="" if pairs or not shown else pair_titles.uncompared(found, arms),
        arms=arms,
        names=names,
    )


def family(
    report: Report, name: str, collection: FigureCollection, context: FigureContext
) -> tuple[FigureBlock, ...]:
    """Figures of a family on its experiment's page: models at a glance, then all runs together."""

    def key(kind: str, *more: object) -> str:
        return figure_id(kind, collection.page, name, *map(str, more))

    return tuple(
        collection.add(figure)
        for figure in (
            *glance(report, name, key, context),
            *funnels(report, name, NO_KEYS, key, context),
            *scatters(report, name, NO_KEYS, key, context),
            *strips(report, name, key, context),
            *breakdowns.of_experiment(report, name, key, context),
        )
    )


def arm(
    report: Report, name: str, who: tuple[str, str], collection: FigureCollection, context: FigureContext
) -> tuple[FigureBlock, ...]:
    """Figures of a family on an arm's page: its funnels, its courses, its runs as points, its verdicts."""
    part = who[0] if who[0] != "model" else ""

    def key(kind: str, *more: object) -> str:
        return figure_id(
            kind, collection.page, report.experiment, name, *filter(None, (part,)), *map(str, more)
        )

    group = Keys([who])
    return tuple(
        collection.add(figure)
        for figure in (
            *funnels(report, name, group, key, context),
            *timelines(report, name, group, key, context),
            *scatters(report, name, group, key, context),
            *breakdowns.of_arm(report, name, who, key, context),
        )
    )


def comparisons(
    report: Report, collection: FigureCollection, context: FigureContext
) -> tuple[FigureBlock, ...]:
    """A forest of differences for each metric and stratum on which arms are compared."""
    return tuple(map(collection.add, forests(report, partial(_keyed, collection), context)))


def cost(report: Report, collection: FigureCollection, context: FigureContext) -> tuple[FigureBlock, ...]:
    """Money by model, recorded beside recomputed, and the headline metric against it."""
    return tuple(map(collection.add, costs(report, partial(_keyed, collection), context)))


def controls(report: Report, collection: FigureCollection, context: FigureContext) -> tuple[FigureBlock, ...]:
    """The controls of an experiment, with what they guard."""
    return tuple(map(collection.add, guards(report, partial(_keyed, collection), context)))


def _keyed(collection: FigureCollection, kind: str, *more: object) -> str:
    return figure_id(kind, collection.page, *map(str, more))


# -------------------------------------------------------------------------------------- what is offered


def forests(report: Report, key: Namer, context: FigureContext) -> Iterator[Figure]:
    """The differences of each metric and stratum on which arms are compared."""
    by_metric: dict[tuple[str, str, Keys, str], list[Comparison]] = {}
    for c in report.comparisons:
        if is_arm(c.over, c.words):
            by_metric.setdefault((c.family, c.metric, c.stratum, c.over), []).append(c)

    def place(item: tuple[tuple[str, str, Keys, str], list[Comparison]]) -> tuple[object, ...]:
        (family, metric, *rest), found = item
        return (family, metric_place(metric, found[0].words), rest)

    for at, found in sorted(by_metric.items(), key=place):
        if drawing := _forest(report, found, key("separation", at), context):
            yield drawing


def costs(report: Report, key: Namer, context: FigureContext) -> Iterator[Figure]:
    """Money by model, then the first metric of each family against it."""
    spent = [
        e for e in report.estimates if e.metric == "cost" and _by_model(e) and e.withheld is None and e.known
    ]
    if not spent or not report.costs:
        return
    yield cost_figure.draw(report.costs, spent, figure_id=key("cost"), context=context)
    for name in report.families:
        yield from _against_cost(report, name, spent, key("cost-score", name), context)


def guards(report: Report, key: Namer, context: FigureContext) -> Iterator[Figure]:
    """Every control at once."""
    if report.controls:
        yield control_figure.draw(
            report.controls,
            figure_id=key("controls"),
            context=context,
            facts=facts(report, context, report.controls),
        )


def _by_model(e: Estimate) -> bool:
    return len(e.group) == 1 and e.group[0][0] == "model"


def glance(report: Report, name: str, key: Namer, context: FigureContext) -> Iterator[Figure]:
    """Each kind of arm of a family at a glance, all its metrics on one axis."""
    pairs = [c for c in report.comparisons if is_arm(c.over, c.words) and c.family == name]
    for place, over in enumerate(arm_keys(report, name)):
        own = [c for c in pairs if c.over == over]
        more = () if over == "model" else (over,)
        if (own or not place) and (found := compared(report, name, over)):
            yield _at_once(found, own, key("overview", *more), {}, context)


def funnels(report: Report, name: str, group: Keys, key: Namer, context: FigureContext) -> Iterator[Figure]:
    """From attempts down to what was done, of exactly this group, one a stratum."""
    for shape in report.funnels:
        if shape.family == name and shape.group == group:
            yield funnel.draw(shape, figure_id=key("funnel", shape.stratum), context=context)


def timelines(report: Report, name: str, group: Keys, key: Namer, context: FigureContext) -> Iterator[Figure]:
    """The course of each metric over the stamps, of exactly this group, one a stratum."""
    for line in report.series:
        has_timeline = (line.words or PLAIN).metric(line.metric).timeline
        if line.family == name and line.group == group and has_timeline and _moves(line):
            yield timeline.draw(line, figure_id=key("timeline", line.metric, line.stratum), context=context)


def _moves(line: Series) -> bool:
    """Whether there is a course to see: two stamps or more, something known or withheld at one."""
    points = [e for segment in line.segments for e in segment.points]
    return len(points) > 1 and any(e.headline != "nothing" for e in points)


def scatters(report: Report, name: str, group: Keys, key: Namer, context: FigureContext) -> Iterator[Figure]:
    """Runs as points: of one model, or of all models together where the group is empty."""
    own = [p for p in report.points if p.family == name]
    for points in [p for p in own if p.group == group] or (_together(own) if not group else ()):
        corners = (points.words or PLAIN).corners
        metrics = (points.x, points.y, *((corners.metric,) if corners else ()))
        found = [
            e
            for m in metrics
            for e in report.estimates
            if (e.family, e.metric, e.group, e.stratum) == (name, m, points.group, points.stratum)
            and e.withheld is None
        ]
        if found and points.points:
            yield scatter.draw(points, found, figure_id=key(scatter.KIND, points.stratum), context=context)


def _together(found: Sequence[Points]) -> Iterator[Points]:
    """The points of all models of a stratum, counted together."""
    for stratum in dict.fromkeys(p.stratum for p in found):
        same = [p for p in found if p.stratum == stratum]
        counted: Counter[tuple[float, float]] = Counter()
        for points in same:
            for x, y, n in points.points:
                counted[(x, y)] += n
        yield replace(
            same[0], group=NO_KEYS, points=tuple((x, y, n) for (x, y), n in sorted(counted.items()))
        )


def strips(report: Report, name: str, key: Namer, context: FigureContext) -> Iterator[Figure]:
    """Named assertions that fail, by model, one figure a stratum."""
    for stratum in dict.fromkeys(row.stratum for row in report.checks if row.family == name):
        rows = [row for row in report.checks if row.family == name and row.stratum == stratum]
        own = [
            e
            for e in report.estimates
            if e.family == name and e.stratum == stratum and _by_model(e) and e.withheld is None and e.N
        ]
        found = _counted_from(rows, own)
        if found and (companion := (found[0].words or PLAIN).metric(found[0].metric).companion):
            found += [e for e in own if e.metric == companion]
        if found and any(tally.false for row in rows for _, tally in row.by_model):
            yield assertion_strip.draw(rows, found, figure_id=key("assertions", stratum), context=context)


def _counted_from(rows: Sequence[CheckRow], found: Sequence[Estimate]) -> list[Estimate]:
    """Estimates by model of the first metric whose counts hold the assertions, those that fail as well."""
    tallies: dict[str, Tally] = {}
    for row in rows:
        for model, tally in row.by_model:
            tallies[model] = tallies.get(model, Tally()) + tally
    for metric in metric_order(found):
        by_model = {e.group[0][1]: e for e in found if e.metric == metric}
        if all(m in by_model and _holds(by_model[m], tally) for m, tally in tallies.items()):
            return list(by_model.values())
    return []


def _holds(e: Estimate, tally: Tally) -> bool:
    n, N = e.n or 0, e.N or 0
    return n >= tally.true and N - n >= tally.false


def _forest(report: Report, found: Sequence[Comparison], key: str, context: FigureContext) -> Figure | None:
    """Differences of one metric and stratum, unless nothing is known of the models or it is withheld."""
    c = found[0]
    names = {name for pair in found for name in (pair.a, pair.b)}
    estimates = [
        e
        for e in report.estimates
        if (e.family, e.metric, e.stratum) == (c.family, c.metric, c.stratum)
        and e.withheld is None
        and e.known
        and set(e.group.names) == {c.over}
        and e.group[0][1] in names
    ]
    return forest.draw(found, estimates, figure_id=key, context=context) if estimates else None


def _against_cost(
    report: Report, name: str, spent: Sequence[Estimate], key: str, context: FigureContext
) -> Iterator[Figure]:
    """The family's first metric against the cost of a run, where each model has one of both."""
    shown = [e for e in compared(report, name) if e.withheld is None and e.headline == "point"]
    if not shown:
        return
    scores = [e for e in shown if (e.metric, e.stratum) == (shown[0].metric, shown[0].stratum)]
    arms = {e.group for e in scores}
    shared = shown[0].stratum
    costs = [
        e
        for e in spent
        if e.family == name and e.group in arms and all(shared.get(k, v) == v for k, v in e.stratum)
    ]
    both = {e.group for e in costs}
    scores = [e for e in scores if e.group in both]
    if len(costs) == len(both) and len(scores) > 1:
        yield cost_score.draw(scores, costs, figure_id=key, context=context)
