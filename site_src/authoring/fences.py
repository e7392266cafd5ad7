"""A directive's fence checked against its declaration, and where in its file a fence or a role stands.

Does: refuse what is unknown, given twice, missing or of a value that is not allowed, each at its own line
and column, exactly, whatever it is nested in. Does not: make what stands in the fence's place.

A parser hands on text from which quotes, list indents, table rules and escapes are gone, so the column of a
role cannot be counted there. It is found by parsing once more with every role numbered; that is done only
for an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from markdown_it.token import Token

from metrics_core.errors import ConfigError
from metrics_core.suggestions import nearest
from metrics_core.text import visible
from site_src.authoring.declarations import Directive, Invocation, Option
from site_src.project import markdown
from site_src.wording import listed

FENCES: Final = ("fence", "colon_fence")
"""Types of the tokens that a directive may be."""

_OPENING: Final = re.compile(r"\s*\{([A-Za-z0-9_:+-]+)\}(.*)", re.DOTALL)
_OPTION: Final = re.compile(r"\s*:([^:\s]+):(?:\s+(.*?))?\s*")
_ROLE: Final = re.compile(r"\{([a-zA-Z0-9_\-+:]+)\}(?=`)")
_NUMBER: Final = re.compile(r"\+(\d+)\}?`*\Z")


def directive_name(token: Token) -> str:
    """The name of the directive that a token is; empty where it is something else.

    >>> directive_name(Token("fence", "code", 0, info="{figure} funnel"))
    'figure'
    """
    found = _OPENING.fullmatch(token.info) if token.type in FENCES else None
    return found[1] if found else ""


def read_fence(
    token: Token, lines: Sequence[str], source: str, first_line: int, known: Mapping[str, Directive]
) -> Invocation:
    """The invocation that a directive's fence is.

    Args:
        token: Its fence.
        lines: Of the document.
        source: Name of the file.
        first_line: The line of the file on which the document begins.
        known: Every directive there is.

    Raises:
        ConfigError: It is not closed, or not as its declaration says.
    """

    def at(line: int, column: int) -> str:
        return place(source, line + first_line - 1, column)

    found = _OPENING.fullmatch(token.info)
    name, argument = (found[1], found[2].strip()) if found else ("", "")
    where = at(*_fence_place(lines, token))
    declared = known.get(name)
    if declared is None:
        raise ConfigError(f"no directive {{{name}}}", where=where, hint=nearest(name, known))
    if not _is_closed(token):
        raise ConfigError(
            f"{{{name}}} is not closed", where=where, hint=f"end it with a line of {token.markup}"
        )
    options: dict[str, str] = {}
    spots: dict[str, str] = {}
    for number, content in enumerate(token.content.split("\n")):
        if not content.strip():
            continue
        spot = at(*_place_within(lines, token, number, content))
        option, value = _option(declared, content, spot)
        if option in options:
            raise ConfigError(
                f":{option}: is given twice", where=spot, hint=f"first {visible(options[option])!r}"
            )
        options[option], spots[option] = value, spot
    _check_argument(declared, argument, where)
    for needed in declared.options:
        if needed.required and needed.name not in options:
            raise ConfigError(
                f"{{{name}}} without :{needed.name}:", where=where, hint=f"it says {needed.about}"
            )
    return Invocation(name=name, argument=argument, options=options, where=where, places=spots)


def words_within(
    token: Token, lines: Sequence[str], declared: Directive
) -> Iterator[tuple[str, tuple[int, int]]]:
    """What an author says in their own words in a directive's options, each with its line and column.

    Args:
        token: The directive's fence.
        lines: Of the document.
        declared: Its declaration.
    """
    own = {option.name for option in declared.options if option.words}
    for number, content in enumerate(token.content.split("\n")):
        found = _OPTION.fullmatch(content)
        if found and found[1] in own and found[2]:
            line, column = _place_within(lines, token, number, content)
            indent = len(content) - len(content.lstrip())
            yield found[2], (line, column + found.start(2) - indent)


def place(source: str, line: int, column: int) -> str:
    """``file:line:col``, both counted from 1; a tab is one character.

    >>> place("notes.md", 3, 7)
    'notes.md:3:7'
    """
    return f"{source}:{line}:{column}"


def places_of_roles(text: str) -> list[tuple[int, int]]:
    r"""Line and column of each role, and of each that is not closed, in the order of their tokens.

    Args:
        text: A document, its lines ended by line feeds.

    >>> places_of_roles("a {est}`x`\n\n> - *b* `{est}` {page}`y`\n")
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


def _option(declared: Directive, content: str, where: str) -> tuple[str, str]:
    found = _OPTION.fullmatch(content)
    if found is None:
        if not content.lstrip().startswith(":"):
            raise ConfigError(
                f"{{{declared.name}}} takes options only, not {visible(content.strip())!r}",
                where=where,
                hint="write prose below the fence",
            )
        raise ConfigError(
            f"{visible(content.strip())!r} is no option", where=where, hint="write :name: value"
        )
    name, value = found[1], found[2] or ""
    option = next((o for o in declared.options if o.name == name), None)
    if option is None:
        names = [o.name for o in declared.options]
        raise ConfigError(
            f"{{{declared.name}}} has no option :{visible(name)}:", where=where, hint=nearest(name, names)
        )
    if not value:
        raise ConfigError(f":{name}: without a value", where=where, hint=f"it says {option.about}")
    _check_value(option, value, f":{name}:", where)
    return name, value


def _check_argument(declared: Directive, argument: str, where: str) -> None:
    if declared.argument is None:
        if argument:
            raise ConfigError(
                f"{{{declared.name}}} takes no argument, got {visible(argument)!r}",
                where=where,
                hint="leave it out",
            )
    elif argument:
        _check_value(declared.argument, argument, f"{{{declared.name}}}", where)
    elif declared.argument.required:
        words = declared.argument
        choice = f"; one of {listed(words.values)}" if words.values else ""
        raise ConfigError(
            f"{{{declared.name}}} without {words.name}", where=where, hint=f"{words.about}{choice}"
        )


def _check_value(option: Option, value: str, whose: str, where: str) -> None:
    if option.values and value not in option.values:
        raise ConfigError(
            f"{whose} cannot be {visible(value)!r}", where=where, hint=nearest(value, option.values)
        )


def _fence_place(lines: Sequence[str], token: Token) -> tuple[int, int]:
    """Line and column at which a fence begins.

    Args:
        lines: Of the document.
        token: The fence.
    """
    at = token.map[0] if token.map else 0
    opening = token.markup + token.info
    return at + 1, lines[at].rfind(opening) + 1 or 1


def _place_within(lines: Sequence[str], token: Token, number: int, content: str) -> tuple[int, int]:
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


def _is_closed(token: Token) -> bool:
    """Whether a fence ends with its own closing line, rather than with what it stands in."""
    first, end = token.map or (0, 0)
    lines_within = token.content.count("\n") + bool(token.content and not token.content.endswith("\n"))
    return end - first == lines_within + 2


def _line_and_column(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
