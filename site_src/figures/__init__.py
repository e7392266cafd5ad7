"""Figures, one kind a module, each laying out a shape of the core.

A kind has ``KIND`` (the value of ``data-figure``) and ``draw``, which gives a `site_src.drawing.Figure`. What
stands in rows is drawn once, as words and marks that reflow; what has two measured axes is laid out twice on
a `site_src.drawing.Sheet`, and has ``LAYERS``, the datasets of its chart: its marks are drawn through one
Vega-Altair chart a kind. A module that is added here is named in `KINDS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Final

from msgspec import Struct

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
    scatter,
    timeline,
)
from site_src.figures.claims import sign
from site_src.figures.curve import step_of

__all__ = [
    "KINDS",
    "FigureKind",
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
    "overview",
    "scatter",
    "sign",
    "step_of",
    "timeline",
]


class FigureKind(Struct, frozen=True):
    """A kind of figure.

    Attributes:
        name: Value of ``data-figure``, and what a writer asks for it by.
        module: Draws it, by its ``draw``.
        shows: What is seen in it, in a few words.
    """

    name: str
    module: ModuleType
    shows: str


_KINDS = (
    FigureKind("assertion-strip", assertion_strip, "which named assertions fail, by model"),
    FigureKind("change-regress", scatter, "each run a point of two metrics, with what is done, but broken"),
    FigureKind("claims", claims, "claims of a decision, each on one axis beside the line that it draws"),
    FigureKind("controls", controls, "the controls of an experiment, held, failed or missing"),
    FigureKind("cost", cost, "money by model, recorded beside recomputed"),
    FigureKind("cost-score", cost_score, "a family's first metric against the cost of a run"),
    FigureKind("curve", curve, "a share turn after turn, or over repeats"),
    FigureKind("funnel", funnel, "from attempts down to what was done, with the losses named"),
    FigureKind("governance", governance, "verdicts counted whole: for, against, unknown and error"),
    FigureKind("heatmap", heatmap, "one metric over two keys, n/N in each cell"),
    FigureKind("overview", overview, "all metrics of a family on one axis, by arm"),
    FigureKind(
        "separation",
        forest,
        "differences of pairs of arms, which are told apart, and what could have been shown",
    ),
    FigureKind("timeline", timeline, "a metric over the stamps, broken where the instrument changes"),
)

KINDS: Final[Mapping[str, FigureKind]] = {kind.name: kind for kind in _KINDS}
"""Every kind of figure by its name."""
