"""All pages of a site, in the order in which they are made: results first, then what they stand on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metrics_core.estimate import Estimate, Pairs
from site_src import paths
from site_src.content import Authored
from site_src.rounding import count
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
    review,
    reviews,
    runs,
)
from site_src.views.contracts import Shown
from site_src.views.figures import Gallery
from site_src.views.frame import frame
from site_src.views.inputs import BuildInfo, SiteExperiment
from site_src.views.page import Page, View
from site_src.views.runs import Run
from site_src.views.site_map import SiteMap, site_map


def site(
    reports: Sequence[SiteExperiment], authored: Sequence[Authored], build_info: BuildInfo
) -> Iterator[Page]:
    """Every page of the site, one at a time.

    Args:
        reports: The experiments, with what stands beside their reports.
        authored: What authors wrote.
        build_info: Version, digest, settings, record types, downloads.

    Yields:
        Pages with the files that belong to them; each path occurs once.
    """
    listed = {x.name: tuple(runs.runs(x.reviews())) for x in reports}
    where = site_map(reports, authored, build_info, [name for name, found in listed.items() if found])
    shown: list[Shown] = []
    yield from _results(where, listed, shown)
    yield from _instruments(where, shown)
    yield from _record(where)
    for x in where.experiments:
        yield from _reviews(where, x, listed[x.name])


def _page(
    where: SiteMap,
    path: str,
    kind: str,
    title: str,
    view: View,
    *,
    description: str = "",
    files: Sequence[SiteFile] = (),
) -> Page:
    return Page(
        path=path,
        title=title,
        kind=kind,
        frame=frame(where, path, title, description),
        view=view,
        files=files,
    )


def _results(where: SiteMap, listed: dict[str, tuple[Run, ...]], shown: list[Shown]) -> Iterator[Page]:
    def hung(gallery: Gallery, kind: str, title: str, view: View, description: str = "") -> Page:
        shown.extend(gallery.shown)
        return _page(where, gallery.page, kind, title, view, description=description, files=gallery.files)

    gallery = Gallery(where, paths.OVERVIEW, "Overview")
    first = overview.overview_view(where, gallery)
    title = next((a.title for a in where.authored if a.path == paths.OVERVIEW), where.build.site.title)
    yield hung(gallery, "overview", title, first)
    if where.models:
        yield _page(where, paths.MODELS, "models", "Models", models.models_view(where))
    for name in where.models:
        gallery = Gallery(where, paths.model(name), name)
        yield hung(gallery, "model", name, models.model_view(where, name, listed, gallery))
    yield _page(where, paths.EXPERIMENTS, "experiments", "Experiments", experiments.experiments_view(where))
    for x in where.experiments:
        gallery = Gallery(where, paths.experiment(x.name), x.title)
        yield hung(
            gallery, "experiment", x.title, experiment.experiment_view(where, x, gallery), x.description
        )
    if any(listed.values()):
        yield _page(
            where,
            paths.REVIEWS,
            "reviews",
            "Reviews",
            reviews.overview([(x, listed[x.name]) for x in where.experiments]),
        )


def _instruments(where: SiteMap, shown: Sequence[Shown]) -> Iterator[Page]:
    yield _page(where, paths.CONTRACTS, "contracts", "Contracts", contracts.overview(where))
    for contract_id in where.contracts:
        yield _page(
            where,
            paths.contract(contract_id),
            "contract",
            contract_id,
            contracts.contract_view(where, contract_id, shown),
        )
    if where.packs:
        yield _page(where, paths.PACKS, "packs", "Packs", packs.overview(where))
    for digest in where.packs:
        view = packs.pack_view(where, digest)
        yield _page(where, paths.pack(digest), "pack", view.title, view)
    if where.prices:
        yield _page(where, paths.PRICES, "prices", "Prices", prices.prices_view(where))


def _record(where: SiteMap) -> Iterator[Page]:
    yield _page(where, paths.DATA, "data", "Data", data.data_view(where))
    how = methods.methods_view(where)
    yield _page(where, paths.METHODS, "methods", how.title, how, files=_pictures(where, paths.METHODS))
    if where.build.records:
        yield _page(
            where, paths.DICTIONARY, "dictionary", "Dictionary", dictionary.dictionary_view(where.build)
        )
    for page in where.authored:
        if page.path not in (paths.OVERVIEW, paths.METHODS):
            yield _page(
                where,
                page.path,
                "prose",
                page.title,
                prose.prose_view(page),
                description=page.lede,
                files=_pictures(where, page.path),
            )
    around = frame(where, paths.NOT_FOUND, "Not found")
    yield Page(
        path=paths.NOT_FOUND,
        title="Not found",
        kind="404",
        frame=around,
        view=prose.not_found(where, around.root),
    )


def _pictures(where: SiteMap, path: str) -> tuple[SiteFile, ...]:
    """Pictures of a page of prose; one that several pages show belongs to the first of them."""
    before: set[str] = set()
    for page in where.authored:
        mine = [(name, content) for name, content in page.pictures if name not in before]
        if page.path == path:
            return tuple(SiteFile(path=name, data=content) for name, content in mine)
        before |= {name for name, _ in page.pictures}
    return ()


def _reviews(where: SiteMap, x: SiteExperiment, listed: Sequence[Run]) -> Iterator[Page]:
    """The list of an experiment's runs, and a page for each; a second pass over its records."""
    if not listed:
        return
    index = (SiteFile(path=paths.review_index(x.name), data=runs.index(listed)),)
    for at, (path, title, shown) in enumerate(reviews.lists(x, listed)):
        yield _page(where, path, "reviews", title, shown, files=() if at else index)
    estimates = _by_key(x)
    for place, made in enumerate(x.reviews()):
        path = paths.review(x.name, made.run)
        before = listed[place - 1] if place else None
        after = listed[place + 1] if place + 1 < len(listed) else None
        words = f"{count(place + 1)} of {count(len(listed))} runs"
        view = review.review_view(x, made, estimates, before, after, words, where.context(path), path)
        yield _page(where, path, "review", made.title, view)


def _by_key(x: SiteExperiment) -> dict[tuple[str, str, Pairs, Pairs], Estimate]:
    return {(e.family, e.metric, e.group, e.stratum): e for e in x.report.estimates}
