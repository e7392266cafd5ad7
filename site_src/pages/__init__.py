"""Pages as data: what each template may see, and how it is made from reports. Nothing here computes.

What all pages share lies in this folder; each kind of page has a room below it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand
from site_src.pages.frame import frame
from site_src.pages.site_map import site_map
from site_src.pages.site_state import site_state

if TYPE_CHECKING:
    from site_src.pages import cells, citations, dataset, render
    from site_src.pages.components import Table, digest_span, first_figure, line, table, text
    from site_src.pages.figure_collection import FigureCollection, PlacedFigure, figure_id
    from site_src.pages.page import Page, Planned, View
    from site_src.pages.pair_sets import ArmPair, pairs_of
    from site_src.pages.render import NotTextError, assets, render_page
    from site_src.pages.selection import arm_keys, compared, models_of, of_family
    from site_src.pages.site_map import SiteMap
    from site_src.pages.site_state import SiteState
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "ArmPair",
    "FigureCollection",
    "NotTextError",
    "Page",
    "PlacedFigure",
    "Planned",
    "SiteMap",
    "SiteState",
    "Table",
    "View",
    "arm_keys",
    "assets",
    "cells",
    "citations",
    "compared",
    "dataset",
    "digest_span",
    "figure_id",
    "first_figure",
    "frame",
    "line",
    "models_of",
    "of_family",
    "pairs_of",
    "render",
    "render_page",
    "site_map",
    "site_state",
    "table",
    "text",
]
