"""A figure by itself: its picture as a file, and a page to take it from, to cite it and to embed it.

A table for which a page has no room has one, too. Does: make them, where they are written or looked at. Does
not: draw; the picture is the figure's own.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import ClassVar, Final

from markupsafe import Markup, escape
from msgspec import Struct

from metrics_core.text import visible
from site_src import paths
from site_src.drawing import Figure
from site_src.drawing.files import picture_file
from site_src.pages.citations import citation
from site_src.pages.components import Table
from site_src.pages.render import data_block, environment, fragment
from site_src.pages.site_map import SiteMap
from site_src.project import SiteFile
from site_src.wording import svg_markup


class FigurePage(Struct, frozen=True, kw_only=True):
    """What the page of one figure says.

    Attributes:
        language: Of the prose.
        site: Title of the site; ``notice`` what must be known of it, empty for nothing.
        root: The way up to the site's top.
        id: Element id of the figure; ``title`` its title.
        about: The figure in words, for search engines and as the alternative of an embedded picture.
        place: What the page is called on which the figure stands; ``home`` is its address, relative to
            this page.
        canonical: Address of this page on the web; empty where the site states none.
        card: Address of the picture on the web; empty likewise.
        picture: The drawing, with everything that is in the file.
        reflowing: The drawing as its page has it, for a narrow screen; ``caption`` is set below it, since a
            picture as wide as a desk cannot be read there.
        svg, csv, json, spec: Names of the files, beside this page.
        specification: Drawn where a reader explores the figure; the text of a ``script`` that holds data.
        png: What the picture is called where the browser makes it.
        embed: HTML that shows the picture on another page and leads to the figure.
        placeholder: Whether ``embed`` must be given the address of the site first.
        cite, bibtex, csl: How it is cited: in words, and in two formats.
        numbers: Each of its numbers and how they are computed again, where no other page has them.
    """

    template: ClassVar[str] = "figures/figure.html"
    language: str
    site: str
    notice: str
    root: str
    id: str
    title: str
    about: str
    place: str
    home: str
    canonical: str
    card: str
    picture: Markup
    reflowing: Markup
    caption: Markup
    svg: str
    png: str
    csv: str
    json: str
    spec: str
    specification: Markup
    embed: str
    placeholder: bool
    cite: str
    bibtex: str
    csl: str
    numbers: Markup


class TablePage(Struct, frozen=True, kw_only=True):
    """What the page of a table says that another has no room for; fields as those of `FigurePage`."""

    template: ClassVar[str] = "figures/table.html"
    language: str
    site: str
    notice: str
    root: str
    title: str
    about: str
    place: str
    home: str
    canonical: str
    table: Markup


ABOUT = 300
"""Characters of a figure's description that are said of it elsewhere; the rest stands on its page."""


def figure_files(
    figure: Figure, site: SiteMap, page: str, place: str, numbers: Callable[[], Markup] = Markup
) -> Iterator[SiteFile]:
    """The picture of a figure and its own page.

    Args:
        figure: Finished.
        site: Everything that has a page.
        page: Path of the page on which the figure stands.
        place: What that page is called.
        numbers: Gives what is said of each number where that page does not say it; nothing where it does.
    """

    def drawn() -> bytes:
        return f"{picture_file(figure, place, address(site, page, figure.id))}\n".encode()

    picture = SiteFile(paths.figure_data(figure.id, "svg"), drawn)
    yield picture
    yield SiteFile(
        paths.figure_data(figure.id, "html"),
        lambda: _rendered(
            _view(figure, site, page, place, picture.data.decode().removesuffix("\n"), numbers())
        ),
    )


