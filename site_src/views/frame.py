"""What stands around a page: the words in its head, the index in its foot, the edition line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from site_src import paths
from site_src.hallmark import hallmark, short
from site_src.views.page import Frame, NavColumn, NavItem
from site_src.views.parts import Line, Span, drawn, line, text
from site_src.views.site_map import SiteMap

MAIN = (
    (paths.OVERVIEW, "Overview"),
    (paths.MODELS, "Models"),
    (paths.EXPERIMENTS, "Experiments"),
    (paths.REVIEWS, "Reviews"),
)
"""The words in the head; only what exists is linked."""


def frame(site: SiteMap, page: str, title: str, description: str = "") -> Frame:
    """The frame of one page.

    Args:
        site: Everything that has a page.
        page: Path of this one.
        title: Its title, without the site's name.
        description: One sentence for search engines; the site's own where it is empty.
    """
    config = site.build.site
    return Frame(
        language=config.language,
        title=title if title == config.title else f"{title} · {config.title}",
        site=config.title,
        subtitle=config.subtitle,
        description=description or config.description,
        home=_address(site, page, paths.OVERVIEW),
        root=_root(site, page),
        path=page,
        canonical=config.url + page.removesuffix("index.html") if config.url else "",
        nav=_items(site, [item for item in MAIN if _exists(site, item[0])], page, by_folder=True),
        index=tuple(_index(site, page)),
        edition=tuple(_edition(site, page)),
    )


def _exists(site: SiteMap, target: str) -> bool:
    match target:
        case paths.MODELS:
            return bool(site.models)
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


def _index(site: SiteMap, page: str) -> Iterator[NavColumn]:
    columns: dict[str, list[tuple[str, str]]] = {
        "Results": list(MAIN),
        "Instruments": [
            (paths.CONTRACTS, "Contracts"),
            (paths.PACKS, "Packs"),
            (paths.PRICES, "Prices"),
            (paths.METHODS, "Methods"),
        ],
        "Record": [(paths.DATA, "Data"), (paths.DICTIONARY, "Dictionary")],
    }
    made = {paths.OVERVIEW, paths.METHODS}
    columns["Record"] += [(a.path, a.title) for a in site.authored if a.menu and a.path not in made]
    for title, targets in columns.items():
        yield NavColumn(title=title, items=_items(site, [t for t in targets if _exists(site, t[0])], page))


def _edition(site: SiteMap, page: str) -> Iterator[Line]:
    build = site.build
    yield line(
        f"Build {build.version.partition('+')[0]} ",
        Span(
            text=short(build.digest),
            role="digest",
            href=_address(site, page, f"{paths.DATA}#verify"),
            mark=drawn(hallmark(build.digest, "site")),
        ),
    )
    if spans := [e.stamps for x in site.experiments for e in x.report.estimates if e.stamps]:
        first, last = min(s[0] for s in spans)[:10], max(s[1] for s in spans)[:10]
        yield line(first if first == last else f"{first} to {last}")
    yield line("Digests matched when built")
    yield line("Not signed")
    if build.site.notice:
        yield line(text(build.site.notice))
