"""The tasks of two arms as rows of a drawing: both means on one axis, the runs of each arm at its sides.

Does: group tasks by what became of them, worse with the second arm first and the largest change first; name
each run by its mark. Does not: add up or compare (`site_src.pages.compare.tasks` and the core do), or
estimate anything of one task: where the core published an estimate of arm and task, its numbers carry its id.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import quote

from markupsafe import Markup
from msgspec import Struct

from site_src import paths
from site_src.drawing import SHARES, Ticks, difference_ticks, strip, value_ticks
from site_src.marks import swatch
from site_src.pages.compare.tasks import PairedTask, Tasks, TaskSide
from site_src.pages.components import line, text
from site_src.wording import (
    Caption,
    FigureContext,
    Line,
    ReviewFilter,
    Span,
    captions,
    count,
    fraction,
    many,
    number,
    sentence_case,
    shown_name,
    signed,
    svg_markup,
)

MOST_TASKS = 200
"""Tasks that have a row; the rest are in the list of runs."""

MOST_MARKS = 4
"""Runs of one arm on one task that each have a mark; more stand behind one link."""

HEIGHT = 24.0
"""Of a row's axis, in px."""

PARTS: Final = {1: ("0", "1"), 2: ("0", "½", "1"), 3: ("0", "⅓", "⅔", "1"), 4: ("0", "¼", "½", "¾", "1")}
"""Words of the shares that can occur where each arm has as many known runs of each task."""

WORDS: Final = {"for": ("Worse", "Better"), "against": ("Worse", "Better"), "neither": ("Less", "More")}


class PairedRow(Struct, frozen=True, kw_only=True):
    """One task.

    Attributes:
        name: Linked to the task's own page.
        a, b: The runs of each arm.
        marks: Both means on the axis, and what lies between.
        change: n/N of both arms, and the difference of their means; or why there is none.
    """

    name: Line
    a: Line
    marks: Markup
    b: Line
    change: Line


class PairedRows(Struct, frozen=True, kw_only=True):
    """Tasks of which the same became.

    Attributes:
        title: What became of them, and of how many.
        folded: Whether they stand behind their title.
    """

    title: Line
    rows: tuple[PairedRow, ...]
    folded: bool


class TaskRowsView(Struct, frozen=True, kw_only=True):
    """Every task of two arms on one metric.

    Attributes:
        a, b: Heads of the columns of runs: the two arms.
        scale: Words of the axis.
        change: Head of the last column.
        rest: Where those are that have no row; empty where each has one.
    """

    a: str
    b: str
    scale: Markup
    change: str
    groups: tuple[PairedRows, ...]
    rest: Line
    captions: tuple[Caption, ...]


def task_rows(t: Tasks, context: FigureContext, *, linked: bool) -> TaskRowsView:
    """The rows.

    Args:
        t: What they are made from.
        context: Links of the page, and the build.
        linked: Whether single runs have pages.
    """
    drawn = _Drawn(t, context, linked)
    left, groups = MOST_TASKS, []
    for title, found, folded in _sorted_out(t):
        rows = tuple(map(drawn.row, found[:left]))
        left -= len(rows)
        if rows:
            head = (text(f"{title}: "), Span(many(len(found), "task"), "strong", record=t.c.id))
            groups.append(PairedRows(title=head, rows=rows, folded=folded))
    rest: Line = ()
    if len(t.found) > MOST_TASKS:
        c = t.c
        runs = context.links.reviews(ReviewFilter(experiment=c.experiment, family=c.family, group=c.group))
        more = many(len(t.found) - MOST_TASKS, "more task")
        rest = line(text(f"{more}, in the list of runs", "quiet", href=runs))
    a, b = shown_name(t.c.a), shown_name(t.c.b)
    reads = (
        f"A stroke is {a}, a point {b}: of each the mean over the known runs of a task.",
        "n/N adds up the runs of one task as their records count them.",
    )
    return TaskRowsView(
        a=a, b=b, scale=strip.scale(drawn.ticks), change=f"{sentence_case(t.a.of)}, change",
        groups=tuple(groups), rest=rest, captions=(captions.caption((t.a, t.b), context, reads=reads),),
    )  # fmt: skip


def _sorted_out(t: Tasks) -> Iterator[tuple[str, Sequence[PairedTask], bool]]:
    """Groups in the order in which they are read: what it is, its tasks, and whether it is folded."""
    b, turned = shown_name(t.c.b), -1.0 if t.c.polarity == "against" else 1.0

    def gain(task: PairedTask) -> float:
        """How much better the second arm does; more of what is neither good nor bad."""
        return -turned * (task.difference or 0.0)

    both = [task for task in t.found if task.difference is not None]
    first, second = WORDS[t.c.polarity]
    order = sorted(both, key=lambda task: (-abs(gain(task)), task.name))
    yield f"{first} with {b}", [task for task in order if gain(task) < 0], False
    yield f"{second} with {b}", [task for task in order if gain(task) > 0], False
    yield "Alike", [task for task in both if not task.difference], True
    yield "In no pair", [task for task in t.found if task.difference is None], True


