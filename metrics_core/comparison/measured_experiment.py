"""One readable thing as a side of a comparison: its report, and the runs behind any number of it.

Does: measure an experiment, and lay the runs of an estimate out by task again. Does not: compare.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from msgspec import Struct

from metrics_core import engine
from metrics_core.counting import CountedRuns
from metrics_core.experiments import Experiment
from metrics_core.families import FAMILIES
from metrics_core.measurement import TASK, Metric, RunGroup, RunTally
from metrics_core.pricing import PriceTable
from metrics_core.results import NO_KEYS, Estimate, Keys, Report, Rule

Subject = tuple[str, str, Keys]
"""Family, metric and stratum."""


class MeasuredExperiment(Struct, frozen=True, eq=False, dict=True):
    """An experiment and its report, with every run laid out when it is first asked for.

    Attributes:
        name: What it is called beside another.
        experiment: As it was loaded.
        report: Of all of it.
        tables: Price tables at hand beside its own.
        slices: Further keys that its runs are looked at by.
    """

    name: str
    experiment: Experiment
    report: Report
    tables: tuple[PriceTable, ...] = ()
    slices: tuple[str, ...] = ()

    @property
    def rule(self) -> Rule:
        """The rule of separation in force."""
        return self.experiment.settings.separation or "overlap"

    @cached_property
    def _counted(self) -> dict[Subject, list[CountedRuns]]:
        found: dict[Subject, list[CountedRuns]] = {}
        for runs in engine.counted_runs(self.experiment, self.tables, slices=self.slices):
            found.setdefault((runs.family, runs.metric, runs.stratum), []).append(runs)
        return found

    def runs(self, e: Estimate, where: Keys = NO_KEYS) -> RunGroup:
        """The runs behind an estimate by cluster and task, also those that are not known.

        Args:
            e: An estimate of its report.
            where: Further keys that the runs must hold: a slice.
        """
        made = RunGroup()
        wanted = {*e.group.without("k"), *where}
        for counted in self._of(e):
            if wanted <= set(counted.keys):
                task = counted.keys.get(TASK, "")
                home = counted.keys.get(counted.cluster, task)
                tally = RunTally(lost=dict(counted.lost), never=counted.never)
                for value, n in counted.known:  # numbers that are context stand one by one
                    tally.known[value] = tally.known.get(value, 0) + n
                made.add(tally, home, task)
        return made

    def values(self, e: Estimate, key: str) -> tuple[str, ...]:
        """The values of a key among the runs behind an estimate, sorted."""
        return tuple(sorted({value for runs in self._of(e) for name, value in runs.keys if name == key}))

    def lacking(self, e: Estimate, key: str) -> int:
        """How many runs behind an estimate do not carry a key."""
        group = set(e.group)
        return sum(
            sum(n for _, n in chain(runs.known, runs.lost))
            for runs in self._of(e)
            if group <= set(runs.keys) and key not in runs.keys.names
        )

    def _of(self, e: Estimate) -> Sequence[CountedRuns]:
        return self._counted.get((e.family, metric_of(e).source or e.metric, e.stratum), ())


def metric_of(e: Estimate) -> Metric:
    """How the family of an estimate declares its metric."""
    return FAMILIES[e.family].metric(e.metric)


def measured(
    name: str, experiment: Experiment, tables: Sequence[PriceTable] = (), *, slices: tuple[str, ...] = ()
) -> MeasuredExperiment:
    """Measure an experiment, so that it can be compared with another.

    Args:
        name: What it is to be called.
        experiment: As it was loaded.
        tables: Price tables at hand beside its own.
        slices: Keys that records or cards may carry, by which its runs are to be looked at.

    Raises:
        ContractError: An instrument did not give its known results, or broke its promise.
        ConfigError: A setting asks for what is not at hand.
    """
    return MeasuredExperiment(name, experiment, engine.compute(experiment, tables), tuple(tables), slices)


def compared_estimates(report: Report, **wanted: Any) -> Iterator[tuple[str, Estimate]]:
    """Estimates of single arms that arms are compared on, each with the key of its arms.

    Args:
        report: Of one experiment.
        wanted: Family and metric, where only those are wanted.
    """
    for e in report.estimates:
        if any(getattr(e, name) != value for name, value in wanted.items()):
            continue
        family = FAMILIES.get(e.family)
        metric = None if family is None else next((m for m in family.metrics if m.name == e.metric), None)
        if metric is None or metric.one_vs_rest:
            continue
        for over in metric.compared:
            if (over,) in metric.groups and e.group.names == (over,):
                yield over, e
