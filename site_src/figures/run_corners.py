"""Runs as points of two metrics: the four corners they fall in, the dots, and the bars at the margins.

Does: tell a value of exactly 1 from 0.99, by a lane of its own. Does not: lay out the rest of the figure.
"""

from __future__ import annotations

from dataclasses import dataclass

from metrics_core.report import Points
from metrics_core.vocabulary import PLAIN
from site_src.figures.patterns import LOOKS, StateName, colour
from site_src.figures.sheet import Sheet
from site_src.naming import metric_words
from site_src.rounding import count, share

GAP, LANE = 30.0, 18.0
"""From the end of an axis to the middle of the lane of exactly 1, and half the lane's breadth, in px."""

BINS = ((0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0))

Quadrant = tuple[str, StateName, bool, bool]
"""(words, look, whether x is 1, whether y is 1)."""


def quadrants(points: Points) -> tuple[Quadrant, ...]:
    """The four corners, the one to notice first; in words of the family, else by the two metrics."""
    x, y = points.x, points.y
    corners = (points.words or PLAIN).corners
    names = corners.names if corners else (
        f"{x} 1, {y} below", f"{x} 1, {y} 1", f"{x} below 1, {y} 1", f"{x} and {y} below 1"
    )  # fmt: skip
    looks: tuple[tuple[StateName, bool, bool], ...] = (
        ("false", True, False),
        ("true", True, True),
        ("still-in", False, True),
        ("still-in", False, False),
    )
    return tuple((name, *look) for name, look in zip(names, looks, strict=True))


@dataclass(frozen=True, slots=True)
class Plot:
    """Edges of the plotting area and greatest length of a margin's bar, in px."""

    left: float
    right: float
    top: float
    bottom: float
    bar: float

    def x(self, value: float) -> float:
        """Place of a value of the first metric; 1 is in its lane."""
        return self.left + value * (self.right - self.left) + (GAP if value == 1 else 0)

    def y(self, value: float) -> float:
        """Place of a value of the second metric; 1 is in its lane."""
        return self.bottom - value * (self.bottom - self.top) - (GAP if value == 1 else 0)


def is_in(x: float, y: float, quadrant: Quadrant) -> bool:
    """Whether a run falls into a corner."""
    return (x == 1, y == 1) == quadrant[2:]


def counted(points: Points, quadrant: Quadrant) -> int:
    """Runs in a corner."""
    return sum(n for x, y, n in points.points if is_in(x, y, quadrant))


def dots(sheet: Sheet, points: Points, plot: Plot) -> None:
    """A dot for each place where runs fall, the largest lowest."""
    corners = quadrants(points)
    most = max((n for _, _, n in points.points), default=1)
    each = min(44.0, 900.0 / most)
    apart_x, apart_y = GAP / (plot.right - plot.left), GAP / (plot.bottom - plot.top)
    for x, y, n in sorted(points.points, key=lambda p: (-p[2], p[:2])):
        state = next(q[1] for q in corners if is_in(x, y, q))
        runs = f"{count(n)} run{'' if n == 1 else 's'}"
        named = (metric_words(points.x, points.words), metric_words(points.y, points.words))
        tip = f"{named[0]} {share(x)}, {named[1]} {share(y)}: {runs}"
        across, up = x + (apart_x if x == 1 else 0), y + (apart_y if y == 1 else 0)
        sheet.add("crossings", across=across, value=up, runs=n, fill=colour(LOOKS[state].fill),
                  size=max(16.0, each * n), tip=tip,
                  stroke=colour("paper" if state == "true" else LOOKS[state].edge))  # fmt: skip


def margins(sheet: Sheet, points: Points, plot: Plot) -> None:
    """Bars over and beside the plot: runs by quarter of each metric, and those at exactly 1."""
    for axis in (0, 1):
        values = [(p[axis], p[2]) for p in points.points]
        found = [(lo, hi, sum(n for v, n in values if lo <= v < hi)) for lo, hi in BINS]
        found.append((1.0, 1.0, sum(n for v, n in values if v == 1)))
        most = max(n for _, _, n in found) or 1
        for lo, hi, n in found:
            if not n:
                continue
            length = max(1.5, n / most * plot.bar)
            place = plot.x if axis == 0 else plot.y
            low = place(lo) - (LANE if lo == 1 else 0)
            high = place(lo) + LANE if lo == 1 else (plot.right, plot.top)[axis] if hi == 1 else place(hi)
            if lo == 1 and axis == 1:
                low, high = place(1) - LANE, place(1) + LANE
            begin, end = min(low, high) + 2, max(low, high) - 2
            middle = (begin + end) / 2
            if axis == 0:
                foot = plot.top - GAP - LANE - 8
                sheet.box(begin, foot - length, end - begin, length, fill="still", stroke="rule")
                sheet.label(middle, foot - length - 5, count(n), size=12, fill="ink2", align="center")
            else:
                foot = plot.right + GAP + LANE + 8
                sheet.box(foot, begin, length, end - begin, fill="still", stroke="rule")
                sheet.label(foot + length + 6, middle + 4, count(n), size=12, fill="ink2")
