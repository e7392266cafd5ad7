"""Counts in columns -> a partial of cells, which is what estimates are made from.

Does: say of each metric which runs are its own, by keys, value and day, without a step for each run.
Does not: count, or add counts up.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

from metrics_core.formats import StampRange
from metrics_core.measurement.columns.counts import (
    DAY,
    LATEST,
    NO_STAMP,
    Counts,
    RunResult,
    Runs,
    Whose,
    begins,
    distinct,
    first_rows,
    narrow,
)
from metrics_core.measurement.family import Family
from metrics_core.measurement.tabulate import CellKey, CellTally, Partial
from metrics_core.results import Keys, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


def expanded(counts: Counts, family: Family) -> Partial:
    """Counts in columns as a partial of cells, which `metrics_core.measurement.finalise` reads.

    Args:
        counts: Of some records.
        family: Whose records they are.
    """
    partial = replace(
        counts.rest,
        cells=_cells(counts), progress=Counter(), progress_spans={}, points=Counter(), tallied=Counter(),
        names=set(), span=StampRange(),
    )  # fmt: skip
    track_keys = {key for track in family.tracks for grouping in track.groups for key in grouping}
    for whose, verdict, n, span in _by_words(counts):
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


def _cells(counts: Counts) -> dict[CellKey, CellTally]:
    cells: dict[CellKey, CellTally] = {}
    by_day = _ByDay(counts.runs)
    for (metric, stratum), outcomes in _by_metric(counts.verdicts).items():
        for at, cell in by_day.cells(outcomes).items():
            key = (metric, stratum, counts.whose[at].dims)
            if (before := cells.setdefault(key, cell)) is not cell:
                before.add(cell)
    for (metric, stratum), numbers in counts.numbers.items():
        floats = numbers.floats()
        starts = first_rows(numbers.whose, numbers.day)
        ends = (*starts[1:].tolist(), len(floats))
        pieces = zip(
            numbers.whose[starts].tolist(), _spelled_days(numbers.day[starts]), starts.tolist(), ends,
            strict=True,
        )  # fmt: skip
        for whose, when, start, end in pieces:
            cell = cells[(metric, stratum, counts.whose[whose].dims)]
            cell.numbers.setdefault(when, array("d")).frombytes(floats[start:end].tobytes())
    return cells


def _by_words(counts: Counts) -> Iterator[tuple[Whose, RunResult, int, StampRange]]:
    """Every keys and verdict that occur together, how often, and when."""
    every = counts.runs.whose.astype(np.int64) * len(counts.verdicts) + counts.runs.verdict
    pairs = distinct(every)
    at = np.searchsorted(pairs, every)
    n = np.bincount(at, counts.runs.n).astype(np.int64)
    first, last = np.full(len(pairs), LATEST), np.full(len(pairs), NO_STAMP)
    stamped = counts.runs.last != NO_STAMP
    np.minimum.at(first, at[stamped], counts.runs.first[stamped])
    np.maximum.at(last, at[stamped], counts.runs.last[stamped])
    first[last == NO_STAMP] = NO_STAMP
    spans = zip(_spelled(first), _spelled(last), strict=True)
    for pair, times, (since, until) in zip(pairs.tolist(), n.tolist(), spans, strict=True):
        whose, verdict = divmod(pair, len(counts.verdicts))
        yield counts.whose[whose], counts.verdicts[verdict], times, StampRange(since, until)


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


class _ByDay:
    """Runs by keys and day, of which each metric and stratum has some.

    Args:
        runs: Every run.
    """

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        first = begins(runs.whose, runs.day)
        self._at = np.cumsum(first) - 1  # of each run the place of its keys and day
        self._whose = runs.whose[first]
        days = distinct(runs.day[first])
        self._day = np.searchsorted(days, runs.day[first])
        self._days = np.array(_spelled_days(days), dtype=object)
        seconds = distinct(np.concatenate([runs.first, runs.last]))
        self._stamps = dict(zip(seconds.tolist(), _spelled(seconds), strict=True))

    def cells(self, outcomes: Outcomes) -> dict[int, CellTally]:
        """The runs of one metric and stratum, by the number of whose they are.

        Args:
            outcomes: What the verdicts say of the metric; runs of any other are not its.
        """
        kinds = {kind: at for at, kind in enumerate(dict.fromkeys(outcomes.values()))}
        kind_of = np.full(max(outcomes) + 1, -1)
        for verdict, kind in outcomes.items():
            kind_of[verdict] = kinds[kind]
        verdicts = self._runs.verdict
        told = np.where(verdicts < len(kind_of), kind_of[np.minimum(verdicts, max(outcomes))], -1)
        rows = np.flatnonzero(told >= 0)
        found: dict[int, CellTally] = defaultdict(CellTally)
        if not len(rows):
            return found
        for whose, days, spans in self._spans(rows):
            found[whose].spans = dict(zip(days, spans, strict=True))
        said = list(kinds)
        for whose, kind_at, days, counted in self._counted(rows, told[rows]):
            value, loss = said[kind_at]
            if value is not None:
                found[whose].known[value] = dict(zip(days, counted, strict=True))
            elif loss is not None:
                found[whose].lost[loss] = dict(zip(days, counted, strict=True))
        return found

    def _counted(self, rows: Array, kind: Array) -> Iterator[tuple[int, int, list[str], list[int]]]:
        """Whose some runs are, of which kind, on which days, and how many on each."""
        at = self._at[rows]
        whose, day = self._whose[at], self._day[at]
        order = np.lexsort((narrow(day), narrow(kind), narrow(whose)))  # few bytes are sorted by their digits
        whose, day, kind = whose[order], day[order], kind[order]
        starts = first_rows(whose, kind, day)
        n = np.add.reduceat(self._runs.n[rows[order]].astype(np.int64), starts).tolist()
        days = self._days[day[starts]].tolist()
        for start, end in _pieces(whose[starts], kind[starts]):
            first = starts[start]
            yield int(whose[first]), int(kind[first]), days[start:end], n[start:end]

    def _spans(self, rows: Array) -> Iterator[tuple[int, list[str], list[StampRange]]]:
        """Keys of some runs, their days, and the stamps of each."""
        at = self._at[rows]
        starts = first_rows(at)
        last = self._runs.last[rows]
        first = np.where(last == NO_STAMP, LATEST, self._runs.first[rows])
        since, until = np.minimum.reduceat(first, starts), np.maximum.reduceat(last, starts)
        since = np.where(until == NO_STAMP, NO_STAMP, since)
        stamps = self._stamps
        spans = [
            StampRange(stamps[begin], stamps[end])
            for begin, end in zip(since.tolist(), until.tolist(), strict=True)
        ]
        whose = self._whose[at[starts]]
        days = self._days[self._day[at[starts]]].tolist()
        for start, end in _pieces(whose):
            yield int(whose[start]), days[start:end], spans[start:end]


def _pieces(*columns: Array) -> Iterator[tuple[int, int]]:
    """First and last row, and one more, of rows that follow one another and are alike in every column."""
    starts = first_rows(*columns).tolist()
    return zip(starts, (*starts[1:], len(columns[0])), strict=True)


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
    every = distinct(days)
    spelled = [(stamp or "")[:10] for stamp in _spelled(every.astype(np.int64) * DAY)]
    return [spelled[one] for one in np.searchsorted(every, days).tolist()]
