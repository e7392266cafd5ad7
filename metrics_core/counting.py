"""The records of a family, counted: every partition in one partial, by columns where that can be.

Does: read each file once, count a record once that two files hold, and give what every run came to. Does not:
estimate anything; `metrics_core.engine` has that made from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from metrics_core.experiments import Experiment, coarsest, refuse_unfit_clusters
from metrics_core.formats import Row
from metrics_core.measurement import (
    TASK,
    Context,
    Family,
    Partial,
    batches,
    cluster_of,
    fixtures,
    many_lines,
    partition_paths,
    settled,
    tabulate,
    with_never_recorded,
)
from metrics_core.results import Keys, State


def tabulated(
    family: Family, experiment: Experiment, context: Context, total: Partial
) -> tuple[Partial, Context]:
    """Every partition of a family in one partial, and the context with what only all runs tell.

    Args:
        family: Whose records are read.
        experiment: As it was loaded.
        context: What is known before the records are read.
        total: Empty; it keeps what was read before a contract's process crashed.

    Raises:
        ScorerCrash: A contract's process crashed or hung.
        ConfigError: A cluster key does not fit the runs.
    """
    total = counted(family, experiment, context, total)
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


def counted(family: Family, experiment: Experiment, context: Context, total: Partial) -> Partial:
    """Every partition of a family, counted and merged; a record that two of them hold is counted once.

    Args:
        family: Whose records they are.
        experiment: Whose files they are.
        context: Prices, pack, contracts, aliases.
        total: Empty; it holds what was counted before a contract's process crashed.

    Raises:
        ScorerCrash: A contract's process crashed or hung.
    """
    by_columns = family.batch is not None and not context.settings.cluster and not context.slices
    if by_columns and many_lines(family, experiment):
        return _counted_in_columns(family, experiment, context)
    for paths in partition_paths(family, experiment):
        part = tabulate(family, batches(family, experiment, paths, total.beside), context)
        if twice := total.seen & part.seen:
            again = batches(family, experiment, paths)
            part = tabulate(family, again, context, skip=frozenset(twice))
        total.merge(part)
    return total


def _counted_in_columns(family: Family, experiment: Experiment, context: Context) -> Partial:
    """The same of a family with a batch form, whose every file is a log; its form is held to `observe` first.

    Raises:
        FixtureError: Many records at once do not come to what each of them does.
    """
    from metrics_core.measurement.columns import of_logs  # numpy is loaded for it

    fixtures.check_batch(family)
    logs = {
        experiment.published_name(path): partial(experiment.open_published, path)
        for path in experiment.families[family.name]
    }
    return of_logs(family, logs, context).expanded(family)


def rows_of(family: Family, experiment: Experiment) -> Iterator[Sequence[Row]]:
    """A fresh pass over the records of a family, batch by batch, problems left out."""
    for paths in partition_paths(family, experiment):
        for batch in batches(family, experiment, paths):
            yield [row for row in batch if isinstance(row, Row)]


@dataclass(frozen=True, slots=True)
class CountedRuns:
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
    for (metric, stratum, keys, day), cell in whole.cells.items():
        yield CountedRuns(
            family.name,
            metric,
            stratum,
            keys | {"stamp": day} if day else keys,
            clusters.get(metric, TASK),
            (*sorted(cell.known.items()), *(((number, 1, 1), 1) for number in sorted(cell.numbers))),
            tuple(sorted(cell.lost.items())),
            cell.never,
        )
