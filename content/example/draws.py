"""Draws without a random number generator: each is a digest of the seed and of what the draw is for.

A draw depends on its own key and on nothing else, so a scenario added to one experiment moves no other
number, and no platform, Python version or order of calls can. The arithmetic is exact in doubles.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

SEED = "halden-illustration-8"

T = TypeVar("T")


def uniform(*key: object) -> float:
    """A number in [0, 1), the same for the same key.

    >>> uniform("a", 1) == uniform("a", 1), 0 <= uniform("a", 2) < 1
    (True, True)
    """
    text = "\x1f".join([SEED, *map(str, key)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6]) / 2**48


def chance(p: float, *key: object) -> bool:
    """True with probability `p` (0..1)."""
    return uniform(*key) < p


def between(low: int, high: int, *key: object) -> int:
    """A whole number from `low` to `high`, both included."""
    return low + int(uniform(*key) * (high - low + 1))


def pick(options: Sequence[T], *key: object) -> T:
    """One of the options."""
    return options[between(0, len(options) - 1, *key)]


def some(options: Sequence[T], count: int, *key: object) -> list[T]:
    """`count` of the options, in the order they stand in; all of them when `count` is larger."""
    drawn = sorted(range(len(options)), key=lambda place: uniform("some", place, *key))[:count]
    return [options[place] for place in sorted(drawn)]
