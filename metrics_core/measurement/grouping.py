"""Sums of a partial's cells: one group of runs for each published group of each stratum.

A `RunGroup` keeps its runs by cluster and by task, because intervals and paired comparisons need them whole.
Nothing is added over a stratum. Nothing here divides.

A grid of tasks and repeats that was never completed leaves no record behind, so it is held against the pack's
tasks, or else against what any arm ran. A task is repeated as often as over half of the arms that ran it did;
else as over half of all arms and tasks; else once. Runs that are not there are no attempts.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from metrics_core.formats import StampRange
from metrics_core.measurement.family import Context, Family, Metric
from metrics_core.measurement.tabulate import CellKey, CellTally, Days, Partial, RunTally, Value
from metrics_core.results import MOVING, NO_KEYS, Keys, Loss, State
from metrics_core.statistics import Frequencies, exact_sum, together

TASK = "scenario"
"""The key of a task."""


class TaskRuns(Struct):
    """The runs of one task of a group: known values, how many are not known, and how many never recorded."""

    cluster: str
    task: str
    values: Frequencies = field(default_factory=lambda: Frequencies(()))
    not_known: int = 0
    never_recorded: int = 0
    of_task: bool = True

    @property
    def attempts(self) -> int:
        """Every run of the task, whatever became of it."""
        return len(self.values) + self.not_known

    @property
    def home(self) -> str:
        """Its cluster; of a line that is no record one of its own."""
        return self.cluster if self.of_task else self.task


class RunGroup(Struct):
    """Runs of one metric, stratum and group.

    Attributes:
        values: Cluster -> task -> known values with how often each occurred.
        numbers: Known values of a metric that is context, in no order.
        lost: Task -> what is not known, by state and reason, with counts.
        never: Task -> runs that were never recorded; they are no runs of the group.
        home: Task -> its cluster, where none of its runs is known too.
        span: Stamps of the runs.
    """

    values: dict[str, dict[str, Counter[Value]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Counter))
    )
    numbers: array[float] = field(default_factory=lambda: array("d"))
    lost: dict[str, Counter[tuple[State, str]]] = field(default_factory=lambda: defaultdict(Counter))
    never: Counter[str] = field(default_factory=Counter)
    home: dict[str, str] = field(default_factory=dict)
    span: StampRange = field(default_factory=StampRange)

    def add(self, tally: RunTally, cluster: str, task: str) -> None:
        """Add runs of one task."""
        self.add_span(tally.span, cluster, task)
        if tally.never:
            self.never[task] += tally.never
        if tally.numbers:
            self.numbers += tally.numbers
        if tally.known:
            known = self.values[cluster][task]
            for value, n in tally.known.items():  # `Counter.update` takes many times as long on few items
                known[value] = known.get(value, 0) + n
        if tally.lost:
            lost = self.lost[task]
            for loss, n in tally.lost.items():
                lost[loss] = lost.get(loss, 0) + n

    def add_span(self, span: StampRange, cluster: str, task: str) -> None:
        """Take note of where runs of one task stand, and of their stamps."""
        if task not in self.home or cluster < self.home[task]:
            self.home[task] = cluster
        self.span.add(span)

    @property
    def known(self) -> int:
        """Runs with a known value."""
        every = [sum(runs.values()) for tasks in self.values.values() for runs in tasks.values()]
        return len(self.numbers) + sum(every)

    def count(self, state: State) -> int:
        """Runs in a state that is not known."""
        return sum(n for lost in self.lost.values() for (was, _), n in lost.items() if was == state)

    def places(self) -> list[TaskRuns]:
        """Every task with its runs, known and not, in order of clusters and tasks.

        A line that is no record is a place of its own: it is of no task.
        """
        found: dict[tuple[str, str], TaskRuns] = {}
        for cluster, tasks in self.values.items():
            for task, counted in tasks.items():
                if counted:
                    found[(cluster, task)] = TaskRuns(cluster, task, _each(sorted(counted.items())))
        strays = []
        for task, lost in sorted(self.lost.items()):
            if task in self.home:
                at = (self.home[task], task)
                found.setdefault(at, TaskRuns(*at)).not_known += sum(lost.values())
            else:
                strays += [
                    TaskRuns("", f"\n{n}", not_known=1, of_task=False) for n in range(sum(lost.values()))
                ]
        for task, n in sorted(self.never.items()):
            at = (self.home[task], task)
            found.setdefault(at, TaskRuns(*at)).never_recorded += n
        return [place for _, place in sorted(found.items())] + strays

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What is not known, by state and reason, most frequent first."""
        total: dict[tuple[State, str], int] = {}
        for lost in self.lost.values():
            for loss, n in lost.items():
                total[loss] = total.get(loss, 0) + n
        ordered = sorted(total.items(), key=lambda item: (-item[1], item[0]))
        return tuple(Loss(state, reason, n) for (state, reason), n in ordered)

    def runs(self) -> Iterator[tuple[str, str, Value]]:
        """(cluster, task, value) of every known run, in an order that does not depend on the input's."""
        for cluster, tasks in sorted(self.values.items()):
            for task, counted in sorted(tasks.items()):
                for value, n in sorted(counted.items()):
                    yield from repeat((cluster, task, value), n)

    def counted(self) -> list[tuple[Value, int]]:
        """Every value of a run and how often it occurs in a task, in no order."""
        return [each for tasks in self.values.values() for runs in tasks.values() for each in runs.items()]

    @property
    def total(self) -> float:
        """Sum of the known values, correctly rounded."""
        return exact_sum([(value, n) for (value, _, _), n in self.counted()])

    def by_task(self) -> dict[str, list[float]]:
        """Known values of each task, sorted; tasks in order of their names."""
        return {task: sorted(runs.expanded()) for task, runs in self.counted_by_task().items()}

    def counted_by_task(self) -> dict[str, Frequencies]:
        """The same as counts, the values of a task from the least up."""
        found: dict[str, Counter[float]] = {}
        for tasks in self.values.values():
            for task, counted in tasks.items():
                if counted:
                    counts = found.setdefault(task, Counter())
                    for (value, _, _), n in counted.items():
                        counts[value] = counts.get(value, 0) + n
        return {task: Frequencies(tuple(sorted(counts.items()))) for task, counts in sorted(found.items())}

    def by_cluster(self) -> list[Frequencies]:
        """Known values of each cluster, in order of the clusters' names."""
        return [
            _each(each for _, counted in sorted(tasks.items()) for each in sorted(counted.items()))
            for _, tasks in sorted(self.values.items())
        ]

    def scores(self) -> list[float]:
        """Known values in order of task, then value: the order in which the signed bootstrap draws."""
        ordered = sorted((task, value) for _, task, (value, _, _) in self.runs())
        return [value for _, value in ordered]


