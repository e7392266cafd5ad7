"""The overview: in one screen what was measured, under what, and what can and cannot be told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from markupsafe import Markup
from msgspec import Struct

from site_src import paths
from site_src.marks import StateName, swatch
from site_src.pages import summaries
from site_src.pages.components import FigureBlock, Listing, Table, Term, digest_span, line, table, text
from site_src.pages.decisions import briefly
from site_src.pages.figure_collection import Body, FigureCollection
from site_src.pages.results import experiment_list, figures
from site_src.pages.results.controls import state
from site_src.pages.series import SeriesNumbers, told
from site_src.pages.site_map import SiteMap
from site_src.project import SiteExperiment, of_all
from site_src.wording import (
    FirstUse,
    Line,
    Span,
    contract_name,
    count,
    many,
    many_in_words,
    sentence_case,
    svg_markup,
)

MOST_TOLD = 8
"""Experiments that the first page tells in full; of more it says how many follow."""

LONGEST_NAME = 60
"""Characters of a title beyond which it is a sentence."""


ROOM = 30_000
"""What its figures may come to, in bytes as they are sent: it is met first, and on whatever line there is."""


class OverviewView(Struct, frozen=True, kw_only=True):
    """The first page.

    Attributes:
        sentence: Whether the title is a long one, which is set smaller and over the whole width.
        title, lede: The author's, where ``index.md`` gives them; else what can be told apart.
        found: What can be told apart, below an author's own words; else empty.
        findings: What each experiment comes to; of a series its newest, and any that tells arms apart.
        series: The course of each series up to its newest.
        facts: How many controls held, of which days the runs are, what moved since the last edition.
        prose: What the author wrote in ``index.md``.
        first: The figure of the few rows that are met first; none where there is nothing to show.
        further: What it leaves out.
    """

    template: ClassVar[str] = "results/overview.html"
    title: str
    sentence: bool
    lede: Line
    found: Line
    findings: tuple[Line, ...]
    series: tuple[Line, ...]
    controls: Listing
    facts: tuple[Line, ...]
    terms: tuple[Term, ...]
    first: tuple[FigureBlock, ...]
    further: tuple[FigureBlock, ...]
    prose: Markup
    experiments: Table


def overview_view(
    site: SiteMap, since: str, body: Body, numbers: SeriesNumbers, collection: FigureCollection
) -> OverviewView:
    """The overview page.

    Args:
        site: Everything that has a page.
        since: What happened since the last edition, in words; empty before there is one.
        body: Makes what the author wrote on it, below its figures.
        numbers: What each series comes to.
        collection: Takes its figures.
    """
    page = collection.page
    context = site.context(page)
    authored = next((a for a in site.authored if a.path == paths.OVERVIEW), None)
    wanted = site.build.site.headline
    found = of_all(site.experiments, _headline, wanted)
    summary = summaries.overview(site.experiments, wanted, context, site.leading)
    own = authored.lede if authored is not None else ""
    own_title = authored.title if authored is not None else ""
    drawn = figures.overview(collection, context)
    first_use = FirstUse(context.links)
    shown = collection.figures_within(drawn, room=ROOM)
    return OverviewView(
        title=own_title or found,
        sentence=len(own_title or found) > LONGEST_NAME,
        lede=line(own) if own else first_use(summary),
        found=(*((text(f"{found} "),) if own_title else ()), *first_use(summary)) if own else (),
        findings=tuple(_findings(site, wanted, page, first_use)),
        series=tuple(map(first_use, _series(site, numbers, page))),
        controls=Listing(title="Controls", lines=tuple(_controls(site, page))),
        terms=tuple(_terms(site, since, page)),
        facts=tuple(_facts(site, since, page)),
        first=shown[:1],
        further=shown[1:],
        prose=body(authored, collection),
        experiments=table(
            "Experiments",
            experiment_list.HEADS,
            [experiment_list.row(x, page) for x in site.experiments],
            numeric=[3],
        ),
    )


def _headline(found: Sequence[SiteExperiment], wanted: str) -> str:
    return summaries.headline([x.report for x in found], wanted)


def _findings(site: SiteMap, wanted: str, page: str, first_use: FirstUse) -> Iterator[Line]:
    older = [x for x in site.experiments if x not in site.leading and x.of_report(summaries.tells_apart)]
    found = summaries.findings([*site.leading, *older], wanted, site.experiments)
    for x, said in found[:MOST_TOLD]:
        yield (
            text(x.title, href=paths.relative(page, paths.experiment(x.name))),
            text(": "),
            *first_use(said),
        )
    rest = len(found) - MOST_TOLD
    if rest > 0:
        yield line(sentence_case(f"{many_in_words(rest, 'more experiment')} below."))


def _series(site: SiteMap, numbers: SeriesNumbers, page: str) -> Iterator[Line]:
    """The newest of each series with what came before it: never the newest by itself."""
    for series in site.series:
        courses = numbers.of(series)
        first = [found for found in courses if found.line.metric == courses[0].line.metric]
        link = text(series.name, href=paths.relative(page, paths.series(series.name)))
        for found in first[:MOST_TOLD]:
            yield (
                link,
                text(": "),
                *(span for line_ in told(found, courses, series) for span in (text(" "), *line_)),
            )
        if len(first) > MOST_TOLD:
            more = many_in_words(len(first) - MOST_TOLD, "more course")
            yield line(text(series.name, href=link.href), f": {more} on its page.")


_STATES: Mapping[str, StateName] = {"held": "true", "failed": "false", "missing": "missing"}
"""Swatch of each state that the first line of a site counts."""


def _facts(site: SiteMap, since: str, page: str) -> Iterator[Line]:
    """One line of facts below what was found; each leads to where it is told."""
    states: Counter[str] = Counter(
        c.state for x in site.experiments for c in x.report.controls if c.state in _STATES
    )
    if states:
        counted = [
            (
                Span(text=f"{count(states[state])} {state}", mark=svg_markup(swatch(look))),
                text(", "),
            )
            for state, look in _STATES.items()
            if states[state]
        ]
        told = [span for pair in counted for span in pair][:-1]
        yield line(text(many(sum(states.values()), "control"), "strong", href="#controls"), ": ", *told)
    if site.stamps is not None:
        first, last = (stamp[:10] for stamp in site.stamps)
        yield line(f"Runs of {first}" if first == last else f"Runs of {first} to {last}")
    if since:
        yield line(text("What moved since the last edition", href=paths.relative(page, paths.EDITIONS)))


def _controls(site: SiteMap, page: str) -> Iterator[Line]:
    """Controls by state, those that did not hold first; equal ones of several experiments in one line."""
    order = {"failed": 0, "missing": 1, "held": 2, "not applicable": 3}
    found = [(c, x) for x in site.experiments for c in x.report.controls if c.state != "not applicable"]
    found.sort(key=lambda item: (order[item[0].state], item[0].title, item[1].name))
    held_controls: dict[str, dict[str, str]] = {}
    mark = Span(text="held", role="state", mark=svg_markup(swatch("true")))
    for control, x in found:
        if control.state == "held":
            held_controls.setdefault(control.title, {})[x.name] = x.title
            continue
        yield (
            state(control),
            text(f" {control.title}, "),
            text(x.title, href=paths.relative(page, f"{paths.experiment(x.name)}#controls")),
        )
    for title, whose in held_controls.items():
        alone = next(iter(whose.values())) if len(whose) == 1 else f"{count(len(whose))} experiments"
        yield (mark, text(f" {title}, {alone}"))


def _terms(site: SiteMap, since: str, page: str) -> Iterator[Term]:
    context = site.context(page)
    if site.decisions:
        yield Term(word="Decisions", lines=tuple(briefly(site.decisions, page)))
    if since:
        yield Term(
            word="Editions",
            lines=(line(f"{since} ", text("What moved", href=paths.relative(page, paths.EDITIONS))),),
        )
    if site.packs:
        yield Term(
            word="Packs",
            lines=tuple(
                (
                    text(f"{users[0].pack.name if users[0].pack else ''} "),
                    digest_span(digest, "pack", context.links.pack(digest)),
                )
                for digest, users in site.packs.items()
            ),
        )
    refs = [ref for found in site.contracts.values() for ref in found]
    if refs:
        yield Term(
            word="Contracts",
            lines=tuple(
                (
                    text(f"{contract_name(ref)} "),
                    digest_span(ref.digest, "contract", context.links.contract(ref)),
                )
                for ref in refs
            ),
        )
    if site.prices:
        yield Term(
            word="Prices", lines=tuple((text(date, href=context.links.prices(date)),) for date in site.prices)
        )
