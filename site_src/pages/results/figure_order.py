"""Which figures of a family a page shows open, and which behind the line that is their title.

Does: of figures of one kind, apart those that speak for and those that tell how a whole is shared out,
choose the one with the most attempts, and keep metrics that are read together together. Does not: leave a
figure out: the further ones are on the page, or where it has no room by a line on it that leads to each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from metrics_core.results import PLAIN, Estimate, Report
from site_src.pages.components import FigureBlock
from site_src.pages.selection import metric_place

EACH = frozenset({"overview", "heatmap", "cost", "cost-score", "controls"})
"""Kinds of which every figure stands open: each says something else, or belongs beside the others."""

BY_METRIC = frozenset({"separation"})
"""Kinds of which one a metric stands open."""

MUST_SHOW = frozenset({"timeline", "separation"})
"""Kinds that stand open only if there is a value, or a refusal, to see in them."""


class _Shown(NamedTuple):
    """A figure with what is known of it: its metric, for whom it speaks, the most attempts in a number.

    ``place`` sorts by metric, those without one last; ``companion`` is the metric read together with its own.
    """

    figure: FigureBlock
    metric: str
    speaks: str
    attempts: int
    seen: bool
    place: tuple[bool, int, str]
    companion: str


def parted(
    figures: Sequence[FigureBlock], report: Report
) -> tuple[tuple[FigureBlock, ...], tuple[FigureBlock, ...]]:
    """Figures that stand open, and the further ones, both in the order in which they were given.

    Args:
        figures: Of one family, as they were added.
        report: Whose estimates they show.
    """
    by_id = {e.id: e for e in report.estimates}
    known = [_known(figure, by_id) for figure in figures]
    best: dict[tuple[str, str], _Shown] = {}
    for shown in known:
        key = (shown.figure.kind, shown.metric if shown.figure.kind in BY_METRIC else shown.speaks)
        if shown.figure.kind in MUST_SHOW and not shown.seen:
            continue
        rank = (-shown.attempts, shown.place)
        if key not in best or rank < (-best[key].attempts, best[key].place):
            best[key] = shown
    open_ids = {shown.figure.id for shown in best.values()}
    companions = {(shown.figure.kind, shown.companion) for shown in best.values()}
    open_ids |= {
        s.figure.id for s in known if (s.figure.kind, s.metric) in companions or s.figure.kind in EACH
    }
    return (
        tuple(figure for figure in figures if figure.id in open_ids),
        tuple(figure for figure in figures if figure.id not in open_ids),
    )


def _known(figure: FigureBlock, by_id: Mapping[str, Estimate]) -> _Shown:
    found = [by_id[name] for name in figure.estimates.split() if name in by_id]
    metric, words = (found[0].metric, found[0].words or PLAIN) if found else ("", PLAIN)
    return _Shown(
        figure,
        metric,
        found[0].polarity if found else "",
        max((e.attempts for e in found), default=0),
        any(e.headline not in ("counts", "nothing") for e in found),
        (not found, *metric_place(metric, words)),
        words.companion(metric),
    )
