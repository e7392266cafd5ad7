"""A small partial: counts in sorted arrays of small integers, beside the few words that they speak of.

Does: hold how often each verdict occurred under each keys and day, and the numbers that are context; add any
number of such partials up; spell equal content in equal bytes, whatever the order and the cuts. Does not:
read records, or say what they come to; that is in `metrics_core.measurement.columns.expansion`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from msgspec import Struct

from metrics_core.measurement.family import Outcome, Progress
from metrics_core.measurement.tabulate import Partial
from metrics_core.results import Keys, spelled_out

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

DAY = 86_400
"""Seconds of a day."""

NO_STAMP = -(2**40)
"""Second of a run without a stamp: before the first of the calendar."""

LATEST = 2**62
"""Later than any second of the calendar."""

SCALES = (1.0, 10.0, 100.0, 1e3, 1e6, 1e9)
LARGEST_WHOLE = 10**15
"""Digits up to which a whole number over a scale is the float of its decimal."""

FEW = 64
"""Values that a scale is tried on first."""


class Whose(NamedTuple):
    """Whose runs they are: keys, names that settings may name, and what is tallied of each."""

    dims: Keys
    names: tuple[tuple[str, str], ...]
    tallied: tuple[Keys, ...]


class RunResult(NamedTuple):
    """What a run comes to: outcomes, those whose value is a number of each run, progress and point."""

    outcomes: tuple[Outcome, ...]
    numbers: tuple[tuple[str, Keys], ...]
    progress: tuple[Progress, ...]
    point: tuple[Keys, float, float] | None


class Runs(NamedTuple):
    """How many runs came to a verdict under some keys on a day, and their first and last second.

    Columns of one length, in order of keys, day and verdict; none occurs twice and none counts nothing.
    """

    whose: Array
    day: Array
    verdict: Array
    n: Array
    first: Array
    last: Array


class Numbers(NamedTuple):
    """Values of one metric and stratum, in order of keys, day and value.

    Whole numbers over ``scale`` where that is exact for each of them; else ``scale`` is 0.
    """

    whose: Array
    day: Array
    value: Array
    scale: float

    def floats(self) -> Array:
        """The values themselves; each is the very float that was read."""
        return self.value / self.scale if self.scale else self.value


class Counts(Struct):
    """What some records come to.

    Attributes:
        whose, verdicts: The words that ``runs`` and ``numbers`` name by their place, sorted.
        runs: Every run.
        numbers: (metric, stratum) -> values, sorted.
        seen: A hint for every run by which a record that occurs twice is found, sorted.
        rest: What is told and not counted by keys: problems, findings, money, checks, conflicting tries.
    """

    whose: tuple[Whose, ...]
    verdicts: tuple[RunResult, ...]
    runs: Runs
    numbers: Mapping[tuple[str, Keys], Numbers]
    seen: Array
    rest: Partial


def merged(parts: Sequence[Counts]) -> Counts:
    """Any number of counts added up; none of them is changed, and their order is no information."""
    whose, whose_at = _union([part.whose for part in parts])
    verdicts, verdict_at = _union([part.verdicts for part in parts])
    runs = [
        part.runs._replace(whose=w[part.runs.whose], verdict=v[part.runs.verdict])
        for part, w, v in zip(parts, whose_at, verdict_at, strict=True)
    ]
    numbers = {
        place: added_numbers(
            [
                (w[part.numbers[place].whose], part.numbers[place].day, part.numbers[place].floats())
                for part, w in zip(parts, whose_at, strict=True)
                if place in part.numbers
            ]
        )
        for place in sorted({place for part in parts for place in part.numbers})
    }
    rest = Partial()
    for part in parts:
        rest.merge(part.rest)
    rest.problems = spelled_out(rest.problems)
    seen = np.sort(np.concatenate([np.empty(0, dtype=np.uint64), *(part.seen for part in parts)]))
    return Counts(whose, verdicts, added_runs(runs), numbers, seen, rest)


def _union(lists: Sequence[Sequence[Any]]) -> tuple[tuple[Any, ...], list[Array]]:
    """The words of several lists, sorted by their spelling; for each list where its words stand."""
    words = sorted(set(chain.from_iterable(lists)), key=repr)
    at = {word: place for place, word in enumerate(words)}
    return tuple(words), [np.array([at[word] for word in words_of], dtype=np.int64) for words_of in lists]


def added_runs(parts: Sequence[Runs]) -> Runs:
    """Runs of the same words in one table, in order, those of the same keys, day and verdict in one row."""
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)] if parts else _NO_RUNS
    whose, day, verdict, n, first, last = columns
    if not len(whose):
        return Runs(*map(narrow, _NO_RUNS))
    packed = _packed(whose, day, verdict)
    if packed is None:
        order = np.lexsort((verdict, day, whose))
        at = first_rows(whose[order], day[order], verdict[order])
    else:
        order = np.argsort(packed.rows)
        at = first_rows(packed.rows[order])
    firsts = order[at]
    return Runs(
        narrow(whose[firsts]),
        narrow(day[firsts]),
        narrow(verdict[firsts]),
        narrow(np.add.reduceat(n[order].astype(np.int64), at)),
        narrow(np.minimum.reduceat(first[order], at)),
        narrow(np.maximum.reduceat(last[order], at)),
    )


class _Packed(NamedTuple):
    """Rows of whole numbers, each row in one: of each column its bits, and what was taken off it."""

    rows: Array
    bits: tuple[int, ...]
    least: tuple[int, ...]

    def columns(self) -> list[Array]:
        """The columns again."""
        found, rows = [], self.rows
        for bits, least in zip(reversed(self.bits), reversed(self.least), strict=True):
            found.append((rows & (1 << bits) - 1) + least)
            rows = rows >> bits
        return found[::-1]


def _packed(*columns: Array) -> _Packed | None:
    """Columns of whole numbers in one, which is in order where they are; None where they do not fit."""
    least = tuple(int(column.min()) for column in columns)
    bits = tuple((int(column.max()) - low).bit_length() for column, low in zip(columns, least, strict=True))
    if sum(bits) > 63:
        return None
    rows = np.zeros(len(columns[0]), dtype=np.int64)
    for column, size, low in zip(columns, bits, least, strict=True):
        rows = rows << size | (column.astype(np.int64) - low)
    return _Packed(rows, bits, least)


def first_rows(*columns: Array) -> Array:
    """Where rows begin that differ in some column from the row before."""
    return np.flatnonzero(begins(*columns))


def begins(*columns: Array) -> Array:
    """Of each row whether it differs in some column from the row before."""
    new = np.ones(len(columns[0]), dtype=bool)
    new[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return new


def distinct(column: Array) -> Array:
    """The values of a column, in order; `numpy.unique` loads arrays with masks for it, which takes longer."""
    ordered = np.sort(column)
    return ordered[first_rows(ordered)]


def added_numbers(parts: Sequence[tuple[Array, Array, Array]]) -> Numbers:
    """Values of one metric and stratum, (keys, day, value) each, in one table and in order."""
    whose, day, value = (np.concatenate(column) for column in zip(*parts, strict=True))
    whole, scale = _whole(value)
    packed = _packed(whose, day, whole) if scale and len(whole) else None
    if packed is not None:
        packed.rows.sort()
        in_order = list(map(narrow, packed.columns()))
        return Numbers(in_order[0], in_order[1], in_order[2], scale)
    order = np.lexsort((value, day, whose))
    value = narrow(whole[order]) if scale else value[order]
    return Numbers(narrow(whose[order]), narrow(day[order]), value, scale)


def _whole(value: Array) -> tuple[Array, float]:
    """Values as whole numbers over a scale; the scale is 0 where none is exact for each of them."""
    for scale in SCALES:
        if _fits(value[:FEW], scale) and _fits(value, scale):
            return np.rint(value * scale).astype(np.int64), scale
    return value, 0.0


def _fits(value: Array, scale: float) -> bool:
    """Whether each value is a whole number over a scale."""
    whole = np.rint(value * scale)
    return bool((np.abs(whole) <= LARGEST_WHOLE).all() and (whole / scale == value).all())


def narrow(column: Array) -> Array:
    """The same whole numbers in the fewest bytes that hold all of them."""
    if not len(column):
        return np.empty(0, dtype=np.uint8)
    low, high = int(column.min()), int(column.max())
    return column.astype(np.min_scalar_type(high if low >= 0 else min(low, -high - 1)))


_NO_RUNS = Runs(*[np.empty(0, dtype=np.int64)] * 6)
