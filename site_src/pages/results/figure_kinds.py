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

Maker = Callable[[Report, str, Keys, Namer, FigureContext], Iterator[Figure]]
"""Report, family, group of one arm or none, and what ids and links are made with -> figures, one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of figure: what it shows, and what a report offers of it.

    Attributes:
        by_arm: Whether it can be of one arm alone.
    """

    about: str
    make: Maker
    by_arm: bool = False


def _broken_down(kind: str) -> Maker:
    def make(r: Report, family: str, group: Keys, key: Namer, context: FigureContext) -> Iterator[Figure]:
        of = breakdowns.of_arm(r, family, group[0], key, context) if group else None
        for figure in of or breakdowns.of_experiment(r, family, key, context):
            if figure.kind == kind:
                yield figure

    return make


def _spent(kind: str) -> Maker:
    def make(r: Report, _: str, __: Keys, key: Namer, context: FigureContext) -> Iterator[Figure]:
        return (figure for figure in figures.costs(r, key, context) if figure.kind == kind)

    return make


KINDS = {
    "assertion-strip": Kind(
        about="which named assertions fail, by model",
        make=lambda r, family, _, key, context: figures.strips(r, family, key, context),
    ),
    "change-regress": Kind(
        about="each run a point of two metrics, with what is done, but broken",
        make=figures.scatters,
        by_arm=True,
    ),
    "controls": Kind(
        about="the controls of an experiment, held, failed or missing",
        make=lambda r, _, __, key, context: figures.guards(r, key, context),
    ),
    "cost": Kind(about="money by model, recorded beside recomputed", make=_spent("cost")),
    "cost-score": Kind(about="a family's first metric against the cost of a run", make=_spent("cost-score")),
    "curve": Kind(
        about="a share turn after turn, or over repeats",
        make=_broken_down("curve"),
        by_arm=True,
    ),
    "funnel": Kind(
        about="from attempts down to what was done, with the losses named",
        make=figures.funnels,
        by_arm=True,
    ),
    "governance": Kind(
        about="verdicts counted whole: for, against, unknown and error",
        make=_broken_down("governance"),
        by_arm=True,
    ),
    "heatmap": Kind(about="one metric over two keys, n/N in each cell", make=_broken_down("heatmap")),
    "overview": Kind(
        about="all metrics of a family on one axis, by arm",
        make=lambda r, family, _, key, context: figures.glance(r, family, key, context),
    ),
    "separation": Kind(
        about="differences between arms, and which of them the pack can tell apart",
        make=lambda r, _, __, key, context: figures.forests(r, key, context),
    ),
    "timeline": Kind(
        about="a metric over the stamps, broken where the instrument changes",
        make=figures.timelines,
        by_arm=True,
    ),
}
"""Every kind of figure that can be asked for, by its name in ``data-figure``."""
