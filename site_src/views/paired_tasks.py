"""The runs of two arms, task by task: what each counted, and on which tasks they differ.

Does: add up the runs of one task on one side, as their records count them, and say who is ahead. Does not:
make a difference or judge it; the comparison does, from the same runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from metrics_core.compared import Comparison
from metrics_core.differences import task_mean
from metrics_core.keys import Keys
from metrics_core.problem import Repeated
from metrics_core.report import Report
from metrics_core.review import run_name
from metrics_core.rollup import MOVING
from site_src.views.inputs import SiteExperiment
from site_src.views.runs import Outcome, Run, RunLists


@dataclass(frozen=True, slots=True)
class Side:
    """One arm's runs of one task, and what the metric said of each."""

    runs: tuple[tuple[Run, Outcome], ...]

    def __post_init__(self) -> None:
        if not self.runs:
            raise ValueError("a side without a run")

    @property
    def known(self) -> list[Outcome]:
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
        values = sorted(o.value for o in self.known if o.value is not None)
        return task_mean(values) if values else None

    @property
    def lost(self) -> Counter[str]:
        """Runs that are not in N, by state."""
        return Counter(o.state for _, o in self.runs if o.value is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One task on both sides; a side is None where that arm did not run it."""

    name: str
    title: str
    a: Side | None
    b: Side | None

    @property
    def difference(self) -> float | None:
        """Mean of the first less mean of the second; None unless both are known."""
        if self.a is None or self.b is None or self.a.mean is None or self.b.mean is None:
            return None
        return self.a.mean - self.b.mean

    @property
    def discordant(self) -> bool:
        """Whether the two are in the difference, and differ."""
        return bool(self.difference)


class ArmRuns:
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
            again = repeated(self.x.report)
            for run in self.lists.of(self.x):
                for pair in run.group if run.name not in again else ():
                    self._by_pair.setdefault(pair, []).append(run)
        return self._by_pair.get((key, value), ())

    def tasks(self, c: Comparison) -> tuple[Task, ...]:
        """The tasks of both arms of a comparison, as `tasks` orders them."""
        return tasks(c, self.of(c.over, c.a), self.of(c.over, c.b))


def repeated(report: Report) -> frozenset[str]:
    """Names of the runs that were left out, since the same bytes were counted before."""
    return frozenset(
        run_name(family, p.file, p.line)
        for p in report.findings
        if isinstance(p, Repeated) and p.line is not None
        for family in report.families
    )


@dataclass(slots=True)
class _Found:
    """What was found of one task."""

    titles: dict[str, None] = field(default_factory=dict)
    sides: tuple[list[tuple[Run, Outcome]], list[tuple[Run, Outcome]]] = field(
        default_factory=lambda: ([], [])
    )


def tasks(c: Comparison, a_runs: Iterable[Run], b_runs: Iterable[Run]) -> tuple[Task, ...]:
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
    made = [
        Task(
            name=name,
            title=next(iter(f.titles)) if len(f.titles) == 1 else name,
            a=Side(tuple(f.sides[0])) if f.sides[0] else None,
            b=Side(tuple(f.sides[1])) if f.sides[1] else None,
        )
        for name, f in found.items()
    ]
    return tuple(sorted(made, key=_order))


def settled(stratum: Keys, wanted: Keys) -> Keys:
    """A verdict's stratum without the digests of what did not move, which are in no published stratum.

    >>> from metrics_core.keys import Keys
    >>> settled(Keys({"prompt": "3f9a", "split": "eval"}), Keys({"split": "eval"}))
    (('split', 'eval'),)
    """
    return stratum.without(*(name for name in MOVING if name not in wanted.names))


def _order(task: Task) -> tuple[int, str]:
    if task.difference is not None:
        return (0 if task.discordant else 1), task.name
    return (2 if task.a is not None and task.b is not None else 3), task.name
