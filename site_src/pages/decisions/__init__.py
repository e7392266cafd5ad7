"""The pages of decisions: the list, each decision, and its claims."""

from __future__ import annotations

from site_src.pages.decisions.claims import claims_view
from site_src.pages.decisions.decision import counted
from site_src.pages.decisions.decision_list import decision_pages

__all__ = [
    "claims_view",
    "counted",
    "decision_pages",
]
