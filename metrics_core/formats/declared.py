"""What a source says of itself where that is not what was read of it: a finding, and a note on the number.

Does: hold both, say the difference in one sentence, and join many sentences of one kind. Does not: find a
difference; whoever reads a source compares.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from math import fsum
from typing import Self

from msgspec import Struct
from msgspec.structs import astuple

from metrics_core.results import Aside, Keys
from metrics_core.text import many, spelled

SPELLED_OUT = 2
"""Files that are named each with its own difference; more of one kind are summed up."""


class _Added(Struct, frozen=True, order=True):
    """A difference of which many are told as one: its numbers added up."""

    @classmethod
    def together(cls, files: int, found: list[Self]) -> str:
        """Many of them in one sentence."""
        sums = (sum(column) for column in zip(*(astuple(each) for each in found), strict=True))
        return f"{files} sources: {cls(*sums)}"


class RunsDeclared(Struct, frozen=True, order=True):
    """A source names how many runs it has, and holds another number of them.

    >>> str(RunsDeclared(790, 15))
    'declares 790 runs; 15 are here'
    """

    declared: int
    held: int

    def __str__(self) -> str:
        return f"declares {self.declared:,} runs; {self.held:,} {'is' if self.held == 1 else 'are'} here"

    @staticmethod
    def together(files: int, found: list[RunsDeclared]) -> str:
        """Many of them in one sentence."""
        declared, held = sum(d.declared for d in found), sum(d.held for d in found)
        return f"{files} sources declare {declared:,} runs; {held:,} are here"


class Ended(Struct, frozen=True, order=True):
    """A source did not end well: its own status, and how many of its planned runs never ran.

    >>> str(Ended("error", 6, 20)), str(Ended("cancelled", 0, 0))
    ('ended with status error: 6 of 20 runs never ran', 'ended with status cancelled')
    """

    status: str
    never: int
    planned: int

    def __str__(self) -> str:
        lost = f": {self.never:,} of {self.planned:,} runs never ran" if self.never else ""
        return f"ended with status {self.status}{lost}"

    @staticmethod
    def together(files: int, found: list[Ended]) -> str:
        """Many of them in one sentence."""
        never, planned = sum(d.never for d in found), sum(d.planned for d in found)
        states = " or ".join(sorted({d.status for d in found}))
        lost = f": {never:,} of {planned:,} runs never ran" if never else ""
        return f"{files} sources ended with status {states}{lost}"


class OwnFigure(Struct, frozen=True, order=True):
    """A source states a figure of its own, which is not the one that its runs come to here.

    >>> str(OwnFigure("accuracy, reducer max", 0.8, 0.2))
    "its own figure (accuracy, reducer max) is 0.8; its runs' mean is 0.2"
    >>> str(OwnFigure("acc_stderr", 0.05, 0.04, "standard error"))
    "its own figure (acc_stderr) is 0.05; its runs' standard error is 0.04"
    """

    name: str
    stated: float
    held: float | None
    kind: str = "mean"

    def __str__(self) -> str:
        mine = (
            "none of its runs has a score"
            if self.held is None
            else f"its runs' {self.kind} is {self.held:.6g}"
        )
        return f"its own figure ({self.name}) is {self.stated:.6g}; {mine}"

    @staticmethod
    def together(files: int, found: list[OwnFigure]) -> str:
        """Many of them in one sentence."""
        names = " or ".join(sorted({d.name for d in found}))
        held = [d.held for d in found if d.held is not None]
        ours = f"{fsum(held) / len(held):.6g} of their runs" if held else "none of their runs"
        stated = fsum(d.stated for d in found) / len(found)
        return f"{files} sources state figures of their own ({names}): {stated:.6g} on average; {ours}"


class Limited(Struct, frozen=True, order=True):
    """A source was told to stop early, or to take a part of its tasks.

    >>> str(Limited("the first 20 samples"))
    'was limited: the first 20 samples'
    """

    to: str

    def __str__(self) -> str:
        return f"was limited: {self.to}"

    @staticmethod
    def together(files: int, found: list[Limited]) -> str:
        """Many of them in one sentence."""
        return f"{files} sources were limited: {'; '.join(sorted({d.to for d in found})[:3])}"


class Rescaled(Struct, frozen=True, order=True):
    """A source's scores are on a scale of its own, which it states, and were brought to 0..1.

    >>> str(Rescaled(0, 100))
    'has scores from 0 to 100, which were rescaled to 0..1'
    """

    lo: float
    hi: float

    def __str__(self) -> str:
        return f"has scores from {spelled(self.lo)} to {spelled(self.hi)}, which were rescaled to 0..1"

    @staticmethod
    def together(files: int, found: list[Rescaled]) -> str:
        """Many of them in one sentence."""
        scales = " or ".join(
            f"{spelled(lo)} to {spelled(hi)}" for lo, hi in sorted({(d.lo, d.hi) for d in found})
        )
        return f"{files} sources have scores from {scales}, which were rescaled to 0..1"


class Retried(Struct, frozen=True, order=True):
    """A source holds tries of runs that were made again: the last try of a run counts.

    >>> str(Retried(1)), str(Retried(2, "b"))
    ('1 earlier try of a run is not counted', '2 earlier tries of runs are not counted: the last are in b')
    """

    tries: int
    counted_in: str = ""

    def __str__(self) -> str:
        told = "1 earlier try of a run is" if self.tries == 1 else f"{self.tries:,} earlier tries of runs are"
        where = (
            f": the last {'is' if self.tries == 1 else 'are'} in {self.counted_in}" if self.counted_in else ""
        )
        return f"{told} not counted{where}"

    @staticmethod
    def together(files: int, found: list[Retried]) -> str:
        """Many of them in one sentence."""
        return f"{sum(d.tries for d in found):,} earlier tries of runs, in {files} sources, are not counted"


class Edited(_Added, frozen=True, order=True):
    """Scores of a source were edited by hand after they were given: what they were edited to counts.

    >>> str(Edited(1, 20))
    'the scores of 1 of 20 runs were edited by hand: as edited they count'
    """

    edited: int
    of: int

    def __str__(self) -> str:
        return f"the scores of {self.edited:,} of {self.of:,} runs were edited by hand: as edited they count"


class ScoredFailures(_Added, frozen=True, order=True):
    """A source was told to score runs that failed: their scores count, and they are no errors.

    >>> str(ScoredFailures(2, 5))
    '2 of 5 runs failed and were scored all the same, as was asked for: their scores count'
    >>> str(ScoredFailures(1, 5))
    '1 of 5 runs failed and was scored all the same, as was asked for: its score counts'
    """

    failed: int
    of: int

    def __str__(self) -> str:
        one = self.failed == 1
        told = f"{self.failed:,} of {many(self.of, 'run')} failed and {'was' if one else 'were'} scored"
        return f"{told} all the same, as was asked for: {'its score counts' if one else 'their scores count'}"


class AllFailed(Struct, frozen=True, order=True):
    """Every run of a source failed.

    >>> str(AllFailed(20, "upstream 503", 18)), str(AllFailed(1, "upstream 503", 1))
    ('all 20 runs failed, 18 of them with: upstream 503', 'its only run failed with: upstream 503')
    """

    runs: int
    commonest: str
    times: int

    def __str__(self) -> str:
        if self.runs == 1:
            return f"its only run failed with: {self.commonest}"
        return f"all {self.runs:,} runs failed, {self.times:,} of them with: {self.commonest}"

    @staticmethod
    def together(files: int, found: list[AllFailed]) -> str:
        """Many of them in one sentence."""
        most = max(found, key=lambda d: (d.times, d.commonest))
        runs = sum(d.runs for d in found)
        return f"all {runs:,} runs of {files} sources failed, {most.times:,} with: {most.commonest}"


class MeansOfTasks(Struct, frozen=True, order=True):
    """A source holds one mean a task, and not the runs that it is made of.

    >>> str(MeansOfTasks(50))
    'holds one mean a task: 50 tasks are counted, and how many runs are behind each is not known'
    """

    tasks: int

    def __str__(self) -> str:
        counted = f"{self.tasks:,} {'task is' if self.tasks == 1 else 'tasks are'} counted"
        return f"holds one mean a task: {counted}, and how many runs are behind each is not known"

    @staticmethod
    def together(files: int, found: list[MeansOfTasks]) -> str:
        """Many of them in one sentence."""
        tasks = sum(d.tasks for d in found)
        return f"{files} sources hold one mean a task: {tasks:,} are counted, not the runs behind them"


Discrepancy = (
    RunsDeclared
    | Ended
    | OwnFigure
    | Limited
    | Rescaled
    | Retried
    | Edited
    | ScoredFailures
    | AllFailed
    | MeansOfTasks
)


OF_SCORES = (OwnFigure, Rescaled, Edited, ScoredFailures)
"""Differences of the scores of a source, and of nothing else that was measured of its runs."""


class Declared(Aside, frozen=True):
    """One difference between what a source says of itself and what was read of it.

    Attributes:
        difference: Both, in numbers; ``what`` is its sentence.
        of: Keys of the numbers that it stands beside. An estimate that names one of them with another value
            is not meant; one that does not name it is.
    """

    difference: Discrepancy | None = None
    of: Keys = Keys()

    @classmethod
    def by(cls, file: str, difference: Discrepancy, *, field: str = "", **of: str | None) -> Declared:
        """The finding of one file.

        Args:
            file: Path within the experiment, safe to print.
            difference: What it says, and what was read.
            field: JSON pointer of where it says so, without its first slash.
            of: ``model``, ``suite``, ``scorer``: whose numbers; None where it is not told.

        >>> print(Declared.by("a.eval", RunsDeclared(790, 15), model="m"))
        a.eval: declares 790 runs; 15 are here
        """
        keys = Keys({key: value for key, value in of.items() if value is not None})
        return cls(file, None, field, str(difference), difference, keys)

    def concerns(self, keys: Keys) -> bool:
        """Whether a number of these keys is made of this source, as far as they tell.

        What is said of scores stands beside scores alone, each run's and no try of several.

        >>> own = Declared.by("a.eval", OwnFigure("accuracy", 0.8, 0.2), model="m")
        >>> own.concerns(Keys({"model": "m", "scorer": "s"})), own.concerns(Keys({"model": "m"}))
        (True, False)
        """
        named = dict(keys)
        if isinstance(self.difference, OF_SCORES) and ("scorer" not in named or "k" in named):
            return False
        return all(named.get(key, value) == value for key, value in self.of)


def notes_of(found: Iterable[Declared]) -> Iterator[str]:
    """What stands beside a number: a sentence a file, or one for many files of one kind.

    >>> list(notes_of([Declared.by(f"{n}.eval", RunsDeclared(20, n)) for n in (2, 3, 4)]))
    ['3 sources declare 60 runs; 9 are here']
    """
    kinds: dict[type[Discrepancy], list[Declared]] = defaultdict(list)
    for each in sorted(set(found), key=lambda d: (d.file, d.what)):
        if each.difference is not None:
            kinds[type(each.difference)].append(each)
    for kind, some in sorted(kinds.items(), key=lambda item: item[0].__name__):
        if len(some) <= SPELLED_OUT:
            yield from dict.fromkeys(f"{each.file} {each.what}" for each in some)
        else:
            yield kind.together(len(some), [each.difference for each in some])  # type: ignore[misc]
