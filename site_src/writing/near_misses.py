"""What was meant as a role or a directive and would be printed as it stands: told, with the form that works.

Does: find the name of one in braces that is left over as text, and a fence that lacks the braces. Does not:
look into code, where such words are what is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from site_src import markdown
from site_src.writing.directives import DIRECTIVES
from site_src.writing.roles import ROLES
from site_src.writing.sentences import sentences

_LEFT: Final = re.compile(r"\{\s*(?P<name>" + "|".join([*ROLES, *DIRECTIVES]) + r")\s*\}")
_OPTION: Final = re.compile(r"^:[a-z-]+:", re.MULTILINE)


def near_misses(text: str, source: str, first_line: int = 1) -> Iterator[str]:
    """``file:line:col: what stands there (what to write)``, for each.

    Args:
        text: Markdown.
        source: The file's name.
        first_line: The line of the file on which the text begins.

    >>> list(near_misses("It solved {est} `traces.score`.", "a.md"))
    ['a.md:1:11: {est} would be printed as it stands (write {est}`...`, with no space before the back-quote)']
    """
    for sentence in sentences(text, first_line):
        for found in _LEFT.finditer(sentence.text):
            line, column = sentence.places[found.start()]
            yield f"{source}:{line}:{column}: {_said(found['name'])}"
    for token, line in markdown.walk(markdown.parse(text)):
        name = token.info.split()[0] if token.type == "fence" and token.info.split() else ""
        if name in DIRECTIVES and _OPTION.search(token.content):
            yield (
                f"{source}:{line + first_line - 1}:1: a fence of {name} without braces would be printed as "
                f"code (write ```{{{name}}})"
            )


def _said(name: str) -> str:
    if name in ROLES:
        form = f"write {{{name}}}`...`, with no space before the back-quote"
        return f"{{{name}}} would be printed as it stands ({form})"
    return f"{{{name}}} would be printed as it stands (a directive begins a fence: ```{{{name}}})"
