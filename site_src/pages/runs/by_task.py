"""The runs of one experiment by task, the columns in which a task's runs stand, and which verdicts add up.

Does: say which runs are of one task and one arm, by what those of one arm are told apart, and which of their
verdicts are of one metric and stratum. Does not: word a verdict, or count a copy of a record a second time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from metrics_core.results import MOVING, Keys, Vocabulary
from site_src.pages.runs.index import SAME_AS_TITLE, ListedOutcome, Run
from site_src.project import SiteExperiment
from site_src.wording import count, in_order, listed, stratum_words


class RunsByTask:
    """The runs of one experiment by task; tasks in the order of their names, numbers in them as numbers.

    A copy of a record that was counted before is no run of its task: ``copies`` counts them, by task.

    Args:
        x: The experiment.
        runs: All of its runs.
    """

    def __init__(self, x: SiteExperiment, runs: Sequence[Run]) -> None:
        self.x = x
        found: dict[str, list[Run]] = {}
        for run in runs:
            if not run.repeated:
                found.setdefault(run.task, []).append(run)
        self.by_task = {name: found[name] for name in sorted(found, key=_by_number)}
        self.copies = Counter(run.task for run in runs if run.repeated)
        self.arms = sorted({self.arm(run) for some in found.values() for run in some})

    @property
    def names(self) -> list[str]:
        """Names of the tasks."""
        return list(self.by_task)

    def title(self, name: str) -> str:
        """What the runs of a task are titled, or its name where they do not agree."""
        titles = {run.title for run in self.by_task[name]}
        return titles.pop() if len(titles) == 1 else name

    def arm_keys(self, run: Run) -> list[str]:
        """Keys of a run's group that name its arm."""
        return in_order(run.group.names, self.x.report.words_of(run.family))

    def arm(self, run: Run) -> str:
        """Name of a run's arm: its model, or each part with who plays it."""
        keys = self.arm_keys(run)
        if len(keys) == 1:
            return run.key(keys[0])
        return ", ".join(f"{key.replace('_', ' ')} {run.key(key)}" for key in keys) or "all runs"

    def kinds(self, runs: Sequence[Run]) -> tuple[VerdictKind, ...]:
        """The verdicts of some runs, one a metric and stratum: only those of one kind are counted together.

        Args:
            runs: Runs of this experiment.
        """
        moved = self._moved(runs)
        still = [name for name in MOVING if name not in moved]
        found: dict[tuple[str, Keys], Vocabulary | None] = {}
        for run in runs:
            for o in run.outcomes:
                found.setdefault((o.title, o.stratum.without(*still)), self.x.report.words_of(run.family))
        kinds = []
        for (title, stratum), words in found.items():
            others = [other for of, other in found if of == title]
            apart = {name for other in others for name in stratum.differing(other)}
            told = _stratum(stratum.only(*apart), words)
            kinds.append(VerdictKind(title, stratum, ", ".join(filter(None, (title, told)))))
        titles = list(dict.fromkeys(kind.title for kind in kinds))
        return tuple(sorted(kinds, key=lambda kind: (titles.index(kind.title), kind.stratum)))

    def _moved(self, runs: Sequence[Run]) -> frozenset[str]:
        """What counts as a stratum only where it changes within an arm, and does."""
        seen: dict[tuple[str, str], set[str]] = {}
        for run in runs:
            for name, value in {pair for o in run.outcomes for pair in o.stratum if pair[0] in MOVING}:
                seen.setdefault((self.arm(run), name), set()).add(value)
        return frozenset(name for (_, name), values in seen.items() if len(values) > 1)


class VerdictKind(Struct, frozen=True):
    """Verdicts that may be counted together: those of one metric in one stratum.

    Attributes:
        title: Of the metric.
        stratum: Without digests that are the same for each arm.
        label: What they are called: the title, and where it is of several strata, what tells them apart.
    """

    title: str
    stratum: Keys
    label: str

    def of(self, run: Run) -> ListedOutcome | None:
        """The verdict of this kind that a run has, if it has one."""
        return next((o for o in run.outcomes if self.holds(o)), None)

    def holds(self, o: ListedOutcome) -> bool:
        """Whether a verdict is of this kind."""
        left_out = [name for name in MOVING if name not in self.stratum.names]
        return o.title == self.title and o.stratum.without(*left_out) == self.stratum


