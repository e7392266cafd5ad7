"""The pages on which arms are compared: the list, one page an experiment, one page a pair of arms."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from site_src import paths
from site_src.pages.compare import experiment, pair
from site_src.pages.compare.pairings import Pairings
from site_src.pages.compare.tasks import RunsByKey
from site_src.pages.page import Planned
from site_src.pages.runs import RunLists
from site_src.pages.site_map import SiteMap
from site_src.project import SiteExperiment


def compare_pages(where: SiteMap) -> Iterator[Planned]:
    """The list and a page for each experiment; nothing where no experiment compares anything.

    Args:
        where: Everything that has a page.
    """
    found = experiment.compared(where)
    if found:
        yield Planned(
            path=paths.COMPARE, kind="compare", title="Compare", view=partial(experiment.overview, where)
        )
    for x in found:
        yield Planned(
            path=paths.compare_experiment(x.name),
            kind="compare",
            title=f"{x.title}: what can be told apart",
            place=f"Compare, {x.title}",
            view=partial(experiment.of_experiment, where, x),
        )


def pair_pages(where: SiteMap, lists: RunLists) -> Iterator[Planned]:
    """A page for every two arms that an experiment compares, or refuses to.

    Args:
        where: Everything that has a page.
        lists: Where the runs of each experiment are kept; they are read when a pair is first wanted.
    """
    for x in experiment.compared(where):
        own, runs = Pairings(x), RunsByKey(x, lists)
        for a, b in pairs_of(x):
            yield Planned(
                path=paths.compare_pair(x.name, a, b),
                kind="compare-pair",
                title=f"{pair.title(a, b)}, in {x.title}",
                place=f"{a} and {b}, {x.title}",
                view=partial(pair.pair_view, where, own, runs, (a, b)),
            )


def pairs_of(x: SiteExperiment) -> list[tuple[str, str]]:
    """Names of every two arms that an experiment compares, or refuses to."""
    return sorted({(min(c.a, c.b), max(c.a, c.b)) for c in x.report.comparisons})
