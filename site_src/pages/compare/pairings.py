"""What the pages of one experiment's pairs share: made when first asked for, and once for all of them."""

from __future__ import annotations

from functools import cached_property

from site_src.pages.compare.not_comparable import Refusals
from site_src.pages.compare.tasks import Published
from site_src.pages.pair_sets import PairSet, headlines, pair_sets
from site_src.project import SiteExperiment


class Pairings:
    """Every pair of an experiment, sorted out.

    Args:
        x: The experiment.
    """

    def __init__(self, x: SiteExperiment) -> None:
        self.x = x

    @cached_property
    def sets(self) -> tuple[PairSet, ...]:
        """Its `pair_sets`."""
        return self.x.of_report(pair_sets)

    @cached_property
    def headlines(self) -> list[tuple[PairSet, ...]]:
        """Those that stand for it."""
        return headlines(self.x.report, self.sets)

    @cached_property
    def refusals(self) -> Refusals:
        """Its pairs that share no stratum."""
        return Refusals(self.x.report)

    @cached_property
    def published(self) -> Published:
        """Each of its estimates by metric, stratum and group."""
        return {(e.metric, e.stratum, e.group): e for e in self.x.report.estimates}
