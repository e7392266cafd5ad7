"""What every drawing of pairs shares: that they are of one metric, their title, and what stands around them.

Does: hold what is given, and put pictures, caption, tables and specification of pairs together. Does not:
lay out; the kinds that use it do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from metrics_core.compared import Comparison
from metrics_core.estimate import Estimate
from site_src import captions, titles
from site_src.figures.context import FigureContext
from site_src.figures.difference_words import csv, table
from site_src.figures.drawing import NARROW, WIDE, Drawing
from site_src.figures.making import pictures
from site_src.figures.pair_rows import arms_of
from site_src.figures.sheet import Sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Pairs of arms on one metric in one stratum, ready to be drawn.

    Attributes:
        pairs: In the order of their rows.
        arms: The arms' own values, in the order of theirs.
        hidden: Why no number of them may be shown; None where they may.
        title: What is seen.
        desc: The same for those who do not see it, with every number.

    Raises:
        ValueError: No estimate or no comparison, or comparisons of several metrics.
    """

    figure_id: str
    pairs: tuple[Comparison, ...]
    arms: tuple[Estimate, ...]
    hidden: str | None
    title: str
    desc: str

    def __post_init__(self) -> None:
        if len({(c.family, c.metric, c.stratum, c.group, c.over) for c in self.pairs}) > 1:
            raise ValueError(f"figure {self.figure_id}: comparisons of several metrics")


def of(
    comparisons: Sequence[Comparison], estimates: Sequence[Estimate], *, figure_id: str, title: str
) -> Pairs:
    """Pairs with the words that stand over them.

    Args:
        comparisons: Each of two of the arms.
        estimates: The arms' own values.
        figure_id: Id of the figure on its page.
        title: In place of the one made from the data; empty for that.

    Raises:
        ValueError: See `Pairs`.
    """
    arms, pairs = tuple(estimates), tuple(comparisons)
    if not arms or not pairs:
        raise ValueError(f"figure {figure_id}: {len(pairs)} comparisons of {len(arms)} estimates")
    hidden = arms[0].withheld if all(e.withheld is not None for e in arms) else None
    return Pairs(
        figure_id=figure_id,
        pairs=pairs,
        arms=arms,
        hidden=hidden,
        title=title or (titles.separation(pairs) if hidden is None else titles.withheld(arms[0])),
        desc="; ".join((captions.described(arms), *(captions.comparison_clause(c) for c in pairs))),
    )


def drawing(
    kind: str,
    layers: tuple[str, ...],
    sheets: tuple[Sheet, Sheet] | None,
    told: Pairs,
    context: FigureContext,
    notes: Sequence[str],
) -> Drawing:
    """The finished drawing.

    Args:
        kind: Kind of figure.
        layers: Datasets that figures of this kind may fill.
        sheets: Wide and narrow, laid out; None for the notice that they are withheld.
        told: What is drawn.
        context: Links and build.
        notes: What the reader needs to read it.
    """
    wide, narrow = sheets or (Sheet(WIDE), Sheet(NARROW))
    if told.hidden is not None:
        wide.notice(told.hidden)
        narrow.notice(told.hidden)
    words = {"figure_id": told.figure_id, "title": told.title, "desc": told.desc}
    drawn = pictures(kind, layers, wide, narrow, **words, memo=context.memo)
    return Drawing(
        kind=kind, id=told.figure_id, title=told.title, desc=told.desc,
        svg_wide=drawn.wide, svg_narrow=drawn.narrow,
        caption=captions.caption(told.arms, context, notes=notes),
        table=table(told.pairs, arms_of(told.arms, told.pairs)), csv=csv(told.pairs),
        spec=drawn.spec, estimates=told.arms,
    )  # fmt: skip
