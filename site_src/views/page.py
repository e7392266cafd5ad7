"""A page of the site as data, with the files that belong to it: what the renderer takes and what it gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from site_src.parts import Line
from site_src.site_file import SiteFile


@dataclass(frozen=True, slots=True, kw_only=True)
class NavItem:
    """One of the words in the head of every page."""

    text: str
    href: str
    current: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NavColumn:
    """A column of the index in the foot of every page."""

    title: str
    items: tuple[NavItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
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
        nav, index: The words in the head, and the full index in the foot.
        edition: Build, span of the data, and what is known of digests and signature: separate facts.
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
    nav: tuple[NavItem, ...]
    index: tuple[NavColumn, ...]
    edition: tuple[Line, ...]


class View(Protocol):
    """The content of one kind of page; ``template`` names the file that shows it."""

    template: ClassVar[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page, ready to be rendered.

    Attributes:
        path: Within the site.
        title: As `site.json` lists it.
        kind: ``overview``, ``model``, ``experiment``, ``review``, ...
        frame: What stands around it.
        view: What it says; a frozen dataclass of text, booleans and other views.
        files: What it needs beside it.
    """

    path: str
    title: str
    kind: str
    frame: Frame
    view: View
    files: Sequence[SiteFile] = ()

    def to_json(self) -> dict[str, Any]:
        """Its line in `site.json`."""
        return {"path": self.path, "title": self.title, "kind": self.kind}