def _each(counted: Iterable[tuple[Value, int]]) -> Frequencies:
    """The values of runs alone, without their own n of N."""
    return Frequencies(tuple([(value, n) for (value, _, _), n in counted]))


def in_clusters(places: Iterable[TaskRuns]) -> list[Frequencies]:
    """Known values of each cluster of a group whose tasks are at hand: what `RunGroup.by_cluster` gives.

    Args:
        places: All of them, in order.
    """
    found: dict[str, list[Frequencies]] = {}
    for place in places:
        if place.values.counts:
            found.setdefault(place.cluster, []).append(place.values)
    return [*map(together, found.values())]


def cluster_of(metric: Metric, context: Context) -> str:
    """The key within which runs of a metric err together: the experiment's, else the family's, or the pack's
    where the family leaves it open.
    """
    if context.cluster is not None:
        return context.cluster
    return (context.cluster_key or "scenario") if metric.cluster == "cluster" else metric.cluster


def groupings(metric: Metric, context: Context) -> Iterator[tuple[str, ...]]:
    """Group keys for which a metric is given: the whole, its own, and the points of its timeline.

    Where a metric is one level against the rest, the key of its levels is the last of each.
    """
    last = (metric.one_vs_rest,) if metric.one_vs_rest else ()
    yield last
    for keys in metric.groups:
        if "cluster" not in keys:
            yield (*keys, *last)
        elif context.cluster_key is not None:
            yield (*(context.cluster_key if key == "cluster" else key for key in keys), *last)
    if metric.timeline:
        yield (*metric.groups[0], "stamp", *last)


Cells = Mapping[CellKey, CellTally]


def by_metric(cells: Cells) -> dict[str, Cells]:
    """Cells apart by the metric that they are of."""
    found: dict[str, dict[CellKey, CellTally]] = defaultdict(dict)
    for key, cell in cells.items():
        found[key[0]][key] = cell
    return dict(found)


