"""Which arms can be told apart: the headline metric of every experiment, or every metric of one.

A matrix for each metric and stratum, what other denominators would change, what is not comparable, and the
way to any two arms task by task. It ranks nobody: arms stand in the order of their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec import Struct

from site_src import paths
from site_src.figures import forest, overview as overview_figure
from site_src.pages import summaries
from site_src.pages.compare import not_comparable
from site_src.pages.compare.choose import ChooseView, choose
from site_src.pages.compare.pairings import Pairings
from site_src.pages.compare.tables import sensitivity
from site_src.pages.components import FigureBlock, Listing, Opening, Table, line, text
from site_src.pages.figure_collection import FigureCollection, figure_id
from site_src.pages.pair_sets import PairSet, short_names, title_of
from site_src.pages.site_map import SiteMap
from site_src.project import SiteExperiment
from site_src.wording import (
    FirstUse,
    Line,
    Span,
    came_to,
    in_paragraph,
    kind_words,
    listed,
    many_in_words,
    metric_words,
    pairs_found,
    sentence_case,
)


class PairSetView(Struct, frozen=True, kw_only=True):
    """Every pair of arms on one metric in one stratum.

    Attributes:
        silent: Arms that are in no pair, since nothing is known of them here; else empty.
        sensitivity: Under other denominators; none where there is none to show.
    """

    id: str
    figure: FigureBlock
    silent: str
    sensitivity: tuple[Table, ...]


class ComparedView(Struct, frozen=True, kw_only=True):
    """What an experiment compares on this page, and where the rest of it stands."""

    id: str
    title: str
    summary: Line
    sets: tuple[PairSetView, ...]
    more: Line


class CompareView(Struct, frozen=True, kw_only=True):
    """The list of comparisons: of the site, or of one experiment."""

    template: ClassVar[str] = "compare/compare.html"
    opening: Opening
    up: str
    experiments: tuple[ComparedView, ...]
    refused: str
    not_comparable: tuple[Table, ...]
    choose: ChooseView


def compared(site: SiteMap) -> list[SiteExperiment]:
    """Experiments that compare anything, in the order of their names."""
    return [x for x in site.experiments if x.name in site.compared]


def overview(site: SiteMap, collection: FigureCollection) -> CompareView:
    """The headline metric of each experiment and family.

    Args:
        site: Everything that has a page.
        collection: Takes the figures of this page.
    """
    page = collection.page
    found = [Pairings(x) for x in compared(site)]
    alone, first_use = _alone(found), FirstUse(site.context(page).links)
    return CompareView(
        opening=Opening(
            title=_title(found),
            lede=first_use(_summary(alone)) if alone else line(RULE),
            here=Listing(title=_heading(found), lines=tuple(_contents(found))),
        ),
        up="",
        experiments=tuple(
            _experiment(
                own,
                [s for sets in own.headlines for s in sets],
                site,
                collection,
                first_use,
                said=own is alone,
            )
            for own in found
        ),
        refused=f"{REFUSED}{SERIES}" if site.series else REFUSED,
        not_comparable=(
            *_within(found, site, page),
            *not_comparable.between(site.experiments, page, site.context(page)),
        ),
        choose=choose([own.x for own in found], site.context(page), page),
    )


def of_experiment(site: SiteMap, x: SiteExperiment, collection: FigureCollection) -> CompareView:
    """Every metric on which arms of one experiment are compared.

    Args:
        site: Everything that has a page.
        x: The experiment.
        collection: Takes the figures of this page.
    """
    page, own = collection.page, Pairings(x)
    first_use = FirstUse(site.context(page).links)
    lines: list[Line] = [(text(title_of(s), href=f"#{s.id}"), text(f", {_found(s)}")) for s in own.sets]
    return CompareView(
        opening=Opening(
            title=f"{x.title}: what can be told apart",
            lede=first_use(_summary(own)),
            here=Listing(
                title=_heading([own]),
                lines=tuple(lines or [UNLIKE]),
            ),
        ),
        up=paths.relative(page, paths.COMPARE),
        experiments=(_experiment(own, own.sets, site, collection, first_use, whole=True),)
        if own.sets
        else (),
        refused=REFUSED,
        not_comparable=_within([own], site, page),
        choose=choose([x], site.context(page), page),
    )


RULE = (
    "Each experiment stands alone, on the metric it is first read by. A pair is separated only where the "
    "data carry it; where they do not, the two cannot be separated yet, and there is no order."
)
REFUSED = "Where any of these differs, no difference is computed: the two did not measure the same thing."
SERIES = (
    " One difference between experiments is given: in a series, of its newest and an earlier one, on"
    " the page of the series."
)


NOT_FIRST = (
    "What is compared here does not stand for the experiment: it is asserted, a probe, or architecture "
    "within an arm."
)


def _alone(found: Sequence[Pairings]) -> Pairings | None:
    """The one experiment, where there is one and it is first read by one metric."""
    return found[0] if len(found) == 1 and len(found[0].headlines) == 1 else None


def _title(found: Sequence[Pairings]) -> str:
    """How many pairs of the one set there are, and how many are separated; of several sets no sum is made."""
    alone = _alone(found)
    if alone is None:
        which = "it" if len(found) == 1 else "each"
        return sentence_case(f"{many_in_words(len(found), 'experiment')}, and what {which} can separate")
    s = alone.headlines[0][0]
    arms = many_in_words(len(s.arms), kind_words(s.first.over, s.first.words))
    pairs = many_in_words(len(s.comparisons), "pair")
    return sentence_case(f"{arms}, {pairs}: {_found(s)}")


def _found(s: PairSet) -> str:
    return "withheld" if s.withheld else pairs_found(s.comparisons)


UNLIKE: Line = (text("What is not comparable, and why", href="#not-comparable"),)


def _heading(found: Sequence[Pairings]) -> str:
    """What stands above the list beside the title; nothing is compared where no two arms share a stratum."""
    return "Compared here" if any(own.sets for own in found) else "On this page"


def _contents(found: Sequence[Pairings]) -> Iterator[Line]:
    """Each experiment, with what came of each metric that it is first read by."""
    for own in found:
        phrase: list[Span] = [text(own.x.title, href=f"#{section(own.x)}")]
        phrase += [] if own.sets else [text(", nothing could be compared")]
        sets = [s for lead in own.headlines for s in lead]
        for s, name in zip(sets, short_names(sets), strict=True):
            phrase += [text(", " if len(phrase) == 1 else "; "), text(name, "strong"), text(f" {_found(s)}")]
        yield tuple(phrase)


def section(x: SiteExperiment) -> str:
    """Element id of an experiment's section.

    It ends in a digest wherever the experiment's name is not an id by itself.
    """
    return f"compare-{x.slug}"


def _experiment(
    own: Pairings,
    sets: Sequence[PairSet],
    site: SiteMap,
    collection: FigureCollection,
    first_use: FirstUse,
    *,
    whole: bool = False,
    said: bool = False,
) -> ComparedView:
    """What an experiment compares; ``said``: whether the page's first sentences are its summary."""
    x, shown = own.x, {s.key for s in sets}
    more: Line = ()
    if not whole:
        others = [s for s in own.sets if s.key not in shown]
        phrase = listed(list(dict.fromkeys(metric_words(s.first.metric, s.first.words) for s in others)))
        further = f", {many_in_words(len(others), 'further comparison')}: {phrase}" if others else ""
        address = paths.relative(collection.page, paths.compare_experiment(x.name))
        more = (text("All that is compared in this experiment", href=address), text(further))
    return ComparedView(
        id=section(x),
        title="Metric by metric" if whole else x.title,
        summary=() if whole or said else first_use(_summary(own)),
        sets=tuple(_set(s, site, collection) for s in sets)
        if whole
        else tuple(_glance(own, sets, site, collection)),
        more=more,
    )


