"""How alike the runs of a task are, of one arm: what tasks and what repetitions make its runs differ by.

Does: share out the variance, class tasks by what became of their known runs, and ask whether a whole
repetition was lower. Does not: know where the runs come from, or word anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import fsum
from typing import Any, Final

from msgspec import Struct

from metrics_core.comparison.measured_experiment import MeasuredExperiment
from metrics_core.measurement import RunGroup
from metrics_core.results import Estimate, Interval, Keys
from metrics_core.statistics import repetition_shock, task_share, wilson_limits

REP: Final = "rep"
"""The field of a record that says which repetition a run is."""

ROUGH: Final = 20
"""Tasks below which a share of variance is only rough."""


class Stability(Struct, frozen=True, kw_only=True):
    """How alike the runs of a task are, of one arm.

    Attributes:
        arm: Its name.
        tasks: How many tasks have a known run.
        share: Part of the variance of one run that lies between tasks; None where it cannot be told.
        interval: Of the share.
        always: Tasks that passed in every known run so far, of two or more.
        never: Tasks that passed in none.
        flaky: Tasks with both outcomes.
        one_run: Tasks with one known run.
        fewest: The fewest known runs of a task that has two or more; 0 where none has.
        shock: F and p of "a whole repetition is lower"; None where no two tasks have one known
            run of each repetition, or what repetitions differ by is the same on every task.
        repetitions: Mean of each repetition over the tasks that have one known run of all of them.
        complete: How many tasks these are.
    """

    arm: str
    tasks: int
    share: float | None
    interval: Interval
    always: int
    never: int
    flaky: int
    one_run: int
    fewest: int
    shock: tuple[float, float] | None
    repetitions: tuple[float, ...]
    complete: int

    @property
    def rough(self) -> bool:
        """Whether so few tasks leave the share rough."""
        return self.share is not None and self.tasks < ROUGH

    @property
    def repeated(self) -> int:
        """Tasks with two known runs or more."""
        return self.always + self.never + self.flaky

    @property
    def not_ruled_out(self) -> float | None:
        """The rate of failure that a task which always passed may still have, by its fewest runs (Wilson).

        None where no task was repeated.
        """
        return wilson_limits(0.0, self.fewest)[1] if self.fewest else None

    def to_json(self) -> dict[str, Any]:
        """As it stands in the record."""
        return {
            "arm": self.arm,
            "tasks": self.tasks,
            "share_of_tasks": self.share,
            "rough": self.rough,
            "interval": self.interval.to_json(),
            "always_so_far": self.always,
            "never_so_far": self.never,
            "flaky": self.flaky,
            "one_run": self.one_run,
            "repetition_means": list(self.repetitions),
            "tasks_with_every_repetition": self.complete,
            "shock": None if self.shock is None else {"F": self.shock[0], "p": self.shock[1]},
        }


def stability_of(
    arm: str,
    tasks: Mapping[str, Sequence[float]],
    by_repetition: Mapping[str, Mapping[str, Sequence[float]]],
    *,
    against: bool = False,
) -> Stability:
    """How alike the runs of each task are.

    Args:
        arm: Whose runs they are.
        tasks: Known values of each task, one or more each.
        by_repetition: Number of a repetition -> task -> its known values; empty where runs have no number.
        against: Whether more is worse; then 0 is a pass, as 1 is elsewhere.

    >>> runs = {"a": [1, 1], "b": [0, 1], "c": [0, 0], "d": [1]}
    >>> found = stability_of("alpha", runs, {})
    >>> found.always, found.flaky, found.never, found.one_run, str(found.interval.reason)
    (1, 1, 1, 1, 'fewer than 10 tasks')
    """
    passed = 0.0 if against else 1.0
    share, interval = task_share(list(tasks.values()))
    kinds = Counter(_kind(values, passed) for values in tasks.values())
    table = list(_complete(by_repetition)) if len(by_repetition) > 1 else []
    return Stability(
        arm=arm,
        tasks=len(tasks),
        share=share,
        interval=interval,
        always=kinds["always"],
        never=kinds["never"],
        flaky=kinds["flaky"],
        one_run=kinds["one run"],
        fewest=min((len(values) for values in tasks.values() if len(values) > 1), default=0),
        shock=repetition_shock(table),
        repetitions=tuple(fsum(column) / len(column) for column in zip(*table, strict=True)),
        complete=len(table),
    )


def of_arm(side: MeasuredExperiment, e: Estimate, runs: RunGroup, arm: str) -> Stability:
    """How alike the runs of a task are, of one arm of a measured experiment.

    Args:
        side: Whose arm it is; it knows of repetitions only where its runs were sliced by `REP`.
        e: The arm's estimate.
        runs: The runs behind it.
        arm: What to call it.
    """
    numbers = side.values(e, REP)
    return stability_of(
        arm,
        runs.by_task(),
        {number: side.runs(e, Keys({REP: number})).by_task() for number in numbers},
        against=e.polarity == "against",
    )


def _kind(values: Sequence[float], passed: float) -> str:
    if len(values) < 2:
        return "one run"
    found = sum(value == passed for value in values)
    return "always" if found == len(values) else "flaky" if found else "never"


def _complete(found: Mapping[str, Mapping[str, Sequence[float]]]) -> Iterator[list[float]]:
    """A row a task, a column a repetition, of the tasks with one known run of each."""
    numbers = list(found)
    for task in found[numbers[0]]:
        row = [found[number].get(task, ()) for number in numbers]
        if all(len(values) == 1 for values in row):
            yield [values[0] for values in row]
