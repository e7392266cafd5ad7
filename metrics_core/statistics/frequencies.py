"""Values with how often each occurs, and their exact sums without writing any of them out.

Repeats of a task come to few values, however many there are: what is counted takes as long as the number of
different values, and gives the very digits that the values one by one would give.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
from typing import TypeAlias

from msgspec import Struct

_AT_ONCE = 1 << 26
"""Times that half of a double's digits can be taken without rounding."""

_WHOLE = 1 << 53
"""Whole numbers up to here are doubles."""

_SPLIT = float((1 << 27) + 1)
_LARGEST = 1e290
"""Beyond it a value cannot be split into halves, and is added one by one."""


class Frequencies(Struct, frozen=True):
    """Values and how often each occurs; a value may stand in several places.

    >>> found = Frequencies(((0.0, 2), (1.0, 3)))
    >>> len(found), found.total, found.expanded()
    (5, 3.0, [0.0, 0.0, 1.0, 1.0, 1.0])
    """

    counts: tuple[tuple[float, int], ...]

    def __len__(self) -> int:
        return sum([n for _, n in self.counts])

    @property
    def total(self) -> float:
        """The sum of every value, correctly rounded."""
        return exact_sum(self.counts)

    @property
    def mean(self) -> float:
        """Their mean; of one value or more."""
        return self.total / len(self)

    def expanded(self) -> list[float]:
        """Every value as often as it occurs."""
        return [value for value, n in self.counts for _ in range(n)]

    def and_more(self, value: float, times: int) -> Frequencies:
        """These values and one more, so many times."""
        return Frequencies((*self.counts, (value, times))) if times else self


Values: TypeAlias = Sequence[float] | Frequencies
"""Values one by one, or counted."""


def counts_of(values: Values) -> Frequencies:
    """Either form as counts."""
    return values if isinstance(values, Frequencies) else Frequencies(tuple((value, 1) for value in values))


def exact_sum(counts: Iterable[tuple[float, int]]) -> float:
    """The sum of values that occur so often, correctly rounded: what `math.fsum` gives of all of them.

    Args:
        counts: Values and how often each occurs, in any order.

    Source: Veltkamp 1968 for the halves of a double; the product of a half and a count has no rounding.

    >>> exact_sum([(0.1, 10), (1e16, 1), (-1e16, 1)]), 1e16 + 0.1 * 10 - 1e16
    (1.0, 0.0)
    """
    parts: list[float] = []
    for value, n in counts:
        if n == 1 or value == 0.0:
            parts.append(value)
        elif value == 1.0 and n < _WHOLE:
            parts.append(n)
        elif not abs(value) < _LARGEST:
            parts += [value] * n
        else:
            scaled = value * _SPLIT
            high = scaled - (scaled - value)
            many, n = divmod(n, _AT_ONCE)  # noqa: PLW2901
            parts += [high * _AT_ONCE, (value - high) * _AT_ONCE] * many
            parts += (high * n, (value - high) * n)
    return fsum(parts)
