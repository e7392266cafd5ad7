"""One task and try of one arm with two outcomes: told with both places, and both are counted.

Does: hold 24 bytes of every numbered run (its try, its outcome, its place), join partitions in any order, and
find the tries that stand twice with different outcomes. Does not: hold a record, say which of two is right,
or look at runs that nobody numbered: those may truly repeat.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from hashlib import blake2b
from typing import TYPE_CHECKING

from msgspec import Struct, field

from metrics_core.formats import Row, day
from metrics_core.results import Conflicting, Keys

FEW = 1000
"""Fewer runs are compared without numpy."""

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    UInts = NDArray[np.uint64]
    Ints = NDArray[np.int64]

_LINES = 2**32
"""Numbers that a line, and what an outcome comes to, are told apart by."""

_REPETITIONS = 2**40
"""More than a repetition can be: day and repetition are one number below 2**62."""

_WORD = 2**64


class NumberedRuns(Struct):
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
        file = self.file(row.file)
        on = 0 if stamp is None else date.fromisoformat(day(stamp)).toordinal()
        order = on * _REPETITIONS + int(trial["rep"]) % _REPETITIONS
        self.tries.append(_mixed(name_of_tries(trial, more) ^ _mixed(order)))
        self.places.append(file)
        self.ends.append(outcome_of(outcome) * _LINES + row.line % _LINES)

    def file(self, name: str) -> int:
        """What a file is held under; the file is known from then on."""
        held = _digest(name)
        self.files[held] = name
        return held

    def see_all(self, names: UInts, days: Ints, reps: Ints, outcomes: UInts, lines: Ints, file: str) -> None:
        """Take note of many runs of one file, as `see` of one.

        Args:
            names: `name_of_tries` of each.
            days: Days since the year 1, the first being 1.
            reps: Number of the try, below a million millions.
            outcomes: `outcome_of` each.
            lines: Where each stands.
            file: Path within the experiment.
        """
        import numpy as np

        if not len(names):
            return
        order = (days * _REPETITIONS + reps).astype(np.uint64)
        tries = _mixed_all(names ^ _mixed_all(order))
        self.tries.frombytes(tries.tobytes())
        self.places.frombytes(np.full(len(tries), self.file(file), dtype=np.uint64).tobytes())
        ends = outcomes * np.uint64(_LINES) + lines.astype(np.uint64)
        self.ends.frombytes(ends.tobytes())

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


def name_of_tries(trial: Keys, more: str = "") -> int:
    """8 bytes of all that names a try but its day and its number."""
    return _digest(repr((tuple(trial.without("rep")), more)))


def outcome_of(outcome: Iterable[object]) -> int:
    """4 bytes of what a run came to."""
    return _digest(repr(list(outcome))) % _LINES


def _mixed(word: int) -> int:
    """8 bytes that differ in about half their bits where a word differs in one; no two words give the same.

    Source: the last step of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    """
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB % _WORD
    return word ^ word >> 31


def _mixed_all(words: UInts) -> UInts:
    """The same of many words."""
    import numpy as np

    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return words ^ words >> np.uint64(31)


def _digest(text: str) -> int:
    """8 bytes of a digest, the same in every process."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
