"""Two arms task by task: on how many the candidate is better, worse or the same, and what is lost."""

from __future__ import annotations

from math import fsum
from typing import Any

from msgspec import Struct

from metrics_core.measurement import RunGroup, task_difference, task_mean

MIN_TRIES = 2
"""Known runs of a task and arm below which nothing is said of always and never."""


class TaskOutcome(Struct, frozen=True):
    """One task of both arms: mean and known runs of each.

    Attributes:
        task: Its id.
        a: Mean of the baseline.
        b: Mean of the candidate.
        change: Candidate less baseline, in the metric's unit; 0 where they part by rounding alone.
        runs: Known runs of each.
    """

    task: str
    a: float
    b: float
    change: float
    runs: tuple[int, int]


class TaskOutcomes(Struct, frozen=True, kw_only=True):
    """The tasks of which both arms know something.

    Attributes:
        better: Tasks on which the candidate is better, largest change first.
        worse: Tasks on which it is worse, largest change first.
        same: How many it does alike.
        lost: Tasks that the baseline passed in every known run and the candidate in none, two runs of each or
            more; empty where nothing is a pass.
        always: Tasks that the baseline passed in every known run, of two or more.
        untold: How many of these the candidate may have lost: no known pass, and fewer than two known runs.
        by_chance: How many tasks would be lost so were both arms alike.
        repeated: Whether any task has two known runs or more of both arms.
        incomplete: Tasks of which a run of either arm is not known, or was never recorded.
        only_a: Tasks that the baseline alone has known runs of.
        only_b: Tasks that the candidate alone has known runs of.
    """

    better: tuple[TaskOutcome, ...]
    worse: tuple[TaskOutcome, ...]
    same: int
    lost: tuple[str, ...]
    always: int
    untold: int
    by_chance: float
    repeated: bool
    incomplete: int
    only_a: int
    only_b: int

    @property
    def common(self) -> int:
        """Tasks of which both arms know something."""
        return len(self.better) + len(self.worse) + self.same

    def to_json(self) -> dict[str, Any]:
        """Counts, and the names of the tasks that changed."""
        return {
            "better": len(self.better),
            "worse": len(self.worse),
            "same": self.same,
            "lost": list(self.lost),
            "lost_by_chance": self.by_chance,
            "better_tasks": [t.task for t in self.better],
            "worse_tasks": [t.task for t in self.worse],
            "only_baseline": self.only_a,
            "only_candidate": self.only_b,
            "incomplete": self.incomplete,
        }


def task_outcomes(a: RunGroup, b: RunGroup, *, against: bool = False) -> TaskOutcomes:
    """What became of each task.

    Args:
        a: Runs of the baseline.
        b: Runs of the candidate.
        against: Whether more of the metric is worse; then 0 is a pass, as 1 is elsewhere.

    >>> from metrics_core.results import Keys
    >>> task_outcomes(RunGroup(), RunGroup()).common
    0
    """
    left, right = a.by_task(), b.by_task()
    better: list[TaskOutcome] = []
    worse: list[TaskOutcome] = []
    lost: list[str] = []
    chances: list[float] = []
    same, always, untold, repeated = 0, 0, 0, False
    passed = 0.0 if against else 1.0
    for task, mine in left.items():
        if len(mine) >= MIN_TRIES and all(value == passed for value in mine):
            always += 1
            seen = right.get(task, ())
            untold += len(seen) < MIN_TRIES and passed not in seen
        if task not in right:
            continue
        theirs = right[task]
        outcome = TaskOutcome(
            task=task,
            a=task_mean(mine),
            b=task_mean(theirs),
            change=task_difference(theirs, mine),
            runs=(len(mine), len(theirs)),
        )
        gain = -outcome.change if against else outcome.change
        if gain:
            (better if gain > 0 else worse).append(outcome)
        else:
            same += 1
        if min(len(mine), len(theirs)) >= MIN_TRIES:
            repeated = True
            chances.append(_by_chance(mine, theirs, passed))
            if all(value == passed for value in mine) and all(value != passed for value in theirs):
                lost.append(task)
    return TaskOutcomes(
        better=tuple(sorted(better, key=_largest_first)),
        worse=tuple(sorted(worse, key=_largest_first)),
        same=same,
        lost=tuple(lost),
        always=always,
        untold=untold,
        by_chance=fsum(chances),
        repeated=repeated,
        incomplete=len(
            {task for group in (a, b) for task in (*group.lost, *group.never) if task in group.home}
        ),
        only_a=sum(task not in right for task in left),
        only_b=sum(task not in left for task in right),
    )


def _largest_first(outcome: TaskOutcome) -> tuple[float, str]:
    return -abs(outcome.change), outcome.task


def _by_chance(mine: list[float], theirs: list[float], passed: float) -> float:
    """How likely a task that both arms pass alike is lost: ``p^Ra (1-p)^Rb``, p pooled over its runs."""
    share = sum(value == passed for value in (*mine, *theirs)) / (len(mine) + len(theirs))
    found = 1.0
    for _ in mine:
        found *= share
    for _ in theirs:
        found *= 1 - share
    return found
