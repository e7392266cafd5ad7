"""The list of models, by name, and the page of each: funnels, timelines, verdicts, money, broken runs.

Does: cut the reports to one arm, section by section, the newest experiment of a family first. Does not:
rank models, or choose figures; `site_src.pages.results.figures` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.look_alikes import look_alikes, told
from metrics_core.results import PLAIN, Estimate, Keys, Report
from metrics_core.text import plural
from site_src import paths
from site_src.drawing import RowFigure
from site_src.marks import swatch
from site_src.pages import summaries
from site_src.pages.cells import inline, table_caption, withheld
from site_src.pages.components import Cell, FigureBlock, Listing, Table, line, table, text
from site_src.pages.figure_collection import FigureCollection
from site_src.pages.results import figure_order, figures
from site_src.pages.results.model_head import (
    Section,
    briefly,
    first_numbers,
    in_a_row,
    most_run,
    of_model,
    opening,
    told_apart,
    told_elsewhere,
)
from site_src.pages.results.tables import context_table, own_tables
from site_src.pages.runs import Run
from site_src.pages.selection import arms_of, by_pair, last_stamp
from site_src.pages.site_map import SiteMap
from site_src.project import SiteExperiment
from site_src.wording import (
    FigureContext,
    FirstUse,
    Line,
    ReviewFilter,
    Span,
    as_words,
    count,
    in_order,
    in_words,
    is_arm,
    is_whole,
    listed,
    many_in_words,
    sentence_case,
    svg_markup,
)

ALL_RUNS = {1: "The run", 2: "Both runs"}
"""How a link to all runs is worded where they are few."""

MOST_BROKEN = 8
"""Such runs that a model's page lists before it points to the filtered list."""

MOST_PAGES = 3
"""Broken things that a row names."""


class ModelsView(Struct, frozen=True, kw_only=True):
    """Every model, by name: there is no rank.

    Attributes:
        alike: Sentences on names that a reader takes for one another.
    """

    template: ClassVar[str] = "results/models.html"
    title: str
    lede: str
    alike: tuple[Line, ...]
    models: Table


class ModelView(Struct, frozen=True, kw_only=True):
    """One model.

    Attributes:
        apart: What tells it from other arms, experiment by experiment; ``elsewhere`` what the others come to.
        hidden: What is withheld.
        filed: The experiment, where there is one; none where each section names its own.
        contents: Each section and its first numbers; none where there is one section.
    """

    template: ClassVar[str] = "results/model.html"
    title: str
    lede: Line
    up: str
    filed: Listing
    apart: tuple[Line, ...]
    elsewhere: str
    hidden: tuple[Line, ...]
    contents: tuple[RowFigure, ...]
    families: tuple[ModelFamilyView, ...]


class ModelFamilyView(Struct, frozen=True, kw_only=True):
    """What one experiment and family say of a model.

    Attributes:
        newer: The section of this page that stands for this one; its text is empty where this one leads.
        is_newer: Whether the experiment of that section has the later runs, as far as their dates are known.
        figures: Those that stand open; ``further`` the others, each behind its title.
        plain: Whether the tables of results stand open: of a newest experiment, in which the arm does all
            of the work; of a part of an arm the figures say it.
        context: Money, time, tokens.
    """

    id: str
    title: str
    experiment: Span
    newer: Span
    is_newer: bool
    figures: tuple[FigureBlock, ...]
    further: tuple[FigureBlock, ...]
    plain: bool
    results: tuple[Table, ...]
    broken: tuple[BrokenView, ...]
    context: tuple[Table, ...]


class BrokenView(Struct, frozen=True, kw_only=True):
    """Runs in the first corner: how many, which, and where all of them are."""

    summary: Line
    runs: Table
    all_runs: Span


def models_view(site: SiteMap) -> ModelsView:
    """The list of models."""
    context = site.context(paths.MODELS)
    first = most_run(site.experiments)
    read = [e for name in site.models if name in first for e in first[name][1]]
    apart = any(summaries.tells_apart(x.report) for x in site.experiments)
    beside = ", and what tells it from another, in which experiment" if apart else ""
    rows = [_model_row(site, name, first.get(name), context) for name in site.models]
    return ModelsView(
        title="Models",
        lede=f"{sentence_case(_counted(site))}, in the order of their names. "
        f"No rank is given: beside each stand its first numbers, of where it has the most attempts{beside}."
        f"{'' if apart else ' Nothing that is shown tells one from another.'}",
        alike=tuple(line(f"{told(group)}.") for group in look_alikes(site.models)),
        models=table(
            "Models",
            ["Model", "First numbers", *(["What tells it apart"] if apart else ()), "Experiments"],
            rows if apart else [[*row[:2], row[3]] for row in rows],
            captions=table_caption(read, context),
        ),
    )


