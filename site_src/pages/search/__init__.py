"""What can be found by name on a site: the index that the search box reads, and the page of indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.pages.search.page import search_page
else:
    __getattr__ = on_demand(__name__)

__all__ = ["search_page"]
