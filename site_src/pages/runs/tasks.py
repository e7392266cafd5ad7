"""The page of one task: every arm's runs side by side, verdict by verdict, and what is known of the task.

Does: set runs in columns and verdicts in rows, group what broke, say where else the task was run. Does not:
estimate anything of one task, or put an arm above another on it; these are counts of few runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar
from urllib.parse import quote

from msgspec import Struct

from metrics_core.contracts import Task
from metrics_core.results import ContractRef, Estimate, Report
from site_src import paths
from site_src.marks import swatch
from site_src.pages.components import Listing, Table, line, table, text
from site_src.pages.runs import task_table
from site_src.pages.runs.by_task import RunsByTask, columns as columns_of
from site_src.pages.runs.captions import of_task
from site_src.pages.runs.index import SAME_AS_TITLE, ListedOutcome, Run, RunLists, key_value
from site_src.pages.runs.task_table import TaskBlock, assertions, held
from site_src.pages.runs.verdicts import held_back
from site_src.pages.site_map import SiteMap
from site_src.project import SiteExperiment
from site_src.wording import (
    Caption,
    FirstUse,
    Line,
    MetricSpan,
    Named,
    Span,
    count,
    in_paragraph,
    in_series,
    listed,
    many,
    sentence_case,
    svg_markup,
    within_sentence,
)

MOST_LISTED = 1_000
"""Tasks that a list names; the search finds the others."""

MOST_TOLD = 6
"""Verdicts, each of one stratum, that the first sentences of a task tell; of more they name the metrics."""

MOST_ARMS = 4
"""Arms that have a column each in the list of tasks."""

LONGEST_INPUT = 400
"""Characters of a card's inputs that the page shows."""


Elsewhere = Mapping[tuple[str, str, str], Mapping[str, Sequence[Run]]]
"""Family, task and title -> name of another experiment -> its runs of that task."""


class TaskView(Struct, frozen=True, kw_only=True):
    """One task.

    Attributes:
        key: The marks that occur, in words.
        columns: What the columns are, in words.
        absent: Arms of the experiment without a run of it, and copies of records, in words.
        broken: What broke, each set of things once, with the runs in which it did.
        card: What is known of the task, and of its runs together.
        pairs: Pages on which two arms are compared, this task among others.
        history: The same task in other experiments.
    """

    template: ClassVar[str] = "runs/task.html"
    title: str
    lede: Line
    crumbs: Line
    previous: Span
    next: Span
    place: str
    key: tuple[Span, ...]
    columns: str
    blocks: tuple[TaskBlock, ...]
    absent: str
    caption: Caption
    broken: tuple[Line, ...]
    card: Listing
    pairs: tuple[Listing, ...]
    history: tuple[Table, ...]


class TasksView(Struct, frozen=True, kw_only=True):
    """Every task of an experiment."""

    template: ClassVar[str] = "runs/tasks.html"
    title: str
    lede: str
    crumbs: Line
    tasks: Table


# ------------------------------------------------------------------------------------------ one task


