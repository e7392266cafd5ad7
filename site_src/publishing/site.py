"""The site as a set of files that can be made in turn or one at a time; nothing is written.

A build takes every file, in one pass over the records. A preview asks for the page that is being read,
and for what that page loads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.execution import Ahead
from metrics_core.memo import Memo
from metrics_core.results import Report
from site_src import paths
from site_src.decisions import JudgedDecision
from site_src.pages import PlacedFigure, SiteState, assets, render_page
from site_src.pages.runs import RunLists
from site_src.project import BuildInfo, SiteExperiment, SiteFile, Sources, Told
from site_src.publishing import downloads, feed, hosting, published_inputs, raw_data
from site_src.publishing.formats import catalogue
from site_src.publishing.page_plan import EVERYTHING, PageGroup, Site
from site_src.publishing.reads import Reads, watched

Progress = Callable[[str, int, int | None], None]
Files = Callable[[], Iterable[SiteFile]]
"""Makes files."""


def of_experiment(name: str) -> str:
    """What is noted of a part that read anything of an experiment but its names."""
    return f"the experiment {name}"


def of_page(source: str) -> str:
    """What is noted of a part that read an author's page."""
    return f"the page {source}"


MANY = 300
"""Pages to be made from which on several processes make them: each takes time to begin."""

Sent = tuple[dict[str, Any], list[tuple[str, bytes]], tuple[PlacedFigure, ...], frozenset[str], object]
"""A page as another process sends it: its row, files, figures, what was read for it, what was found out."""


class MadePage(Struct, frozen=True):
    """A page as it is written.

    Attributes:
        row: Its line in `site.json`.
        files: The page first, then what stands beside it.
        placed: The figures that stand on it.
    """

    row: Mapping[str, Any]
    files: tuple[SiteFile, ...]
    placed: tuple[PlacedFigure, ...] = ()


class Keeper(Protocol):
    """Gives parts of a site as an earlier build left them, where they would be made the same."""

    reads: Reads

    def makes(self, part: PageGroup, whole: SiteFiles) -> bool:
        """Whether a part is made now, as far as can be told before its files are looked at."""
        ...

    def pages(self, part: PageGroup, whole: SiteFiles) -> Iterator[MadePage]:
        """The pages of a part, taken over or made now."""
        ...

    def files(self, name: str, made: Files, whole: SiteFiles) -> Iterator[SiteFile]:
        """Files that stand beside no page, taken over or made now."""

    def decisions(self, judged: Sequence[JudgedDecision]) -> Sequence[JudgedDecision]:
        """The same decisions, of which is kept what is found out for a page."""
        ...

    def sent(self) -> object:
        """What was found out in this process since this was asked, for the one that keeps it."""

    def received(self, found: object) -> None:
        """Keep what another process found out."""


