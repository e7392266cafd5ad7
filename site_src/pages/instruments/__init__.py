"""The pages of instruments: contracts and their sources, packs, prices, data, dictionary, methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.pages.instruments import methods
    from site_src.pages.instruments.dictionary import type_id
    from site_src.pages.instruments.plan import instrument_pages
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "instrument_pages",
    "methods",
    "type_id",
]
