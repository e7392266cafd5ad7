"""Marks on an upright value axis: an estimate at its place along the bottom, or the strip that says why not.

Does: turn an estimate into rows by its headline: a point with its interval, the bar of its bounds, a
hatched or outlined strip. Does not: spell numbers, or choose places. The sheet's parameters ``top`` and
``bottom`` say where the axis of shares runs.
"""

from __future__ import annotations

from typing import Any, Final

from metrics_core.estimate import Estimate
from site_src.figures.axis_marks import CAP, outer_limits
from site_src.figures.patterns import colour
from site_src.figures.sheet import Sheet

WORDS: Final = {"counts": "too few", "withheld": "withheld", "nothing": "N/A", "bounds": "bounds"}
"""What is said where there is no point, by the estimate's headline."""

HALF = 7.0
"""Half the width of a strip in px."""


def is_hollow(e: Estimate) -> bool:
    """Whether an estimate has a value and no interval: its point is drawn as an outline."""
    return e.headline == "point" and e.value is not None and e.interval.lo is None


def mark(sheet: Sheet, e: Estimate, x: float, down: float = 0.0, *, tip: str = "") -> None:
    """One estimate.

    Args:
        sheet: Where it is drawn; its parameters hold the axis.
        e: What is drawn.
        x: Its place in px.
        down: How far below the sheet's axis its own axis lies, where panels stand below one another.
        tip: Told on hovering.
    """
    top, bottom = sheet.parameters["top"] + down, sheet.parameters["bottom"] + down
    height = bottom - top
    moved: dict[str, Any] = {"x": x, **({"down": down} if down else {})}
    if e.withheld is not None:
        sheet.box(x - HALF, top, 2 * HALF, height, fill="paper", stroke="ink", line=1.5)
        sheet.swatch(x - 5.5, top + height / 2 - 5.5, "withheld")
    elif e.headline == "counts":
        sheet.state_box(x - HALF, top, 2 * HALF, height, "too-few")
    elif e.headline == "nothing":
        sheet.swatch(x - 5.5, top + height - 14, "missing")
    elif e.headline == "bounds" and e.bounds:
        outer = outer_limits(e)
        if outer is not None:
            _bar(sheet, moved, outer.lo, outer.hi, "ink3", 1, [2, 2])
        _bar(sheet, moved, *e.bounds, "unknown", 6, [])
    elif e.value is not None:
        if not is_hollow(e):
            _bar(sheet, moved, e.interval.lo, e.interval.hi, "ink", 1.5, [])
            caps = moved | {"x": x - CAP, "x2": x + CAP, "stroke": colour("ink"), "width": 1.5}
            for limit in (e.interval.lo, e.interval.hi):
                sheet.add("upright_caps", **caps, at=limit)
        fill, stroke = ("paper", "ink") if is_hollow(e) else ("ink", "paper")
        told = {"tip": tip} if tip else {}
        sheet.add("upright_points", **moved, value=e.value, fill=colour(fill), stroke=colour(stroke), size=64,
                  **told)  # fmt: skip


def _bar(
    sheet: Sheet, moved: dict[str, Any], lo: float | None, hi: float | None, stroke: str, width: float,
    dash: list[float],
) -> None:  # fmt: skip
    sheet.add("upright_intervals", **moved, lo=lo, hi=hi, stroke=colour(stroke), width=width, dash=dash)
