"""All pages of a site, in the order in which they are made: results first, then what they stand on.

Each is planned before any is made, so that a build makes all of them and a preview the one it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial

from markupsafe import Markup
from msgspec import Struct

from metrics_core.errors import ConfigError
from metrics_core.memo import Memo
from site_src import paths
from site_src.authoring import (
    PageContext,
    asked_pairs,
    pages as authored_pages,
    prose,
    writing_reference,
)
from site_src.decisions import JudgedDecision
from site_src.pages import (
    FigureCollection,
    Page,
    PlacedFigure,
    Planned,
    SiteMap,
    SiteState,
    View,
    first_figure,
    frame,
    site_map,
)
from site_src.pages.compare import compare_pages, pair_pages
from site_src.pages.decisions import decision_pages
from site_src.pages.editions import Since, edition_pages, since_last
from site_src.pages.instruments import instrument_pages, methods
from site_src.pages.results import experiment, experiment_list, model, overview
from site_src.pages.runs import RunLists, RunPages, lists
from site_src.pages.search import search_page
from site_src.pages.series import SeriesNumbers, series_pages
from site_src.project import Authored, BuildInfo, SiteExperiment, SiteFile, Told, each_made
from site_src.publishing.reads import Reads
from site_src.references import Index


class PageGroup(Struct, frozen=True):
    """Pages that are made in one go.

    Attributes:
        name: Path of the first of them, or what they are.
        pages: Makes them.
        planned_from: What was read before any of them was made.
        count: How many there are.
        apart: Whether they show nothing of other pages, so that another process may make them meanwhile.
    """

    name: str
    pages: Callable[[], Iterator[Page]]
    count: Callable[[], int] = lambda: 1
    planned_from: frozenset[str] = frozenset()
    apart: bool = True


FIGURES = "the figures of all pages"
"""What a page is noted to have read that asked for them."""

EVERYTHING = "all experiments"
"""What a page is noted to have read that shows what is made from all of them."""


class Site:
    """The pages of a site, each made when it is wanted.

    Args:
        reports: The experiments, with what stands beside their reports.
        authored: What authors wrote.
        build_info: Version, digest, settings, record types, downloads.
        run_lists: Lists of runs that were made before, for a site that is made again and again.
        site_state: Decisions and editions; None where there are none.
        reads: Told where a page asks for the figures of all others.

    Raises:
        ConfigError: An author's page would stand at the address of another.
    """

    def __init__(
        self,
        reports: Sequence[SiteExperiment],
        authored: Sequence[Authored],
        build_info: BuildInfo,
        run_lists: RunLists | None = None,
        site_state: SiteState | None = None,
        memo: Memo | None = None,
        reads: Reads | None = None,
    ) -> None:
        self._reads = reads or Reads()
        self._planned_from: dict[str, frozenset[str]] = {}
        self._of_all_figures: set[str] = set()
        self.lists = RunLists() if run_lists is None else run_lists
        with_runs = [x.name for x in reports if build_info.site.run_pages and x.has_runs()]
        state = site_state or SiteState(index=Index([x.report for x in reports]))
        asked = partial(asked_pairs, reports, authored, state)
        self.where = site_map(reports, authored, build_info, with_runs, state, memo, asked)
        self.numbers = SeriesNumbers(self.where, self.lists)
        self.placed_figures: dict[str, tuple[PlacedFigure, ...]] = {}
        self.planned = {planned.path: planned for planned in self._planned()}
        self.runs = tuple(
            RunPages(self.where, x, self.lists) for x in self.where.experiments if x.name in with_runs
        )
        _refuse_taken(self.where.authored, self.planned)
        self._plan_gone()

    def paths(self) -> Iterator[str]:
        """Path of every page, in the order in which they are made."""
        yield from self.planned
        for run_pages in self.runs:
            yield from run_pages.paths()

    def pages(self, told: Told | None = None) -> Iterator[Page]:
        """Every page, one at a time, with the files that belong to it.

        Args:
            told: Called with the error of each that cannot be made; None raises the first.
        """
        for part in self.parts(told):
            yield from part.pages()

    def parts(self, told: Told | None = None) -> Iterator[PageGroup]:
        """What is made in one go: a planned page, or the lists, the tasks, or all runs of an experiment.

        Args:
            told: Called with the error of each page that cannot be made; None raises the first.
        """
        for path, planned in self.planned.items():
            read = self._planned_from.get(path, frozenset())
            apart = planned.kind not in self._of_all_figures
            pages = partial(each_made, self._make, [planned], told)
            yield PageGroup(path, pages, planned_from=read, apart=apart)
        for run_pages in self.runs:
            yield from (PageGroup(*part) for part in run_pages.parts())

    def page(self, path: str) -> Page | None:
        """One page, made alone; None where the site has no such page."""
        if path in self.planned:
            return self._make(self.planned[path])
        return next((page for runs in self.runs if (page := runs.page(path)) is not None), None)

    def pages_with_file(self, path: str) -> Iterator[Page]:
        """Pages that may have a file of this path beside them, each made alone."""
        if path.startswith(paths.FIGURES):
            yield from map(self._make, self._with_figures())
        if path == paths.SEARCH_INDEX:
            yield self._make(self.planned[paths.SEARCH])
        for run_pages in self.runs:
            if run_pages.index == path:
                yield from filter(None, [run_pages.page(paths.reviews(run_pages.x.name))])
        for page in self.where.authored:
            if path in dict(page.pictures):
                yield self._make(self.planned[page.path])

    def _plan_gone(self) -> None:
        """The page of editions, and one at each address that is gone; they need to know all others."""
        history = self.where.site_state.history
        self.present = frozenset(self.planned)
        found = edition_pages(self.where, history, lambda: self.since, sorted(self.present))
        self.planned |= {planned.path: planned for planned in self._noted(found)}

    def _noted(self, planned: Iterable[Planned]) -> Iterator[Planned]:
        """The same pages, with what was read to plan them: a later one may hold what an earlier one read."""
        with self._reads.noted() as read:
            for page in planned:
                self._planned_from[page.path] = frozenset(read)
                yield page

    def _make(self, planned: Planned) -> Page:
        collection = FigureCollection(self.where, planned.path, planned.place or planned.title)
        view = planned.view(collection)
        self.placed_figures[planned.path] = tuple(collection.placed)
        card = (first_figure(view) or collection.placed[0]) if collection.placed else None
        shown = (card.id, f"{collection.place}: {card.title}") if card is not None else ("", "")
        return Page(
            path=planned.path,
            title=planned.title,
            kind=planned.kind,
            frame=frame(self.where, planned.path, planned.title, planned.description, *shown),
            view=view,
            files=(*collection.files, *_pictures(self.where, planned.path)),
        )

    def _body(self, judged: JudgedDecision, collection: FigureCollection) -> Markup:
        decision = judged.decision
        context = PageContext(
            decision.source, decision.first_line, collection.page, self.where, collection, judged
        )
        return prose(decision.text, context)

    @property
    def since(self) -> Since | None:
        """What happened since the last edition; found when it is first asked for."""
        self._reads.note(EVERYTHING)
        return self._since

    @cached_property
    def _since(self) -> Since | None:
        return since_last(self.where, self.where.site_state.history, self.where.site_state.decisions_json)

    def _overview(self, collection: FigureCollection) -> View:
        since = self.since.words if self.since else ""
        return overview.overview_view(
            self.where, since, partial(authored_pages.prose_of, self.where), self.numbers, collection
        )

    def _model(self, name: str, collection: FigureCollection) -> View:
        arms = self.where.arms
        listed = {x.name: self.lists.of(x) for x in self.where.experiments if name in arms[x.name]}
        return model.model_view(self.where, name, listed, collection)

    def _shown(self) -> list[PlacedFigure]:
        """Every figure that stands on a page; pages that were not made yet are made for it."""
        self._reads.note(FIGURES)
        return self.shown_figures()

    def shown_figures(self) -> list[PlacedFigure]:
        """Every figure that stands on a page, in the order of the pages."""
        for planned in self._with_figures():
            if planned.path not in self.placed_figures:
                self._make(planned)
        return [shown for planned in self._with_figures() for shown in self.placed_figures[planned.path]]

    def _planned(self) -> Iterator[Planned]:
        yield from self._with_figures()
        yield from self._lists()
        for planned in self._noted(instrument_pages(self.where, self._shown, self._tasks)):
            self._of_all_figures.add(planned.kind)
            yield planned
        yield search_page(self.where, self.lists, lambda: tuple(self.planned.values()))
        yield Planned(path=paths.NOT_FOUND, kind="404", title="Not found", view=self._not_found)

    def _with_figures(self) -> Iterator[Planned]:
        where = self.where
        own = next((a.title for a in where.authored if a.path == paths.OVERVIEW), "")
        yield Planned(
            path=paths.OVERVIEW,
            kind="overview",
            title=own or where.build.site.title,
            place="Overview",
            view=self._overview,
        )
        for name in where.models:
            yield Planned(
                path=paths.model(name),
                kind="model",
                title=name,
                view=partial(self._model, name),
            )
        for x in where.experiments:
            yield Planned(
                path=paths.experiment(x.name),
                kind="experiment",
                title=x.title,
                description=x.description,
                view=partial(experiment.experiment_view, where, x, self.lists),
            )
        for withheld in where.build.withheld:
            yield Planned(
                path=paths.experiment(withheld.name),
                kind="experiment",
                title=withheld.title,
                view=partial(experiment_list.withheld_view, withheld),
            )
        yield from self._noted(series_pages(where, self.numbers))
        yield from self._noted(compare_pages(where))
        yield from self._noted(self._decisions())
        yield Planned(
            path=paths.METHODS,
            kind="methods",
            title=methods.title(where),
            view=partial(methods.methods_view, where, partial(authored_pages.prose_of, where)),
        )
        for page in where.authored:
            if page.path not in (paths.OVERVIEW, paths.METHODS):
                yield Planned(
                    path=page.path,
                    kind="prose",
                    title=page.title,
                    description=page.lede,
                    view=partial(authored_pages.prose_view, where, page),
                )
        yield Planned(
            path=paths.WRITING,
            kind="writing",
            title="Writing",
            view=partial(writing_reference, where),
        )

    def _decisions(self) -> Iterator[Planned]:
        where = self.where
        yield from decision_pages(where, where.decisions, where.site_state.history.editions, self._body)

    def _lists(self) -> Iterator[Planned]:
        where = self.where
        yield from self._noted(pair_pages(where, self.lists))
        if where.models:
            yield Planned(
                path=paths.MODELS, kind="models", title="Models", view=lambda _: model.models_view(where)
            )
        yield Planned(
            path=paths.EXPERIMENTS,
            kind="experiments",
            title="Experiments",
            view=lambda _: experiment_list.experiments_view(where),
        )
        if where.with_runs:
            yield Planned(
                path=paths.REVIEWS,
                kind="reviews",
                title="Reviews",
                view=lambda _: lists.overview([(x, self.lists.of(x)) for x in where.experiments]),
            )

    def _tasks(self, x: SiteExperiment) -> frozenset[str]:
        """The tasks of an experiment that have pages."""
        return (
            frozenset(run.task for run in self.lists.of(x)) if x.name in self.where.with_runs else frozenset()
        )

    def _not_found(self, _: FigureCollection) -> View:
        return authored_pages.not_found(self.where, frame(self.where, paths.NOT_FOUND, "Not found").root)


def _refuse_taken(authored: Sequence[Authored], planned: dict[str, Planned]) -> None:
    """An author's page that would stand at the address of a page of ours, or of another author's."""
    taken: dict[str, str] = {}
    for page in authored:
        kind = planned[page.path].kind
        if page.path in taken or kind not in ("prose", "overview", "methods"):
            whose = taken.get(page.path) or f"the page of {kind}"
            raise ConfigError(
                f"its page would stand at {page.path}, where {whose} stands",
                where=page.source,
                hint="give the file another name",
            )
        taken[page.path] = page.source


def _pictures(where: SiteMap, path: str) -> tuple[SiteFile, ...]:
    """Pictures of a page of prose; one that several pages show belongs to the first of them."""
    before: set[str] = set()
    for page in where.authored if any(page.path == path for page in where.authored) else ():
        mine = [(name, content) for name, content in page.pictures if name not in before]
        if page.path == path:
            return tuple(SiteFile(path=name, data=content) for name, content in mine)
        before |= {name for name, _ in page.pictures}
    return ()
