"""A role as it is typed in Markdown, its content fenced so that it comes out as it went in.

Does: choose how many back-quotes stand around a content, and say which names an option's one line can hold.
Does not: know any role, or what a content means.
"""

from __future__ import annotations

import re

from metrics_core.text import visible

_QUOTES = re.compile("`+")


def role(name: str, content: str) -> str:
    """A role within a line: one back-quote more than its content has in a row, and CommonMark's spaces.

    Args:
        name: The role.
        content: What it is of, in one line.

    >>> print(role("literal", "86 %"), role("literal", "a`b"), role("literal", "``c"))
    {literal}`86 %` {literal}``a`b`` {literal}``` ``c ```
    """
    fence = "`" * (max(map(len, _QUOTES.findall(content)), default=0) + 1)
    space = " " if content.startswith(("`", " ")) or content.endswith(("`", " ")) else ""
    return f"{{{name}}}{fence}{space}{content}{space}{fence}"


def content(between: str) -> str:
    """What a role is of: the text between its back-quotes, less one space on either side where both stand.

    >>> content("86 %"), content(" `` "), content(" a"), content("  ")
    ('86 %', '``', ' a', '  ')
    """
    padded = len(between) > 2 and between[0] == between[-1] == " " and between.strip(" ")
    return between[1:-1] if padded else between


def one_line(name: str) -> bool:
    r"""Whether an option's value or a line of YAML can hold a name as it is: nothing hidden, none torn off.

    >>> [one_line(name) for name in ("alpha", "beta 2", " alpha", "al\npha", "al\u202epha", "")]
    [True, True, False, False, False, False]
    """
    return name == name.strip() != "" and "\n" not in name and visible(name) == name
