"""Two arms, task by task: counts of each side with the runs behind them, discordant tasks first.

Does: add up the runs of one task on one side, as their records count them, say who is ahead, and set a
table a metric and stratum. Does not: make a difference or judge it (the comparison does, from the same
runs), or estimate anything of one task: where the core published an estimate of arm and task, its numbers
carry that estimate's id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from metrics_core.measurement import task_difference, task_mean
from metrics_core.results import MOVING, Comparison, Estimate, Keys
from site_src import paths
from site_src.marks import swatch
from site_src.pages.cells import table_caption
from site_src.pages.components import Table, line, table, text
from site_src.pages.runs import ListedOutcome, Run, RunLists
from site_src.project import SiteExperiment
from site_src.wording import (
    FigureContext,
    Line,
    ReviewFilter,
    Span,
    count,
    fraction,
    many,
    number,
    svg_markup,
)

MOST_TASKS = 200
"""Tasks that a table lists before it points to the list of runs."""

MOST_RUNS = 3
"""Runs of one task that a cell names; more stand behind one link."""

Published = Mapping[tuple[str, Keys, Keys], Estimate]
"""Estimates by metric, stratum and group."""


@dataclass(frozen=True, slots=True)
class TaskSide:
    """One arm's runs of one task, and what the metric said of each."""

    runs: tuple[tuple[Run, ListedOutcome], ...]

    def __post_init__(self) -> None:
        if not self.runs:
            raise ValueError("a side without a run")

    @property
    def known(self) -> list[ListedOutcome]:
        """Verdicts of the runs that are in N."""
        return [o for _, o in self.runs if o.value is not None]

    @property
    def n(self) -> int:
        """Added over its runs."""
        return sum(o.n for o in self.known)

    @property
    def N(self) -> int:  # noqa: N802 - the field's own letter
        """Added over its runs."""
        return sum(o.N for o in self.known)

    @property
    def mean(self) -> float | None:
        """Mean over its known runs, in the metric's unit; None where nothing is known."""
        return task_mean(self.values) if self.values else None

    @property
    def values(self) -> list[float]:
        """Of its known runs, ascending."""
        return sorted(o.value for o in self.known if o.value is not None)

    @property
    def lost(self) -> Counter[str]:
        """Runs that are not in N, by state."""
        return Counter(o.state for _, o in self.runs if o.value is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTask:
    """One task on both sides; a side is None where that arm did not run it."""

    name: str
    title: str
    a: TaskSide | None
    b: TaskSide | None

    @property
    def difference(self) -> float | None:
        """Mean of the first less mean of the second; None unless both are known."""
        if self.a is None or self.b is None or not (self.a.values and self.b.values):
            return None
        return task_difference(self.a.values, self.b.values)

    @property
    def discordant(self) -> bool:
        """Whether the two are in the difference, and differ."""
        return bool(self.difference)


class RunsByKey:
    """The runs of an experiment by any key of their group, sorted out when first asked for.

    Args:
        x: The experiment.
        lists: Where its list of runs is kept.
    """

    def __init__(self, x: SiteExperiment, lists: RunLists) -> None:
        self.x, self.lists = x, lists
        self._by_pair: dict[tuple[str, str], list[Run]] = {}

    def of(self, key: str, value: str) -> Sequence[Run]:
        """Counted runs whose group holds a key with this value, in their order."""
        if not self._by_pair:
            for run in self.lists.of(self.x):
                for pair in run.group if not run.repeated else ():
                    self._by_pair.setdefault(pair, []).append(run)
        return self._by_pair.get((key, value), ())

    def tasks(self, c: Comparison) -> tuple[PairedTask, ...]:
        """The tasks of both arms of a comparison, as `tasks` orders them."""
        return tasks(c, self.of(c.over, c.a), self.of(c.over, c.b))


@dataclass(slots=True)
class _Found:
    """What was found of one task."""

    titles: dict[str, None] = field(default_factory=dict)
    sides: tuple[list[tuple[Run, ListedOutcome]], list[tuple[Run, ListedOutcome]]] = field(
        default_factory=lambda: ([], [])
    )


def tasks(c: Comparison, a_runs: Iterable[Run], b_runs: Iterable[Run]) -> tuple[PairedTask, ...]:
    """What two arms did, task by task: those they differ on first, then alike, then those not in the pair.

    Args:
        c: What is compared; only verdicts of its metric and stratum are looked at.
        a_runs: Runs of its first arm.
        b_runs: Runs of its second arm.
    """
    found: dict[str, _Found] = {}
    for side, runs in enumerate((a_runs, b_runs)):
        for run in runs:
            if run.family != c.family or not set(c.group) <= set(run.group):
                continue
            for outcome in run.outcomes:
                if outcome.metric == c.metric and settled(outcome.stratum, c.stratum) == c.stratum:
                    task = found.setdefault(run.key("scenario") or run.task, _Found())
                    task.titles[run.title] = None
                    task.sides[side].append((run, outcome))
    paired = [
        PairedTask(
            name=name,
            title=next(iter(f.titles)) if len(f.titles) == 1 else name,
            a=TaskSide(tuple(f.sides[0])) if f.sides[0] else None,
            b=TaskSide(tuple(f.sides[1])) if f.sides[1] else None,
        )
        for name, f in found.items()
    ]
    return tuple(sorted(paired, key=_order))


def settled(stratum: Keys, wanted: Keys) -> Keys:
    """A verdict's stratum without the digests of what did not move, which are in no published stratum.

    >>> from metrics_core.results.keys import Keys
    >>> settled(Keys({"prompt": "3f9a", "split": "eval"}), Keys({"split": "eval"}))
    (('split', 'eval'),)
    """
    return stratum.without(*(name for name in MOVING if name not in wanted.names))


def _order(task: PairedTask) -> tuple[int, str]:
    if task.difference is not None:
        return (0 if task.discordant else 1), task.name
    return (2 if task.a is not None and task.b is not None else 3), task.name


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
    found: Sequence[PairedTask]
    published: Published
    page: str


def task_summary(t: Tasks) -> Line:
    """How many tasks both ran, on how many they differ and which way, and what is in no pair."""
    c = t.c
    both = [task for task in t.found if task.difference is not None]
    ahead = [
        sum((task.difference or 0.0) > 0 for task in both),
        sum((task.difference or 0.0) < 0 for task in both),
    ]
    if not both:
        spans: list[Span] = [text("The two have no task in common of which both are known.")]
    elif len(both) == 1:
        more = [name for name, size in zip((c.a, c.b), ahead, strict=True) if size]
        differ = f"They differ on the one task in common: {more[0]} has more." if more else ""
        spans = [text(differ or "They do not differ on the one task in common.")]
    elif not any(ahead):
        spans = [text("They differ on none of the "), _count(c, len(both)), text(" tasks in common.")]
    else:
        spans = [
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
    if both and c.unpaired:
        spans.append(text(" That is too few to pair: their runs are compared as runs of different tasks."))
    for at, (words, size) in enumerate(_outside(t)):
        spans += [text(", " if at else " Outside the pairs: "), _count(c, size), text(f" {words}")]
    return (*spans, text(".")) if spans[-1].text[-1] != "." else tuple(spans)


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
    """The table; ``linked``: whether single runs have pages."""
    c, of = t.c, t.a.of
    shown = t.found[:MOST_TASKS]
    rows: list[tuple[Line | Span | str, ...]] = [
        (
            text(task.title, href=_task_page(t, task) if linked else ""),
            _side(t, task, c.a, task.a, context, linked=linked),
            _side(t, task, c.b, task.b, context, linked=linked),
            _ahead(t, task),
        )
        for task in shown
    ]
    if len(t.found) > len(shown):
        runs = context.links.reviews(ReviewFilter(experiment=c.experiment, family=c.family, group=c.group))
        rest = f"{many(len(t.found) - len(shown), 'more task')}, in the list of runs"
        rows.append((text(rest, "quiet", href=runs), "", "", ""))
    return table(
        f"{c.a} and {c.b}, task by task",
        ["Task", f"{c.a}, {of}", f"{c.b}, {of}", "Who has more"],
        rows,
        captions=table_caption(
            (t.a, t.b), context, notes=["a row adds up the runs of one task as their records count them"]
        ),
    )


def _task_page(t: Tasks, task: PairedTask) -> str:
    """Page of a task, on which every arm's runs stand side by side."""
    side = task.a or task.b
    return "" if side is None else paths.relative(t.page, paths.task(t.c.experiment, side.runs[0][0].task))


def _ahead(t: Tasks, task: PairedTask) -> Line:
    if task.a is None or task.b is None:
        return line(text(f"only {t.c.b if task.a is None else t.c.a} ran it", "quiet"))
    if task.difference is None:
        who = [name for name, side in ((t.c.a, task.a), (t.c.b, task.b)) if side.mean is None]
        return line(text(f"not known for {' and '.join(who)}", "quiet"))
    if not task.discordant:
        return line(text("alike", "quiet"))
    return line(text(t.c.a if task.difference > 0 else t.c.b, "strong"))


def _side(
    t: Tasks, task: PairedTask, arm: str, side: TaskSide | None, context: FigureContext, *, linked: bool
) -> Line:
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
    spans: list[Span] = []
    if side.known:
        ratio = fraction(side.n, side.N)
        if (
            estimate is not None
            and estimate.withheld is None
            and (estimate.n, estimate.N) == (side.n, side.N)
        ):
            spans.append(Span(text=ratio, role="strong", estimate=estimate.id))
        else:
            spans.append(Span(text=ratio, role="strong", record=record))
        mean = side.mean or 0.0
        if not side.N or abs(mean - side.n / side.N) > 1e-9:
            spans.append(Span(text=f" mean {number(mean, t.a.unit)}", role="light", record=record))
    lost = ", ".join(f"{count(n)} {state}" for state, n in sorted(side.lost.items()))
    if lost and (side.known or len(side.runs) > MOST_RUNS):
        spans.append(Span(text=f"{' · ' if spans else ''}{lost}", role="quiet", record=record))
    return (*spans, *_runs(t, task, arm, side, context, linked=linked))


def _runs(
    t: Tasks, task: PairedTask, arm: str, side: TaskSide, context: FigureContext, *, linked: bool
) -> Iterator[Span]:
    if len(side.runs) > MOST_RUNS:
        group = t.c.group | {t.c.over: arm, "scenario": task.name}
        href = context.links.reviews(ReviewFilter(experiment=t.c.experiment, family=t.c.family, group=group))
        yield text(" ")
        yield text(many(len(side.runs), "run"), href=href)
        return
    for run, outcome in side.runs:
        yield text(" ")
        yield _run(t, run, outcome, linked=linked)


def _run(t: Tasks, run: Run, outcome: ListedOutcome, *, linked: bool) -> Span:
    """One run: the swatch of its state and its word, linked to its page."""
    return Span(
        text=outcome.word,
        role="outcome",
        mark=svg_markup(swatch(outcome.state)),
        href=paths.relative(t.page, paths.review(t.c.experiment, run.name)) if linked else "",
        record=f"{t.c.experiment}/{run.name}",
    )
