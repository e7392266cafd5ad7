"""An author's Markdown as it stands on a page, with what its roles and directives refer to put in place.

Does: parse a document once, check every role and directive against its declaration, and set what it gives.
Does not: read files, or know any role or directive; they declare themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from markdown_it.token import Token
from markupsafe import Markup
from msgspec.structs import replace

from metrics_core.errors import AssayError, ConfigError
from metrics_core.suggestions import nearest
from metrics_core.text import visible
from site_src.authoring.declarations import Invocation, PageContext
from site_src.authoring.directives import DIRECTIVES
from site_src.authoring.fences import directive_name, place, places_of_roles, read_fence
from site_src.authoring.roles import ROLES
from site_src.pages import render, text as span
from site_src.project import markdown
from site_src.references import WithheldReferenceError, role_text

__all__ = ["WITHHELD", "PageContext", "prose"]

WITHHELD: Final = span("withheld: its experiment could not be read or measured", "quiet")
"""Stands where a document names what no build could read; publishing refuses the experiment itself."""

_PLACED: Final = Markup('<div class="placed">\n{}\n</div>\n')


def prose(text: str, context: PageContext) -> Markup:
    """The HTML of a document.

    Args:
        text: Markdown; its headings begin at the second level.
        context: Where it stands.

    Raises:
        AssayError: ``file:line:col``, what was asked, and what exists.
    """
    text = re.sub(r"\r\n?", "\n", text)
    tokens = markdown.parse(text)
    markdown.link(
        tokens,
        source=context.source,
        page=context.page,
        first_line=context.first_line,
        known={
            *(page.source for page in context.site.authored),
            *(judged.decision.source for judged in context.site.decisions),
        },
    )
    _set_roles(tokens, text, context)
    _set_directives(tokens, text.split("\n"), context)
    return markdown.render(tokens)


def _set_roles(tokens: Sequence[Token], text: str, context: PageContext) -> None:
    """Put in each role's place what it gives, in the order of their tokens."""
    for number, (token, line, inside) in enumerate(_roles(tokens)):
        try:
            html = _role_html(token, inside, context, line)
        except AssayError as bad:
            at, column = places_of_roles(text)[number]
            where = place(context.source, at + context.first_line - 1, column)
            raise type(bad)(bad.problem, where=where, hint=bad.hint) from bad
        token.type, token.content = "html_inline", str(html)


def _roles(tokens: Sequence[Token], inside: str = "") -> Iterator[tuple[Token, int, str]]:
    """Every role, the line of the block it stands in, and what it is nested in, of what matters to it."""
    line, linked = 1, False
    for token in list(tokens):
        line = token.map[0] + 1 if token.map else line
        linked = (linked or token.type == "link_open") and token.type != "link_close"
        if token.type in (markdown.ROLE, markdown.UNCLOSED):
            yield token, line, inside or ("link" if linked else "")
        elif token.children:
            within = "picture" if token.type == "image" else inside
            for child, at, what in _roles(token.children, within):
                yield child, max(line, at), what


def _role_html(token: Token, inside: str, context: PageContext, line: int) -> Markup:
    where = f"{context.source}:{line + context.first_line - 1}"
    if token.type == markdown.UNCLOSED:
        raise ConfigError(
            f"a role that is not closed: {visible(token.content)}",
            where=where,
            hint="end it with as many back-quotes as it begins with, or write \\{ for the brace itself",
        )
    name = str(token.meta["name"])
    role = ROLES.get(name)
    if role is None:
        raise ConfigError(f"no role {{{visible(name)}}}", where=where, hint=nearest(name, ROLES))
    if inside == "picture":
        raise ConfigError(
            f"{{{name}}} in the words for a picture", where=where, hint="write it below the picture"
        )
    if not token.content.strip():
        raise ConfigError(f"{{{name}}} of nothing", where=where, hint=f"write {{{name}}}`{role.form}`")
    invocation = Invocation(name=name, argument=role_text.content(token.content), where=where)
    try:
        spans = role.make(invocation, context)
    except WithheldReferenceError:
        spans = (WITHHELD,)
    if inside == "link":
        spans = tuple(replace(span, href="") for span in spans)
    return render.fragment("spans", spans)


def _set_directives(tokens: Sequence[Token], lines: Sequence[str], context: PageContext) -> None:
    """Put in each directive's place what it gives; a fence of code stays one."""
    under_heading = False
    for token, _ in markdown.walk(tokens):
        under_heading = under_heading or token.type == "heading_open"
        if directive_name(token):
            invocation = read_fence(token, lines, context.source, context.first_line, DIRECTIVES)
            try:
                html = DIRECTIVES[invocation.name].make(invocation, context)
            except WithheldReferenceError:
                html = render.fragment("paragraph", (WITHHELD,))
            token.type = "html_block"
            token.content = str(_PLACED.format(html if under_heading else _raised(html)))


def _raised(html: Markup) -> Markup:
    """What stands right under the page's title, its own titles of the second level: none is skipped."""
    return Markup(re.sub(r"(?<=<)(/?)h3\b", r"\1h2", html))  # noqa: S704 - text in it is escaped already
