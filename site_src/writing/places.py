"""Where in its file a role or a directive stands: line and column, exactly, whatever it is nested in.

A parser hands on text from which quotes, list indents, table rules and escapes are gone, so a column cannot
be counted there. It is found by parsing once more with every role numbered; that is done only for an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from markdown_it.token import Token

from site_src import markdown

_ROLE: Final = re.compile(r"\{([a-zA-Z0-9_\-+:]+)\}(?=`)")
_NUMBER: Final = re.compile(r"\+(\d+)\}?`*\Z")


def place(source: str, line: int, column: int) -> str:
    """``file:line:col``, both counted from 1; a tab is one character.

    >>> place("notes.md", 3, 7)
    'notes.md:3:7'
    """
    return f"{source}:{line}:{column}"


def of_roles(text: str) -> list[tuple[int, int]]:
    r"""Line and column of each role, and of each that is not closed, in the order of their tokens.

    Args:
        text: A document, its lines ended by line feeds.

    >>> of_roles("a {est}`x`\n\n> - *b* `{est}` {page}`y`\n")
    [(1, 3), (3, 17)]
    """
    starts: list[int] = []

    def numbered(found: re.Match[str]) -> str:
        starts.append(found.start())
        return f"{{{found[1]}+{len(starts) - 1}}}"

    tokens = markdown.parse(_ROLE.sub(numbered, text))
    names = [
        str(token.meta["name"]) if token.type == markdown.ROLE else token.content
        for token, _ in markdown.walk(tokens)
        if token.type in (markdown.ROLE, markdown.UNCLOSED)
    ]
    numbers = [int(found[1]) for name in names if (found := _NUMBER.search(name))]
    return [_line_and_column(text, starts[number]) for number in numbers]


def of_fence(lines: Sequence[str], token: Token) -> tuple[int, int]:
    """Line and column at which a fence begins.

    Args:
        lines: Of the document.
        token: The fence.
    """
    at = token.map[0] if token.map else 0
    opening = token.markup + token.info
    return at + 1, lines[at].rfind(opening) + 1 or 1


def within_fence(lines: Sequence[str], token: Token, number: int, content: str) -> tuple[int, int]:
    """Line and column at which the text of a line within a fence begins.

    Args:
        lines: Of the document.
        token: The fence.
        number: The line's place in the fence; 0 is the first below the opening.
        content: The line as the fence holds it.
    """
    at = (token.map[0] if token.map else 0) + 1 + number
    whole = lines[at] if at < len(lines) else ""
    return at + 1, max(len(whole) - len(content.lstrip()), 0) + 1


def is_closed(token: Token) -> bool:
    """Whether a fence ends with its own closing line, rather than with what it stands in."""
    first, end = token.map or (0, 0)
    held = token.content.count("\n") + bool(token.content and not token.content.endswith("\n"))
    return end - first == held + 2


def _line_and_column(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
