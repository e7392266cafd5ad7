"""A difference in the room of a word: its interval and its point beside the line that it is read against.

It is the one sign for a difference on a site: beside claims, beside the rows of a figure, beside a verdict.
It has a scale of its own; the number stands elsewhere.
"""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from site_src.drawing.axes import Shade
from site_src.drawing.svg import plain_number
from site_src.marks import colour
from site_src.wording import svg_markup

WIDTH, HEIGHT = 44, 16
"""Size in px."""

_REACH: Final = 18.0
"""Px from the line to the limit that is furthest from it."""


def interval(lo: float, at: float, hi: float, shade: Shade) -> Markup:
    """An interval with its point.

    Args:
        lo: Lower limit, from the line that it is read against, in any unit.
        at: The point; what is claimed, or the first named, lies to the right.
        hi: Upper limit.
        shade: How much of the point is ink.
    """
    scale = _REACH / (max(abs(lo), abs(hi)) or 1.0)
    ink, paper = colour("ink"), colour("paper")
    left, x, right = (plain_number(WIDTH / 2 + v * scale) for v in (lo, at, hi))
    fill, edge = (ink, paper) if shade == "full" else (paper, ink)
    half = f'<path fill="{ink}" d="M{x},4.5A3.5,3.5,0,0,0,{x},11.5Z"/>' if shade == "half" else ""
    return picture(
        f'<path stroke="{colour("rule")}" d="M22,0V16"/>'
        f'<path stroke="{ink}" stroke-width="1.5" d="M{left},8H{right}M{left},4V12M{right},4V12"/>'
        f'<circle cx="{x}" cy="8" r="3.5" fill="{fill}" stroke="{edge}" stroke-width="1"/>{half}'
    )


def without_point() -> Markup:
    """The line alone, where no difference can be made or several pairs share a sign."""
    return picture(
        f'<path stroke="{colour("rule")}" d="M22,0V16"/>'
        f'<path stroke="{colour("ink3")}" stroke-dasharray="1,3" d="M2,8H42"/>'
    )


def picture(body: str) -> Markup:
    """Marks in the room of a miniature, hidden from assistive technology."""
    return svg_markup(
        f'<svg class="miniature" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'aria-hidden="true" focusable="false" fill="none">{body}</svg>'
    )
