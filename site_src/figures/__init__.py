"""Figures, one kind a module, each laying out a shape of the core, wide and narrow.

A kind has ``KIND`` (the value of ``data-figure``), ``LAYERS`` (the datasets of its chart) and ``draw``, which gives a
`site_src.drawing.Figure`; a module with these is found by lying in this folder. A figure is laid out twice on a
`site_src.drawing.Sheet`, and its marks are drawn through one Vega-Altair chart a kind.
"""

from __future__ import annotations

from site_src.figures import (
    assertion_strip,
    claims,
    controls,
    cost,
    cost_score,
    curve,
    forest,
    funnel,
    governance,
    heatmap,
    overview,
    pair_matrix,
    scatter,
    timeline,
)
from site_src.figures.claims import miniature
from site_src.figures.curve import step_of

__all__ = [
    "assertion_strip",
    "claims",
    "controls",
    "cost",
    "cost_score",
    "curve",
    "forest",
    "funnel",
    "governance",
    "heatmap",
    "miniature",
    "overview",
    "pair_matrix",
    "scatter",
    "step_of",
    "timeline",
]
