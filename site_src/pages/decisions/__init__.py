"""The pages of decisions: the list, each decision, and its claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.pages.decisions.claims import claims_view
    from site_src.pages.decisions.decision import counted
    from site_src.pages.decisions.decision_list import briefly, decision_pages
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "briefly",
    "claims_view",
    "counted",
    "decision_pages",
]
