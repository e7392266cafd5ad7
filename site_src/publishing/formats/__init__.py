"""What a site says once more in the formats of others: exchange of results, catalogues, archives, search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.publishing.formats import catalogue, exchange
else:
    __getattr__ = on_demand(__name__)

__all__ = ["catalogue", "exchange"]
