"""Pages of series: experiments that follow upon one another, and the newest against the earlier ones.

A series pools nothing: each number on these pages is one experiment's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.pages.series.newest import SeriesNumbers
    from site_src.pages.series.page import series_pages, told
else:
    __getattr__ = on_demand(__name__)

__all__ = ["SeriesNumbers", "series_pages", "told"]
