"""The pages of instruments: contracts and their sources, packs, prices, data, dictionary, methods."""

from __future__ import annotations

from site_src.pages.instruments import methods
from site_src.pages.instruments.dictionary import type_id
from site_src.pages.instruments.plan import instrument_pages

__all__ = [
    "instrument_pages",
    "methods",
    "type_id",
]
