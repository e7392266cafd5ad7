"""What was meant as a role or a directive and would be printed as it stands: told, with the form that works.

Does: find the name of one in braces that is left over as text, and a fence that lacks the braces. Does not:
look into code, where such words are what is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from metrics_core.errors import StrictError
from site_src import markdown
from site_src.writing.directives import DIRECTIVES
from site_src.writing.passages import sentences
from site_src.writing.roles import ROLES

_LEFT: Final = re.compile(r"\{\s*(?P<name>" + "|".join([*ROLES, *DIRECTIVES]) + r")\s*\}")
_OPTION: Final = re.compile(r"^:[a-z-]+:", re.MULTILINE)


def near_misses(text: str, source: str, first_line: int = 1) -> Iterator[StrictError]:
    """An error for each, none of them raised: ``file:line:col``, what stands there, what to write.

    Args:
        text: Markdown.
        source: The file's name.
        first_line: The line of the file on which the text begins.

    >>> [str(error) for error in near_misses("It solved {est} `traces.score`.", "a.md")]
    ['a.md:1:11: {est} would be printed as it stands (write {est}`...`, with no space before the back-quote)']
    """
    for sentence in sentences(text, first_line):
        for found in _LEFT.finditer(sentence.text):
            line, column = sentence.places[found.start()]
            yield StrictError(
                f"{{{found['name']}}} would be printed as it stands",
                where=f"{source}:{line}:{column}",
                hint=_form(found["name"]),
            )
    for token, line in markdown.walk(markdown.parse(text)):
        name = token.info.split()[0] if token.type == "fence" and token.info.split() else ""
        if name in DIRECTIVES and _OPTION.search(token.content):
            yield StrictError(
                f"a fence of {name} without braces would be printed as code",
                where=f"{source}:{line + first_line - 1}:1",
                hint=f"write ```{{{name}}}",
            )


def _form(name: str) -> str:
    """How it is written."""
    if name in ROLES:
        return f"write {{{name}}}`...`, with no space before the back-quote"
    return f"a directive begins a fence: ```{{{name}}}"
