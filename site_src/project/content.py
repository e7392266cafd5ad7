"""What authors wrote: every Markdown file of the content folder, read and made into a page's prose.

Does: find the files, read their front matter, take the title, and name the pictures of the rest. Does not:
make HTML, which needs the reports that roles and directives refer to, or read experiments, decisions and
editions, which are no pages of prose.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.errors import ConfigError, InputError
from metrics_core.formats import Document, Prose, decode
from metrics_core.results import quoted
from site_src.project import markdown, pictures
from site_src.project.error_places import Told, each_made
from site_src.project.markdown import MarkdownFile

APART = frozenset({"experiments", "decisions", "editions", "contracts", "pricing"})
"""Folders of the content whose files are not pages of prose."""

OVERVIEW = "index.md"

LAST = 1_000
"""Where a page stands whose front matter does not say."""

Heads = tuple[tuple[str, str], ...]
"""Sentences of a page that are no Markdown: ``file:line``, and the words."""


class Authored(Struct, frozen=True, kw_only=True):
    """One page of an author's prose.

    Attributes:
        source: Path within the content folder, ``about.md``.
        path: Path of its page within the site, ``about.html``.
        lede: The sentence below the title; empty where none is given.
        text: The rest, as Markdown.
        first_line: The line of the file on which the text begins.
        order: Where it stands among the authored pages; those without stand last, by title.
        menu: Whether the index in the footer lists it.
        pictures: Paths within the content folder and their bytes.
        heads: Title and lede as written, each with its ``file:line``.
    """

    source: str
    path: str
    title: str
    lede: str
    text: str
    first_line: int = 1
    order: int = LAST
    menu: bool = True
    pictures: tuple[tuple[str, bytes], ...] = ()
    heads: Heads = ()


class _PageFront(Struct, frozen=True, forbid_unknown_fields=True):
    """The front matter of a page; each key may be left out."""

    title: Prose = ""
    lede: Prose = ""
    order: int = LAST
    menu: bool = True


def read(folder: Path, told: Told | None = None) -> tuple[Authored, ...]:
    """Every Markdown file below a content folder, in the order in which they are listed.

    Args:
        folder: The content folder; none of its files is altered.
        told: Called with the error of each page that cannot be read; None raises the first.

    Raises:
        ConfigError: ``file:line``, what was expected and what stood there.
        InputError: A file that is not UTF-8, or a link that leaves the folder.
    """
    names = each_made(partial(_regular, folder), sorted(_sources(folder)), told)
    found = each_made(lambda name: authored(name, (folder / name).read_bytes(), folder), names, told)
    return tuple(sorted(found, key=lambda page: (page.order, page.title, page.path)))


def authored(source: str, data: bytes, folder: Path | None = None) -> Authored:
    """One document.

    Args:
        source: Its path within the content folder.
        data: Its bytes.
        folder: Where its pictures lie; None if it has none.
    """
    page, shown = _page(source, data)
    pictures_of = tuple((name, _picture(folder, name, f"{source}:{line}")) for name, line in shown)
    return replace(page, pictures=pictures_of) if pictures_of else page


@lru_cache(maxsize=1 << 10)
def _page(source: str, data: bytes) -> tuple[Authored, tuple[tuple[str, int], ...]]:
    """A document without its pictures, and the paths of these, each with the line that shows it first.

    A preview reads all of them after every save, and few of them are what was saved.
    """
    file = markdown.read(data, source)
    front, places = _front_matter(file.front)
    title, below = _title(file, front.title, source)
    heads = {"title": title, "lede": front.lede}
    path = markdown.page_of(source)
    shown = markdown.link(file.tokens, source=source, page=path)
    page = Authored(
        source=source,
        path=path,
        title=title,
        lede=front.lede,
        text=file.text_from(below),
        first_line=below + 1,
        order=front.order,
        menu=front.menu,
        heads=tuple((places.get(key, f"{source}:{below}"), words) for key, words in heads.items() if words),
    )
    return page, tuple(shown.items())


def _sources(folder: Path) -> Iterator[str]:
    for path in folder.rglob("*.md"):
        name = path.relative_to(folder).as_posix()
        if name.split("/")[0] not in APART and not any(
            part.startswith((".", "_")) for part in name.split("/")
        ):
            yield name


def _regular(folder: Path, name: str) -> str:
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()) or not path.is_file():
        raise InputError("not a regular file inside the content folder", where=name)
    return name


def _front_matter(document: Document | None) -> tuple[_PageFront, dict[str, str]]:
    """Front matter, and the ``file:line`` of each key that stands in it."""
    if document is None:
        return _PageFront(), {}
    front = decode(document, _PageFront, ConfigError)
    return front, {key: document.where(key) for key in document.value or ()}


def _title(file: MarkdownFile, title: str, source: str) -> tuple[str, int]:
    """The title, from the front matter or the first heading, and how many lines it and the former take.

    The overview needs none: what can be separated is its title then.
    """
    below, tokens = file.front_lines, file.tokens
    first_is_title = bool(tokens) and tokens[0].type == "heading_open" and tokens[0].tag == "h1"
    if first_is_title and title in ("", tokens[1].content):
        title, below = tokens[1].content, (tokens[0].map or (0, 0))[1]
    if not title and source != OVERVIEW:
        raise ConfigError(
            "a page without a title",
            where=f"{source}:1",
            hint="begin it with '# Title', or with front matter that holds 'title'",
        )
    return title, below


def _picture(folder: Path | None, name: str, where: str) -> bytes:
    missing = ConfigError(f"there is no picture {quoted(name)}", where=where)
    if folder is None:
        raise missing
    try:
        path, root = (folder / name).resolve(), folder.resolve()
        if not path.is_relative_to(root):
            raise InputError(f"{quoted(name)} leads out of the content folder", where=where)
        inner = path.relative_to(root).parts
        if {name.partition("/")[0].lower(), *inner[:1]} & APART:
            raise ConfigError(
                f"{quoted(name)} lies among what is no page",
                where=where,
                hint="put a copy beside the text; of experiments only what was redacted is published",
            )
        if not path.is_file():
            raise missing
        data = path.read_bytes()
        pictures.check(name, data, where)
        return data
    except (OSError, RuntimeError, ValueError) as bad:  # no name, a link to itself, no right to read
        raise missing from bad