def _counted(site: SiteMap) -> str:
    """How many models there are, and how many pipelines of them."""
    composed = {
        arm: names for arm, names in arms_of(x.report for x in site.experiments).items() if arm.composed
    }
    single = set(site.models).difference(*composed.values())
    return listed(
        [
            many_in_words(len(single), "model"),
            *(many_in_words(len(names), arm.title) for arm, names in composed.items()),
        ]
    )


def _model_row(
    site: SiteMap, name: str, first: tuple[SiteExperiment, list[Estimate]] | None, context: FigureContext
) -> list[Line | Span | str]:
    found = [(x, own) for x in site.experiments if (own := of_model(x, name))]
    most = max((e for _, own in found for e in own), key=lambda e: e.attempts)
    hidden = any(e.withheld for _, own in found for e in own)
    parts = _parts_played(e for _, own in found for e in own)
    return [
        (
            text(name, "strong", href=paths.relative(paths.MODELS, paths.model(name))),
            *((text(parts, "under"),) if parts != "model" else ()),
        ),
        in_a_row(*first, context) if first is not None else text("nothing that is shown", "quiet"),
        briefly([x for x, _ in found], name, paths.MODELS),
        (
            text(f"{many_in_words(len(found), 'experiment')}, at most "),
            Span(text=count(most.attempts), estimate=most.id),
            text(f" {plural('attempt', most.attempts)} behind a number"),
            *((text("; "), *withheld(partly=True)) if hidden else ()),
        ),
    ]


def _parts_played(found: Iterable[Estimate]) -> str:
    """As what an arm runs."""
    arms = {arm for e in found if (arm := (e.words or PLAIN).arm(e.group[0][0])) is not None}
    return ", ".join(arm.title for arm in sorted(arms, key=lambda arm: arm.place))


def _of_arm(x: SiteExperiment, arm: tuple[str, str]) -> Report:
    """The report with the estimates of one arm in one part, whatever else they are broken down by."""
    key, _ = arm
    return replace(
        x.report,
        estimates=tuple(
            e for e in x.of_report(by_pair).get(arm, ()) if (e.words or PLAIN).is_of(e.metric, e.stratum, key)
        ),
    )


def model_view(
    site: SiteMap, name: str, runs: Mapping[str, Sequence[Run]], collection: FigureCollection
) -> ModelView:
    """The page of one model.

    Args:
        site: Everything that has a page.
        name: The model.
        runs: Experiment -> its runs.
        collection: Takes the figures of this page.
    """
    page = collection.page
    context = site.context(page)
    known = (x for x in site.experiments if name in site.arms[x.name])
    found = sorted((x for x in known if of_model(x, name)), key=lambda x: _shown_first(x, name))
    sections = [
        Section(x, family, key)
        for x in found
        for family in x.report.families
        for key in in_order(
            (e.group[0][0] for e in of_model(x, name) if e.family == family), x.report.words_of(family)
        )
    ]
    sections.sort(key=lambda s: _as_a_part(s, name))
    newest: dict[tuple[str, str], Section] = {}
    for section in sections:
        newest.setdefault((section.family, section.key), section)
    first_use = FirstUse(context.links)
    lede = first_use(opening(found, name, sections, context))
    return ModelView(
        title=name,
        lede=lede,
        up=paths.relative(page, paths.MODELS),
        filed=Listing(title="Runs in", lines=tuple(_whose(found, page))),
        apart=tuple(map(first_use, told_apart(found, name, page))),
        elsewhere=told_elsewhere(found, name),
        hidden=tuple(_hidden(name, found)),
        contents=tuple(first_numbers(name, sections, context)) if len(sections) > 1 else (),
        families=_within_room(
            [
                _family(s, newest[(s.family, s.key)], name, runs.get(s.of.name, ()), collection, context)
                for s in sections
            ],
            collection,
        ),
    )


def _within_room(
    made: Sequence[ModelFamilyView], collection: FigureCollection
) -> tuple[ModelFamilyView, ...]:
    """The same sections with as much of them as has room: what stands open first, then the further."""
    figures_, tables_ = collection.figures_within, collection.tables_within
    opened = [replace(f, figures=figures_(f.figures), results=tables_(f.results)) for f in made]
    return tuple(replace(f, further=figures_(f.further), context=tables_(f.context)) for f in opened)


def _shown_first(x: SiteExperiment, name: str) -> tuple[bool, bool, tuple[int, ...]]:
    """Sorts experiments: those with numbers to show before those without, each newest first, undated last."""
    last = last_stamp(x.report)
    return all(e.withheld is not None for e in of_model(x, name)), not last, tuple(-ord(c) for c in last)


