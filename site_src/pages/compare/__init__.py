"""The Compare pages: arms in pairs, task by task, and what cannot be compared, with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.pages.compare.plan import compare_pages, pair_pages
    from site_src.pages.compare.tables import comparison_tables
    from site_src.pages.compare.tasks import settled
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "compare_pages",
    "comparison_tables",
    "pair_pages",
    "settled",
]