def task_view(
    where: SiteMap, own: RunsByTask, name: str, others: Elsewhere, estimates: Sequence[Estimate]
) -> TaskView:
    """The page of one task.

    Args:
        where: Everything that has a page.
        own: The runs of this experiment by task.
        name: The task.
        others: Where else tasks were run, as `elsewhere` finds it.
        estimates: What its verdicts are counted in, for the strip below the runs.
    """
    x, page = own.x, paths.task(own.x.name, name)
    runs = own.by_task[name]
    names = own.names
    at = names.index(name)
    by_arm: dict[str, list[Run]] = {}
    for run in runs:
        by_arm.setdefault(own.arm(run), []).append(run)
    columns = columns_of(own, by_arm)
    blocks = tuple(task_table.blocks(where, own, name, by_arm, columns))
    return TaskView(
        title=own.title(name),
        lede=FirstUse(where.context(page).links)(_told(own, runs)),
        crumbs=(
            *_crumbs(x, page),
            text(" / "),
            text("Tasks", href=paths.relative(page, paths.tasks(x.name))),
        ),
        previous=_beside(own, names[at - 1] if at else None, page),
        next=_beside(own, names[at + 1] if at + 1 < len(names) else None, page),
        place=f"Task {count(at + 1)} of {count(len(names))}",
        key=tuple(task_table.key(runs, blocks)),
        columns=columns.in_words(),
        blocks=blocks,
        absent=_absent(own, name, by_arm),
        caption=of_task(runs[0].family, x.report, estimates, where.context(page)),
        broken=tuple(_broken(own, runs, page)),
        card=Listing(title="The task", lines=tuple(_card(where, own, name, page))),
        pairs=tuple(_pairs(where, x, by_arm, page)),
        history=tuple(_history(where, runs, others, page)),
    )


def _crumbs(x: SiteExperiment, page: str) -> Line:
    return (
        text("Experiments", href=paths.relative(page, paths.EXPERIMENTS)),
        text(" / "),
        text(x.title, href=paths.relative(page, paths.experiment(x.name))),
    )


def _beside(own: RunsByTask, name: str | None, page: str) -> Span:
    if name is None:
        return text("")
    return text(own.title(name), href=paths.relative(page, paths.task(own.x.name, name)))


def _told(own: RunsByTask, runs: Sequence[Run]) -> Line:
    """What came of a task's runs; first, which of it proves nothing."""
    held = _held_back(own, runs)
    return in_paragraph(([line(held)] if held else []) + [_lede(own, runs)])


def _held_back(own: RunsByTask, runs: Sequence[Run]) -> str:
    """Which verdicts of some runs stand in no number, since a control withholds it."""
    report = own.x.report
    if not any(control.withholds for control in report.controls):
        return ""
    verdicts = {(run.family, o.metric, o.title, o.stratum): None for run in runs for o in run.outcomes}
    counted = [
        (title, e.withheld_by)
        for family, metric, title, stratum in verdicts
        for e in report.estimates
        if (e.family, e.metric) == (family, metric) and set(e.stratum) <= set(stratum)
    ]
    return held_back(counted)


def _lede(own: RunsByTask, runs: Sequence[Run]) -> Line:
    """How many runs came to which word, verdict by verdict, each stratum by itself; or which verdicts."""
    many_runs = many(len(runs), "run")
    found = [
        (kind, [(run, o) for run in runs if (o := kind.of(run)) is not None]) for kind in own.kinds(runs)
    ]
    if len(found) > MOST_TOLD:
        titles: dict[str, Span] = {}
        for kind, of in found:
            titles.setdefault(kind.title, _name(own, within_sentence(kind.title), *of[0]))
        verdicts = in_series([(name,) for name in titles.values()])
        return (text(f"{sentence_case(many_runs)}. Below, each counted by itself: "), *verdicts, text("."))
    told = []
    for kind, of in found:
        words = Counter(
            o.word if o.state in ("true", "false") else o.state.replace("still-in", "known") for _, o in of
        )
        ranked = sorted(words.items(), key=lambda pair: (-pair[1], pair[0]))
        counts = listed([f"{word} in {count(n)}" for word, n in ranked])
        name, rest = _name(own, kind.title, *of[0]), kind.label.removeprefix(kind.title)
        told.append((name, text(f"{rest}: {counts}.")))
    return in_paragraph([line(f"{sentence_case(many_runs)}."), *told]) if told else line(f"{many_runs}.")


def _name(own: RunsByTask, label: str, run: Run, o: ListedOutcome) -> Span:
    """What a verdict is called, naming the metric of the contract of what is published of it."""
    contract = own.x.of_report(_contracts).get((run.family, o.metric))
    return Span(label) if contract is None else MetricSpan(text=label, names=Named(contract, o.metric))


