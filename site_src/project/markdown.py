"""Authors' Markdown to HTML: one parser, set up once, without raw HTML and without inline style.

Does: take a file apart into front matter and tokens; CommonMark with tables, strike-through, front matter,
footnotes, definition lists, admonitions and anchors on headings; links to other Markdown files become links
to their pages; roles and colon fences as tokens. Does not: open files, or say what a role or a directive
stands for; `site_src.authoring` does.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, MutableMapping, Sequence
from functools import cache
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup, escape
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_role import myst_role_plugin
from msgspec import Struct

from metrics_core.errors import ConfigError, InputError
from metrics_core.formats import Document, strict_yaml
from metrics_core.results import quoted
from metrics_core.suggestions import nearest
from site_src import link_policy, paths
from site_src.project.pictures import KINDS

ROLE: Final = "myst_role"
"""Type of the token that a role is; ``meta["name"]`` and ``content`` are what was written."""

UNCLOSED: Final = "unclosed_role"
"""Type of the token that stands for the beginning of a role whose back-quote is never closed."""

_OPENED: Final = re.compile(r"\{[a-zA-Z0-9_\-+:]+\}`+")

_IN_CODE: Final = "an address that is no link stands in back-quotes"

HISTORY: Final = "history"
"""Element id of a decision's history, on its page."""


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
    md.validateLink = _is_for_link_to_judge  # type: ignore[method-assign]
    for plugin in (front_matter_plugin, footnote_plugin, deflist_plugin, admon_plugin):
        md.use(plugin)
    md.use(colon_fence_plugin)
    md.use(myst_role_plugin)
    md.inline.ruler.after("myst_role", UNCLOSED, _unclosed_role)
    md.add_render_rule(UNCLOSED, _as_text)
    md.core.ruler.push("anchors", _anchors)
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


class MarkdownFile(Struct, frozen=True):
    """A file of Markdown, taken apart.

    Attributes:
        front: Its front matter, with the lines of the file; None where it has none.
        front_lines: How many lines the front matter takes, its dashes among them.
        tokens: Of what stands below it.
        lines: The whole file, line by line.
    """

    front: Document | None
    front_lines: int
    tokens: tuple[Token, ...]
    lines: tuple[str, ...]

    def text_from(self, line: int) -> str:
        """The file from a line on; 0 is the first."""
        return "\n".join(self.lines[line:])