def _as_a_part(section: Section, name: str) -> tuple[bool, bool]:
    """Sorts sections: what is shown first, and what a model does alone before what it does as a part."""
    own = [
        e for e in of_model(section.of, name) if (e.family, e.group[0][0]) == (section.family, section.key)
    ]
    withheld_all = all(e.withheld is not None for e in own)
    return withheld_all, not is_whole(section.key, section.of.report.words_of(section.family))


def _whose(found: Sequence[SiteExperiment], page: str) -> Iterator[Line]:
    """Where the only experiment of a page stands; of several each section names its own."""
    if len(found) == 1:
        yield (text(found[0].title, href=paths.relative(page, paths.experiment(found[0].name))),)


def _hidden(name: str, found: Sequence[SiteExperiment]) -> Iterator[Line]:
    """What a failed control withholds."""
    for words in sorted({f"{e.family} of {x.title}" for x in found for e in of_model(x, name) if e.withheld}):
        yield (text(f"Not shown: {words}, "), *withheld())


def _family(
    section: Section,
    newest: Section,
    name: str,
    runs: Sequence[Run],
    collection: FigureCollection,
    context: FigureContext,
) -> ModelFamilyView:
    x, family, key = section.of, section.family, section.key
    arm = (key, name)
    report = _of_arm(x, arm)
    own = [e for e in of_model(x, name) if e.family == family and e.group == (arm,)]
    shown = any(e.withheld is None for e in own)
    of_arm = _only(report)
    words = report.words_of(family)
    titled = f"{name}{as_words(key, words)}: {family}"
    placed = figures.arm(report, family, arm, collection, context)
    shown_open, further = figure_order.parted(placed, report)
    older = shown and newest is not section
    return ModelFamilyView(
        id=section.id,
        title=f"{sentence_case(family)}{as_words(key, words)}",
        experiment=text(x.title, href=paths.relative(collection.page, paths.experiment(x.name))),
        newer=text(newest.of.title, href=f"#{newest.id}") if older else text(""),
        is_newer=last_stamp(newest.of.report) > last_stamp(report),
        figures=() if older else shown_open,
        further=placed if older else further,
        plain=is_whole(key, words) and not older,
        results=tuple(own_tables(of_arm, family, key, context, name=titled)) if shown else (),
        broken=tuple(broken_runs(x, own, name, runs, context)),
        context=tuple(context_table(of_arm, family, context)) if shown else (),
    )


def _only(report: Report) -> Report:
    """The report of one arm with what it did in this part and no other beside it."""
    return replace(
        report,
        estimates=tuple(e for e in report.estimates if sum(is_arm(k, e.words) for k, _ in e.group) == 1),
    )


def broken_runs(
    x: SiteExperiment, own: Sequence[Estimate], name: str, runs: Sequence[Run], context: FigureContext
) -> Iterator[BrokenView]:
    """Runs in the first corner, by name; the rest behind one link."""
    corners = (own[0].words or PLAIN).corners if own else None
    if corners is None:
        return
    facet = corners.names[0]
    shown = [e for e in own if e.metric == corners.metric and e.withheld is None and e.n]
    broken = [r for r in runs if facet in r.facets and r.key("model") == name]
    if not shown or not broken:
        return
    e = shown[0]
    href = context.links.reviews(
        ReviewFilter(experiment=x.name, family=e.family, group=Keys({"model": name}), facet=facet)
    )
    rows = [_broken_row(x.name, run, context) for run in broken[:MOST_BROKEN]]
    titles = list(dict.fromkeys(o.title for run in broken for o in run.outcomes))[:2]
    yield BrokenView(
        summary=(
            text("In "),
            *inline(e, context),
            text(f" {corners.sentence}"),
        ),
        runs=table(
            corners.heading,
            ["Run", *titles, "Broken"],
            rows,
            captions=table_caption([e], context),
        ),
        all_runs=text(ALL_RUNS.get(len(broken)) or f"All {in_words(len(broken))} runs", href=href),
    )


def _broken_row(experiment: str, run: Run, context: FigureContext) -> list[Cell | Line | Span | str]:
    base = context.links.reviews(ReviewFilter(experiment=experiment, family=run.family)).partition("#")[0]
    href = base.removesuffix("index.html") + f"{run.name}/index.html"
    record = f"{experiment}/{run.name}"
    broken: list[Span] = []
    for item in run.broken[:MOST_PAGES]:
        broken += ([text(" ")] if broken else []) + [text(item, "mono")]
    if len(run.broken) > MOST_PAGES:
        broken.append(text(f" and {count(len(run.broken) - MOST_PAGES)} more"))
    return [
        text(run.title, href=href),
        *(
            (Span(text=o.counted, role="quiet", mark=svg_markup(swatch(o.state)), record=record),)
            for o in run.outcomes[:2]
        ),
        tuple(broken),
    ]