class _Drawn:
    """What the rows of one comparison share."""

    def __init__(self, t: Tasks, context: FigureContext, linked: bool) -> None:
        self.t, self.context, self.linked = t, context, linked
        self.ticks = _axis(t)

    def row(self, task: PairedTask) -> PairedRow:
        """One task."""
        t = self.t
        marks = strip.Strip(self.ticks[0][0], self.ticks[-1][0], HEIGHT)
        marks.grid(value for value, _ in self.ticks)
        ends = [side.mean if side is not None else None for side in (task.a, task.b)]
        difference = task.difference or 0.0
        better = None if t.c.polarity == "neither" else (difference < 0) == (t.c.polarity == "for")
        marks.change(*ends, better=better)
        return PairedRow(
            name=line(text(task.title, href=self._page(task) if self.linked else "")),
            a=tuple(self._runs(task, t.c.a, task.a)),
            marks=marks.markup,
            b=tuple(self._runs(task, t.c.b, task.b)),
            change=tuple(self._change(task)),
        )

    def _page(self, task: PairedTask) -> str:
        """Of the task, on which every arm's runs stand side by side."""
        side = task.a or task.b
        if side is None:
            return ""
        return paths.relative(self.t.page, paths.task(self.t.c.experiment, side.runs[0][0].task))

    def _change(self, task: PairedTask) -> Iterator[Span]:
        """n/N of both and the difference of their means, the second less the first."""
        c = self.t.c
        if task.a is None or task.b is None:
            yield text(f"only {shown_name(c.b if task.a is None else c.a)} ran it", "quiet")
            return
        for at, (arm, side) in enumerate(((c.a, task.a), (c.b, task.b))):
            if at:
                yield text(" → ")
            yield self._ratio(task, arm, side) if side.known else text("not known", "quiet")
        if task.difference is not None:
            words = signed(-task.difference) if task.difference else "alike"
            yield text(" ")
            yield Span(words, "strong" if task.difference else "quiet", record=self._record(task, c.b))

    def _record(self, task: PairedTask, arm: str) -> str:
        c = self.t.c
        return f"{c.id}&arm={quote(arm, safe='')}&task={quote(task.name, safe='')}"

    def _ratio(self, task: PairedTask, arm: str, side: TaskSide) -> Span:
        """n/N of one side; a mean where N counts nothing."""
        c = self.t.c
        if not side.N:
            return Span(number(side.mean or 0.0, self.t.a.unit), record=self._record(task, arm))
        group = c.group | {c.over: arm, "scenario": task.name}
        found = self.t.published.get((c.metric, c.stratum, group))
        same = found is not None and found.withheld is None and (found.n, found.N) == (side.n, side.N)
        ratio = fraction(side.n, side.N)
        if found is not None and same:
            return Span(ratio, estimate=found.id)
        return Span(ratio, record=self._record(task, arm))

    def _runs(self, task: PairedTask, arm: str, side: TaskSide | None) -> Iterator[Span]:
        """A mark for each run, or one link to all of them."""
        c = self.t.c
        if side is None:
            yield text("not run", "quiet")
            return
        if len(side.runs) > MOST_MARKS:
            group = c.group | {c.over: arm, "scenario": task.name}
            behind = ReviewFilter(experiment=c.experiment, family=c.family, group=group)
            yield text(many(len(side.runs), "run"), href=self.context.links.reviews(behind))
            if side.lost:
                lost = ", ".join(f"{count(n)} {state}" for state, n in sorted(side.lost.items()))
                yield Span(f" · {lost}", "quiet", record=self._record(task, arm))
            return
        for at, (run, outcome) in enumerate(side.runs, 1):
            yield Span(
                text=f"run {at}: {outcome.word}",
                role="run",
                mark=svg_markup(swatch(outcome.state)),
                href=paths.relative(self.t.page, paths.review(c.experiment, run.name)) if self.linked else "",
                record=f"{c.experiment}/{run.name}",
            )


def _axis(t: Tasks) -> Ticks:
    """All shares that can occur, where every arm has as many known runs of a task; else as of an estimate."""
    sides = [side for task in t.found for side in (task.a, task.b) if side is not None and side.known]
    values = [value for side in sides for value in side.values]
    sizes = {len(side.known) for side in sides}
    if t.a.unit not in SHARES and min(values, default=0.0) < 0.0:
        return difference_ticks(values)
    if len(sizes) == 1 and {*values} <= {0.0, 1.0} and (size := sizes.pop()) in PARTS:
        return tuple((at / size, word) for at, word in enumerate(PARTS[size]))
    return value_ticks(t.a.unit, values)