def group_by(cells: Cells, metric: Metric, context: Context) -> dict[tuple[Keys, Keys], RunGroup]:
    """(stratum, group) -> its runs, for every group of a metric that occurs.

    Args:
        cells: Those of the metric whose runs they are.
        metric: What is made of them.
        context: What clusters.
    """
    cluster_key = cluster_of(metric, context)
    wanted = [(frozenset(keys) - {"stamp"}, "stamp" in keys) for keys in groupings(metric, context)]
    if metric.one_vs_rest:
        cells = _one_vs_rest(cells, metric)
    run_groups: dict[tuple[Keys, Keys], RunGroup] = defaultdict(RunGroup)
    by_day: dict[tuple[Keys, Keys], dict[str, RunGroup]] = defaultdict(lambda: defaultdict(RunGroup))
    placed: dict[Keys, _Place] = {}
    for (_, stratum, dims), cell in cells.items():
        place = placed.get(dims)
        if place is None:
            place = placed[dims] = _place(dims, wanted, metric, cluster_key)
        whole = cell.whole
        for group in place.groups:
            run_groups[(stratum, group)].add(whole, place.cluster, place.task)
        for group in place.of_day:
            _add_days(by_day[(stratum, group)], cell, place)
    for (stratum, group), days in by_day.items():
        for day, run_group in days.items():
            run_groups[(stratum, group | {"stamp": day})] = run_group
    return {key: found for key, found in run_groups.items() if found.values or found.numbers or found.lost}


def _add_days(groups: Mapping[str, RunGroup], cell: CellTally, place: _Place) -> None:
    """Add the runs of each day to the group of that day; `CellTally.by_day` would make one more of each."""
    cluster, task = place.cluster, place.task
    for day, span in cell.spans.items():
        if day:
            groups[day].add_span(span, cluster, task)
    for value, days in cell.known.items():
        for day, n in days.items():
            if day:
                known = groups[day].values[cluster][task]
                known[value] = known.get(value, 0) + n
    for loss, days in cell.lost.items():
        for day, n in days.items():
            if day:
                lost = groups[day].lost[task]
                lost[loss] = lost.get(loss, 0) + n
    for day, numbers in cell.numbers.items():
        if day:
            groups[day].numbers += numbers


class _Place(NamedTuple):
    """Where runs of some keys are counted: cluster, task, and groups, of the runs and of those of one day."""

    cluster: str
    task: str
    groups: tuple[Keys, ...]
    of_day: tuple[Keys, ...]


def _place(
    dims: Keys, wanted: Iterable[tuple[frozenset[str], bool]], metric: Metric, cluster_key: str
) -> _Place:
    task = dims.get(TASK, "")
    cluster = dims.get(cluster_key, task)
    if metric.source:  # tries of one task are tries of one arm
        task = f"{dims.get('model', '')}\n{task}"
    groups: list[Keys] = []
    of_day: list[Keys] = []
    for keys, by_day in wanted:
        group = dims.only(*keys)
        if len(group) == len(keys):
            (of_day if by_day else groups).append(group)
    return _Place(cluster, task, tuple(groups), tuple(of_day))


def _one_vs_rest(cells: Cells, metric: Metric) -> dict[CellKey, CellTally]:
    """The cells of such a metric once for each level: 1 where a run is at that level, 0 where it is not.

    What is not known is not known at any level, and so is counted at each.
    """
    levels: dict[Keys, set[str]] = defaultdict(lambda: set(metric.levels))
    for _, stratum, dims in cells:
        levels[stratum].update(level for key, level in dims if key == metric.one_vs_rest)
    split: dict[CellKey, CellTally] = {}
    for (name, stratum, dims), cell in cells.items():
        known: Days = {}
        for days in cell.known.values():
            for day, n in days.items():
                known[day] = known.get(day, 0) + n
        here = dims.get(metric.one_vs_rest)
        for level in levels[stratum]:
            value = (float(level == here), int(level == here), 1)
            at_level = replace(cell, known={value: known} if known else {}, numbers={}, never=0)
            key = (name, stratum, dims | {metric.one_vs_rest: level})
            split.setdefault(key, CellTally()).add(at_level)
    return split


