"""The list of models, by name, and the page of each: funnels, timelines, verdicts, money, what is broken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from metrics_core.estimate import Estimate
from metrics_core.report import Report
from site_src import paths
from site_src.arms import ARMS, arm_of, as_words, in_order, kind_words
from site_src.figures.context import FigureContext, ReviewFilter
from site_src.naming import in_words, listed, sentence_case
from site_src.rounding import count
from site_src.swatch import swatch
from site_src.views import drawings, ledes
from site_src.views.context_results import context_table
from site_src.views.estimate_cells import inline, table_caption
from site_src.views.figures import Gallery
from site_src.views.inputs import SiteExperiment
from site_src.views.ledes import plural
from site_src.views.parts import Cell, Figure, Line, Listing, Span, Table, drawn, line, table, text
from site_src.views.results import own_tables
from site_src.views.runs import Run
from site_src.views.site_map import SiteMap

BROKEN = "done, but broken"
"""The facet of runs whose task is done and whose application is broken."""

MOST_BROKEN = 8
"""Such runs that a model's page lists before it points to the filtered list."""

MOST_PAGES = 3
"""Broken things that a row names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsView:
    """Every model, by name: there is no rank."""

    template: ClassVar[str] = "models.html"
    title: str
    lede: str
    models: Table


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenView:
    """Runs with the task done and the application broken."""

    said: Line
    runs: Table
    all_runs: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFamilyView:
    """What one experiment and family say of a model."""

    title: str
    experiment: Span
    figures: tuple[Figure, ...]
    results: tuple[Table, ...]
    broken: tuple[BrokenView, ...]
    context: tuple[Table, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelView:
    """One model."""

    template: ClassVar[str] = "model.html"
    title: str
    lede: Line
    up: str
    arm: Listing
    families: tuple[ModelFamilyView, ...]


def models_view(site: SiteMap) -> ModelsView:
    """The list of models."""
    return ModelsView(
        title="Models",
        lede=f"{sentence_case(_counted(site))}, in the order of their names. "
        "No rank is given: which of them can be told apart, and on what, stands with each experiment.",
        models=table(
            "Models",
            ["Model", "Runs as", "Families", "Experiments, and most attempts behind a number", "Numbers"],
            [_model_row(site, name) for name in site.models],
        ),
    )


def _counted(site: SiteMap) -> str:
    """How many models there are, and how many pipelines of them."""
    pipelines = set(ledes.arms_of(x.report for x in site.experiments).get("pipeline", ()))
    told = [plural(len(set(site.models) - pipelines), "model")]
    return listed([*told, *([plural(len(pipelines), "pipeline")] if pipelines else [])])


def _model_row(site: SiteMap, name: str) -> list[Line | Span | str]:
    found = [(x, own) for x in site.experiments if (own := _own(x, name))]
    experiments: list[Span] = []
    for x, own in found:
        most = max(own, key=lambda e: e.attempts)
        experiments += [text("; ")] if experiments else []
        experiments += [
            text(x.title, href=paths.relative(paths.MODELS, paths.experiment(x.name))),
            text(" "),
            Span(text=count(most.attempts), estimate=most.id),
        ]
    hidden = any(e.withheld for _, own in found for e in own)
    return [
        text(name, "strong", href=paths.relative(paths.MODELS, paths.model(name))),
        ", ".join(map(kind_words, in_order(e.group[0][0] for _, own in found for e in own))),
        ", ".join(sorted({e.family for _, own in found for e in own})),
        tuple(experiments),
        (Span(text="partly withheld", role="state", mark=drawn(swatch("withheld"))),)
        if hidden
        else line("shown"),
    ]


def _own(x: SiteExperiment, model: str) -> list[Estimate]:
    """Estimates about this arm and nothing more, whatever part it plays."""
    return [e for e in x.report.estimates if (arm := arm_of(e.group)) is not None and arm[1] == model]


def model_view(site: SiteMap, name: str, runs: Mapping[str, Sequence[Run]], gallery: Gallery) -> ModelView:
    """The page of one model.

    Args:
        site: Everything that has a page.
        name: The model.
        runs: Experiment -> its runs.
        gallery: Where the figures of this page are hung.
    """
    page = gallery.page
    context = site.context(page)
    found = sorted((x for x in site.experiments if _own(x, name)), key=lambda x: _shown_first(x, name))
    estimates = [e for x in found for e in _own(x, name)]
    return ModelView(
        title=name,
        lede=ledes.model([x.report for x in found], name, context),
        up=paths.relative(page, paths.MODELS),
        arm=Listing(title="Arm", lines=tuple(_arm(name, found, estimates, page))),
        families=tuple(
            _family(x, family, (key, name), runs.get(x.name, ()), gallery, context)
            for x in found
            for family in x.report.families
            for key in in_order(e.group[0][0] for e in _own(x, name) if e.family == family)
        ),
    )


def _shown_first(x: SiteExperiment, name: str) -> tuple[bool, tuple[int, ...]]:
    """Sorts experiments: those with numbers to show before those without, each newest first."""
    last = max((e.stamps[1] for e in x.report.estimates if e.stamps), default="")
    return all(e.withheld is not None for e in _own(x, name)), tuple(-ord(c) for c in last)


def _arm(
    name: str, found: Sequence[SiteExperiment], estimates: Sequence[Estimate], page: str
) -> Iterator[Line]:
    families = sorted({e.family for e in estimates})
    yield line(
        f"Runs in {in_words(len(families))} {'family' if len(families) == 1 else 'families'}, "
        f"{plural(len(found), 'experiment')}"
    )
    for x in found:
        yield (text(x.title, href=paths.relative(page, paths.experiment(x.name))),)
    hidden = sorted({f"{e.family} of {x.title}" for x in found for e in _own(x, name) if e.withheld})
    for words in hidden:
        yield (
            text(f"Not shown: {words}, "),
            Span(text="withheld", role="state", mark=drawn(swatch("withheld"))),
        )


def _family(
    x: SiteExperiment,
    family: str,
    arm: tuple[str, str],
    runs: Sequence[Run],
    gallery: Gallery,
    context: FigureContext,
) -> ModelFamilyView:
    report, (key, name) = x.report, arm
    own = [e for e in _own(x, name) if e.family == family and e.group == (arm,)]
    shown = any(e.withheld is None for e in own)
    narrowed = _only(report, arm)
    titled = f"{name}{as_words(key)}: {family}"
    return ModelFamilyView(
        title=f"{sentence_case(family)}{as_words(key)}",
        experiment=text(x.title, href=paths.relative(gallery.page, paths.experiment(x.name))),
        figures=drawings.arm(report, family, arm, gallery, context),
        results=tuple(own_tables(narrowed, family, key, context, name=titled)) if shown else (),
        broken=tuple(_broken(x, own, name, runs, context)),
        context=tuple(context_table(narrowed, family, context)) if shown else (),
    )


def _only(report: Report, arm: tuple[str, str]) -> Report:
    """The report with the estimates of one arm, in this part and no other beside it."""
    return replace(
        report,
        estimates=tuple(
            e for e in report.estimates if arm in e.group and sum(k in ARMS for k, _ in e.group) == 1
        ),
    )


def _broken(
    x: SiteExperiment, own: Sequence[Estimate], name: str, runs: Sequence[Run], context: FigureContext
) -> Iterator[BrokenView]:
    """Runs with the task done and the application broken, by name; the rest behind one link."""
    shown = [e for e in own if e.metric == "divergence" and e.withheld is None and e.n]
    broken = [r for r in runs if BROKEN in r.facets and r.key("model") == name]
    if not shown or not broken:
        return
    e = shown[0]
    href = context.links.reviews(
        ReviewFilter(experiment=x.name, family=e.family, group=(("model", name),), facet=BROKEN)
    )
    rows = [_broken_row(x.name, run, context) for run in broken[:MOST_BROKEN]]
    titles = list(dict.fromkeys(o.title for run in broken for o in run.outcomes))[:2]
    yield BrokenView(
        said=(
            text("In "),
            *inline(e, context),
            text(
                " every assertion of the change passed and something that used to work no longer "
                "did. Change is never shown without regress."
            ),
        ),
        runs=table(
            "Task done, application broken",
            ["Run", *titles, "Broken"],
            rows,
            captions=table_caption([e], context),
        ),
        all_runs=text(f"All {in_words(len(broken))} runs" if len(broken) > 1 else "The run", href=href),
    )


def _broken_row(experiment: str, run: Run, context: FigureContext) -> list[Cell | Line | Span | str]:
    base = context.links.reviews(ReviewFilter(experiment=experiment, family=run.family)).partition("#")[0]
    href = base.removesuffix("index.html") + f"{run.name}/index.html"
    broken: list[Span] = []
    for item in run.broken[:MOST_PAGES]:
        broken += ([text(" ")] if broken else []) + [text(item, "mono")]
    if len(run.broken) > MOST_PAGES:
        broken.append(text(f" and {count(len(run.broken) - MOST_PAGES)} more"))
    return [
        text(run.title, href=href),
        *(
            (Span(text=o.word, role="quiet", mark=drawn(swatch(o.state)), record=f"{experiment}/{run.name}"),)
            for o in run.outcomes[:2]
        ),
        tuple(broken),
    ]
