"""The names that exist nearest to one that does not, for the end of an error.

Does: choose and write them, the same ones each time. Does not: guess; nothing is ever resolved by likeness.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from metrics_core.text import visible

MOST: Final = 8
"""More names than this are counted, not listed."""

CLOSE: Final = 3
"""Names that are offered at most in the place of one that does not exist."""

SHORTEST: Final = 2
"""Letters with which a name must begin before others that do are like it."""


def nearest(name: str, names: Iterable[str]) -> str:
    """What a hint says: the names like this one or begun by it, or else what there is.

    Args:
        name: As it was written.
        names: All that exist, in any order.

    >>> nearest("securty", ["utility", "security", "cost"])
    'nearest: security'
    >>> nearest("tau", ["tau-bench", "tau2-bench", "inspect"])
    'nearest: tau-bench, tau2-bench'
    >>> nearest("x", ["utility", "security"]), nearest("x", [])
    ('there is security, utility', 'there is none')
    """
    have = sorted(set(names))
    begun = [other for other in have if len(name) >= SHORTEST and other.startswith(name)]
    alike = list(dict.fromkeys((*get_close_matches(name, have, n=CLOSE, cutoff=0.6), *begun)))[:CLOSE]
    if alike:
        return f"nearest: {', '.join(map(visible, alike))}"
    return f"there is {listed_some(have)}"


def listed_some(names: Iterable[str]) -> str:
    """The first few names and how many more there are, in order.

    >>> listed_some("jihgfedcba"), listed_some([])
    ('a, b, c, d, e, f, g, h and 2 more', 'none')
    """
    have = sorted(set(names))
    more = len(have) - MOST
    names = ", ".join(map(visible, have[:MOST]))
    return (f"{names} and {more} more" if more > 0 else names) or "none"
