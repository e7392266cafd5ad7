"""One task and try of one arm with two outcomes: told with both places, and both are counted.

Does: hold 24 bytes of every numbered run (its try, its outcome, its place), join partitions in any order, and
find the tries that stand twice with different outcomes. Does not: hold a record, say which of two is right,
or look at runs that nobody numbered: those may truly repeat.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b

from metrics_core.formats import Row, day
from metrics_core.results import Conflicting, Keys

FEW = 1000
"""Fewer runs are compared without numpy."""

_LINES = 2**32
"""Numbers that a line, and what an outcome comes to, are told apart by."""


@dataclass(slots=True)
class NumberedRuns:
    """The tries of some records, each with what it came to and where it stands.

    Three columns of 8 bytes: a digest of the try; one of its file's name; one of its outcome, and its line.
    """

    tries: array[int] = field(default_factory=lambda: array("Q"))
    places: array[int] = field(default_factory=lambda: array("Q"))
    ends: array[int] = field(default_factory=lambda: array("Q"))
    files: dict[int, str] = field(default_factory=dict)

    def see(
        self, trial: Keys, stamp: str | None, outcome: Iterable[object], row: Row, more: str = ""
    ) -> None:
        """Take note of one run.

        Args:
            trial: What names its try.
            stamp: In UTC; the same try on another day is another.
            outcome: What it came to.
            row: Its place.
            more: What tells it from another of the same name: its grader, its log.
        """
        file = _digest(row.file)
        self.files[file] = row.file
        self.tries.append(_digest(repr((tuple(trial), "" if stamp is None else day(stamp), more))))
        self.places.append(file)
        self.ends.append(_digest(repr(list(outcome))) % _LINES * _LINES + row.line % _LINES)

    def add(self, other: NumberedRuns) -> None:
        """Add another partition's."""
        self.tries.extend(other.tries)
        self.places.extend(other.places)
        self.ends.extend(other.ends)
        self.files.update(other.files)

    def conflicts(self) -> Iterator[Conflicting]:
        """Each run with another outcome than the first of its try, in order of files and lines."""
        found: dict[int, list[tuple[str, int, int]]] = {}
        for at in self._repeated():
            outcome, line = divmod(self.ends[at], _LINES)
            found.setdefault(self.tries[at], []).append((self.files[self.places[at]], line, outcome))
        told = []
        for runs in found.values():
            (first, line, outcome), *others = sorted(runs)
            told += [
                Conflicting(file, at, "", with_place=f"{first}:{line}")
                for file, at, other in others
                if other != outcome
            ]
        yield from sorted(told, key=lambda conflict: (conflict.file, conflict.line or 0))

    def _repeated(self) -> Iterator[int]:
        """Where the tries stand that stand more than once."""
        if len(self.tries) < FEW:  # numpy takes longer to load
            times = Counter(self.tries)
            yield from (at for at, number in enumerate(self.tries) if times[number] > 1)
            return
        import numpy as np

        tries = np.frombuffer(self.tries, dtype=np.uint64)
        order = np.argsort(tries, kind="stable")
        same = tries[order[1:]] == tries[order[:-1]]
        twice = np.zeros(len(tries), dtype=bool)
        twice[order[1:][same]] = twice[order[:-1][same]] = True
        yield from map(int, np.flatnonzero(twice))


def _digest(text: str) -> int:
    """8 bytes of a digest, the same in every process."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
