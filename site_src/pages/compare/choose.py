"""Choosing two arms to see task by task: two fields that lead to the pair's own page, and the same as links.

Does: list every pair that has a page, by experiment and by the part that its arms play. Does not: compare.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from metrics_core.results import Comparison
from site_src import paths
from site_src.pages.components import text
from site_src.pages.pair_sets import has_many_arms, is_comparable, place_over
from site_src.project import SiteExperiment
from site_src.wording import FigureContext, Line, count, kind_words

MOST_CHOICES = 45
"""Pairs of one experiment and kind that the list of all experiments leads to: those of ten arms."""

NOT_ASKED_FOR = (
    "An experiment of many arms has a page for those pairs alone that prose or a claim speaks of; every pair "
    "is in comparisons.csv among the downloads."
)


class PairChoice(Struct, frozen=True, kw_only=True):
    """Two arms, and the page on which they stand beside each other.

    Attributes:
        beside: What a reader should know before going there; empty for nothing.
    """

    a: str
    b: str
    href: str
    beside: str


class ChoiceGroup(Struct, frozen=True, kw_only=True):
    """Pairs among the arms of one kind in one experiment.

    Attributes:
        rest: Where further pairs stand; empty where all are here.
    """

    name: str
    pairs: tuple[PairChoice, ...]
    rest: Line


class ChooseView(Struct, frozen=True, kw_only=True):
    """The fields and the links.

    Attributes:
        title: Of the links.
        several: Whether there are groups to choose from.
        firsts, seconds: What the two fields offer before anything is chosen.
        a, b: The pair of the page that they stand on; empty on a list.
        unpaged: Why some pairs have no page of their own; empty where every pair has one.
    """

    title: str
    groups: tuple[ChoiceGroup, ...]
    several: bool
    firsts: tuple[str, ...]
    seconds: tuple[str, ...]
    a: str = ""
    b: str = ""
    unpaged: str = ""


def choose(
    found: Sequence[SiteExperiment], context: FigureContext, page: str, *, pair: tuple[str, str] | None = None
) -> ChooseView:
    """The choice among the pairs of some experiments.

    Args:
        found: Experiments that compare anything.
        context: Links of the page.
        page: Its path.
        pair: The two arms that the page is of; None on a list.
    """
    groups = [group for x in found for group in _groups(x, context, page, several=len(found) > 1)]
    if pair is not None:
        groups = [group for group in groups if any((p.a, p.b) == pair for p in group.pairs)]
    first = groups[0].pairs if groups else ()
    a = pair[0] if pair else first[0].a if first else ""
    beside = [p.b if p.a == a else p.a for p in first if a in (p.a, p.b)]
    return ChooseView(
        title="Every pair, as links",
        groups=tuple(groups),
        several=len(groups) > 1,
        firsts=tuple(sorted({name for p in first for name in (p.a, p.b)})),
        seconds=tuple(sorted(beside)),
        a=a if pair else "",
        b=pair[1] if pair else "",
        unpaged=NOT_ASKED_FOR if any(has_many_arms(x.report) for x in found) else "",
    )


def _groups(x: SiteExperiment, context: FigureContext, page: str, *, several: bool) -> Iterator[ChoiceGroup]:
    refused = {frozenset((c.a, c.b)) for c in x.report.comparisons if not is_comparable(c)}
    address = paths.relative(page, f"{paths.compare_experiment(x.name)}#choose")
    for kind, every in _pairs(x):
        paged = [(a, b) for a, b in every if context.links.pair(x.name, a, b)]
        shown = paged[:MOST_CHOICES] if several else paged
        rest: Line = ()
        if several and len(every) > len(shown):
            more = f"{count(len(every) - len(shown))} {'more ' if shown else ''}pairs"
            rest = (text(more, href=address),)
        pairs = tuple(
            PairChoice(
                a=a,
                b=b,
                href=context.links.pair(x.name, a, b),
                beside=" (not comparable)" if frozenset((a, b)) in refused else "",
            )
            for a, b in shown
        )
        if pairs or rest:
            yield ChoiceGroup(name=f"{x.title}, {kind}s" if several else f"{kind}s", pairs=pairs, rest=rest)


def _pairs(x: SiteExperiment) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Every two arms that are compared or refused, each once, by the part that they play."""
    found: dict[str, list[Comparison]] = {}
    for c in x.report.comparisons:
        found.setdefault(c.over, []).append(c)
    for same in sorted(found.values(), key=lambda same: place_over(same[0])):
        yield kind_words(same[0].over, same[0].words), sorted({(c.a, c.b) for c in same})
