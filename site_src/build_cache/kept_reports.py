"""Reports that earlier builds kept: an experiment of which nothing changed is not measured again.

A report is believed where everything that it depends on is as it was, and the experiment at hand has the
digests that it was computed from. Reports are kept at the end of a build, once nothing it read has changed.
"""

from __future__ import annotations

from collections.abc import Sequence

import metrics_core as mc
from metrics_core.execution import SERIAL, Engine
from metrics_core.experiments import Experiment
from metrics_core.pricing import PriceTable
from metrics_core.results import Report
from site_src.build_cache.entries import KeptEntries, Parts
from site_src.build_cache.inputs import NotKeptError, inputs_of_experiment
from site_src.build_cache.report_bytes import NotPlainError, report_bytes, report_of
from site_src.project import Plan

KIND = "report"


class KeptReports:
    """The reports of one build, each from an earlier one or computed now.

    Args:
        plan: What is built.
        entries: What was kept.

    Attributes:
        told: Which experiments were measured and why, a sentence each.
    """

    def __init__(self, plan: Plan, entries: KeptEntries) -> None:
        self.told: list[str] = []
        self._plan, self._entries = plan, entries
        self._computed: list[tuple[str, Parts, Report]] = []

    def compute(
        self, experiment: Experiment, tables: Sequence[PriceTable], workers: Engine = SERIAL
    ) -> Report:
        """The report of an experiment.

        Args:
            experiment: As it was loaded, with its snapshot.
            tables: The site's price tables.
            workers: Counts the records of one that is measured.

        Raises:
            AssayError: As `metrics_core.compute` raises it.
        """
        name = str(experiment.path)
        try:
            parts = inputs_of_experiment(self._plan, experiment.path, tables)
        except NotKeptError as why:
            self.told.append(f"{experiment.slug} is measured, because {why}")
            return mc.compute(experiment, tables, workers=workers)
        data, why_not = self._entries.find(KIND, name, parts)
        if data is not None:
            report = _believed(data, experiment)
            if report is not None:
                return report
            why_not = "the kept report is of other files"
        self.told.append(f"{experiment.slug} is measured, because {why_not}")
        report = mc.compute(experiment, tables, workers=workers)
        self._computed.append((name, parts, report))
        return report

    def keep(self) -> None:
        """Keep what was computed, for the next build."""
        for name, parts, report in self._computed:
            try:
                self._entries.keep(KIND, name, parts, report_bytes(report))
            except NotPlainError as why:
                self.told.append(f"{report.experiment} is measured again next time, because {why}")


def _believed(data: bytes, experiment: Experiment) -> Report | None:
    """A kept report, if it is of the files as they were loaded."""
    try:
        report = report_of(data)
    except NotPlainError:
        return None
    found = experiment.digests
    same = (report.data_digest, report.source_digest) == (found.data, found.source)
    return report if same else None
