"""The site as a set of files that can be made in turn or one at a time; nothing is written.

A build takes every file, in one pass over the records. A preview asks for the page that is being read,
and for what that page loads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from metrics_core.memo import Memo
from metrics_core.results import Report
from site_src import paths
from site_src.pages import SiteState, assets, render_page
from site_src.pages.runs import RunLists
from site_src.project import BuildInfo, SiteExperiment, SiteFile, Sources, Told
from site_src.publishing import downloads, feed, hosting, published_inputs, raw_data
from site_src.publishing.page_plan import Site

Progress = Callable[[str, int, int | None], None]


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
    ) -> None:
        self.sources, self.reports, self.shown, self.info = sources, tuple(reports), tuple(shown), info
        self.site_state = site_state
        self.site = Site(shown, sources.authored, info, run_lists, site_state, memo)
        self._page_files: dict[str, SiteFile] = {}

    def files(
        self, progress: Progress = lambda what, done, total: None, told: Told | None = None
    ) -> Iterator[SiteFile]:
        """Every file, one after another: pages, data, records, and the index of them all.

        Args:
            progress: Called with how far it has come.
            told: Called with the error of each page that cannot be made; None raises the first.
        """
        pages = []
        for number, page in enumerate(self.site.pages(told)):
            progress("writing pages", number, None)
            pages.append(page.to_json())
            yield SiteFile(page.path, render_page(page))
            yield from page.files
        yield from self._others()
        yield downloads.site_index(pages, self.shown, self.site_state.decisions_json, self.info)

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
        if path == paths.SITE_INDEX:
            pages = [page.to_json() for page in self.site.pages()]
            return downloads.site_index(pages, self.shown, self.site_state.decisions_json, self.info)
        return next((file for file in self._of(path) if file.path == path), None)

    def paths(self) -> Iterator[str]:
        """Path of every page."""
        return self.site.paths()

    def _of(self, path: str) -> Iterator[SiteFile]:
        """The files among which one is to be looked for: cheap ones first."""
        if path.startswith("assets/"):
            yield from assets(self._foot())
        elif path == paths.FEED or (path.startswith("data/") and not path.startswith(paths.FIGURES)):
            yield from self._others()
        else:
            yield from (file for page in self.site.pages_with_file(path) for file in page.files)

    def _foot(self) -> str:
        return f"{self.info.site.title} · assay {self.info.version}"

    def _others(self) -> Iterator[SiteFile]:
        """Everything that is no page and stands beside none."""
        sources, shown = self.sources, self.shown
        yield from assets(self._foot())
        yield hosting.NO_JEKYLL
        yield hosting.HEADERS
        yield feed.feed(shown, self.site_state.decisions_json, self.site_state.history, self.info)
        yield from downloads.documents(self.reports, self.info.records, self.info.site)
        yield from downloads.tables(self.reports, (review for x in shown for review in x.reviews()))
        yield from downloads.sources({d: files for x in shown for d, files in x.sources.items()})
        for experiment in sources.experiments:
            yield from raw_data.files(experiment, sources.recompute_of(experiment))
        yield from raw_data.price_files(list(sources.tables))
        yield published_inputs.inputs(sources.config, sources.authored, sources.withheld)
        yield from published_inputs.content_files(
            sources.decisions, sources.editions, sources.ledger, sources.registrations
        )
