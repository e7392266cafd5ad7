"""Marks of one row on a level axis, as inline SVG that keeps its sizes at any width.

Across, a mark stands in per cent of the axis; down, in px. So a figure is drawn once, and nothing in it is
scaled: strokes, points and hatches are as large on a phone as on a wide page. A path cannot be given in per
cent: half a point and a hatch stand in a nested picture that is placed in per cent.

Does: draw grid lines, intervals, points, bounds and what stands in place of a number. Does not: spell a
number, or choose the axis.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from markupsafe import Markup
from msgspec import Struct, field

from metrics_core.results import Estimate, Interval
from site_src.drawing.axes import CAP, HALF_POINT, Shade
from site_src.drawing.svg import plain_number
from site_src.marks import LOOKS, StateName, colour, hatch
from site_src.wording import outer_interval, svg_markup

WIDEST = 1200.0
"""Px that a hatch is drawn for; what is wider than its axis is cut."""


class Strip(Struct):
    """One row's axis from ``low`` to ``high``, ``height`` px high, with the marks that were put on it.

    The marks of an estimate stand in its middle, above the ``foot`` of so many px.
    """

    low: float
    high: float
    height: float = 22.0
    foot: float = 0.0
    _marks: list[str] = field(default_factory=list)

    @property
    def markup(self) -> Markup:
        """The picture, hidden from assistive technology: its row says the same in words."""
        return _marked(self.height, "".join(self._marks))

    def beside(self, other: Strip) -> Markup:
        """One picture of two axes, this one in its left half and the other in its right."""
        halves = _halves("".join(self._marks), "".join(other._marks))
        return _marked(max(self.height, other.height), halves)

    def grid(self, ticks: Iterable[float], *, strong: Sequence[float] = ()) -> None:
        """Lines across the row at some values; those of ``strong`` as an axis."""
        for at in ticks:
            self._line(at, at, 0, self.height, stroke="rule" if at in strong else "hair")

    def estimate(self, e: Estimate) -> None:
        """A point with its interval, the bar of its bounds, or what stands in place of both."""
        if e.withheld is not None:
            self.state("withheld")
        elif e.headline == "counts":
            self._line(self.low, self.high, self._middle, self._middle, stroke="ink3", dash="1 3")
        elif e.headline == "bounds" and e.bounds:
            outer = outer_interval(e)
            if outer is not None and outer.lo is not None and outer.hi is not None:
                self.interval(outer.lo, outer.hi, stroke="ink3", width=1.0, cap=3.0, dash="2 2")
            self._line(*e.bounds, self._middle, self._middle, stroke="unknown", width=6.0)
        elif e.headline == "point" and e.value is not None:
            if e.interval.lo is not None and e.interval.hi is not None:
                self.interval(e.interval.lo, e.interval.hi)
            self.point(e.value)

    def interval(
        self,
        lo: float,
        hi: float,
        *,
        stroke: str = "ink",
        width: float = 1.5,
        cap: float = CAP,
        dash: str = "",
    ) -> None:
        """An interval with its end caps."""
        self._line(lo, hi, self._middle, self._middle, stroke=stroke, width=width, dash=dash)
        for at in (lo, hi):
            self._line(at, at, self._middle - cap, self._middle + cap, stroke=stroke, width=width)

    def difference(self, value: float | None, interval: Interval, shade: Shade) -> None:
        """A difference with its interval; a dotted axis where none could be made."""
        if value is None:
            self._line(self.low, self.high, self._middle, self._middle, stroke="ink3", dash="1 3")
            return
        if interval.lo is not None and interval.hi is not None:
            self.interval(interval.lo, interval.hi)
        self.point(value, shade=shade)

    def change(self, first: float | None, second: float | None, *, better: bool | None) -> None:
        """Two values of one thing: a stroke for the first, a point for the second, and a line between them.

        Args:
            first: Where the stroke stands; None for no stroke.
            second: Where the point stands; None for no point.
            better: Whether the second is better, drawn solid; worse is dashed; None where neither is said.
        """
        if first is not None and second is not None and first != second:
            look = {True: ("true", ""), False: ("false-line", "5 3"), None: ("ink3", "")}[better]
            self._line(first, second, self._middle, self._middle, stroke=look[0], width=2.0, dash=look[1])
        if first is not None:
            top, foot = self._middle - 5.0, self._middle + 5.0
            self._line(first, first, top, foot, stroke="ink", width=1.5)
        if second is not None:
            self.point(second)

    def band(self, lo: float, hi: float) -> None:
        """Tint what two intervals share, over the whole height of the row."""
        left, width = self._across(lo), plain_number(100 * (hi - lo) / (self.high - self.low))
        self._marks.append(
            f'<rect x="{left}%" y="0" width="{width}%" height="{plain_number(self.height)}"'
            f' fill="{colour("band")}"/>'
        )

    def claimed(self, at: float) -> None:
        """The line that a claim draws, over the whole height of the row."""
        self._line(at, at, 0, self.height, stroke="ink2", width=1.5, dash="4 3")

    def bounds(self, lo: float, hi: float) -> None:
        """What a value may lie between, dotted at the foot of the row, with its ends."""
        y = self.height - self.foot / 2
        self._line(lo, hi, y, y, stroke="unknown", width=2.0, dash="1 2")
        for at in (lo, hi):
            self._line(at, at, y - 3, y + 3, stroke="unknown", width=1.5)

    def reach(self, near: float, far: float | None) -> None:
        """How far from 0 a difference would have to be to be shown: a bar by pairs, dotted by both rules.

        It stands at the foot of the row, and ends with the axis.

        Args:
            near: By the difference on the same tasks.
            far: By both rules; None where the strict one is not in force, or nothing would do.
        """
        y = self.height - 3.0
        if far is not None:
            self._line(self._within(-far), self._within(far), y, y, stroke="ink3", width=1.5, dash="1 3")
        self._line(self._within(-near), self._within(near), y, y, stroke="unknown", width=3.0)

    def point(self, value: float, *, shade: Shade = "full") -> None:
        """A point; an open one is paper within an outline, a half one half of it."""
        fill, stroke = ("ink", "paper") if shade == "full" else ("paper", "ink")
        x, y = self._across(value), plain_number(self._middle)
        self._marks.append(
            f'<circle cx="{x}%" cy="{y}" r="4.5" fill="{colour(fill)}" stroke="{colour(stroke)}"'
            ' stroke-width="1.5"/>'
        )
        if shade == "half":
            self._marks.append(
                f'<svg x="{x}%" y="{y}" overflow="visible">'
                f'<path fill="{colour("ink")}" d="{HALF_POINT}"/></svg>'
            )

    def state(self, state: StateName) -> None:
        """The look of a state over the whole axis: outlined and hatched, never a filled bar."""
        if state != "withheld":
            self.part(self.low, self.high, state)
            return
        self.bar(self.low, self.high, fill="paper", edge="ink")
        y = plain_number(self._middle)
        self._marks.append(
            f'<svg x="50%" y="{y}" overflow="visible"><path fill="{colour("ink")}" d="M-6,-6h12v12h-12Z"/>'
            f'<path stroke="{colour("paper")}" stroke-width="2" d="M-3,0h6"/></svg>'
        )

    def part(self, lo: float, hi: float, state: StateName) -> None:
        """The look of a state from one value to another, as a part of a bar in counts."""
        look = LOOKS[state]
        dash = f' stroke-dasharray="{" ".join(map(str, look.edge_dash))}"' if look.edge_dash else ""
        self.bar(lo, hi, fill=look.fill, edge=look.edge, dash=dash)
        if lines := hatch(state, WIDEST, self._bar_height):
            self._marks.append(
                f"<svg {self._place(lo, hi)}>"
                f'<path stroke="{colour(look.hatch)}" stroke-width="{plain_number(look.hatch_width)}"'
                f' fill="none" d="{lines}"/></svg>'
            )

    def bar(self, lo: float, hi: float, *, fill: str, edge: str, dash: str = "") -> None:
        """A bar from one value to another, in two colours."""
        self._marks.append(
            f'<rect {self._place(lo, hi)} fill="{colour(fill)}" stroke="{colour(edge)}"{dash}/>'
        )

    def tile(self, fill: str, strength: float) -> None:
        """The ground of a cell: a colour as strong as its value, from 0 to 1, in an outline."""
        high = plain_number(self._bar_height)
        strong = f' fill="{colour(fill)}" fill-opacity="{strength:g}"' if strength else ' fill="none"'
        self._marks.append(f'<rect y="3" width="100%" height="{high}"{strong} stroke="{colour("rule")}"/>')

    @property
    def _bar_height(self) -> float:
        return self.height - self.foot - 6.0

    def _place(self, lo: float, hi: float) -> str:
        width = plain_number(100 * (hi - lo) / (self.high - self.low))
        return f'x="{self._across(lo)}%" width="{width}%" y="3" height="{plain_number(self._bar_height)}"'

    @property
    def _middle(self) -> float:
        return (self.height - self.foot) / 2

    def _within(self, value: float) -> float:
        return min(max(value, self.low), self.high)

    def _across(self, value: float) -> str:
        return plain_number(100 * (value - self.low) / (self.high - self.low))

    def _line(
        self, x: float, x2: float, y: float, y2: float, *, stroke: str, width: float = 1.0, dash: str = ""
    ) -> None:
        thick = f' stroke-width="{plain_number(width)}"' if width != 1 else ""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self._marks.append(
            f'<line x1="{self._across(x)}%" x2="{self._across(x2)}%" y1="{plain_number(y)}"'
            f' y2="{plain_number(y2)}" stroke="{colour(stroke)}"{thick}{dashed}/>'
        )


HALF: Final = 47
"""Per cent of a row that each of two axes beside each other has."""


def _marked(height: float, marks: str) -> Markup:
    return svg_markup(
        f'<svg class="marks" width="100%" height="{plain_number(height)}" aria-hidden="true">{marks}</svg>'
    )


def _halves(left: str, right: str) -> str:
    """Two pictures in per cent, each of its own half."""
    return "".join(
        f'<svg x="{x}%" width="{HALF}%" overflow="visible">{marks}</svg>'
        for x, marks in ((0, left), (100 - HALF, right))
    )


def scale(ticks: Sequence[tuple[float, str]], beside: Sequence[tuple[float, str]] = ()) -> Markup:
    """The words of an axis in the places of its values, the outermost within its ends.

    Args:
        ticks: (value, word), ascending; the first and the last are the ends of the axis.
        beside: Likewise, of the axis in the right half of a row that has two.
    """
    words = _halves(_words(ticks), _words(beside)) if beside else _words(ticks)
    return svg_markup(f'<svg class="scale" width="100%" height="16" aria-hidden="true">{words}</svg>')


NO_SCALE: Final = Markup("")
"""Of a table whose marks stand on no axis."""


def _words(ticks: Sequence[tuple[float, str]]) -> str:
    low, high = ticks[0][0], ticks[-1][0]
    words = ""
    for place, (value, word) in enumerate(ticks):
        anchor = "start" if place == 0 else "end" if place == len(ticks) - 1 else "middle"
        x = plain_number(100 * (value - low) / (high - low))
        words += f'<text x="{x}%" y="12" text-anchor="{anchor}">{word}</text>'
    return words
