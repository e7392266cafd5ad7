"""A small partial: counts in sorted arrays of small integers, beside the few words that they speak of.

Does: hold how often each verdict occurred under each keys and day, and the numbers that are context; add any
number of such partials up; spell equal content in equal bytes, whatever the order and the cuts; give the
`Partial` of it. Does not: read records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from metrics_core.formats import StampRange
from metrics_core.measurement.family import Family, Outcome, Progress
from metrics_core.measurement.tabulate import CellKey, CellTally, Partial
from metrics_core.results import Keys, State, spelled_out

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

    def expanded(self, family: Family) -> Partial:
        """The same as a partial of cells, which `metrics_core.measurement.finalise` reads.

        Args:
            family: Whose records they are.
        """
        partial = replace(
            self.rest,
            cells=self._cells(), progress=Counter(), progress_spans={}, points=Counter(), tallied=Counter(),
            names=set(), span=StampRange(),
        )  # fmt: skip
        track_keys = {key for track in family.tracks for grouping in track.groups for key in grouping}
        for whose, verdict, n, span in self._by_words():
            for step in verdict.progress:
                place = (step.track, step.stratum, whose.dims.only(*track_keys))
                partial.progress[(*place, step.reached, step.state, step.reason)] += n
                partial.progress_spans.setdefault(place, StampRange()).add(span)
            if verdict.point is not None:
                stratum, x, y = verdict.point
                partial.points[(stratum, whose.dims.get("model", ""), x, y)] += n
            for tally in whose.tallied:
                partial.tallied[tally] += n
            partial.names.update(whose.names)
            partial.span.add(span)
        return partial

    def _cells(self) -> dict[CellKey, CellTally]:
        cells: dict[CellKey, CellTally] = {}
        starts = _starts(self.runs.whose, self.runs.day)
        group = np.zeros(len(self.runs.n), dtype=np.int64)
        group[starts] = 1
        group = np.cumsum(group) - 1
        whose = [self.whose[at].dims for at in self.runs.whose[starts].tolist()]
        days = _spelled_days(self.runs.day[starts])
        seconds = distinct(np.concatenate([self.runs.first, self.runs.last]))
        spelled = dict(zip(seconds.tolist(), _spelled(seconds), strict=True))
        for (metric, stratum), outcomes in _by_metric(self.verdicts).items():
            for at, cell in _tallies(self.runs, group, outcomes, spelled):
                key = (metric, stratum, whose[at], days[at])
                if (before := cells.setdefault(key, cell)) is not cell:
                    before.add(cell)
        for (metric, stratum), numbers in self.numbers.items():
            floats = numbers.floats()
            starts = _starts(numbers.whose, numbers.day)
            ends = (*starts[1:].tolist(), len(floats))
            pieces = zip(
                numbers.whose[starts].tolist(), _spelled_days(numbers.day[starts]), starts.tolist(), ends,
                strict=True,
            )  # fmt: skip
            for whose, when, start, end in pieces:
                cell = cells[(metric, stratum, self.whose[whose].dims, when)]
                cell.numbers.frombytes(floats[start:end].tobytes())
        return cells

    def _by_words(self) -> Iterator[tuple[Whose, RunResult, int, StampRange]]:
        """Every keys and verdict that occur together, how often, and when."""
        pairs, at = np.unique(
            self.runs.whose.astype(np.int64) * len(self.verdicts) + self.runs.verdict, return_inverse=True
        )
        n = np.bincount(at, self.runs.n).astype(np.int64)
        first, last = np.full(len(pairs), LATEST), np.full(len(pairs), NO_STAMP)
        stamped = self.runs.last != NO_STAMP
        np.minimum.at(first, at[stamped], self.runs.first[stamped])
        np.maximum.at(last, at[stamped], self.runs.last[stamped])
        first[last == NO_STAMP] = NO_STAMP
        spans = zip(_spelled(first), _spelled(last), strict=True)
        for pair, times, (since, until) in zip(pairs.tolist(), n.tolist(), spans, strict=True):
            whose, verdict = divmod(pair, len(self.verdicts))
            yield self.whose[whose], self.verdicts[verdict], times, StampRange(since, until)


Outcomes = dict[int, tuple[tuple[float, int, int] | None, tuple[State, str] | None]]
"""Verdict -> the value that it counts as, or what is not known; neither for a number, counted apart."""


def _by_metric(verdicts: Sequence[RunResult]) -> dict[tuple[str, Keys], Outcomes]:
    """What each verdict says of each metric and stratum."""
    found: dict[tuple[str, Keys], Outcomes] = {}
    for at, verdict in enumerate(verdicts):
        for o in verdict.outcomes:
            known = (o.value, o.n, o.N) if o.state == "known" and o.value is not None else None
            said = (known, None if o.state == "known" else (o.state, o.reason))
            found.setdefault((o.metric, o.stratum), {})[at] = said
        for place in verdict.numbers:
            found.setdefault(place, {})[at] = (None, None)
    return found


def _tallies(
    runs: Runs, group: Array, outcomes: Outcomes, spelled: Mapping[int, str | None]
) -> Iterator[tuple[int, CellTally]]:
    """Runs of one metric and stratum, those of one keys and day in one tally.

    Args:
        runs: Every run.
        group: Of each row the place of its keys and day, ascending.
        outcomes: What the verdicts say of the metric; runs of any other are not its.
        spelled: Seconds since 1970 that occur -> the stamp.
    """
    kinds = {kind: at for at, kind in enumerate(dict.fromkeys(outcomes.values()))}
    kind_of = np.full(max(outcomes) + 1, -1)
    for verdict, kind in outcomes.items():
        kind_of[verdict] = kinds[kind]
    told = np.where(runs.verdict < len(kind_of), kind_of[np.minimum(runs.verdict, max(outcomes))], -1)
    rows = np.flatnonzero(told >= 0)
    if not len(rows):
        return
    starts = _starts(group[rows])
    first = np.where(runs.last[rows] == NO_STAMP, LATEST, runs.first[rows])
    since, until = np.minimum.reduceat(first, starts), np.maximum.reduceat(runs.last[rows], starts)
    since = np.where(until == NO_STAMP, NO_STAMP, since)
    found = {
        at: CellTally(span=StampRange(spelled[begin], spelled[end]))
        for at, begin, end in zip(group[rows][starts].tolist(), since.tolist(), until.tolist(), strict=True)
    }
    pairs, place = np.unique(group[rows] * len(kinds) + told[rows], return_inverse=True)
    n = np.bincount(place, runs.n[rows]).astype(np.int64)
    by_place = list(kinds)
    for pair, times in zip(pairs.tolist(), n.tolist(), strict=True):
        at, kind_at = divmod(pair, len(kinds))
        value, loss = by_place[kind_at]
        if value is not None:
            found[at].known[value] = times
        elif loss is not None:
            found[at].lost[loss] = times
    yield from found.items()


def _spelled(seconds: Array) -> list[str | None]:
    """Seconds since 1970 as stamps in UTC."""
    if not len(seconds):
        return []
    told = seconds.astype(np.int64)
    unstamped = told == NO_STAMP
    told = np.where(unstamped, 0, told)
    words = np.datetime_as_string(told.astype("datetime64[s]")).tolist()
    return [None if none else f"{word}Z" for word, none in zip(words, unstamped.tolist(), strict=True)]


def _spelled_days(days: Array) -> list[str]:
    """Days since 1970 as they are spelled; of a run without a stamp an empty text."""
    every, at = np.unique(days, return_inverse=True)
    spelled = [(stamp or "")[:10] for stamp in _spelled(every.astype(np.int64) * DAY)]
    return [spelled[one] for one in at.tolist()]


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
        at = _starts(whose[order], day[order], verdict[order])
    else:
        order = np.argsort(packed.rows)
        at = _starts(packed.rows[order])
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


def _starts(*columns: Array) -> Array:
    """Where rows begin that differ in some column from the row before."""
    new = np.ones(len(columns[0]), dtype=bool)
    new[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return np.flatnonzero(new)


def distinct(column: Array) -> Array:
    """The values of a column, in order; `numpy.unique` loads arrays with masks for it, which takes longer."""
    ordered = np.sort(column)
    return ordered[_starts(ordered)]


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
