"""Colour, pattern and edge of each state, as explicit lines: the same in bars, tables, keys and prose.

Does: give fill, edge and hatch of a rectangle by state. Does not: choose what is in which state. Hatches
are drawn lines and not ``<pattern>``: those vanish in some printers' hands, and they need ids.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, get_args

from msgspec import Struct

StateName = Literal[
    "true", "false", "unknown", "error", "invalid", "too-few", "missing", "withheld", "still-in"
]  # fmt: skip
STATE_NAMES: Final[tuple[StateName, ...]] = get_args(StateName)

COLOURS: Final = (
    "paper", "ink", "ink2", "ink3", "rule", "hair", "link", "true", "false", "false-line",
    "unknown", "error", "still", "band",
)  # fmt: skip
"""Custom properties that the style sheet must set: ``--paper``, ``--ink``, ..."""


def colour(name: str) -> str:
    """A colour of the style sheet, or ``none``.

    Raises:
        KeyError: The style sheet has no such colour.

    >>> colour("false-line"), colour("none")
    ('var(--false-line)', 'none')
    """
    if name == "none":
        return name
    if name not in COLOURS:
        raise KeyError(name)
    return f"var(--{name})"


class Look(Struct, frozen=True):
    """How a state is drawn: names of colours; ``edge_dash`` and ``hatch_dash`` as SVG dash arrays."""

    fill: str
    edge: str
    hatch: str = "none"
    hatch_width: float = 1.0
    edge_dash: tuple[float, ...] = ()
    hatch_dash: tuple[float, ...] = ()


LOOKS: Final[dict[StateName, Look]] = {
    "true": Look("true", "true"),
    "false": Look("false", "false-line", "false-line", 1.4),
    "unknown": Look("paper", "unknown", "unknown", 1.2, (2, 2), (1.2, 2.8)),
    "error": Look("paper", "error", "error", 0.9),
    "invalid": Look("paper", "error", "error", 1.0),
    "too-few": Look("paper", "rule", "ink3", 0.8),
    "missing": Look("paper", "unknown", "none", 1.0, (2, 2)),
    "withheld": Look("ink", "ink"),
    "still-in": Look("still", "rule"),
}


@lru_cache(maxsize=1 << 14)
def hatch(state: StateName, width: float, height: float) -> str:
    """Path data of a state's hatch within a rectangle whose upper left corner is the origin.

    Args:
        state: What the rectangle stands for.
        width: In px, above 0.
        height: In px, above 0.

    Returns:
        Lines that stay inside; empty for a state without a hatch.

    >>> hatch("true", 10, 10), hatch("invalid", 10, 10)
    ('', 'M0,3H10M0,7H10')
    >>> hatch("false", 4, 4)
    'M0,2.5L2.5,0M3.5,4L4,3.5'
    """
    match state:
        case "false":
            return _rising(width, height, 5, 2.5)
        case "error":
            return _rising(width, height, 5, 2.5) + _falling(width, height, 5, 2.5)
        case "too-few":
            return _falling(width, height, 4, 2)
        case "invalid":
            return _level(width, height, 4, 3, 0)
        case "unknown":
            return _level(width, height, 4, 2.5, 2)
        case _:
            return ""


def _number(value: float) -> str:
    return f"{round(value, 2):g}"


def _line(points: tuple[float, float, float, float]) -> str:
    x, y, x2, y2 = map(_number, points)
    return f"M{x},{y}L{x2},{y2}"


def _rising(width: float, height: float, step: float, start: float) -> str:
    """Lines x + y = c for each step of c: from lower left to upper right."""
    out, c = [], start
    while c < width + height:
        left, right = max(0.0, c - height), min(width, c)
        if right - left > 0.2:
            out.append(_line((left, c - left, right, c - right)))
        c += step
    return "".join(out)


def _falling(width: float, height: float, step: float, start: float) -> str:
    """Lines x - y = c for each step of c: from upper left to lower right."""
    out, c = [], start - height - (start - height) % step + start % step - step
    while c < width:
        left, right = max(0.0, c), min(width, height + c)
        if right - left > 0.2:
            out.append(_line((left, left - c, right, right - c)))
        c += step
    return "".join(out)


def _level(width: float, height: float, step: float, start: float, inset: float) -> str:
    out, y = [], start
    while y < height - 0.5:
        if width > inset:
            out.append(f"M{_number(inset)},{_number(y)}H{_number(width)}")
        y += step
    return "".join(out)
