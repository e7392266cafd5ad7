"""Pages of an author's prose, and the page that stands where there is none."""

from __future__ import annotations

from typing import ClassVar

from markupsafe import Markup
from msgspec import Struct

from site_src import paths
from site_src.authoring.prose import PageContext, prose
from site_src.pages import FigureCollection, SiteMap, text
from site_src.project import Authored
from site_src.wording import Line


class ProseView(Struct, frozen=True, kw_only=True):
    """A page of prose."""

    template: ClassVar[str] = "prose/prose.html"
    title: str
    lede: str
    prose: Markup


class NotFoundView(Struct, frozen=True, kw_only=True):
    """The page that stands at every address where nothing is.

    Attributes:
        ways: Where to go on from here.
        known: Whether the site knows its own address. Where it does not, the style sheet is looked for at the
            top of the host, too, which serves this page at any depth: no relative link leads to it there.
    """

    template: ClassVar[str] = "prose/404.html"
    title: str
    lede: str
    ways: tuple[Line, ...]
    known: bool


def prose_of(site: SiteMap, page: Authored | None, collection: FigureCollection) -> Markup:
    """What an author wrote, as it stands on a page; nothing where nothing was written."""
    if page is None:
        return Markup("")
    context = PageContext(page.source, page.first_line, collection.page, site, collection)
    return prose(page.text, context)


def prose_view(site: SiteMap, page: Authored, collection: FigureCollection) -> ProseView:
    """A page of prose."""
    return ProseView(title=page.title, lede=page.lede, prose=prose_of(site, page, collection))


def not_found(site: SiteMap, root: str) -> NotFoundView:
    """The 404 page.

    Args:
        site: Everything that has a page.
        root: The way to the site's top, as the page's frame has it: a host serves it at any depth.
    """
    ways = [(paths.OVERVIEW, "Overview"), (paths.EXPERIMENTS, "Experiments"), (paths.DATA, "Data")]
    if not site.experiments:
        del ways[1]
    known = bool(site.build.site.url)
    return NotFoundView(
        title="Nothing stands at this address",
        lede="The page was renamed, or it never existed."
        + (
            ""
            if known
            else " Take the last part off the address, until a page "
            "shows: the links here lead on from the top of the site."
        ),
        ways=tuple((text(words, href=root + path),) for path, words in ways),
        known=known,
    )
