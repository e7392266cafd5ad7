"""Separation: a forest of differences with their zero line, and brackets over who cannot be separated.

A hollow point is not separated. Brackets may overlap; it never says "tie", which would claim equality.
"""

from __future__ import annotations

from collections.abc import Sequence

from metrics_core.compared import Comparison
from metrics_core.estimate import Estimate
from site_src import captions
from site_src.figures import pair_rows, pairs_drawn
from site_src.figures.context import FigureContext
from site_src.figures.difference_words import methods
from site_src.figures.drawing import Drawing

KIND = "separation"
LAYERS = ("boxes", "grid", "paths", "rules", "intervals", "caps", "points", "overlays", "labels")


def draw(
    comparisons: Sequence[Comparison], estimates: Sequence[Estimate], *, figure_id: str,
    context: FigureContext, title: str = "",
) -> Drawing:  # fmt: skip
    """Draw differences of one metric in one stratum.

    Args:
        comparisons: Pairs, in the order of their rows.
        estimates: What is compared, in the order of the models.
        figure_id: Id of the figure on its page.
        context: Links and build.
        title: In place of the one made from the data.

    Raises:
        ValueError: No estimate or no comparison, or comparisons of several metrics.
    """
    told = pairs_drawn.of(comparisons, estimates, figure_id=figure_id, title=title)
    if told.hidden is not None:
        return pairs_drawn.drawing(KIND, LAYERS, None, told, context, ())
    rows = told.pairs, told.arms, context.links
    notes = [*methods(told.pairs), "hollow point: not separated", *captions.separation_notes(told.pairs)]
    sheets = (pair_rows.wide(*rows), pair_rows.narrow(*rows))
    return pairs_drawn.drawing(KIND, LAYERS, sheets, told, context, notes)
