"""Marks on a value axis of a sheet: an interval on a level one, an estimate on an upright one.

Does: turn an estimate into rows of a sheet by its headline: a point with its interval, the bar of its bounds,
or a hatched or outlined strip. Does not: spell numbers, or choose where an axis lies. A
level axis runs from the sheet's parameter ``start`` to ``end``, an upright one from ``bottom`` to ``top``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

from metrics_core.results import Estimate
from site_src.drawing.sheet import Sheet
from site_src.marks import colour
from site_src.wording import outer_interval

CAP = 4.0
"""Half the height of an interval's end cap, in px."""

HALF = 7.0
"""Half the width of a strip in px."""

SHARE_TICKS = ((0.0, "0"), (0.25, ".25"), (0.5, ".50"), (0.75, ".75"), (1.0, "1"))
"""The axis of shares, always in full."""

WORDS: Final = {"counts": "too few", "withheld": "withheld", "nothing": "N/A", "bounds": "bounds"}
"""What stands where there is no point, by the estimate's headline."""


# ---------------------------------------------------------------------------------------------- a level axis


Shade = Literal["full", "half", "hollow"]
"""How a point is filled: of a difference, full is separated, half the same tasks only, hollow neither."""

HALF_POINT: Final = "M0,-4.2A4.2,4.2,0,0,0,0,4.2Z"
"""The left half of a point."""


def interval(
    sheet: Sheet, lo: float, hi: float, y: float, *, stroke: str = "ink", width: float = 1.5,
    cap: float = CAP,
    dash: Sequence[float] = (),
) -> None:  # fmt: skip
    """An interval with its end caps, on the value axis; what lies below the axis is cut, and has no cap."""
    low = sheet.parameters["low"]
    sheet.add("intervals", lo=max(lo, low), hi=hi, y=y, stroke=colour(stroke), width=width, dash=list(dash))
    for at in (lo, hi) if cap else ():
        if at < low:
            continue
        sheet.add("caps", at=at, y=y - cap, y2=y + cap, stroke=colour(stroke), width=width)


# ------------------------------------------------------------------------------------------- an upright axis


def upright_estimate(sheet: Sheet, e: Estimate, x: float, down: float = 0.0, *, tip: str = "") -> None:
    """One estimate.

    Args:
        sheet: Where it is drawn; its parameters hold the axis.
        e: What is drawn.
        x: Its place in px.
        down: How far below the sheet's axis its own axis lies, where panels stand below one another.
        tip: Shown on hovering.
    """
    top, bottom = sheet.parameters["top"] + down, sheet.parameters["bottom"] + down
    moved: dict[str, Any] = {"x": x, **({"down": down} if down else {})}
    with sheet.pinned(x):
        _upright(sheet, e, x, moved, (top, bottom - top), tip)


def _upright(
    sheet: Sheet, e: Estimate, x: float, moved: dict[str, Any], axis: tuple[float, float], tip: str
) -> None:
    top, height = axis
    if e.withheld is not None:
        sheet.box(x - HALF, top, 2 * HALF, height, fill="paper", stroke="ink", line=1.5)
        sheet.swatch(x - 5.5, top + height / 2 - 5.5, "withheld")
    elif e.headline == "counts":
        sheet.state_box(x - HALF, top, 2 * HALF, height, "too-few")
    elif e.headline == "nothing":
        sheet.swatch(x - 5.5, top + height - 14, "missing")
    elif e.headline == "bounds" and e.bounds:
        outer = outer_interval(e)
        if outer is not None and outer.lo is not None:
            _bar(sheet, moved, outer.lo, outer.hi, "ink3", 1, [2, 2])
        _bar(sheet, moved, *e.bounds, "unknown", 6, [])
    elif e.value is not None:
        if not is_hollow(e):
            _bar(sheet, moved, e.interval.lo, e.interval.hi, "ink", 1.5, [])
            caps = moved | {"x": x - CAP, "x2": x + CAP, "stroke": colour("ink"), "width": 1.5}
            for limit in (e.interval.lo, e.interval.hi):
                sheet.add("upright_caps", **caps, at=limit)
        fill, stroke = ("paper", "ink") if is_hollow(e) else ("ink", "paper")
        titled = {"tip": tip} if tip else {}
        sheet.add("upright_points", **moved, value=e.value, fill=colour(fill), stroke=colour(stroke), size=64,
                  **titled)  # fmt: skip


def is_hollow(e: Estimate) -> bool:
    """Whether an estimate has a value and no interval: its point is drawn as an outline."""
    return e.headline == "point" and e.value is not None and e.interval.lo is None


def _bar(
    sheet: Sheet, moved: dict[str, Any], lo: float | None, hi: float | None, stroke: str, width: float,
    dash: list[float],
) -> None:  # fmt: skip
    sheet.add("upright_intervals", **moved, lo=lo, hi=hi, stroke=colour(stroke), width=width, dash=dash)
