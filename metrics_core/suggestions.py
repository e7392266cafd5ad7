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
SHORTEST: Final = 3
"""Characters with which a name must begin to be told by its beginning."""


def nearest(name: str, names: Iterable[str]) -> str:
    """What a hint says: the names like this one, those that begin as it does, or else what there is.

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
    alike = get_close_matches(name, have, n=3, cutoff=0.6)
    if not alike and len(name) >= SHORTEST:
        alike = [each for each in have if each.startswith(name)][:3]
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