def _stratum(stratum: Keys, words: Vocabulary | None) -> str:
    """A stratum in words, with the contract that told it apart."""
    contracts = [value.partition(" ")[0] for name, value in stratum if name == "contract"]
    return ", ".join(filter(None, (stratum_words(stratum, words), *contracts)))


Column = tuple[tuple[str, ...], int]
"""What tells runs of one arm apart, and which of those that are alike in it."""


class RunColumns(Struct, frozen=True):
    """The columns that runs stand in, by the keys that tell runs of one arm apart.

    Attributes:
        keys: Those keys.
        order: The columns, from left to right.
        place: Name of a run -> its column.
        label: Column -> what it is called: the number in its only word, else its place.
    """

    keys: tuple[str, ...]
    order: tuple[Column, ...]
    place: Mapping[str, Column]
    label: Mapping[Column, str]

    def in_words(self) -> str:
        """What the columns are: the keys by which runs differ, with their first and last words."""
        if not self.keys:
            return "Columns are the runs of one model, the earliest first." if len(self.order) > 1 else ""
        told = []
        for at, key in enumerate(self.keys):
            words = list(dict.fromkeys(c[0][at] or "none" for c in self.order))
            shown = listed(words) if len(words) <= 3 else f"{words[0]} to {words[-1]}"
            told.append(f"{key.replace('_', ' ')} ({shown})")
        return f"Columns are runs by {listed(told)}."


def columns(own: RunsByTask, by_arm: Mapping[str, Sequence[Run]]) -> RunColumns:
    """The columns of a task's runs.

    Args:
        own: The experiment's runs by task.
        by_arm: Arm -> its runs of the task.
    """
    keys = _apart(own, by_arm)
    place: dict[str, Column] = {}
    for some in by_arm.values():
        alike: Counter[tuple[str, ...]] = Counter()
        for run in sorted(some, key=lambda run: (run.day, run.time)):
            told = tuple(run.key(key) for key in keys)
            place[run.name] = (told, alike[told])
            alike[told] += 1
    order = tuple(sorted(set(place.values()), key=_in_order))
    return RunColumns(keys, order, place, _labels(keys, order))


def _labels(keys: Sequence[str], order: Sequence[Column]) -> dict[Column, str]:
    """What each column is called."""
    places = {column: count(at) for at, column in enumerate(order, 1)}
    if len(keys) != 1 or any(n for _, n in order):
        return places
    numbers = {column: re.search(r"\d{1,3}\Z", column[0][0]) for column in order}
    return {
        column: "none" if not column[0][0] else number[0] if (number := numbers[column]) else place
        for column, place in places.items()
    }


def _apart(own: RunsByTask, by_arm: Mapping[str, Sequence[Run]]) -> tuple[str, ...]:
    """Keys by which runs of one arm differ, without those that the others tell already."""
    runs = [run for some in by_arm.values() for run in some]
    arms = {key for run in runs for key in own.arm_keys(run)}
    named = dict.fromkeys(key for run in runs for key, _ in (*run.group, *run.apart))

    def told(keys: Sequence[str]) -> int:
        return len({(arm, *(run.key(key) for key in keys)) for arm, some in by_arm.items() for run in some})

    keys = [
        key for key in named if key not in arms and key not in SAME_AS_TITLE and told([key]) > len(by_arm)
    ]
    for key in tuple(keys):
        fewer = [other for other in keys if other != key]
        if told(fewer) == told(keys):
            keys = fewer
    return tuple(keys)


def _in_order(column: Column) -> tuple[list[Numbered], int]:
    """Sorts columns by their words, none first, numbers within them as numbers."""
    words, nth = column
    return [_by_number(word) for word in words], nth


Numbered = list[tuple[bool, int, str]]
"""A text in stretches, each a number or words."""


def _by_number(words: str) -> Numbered:
    """Sorts texts by words, and by the numbers within them as numbers.

    >>> sorted(["task_10", "task_9", "Task"], key=_by_number)
    ['Task', 'task_9', 'task_10']
    """
    parts = filter(None, re.split(r"(\d{1,18})", words))
    return [(not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]
