"""Editions: what was published, compared with what would be published now.

Bytes in, bytes out: nothing here touches a disk or a clock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.editions import store, summary
    from site_src.editions.changes import (
        Cause,
        DecisionChange,
        InputChange,
        Move,
        arrived,
        changed_controls,
        changed_decisions,
        changed_inputs,
        changed_outcomes,
        moved,
        new_decisions,
    )
    from site_src.editions.edition import Edition, EditionDecision, EditionExperiment, EditionPage
    from site_src.editions.removed_pages import Redirect, Tombstone, without_reason
    from site_src.editions.store import FOLDER, History, file_name, number_of
    from site_src.editions.summary import because, by_cause, figures, within
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "FOLDER",
    "Cause",
    "DecisionChange",
    "Edition",
    "EditionDecision",
    "EditionExperiment",
    "EditionPage",
    "History",
    "InputChange",
    "Move",
    "Redirect",
    "Tombstone",
    "arrived",
    "because",
    "by_cause",
    "changed_controls",
    "changed_decisions",
    "changed_inputs",
    "changed_outcomes",
    "figures",
    "file_name",
    "moved",
    "new_decisions",
    "number_of",
    "store",
    "summary",
    "within",
    "without_reason",
]
