"""Runs that were counted as words and are not added up yet: a bounded number of them at once."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from metrics_core.measurement.columns.counts import (
    DAY,
    Counts,
    RunResult,
    Runs,
    Whose,
    added_numbers,
    added_runs,
    distinct,
)
from metrics_core.measurement.tabulate import Partial
from metrics_core.results import Keys

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

HELD = 2**17
"""Runs that are held one by one, before they are added up."""


Word = TypeVar("Word", bound=Hashable)


class Codes(dict[Word, int]):
    """Words and their numbers, in the order in which they came."""

    def of(self, word: Word) -> int:
        """The number of a word, which has one from then on."""
        return self.setdefault(word, len(self))


class HeldRuns:
    """Runs, each with the number of its words.

    Args:
        whose: Words for whose a run is, and their numbers.
        results: Words for what a run comes to.
    """

    def __init__(self, whose: Codes[Whose], results: Codes[RunResult]) -> None:
        self._whose, self._results = whose, results
        self._held = 0
        self._runs: list[Runs] = []
        self._seen: list[Array] = []
        self._numbers: dict[tuple[str, Keys], list[tuple[Array, Array, Array]]] = {}
        self._added: list[Runs] = []
        self._added_numbers: dict[tuple[str, Keys], list[tuple[Array, Array, Array]]] = {}

    def add(self, whose: Array, verdict: Array, seconds: Array, hints: Array) -> None:
        """Hold some runs.

        Args:
            whose: Number of whose each is.
            verdict: Number of what each comes to.
            seconds: Stamps since 1970, or `NO_STAMP`.
            hints: See `Counts.seen`.
        """
        day = seconds // DAY
        self._runs.append(Runs(whose, day, verdict, np.ones(len(whose), dtype=np.int64), seconds, seconds))
        self._seen.append(hints)
        self._held += len(whose)
        if self._held >= HELD:
            self._add_up()

    def add_numbers(self, place: tuple[str, Keys], whose: Array, seconds: Array, values: Array) -> None:
        """Hold values of one metric and stratum, each of a run that is held."""
        self._numbers.setdefault(place, []).append((whose, seconds // DAY, values))

    def _add_up(self) -> None:
        self._added = [added_runs([*self._added, *self._runs])]
        for place, parts in self._numbers.items():
            found = added_numbers(parts)
            self._added_numbers.setdefault(place, []).append((found.whose, found.day, found.floats()))
        self._runs, self._numbers, self._held = [], {}, 0

    def counts(self, rest: Partial) -> Counts:
        """All of them, added up, with the words that occur.

        Args:
            rest: What else is told of them.
        """
        runs = added_runs([*self._added, *self._runs])
        whose, whose_at = _occurring(self._whose, runs.whose)
        results, result_at = _occurring(self._results, runs.verdict)
        numbers = {
            place: added_numbers(
                [
                    (whose_at[one], day, values)
                    for held in (self._added_numbers, self._numbers)
                    for one, day, values in held.get(place, ())
                ]
            )
            for place in {**self._added_numbers, **self._numbers}
        }
        renamed = runs._replace(whose=whose_at[runs.whose], verdict=result_at[runs.verdict])
        seen = np.concatenate([np.empty(0, dtype=np.uint64), *self._seen])
        return Counts(whose, results, renamed, numbers, seen, rest)


def _occurring(words: Codes[Word], numbers: Array) -> tuple[tuple[Word, ...], Array]:
    """The words that occur, and for every number where its word stands among them."""
    occur, every = distinct(numbers), list(words)
    at = np.zeros(len(every), dtype=np.int64)
    at[occur] = np.arange(len(occur))
    return tuple(every[number] for number in occur.tolist()), at