def read(data: bytes, source: str) -> MarkdownFile:
    r"""A file taken apart.

    Args:
        data: Its bytes.
        source: Its path within the content folder, for errors.

    Raises:
        InputError: Not UTF-8.
        FormatError: The front matter is not YAML that every reader reads alike.

    >>> file = read(b"---\ntitle: A\n---\nBecause.\n", "a.md")
    >>> file.front.value, file.text_from(file.front_lines)
    ({'title': 'A'}, 'Because.\n')
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as bad:
        raise InputError(f"not UTF-8: {bad.reason} at byte {bad.start}", where=source) from bad
    text = text.replace("\r\n", "\n").replace("\r", "\n")  # as the parser counts lines
    tokens, lines = tuple(parse(text)), tuple(text.split("\n"))
    if not tokens or tokens[0].type != "front_matter":
        return MarkdownFile(None, 0, tokens, lines)
    # The line of the three dashes is kept as an empty one, so that the lines of errors are the file's own.
    front = strict_yaml.parse(("\n" + tokens[0].content).encode(), source)
    return MarkdownFile(front, (tokens[0].map or (0, 0))[1], tokens[1:], lines)


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


def link(
    tokens: Sequence[Token],
    *,
    source: str,
    page: str,
    first_line: int = 1,
    known: Collection[str] | None = None,
) -> dict[str, int]:
    """Point a document's links at pages, in place, and name the pictures that it needs.

    Args:
        tokens: The document.
        source: Its path within the content folder, ``notes/a.md``.
        page: The path of its page within the site.
        first_line: The line of the file on which the document begins, for errors.
        known: Every Markdown file that has a page; None leaves links to them unchecked.

    Returns:
        Paths of pictures, within the content folder, sorted, each with the line that shows it first; they are
        published under the same path.

    Raises:
        ConfigError: A picture from elsewhere, a link that `link_policy` refuses, one from the root, which
            breaks under a sub-path, or one that leads to no page or no heading.
    """
    pictures: dict[str, int] = {}
    headings = {str(token.attrs.get("id", "")) for token in tokens if token.type == "heading_open"}
    for token, at in walk(tokens):
        line = at + first_line - 1
        if token.type == "link_open":
            href = str(token.attrs.get("href", ""))
            if f"on-{href[1:]}" in headings and href[1:] not in headings:
                href = f"#on-{href[1:]}"
            elif known is not None and href[:1] == "#" and not ({href[1:]} & headings or _is_ours(href[1:])):
                raise ConfigError(
                    f"no heading {href!r} on this page",
                    where=f"{source}:{line}",
                    hint=nearest(href[1:], [heading.removeprefix("on-") for heading in headings]),
                )
            token.attrs["href"] = _href(href, source, page, line, known)
            if urlsplit(str(token.attrs["href"])).scheme in ("http", "https"):
                token.attrs["rel"] = "nofollow noreferrer noopener"
        elif token.type == "image":
            target = str(token.attrs.get("src", ""))
            parts = urlsplit(target)
            if parts.scheme or parts.netloc or not parts.path.lower().endswith(KINDS):
                raise ConfigError(
                    f"a picture is {quoted(target)}",
                    where=f"{source}:{line}",
                    hint=f"put it beside the text, as one of {', '.join(KINDS)}",
                )
            found = _within(source, unquote(parts.path), line)
            pictures.setdefault(found, line)
            token.attrs["src"] = paths.relative(page, found)
    return dict(sorted(pictures.items()))


def page_of(source: str) -> str:
    """The page of a Markdown file: same folders, each name made safe.

    >>> page_of("methods.md"), page_of("notes/Our way.md"), page_of("index.md")
    ('methods.html', 'notes/our-way-ef47a7f6.html', 'index.html')
    >>> page_of("decisions/use-alpha.md")
    'decisions/use-alpha/index.html'
    """
    *folders, name = source.removesuffix(".md").split("/")
    if folders == ["decisions"]:
        return paths.decision(name)
    return "/".join([*map(paths.slug, folders), paths.slug(name) + ".html"])


def _href(href: str, source: str, page: str, line: int, known: Collection[str] | None) -> str:
    if refused := link_policy.refusal(href):
        raise ConfigError(f"a link: {refused}", where=f"{source}:{line}", hint=_IN_CODE)
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
    fragment = f"#{_within_page(parts.fragment)}" if parts.fragment else ""
    if path.endswith(".md"):
        found = _within(source, path, line)
        if known is not None and found not in known:
            raise ConfigError(
                f"a link to {path!r}, and there is no {found}",
                where=f"{source}:{line}",
                hint=nearest(found, known),
            )
        if found.startswith("decisions/") and parts.fragment == HISTORY:
            fragment = f"#{HISTORY}"
        return paths.relative(page, page_of(found) + fragment)
    return href


def _within_page(fragment: str) -> str:
    """The element id that a fragment means on a page of prose: a heading, unless it is an id of ours."""
    return fragment if _is_ours(fragment) else anchor_of(unquote(fragment))


def _is_ours(fragment: str) -> bool:
    made = fragment.startswith(("on-", "fn")) or re.search(r"-[0-9a-f]{8}\Z", fragment)
    return bool(made) or fragment in ("main", "index")


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


def _anchors(state: StateCore) -> None:
    """Give each heading down to the fourth level its id; of those that read alike, the second ends in -1."""
    counts: dict[str, int] = {}
    taken: set[str] = set()
    for at, token in enumerate(state.tokens):
        if token.type == "heading_open" and token.tag <= "h4":
            within = state.tokens[at + 1].children or ()
            wanted = anchor_of("".join(c.content for c in within if c.type in ("text", "code_inline")))
            found = wanted
            while found in taken:
                counts[wanted] = counts.get(wanted, 0) + 1
                found = f"{wanted}-{counts[wanted]}"
            taken.add(found)
            token.attrSet("id", found)


def _nothing(*_: Any) -> str:
    return ""


def _is_for_link_to_judge(url: str) -> bool:
    """The parser's own list of refused schemes would leave a link as text, and say nothing."""
    return True


def _unclosed_role(state: StateInline, silent: bool) -> bool:
    """The beginning of a role that nothing ends; the rule before this one took every role that is whole."""
    opened = _OPENED.match(state.src, state.pos, state.posMax)
    if opened is None:
        return False
    if not silent:
        state.push(UNCLOSED, "", 0).content = opened[0]
    state.pos = opened.end()
    return True


def _as_text(self: RendererHTML, tokens: Sequence[Token], index: int, *_: Any) -> str:
    return str(escape(tokens[index].content))