def drop_constant_strata(partial: Partial) -> Partial:
    """Drop the strata of things that did not move: a prompt that stayed the same inside an arm is no stratum.

    Where prompt or tools changed inside an arm, that arm's runs stay two strata, never one. A run that does
    not state its prompt is no change of it.
    """
    stated: dict[tuple[str, str], set[str]] = defaultdict(set)
    for _, stratum, dims in partial.cells:
        for key, value in stratum:
            if key in MOVING:
                stated[(dims.get("model", ""), key)].add(value)
    moved = {arm_and_key for arm_and_key, values in stated.items() if len(values) > 1}

    def kept(stratum: Keys, dims: Keys) -> Keys:
        model = dims.get("model", "")
        return Keys((k, v) for k, v in stratum if k not in MOVING or (model, k) in moved)

    if not stated:
        return partial
    merged = replace(partial, cells={}, progress=Counter(), progress_spans={})
    for (metric, stratum, dims), cell in partial.cells.items():
        merged.cells.setdefault((metric, kept(stratum, dims), dims), CellTally()).add(cell)
    for (track, stratum, whose, reached, state, reason), n in partial.progress.items():
        merged.progress[(track, kept(stratum, whose), whose, reached, state, reason)] += n
    for (track, stratum, whose), span in partial.progress_spans.items():
        merged.progress_spans.setdefault((track, kept(stratum, whose), whose), StampRange()).add(span)
    return merged


class _Grid(Struct):
    """Attempts by task and arm: of one stratum, and of every stratum together."""

    own: dict[str, Counter[Keys]] = field(default_factory=lambda: defaultdict(Counter))
    all_strata: dict[str, Counter[Keys]] = field(default_factory=lambda: defaultdict(Counter))


def with_never_recorded(partial: Partial, family: Family, context: Context) -> Partial:
    """The same counts, and beside them how many runs of each metric, arm and task were never recorded.

    Context, one level against the rest, and what is made from another metric's runs have no grid, nor has a
    metric that says so.

    Args:
        partial: Of one family.
        family: Its metrics, and what its pack planned.
        context: The pack.
    """
    planned = () if family.planned is None else tuple(family.planned(context))
    arm_keys = frozenset(key for metric in family.metrics for key in metric.compared)
    cells, of_metrics = dict(partial.cells), by_metric(partial.cells)
    for metric in family.metrics:
        if (
            metric.kind == "context"
            or metric.one_vs_rest
            or metric.source
            or not (metric.groups and metric.grid)
        ):
            continue
        for stratum, dims, n in _missing(of_metrics.get(metric.name, {}), metric, arm_keys, planned):
            key: CellKey = (metric.name, stratum, dims)
            cells[key] = replace(cells[key], never=n) if key in cells else CellTally(never=n)
    return replace(partial, cells=cells)


def _missing(
    cells: Cells, metric: Metric, arm_keys: frozenset[str], planned: tuple[tuple[Keys, Keys], ...]
) -> Iterator[tuple[Keys, Keys, int]]:
    """(stratum, keys of the run, how many) for every arm and task that lacks runs."""
    arm_of = metric.groups[0]
    counted = [
        (stratum, dims, cell.runs)
        for (_, stratum, dims), cell in cells.items()
        if {TASK, *arm_of} <= set(dims.names)
    ]
    every = [dims for _, dims, _ in counted]
    of_arm = _fixed_by(every, arm_of, arm_keys.difference(arm_of))
    of_task = _fixed_by(
        every, (TASK,), {k for dims in every for k in dims.names} - arm_keys - {*arm_of, TASK}
    )
    of_task |= {unit.only(TASK): of_task.get(unit.only(TASK), unit) for _, unit in planned}
    others = _varying(every, arm_of, arm_keys.difference(arm_of))
    grids: dict[tuple[Keys, Keys], _Grid] = defaultdict(_Grid)
    together: dict[Keys, dict[str, Counter[Keys]]] = defaultdict(lambda: defaultdict(Counter))
    for stratum, dims, n in counted:
        rest = dims.only(*others)
        grids[(stratum, rest)].own[dims[TASK]][dims.only(*arm_of)] += n
        together[rest][dims[TASK]][dims.only(*arm_of)] += n
    for (stratum, rest), grid in sorted(grids.items()):
        grid.all_strata = together[rest]
        asked = {unit[TASK] for where, unit in planned if set(where) <= set(stratum)}
        for task, arm, n in _lacking(grid, asked):
            dims = arm | of_arm.get(arm, NO_KEYS) | rest | {TASK: task}
            yield stratum, dims | of_task.get(Keys({TASK: task}), NO_KEYS), n