def _summary(own: Pairings) -> Line:
    """What stands for an experiment, a sentence a family; what is withheld, and by which control."""
    if not own.sets:
        return line("No two arms of this experiment share a stratum in which they could be compared.")
    if not own.headlines:
        return line(NOT_FIRST)
    shown = [lead for lead in own.headlines if not lead[0].withheld]
    if not shown:
        found = [c for c in own.x.report.controls if c.withholds]
        return line(f"Withheld: the {found[0].title} {came_to(found[0])}." if found else "Withheld.")
    return in_paragraph(map(summaries.told, shown))


def _set(s: PairSet, site: SiteMap, collection: FigureCollection) -> PairSetView:
    context = site.context(collection.page)
    drawing = forest.draw(
        s.comparisons, s.arms, figure_id=figure_id(forest.KIND, collection.page, s.id), context=context
    )
    (figure,) = collection.figures_within([collection.add(drawing)])
    return PairSetView(
        id=s.id,
        figure=figure,
        silent=_silent(s),
        sensitivity=collection.tables_within(sensitivity(s, context)),
    )


def _glance(
    own: Pairings, sets: Sequence[PairSet], site: SiteMap, collection: FigureCollection
) -> Iterator[PairSetView]:
    """What stands for an experiment in one figure: each arm, and beside it who is told apart."""
    if not sets:
        return
    drawing = overview_figure.draw(
        [e for s in sets for e in s.arms],
        [c for s in sets for c in s.comparisons],
        figure_id=figure_id(overview_figure.KIND, collection.page, own.x.slug),
        context=site.context(collection.page),
        arms=f"{kind_words(sets[0].first.over, sets[0].first.words)}s",
    )
    silent = " ".join(dict.fromkeys(filter(None, map(_silent, sets))))
    yield PairSetView(
        id=f"{section(own.x)}-all", figure=collection.add(drawing), silent=silent, sensitivity=()
    )


def _silent(s: PairSet) -> str:
    """Which arms ran here and are in no pair, since nothing is known of them."""
    if not s.silent:
        return ""
    pair = "it is" if len(s.silent) == 1 else "they are"
    return f"Nothing is known of {listed(s.silent)} here: {pair} in no pair."


def _within(found: Sequence[Pairings], site: SiteMap, page: str) -> tuple[Table, ...]:
    return tuple(t for own in found for t in own.refusals.within(site.context(page)))
