"""A small site as one HTML file: the front page, the arms in pairs, task by task, and the decisions.

Does: take these pages as the site has them, put the style sheet into them, and turn links between them into
anchors; what leads to a page that is not in it becomes text. Does not: word or draw, or take a script.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from html import escape
from html.parser import HTMLParser
from typing import ClassVar, Final
from urllib.parse import unquote, urlsplit

from markupsafe import Markup
from msgspec import Struct

from metrics_core.errors import PublishError
from metrics_core.text import visible
from site_src.pages import render
from site_src.project import SiteFile
from site_src.publishing import SiteFiles
from site_src.wording import svg_markup

MOST_BYTES: Final = 300_000
"""Bytes of the file: a page more than this has no room, and is named at the end."""

ENVELOPE: Final = 6_000
"""Bytes that are kept for what stands around the pages."""

STYLE: Final = "assets/site.css"
FRONT, PAIR, ALONE = "overview", "compare-pair", "experiment"
DECISIONS: Final = ("decisions", "decision")
"""Kinds of pages that the file holds; experiments where nothing is compared."""

_DROPPED: Final = frozenset({"crumbs", "links", "needs-script"})
"""Classes of what is of no use in a file of its own: ways, downloads, buttons."""

_VOID: Final = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"})
_IDS: Final = re.compile(
    r'\b(id|for|aria-labelledby|aria-describedby|aria-controls|aria-owns)="([^"]*)"|url\(#([^)]*)\)'
)


class FoldedPage(Struct, frozen=True, kw_only=True):
    """A page as a section of the file.

    Attributes:
        place: Its id in the file, with which all ids of the page begin.
        title: As the list of sections names it.
        content: Its main part.
    """

    place: str
    title: str
    content: Markup


class SingleFile(Struct, frozen=True, kw_only=True):
    """Everything that the template prints; ``left_out`` names the pages that had no room."""

    template: ClassVar[str] = "results/single-file.html"
    title: str
    language: str
    style: Markup
    sections: tuple[FoldedPage, ...]
    left_out: str
    build: str


def single_file(site: SiteFiles, name: str) -> tuple[SiteFile, tuple[str, ...]]:
    """One file of a site.

    Args:
        site: Whose pages they are.
        name: What the file is called.

    Returns:
        The file, and the titles of the pages that had no room.

    Raises:
        PublishError: The front page alone has no room.
    """
    planned = tuple(site.site.planned.values())
    pairs = any(page.kind == PAIR for page in planned)
    kinds = (FRONT, PAIR if pairs else ALONE, *DECISIONS)
    wanted = {page.path: page.title for kind in kinds for page in planned if page.kind == kind}
    sources = {path: _of(site, path) for path in wanted}
    style = svg_markup(f"<style>\n{_of(site, STYLE)}\n</style>")
    room = MOST_BYTES - len(style.encode()) - ENVELOPE
    places: dict[str, str] = {}
    left = []
    for path, title in wanted.items():
        size = len(_folded(sources, path, {**places, path: f"p{len(places)}"}).encode())
        if size <= room:
            room -= size
            places[path] = f"p{len(places)}"
        else:
            left.append(title)
    if next(iter(wanted)) not in places:
        raise PublishError(
            f"the front page has no room in {MOST_BYTES // 1000} kB",
            where=name,
            hint="build a site in its place",
        )
    sections = tuple(
        FoldedPage(
            place=place, title=visible(wanted[path]), content=svg_markup(_folded(sources, path, places))
        )
        for path, place in places.items()
    )
    view = SingleFile(
        title=visible(site.info.site.title),
        language=site.info.site.language,
        style=style,
        sections=sections,
        left_out="; ".join(map(visible, left)),
        build=f"assay {site.info.version}, {site.info.digest}",
    )
    template = render.environment().get_template(SingleFile.template)
    return SiteFile(name, template.render(view=view).encode()), tuple(left)


def _of(site: SiteFiles, path: str) -> str:
    file = site.file(path)
    if file is None:
        raise PublishError("the site has no such file", where=path)
    return file.data.decode()


def _folded(sources: Mapping[str, str], path: str, places: Mapping[str, str]) -> str:
    ids = {of: frozenset(re.findall(r'\bid="([^"]*)"', sources[of])) for of in places}
    return "".join(_Folded(sources[path], path, places, ids).parts)


class _Folded(HTMLParser):
    """The main part of a page as a section of the file; ``parts`` are its pieces.

    Args:
        source: The page.
        path: Its place in the site.
        places: Path of each page in the file -> its id there; headings of all but the first are a step lower.
        ids: Path of each page in the file -> the ids within it.
    """

    def __init__(
        self, source: str, path: str, places: Mapping[str, str], ids: Mapping[str, frozenset[str]]
    ) -> None:
        super().__init__(convert_charrefs=False)
        self.path, self.places, self.ids = path, places, ids
        self.first = path == next(iter(places))
        self.prefix = f"{places[path]}-"
        self.parts: list[str] = []
        self._inside = False
        self._skipped = 0
        self._anchors: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "main":
            self._inside = True
            return
        if not self._inside:
            return
        if self._skipped or self._is_dropped(tag, dict(attrs)):
            self._skipped += tag not in _VOID
            return
        raw = self.get_starttag_text() or ""
        if tag == "img":
            self.parts.append(escape(dict(attrs).get("alt") or ""))
        elif tag == "a":
            self.parts.append(self._anchor(raw, dict(attrs)))
        else:
            self.parts.append(self._lowered(_IDS.sub(self._own, raw), tag))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if self._inside and not self._skipped:
            self.parts.append(_IDS.sub(self._own, self.get_starttag_text() or ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "main":
            self._inside = False
        if not self._inside:
            return
        if self._skipped:
            self._skipped -= 1
            return
        ended = self._anchors.pop() if tag == "a" else tag
        self.parts.append(self._lowered(f"</{ended}>", tag))

    def handle_data(self, data: str) -> None:
        self._text(data)

    def handle_entityref(self, name: str) -> None:
        self._text(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._text(f"&#{name};")

    def _text(self, text: str) -> None:
        if self._inside and not self._skipped:
            self.parts.append(text)

    def _is_dropped(self, tag: str, attrs: dict[str, str | None]) -> bool:
        classes = set((attrs.get("class") or "").split())
        return (
            tag in ("script", "form", "button")
            or bool(classes & _DROPPED)
            or (tag, classes) == ("pre", {"unseen"})
        )

    def _own(self, found: re.Match[str]) -> str:
        """An id, or what refers to ids of the same page, as an id of the file."""
        name, value, of_url = found.groups()
        if of_url is not None:
            return f"url(#{self.prefix}{of_url})"
        return f'{name}="{" ".join(self.prefix + one for one in value.split())}"'

    def _anchor(self, raw: str, attrs: dict[str, str | None]) -> str:
        """A link within the file, one that leaves it for elsewhere, or words where its page is not in it."""
        href = attrs.get("href") or ""
        to = self._place(href)
        own = _IDS.sub(self._own, raw)
        if to is None and not urlsplit(href).scheme:
            self._anchors.append("span")
            return re.sub(r'\s(href|download|rel|target)="[^"]*"', "", own).replace("<a", "<span", 1)
        self._anchors.append("a")
        return own if to is None else re.sub(r'href="[^"]*"', f'href="{escape(to)}"', own, count=1)

    def _place(self, href: str) -> str | None:
        parts = urlsplit(href)
        if parts.scheme or parts.netloc:
            return None
        path = self.path
        if parts.path:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(self.path), unquote(parts.path)))
        place = self.places.get(path)
        if place is None or (parts.fragment and unquote(parts.fragment) not in self.ids[path]):
            return None
        return f"#{place}-{parts.fragment}" if parts.fragment else f"#{place}"

    def _lowered(self, text: str, tag: str) -> str:
        """A heading a step lower, where the file has a heading above it."""
        if self.first or not re.fullmatch(r"h[1-5]", tag):
            return text
        return re.sub(rf"^(</?){tag}", rf"\g<1>h{int(tag[1]) + 1}", text)
