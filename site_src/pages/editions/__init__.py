"""The pages of editions: what changed since one, the next one, and pages that were removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.pages.editions import next_edition
    from site_src.pages.editions.editions import edition_pages
    from site_src.pages.editions.next_edition import Since, objections, since_last
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "Since",
    "edition_pages",
    "next_edition",
    "objections",
    "since_last",
]