def never_recorded_beside(groups: Mapping[str, RunGroup]) -> dict[str, Counter[str]]:
    """Arm -> task -> runs that were never recorded, of arms of several experiments held against each other.

    Args:
        groups: Arm -> its runs, all of one metric; each brings what its own grid lacks.

    >>> ran = {t: {t: Counter({(1.0, 1, 1): n})} for t, n in (("x", 3), ("y", 3), ("z", 2))}
    >>> full = {t: {t: Counter({(1.0, 1, 1): 3})} for t in "xyz"}
    >>> never_recorded_beside({"new": RunGroup(ran), "old": RunGroup(full)})["new"]
    Counter({'z': 1})
    """
    grid = _Grid()
    found: dict[str, Counter[str]] = {}
    for arm, runs in groups.items():
        found[arm] = Counter(runs.never)
        for place in runs.places():
            if place.of_task and place.attempts:
                grid.own[place.task][Keys({"arm": arm})] += place.attempts
    grid.all_strata = grid.own
    for task, keys, n in _lacking(grid, ()):
        arm = keys["arm"]
        found[arm][task] = max(n, found[arm][task])
    return found


def _lacking(grid: _Grid, asked: Iterable[str]) -> Iterator[tuple[str, Keys, int]]:
    """Every task that an arm did less often than it is repeated, and by how much.

    A run that is recorded in another stratum is there: no more can be missing than all strata together lack.
    """
    arms = sorted({arm for runs in grid.own.values() for arm in runs})
    repeats = majority(n for runs in grid.own.values() for n in runs.values())
    in_all = majority(n for runs in grid.all_strata.values() for n in runs.values()) or 1
    for task in sorted({*grid.own, *asked}):
        runs = grid.own.get(task, Counter[Keys]())
        total = grid.all_strata.get(task, Counter[Keys]())
        agreed = majority(n for n in runs.values() if n) if len(runs) > 1 else None
        wanted = agreed or repeats or 1
        reach = max([in_all, *total.values()])
        for arm in arms:
            lacks = min(wanted - runs[arm], reach - total[arm])
            if lacks > 0:
                yield task, arm, lacks


def majority(counts: Iterable[int]) -> int | None:
    """The number that more than half of these are; None where there is none.

    >>> majority([3, 3, 2]), majority([1, 2])
    (3, None)
    """
    found = Counter(counts)
    return next((number for number, times in found.items() if 2 * times > found.total()), None)


def _varying(every: Iterable[Keys], by: tuple[str, ...], keys: Iterable[str]) -> set[str]:
    """Keys that some arm has several values of, such as the configurations of a model."""
    found: dict[tuple[Keys, str], set[str | None]] = defaultdict(set)
    wanted = sorted(keys)
    for dims in every:
        for key in wanted:
            found[(dims.only(*by), key)].add(dims.get(key))
    return {key for (_, key), values in found.items() if len(values) > 1}


def _fixed_by(every: Iterable[Keys], by: tuple[str, ...], keys: Iterable[str]) -> dict[Keys, Keys]:
    """What else is fixed where ``by`` is: arm, or task -> the keys that have one value in all its runs."""
    values: dict[Keys, dict[str, set[str | None]]] = defaultdict(lambda: defaultdict(set))
    wanted = sorted(keys)
    for dims in every:
        found = values[dims.only(*by)]
        for key in wanted:
            found[key].add(dims.get(key))
    out = {}
    for group, found in values.items():
        single = {key: next(iter(only)) for key, only in found.items() if len(only) == 1}
        out[group] = Keys({key: value for key, value in single.items() if value is not None})
    return out


def refill(run_group: RunGroup, states: Iterable[State], value: float, *, never: bool = False) -> RunGroup:
    """The same runs under another denominator: those in these states count, too, each as ``value``.

    With ``never`` so does every run of the grid that was never recorded, in its own task.
    """
    filled = replace(run_group, values=defaultdict(lambda: defaultdict(Counter)), lost=defaultdict(Counter))
    for cluster, tasks in run_group.values.items():
        for task, counted in tasks.items():
            filled.values[cluster][task].update(counted)
    for task, lost in run_group.lost.items():
        for (state, reason), n in lost.items():
            if state in states:
                filled.values[run_group.home.get(task, task)][task][(value, int(value == 1), 1)] += n
            else:
                filled.lost[task][(state, reason)] += n
    if never:
        filled.never = Counter()
        for task, n in run_group.never.items():
            filled.values[run_group.home[task]][task][(value, int(value == 1), 1)] += n
    return filled
