"""The Compare pages: arms in pairs, task by task, and what cannot be compared, with the reason."""

from __future__ import annotations

from site_src.pages.compare.plan import compare_pages, pair_pages
from site_src.pages.compare.tables import comparison_tables, verdict_words
from site_src.pages.compare.tasks import repeated, settled

__all__ = [
    "compare_pages",
    "comparison_tables",
    "pair_pages",
    "repeated",
    "settled",
    "verdict_words",
]
