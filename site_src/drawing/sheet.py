"""Where a figure puts its rows while it is laid out: text, rules, boxes, states, stacks, keys.

Does: turn the pieces that all figures share into rows of a chart's datasets, and keep texts within the
room they are given. Does not: decide where anything stands; that is each figure's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Literal

from msgspec import Struct, field

from metrics_core.text import visible
from site_src.drawing import text_metrics
from site_src.marks import LOOKS, StateName, colour, hatch
from site_src.wording import Span

BEFORE: Final = 40.0
BEHIND: Final = 12.0
"""Px before and behind a plot, for the words of its axis and the half of a mark at its end."""


class Sheet(Struct):
    """A picture that is being laid out, ``width`` px wide; ``height`` grows as it is filled.

    Attributes:
        width, height: In px.
        left, right: Px before and behind the plot, which do not stretch.
        rows: By dataset.
        parameters: Of the axes.
        pin: What the rows that are added keep their distance from, in px; None for nothing.
    """

    width: float
    height: float = 0.0
    left: float = BEFORE
    right: float = BEHIND
    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    parameters: dict[str, float] = field(default_factory=dict)
    pin: float | None = None

    @property
    def start(self) -> float:
        """Where the plot begins, in px."""
        return self.left

    @property
    def end(self) -> float:
        """Where the plot ends, in px."""
        return self.width - self.right

    @contextmanager
    def pinned(self, x: float) -> Iterator[None]:
        """Rows that are added meanwhile keep their sizes, and their distance from ``x``."""
        self.pin = x
        try:
            yield
        finally:
            self.pin = None

    def add(self, dataset: str, **row: Any) -> None:
        """Append a row as it is."""
        self.rows.setdefault(dataset, []).append(row if self.pin is None else {**row, "pin": self.pin})

    def label(
        self, x: float, y: float, text: str | Sequence[Span], *, size: float = 13, bold: bool = False,
        fill: str = "ink", align: Literal["left", "center", "right"] = "left", room: float | None = None,
        href: str = "", mono: bool = False, css: str = "",
    ) -> None:  # fmt: skip
        """One line of text on base line y.

        Args:
            x: Where it is aligned, in px.
            y: Base line, in px.
            text: Plain, or stretches in voices: ``plain``, ``strong`` in weight 600, ``quiet`` in grey.
            size: Font size in px.
            bold: Whether it is set in weight 600.
            fill: Name of its colour.
            align: Which end of it stands at x.
            room: Greatest width; a longer text is shortened in its middle and shown whole on hovering.
            href: Address relative to the page.
            mono: Whether it is set in the mono face.
            css: Its class; empty for none.
        """
        runs = (
            []
            if isinstance(text, str)
            else [
                (visible(s.text), s.role == "strong", colour("ink2") if s.role == "quiet" else "")
                for s in text
                if s.text
            ]
        )
        whole = visible(text) if isinstance(text, str) else "".join(t for t, _, _ in runs)
        whole = whole.replace("\n", " ").replace("\t", " ")
        shown = whole
        if room is not None and not runs:
            shown = text_metrics.fit(whole, room, size=size, bold=bold, mono=mono)
        if not shown.strip():
            return
        row: dict[str, Any] = {
            "x": x, "y": y, "text": shown, "align": align, "size": size,
            "weight": 600 if bold else 400, "fill": colour(fill),
        }  # fmt: skip
        extras = {
            "runs": runs,
            "href": href,
            "mono": mono,
            "css": css,
            "tip": whole if shown != whole else "",
        }
        row |= {key: value for key, value in extras.items() if value}
        self.add("labels", **row)

    def rule(
        self, x: float, y: float, x2: float, y2: float, stroke: str = "hair", *, width: float = 1,
        dash: Sequence[float] = (),
    ) -> None:  # fmt: skip
        """A line; px lines of odd width want half coordinates."""
        self.add("rules", x=x, y=y, x2=x2, y2=y2, stroke=colour(stroke), width=width, dash=list(dash))

    def box(
        self, x: float, y: float, width: float, height: float, *, fill: str = "none", stroke: str = "none",
        line: float = 1, dash: Sequence[float] = (),
    ) -> None:  # fmt: skip
        """A rectangle."""
        self.add("boxes", x=x, x2=x + width, y=y, y2=y + height, fill=colour(fill), stroke=colour(stroke),
                 width=line, dash=list(dash))  # fmt: skip

    def path(
        self, x: float, y: float, d: str, *, stroke: str = "ink", fill: str = "none", width: float = 1,
        dash: Sequence[float] = (), css: str = "",
    ) -> None:  # fmt: skip
        """An outline in px from (x, y)."""
        shown = {"css": css} if css else {}
        self.add("paths", x=x, y=y, d=d, stroke=colour(stroke), fill=colour(fill), width=width,
                 dash=list(dash), **shown)  # fmt: skip

    def lined(self, x: float, y: float, width: float, height: float, state: StateName) -> None:
        """Hatch of a state over a rectangle that has been drawn."""
        look = LOOKS[state]
        if lines := hatch(state, width, height):
            self.path(x, y, lines, stroke=look.hatch, width=look.hatch_width, dash=look.hatch_dash)

    def state_box(self, x: float, y: float, width: float, height: float, state: StateName) -> None:
        """A rectangle in the look of a state."""
        look = LOOKS[state]
        self.box(x, y, width, height, fill=look.fill, stroke=look.edge, dash=look.edge_dash)
        self.lined(x, y, width, height, state)

    def swatch(self, x: float, y: float, state: StateName, side: float = 11) -> None:
        """The small square of a state, its upper left corner at (x, y)."""
        self.state_box(x, y, side, side, state)
        if state == "withheld":
            self.rule(x + 2.5, y + side / 2, x + side - 2.5, y + side / 2, "paper", width=2)
