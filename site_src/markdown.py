"""Authors' Markdown to HTML: one parser, set up once, without raw HTML and without inline style.

Does: CommonMark with tables, strike-through, front matter, footnotes, definition lists, admonitions and
anchors on headings; links to other Markdown files become links to their pages. Does not: read files,
and it leaves roles and directives as the text they are.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, MutableMapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from metrics_core.errors import ConfigError
from site_src import paths

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")


def anchor_of(heading: str) -> str:
    """The element id of a heading in prose; the prefix keeps it apart from every id that we make.

    >>> anchor_of("What it means")
    'on-what-it-means'
    """
    kept = "".join(c if c.isalnum() and c.isascii() else "-" for c in heading.lower())
    return "on-" + ("-".join(filter(None, kept.split("-")))[:60] or paths.digest8(heading))


@cache
def parser() -> MarkdownIt:
    """The one parser; it is never changed after it is made."""
    md = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    for plugin in (front_matter_plugin, footnote_plugin, deflist_plugin, admon_plugin):
        md.use(plugin)
    md.use(anchors_plugin, max_level=4, slug_func=anchor_of)
    for tag in ("th_open", "td_open"):
        md.add_render_rule(tag, _cell)
    md.add_render_rule("table_open", _table_open)
    md.add_render_rule("table_close", _table_close)
    md.add_render_rule("footnote_block_open", _footnotes)
    md.add_render_rule("front_matter", _nothing)
    return md


def parse(text: str) -> list[Token]:
    """Tokens of a document.

    Args:
        text: Markdown, front matter included.

    >>> [t.type for t in parse("# A")]
    ['heading_open', 'inline', 'heading_close']
    """
    return parser().parse(text, {})


def render(tokens: Sequence[Token]) -> Markup:
    """HTML of a document's tokens; the one place where prose becomes markup.

    >>> print(render(parse("a <b> *c*")).strip())
    <p>a &lt;b&gt; <em>c</em></p>
    """
    md = parser()
    return Markup(md.renderer.render(list(tokens), md.options, {}))  # noqa: S704 - the parser refuses raw HTML


def walk(tokens: Sequence[Token], line: int = 1) -> Iterator[tuple[Token, int]]:
    """Every token, nested ones too, with the line that it stands on (1 is the first)."""
    for token in tokens:
        line = token.map[0] + 1 if token.map else line
        yield token, line
        if token.children:
            yield from walk(token.children, line)


def link(tokens: Sequence[Token], *, source: str, page: str) -> tuple[str, ...]:
    """Point a document's links at pages, in place, and name the pictures that it needs.

    Args:
        tokens: The document.
        source: Its path within the content folder, ``notes/a.md``.
        page: The path of its page within the site.

    Returns:
        Paths of pictures, within the content folder, sorted; they are published under the same path.

    Raises:
        ConfigError: A picture from elsewhere, or a link from the root, which breaks under a sub-path.
    """
    pictures = set()
    for token, line in walk(tokens):
        if token.type == "link_open":
            token.attrs["href"] = _href(str(token.attrs.get("href", "")), source, page, line)
            if urlsplit(str(token.attrs["href"])).scheme in ("http", "https"):
                token.attrs["rel"] = "nofollow noreferrer noopener"
        elif token.type == "image":
            target = str(token.attrs.get("src", ""))
            parts = urlsplit(target)
            if parts.scheme or parts.netloc or not parts.path.lower().endswith(PICTURES):
                raise ConfigError(
                    f"a picture is {target!r}",
                    where=f"{source}:{line}",
                    hint=f"put it beside the text, as one of {', '.join(PICTURES)}",
                )
            found = _within(source, unquote(parts.path), line)
            pictures.add(found)
            token.attrs["src"] = paths.relative(page, found)
    return tuple(sorted(pictures))


def page_of(source: str) -> str:
    """The page of a Markdown file: same folders, each name made safe.

    >>> page_of("methods.md"), page_of("notes/Our way.md"), page_of("index.md")
    ('methods.html', 'notes/our-way-ef47a7f6.html', 'index.html')
    """
    *folders, name = source.removesuffix(".md").split("/")
    return "/".join([*map(paths.slug, folders), paths.slug(name) + ".html"])


def _href(href: str, source: str, page: str, line: int) -> str:
    parts = urlsplit(href)
    if parts.scheme or not parts.path:
        return href
    if href.startswith("/"):
        raise ConfigError(
            f"a link from the root, {href!r}",
            where=f"{source}:{line}",
            hint="write it relative to this file, so that it works under any address",
        )
    path = unquote(parts.path)
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    if path.endswith(".md"):
        return paths.relative(page, page_of(_within(source, path, line)) + fragment)
    return href


def _within(source: str, path: str, line: int) -> str:
    found = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    if found.startswith("../"):
        raise ConfigError(f"{path!r} leaves the content folder", where=f"{source}:{line}")
    return found


def _cell(
    self: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    options: OptionsDict,
    env: MutableMapping[str, Any],
) -> str:
    token = tokens[index]
    style = str(token.attrs.pop("style", ""))
    if style == "text-align:right":
        token.attrs["class"] = "num"
    if token.tag == "th":
        token.attrs["scope"] = "col"
    return str(self.renderToken(tokens, index, options, env))


def _table_open(*_: Any) -> str:
    return '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>\n'


def _table_close(*_: Any) -> str:
    return "</table></div>\n"


def _footnotes(*_: Any) -> str:
    return '<section class="footnotes" aria-label="Footnotes">\n<ol class="footnotes-list">\n'


def _nothing(*_: Any) -> str:
    return ""
