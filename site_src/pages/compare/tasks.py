"""Two arms, task by task: counts of each side with the runs behind them, discordant tasks first.

Does: add up the runs of one task on one side, as their records count them, and count on how many tasks either
has more. Does not: set them as rows (`site_src.pages.compare.task_rows` does), make a difference or judge it
(the comparison does, from the same runs).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from metrics_core.measurement import task_difference, task_mean
from metrics_core.results import MOVING, Comparison, Estimate, Keys
from site_src.pages.components import text
from site_src.pages.runs import ListedOutcome, Run, RunLists
from site_src.project import SiteExperiment
from site_src.wording import (
    Line,
    Span,
    count,
)

Published = Mapping[tuple[str, Keys, Keys], Estimate]
"""Estimates by metric, stratum and group."""


class TaskSide(Struct, frozen=True):
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


class PairedTask(Struct, frozen=True, kw_only=True):
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


class _Found(Struct):
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


class Tasks(Struct, frozen=True, kw_only=True):
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
