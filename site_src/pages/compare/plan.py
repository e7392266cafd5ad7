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
    """A page for two arms that an experiment compares, or refuses to; of many arms for those asked for.

    Args:
        where: Everything that has a page.
        lists: Where the runs of each experiment are kept; they are read when a pair is first wanted.
    """
    for x in experiment.compared(where):
        own, runs = Pairings(x), RunsByKey(x, lists)
        for _, a, b in sorted(both for both in where.pairs if both.experiment == x.name):
            yield Planned(
                path=paths.compare_pair(x.name, a, b),
                kind="compare-pair",
                title=f"{pair.title(a, b)}, in {x.title}",
                place=f"{a} and {b}, {x.title}",
                view=partial(pair.pair_view, where, own, runs, (a, b)),
            )
