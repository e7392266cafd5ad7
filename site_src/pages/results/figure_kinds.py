"""Figures by the names that a writer asks for: of each kind, what a report has for a family and an arm.

Does: name the kinds, and hand each to the function that chooses it for the site's own pages. Does not:
choose otherwise than those pages do, or draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from metrics_core.results import Keys, Report
from site_src.drawing import Figure
from site_src.pages.results import breakdowns, figures
from site_src.wording import FigureContext

Namer = Callable[..., str]

Offer = Callable[[Report, str, Keys, Namer, FigureContext], Iterator[Figure]]
"""Report, family, group of one arm or none, and what ids and links are made with -> figures, one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of figure: what it shows, and what a report offers of it.

    Attributes:
        by_arm: Whether it can be of one arm alone.
    """

    about: str
    offer: Offer
    by_arm: bool = False


def _broken_down(kind: str) -> Offer:
    def offer(r: Report, family: str, group: Keys, key: Namer, context: FigureContext) -> Iterator[Figure]:
        of = breakdowns.of_arm(r, family, group[0], key, context) if group else None
        for made in of or breakdowns.of_experiment(r, family, key, context):
            if made.kind == kind:
                yield made

    return offer


def _spent(kind: str) -> Offer:
    def offer(r: Report, _: str, __: Keys, key: Namer, context: FigureContext) -> Iterator[Figure]:
        return (made for made in figures.costs(r, key, context) if made.kind == kind)

    return offer


KINDS = {
    "assertion-strip": Kind(
        about="which named assertions fail, by model",
        offer=lambda r, family, _, key, context: figures.strips(r, family, key, context),
    ),
    "change-regress": Kind(
        about="each run a point of two metrics, with what is done, but broken",
        offer=figures.scatters,
        by_arm=True,
    ),
    "controls": Kind(
        about="the controls of an experiment, held, failed or missing",
        offer=lambda r, _, __, key, context: figures.guards(r, key, context),
    ),
    "cost": Kind(about="money by model, recorded beside recomputed", offer=_spent("cost")),
    "cost-score": Kind(about="a family's first metric against the cost of a run", offer=_spent("cost-score")),
    "curve": Kind(
        about="a share turn after turn, or over repeats",
        offer=_broken_down("curve"),
        by_arm=True,
    ),
    "funnel": Kind(
        about="from attempts down to what was done, with the losses named",
        offer=figures.funnels,
        by_arm=True,
    ),
    "governance": Kind(
        about="verdicts counted whole: for, against, unknown and error",
        offer=_broken_down("governance"),
        by_arm=True,
    ),
    "heatmap": Kind(about="one metric over two keys, n/N in each cell", offer=_broken_down("heatmap")),
    "overview": Kind(
        about="all metrics of a family on one axis, by arm",
        offer=lambda r, family, _, key, context: figures.glance(r, family, key, context),
    ),
    "separation": Kind(
        about="differences between arms, and which of them the pack can tell apart",
        offer=lambda r, _, __, key, context: figures.forests(r, key, context),
    ),
    "timeline": Kind(
        about="a metric over the stamps, broken where the instrument changes",
        offer=figures.timelines,
        by_arm=True,
    ),
}
"""Every kind of figure that can be asked for, by its name in ``data-figure``."""
