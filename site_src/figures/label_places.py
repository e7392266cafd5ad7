"""Where the names of points in a scatter stand so that none covers another, or a point.

Does: try places around each point in a fixed order. Does not: draw, and it moves no point.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

Align = Literal["left", "center", "right"]
Place = tuple[float, float, Align]
Box = tuple[float, float, float, float]

HIGH = 12.0


def _candidates(x: float, y: float, wide: float) -> list[tuple[Place, Box]]:
    tries: list[tuple[float, float, Align]] = [
        (10, -8, "left"), (10, 16, "left"), (-10, -8, "right"), (-10, 16, "right"), (10, -22, "left"),
        (10, 30, "left"), (-10, -22, "right"), (-10, 30, "right"), (10, -36, "left"), (10, 44, "left"),
    ]  # fmt: skip
    out = []
    for dx, dy, align in tries:
        left = x + dx - (wide if align == "right" else 0)
        out.append(((x + dx, y + dy, align), (left, y + dy - HIGH + 2, left + wide, y + dy + 3)))
    return out


def around(
    points: Sequence[tuple[float, float, float]], frame: Box, bars: Sequence[Box] = ()
) -> tuple[Place, ...]:
    """A place for the name of each point: (x, base line y, alignment).

    Args:
        points: (x, y, width of the name) in px.
        frame: Left, top, right and bottom that names stay within.
        bars: What names had better not cross, but may.

    >>> around([(50, 50, 40)], (0, 0, 200, 100))
    ((60, 42, 'left'),)
    """
    taken: list[Box] = [(x - 5, y - 5, x + 5, y + 5) for x, y, _ in points]
    placed: list[Place] = []
    for x, y, wide in points:
        tries = _candidates(x, y, wide)
        inside = [(p, b) for p, b in tries if frame[0] <= b[0] and b[2] <= frame[2]]
        free = [(p, b) for p, b in inside if frame[1] <= b[1] and b[3] <= frame[3]
                and not any(_touch(b, other) for other in taken)]  # fmt: skip
        clear = [(p, b) for p, b in free if not any(_touch(b, bar) for bar in bars)]
        place, box = (clear or free or inside or tries)[0]
        taken.append(box)
        placed.append(place)
    return tuple(placed)


def _touch(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
