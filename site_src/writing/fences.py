"""A directive's fence taken apart and held against its declaration: argument, options, nothing else.

Does: refuse what is unknown, given twice, missing or of a value that is not allowed, each at its own line
and column. Does not: make what stands in the fence's place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from markdown_it.token import Token

from metrics_core.errors import ConfigError
from metrics_core.text import visible
from site_src.naming import listed
from site_src.references import nearest
from site_src.writing import places
from site_src.writing.declared import Directive, Option, Use

FENCES: Final = ("fence", "colon_fence")
"""Types of the tokens that a directive may be."""

_OPENING: Final = re.compile(r"\s*\{([A-Za-z0-9_:+-]+)\}(.*)", re.DOTALL)
_OPTION: Final = re.compile(r"\s*:([^:\s]+):(?:\s+(.*?))?\s*")


def directive_name(token: Token) -> str:
    """The name of the directive that a token is; empty where it is something else.

    >>> directive_name(Token("fence", "code", 0, info="{figure} funnel"))
    'figure'
    """
    found = _OPENING.fullmatch(token.info) if token.type in FENCES else None
    return found[1] if found else ""


def used(
    token: Token, lines: Sequence[str], source: str, first_line: int, known: Mapping[str, Directive]
) -> Use:
    """A directive as it was used.

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
        return places.place(source, line + first_line - 1, column)

    found = _OPENING.fullmatch(token.info)
    name, argument = (found[1], found[2].strip()) if found else ("", "")
    where = at(*places.of_fence(lines, token))
    declared = known.get(name)
    if declared is None:
        raise ConfigError(f"no directive {{{name}}}", where=where, hint=nearest(name, known))
    if not places.is_closed(token):
        raise ConfigError(
            f"{{{name}}} is not closed", where=where, hint=f"end it with a line of {token.markup}"
        )
    options: dict[str, str] = {}
    spots: dict[str, str] = {}
    for number, content in enumerate(token.content.split("\n")):
        if not content.strip():
            continue
        spot = at(*places.within_fence(lines, token, number, content))
        option, value = _option(declared, content, spot)
        if option in options:
            raise ConfigError(
                f":{option}: is given twice", where=spot, hint=f"first {visible(options[option])!r}"
            )
        options[option], spots[option] = value, spot
    _hold_argument(declared, argument, where)
    for needed in declared.options:
        if needed.required and needed.name not in options:
            raise ConfigError(
                f"{{{name}}} without :{needed.name}:", where=where, hint=f"it says {needed.about}"
            )
    return Use(name=name, argument=argument, options=options, where=where, places=spots)


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
            line, column = places.within_fence(lines, token, number, content)
            indent = len(content) - len(content.lstrip())
            yield found[2], (line, column + found.start(2) - indent)


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
    _hold_value(option, value, f":{name}:", where)
    return name, value


def _hold_argument(declared: Directive, argument: str, where: str) -> None:
    if declared.argument is None:
        if argument:
            raise ConfigError(
                f"{{{declared.name}}} takes no argument, got {visible(argument)!r}",
                where=where,
                hint="leave it out",
            )
    elif argument:
        _hold_value(declared.argument, argument, f"{{{declared.name}}}", where)
    elif declared.argument.required:
        words = declared.argument
        choice = f"; one of {listed(words.values)}" if words.values else ""
        raise ConfigError(
            f"{{{declared.name}}} without {words.name}", where=where, hint=f"{words.about}{choice}"
        )


def _hold_value(option: Option, value: str, whose: str, where: str) -> None:
    if option.values and value not in option.values:
        raise ConfigError(
            f"{whose} cannot be {visible(value)!r}", where=where, hint=nearest(value, option.values)
        )
