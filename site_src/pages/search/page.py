"""The page of indexes: where each thing that has a name is listed, for those who search without a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from msgspec import Struct

from site_src import paths
from site_src.pages.components import Listing, text
from site_src.pages.figure_collection import FigureCollection
from site_src.pages.page import Planned
from site_src.pages.runs import RunLists
from site_src.pages.search.entries import Entry, ListedRuns, entries, index
from site_src.pages.site_map import SiteMap
from site_src.project import SiteFile
from site_src.wording import Line, many


class SearchView(Struct, frozen=True, kw_only=True):
    """Everything that has a name, group by group; runs and tasks by their lists."""

    template: ClassVar[str] = "prose/search.html"
    title: str
    lede: str
    groups: tuple[Listing, ...]


def search_page(where: SiteMap, lists: RunLists, planned: Callable[[], Sequence[Planned]]) -> Planned:
    """The page of indexes, and beside it the index that the search box reads.

    Args:
        where: Everything that has a page.
        lists: Of the runs of each experiment.
        planned: Gives the site's pages, those of runs and tasks aside, once all are planned.
    """

    def view(collection: FigureCollection) -> SearchView:
        found = entries(where, lists, planned())
        collection.files.append(SiteFile(paths.SEARCH_INDEX, index(found)))
        groups = (
            ("Models", _links(found.models)),
            ("Tasks", _lists(found.runs, of_tasks=True)),
            ("Runs", _lists(found.runs, of_tasks=False)),
            ("Metrics", _links(found.metrics)),
            ("Decisions", _links(found.decisions)),
            ("Contracts", _links(found.contracts)),
            ("Pages", _links(found.pages)),
        )
        return SearchView(
            title="Search",
            lede="Everything here that has a name, and where it is listed.",
            groups=tuple(listing for title, lines in groups if (listing := _listing(title, lines)).lines),
        )

    return Planned(path=paths.SEARCH, kind="search", title="Search", view=view)


def _listing(title: str, lines: Iterator[Line]) -> Listing:
    return Listing(title=title, lines=tuple(lines))


def _links(found: Sequence[Entry]) -> Iterator[Line]:
    for entry in found:
        yield (
            text(entry.name, href=paths.relative(paths.SEARCH, entry.path)),
            text(f" {entry.detail}", "quiet"),
        )


def _lists(runs: Sequence[ListedRuns], *, of_tasks: bool) -> Iterator[Line]:
    for listed in runs:
        number, path = (listed.tasks, listed.tasks_path) if of_tasks else (listed.count, listed.path)
        link = text(listed.title, href=paths.relative(paths.SEARCH, path))
        yield (link, text(f" {many(number, 'task' if of_tasks else 'run')}", "quiet"))
