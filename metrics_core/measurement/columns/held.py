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
    merged,
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
    """Runs, each with the number of its words."""

    def __init__(self) -> None:
        self.whose: Codes[Whose] = Codes()
        self.verdicts: Codes[RunResult] = Codes()
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
        """All of them, added up and spelled.

        Args:
            rest: What else is told of them.
        """
        self._add_up()
        runs = self._added[0]
        numbers = {place: added_numbers(parts) for place, parts in self._added_numbers.items()}
        seen = np.concatenate([np.empty(0, dtype=np.uint64), *self._seen])
        return merged([Counts(tuple(self.whose), tuple(self.verdicts), runs, numbers, seen, rest)])