class SiteFiles:
    """Every file of a site, each made when it is wanted.

    Args:
        sources: What was read.
        reports: The report of each experiment, in their order.
        shown: The experiments as pages see them, in the same order.
        info: What each page says of the build.
        site_state: Decisions and editions.
        run_lists: Lists of runs that were made before, for a site that is made again and again.
        memo: Pictures that were made before, for the same.
        keeper: Gives parts of an earlier build; None has all made now.
    """

    def __init__(
        self,
        sources: Sources,
        reports: Sequence[Report],
        shown: Sequence[SiteExperiment],
        info: BuildInfo,
        site_state: SiteState,
        run_lists: RunLists | None = None,
        memo: Memo | None = None,
        keeper: Keeper | None = None,
    ) -> None:
        self.sources, self.reports, self.shown, self.info = sources, tuple(reports), tuple(shown), info
        self.site_state, self._keeper = site_state, keeper
        self._reads = Reads() if keeper is None else keeper.reads
        self._ahead: Ahead[Sent] | None = None
        self._places: dict[str, int] = {}
        self._shown = self.shown
        self.site = self._site(run_lists, memo)
        self._page_files: dict[str, SiteFile] = {}

    def files(
        self,
        progress: Progress = lambda what, done, total: None,
        told: Told | None = None,
        workers: int = 1,
        looked_through: Callable[[SiteFile], SiteFile] = lambda file: file,
    ) -> Iterator[SiteFile]:
        """Every file, one after another: pages, data, records, and the index of them all.

        Args:
            progress: Called with how far it has come.
            told: Called with the error of each page that cannot be made; None raises the first.
            workers: How many processes make pages; several only where there are `MANY` pages to be made.
            looked_through: Refuses what may not leave; for files that another process makes, in that one.
        """
        pages = []
        with self._made_ahead(workers if told is None else 1, looked_through):
            for number, page in enumerate(self._pages(told)):
                progress("writing pages", number, None)
                pages.append(page.row)
                yield from page.files
        yield from self._others()
        yield from self._indexes(pages)

    def file(self, path: str) -> SiteFile | None:
        """One file, made alone; None where the site has none of this name.

        Args:
            path: Within the site: ``index.html``, ``assets/site.css``, ``data/reports/gh-2026.json``.
        """
        page = self.site.page(path)
        if page is not None:
            self._page_files |= {file.path: file for file in page.files}
            return SiteFile(page.path, render_page(page))
        if path in self._page_files:
            return self._page_files[path]
        if path == paths.SITE_INDEX or path.startswith("sitemap"):
            pages = [page.to_json() for page in self.site.pages()]
            return next((file for file in self._indexes(pages) if file.path == path), None)
        return next((file for file in self._of(path) if file.path == path), None)

    def paths(self) -> Iterator[str]:
        """Path of every page."""
        return self.site.paths()

    def made(self, part: PageGroup) -> Iterator[MadePage]:
        """The pages of a part, made now, or meanwhile by another process."""
        at = self._places.get(part.name)
        if self._ahead is None or at is None:
            yield from self._made_here(part)
            return
        for row, files, placed, read, found in self._ahead.items(at):
            if self._keeper is not None:
                self._keeper.received(found)
            for name in read:
                self._reads.note(name)
            self.site.placed_figures[row["path"]] = placed
            yield MadePage(row, tuple(SiteFile(path, data, screened=True) for path, data in files), placed)

    def _made_here(self, part: PageGroup) -> Iterator[MadePage]:
        for page in part.pages():
            placed = self.site.placed_figures.get(page.path, ())
            yield MadePage(page.to_json(), (SiteFile(page.path, render_page(page)), *page.files), placed)

    @contextmanager
    def _made_ahead(self, workers: int, looked_through: Callable[[SiteFile], SiteFile]) -> Iterator[None]:
        """As long as this lasts, other processes make pages that will be asked for, if these are many."""
        parts = [
            part
            for part in (self.site.parts() if workers > 1 else ())
            if part.apart and (self._keeper is None or self._keeper.makes(part, self))
        ]
        if sum(part.count() for part in parts) < MANY:  # which lists the runs, once for all processes
            yield
            return

        def sent(at: int) -> Iterator[Sent]:
            with self._reads.noted() as read:
                for made in self._made_here(parts[at]):
                    files = [(file.path, looked_through(file).data) for file in made.files]
                    found = None if self._keeper is None else self._keeper.sent()
                    yield dict(made.row), files, made.placed, frozenset(read), found

        with Ahead(sent, len(parts), workers) as ahead:
            self._ahead, self._places = ahead, {part.name: at for at, part in enumerate(parts)}
            try:
                yield
            finally:
                self._ahead, self._places = None, {}

    def _pages(self, told: Told | None) -> Iterator[MadePage]:
        for part in self.site.parts(told):
            if self._keeper is None or told is not None:
                yield from self.made(part)
                continue
            for page in self._keeper.pages(part, self):
                self.site.placed_figures.setdefault(page.row["path"], page.placed)
                yield page

    def _site(self, run_lists: RunLists | None, memo: Memo | None) -> Site:
        """The pages; where parts are kept, of inputs that note what is read of them."""
        state, info = self.site_state, self.info
        if self._keeper is None:
            return Site(self.shown, self.sources.authored, info, run_lists, state, memo)
        reads = self._keeper.reads
        state = replace(state, decisions=tuple(self._keeper.decisions(state.decisions)))
        every, free = partial(reads.note, EVERYTHING), ("source", "path", "title", "order", "menu")
        self._shown = tuple(
            watched(
                x,
                partial(reads.note, of_experiment(x.name)),
                "title",
                "description",
                fixed={"name": x.name, "slug": x.slug},
            )
            for x in self.shown
        )
        return Site(
            self._shown,
            [
                watched(page, partial(reads.note, of_page(page.source)), *free)
                for page in self.sources.authored
            ],
            watched(info, every, *set(info.__struct_fields__) - {"downloads"}),
            run_lists,
            watched(state, every, "history"),
            memo,
            reads,
        )

    def _of(self, path: str) -> Iterator[SiteFile]:
        """The files among which one is to be looked for: cheap ones first."""
        if path.startswith("assets/"):
            yield from assets(self._foot())
        elif path in (paths.FEED, catalogue.CRATE) or (
            path.startswith("data/") and not path.startswith(paths.FIGURES)
        ):
            yield from self._others()
        else:
            yield from (file for page in self.site.pages_with_file(path) for file in page.files)

    def _indexes(self, pages: Sequence[Mapping[str, Any]]) -> Iterator[SiteFile]:
        """What lists the pages, once all of them are known."""
        yield downloads.site_index(pages, self.shown, self.site_state.decisions_json, self.info)
        yield from catalogue.sitemaps(pages, self.info.site.url)

    def _foot(self) -> str:
        return f"{self.info.site.title} · assay {self.info.version}"

    def _others(self) -> Iterator[SiteFile]:
        """Everything that is no page and stands beside none."""
        sources = self.sources
        for name, made in self._groups():
            yield from made() if self._keeper is None else self._keeper.files(name, made, self)
        for experiment in sources.experiments:
            yield from raw_data.files(experiment, sources.recompute_of(experiment))
        yield from raw_data.price_files(list(sources.tables))
        yield published_inputs.inputs(sources.config, sources.authored, sources.withheld)
        yield from published_inputs.content_files(
            sources.decisions, sources.editions, sources.ledger, sources.registrations
        )

    def _groups(self) -> Iterator[tuple[str, Files]]:
        """Files that are made in one go, by the path of the first of them, or what they are."""
        where, shown = self.site.where, self._shown
        build, state = where.build, where.site_state
        yield "assets/site.css", lambda: (*assets(self._foot()), hosting.NO_JEKYLL, hosting.HEADERS)
        yield paths.FEED, lambda: (feed.feed(shown, state.decisions_json, state.history, build),)
        yield downloads.ESTIMATES, lambda: downloads.documents(self._measured(), build.records, build.site)
        yield f"{downloads.TABLES}/estimates.json", self._tables
        yield (
            "the code of contracts",
            lambda: downloads.sources({d: files for x in shown for d, files in x.sources.items()}),
        )

    def _tables(self) -> Iterator[SiteFile]:
        """The tables, and what says of them what they hold."""
        reports = self._measured()
        tables = [*downloads.tables(reports, (review for x in self._shown for review in x.reviews()))]
        yield from tables
        yield from catalogue.files(self.site.where, tables, [paths.report(r.experiment) for r in reports])

    def _measured(self) -> tuple[Report, ...]:
        """The reports as they were computed; each counts as read."""
        for report in self.reports:
            self._reads.note(of_experiment(report.experiment))
        return self.reports
