"""The pages of an experiment's runs: the list, fifty to a page, and one page a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metrics_core.estimate import Estimate
from metrics_core.keys import Keys
from metrics_core.review import Review
from site_src import paths
from site_src.rounding import count
from site_src.site_file import SiteFile
from site_src.views import review, reviews, runs
from site_src.views.frame import frame
from site_src.views.inputs import SiteExperiment
from site_src.views.page import Page, View
from site_src.views.runs import Run, RunLists
from site_src.views.site_map import SiteMap


class RunPages:
    """The runs of one experiment as pages: all in one pass over its records, or one alone.

    Args:
        where: Everything that has a page.
        x: The experiment.
        lists: Where its list of runs is kept.
    """

    def __init__(self, where: SiteMap, x: SiteExperiment, lists: RunLists) -> None:
        self.where, self.x, self.lists = where, x, lists
        self.index = paths.review_index(x.name)

    def paths(self) -> Iterator[str]:
        """Path of every page: of the list, then of the runs."""
        listed = self.lists.of(self.x)
        yield from (path for path, _, _ in reviews.lists(self.x, listed))
        yield from (paths.review(self.x.name, run.name) for run in listed)

    def pages(self) -> Iterator[Page]:
        """Every page, in one pass over the records."""
        listed = self.lists.of(self.x)
        yield from self._lists(listed)
        estimates = _by_key(self.x)
        for place, made in enumerate(self.x.reviews()):
            yield self._run(listed, place, made, estimates)

    def page(self, path: str) -> Page | None:
        """One page alone; None where the path is none of this experiment's."""
        if not path.startswith(paths.reviews(self.x.name).removesuffix("index.html")):
            return None
        listed = self.lists.of(self.x)
        for page in self._lists(listed):
            if page.path == path:
                return page
        for place, made in enumerate(self.x.reviews()):
            if paths.review(self.x.name, made.run) == path:
                return self._run(listed, place, made, _by_key(self.x))
        return None

    def _lists(self, listed: Sequence[Run]) -> Iterator[Page]:
        index = (SiteFile(path=self.index, data=runs.index(listed)),)
        for at, (path, title, shown) in enumerate(reviews.lists(self.x, listed)):
            yield self._page(path, "reviews", title, shown, () if at else index)

    def _run(
        self,
        listed: Sequence[Run],
        place: int,
        made: Review,
        estimates: dict[tuple[str, str, Keys, Keys], Estimate],
    ) -> Page:
        path = paths.review(self.x.name, made.run)
        before = listed[place - 1] if place else None
        after = listed[place + 1] if place + 1 < len(listed) else None
        words = f"{count(place + 1)} of {count(len(listed))} runs"
        context = self.where.context(path)
        view = review.review_view(self.x, made, estimates, before, after, words, context, path)
        return self._page(path, "review", made.title, view)

    def _page(
        self, path: str, kind: str, title: str, view: View, files: Sequence[SiteFile] = ()
    ) -> Page:
        return Page(
            path=path, title=title, kind=kind, frame=frame(self.where, path, title), view=view, files=files
        )


def _by_key(x: SiteExperiment) -> dict[tuple[str, str, Keys, Keys], Estimate]:
    return {(e.family, e.metric, e.group, e.stratum): e for e in x.report.estimates}
