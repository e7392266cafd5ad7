"""Where labels stand so that none covers another: names around points, days along a line, labels in rows.

Does: try places around each point in a fixed order, turn days into px in proportion to time, and put centred
labels into rows. Does not: draw, and it moves no point.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from typing import Final, Literal

Align = Literal["left", "center", "right"]
LabelPlace = tuple[float, float, Align]
Box = tuple[float, float, float, float]
HIGH = 12.0

CLOSEST = 11.0
"""Least distance of two stamps in px."""

NARROWEST: Final = 288.0
"""Px that a figure has on a screen of 320 px, where a plot is laid out: wider, its marks only move apart."""

WIDER: Final = (480, 704, 960)
"""Px of a figure from which on more labels have room; the style sheet shows them, by the same numbers."""

ONE_ROW: Final = 704
"""Px of a figure from which on labels of several rows stand in one, where all of them have room in it."""


def around(
    points: Sequence[tuple[float, float, float]], frame: Box, bars: Sequence[Box] = ()
) -> tuple[LabelPlace, ...]:
    """A place for the name of each point: (x, base line y, alignment).

    Args:
        points: (x, y, width of the name) in px.
        frame: Left, top, right and bottom that names stay within.
        bars: What names had better not cross, but may.

    >>> around([(50, 50, 40)], (0, 0, 200, 100))
    ((60, 42, 'left'),)
    """
    taken: list[Box] = [(x - 5, y - 5, x + 5, y + 5) for x, y, _ in points]
    placed: list[LabelPlace] = []
    for x, y, wide in points:
        tries = _tries(x, y, wide)
        inside = [(p, b) for p, b in tries if frame[0] <= b[0] and b[2] <= frame[2]]
        free = [(p, b) for p, b in inside if frame[1] <= b[1] and b[3] <= frame[3]
                and not any(_touch(b, other) for other in taken)]  # fmt: skip
        clear = [(p, b) for p, b in free if not any(_touch(b, bar) for bar in bars)]
        place, box = (clear or free or inside or tries)[0]
        taken.append(box)
        placed.append(place)
    return tuple(placed)


def _tries(x: float, y: float, wide: float) -> list[tuple[LabelPlace, Box]]:
    tries: list[tuple[float, float, Align]] = [
        (10, -8, "left"), (10, 16, "left"), (-10, -8, "right"), (-10, 16, "right"), (10, -22, "left"),
        (10, 30, "left"), (-10, -22, "right"), (-10, 30, "right"), (10, -36, "left"), (10, 44, "left"),
    ]  # fmt: skip
    out = []
    for dx, dy, align in tries:
        left = x + dx - (wide if align == "right" else 0)
        out.append(((x + dx, y + dy, align), (left, y + dy - HIGH + 2, left + wide, y + dy + 3)))
    return out


def _touch(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def places(days: Sequence[str], left: float, right: float) -> tuple[float, ...]:
    """Where each stamp stands, in their order: x in px.

    Args:
        days: ISO dates or stamps, ascending; what is no date counts as a day after the one before.
        left: x of the first.
        right: x of the last.

    >>> places(["2026-05-10", "2026-05-17", "2026-05-31"], 0, 300)
    (0.0, 100.0, 300.0)
    >>> places(["2026-05-10", "2026-05-10", "2026-05-31"], 0, 300)
    (0.0, 11.0, 300.0)
    """
    if len(days) == 1:
        return ((left + right) / 2,)
    numbers: list[int] = []
    for day in days:
        try:
            numbers.append(date.fromisoformat(day[:10]).toordinal())
        except ValueError:
            numbers.append(numbers[-1] + 1 if numbers else 0)
    spread = max(numbers[-1] - numbers[0], 1)
    at = [left + (n - numbers[0]) / spread * (right - left) for n in numbers]
    gap = min(CLOSEST, (right - left) / (len(days) - 1))
    for i in range(1, len(at)):
        at[i] = max(at[i], at[i - 1] + gap)
    at[-1] = min(at[-1], right)
    for i in range(len(at) - 2, -1, -1):
        at[i] = min(at[i], at[i + 1] - gap)
    return tuple(round(x, 1) for x in at)


def in_rows(
    centres: Sequence[float], widths: Sequence[float], *, rows: int, apart: float = 8
) -> tuple[int | None, ...]:
    """The row of each centred label so that none touches another; None for one that fits in no row.

    The last label has its place first, then the others from the left.

    >>> in_rows([0, 10, 20, 100], [16, 16, 16, 16], rows=2)
    (0, 1, None, 0)
    """
    taken: list[list[tuple[float, float]]] = [[] for _ in range(rows)]
    out: list[int | None] = [None] * len(centres)
    for i in sorted(range(len(centres)), key=lambda i: i != len(centres) - 1):
        span = (centres[i] - widths[i] / 2 - apart / 2, centres[i] + widths[i] / 2 + apart / 2)
        for row, spans in enumerate(taken):
            if all(span[1] <= other[0] or span[0] >= other[1] for other in spans):
                spans.append(span)
                out[i] = row
                break
    return tuple(out)


def rows_as_it_widens(
    centres: Sequence[float], widths: Sequence[float], reach: tuple[float, float], *, rows: int,
    apart: float = 8,
) -> tuple[tuple[int, str] | None, ...]:  # fmt: skip
    """The row of each centred label of a plot that stretches, and the class that shows it where it has room.

    A label keeps its px while its centre moves, and its row until all have room in one, so that none that is
    shown ever touches another.

    Args:
        centres: In px of the narrowest picture.
        widths: Of the labels, in px.
        reach: From where to where the plot stretches, in px of the narrowest picture.
        rows: How many rows there are at most.
        apart: Least distance of two labels in px.

    >>> rows_as_it_widens([50, 60, 240], [40, 40, 40], (40, 276), rows=1)
    ((0, ''), None, (0, ''))
    >>> rows_as_it_widens([50, 80, 240], [40, 40, 40], (40, 276), rows=1)
    ((0, ''), (0, 'from-480'), (0, ''))
    """
    out: list[tuple[int, str] | None] = [None] * len(centres)
    start, end = reach
    order, rises = sorted(range(len(centres)), key=lambda i: i != len(centres) - 1), False
    for broad in (NARROWEST, *WIDER):
        grown = (end - start + broad - NARROWEST) / (end - start)

        def span(i: int, grown: float = grown) -> tuple[float, float]:
            at = start + (centres[i] - start) * grown
            return at - widths[i] / 2 - apart / 2, at + widths[i] / 2 + apart / 2

        taken: list[list[tuple[float, float]]] = [[] for _ in range(rows)]
        for i, placed in enumerate(out):
            if placed is not None:
                taken[placed[0]].append(span(i))
        for i in order:
            left, right = span(i)
            free = (r for r, spans in enumerate(taken) if all(right <= o[0] or left >= o[1] for o in spans))
            row = next(free, None) if out[i] is None else None
            if row is not None:
                out[i] = (row, "" if broad == NARROWEST else f"from-{broad}")
                taken[row].append((left, right))
        if broad == ONE_ROW and rows > 1:
            every = sorted(map(span, range(len(out))))
            rises = all(one[1] <= other[0] for one, other in pairwise(every))
    if not rises:
        return tuple(out)
    return tuple(
        (place[0], f"{place[1]} rise-{place[0]}".strip()) if place and place[0] else place for place in out
    )