def table_file(table: Table, name: str, site: SiteMap, page: str, place: str) -> SiteFile:
    """The page of a table that another page has no room for.

    Args:
        table: As it would stand there.
        name: Element id of the line that stands there in its place; it names the file.
        site: Everything that has a page.
        page: Path of that page.
        place: What that page is called.
    """
    own = paths.figure_data(name, "html")
    config = site.build.site

    def made() -> bytes:
        return _rendered(
            TablePage(
                language=config.language,
                site=config.title,
                notice=config.notice,
                root=paths.root(own),
                title=table.name,
                about=f"{place}: {table.name}",
                place=place,
                home=paths.relative(own, f"{page}#{name}"),
                canonical=f"{config.url}{own}" if config.url else "",
                table=seen_from(own, page, fragment("tabled", table)),
            )
        )

    return SiteFile(own, made)


def address(site: SiteMap, page: str, figure_id: str) -> str:
    """The last line of a picture: what must be known of its data, the site, and where the figure stands."""
    config = site.build.site
    where = paths.on_the_web(config.url, f"{page}#{figure_id}") or page
    return visible("\u2002·\u2002".join(filter(None, (config.notice, config.title, where))))


def cited_as(figure: Figure, place: str) -> str:
    """What a figure is called away from its page: whose it is, and what is seen."""
    return f"{place}: {figure.title}"


def _view(figure: Figure, site: SiteMap, page: str, place: str, drawn: str, numbers: Markup) -> FigurePage:
    config = site.build.site
    own, picture = (paths.figure_data(figure.id, suffix) for suffix in ("html", "svg"))
    named = cited_as(figure, place)
    cited = citation(site, named, f"{page}#{figure.id}")
    alt = named if len(figure.desc) > ABOUT else f"{named}: {figure.desc}"
    return FigurePage(
        language=config.language,
        site=config.title,
        notice=config.notice,
        root=paths.root(own),
        id=figure.id,
        title=figure.title,
        about=alt,
        place=place,
        home=paths.relative(own, f"{page}#{figure.id}"),
        canonical=f"{config.url}{own}" if config.url else "",
        card=f"{config.url}{picture}" if config.url else "",
        picture=svg_markup(drawn),
        reflowing=seen_from(own, page, fragment("in_rows", figure.rows)),
        caption=seen_from(own, page, fragment("captioned", figure.caption)),
        svg=picture.rpartition("/")[2],
        png=f"{figure.id}.png",
        csv=f"{figure.id}.csv",
        json=f"{figure.id}.json",
        spec=f"{figure.id}.vl.json",
        specification=data_block(figure.spec),
        embed=(
            f'<a href="{escape(config.url)}{paths.shortened(f"{page}#{figure.id}")}">'
            f'<img src="{escape(config.url)}{picture}" alt="{escape(alt)}"></a>'
        ),
        placeholder=not config.url,
        cite=cited.words,
        bibtex=cited.bibtex,
        csl=cited.csl_text,
        numbers=seen_from(own, page, numbers),
    )


_REFERENCE: Final = re.compile(r'(?<=\shref=")(?![A-Za-z][A-Za-z0-9+.-]*:)([^"?#]*)((?:[?#][^"]*)?)(?=")')
"""An address within the site, in markup that was made by us: its path, and what follows upon it."""


def seen_from(own: str, page: str, markup: Markup) -> Markup:
    """Markup of one page as another has it: its links lead where they led.

    Args:
        own: Path of the page that takes it.
        page: Path of the page that it was made for.
        markup: Made by us: each attribute in double quotes.

    >>> seen_from("data/figures/f.html", "a/index.html", Markup('<a href="../runs.html?m=x">1</a>'))
    Markup('<a href="../../runs.html?m=x">1</a>')
    >>> seen_from("data/figures/f.html", "a/index.html", Markup('<a href="#b">1</a>'))
    Markup('<a href="../../a/index.html#b">1</a>')
    """

    def moved(found: re.Match[str]) -> str:
        path, after = found.groups()
        there = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
        return paths.relative(own, there) + after

    return Markup(_REFERENCE.sub(moved, markup))  # noqa: S704 - markup stays as it was made


def _rendered(view: FigurePage | TablePage) -> bytes:
    return environment().get_template(view.template).render(view=view).encode()
