"""How steady two arms are from run to run: tasks that each always passes, never passes, and now and then.

Does: count tasks of which both arms have at least three known runs, each passed or not, and say which share
of the variance of a run lies between tasks, over all of them. Does not: say anything of fewer runs, where
passing once is no habit, or of scores between 0 and 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from markupsafe import Markup
from msgspec import Struct

from metrics_core.comparison import stability_of
from metrics_core.results import Comparison
from site_src.drawing import strip
from site_src.pages.compare.tasks import PairedTask, TaskSide
from site_src.pages.components import Table, table, text
from site_src.wording import Line, Span, count, shown_name, variance_shares

FEWEST = 3
"""Known runs of a task below which nothing is said of always and never."""

Habit = Literal["always", "changing", "never"]
HABITS: tuple[Habit, ...] = ("always", "changing", "never")


class ArmHabits(Struct, frozen=True, kw_only=True):
    """One arm: its name, its tasks in a bar by how it does them, and the same in words."""

    name: str
    bar: Markup
    words: Line


class StabilityView(Struct, frozen=True, kw_only=True):
    """Both arms, and what became of the tasks of the first with the second.

    Attributes:
        title: The finding.
        reads: What the words mean.
        crossed: Tasks by what both do with them.
    """

    title: Line
    reads: Line
    arms: tuple[ArmHabits, ...]
    crossed: Table


def stability(c: Comparison, found: Sequence[PairedTask]) -> Iterator[StabilityView]:
    """The view; nothing where no task was tried often enough, or a run is more than passed or not.

    Args:
        c: What is compared.
        found: Every task of either arm.
    """
    sides = [(task.a, task.b) for task in found if task.a is not None and task.b is not None]
    if {value for both in sides for side in both for value in side.values} - {0.0, 1.0}:
        return
    habits = [
        (_habit(a, c), _habit(b, c)) for a, b in sides if min(len(a.known), len(b.known)) >= FEWEST
    ]  # fmt: skip
    if not habits:
        return
    crossed = Counter(habits)
    every = (Counter(mine for mine, _ in habits), Counter(theirs for _, theirs in habits))
    names = (shown_name(c.a), shown_name(c.b))
    lost = crossed["always", "never"]
    shares = [
        variance_shares(stability_of(name, tasks, {}))
        for name, tasks in zip(names, _values(found), strict=True)
    ]
    yield StabilityView(
        title=_title(c, names, every, len(habits)),
        reads=(
            text(f"Over the known runs of a task, {FEWEST} of each or more: passed in all, none or some. "),
            text(f"Of those that {names[0]} always passes {names[1]} never passes "),
            Span(count(lost) if lost else "none", record=c.id),
            text("."),
        ),
        arms=tuple(
            ArmHabits(
                name=name,
                bar=_bar(counts, len(habits)),
                words=(*_words(c, counts), Span(f"; {share}", record=c.id)),
            )
            for name, counts, share in zip(names, every, shares, strict=True)
        ),
        crossed=_crossed(c, names, crossed, every),
    )


def _values(found: Sequence[PairedTask]) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Known values of each task of either arm."""
    a = {task.name: task.a.values for task in found if task.a is not None and task.a.values}
    b = {task.name: task.b.values for task in found if task.b is not None and task.b.values}
    return a, b


def _habit(side: TaskSide, c: Comparison) -> Habit:
    """What an arm does with a task; where more of the metric is worse, 0 is a pass."""
    passed = [value == (0.0 if c.polarity == "against" else 1.0) for value in side.values]
    return "always" if all(passed) else "changing" if any(passed) else "never"


def _title(
    c: Comparison, names: tuple[str, str], every: tuple[Counter[Habit], Counter[Habit]], tasks: int
) -> Line:
    mine, theirs = every

    def of(n: int) -> Span:
        return Span(count(n), record=c.id)

    return (
        text(f"{names[0]}: always "), of(mine["always"]), text(", never "), of(mine["never"]),
        text(", changing "), of(mine["changing"]), text(" of "), of(tasks), text(f" tasks. {names[1]}: "),
        of(theirs["always"]), text(", "), of(theirs["never"]), text(" and "), of(theirs["changing"]),
    )  # fmt: skip


def _words(c: Comparison, counts: Counter[Habit]) -> Line:
    spans: list[Span] = []
    for habit in HABITS:
        spans += [text(f"{', ' if spans else ''}{habit} "), Span(count(counts[habit]), "strong", record=c.id)]
    return tuple(spans)


def _bar(counts: Counter[Habit], tasks: int) -> Markup:
    bar, at = strip.Strip(0.0, float(tasks), 20.0), 0.0
    for habit, state in (("always", "true"), ("changing", "still-in"), ("never", "false")):
        size = counts[habit]  # type: ignore[index]
        if size:
            bar.part(at, at + size, state)  # type: ignore[arg-type]
        at += size
    return bar.markup


def _crossed(
    c: Comparison,
    names: tuple[str, str],
    crossed: Counter[tuple[Habit, Habit]],
    every: tuple[Counter[Habit], Counter[Habit]],
) -> Table:
    def cell(n: int) -> Span:
        return Span(count(n), "plain" if n else "quiet", record=c.id)

    rows = [
        (text(f"{habit} with {names[0]}"), *(cell(crossed[habit, other]) for other in HABITS),
         cell(every[0][habit]))
        for habit in HABITS
    ]  # fmt: skip
    last = (text("all"), *(cell(every[1][habit]) for habit in HABITS), cell(sum(crossed.values())))
    return table(
        f"Tasks by how {names[0]} and {names[1]} do them",
        [f"With {names[1]}:", *HABITS, "all"],
        [*rows, last],
        numeric=range(1, len(HABITS) + 2),
    )
