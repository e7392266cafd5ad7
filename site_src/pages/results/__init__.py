"""The pages of results: overview, experiments, models, their tables and the order of their figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.pages.results import experiment, experiment_list, model, overview
    from site_src.pages.results.figure_kinds import OFFERS
    from site_src.pages.results.tables import result_tables
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "OFFERS",
    "experiment",
    "experiment_list",
    "model",
    "overview",
    "result_tables",
]
