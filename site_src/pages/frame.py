"""What stands around a page: the words in its head, the index in its foot, the edition line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from site_src import paths
from site_src.editions import summary
from site_src.marks import identicon, short
from site_src.pages.components import line
from site_src.pages.page import NavColumn, NavItem, PageFrame
from site_src.pages.site_map import SiteMap
from site_src.wording import Line, Span, svg_markup

MAIN = (
    (paths.OVERVIEW, "Overview"),
    (paths.MODELS, "Models"),
    (paths.EXPERIMENTS, "Experiments"),
    (paths.COMPARE, "Compare"),
    (paths.DECISIONS, "Decisions"),
    (paths.REVIEWS, "Reviews"),
)
"""The words in the head; only what exists is linked."""


def frame(
    site: SiteMap, page: str, title: str, description: str = "", figure: str = "", shown: str = ""
) -> PageFrame:
    """The frame of one page.

    Args:
        site: Everything that has a page.
        page: Path of this one.
        title: Its title, without the site's name.
        description: One sentence for search engines; the site's own where it is empty.
        figure: Id of the page's first figure; empty where it has none.
        shown: What that figure is called away from its page.
    """
    config = site.build.site
    return PageFrame(
        language=config.language,
        title=title if title == config.title else f"{title} · {config.title}",
        site=config.title,
        subtitle=config.subtitle,
        description=description or config.description,
        home=_address(site, page, paths.OVERVIEW),
        root=_root(site, page),
        path=page,
        canonical=paths.on_the_web(config.url, page),
        card=f"{config.url}{paths.figure_data(figure, 'svg')}" if config.url and figure else "",
        card_words=shown,
        nav=_items(site, [item for item in MAIN if _exists(site, item[0])], page, by_folder=True),
        instruments=_items(site, [(paths.CONTRACTS, "Instruments")], page, by_folder=True)[0],
        search=_items(site, [(paths.SEARCH, "Search")], page)[0],
        index=tuple(_index(site, page)),
        edition=tuple(_edition(site, page)),
        notice=config.notice,
    )


def _exists(site: SiteMap, target: str) -> bool:
    match target:
        case paths.MODELS:
            return bool(site.models)
        case paths.COMPARE:
            return bool(site.compared)
        case paths.DECISIONS:
            return site.decided
        case paths.GRADERS:
            return site.graders
        case paths.PACKS:
            return bool(site.packs)
        case paths.PRICES:
            return bool(site.prices)
        case paths.REVIEWS:
            return bool(site.with_runs)
        case paths.DICTIONARY:
            return bool(site.build.records)
        case _:
            return True


def _root(site: SiteMap, page: str) -> str:
    """The way to the site's top; the 404 page, which is served at any depth, goes by the site's address."""
    if page == paths.NOT_FOUND and site.build.site.url:
        return urlsplit(site.build.site.url).path
    return paths.root(page)


def _address(site: SiteMap, page: str, target: str) -> str:
    return _root(site, page) + target if page == paths.NOT_FOUND else paths.relative(page, target)


def _items(
    site: SiteMap, targets: Sequence[tuple[str, str]], page: str, *, by_folder: bool = False
) -> tuple[NavItem, ...]:
    def current(target: str) -> bool:
        return page == target or (
            by_folder and "/" in target and page.startswith(target.partition("/")[0] + "/")
        )

    return tuple(
        NavItem(text=words, href=_address(site, page, target), current=current(target))
        for target, words in targets
    )


INSTRUMENTS = (
    (paths.CONTRACTS, "Contracts"),
    (paths.GRADERS, "Graders"),
    (paths.PACKS, "Packs"),
    (paths.PRICES, "Prices"),
    (paths.METHODS, "Methods"),
)
"""What measures; the first of them is what the head leads to."""


def instruments(site: SiteMap, page: str) -> tuple[NavItem, ...]:
    """The ways from one page to everything that measures."""
    return _items(site, [item for item in INSTRUMENTS if _exists(site, item[0])], page)


def _index(site: SiteMap, page: str) -> Iterator[NavColumn]:
    columns: dict[str, list[tuple[str, str]]] = {
        "Results": list(MAIN),
        "Instruments": list(INSTRUMENTS),
        "Record": [
            (paths.DATA, "Data"),
            (paths.EDITIONS, "Editions"),
            (paths.SEARCH, "Search"),
            (paths.DICTIONARY, "Dictionary"),
            (paths.WRITING, "Writing"),
            (paths.FEED, "Feed"),
        ],
    }
    ours = {paths.OVERVIEW, paths.METHODS}
    columns["Record"] += [(a.path, a.title) for a in site.authored if a.menu and a.path not in ours]
    for title, targets in columns.items():
        yield NavColumn(title=title, items=_items(site, [t for t in targets if _exists(site, t[0])], page))


def _edition(site: SiteMap, page: str) -> Iterator[Line]:
    build = site.build
    words, digest = summary.head_words(site.site_state.history, build.version, build.digest)
    yield line(
        f"{words} ",
        Span(
            text=short(digest),
            role="digest",
            href=_address(site, page, paths.EDITIONS),
            mark=svg_markup(identicon(digest, "site")),
        ),
    )
    if site.stamps is not None:
        first, last = (stamp[:10] for stamp in site.stamps)
        yield line(first if first == last else f"{first} to {last}")
    yield line("Digests matched when built")
    yield line("Not signed")
