"""The runs of one experiment by task, and the columns in which a task's runs stand side by side.

Does: say which runs are of one task and one arm, and by what those of one arm are told apart. Does not: word
a verdict.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from site_src.pages.runs.index import SAME_AS_TITLE, Run
from site_src.project import SiteExperiment
from site_src.wording import count, in_order, listed


class RunsByTask:
    """The runs of one experiment by task; tasks in the order of their names, numbers in them as numbers.

    Args:
        x: The experiment.
        runs: All of its runs.
    """

    def __init__(self, x: SiteExperiment, runs: Sequence[Run]) -> None:
        self.x = x
        found: dict[str, list[Run]] = {}
        for run in runs:
            found.setdefault(run.task, []).append(run)
        self.by_task = {name: found[name] for name in sorted(found, key=_by_number)}
        self.arms = sorted({self.arm(run) for run in runs})

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


Column = tuple[tuple[str, ...], int]
"""What tells runs of one arm apart, and which of those that are alike in it."""


@dataclass(frozen=True, slots=True)
class RunColumns:
    """The columns that runs stand in, by the keys that tell runs of one arm apart.

    Attributes:
        keys: Those keys.
        order: The columns, from left to right.
        place: Name of a run -> its column.
    """

    keys: tuple[str, ...]
    order: tuple[Column, ...]
    place: Mapping[str, Column]

    def label(self, column: Column) -> str:
        """What a column is called: the number in its only word, else its place."""
        words, _ = column
        if len(self.keys) == 1 and {n for _, n in self.order} == {0}:
            if not words[0]:
                return "none"
            if number := re.search(r"\d{1,3}\Z", words[0]):
                return number[0]
        return count(self.order.index(column) + 1)

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
    return RunColumns(keys, tuple(sorted(set(place.values()), key=_in_order)), place)


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