def _contracts(report: Report) -> Mapping[tuple[str, str], ContractRef]:
    """Family and metric -> the contract of the first that is published of it."""
    return {(e.family, e.metric): e.contract for e in reversed(report.estimates)}


def _absent(own: RunsByTask, name: str, by_arm: dict[str, list[Run]]) -> str:
    absent = [arm for arm in own.arms if arm not in by_arm]
    copies = own.copies[name]
    are = "is" if copies == 1 else "are"
    return " ".join(
        filter(
            None,
            (
                f"Of {listed(absent)} no run of this task is recorded." if absent else "",
                f"{many(copies, 'copy')} of a record that was counted before {are} in no column."
                if copies
                else "",
            ),
        )
    )


# ------------------------------------------------------------------------------- beside the runs


def _broken(own: RunsByTask, runs: Sequence[Run], page: str) -> Iterator[Line]:
    """Each set of things that broke, once, with the runs in which it did: the commonest first."""
    found: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        if run.broken:
            found.setdefault(run.broken, []).append(run)
    for things, some in sorted(found.items(), key=lambda pair: -len(pair[1])):
        spans: list[Span] = [
            Span(text=many(len(some), "run"), role="state", mark=svg_markup(swatch("false")))
        ]
        for thing in things:
            spans += [text(" "), text(thing, "mono")]
        spans.append(text(": "))
        for at, run in enumerate(some):
            href = paths.relative(page, paths.review(own.x.name, run.name))
            told = ", ".join(
                filter(None, (own.arm(run), *(key_value(k, v) for k, v in run.apart), run.day, run.among))
            )
            spans += [text(", " if at else ""), text(told, href=href)]
        yield tuple(spans)


def _card(where: SiteMap, own: RunsByTask, name: str, page: str) -> Iterator[Line]:
    runs = own.by_task[name]
    arms = {key for run in runs for key in own.arm_keys(run)}
    for key in dict.fromkeys(key for run in runs for key, _ in run.group):
        values = {run.key(key) for run in runs}
        if key not in arms and key not in SAME_AS_TITLE and len(values) == 1:
            yield line(f"{sentence_case(key.replace('_', ' '))} ", text(values.pop(), "strong"))
    if graded := assertions(runs):
        yield line(f"Graded on {many(len(graded), 'named assertion')}")
    days = sorted({run.day for run in runs if run.day})
    if days:
        yield line(f"Run on {days[0]}" if len(days) == 1 else f"First run {days[0]}, last {days[-1]}")
    card = next((task for task in own.x.pack.tasks if task.id == name), None) if own.x.pack else None
    if own.x.pack is None:
        yield line("In no frozen pack")
    elif card is not None:
        href = paths.relative(page, f"{paths.pack(own.x.pack.digest)}#{paths.anchor('task', name)}")
        yield line("In the pack ", text(own.x.pack.name, href=href), f", {card.split} split")
        yield from _inputs(card)
    runs_of = f"{paths.reviews(own.x.name)}#?scenario={quote(runs[0].key('scenario') or name, safe='')}"
    yield (text("These runs in the list of all runs", href=paths.relative(page, runs_of)),)


def _inputs(card: Task) -> Iterator[Line]:
    given = card.inputs if isinstance(card.inputs, str) else None
    if given:
        yield line(text(given if len(given) <= LONGEST_INPUT else given[:LONGEST_INPUT] + "…", "mono"))
    if card.oracle_files:
        yield line(f"Graded with {many(len(card.oracle_files), 'oracle file')}")


def _pairs(where: SiteMap, x: SiteExperiment, by_arm: dict[str, list[Run]], page: str) -> Iterator[Listing]:
    compared = sorted({(min(c.a, c.b), max(c.a, c.b)) for c in x.report.comparisons})
    links = where.context(page).links
    found = tuple(
        (text(f"{a} and {b}, all tasks", href=href),)
        for a, b in compared
        if a in by_arm and b in by_arm and (href := links.pair(x.name, a, b))
    )
    if found:
        yield Listing(title="Compare on this task and the others", lines=found)


