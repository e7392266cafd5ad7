"""Figures by the names that a writer asks for: of each kind, what a report has for a family and an arm.

Does: name the kinds, and hand each to the function that chooses it for the site's own pages. Does not:
choose otherwise than those pages do, or draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from metrics_core.results import Keys, Report
from site_src.drawing import Figure
from site_src.figures import (
    assertion_strip,
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
from site_src.pages.results import breakdowns, figures
from site_src.wording import FigureContext

Namer = Callable[..., str]

Offer = Callable[[Report, str, Keys, Namer, FigureContext], Iterator[Figure]]
"""Report, family, group of one arm or none, and what ids and links are made with -> figures, one by one."""


class FigureOffer(Struct, frozen=True, kw_only=True):
    """What a report offers of a kind of figure.

    Attributes:
        offer: Gives the figures.
        by_arm: Whether they can be of one arm alone.
    """

    offer: Offer
    by_arm: bool = False


def _broken_down(kind: str) -> Offer:
    def offer(r: Report, family: str, group: Keys, key: Namer, context: FigureContext) -> Iterator[Figure]:
        of = breakdowns.of_arm(r, family, group[0], key, context) if group else None
        for figure in of or breakdowns.of_experiment(r, family, key, context):
            if figure.kind == kind:
                yield figure

    return offer


def _spent(kind: str) -> Offer:
    def offer(r: Report, _: str, __: Keys, key: Namer, context: FigureContext) -> Iterator[Figure]:
        return (figure for figure in figures.costs(r, key, context) if figure.kind == kind)

    return offer


OFFERS: Mapping[str, FigureOffer] = {
    assertion_strip.KIND: FigureOffer(
        offer=lambda r, family, _, key, context: figures.strips(r, family, key, context)
    ),
    scatter.KIND: FigureOffer(offer=figures.scatters, by_arm=True),
    controls.KIND: FigureOffer(offer=lambda r, _, __, key, context: figures.guards(r, key, context)),
    cost.KIND: FigureOffer(offer=_spent(cost.KIND)),
    cost_score.KIND: FigureOffer(offer=_spent(cost_score.KIND)),
    curve.KIND: FigureOffer(offer=_broken_down(curve.KIND), by_arm=True),
    funnel.KIND: FigureOffer(offer=figures.funnels, by_arm=True),
    governance.KIND: FigureOffer(offer=_broken_down(governance.KIND), by_arm=True),
    heatmap.KIND: FigureOffer(offer=_broken_down(heatmap.KIND)),
    overview.KIND: FigureOffer(
        offer=lambda r, family, _, key, context: figures.glance(r, family, key, context)
    ),
    forest.KIND: FigureOffer(offer=lambda r, _, __, key, context: figures.forests(r, key, context)),
    timeline.KIND: FigureOffer(offer=figures.timelines, by_arm=True),
}
"""Every kind of figure that can be asked for, by its name in ``data-figure``."""
