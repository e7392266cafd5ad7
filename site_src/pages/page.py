"""A page of the site as data: planned with its path and title, then made with the files that belong to it.

A build makes every planned page in turn; a preview makes the one that is being read. Does not: render, or
decide which pages there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Protocol

from msgspec import Struct

from site_src.pages.figure_collection import FigureCollection
from site_src.project import SiteFile
from site_src.wording import Line


class NavItem(Struct, frozen=True, kw_only=True):
    """One of the words in the head of every page."""

    text: str
    href: str
    current: bool = False


class NavColumn(Struct, frozen=True, kw_only=True):
    """A column of the index in the foot of every page."""

    title: str
    items: tuple[NavItem, ...]


class PageFrame(Struct, frozen=True, kw_only=True):
    """What stands around every page.

    Attributes:
        language: Of the prose.
        title: For the window and for search engines.
        site, subtitle: Name of the site, and whose evaluations they are.
        description: One sentence; empty for none.
        home: Address of the overview.
        root: The way up to the site's top: empty, or ``../`` once for each folder.
        path: The page's path within the site.
        canonical: Its address on the web; empty where that is not known.
        card: Address of the picture that stands for it elsewhere, its first figure; empty likewise;
            ``card_words`` what is seen in it.
        nav, index: The words in the head, and the full index in the foot.
        instruments: The first of what measures, from which the others are reached.
        search: The page of indexes, in place of which a script opens the search box.
        edition: Build, span of the data, and what is known of digests and signature: separate facts.
        notice: What must be known of every page, such as that its data are made up; empty for none.
    """

    language: str
    title: str
    site: str
    subtitle: str
    description: str
    home: str
    root: str
    path: str
    canonical: str
    card: str
    card_words: str
    nav: tuple[NavItem, ...]
    instruments: NavItem
    search: NavItem
    index: tuple[NavColumn, ...]
    edition: tuple[Line, ...]
    notice: str


class View(Protocol):
    """The content of one kind of page; ``template`` names the file that shows it."""

    template: ClassVar[str]


class Page(Struct, frozen=True, kw_only=True):
    """One page, ready to be rendered.

    Attributes:
        path: Within the site.
        title: As `site.json` lists it.
        kind: ``overview``, ``model``, ``experiment``, ``review``, ...
        frame: What stands around it.
        view: What it says; a frozen Struct of text, booleans and other views.
        files: What it needs beside it.
    """

    path: str
    title: str
    kind: str
    frame: PageFrame
    view: View
    files: Sequence[SiteFile] = ()

    def to_json(self) -> dict[str, Any]:
        """Its line in `site.json`."""
        return {"path": self.path, "title": self.title, "kind": self.kind}


class Planned(Struct, frozen=True, kw_only=True):
    """One page before it is made.

    Attributes:
        path: Within the site.
        kind: As `site.json` lists it: ``overview``, ``model``, ...
        title: For the window and for `site.json`.
        view: Makes what the page says; its figures are added to the collection that it is given.
        place: How other pages call it where they list the figures that rest on an instrument.
        description: One sentence for search engines; the site's own where it is empty.
    """

    path: str
    kind: str
    title: str
    view: Callable[[FigureCollection], View]
    place: str = ""
    description: str = ""