def elsewhere(where: SiteMap, lists: RunLists, x: SiteExperiment) -> Elsewhere:
    """The runs of other experiments with records of one of its families, by family, task and title.

    Args:
        where: Everything that has a page.
        lists: Of the runs of each experiment.
        x: The one whose tasks are looked for.
    """
    found: dict[tuple[str, str, str], dict[str, list[Run]]] = {}
    for other in where.experiments:
        related = where.families[x.name] & where.families[other.name]
        if other.name != x.name and other.name in where.with_runs and related:
            for run in lists.of(other):
                same = found.setdefault((run.family, run.task, run.title), {})
                same.setdefault(other.name, []).append(run)
    return found


def _history(where: SiteMap, runs: Sequence[Run], others: Elsewhere, page: str) -> Iterator[Table]:
    """The same task, of the same family and under the same title, in other experiments."""
    first, of = runs[0], {x.name: x for x in where.experiments}
    rows = []
    for name, found in others.get((first.family, first.task, first.title), {}).items():
        days = sorted({run.day for run in found if run.day})
        rows.append(
            (
                text(of[name].title, href=paths.relative(page, paths.task(name, first.task))),
                " to ".join(dict.fromkeys((days[0], days[-1]))) if days else "not recorded",
                _told(RunsByTask(of[name], found), found),
            )
        )
    if rows:
        heads = ["Experiment", "Dates", "What came of it"]
        yield table("The same task in other experiments", heads, rows)


# ------------------------------------------------------------------------------------------ the list


def tasks_view(own: RunsByTask) -> TasksView:
    """Every task of an experiment: how many runs, and how the first verdict came out, arm by arm.

    Args:
        own: Its runs by task.
    """
    x, page = own.x, paths.tasks(own.x.name)
    names = own.names
    arms = own.arms if len(own.arms) <= MOST_ARMS else []
    rows = []
    for name in names[:MOST_LISTED]:
        runs, record = own.by_task[name], f"{x.name}&task={quote(name, safe='')}"
        cells: list[Line | Span | str] = [
            text(own.title(name), href=paths.relative(page, paths.task(x.name, name))),
            Span(text=count(len(runs)), record=record),
        ]
        for arm in arms or [""]:
            some = [run for run in runs if not arm or own.arm(run) == arm]
            cells.append(_first_verdict(own, runs, some, record) if some else text("no run", "quiet"))
        rows.append(tuple(cells))
    rest = len(names) - len(rows)
    more = f" The search finds the other {count(rest)} by name." if rest else ""
    first = _held_back(own, [run for runs in own.by_task.values() for run in runs])
    heads = arms or ["First verdict"]
    return TasksView(
        title=f"Tasks of {x.title}",
        lede=f"{first} {sentence_case(many(len(names), 'task'))}, each with every run of it side by "
        f"side.{more}".lstrip(),
        crumbs=_crumbs(x, page),
        tasks=table(f"Tasks of {x.title}", ["Task", "Runs", *heads], rows, numeric=[1]),
    )


def _first_verdict(own: RunsByTask, of_task: Sequence[Run], some: Sequence[Run], record: str) -> Line:
    """What some runs of a task came to in its first verdict, each stratum by itself."""
    kinds = own.kinds(of_task)
    spans: list[Span] = []
    for kind in kinds:
        found = [o for run in some if (o := kind.of(run)) is not None]
        if kind.title == kinds[0].title and found:
            spans += [text(f"{'; ' if spans else ''}{kind.label.lower()} ", "quiet"), *held(found, record)]
    return tuple(spans) or line(text(f"no {kinds[0].title.lower()}" if kinds else "no verdict", "quiet"))
