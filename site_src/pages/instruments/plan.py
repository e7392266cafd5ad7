"""The pages of what numbers stand on: contracts, packs, prices, the data, and what each field means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from site_src import paths
from site_src.pages.figure_collection import FigureCollection, PlacedFigure
from site_src.pages.instruments import contracts, data, dictionary, graders, packs, prices
from site_src.pages.page import Planned, View
from site_src.pages.site_map import SiteMap


def instrument_pages(
    where: SiteMap, shown: Callable[[], Sequence[PlacedFigure]], ran: packs.Ran
) -> Iterator[Planned]:
    """Every page of this kind, none of them made yet.

    Args:
        where: Everything that has a page.
        shown: Gives every figure that stands on a page, for the contracts that they stand on.
        ran: Gives the tasks of an experiment that have pages.
    """
    yield from _contracts(where, shown)
    if where.graders:
        yield Planned(
            path=paths.GRADERS, kind="graders", title="Graders", view=lambda _: graders.graders_view(where)
        )
    if where.packs:
        yield Planned(path=paths.PACKS, kind="packs", title="Packs", view=lambda _: packs.overview(where))
    for digest in where.packs:
        yield Planned(
            path=paths.pack(digest),
            kind="pack",
            title=packs.title(where, digest),
            view=partial(_pack, where, digest, ran),
        )
    if where.prices:
        yield Planned(
            path=paths.PRICES, kind="prices", title="Prices", view=lambda _: prices.prices_view(where)
        )
    yield Planned(path=paths.DATA, kind="data", title="Data", view=lambda _: data.data_view(where))
    if where.build.records:
        yield Planned(
            path=paths.DICTIONARY,
            kind="dictionary",
            title="Dictionary",
            view=lambda _: dictionary.dictionary_view(where.build),
        )


def _contracts(where: SiteMap, shown: Callable[[], Sequence[PlacedFigure]]) -> Iterator[Planned]:
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
            view=partial(_contract, where, name, shown),
        )


def _contract(
    where: SiteMap, name: str, shown: Callable[[], Sequence[PlacedFigure]], _: FigureCollection
) -> View:
    return contracts.contract_view(where, name, shown())


def _pack(where: SiteMap, digest: str, ran: packs.Ran, _: FigureCollection) -> View:
    return packs.pack_view(where, digest, ran)
