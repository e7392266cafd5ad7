"""Two arms task by task, as a table: each side's counts with the runs behind them, discordant tasks first.

One table a metric and stratum. Does: set what the records count. Does not: estimate anything of one task;
where the core published an estimate of arm and task, its numbers carry that estimate's id.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from metrics_core.compared import Comparison
from metrics_core.estimate import Estimate
from metrics_core.keys import Keys
from site_src import paths
from site_src.figures.context import FigureContext, ReviewFilter
from site_src.parts import Line, Span, drawn
from site_src.rounding import count, fraction, number
from site_src.swatch import swatch
from site_src.views.estimate_cells import table_caption
from site_src.views.paired_tasks import Side, Task
from site_src.views.parts import Table, line, table, text
from site_src.views.runs import Outcome, Run

MOST_TASKS = 200
"""Tasks that a table lists before it points to the list of runs."""

MOST_RUNS = 3
"""Runs of one task that a cell names; more stand behind one link."""

Published = Mapping[tuple[str, Keys, Keys], Estimate]
"""Estimates by metric, stratum and group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tasks:
    """What a table of tasks is made from.

    Attributes:
        c: What is compared.
        a, b: The arms' own estimates.
        found: Every task of either arm, in the order of its rows.
        published: Every estimate of the experiment.
        page: Path of the page.
    """

    c: Comparison
    a: Estimate
    b: Estimate
    found: Sequence[Task]
    published: Published
    page: str


def said(t: Tasks) -> Line:
    """How many tasks both ran, on how many they differ and which way, and what is in no pair."""
    c = t.c
    both = [task for task in t.found if task.difference is not None]
    ahead = [
        sum((task.difference or 0.0) > 0 for task in both),
        sum((task.difference or 0.0) < 0 for task in both),
    ]
    if not both:
        told: list[Span] = [text("The two have no task in common of which both are known.")]
    elif not any(ahead):
        told = [text("They differ on none of the "), _count(c, len(both)), text(" tasks in common.")]
    else:
        told = [
            text("They differ on "),
            _count(c, sum(ahead)),
            text(" of the "),
            _count(c, len(both)),
            text(f" tasks in common: {c.a} has more on "),
            _count(c, ahead[0]),
            text(f", {c.b} on "),
            _count(c, ahead[1]),
            text("."),
        ]
    if both and c.paired_on is None:
        told.append(text(" That is too few to pair: their runs are compared as runs of different tasks."))
    for at, (words, size) in enumerate(_outside(t)):
        told += [text(", " if at else " Outside the pairs: "), _count(c, size), text(f" {words}")]
    return (*told, text(".")) if told[-1].text[-1] != "." else tuple(told)


def _outside(t: Tasks) -> Iterator[tuple[str, int]]:
    """Tasks that are in no pair, by why."""
    one_known = sum(task.difference is None and task.a is not None and task.b is not None for task in t.found)
    only_a = sum(task.b is None for task in t.found)
    only_b = sum(task.a is None for task in t.found)
    for size, words in (
        (one_known, "that both ran, and not both are known"),
        (only_a, f"that only {t.c.a} ran"),
        (only_b, f"that only {t.c.b} ran"),
    ):
        if size:
            yield words, size


def _count(c: Comparison, size: int) -> Span:
    return Span(text=count(size) if size else "none", role="strong", record=c.id)


def task_table(t: Tasks, context: FigureContext, *, linked: bool) -> Table:
    """The table; ``linked`` tells whether single runs have pages."""
    c, of = t.c, t.a.of
    shown = t.found[:MOST_TASKS]
    rows: list[tuple[Line | Span | str, ...]] = [
        (
            task.title,
            _side(t, task, c.a, task.a, context, linked=linked),
            _side(t, task, c.b, task.b, context, linked=linked),
            _ahead(t, task),
        )
        for task in shown
    ]
    if len(t.found) > len(shown):
        runs = context.links.reviews(ReviewFilter(experiment=c.experiment, family=c.family, group=c.group))
        rest = f"{count(len(t.found) - len(shown))} more tasks, in the list of runs"
        rows.append((text(rest, "quiet", href=runs), "", "", ""))
    return table(
        f"{c.a} and {c.b}, task by task",
        ["Task", f"{c.a}, {of}", f"{c.b}, {of}", "Who has more"],
        rows,
        captions=table_caption(
            (t.a, t.b), context, notes=["a row adds up the runs of one task as their records count them"]
        ),
    )


def _ahead(t: Tasks, task: Task) -> Line:
    if task.a is None or task.b is None:
        return line(text(f"only {t.c.b if task.a is None else t.c.a} ran it", "quiet"))
    if task.difference is None:
        who = [name for name, side in ((t.c.a, task.a), (t.c.b, task.b)) if side.mean is None]
        return line(text(f"not known for {' and '.join(who)}", "quiet"))
    if not task.discordant:
        return line(text("alike", "quiet"))
    return line(text(t.c.a if task.difference > 0 else t.c.b, "strong"))


def _side(t: Tasks, task: Task, arm: str, side: Side | None, context: FigureContext, *, linked: bool) -> Line:
    """n/N, a mean where n/N is not the value, what is not known, and the runs behind it."""
    if side is None:
        return line(text("not run", "quiet"))
    c = t.c
    group = c.group | {c.over: arm, "scenario": task.name}
    estimate = t.published.get((c.metric, c.stratum, group))
    of_one = f"{c.experiment}/{side.runs[0][0].name}"
    record = (
        of_one
        if len(side.runs) == 1
        else f"{c.id}&arm={quote(arm, safe='')}&task={quote(task.name, safe='')}"
    )
    told: list[Span] = []
    if side.known:
        ratio = fraction(side.n, side.N)
        if (
            estimate is not None
            and estimate.withheld is None
            and (estimate.n, estimate.N) == (side.n, side.N)
        ):
            told.append(Span(text=ratio, role="strong", estimate=estimate.id))
        else:
            told.append(Span(text=ratio, role="strong", record=record))
        mean = side.mean or 0.0
        if not side.N or abs(mean - side.n / side.N) > 1e-9:
            told.append(Span(text=f" mean {number(mean, t.a.unit)}", role="light", record=record))
    lost = ", ".join(f"{count(n)} {state}" for state, n in sorted(side.lost.items()))
    if lost and (side.known or len(side.runs) > MOST_RUNS):
        told.append(Span(text=f"{' · ' if told else ''}{lost}", role="quiet", record=record))
    return (*told, *_runs(t, task, arm, side, context, linked=linked))


def _runs(
    t: Tasks, task: Task, arm: str, side: Side, context: FigureContext, *, linked: bool
) -> Iterator[Span]:
    if len(side.runs) > MOST_RUNS:
        group = t.c.group | {t.c.over: arm, "scenario": task.name}
        href = context.links.reviews(ReviewFilter(experiment=t.c.experiment, family=t.c.family, group=group))
        yield text(" ")
        yield text(f"{count(len(side.runs))} runs", href=href)
        return
    for run, outcome in side.runs:
        yield text(" ")
        yield _run(t, run, outcome, linked=linked)


def _run(t: Tasks, run: Run, outcome: Outcome, *, linked: bool) -> Span:
    """One run: the swatch of its state and its word, linked to its page."""
    return Span(
        text=outcome.word,
        role="outcome",
        mark=drawn(swatch(outcome.state)),
        href=paths.relative(t.page, paths.review(t.c.experiment, run.name)) if linked else "",
        record=f"{t.c.experiment}/{run.name}",
    )
