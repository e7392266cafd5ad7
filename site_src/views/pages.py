"""All pages of a site, in the order in which they are made: results first, then what they stand on.

Each is planned before any is made, so that a build makes all of them and a preview the one it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from metrics_core.errors import ConfigError
from site_src import paths
from site_src.content import Authored
from site_src.site_file import SiteFile
from site_src.views import (
    authored as prose,
    contracts,
    data,
    dictionary,
    experiment,
    experiments,
    methods,
    models,
    overview,
    packs,
    prices,
    reviews,
)
from site_src.views.contracts import Shown
from site_src.views.figures import Gallery
from site_src.views.frame import frame
from site_src.views.inputs import BuildInfo, SiteExperiment
from site_src.views.page import Page, View
from site_src.views.planned import Planned
from site_src.views.review_pages import RunPages
from site_src.views.runs import RunLists
from site_src.views.site_map import SiteMap, site_map


class Site:
    """The pages of a site, each made when it is wanted.

    Args:
        reports: The experiments, with what stands beside their reports.
        authored: What authors wrote.
        build_info: Version, digest, settings, record types, downloads.
        run_lists: Lists of runs that were made before, for a site that is made again and again.

    Raises:
        ConfigError: An author's page would stand at the address of another.
    """

    def __init__(
        self,
        reports: Sequence[SiteExperiment],
        authored: Sequence[Authored],
        build_info: BuildInfo,
        run_lists: RunLists | None = None,
    ) -> None:
        self.lists = RunLists() if run_lists is None else run_lists
        self.where = site_map(reports, authored, build_info, [x.name for x in reports if x.has_runs])
        self.hung: dict[str, tuple[Shown, ...]] = {}
        self.planned = {planned.path: planned for planned in self._planned()}
        self.runs = tuple(RunPages(self.where, x, self.lists) for x in self.where.experiments if x.has_runs)
        _refuse_taken(self.where.authored, self.planned)

    def paths(self) -> Iterator[str]:
        """Path of every page, in the order in which they are made."""
        yield from self.planned
        for run_pages in self.runs:
            yield from run_pages.paths()

    def pages(self) -> Iterator[Page]:
        """Every page, one at a time, with the files that belong to it."""
        for planned in self.planned.values():
            yield self._made(planned)
        for run_pages in self.runs:
            yield from run_pages.pages()

    def page(self, path: str) -> Page | None:
        """One page, made alone; None where the site has no such page."""
        if path in self.planned:
            return self._made(self.planned[path])
        return next((page for runs in self.runs if (page := runs.page(path)) is not None), None)

    def pages_beside(self, path: str) -> Iterator[Page]:
        """Pages that may have a file of this path beside them, each made alone."""
        if path.startswith(paths.FIGURES):
            yield from map(self._made, self._with_figures())
        for run_pages in self.runs:
            if run_pages.index == path:
                yield from filter(None, [run_pages.page(paths.reviews(run_pages.x.name))])
        for page in self.where.authored:
            if path in dict(page.pictures):
                yield self._made(self.planned[page.path])

    def _made(self, planned: Planned) -> Page:
        gallery = Gallery(self.where, planned.path, planned.place or planned.title)
        view = planned.view(gallery)
        self.hung[planned.path] = tuple(gallery.shown)
        return Page(
            path=planned.path,
            title=planned.title,
            kind=planned.kind,
            frame=frame(self.where, planned.path, planned.title, planned.description),
            view=view,
            files=(*gallery.files, *_pictures(self.where, planned.path)),
        )

    def _model(self, name: str, gallery: Gallery) -> View:
        listed = {x.name: self.lists.of(x) for x in self.where.experiments}
        return models.model_view(self.where, name, listed, gallery)

    def _contract(self, name: str, _: Gallery) -> View:
        return contracts.contract_view(self.where, name, self._shown())

    def _pack(self, digest: str, _: Gallery) -> View:
        return packs.pack_view(self.where, digest)

    def _shown(self) -> list[Shown]:
        """Every figure that hangs on a page; pages that were not made yet are made for it."""
        for planned in self._with_figures():
            if planned.path not in self.hung:
                self._made(planned)
        return [shown for planned in self._with_figures() for shown in self.hung[planned.path]]

    def _planned(self) -> Iterator[Planned]:
        yield from self._with_figures()
        yield from self._lists()
        yield from self._instruments()
        yield from self._record()

    def _with_figures(self) -> Iterator[Planned]:
        where = self.where
        first = next((a.title for a in where.authored if a.path == paths.OVERVIEW), where.build.site.title)
        yield Planned(
            path=paths.OVERVIEW,
            kind="overview",
            title=first,
            place="Overview",
            view=partial(overview.overview_view, where),
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
                view=partial(experiment.experiment_view, where, x),
            )
        yield Planned(
            path=paths.METHODS,
            kind="methods",
            title=methods.title(where),
            view=partial(methods.methods_view, where),
        )
        for page in where.authored:
            if page.path not in (paths.OVERVIEW, paths.METHODS):
                yield Planned(
                    path=page.path,
                    kind="prose",
                    title=page.title,
                    description=page.lede,
                    view=partial(prose.prose_view, where, page),
                )

    def _lists(self) -> Iterator[Planned]:
        where = self.where
        if where.models:
            yield Planned(
                path=paths.MODELS, kind="models", title="Models", view=lambda _: models.models_view(where)
            )
        yield Planned(
            path=paths.EXPERIMENTS,
            kind="experiments",
            title="Experiments",
            view=lambda _: experiments.experiments_view(where),
        )
        if where.with_runs:
            yield Planned(
                path=paths.REVIEWS,
                kind="reviews",
                title="Reviews",
                view=lambda _: reviews.overview([(x, self.lists.of(x)) for x in where.experiments]),
            )

    def _instruments(self) -> Iterator[Planned]:
        where = self.where
        yield Planned(
            path=paths.CONTRACTS,
            kind="contracts",
            title="Contracts",
            view=lambda _: contracts.overview(where),
        )
        for name in where.contracts:
            yield Planned(
                path=paths.contract(name),
                kind="contract",
                title=name,
                view=partial(self._contract, name),
            )
        if where.packs:
            yield Planned(path=paths.PACKS, kind="packs", title="Packs", view=lambda _: packs.overview(where))
        for digest in where.packs:
            yield Planned(
                path=paths.pack(digest),
                kind="pack",
                title=packs.title(where, digest),
                view=partial(self._pack, digest),
            )
        if where.prices:
            yield Planned(
                path=paths.PRICES, kind="prices", title="Prices", view=lambda _: prices.prices_view(where)
            )

    def _record(self) -> Iterator[Planned]:
        where = self.where
        yield Planned(path=paths.DATA, kind="data", title="Data", view=lambda _: data.data_view(where))
        if where.build.records:
            yield Planned(
                path=paths.DICTIONARY,
                kind="dictionary",
                title="Dictionary",
                view=lambda _: dictionary.dictionary_view(where.build),
            )
        yield Planned(
            path=paths.NOT_FOUND,
            kind="404",
            title="Not found",
            view=lambda _: prose.not_found(where, frame(where, paths.NOT_FOUND, "Not found").root),
        )


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
    for page in where.authored:
        mine = [(name, content) for name, content in page.pictures if name not in before]
        if page.path == path:
            return tuple(SiteFile(path=name, data=content) for name, content in mine)
        before |= {name for name, _ in page.pictures}
    return ()
