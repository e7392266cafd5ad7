"""Values with how often each occurs, their exact sums, and what clusters of them add up to.

No value is written out as often as it occurs. The order of clusters and of runs cannot move a digit.
Repeats of a task come to few values, however many there are: what is counted takes as long as the number of
different values, and gives the very digits that the values one by one would give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import fsum, sqrt
from operator import le
from typing import Any, Generic, TypeAlias, TypeVar, overload

from msgspec import Struct

_AT_ONCE = 1 << 26
"""Times that half of a double's digits can be taken without rounding."""

_WHOLE = 1 << 53
"""Whole numbers up to here are doubles."""

ROUNDING = 1e-12
"""A spread below this share of the largest value is rounding, not spread."""

_SPLIT = float((1 << 27) + 1)
_LARGEST = 1e290
"""Beyond it a value cannot be split into halves, and is added one by one."""


Result = TypeVar("Result")


class _Once(Generic[Result]):
    """A property that is made when it is first asked for, and kept with the object.

    `functools.cached_property` takes a lock for it up to Python 3.11, and with it several times as long as
    sums of a few numbers do. Two threads that ask at once both make it.
    """

    def __init__(self, make: Callable[[Any], Result]) -> None:
        self._make, self._name = make, make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, whose: None, owner: type) -> _Once[Result]: ...
    @overload
    def __get__(self, whose: object, owner: type) -> Result: ...
    def __get__(self, whose: object, owner: type) -> _Once[Result] | Result:
        """What is kept, from the second time on without being asked here."""
        if whose is None:
            return self
        found = whose.__dict__[self._name] = self._make(whose)
        return found


class Frequencies(Struct, frozen=True, dict=True):
    """Values and how often each occurs; a value may stand in several places.

    >>> found = Frequencies(((0.0, 2), (1.0, 3)))
    >>> len(found), found.total, found.expanded()
    (5, 3.0, [0.0, 0.0, 1.0, 1.0, 1.0])
    """

    counts: tuple[tuple[float, int], ...]

    def __len__(self) -> int:
        return self._size

    @_Once
    def _size(self) -> int:
        return sum([n for _, n in self.counts])

    @_Once
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
    ones = 0
    for value, n in counts:
        if value == 1.0:
            ones += n
        elif value == 0.0:
            continue
        elif n == 1:
            parts.append(value)
        elif not abs(value) < _LARGEST:
            parts += [value] * n
        else:
            scaled = value * _SPLIT
            high = scaled - (scaled - value)
            many, n = divmod(n, _AT_ONCE)  # noqa: PLW2901
            parts += [high * _AT_ONCE, (value - high) * _AT_ONCE] * many
            parts += (high * n, (value - high) * n)
    if not parts:
        return float(ones)
    if ones < _WHOLE:
        parts.append(ones)
    else:
        parts += [float(_WHOLE)] * (ones // _WHOLE)
        parts.append(ones % _WHOLE)
    return fsum(parts)


class ClusterTotals(Struct, frozen=True, dict=True):
    """What the clusters of one estimate add up to, without the spread inside of them.

    Attributes:
        totals: Sum of the values of each cluster.
        sizes: Runs of each cluster, 1 or more.

    Raises:
        ValueError: Lengths differ, or a cluster is empty.

    >>> ClusterTotals((2.0, 0.5), (3, 2)).mean
    0.5
    """

    totals: tuple[float, ...]
    sizes: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.totals) != len(self.sizes):
            raise ValueError(f"{len(self.totals)} totals for {len(self.sizes)} clusters")
        if min(self.sizes, default=1) < 1:
            raise ValueError("a cluster without runs")

    @classmethod
    def of(cls, clusters: Sequence[Values]) -> ClusterTotals:
        """Add up the values of each cluster."""
        return ClusterTotals(*_added([counts_of(values) for values in clusters]))

    @_Once
    def runs(self) -> int:
        """n, the runs of all clusters."""
        return sum(self.sizes)

    @property
    def count(self) -> int:
        """G, the number of clusters."""
        return len(self.sizes)

    @property
    def independent(self) -> bool:
        """Every cluster holds one run."""
        return self.runs == self.count

    @_Once
    def unequal(self) -> bool:
        """A few large clusters hold most runs: they are worth less than 0.9 G clusters of one size."""
        return unequal(self.sizes)

    @_Once
    def mean(self) -> float:
        """Mean over runs."""
        return fsum(self.totals) / self.runs

    @property
    def share(self) -> float:
        """The mean, with rounding that left 0..1 cut off."""
        return min(1.0, max(0.0, self.mean))

    @_Once
    def within_unit(self) -> bool:
        """Whether every cluster's mean lies in 0..1, as shares and fractions do."""
        return min(self.totals, default=0.0) >= 0.0 and all(map(le, self.totals, self.sizes))

    @_Once
    def error(self) -> float:
        """CR1 standard error of the mean, of two clusters or more: see `clustered.standard_error`."""
        each, mean = list(zip(self.totals, self.sizes, strict=True)), self.mean
        apart = [total - size * mean for total, size in each]
        error = sqrt(self.count / (self.count - 1) * fsum([one * one for one in apart])) / self.runs
        return error if error > ROUNDING * max([abs(total) / size for total, size in each]) else 0.0


class ClusterSums(ClusterTotals, frozen=True, dict=True):
    """The same with the spread.

    Attributes:
        totals: Sum of the values of each cluster.
        sizes: Runs of each cluster, 1 or more.
        squares: Sum of the squared values of all clusters together.

    Raises:
        ValueError: Lengths differ, or a cluster is empty.

    >>> ClusterSums.of([[1, 1, 0], [0, 0.5]])
    ClusterSums(totals=(2.0, 0.5), sizes=(3, 2), squares=2.25)
    """

    squares: float

    @classmethod
    def of(cls, clusters: Sequence[Values]) -> ClusterSums:
        """Add up the values of each cluster."""
        counted = [counts_of(values) for values in clusters]
        squares: dict[float, int] = {}
        for each in counted:
            for value, n in each.counts:
                square = value * value
                squares[square] = squares.get(square, 0) + n
        return cls(*_added(counted), exact_sum(squares.items()))


def _added(counted: Sequence[Frequencies]) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """The total and the size of each cluster."""
    return tuple([each.total for each in counted]), tuple([len(each) for each in counted])


def together(values: Sequence[Frequencies]) -> Frequencies:
    """All of them as one; of a single one itself, with what it was found to add up to."""
    if len(values) == 1:
        return values[0]
    return Frequencies(tuple([counted for each in values for counted in each.counts]))


Clusters = ClusterSums | Sequence[Values]
"""Values by cluster, or what they already add up to."""

Totals = ClusterTotals | Sequence[Values]
"""The same, for what does not ask how values are spread inside a cluster."""


def sums(clusters: Clusters) -> ClusterSums:
    """Either form as sums."""
    return clusters if isinstance(clusters, ClusterSums) else ClusterSums.of(clusters)


def totals(clusters: Totals) -> ClusterTotals:
    """Either form as totals."""
    return clusters if isinstance(clusters, ClusterTotals) else ClusterTotals.of(clusters)


def unequal(sizes: Sequence[int]) -> bool:
    """Whether ``G* < 0.9 G``, by whole numbers."""
    runs = sum(sizes)
    return 10 * runs * runs < 9 * len(sizes) * sum([size * size for size in sizes])
