"""The records of a family, counted: every partition in one partial, by columns where that can be.

Does: have an engine count the partitions, in this process or in others, count a record once that two of them
hold, and give what every run came to. What is sent to another process is paths and bytes of a log, and what
they are counted by; what comes back is a partial. Does not: estimate anything; `metrics_core.engine` has that
made from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.execution import SERIAL, Engine, uncollected
from metrics_core.experiments import Experiment, coarsest, refuse_unfit_clusters, text_of
from metrics_core.families import FAMILIES
from metrics_core.formats import Row
from metrics_core.measurement import (
    TASK,
    Context,
    Family,
    Partial,
    Partition,
    batches,
    cluster_of,
    fixtures,
    many_lines,
    partition_paths,
    partitions_for,
    settled,
    tabulate,
    with_never_recorded,
)
from metrics_core.results import MOST_SPELLED, Keys, State

if TYPE_CHECKING:
    from metrics_core.measurement.columns import Counts, Lines


def tabulated(
    family: Family, experiment: Experiment, context: Context, total: Partial, engine: Engine = SERIAL
) -> tuple[Partial, Context]:
    """Every partition of a family in one partial, and the context with what only all runs tell.

    Args:
        family: Whose records are read.
        experiment: As it was loaded.
        context: What is known before the records are read.
        total: Empty; it keeps what was read before a contract's process crashed.
        engine: Counts the partitions.

    Raises:
        ScorerCrash: A contract's process crashed or hung.
        ConfigError: A cluster key does not fit the runs.
    """
    total = counted(family, experiment, context, total, engine)
    keys = context.settings.cluster
    if total.clusters.runs:
        refuse_unfit_clusters(total.clusters, keys, experiment.stated, family.name)
    return total, replace(
        context,
        tallied=total.tallied,
        last=total.span.last,
        names=frozenset(total.names),
        cluster=coarsest(total.clusters, keys) if total.clusters.runs else None,
    )


class Counting(Struct, frozen=True):
    """What every partition of a family is counted by; another process has the family by its name."""

    family: Family
    experiment: Experiment
    context: Context

    def __reduce__(self) -> tuple[object, ...]:
        """A family is named: its functions are wherever the program is."""
        return _counting, (self.family.name, self.experiment, self.context)


def _counting(family: str, experiment: Experiment, context: Context) -> Counting:
    return Counting(FAMILIES[family], experiment, context)


def counted(
    family: Family, experiment: Experiment, context: Context, total: Partial, engine: Engine = SERIAL
) -> Partial:
    """Every partition of a family, counted and merged; a record that two of them hold is counted once.

    Args:
        family: Whose records they are.
        experiment: Whose files they are.
        context: Prices, pack, contracts, aliases.
        total: Empty; it holds what was counted before a contract's process crashed.
        engine: Counts the partitions; those that users' contracts score are counted in this process, which
            keeps what they scored.

    Raises:
        ScorerCrash: A contract's process crashed or hung.
    """
    if family.scored and experiment.contracts:
        engine = SERIAL
    counting = Counting(family, experiment, context)
    by_columns = family.batch is not None and not context.settings.cluster and not context.slices
    if by_columns and many_lines(family, experiment):
        return _counted_in_columns(counting, engine)
    partitions = list(partitions_for(family, experiment, engine.workers))
    parts = engine.map(counted_rows, counting, partitions)
    for _, stretches in groupby(partitions, key=lambda partition: partition.paths):
        of_file = list(stretches)
        for partition, part in _as_one_file(counting, of_file, list(islice(parts, len(of_file)))):
            twice = total.seen & part.seen
            total.merge(counted_rows(counting, partition, frozenset(twice)) if twice else part)
    return total


def counted_rows(counting: Counting, partition: Partition, skip: frozenset[bytes] = frozenset()) -> Partial:
    """What one partition comes to, record by record.

    Args:
        counting: What it is counted by.
        partition: What is read.
        skip: Digests of records that another partition has counted.
    """
    beside: set[str] = set()
    read = batches(counting.family, counting.experiment, partition.paths, beside, partition.stretch)
    part = tabulate(counting.family, read, counting.context, skip)
    part.beside |= beside
    return part


def _as_one_file(
    counting: Counting, of_file: Sequence[Partition], parts: Sequence[Partial]
) -> Iterator[tuple[Partition, Partial]]:
    """Stretches of a log; the whole of it where so many lines are no records that not all are told.

    Which of them are told, and whether the log is read to its end, is a matter of the whole log.
    """
    if len(parts) > 1 and sum(part.invalid for part in parts) > MOST_SPELLED:
        whole = of_file[0]._replace(stretch=None)
        yield whole, counted_rows(counting, whole)
    else:
        yield from zip(of_file, parts, strict=True)


class LogLines(NamedTuple):
    """A log or a stretch of it, and numbers of its lines that are counted elsewhere."""

    partition: Partition
    skip: frozenset[int] = frozenset()

    def __str__(self) -> str:
        return str(self.partition)


def counted_lines(counting: Counting, asked: LogLines) -> Counts:
    """What some lines of a log come to, many at once."""
    from metrics_core.measurement.columns import counts_of  # numpy is loaded for it

    lines = _lines(counting.experiment, asked.partition)
    with uncollected():
        return counts_of(counting.family, counting.context, lines, asked.skip)


def _lines(experiment: Experiment, partition: Partition) -> Lines:
    from metrics_core.measurement.columns import Lines

    (path,), stretch = partition.paths, partition.stretch
    text = partial(text_of, experiment, path, stretch)
    return Lines(experiment.published_name(path), text, 1 if stretch is None else stretch.first)


def _counted_in_columns(counting: Counting, engine: Engine) -> Partial:
    """The same of a family with a batch form, whose every file is a log; its form is held to `observe` first.

    Raises:
        FixtureError: Many records at once do not come to what each of them does.
    """
    from metrics_core.measurement.columns import expanded, merged, of_lines, repeated

    family, experiment = counting.family, counting.experiment
    fixtures.check_batch(family)
    partitions = list(partitions_for(family, experiment, engine.workers))
    every = [_lines(experiment, partition) for partition in partitions]
    if engine is SERIAL:
        with uncollected():
            return expanded(of_lines(family, every, counting.context), family)
    parts = list(engine.map(counted_lines, counting, [*map(LogLines, partitions)]))
    twice = repeated(family, every, parts)
    again = [LogLines(partitions[at], lines) for at, lines in twice.items()]
    for at, part in zip(twice, engine.map(counted_lines, counting, again), strict=True):
        parts[at] = part
    with uncollected():
        return expanded(merged(parts), family)


def rows_of(family: Family, experiment: Experiment) -> Iterator[Sequence[Row]]:
    """A fresh pass over the records of a family, batch by batch, problems left out."""
    for paths in partition_paths(family, experiment):
        for batch in batches(family, experiment, paths):
            yield [row for row in batch if isinstance(row, Row)]


class CountedRuns(Struct, frozen=True):
    """Runs of one metric that agree in every key: what estimates are made of, before anything is added up.

    Attributes:
        stratum: In which they are published.
        keys: Of the runs, the finest; ``stamp`` is the UTC day, where they have one.
        cluster: The key within which runs of the metric err together.
        known: (value, n, N) of one run, and how many came to it.
        lost: (state, reason) of what is not known, and how many are.
        never: Runs of the grid that left no record; they are no runs.
    """

    family: str
    metric: str
    stratum: Keys
    keys: Keys
    cluster: str
    known: tuple[tuple[tuple[float, int, int], int], ...]
    lost: tuple[tuple[tuple[State, str], int], ...]
    never: int = 0


def in_strata(family: Family, total: Partial, context: Context) -> Iterator[CountedRuns]:
    """The runs of a family's whole partial, in the strata in which they are published."""
    clusters = {metric.name: cluster_of(metric, context) for metric in family.metrics}
    whole = with_never_recorded(settled(total, family), family, context)
    for (metric, stratum, keys), cell in whole.cells.items():
        for day, runs in cell.by_day().items():
            yield CountedRuns(
                family.name,
                metric,
                stratum,
                keys | {"stamp": day} if day else keys,
                clusters.get(metric, TASK),
                (*sorted(runs.known.items()), *(((number, 1, 1), 1) for number in sorted(runs.numbers))),
                tuple(sorted(runs.lost.items())),
                runs.never,
            )
