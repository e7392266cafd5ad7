"""A finished figure: two pictures, caption, alternative table, data and specification.

Does: hold what a page needs to publish a figure, and refuse one that lacks its evidence. Does not:
draw, and it makes no sentence; titles and captions come from `site_src.captions` and `site_src.titles`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from metrics_core.control import Control
from metrics_core.estimate import Estimate
from site_src.figures.context import FigureContext, Links, ReviewFilter
from site_src.parts import Caption, TextTable
from site_src.titles import LONGEST

__all__ = ["Drawing", "FigureContext", "Links", "ReviewFilter"]

WIDE, NARROW = 1040, 328
"""Widths in px: a figure over the whole page, and one on a phone of 360 px."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A figure that cannot exist without the estimates it shows.

    Attributes:
        kind: Value of ``data-figure``: "funnel", "timeline", ...
        id: Element id of the ``<figure>``; every id inside the pictures begins with it.
        title: Sentence that says what is seen, at most 75 characters.
        desc: Alternative text: the same in words, with every number.
        svg_wide, svg_narrow: Pictures of 1040 and 328 px as inline markup, safe to embed.
        caption: Lines of parts; see `site_src.captions`.
        table: What is drawn, as text for a reader.
        csv: The same with full precision and estimate ids, as text for a machine.
        spec: Vega-Lite specification of the wide picture, with its data.
        estimates: What is drawn; only a figure of controls has none.
        controls: Controls that are drawn, for that kind.
    """

    kind: str
    id: str
    title: str
    desc: str
    svg_wide: str
    svg_narrow: str
    caption: Caption
    table: TextTable
    csv: TextTable
    spec: dict[str, Any]
    estimates: tuple[Estimate, ...] = ()
    controls: tuple[Control, ...] = ()

    def __post_init__(self) -> None:
        if not self.estimates and not (self.kind == "controls" and self.controls):
            raise ValueError(f"figure {self.id} ({self.kind}) was given no estimates")
        if not 0 < len(self.title) <= LONGEST:
            raise ValueError(f"figure {self.id}: a title of {len(self.title)} characters: {self.title!r}")

    @property
    def estimate_ids(self) -> str:
        """Value of ``data-estimates``: ids without white space, in the order they are drawn."""
        return " ".join(e.id for e in self.estimates)
