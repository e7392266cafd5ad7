"""The page of one experiment: results by family, controls check by check, comparisons, money, raw record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.results import MODEL, PLAIN, Estimate, Problem, Report, alike, place_and_words
from site_src import paths
from site_src.marks import StateName, swatch
from site_src.pages import summaries
from site_src.pages.compare import comparison_tables
from site_src.pages.components import FigureBlock, Listing, Table, Term, digest_span, line, table, text
from site_src.pages.figure_collection import FigureCollection
from site_src.pages.instruments import type_id
from site_src.pages.results import breakdowns, figure_order, figures
from site_src.pages.results.controls import (
    ControlView,
    WithheldView,
    control_line,
    control_view,
    withheld,
    worth_a_word,
)
from site_src.pages.results.stability import StabilityTable, stability_views
from site_src.pages.results.tables import context_table, result_tables
from site_src.pages.runs import RunLists
from site_src.pages.selection import arm_keys, of_family
from site_src.pages.site_map import SiteMap
from site_src.project import RawFile, SiteExperiment
from site_src.wording import (
    Definition,
    FigureContext,
    FirstUse,
    Line,
    Span,
    count,
    is_whole,
    key_words,
    listed,
    many,
    many_in_words,
    provenance,
    sentence_case,
    svg_markup,
)

MOST_SHOWN = 200
"""Problems, files or fields that a page lists before it points to the report."""

FIRST, FEW_FILES = 6, 16
"""Contradictions that stand open, the others behind them; files up to which their list stands open."""


class FamilyView(Struct, frozen=True, kw_only=True):
    """One family of an experiment.

    Attributes:
        partial: Name of the template partial that introduces it.
        shown, recorded: Whether it has results that are not withheld, and whether it has any.
        figures: Those that stand open; ``further`` the others, each behind its title.
        results: Metrics side by side, by arm.
        details: The same by other groups.
        ablations: By configuration within a model: architecture, not another model.
        context: Money, time, tokens.
    """

    id: str
    title: str
    partial: str
    contracts: tuple[Line, ...]
    shown: bool
    recorded: bool
    figures: tuple[FigureBlock, ...]
    further: tuple[FigureBlock, ...]
    results: tuple[Table, ...]
    ablations: tuple[Table, ...]
    details: tuple[Table, ...]
    context: tuple[Table, ...]


class ExperimentView(Struct, frozen=True, kw_only=True):
    """One experiment, whole.

    Attributes:
        told: What can be told apart, a line a metric; ``further_told`` the lines after the first metric and
            its companion, which a phone folds, so that the first figure is not far below them.
        terms: How much was run and when; ``instruments`` the digests that stand behind it, at the foot.
        told_apart: What its word means, where arms are told apart.
        further_comparisons, further_findings: What stands behind a line that says so.
        few_files: Whether the list of files is short enough to stand open.
    """

    template: ClassVar[str] = "results/experiment.html"
    title: str
    lede: Line
    about: str
    up: str
    controls_list: Listing
    told: tuple[Line, ...]
    further_told: tuple[Line, ...]
    terms: tuple[Term, ...]
    instruments: tuple[Term, ...]
    withheld: tuple[WithheldView, ...]
    families: tuple[FamilyView, ...]
    told_apart: tuple[Definition, ...]
    comparison_figures: tuple[FigureBlock, ...]
    further_comparisons: tuple[FigureBlock, ...]
    comparisons: tuple[Table, ...]
    stability: tuple[StabilityTable, ...]
    cost: tuple[FigureBlock, ...]
    control_figures: tuple[FigureBlock, ...]
    controls: tuple[ControlView, ...]
    problems: tuple[Line, ...]
    findings: tuple[Line, ...]
    further_findings: tuple[Line, ...]
    unread: tuple[Term, ...]
    files: Table
    few_files: bool
    open: Listing


def experiment_view(
    site: SiteMap, x: SiteExperiment, lists: RunLists, collection: FigureCollection
) -> ExperimentView:
    """The page of one experiment.

    Args:
        site: Everything that has a page.
        x: The experiment.
        lists: Where its runs are kept.
        collection: Takes the figures of this page.
    """
    page, report = collection.page, x.report
    found = tuple(alike(report.findings))
    context = site.context(page)
    first_use = FirstUse(context.links)
    lede = first_use(summaries.experiment(x))
    told = tuple(map(first_use, summaries.experiment_findings(x)))
    first = len(summaries.sentences(leads[0])) if (leads := summaries.leads(report)) else 1
    open_comparisons, further = figure_order.parted(figures.comparisons(report, collection, context), report)
    made = ExperimentView(
        title=x.title,
        lede=lede,
        about=x.description,
        up=paths.relative(page, paths.EXPERIMENTS),
        controls_list=Listing(
            title="Controls",
            lines=tuple(control_line(c, report, "#controls") for c in report.controls)
            or (line("No control was recorded, and none could be computed."),),
        ),
        told=told[:first],
        further_told=told[first:],
        terms=tuple(_terms(site, x, page)),
        instruments=tuple(_instruments(x, context)),
        withheld=tuple(withheld(report, context)),
        families=tuple(_family(site, x, family, collection) for family in report.families),
        told_apart=context.links.term("told-apart"),
        comparison_figures=open_comparisons,
        further_comparisons=further,
        comparisons=tuple(
            comparison_tables([c for c in report.comparisons if c.withheld_by is None], context)
        ),
        stability=tuple(
            view for family in report.families for view in stability_views(x, family, lists, context)
        ),
        cost=figures.cost(report, collection, context),
        control_figures=figures.controls(report, collection, context),
        controls=tuple(control_view(c, report, context) for c in report.controls if worth_a_word(c)),
        problems=tuple(_problems(tuple(alike(report.problems)), "invalid", "invalid")),
        findings=tuple(_problems(found[:FIRST], "finding", "error")),
        further_findings=tuple(_problems(found[FIRST:], "finding", "error")),
        unread=tuple(
            Term(word=name, lines=(_fields(fields),)) for name, fields in report.unknown_fields if fields
        ),
        files=_files(x, page),
        few_files=len(x.files) <= FEW_FILES,
        open=Listing(title="Files and links", lines=tuple(_open(site, x, page))),
    )
    return _within_room(made, collection)


def _within_room(made: ExperimentView, collection: FigureCollection) -> ExperimentView:
    """The same page with as much on it as has room: results, then what stands open, then the further."""
    figures_, tables_ = collection.figures_within, collection.tables_within
    families = [replace(f, results=tables_(f.results), ablations=tables_(f.ablations)) for f in made.families]
    families = [replace(f, figures=figures_(f.figures)) for f in families]
    made = replace(
        made,
        cost=figures_(made.cost),
        control_figures=figures_(made.control_figures),
        comparison_figures=figures_(made.comparison_figures),
    )
    families = [replace(f, further=figures_(f.further)) for f in families]
    made = replace(made, further_comparisons=figures_(made.further_comparisons))
    families = [replace(f, context=tables_(f.context), details=tables_(f.details)) for f in families]
    return replace(made, families=tuple(families), comparisons=tables_(made.comparisons))


def _terms(site: SiteMap, x: SiteExperiment, page: str) -> Iterator[Term]:
    report = x.report
    for series in site.series:
        if x.name in {each.name for each in series.experiments}:
            told = f", {many_in_words(len(series.experiments), 'experiment')} that follow upon one another"
            yield Term(
                word="Series",
                lines=(
                    (text(series.name, href=paths.relative(page, paths.series(series.name))), text(told)),
                ),
            )
    yield Term(
        word="Families",
        lines=tuple((text(f, href=f"#family-{paths.slug(f)}"),) for f in report.families) or (line("none"),),
    )
    yield Term(
        word="Records", lines=(line(Span(text=count(report.records), record=x.name), _duplicates(report)),)
    )
    if spans := [e.stamps for e in report.estimates if e.stamps]:
        first, last = min(s[0] for s in spans)[:10], max(s[1] for s in spans)[:10]
        yield Term(word="Dates", lines=(line(first if first == last else f"{first} to {last}"),))


def _instruments(x: SiteExperiment, context: FigureContext) -> Iterator[Term]:
    report = x.report
    yield Term(word="Data", lines=((digest_span(report.data_digest, "data", "#raw-data"),),))
    if report.source_digest != report.data_digest:
        yield Term(word="Before redaction", lines=((digest_span(report.source_digest, "data"),),))
    if x.pack is not None:
        yield Term(
            word="Pack",
            lines=(
                (
                    text(f"{x.pack.name} "),
                    digest_span(x.pack.digest, "pack", context.links.pack(x.pack.digest)),
                ),
            ),
        )
    if report.contracts:
        yield Term(
            word="Contracts",
            lines=tuple(
                (
                    text(f"{provenance.contract_name(c.ref)} "),
                    digest_span(c.ref.digest, "contract", context.links.contract(c.ref)),
                )
                for c in report.contracts
            ),
        )
    if dates := dict.fromkeys(t.fetched for t in x.prices[:1]):
        yield Term(word="Prices", lines=tuple((text(d, href=context.links.prices(d)),) for d in dates))
    for name, value in x.settings:
        yield Term(word=sentence_case(name), lines=(line(value),))
    if report.redacted:
        yield Term(
            word="Redacted", lines=(line(", ".join(f"{count(n)} × {name}" for name, n in report.redacted)),)
        )


def _duplicates(report: Report) -> str:
    return f", {many(report.duplicates, 'byte-identical repeat')} left out" if report.duplicates else ""


def _family(site: SiteMap, x: SiteExperiment, family: str, collection: FigureCollection) -> FamilyView:
    report, context = x.report, site.context(collection.page)
    vocabulary = report.words_of(family) or PLAIN
    shown = any(e.withheld is None for e in of_family(report, family))
    used = [c for c in report.contracts if c.family == family]

    def tables(*keys: str) -> Iterator[Table]:
        if shown:
            words = listed([key_words(k, vocabulary) for k in keys])
            yield from result_tables(
                report, family, frozenset(keys), context, name=f"{sentence_case(family)} by {words}"
            )

    placed = figures.family(report, family, collection, context) if shown else ()
    shown_open, further = figure_order.parted(placed, report)
    arms = arm_keys(report, family) or ["model"]
    first = arms[:1] if is_whole(arms[0], vocabulary) else arms
    whole = {(), *((key,) for key in arms)}
    groupings = sorted({_keys(e) for e in of_family(report, family)} - whole)
    in_curves = {
        keys for series in breakdowns.series_of_experiment(report, family) for keys in map(_keys, series)
    }
    ablated = {
        keys
        for arm in (MODEL, *vocabulary.arms)
        for k in vocabulary.keys
        if k.configuration and _varies(report, family, k.key, keys := tuple(sorted((arm.key, k.key))))
    }
    apart = {*ablated, *in_curves}
    parts = [(key,) for key in arms if key not in first]
    return FamilyView(
        id=f"family-{paths.slug(family)}",
        title=used[0].title if used and used[0].kind == "built-in" else sentence_case(family),
        partial=f"families/{paths.slug(family)}.html",
        contracts=tuple(
            (
                text(f"{provenance.contract_name(c.ref)} "),
                digest_span(c.ref.digest, "contract", context.links.contract(c.ref)),
            )
            for c in used
        ),
        shown=shown,
        recorded=bool(of_family(report, family)),
        figures=shown_open,
        further=further,
        results=tuple(t for key in first for t in tables(key)),
        ablations=tuple(t for keys in groupings if keys in ablated for t in tables(*keys)),
        details=tuple(t for keys in (*parts, *groupings) if keys not in apart for t in tables(*keys)),
        context=tuple(context_table(report, family, context)) if shown else (),
    )


def _varies(report: Report, family: str, key: str, keys: tuple[str, ...]) -> bool:
    """Whether some arm ran under more than one value of ``key``; one alone is no part switched on or off."""
    found = {(e.group.without(key), e.group[key]) for e in of_family(report, family) if _keys(e) == keys}
    arms = [arm for arm, _ in found]
    return len(arms) > len(set(arms))


def _keys(e: Estimate) -> tuple[str, ...]:
    return tuple(sorted(k for k, _ in e.group))


def _problems(found: Sequence[Sequence[Problem]], word: str, look: StateName) -> Iterator[Line]:
    for some in found[:MOST_SHOWN]:
        place, what = place_and_words(some)
        yield (
            Span(text=word, role="state", mark=svg_markup(swatch(look))),
            text(" "),
            text(place, "mono"),
            text(f" {what}"),
        )
    if len(found) > MOST_SHOWN:
        yield line(f"and {count(len(found) - MOST_SHOWN)} more, in the report")


def _fields(fields: Sequence[str]) -> Line:
    shown = ", ".join(fields[:MOST_SHOWN])
    return line(
        f"{sentence_case(many_in_words(len(fields), 'field'))} not read: ",
        text(shown, "quiet"),
    )


def _files(x: SiteExperiment, page: str) -> Table:
    rows: list[tuple[Span | str, ...]] = [
        (
            text(f.path, "mono", href=paths.relative(page, f.at) if f.at else ""),
            Span(text=count(f.size), record=x.name),
            text(f.sha256[:16], "mono"),
        )
        for f in x.files[:MOST_SHOWN]
    ]
    if len(x.files) > MOST_SHOWN:
        rows.append((text(f"{count(len(x.files) - MOST_SHOWN)} more, in the manifest", "quiet"), "", ""))
    return table("Raw data", ["File", "Bytes", "sha256"], rows, numeric=[1])


def _open(site: SiteMap, x: SiteExperiment, page: str) -> Iterator[Line]:
    yield (
        text("Report", href=paths.relative(page, paths.report(x.name))),
        text(", every estimate and comparison, JSON"),
    )
    if x.name in site.with_runs:
        yield (
            text("Reviews", href=paths.relative(page, paths.reviews(x.name))),
            text(", each run that could be read on its own page"),
        )
        yield (
            text("Tasks", href=paths.relative(page, paths.tasks(x.name))),
            text(", every run of one task side by side"),
        )
    for file in _published(x.files):
        yield (text(file.path, href=paths.relative(page, file.at)),)
    for kind in site.build.records:
        if any(f.path.startswith(f"{kind.folder}/") for f in x.files):
            yield (
                text(
                    f"Fields of {kind.name}",
                    href=paths.relative(page, f"{paths.DICTIONARY}#{type_id(kind.name)}"),
                ),
            )
    yield (text("How to verify", href=paths.relative(page, f"{paths.DATA}#verify")),)


def _published(files: Sequence[RawFile]) -> Iterator[RawFile]:
    for f in files:
        if f.at and f.path.startswith("controls/"):
            yield f
