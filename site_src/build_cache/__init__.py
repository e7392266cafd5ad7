"""What a build keeps beside the content for the next one, and believes only where all of it still holds.

Only a plain build asks here. A publication, a gate, a check and a verification make everything again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.build_cache.finished_site import BuildCache, FinishedSite
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "BuildCache",
    "FinishedSite",
]
