"""Experiments as pages see them, kept as long as their report stands, with their runs in memory.

Does: give the same object for the same report, and keep the runs of an experiment that is not large, so that
its pages can be made while a harness goes on writing its log. Does not: read anything by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from metrics_core.folder import Experiment
from metrics_core.pricing import PriceTable
from metrics_core.report import Report
from metrics_core.review import Review
from site_src import pipeline
from site_src.views.inputs import SiteExperiment

MOST_RUNS = 5_000
"""Records of an experiment whose runs are kept in memory; those of a larger one are read when wanted."""


@dataclass(slots=True)
class ShownExperiments:
    """Gives experiments as `site_src.pipeline.site_experiment` does, and remembers."""

    _kept: dict[str, tuple[Report, tuple[PriceTable, ...], SiteExperiment]] = field(default_factory=dict)

    def __call__(
        self, experiment: Experiment, report: Report, tables: Sequence[PriceTable]
    ) -> SiteExperiment:
        """One experiment, the same object as long as report and prices are."""
        kept = self._kept.get(experiment.slug)
        if kept is not None and kept[0] is report and kept[1] == tuple(tables):
            return kept[2]
        shown = pipeline.site_experiment(experiment, report, tables)
        if report.records <= MOST_RUNS:
            shown = replace(shown, reviews=_Remembered(shown.reviews))
        self._kept[experiment.slug] = (report, tuple(tables), shown)
        return shown


@dataclass(slots=True)
class _Remembered:
    """A pass over runs that reads them once."""

    read: Callable[[], Iterator[Review]]
    runs: tuple[Review, ...] | None = None

    def __call__(self) -> Iterator[Review]:
        if self.runs is None:
            self.runs = tuple(self.read())
        return iter(self.runs)
