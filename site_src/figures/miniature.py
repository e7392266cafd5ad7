"""The miniature of a claim: its own interval beside the line that it claims, small enough to stand before a
word.

Does: draw it so that the claimed side is always on the right: right of the line is supported, left of it
contradicted, across it with a hollow point not separated; an ink bar is inadmissible, an empty box no data.
Does not: speak; the word beside it does, so it is hidden from assistive technology.
"""

from __future__ import annotations

from site_src.decisions import measuring
from site_src.decisions.verdict import JudgedClaim
from site_src.figures.patterns import colour
from site_src.figures.svg import plain_number
from site_src.swatch import swatch

WIDTH, HEIGHT = 44, 16
REACH = 18.0
"""How far from the line the farther limit lies, in px."""


def miniature(judged: JudgedClaim) -> str:
    """Inline SVG of 44 x 16 px; the swatch of its state for a claim about a control."""
    if judged.control is not None:
        return swatch({"held": "true", "failed": "false"}.get(judged.control.state, "missing"))  # type: ignore[arg-type]
    if judged.verdict == "inadmissible":
        ink, paper = colour("ink"), colour("paper")
        return _svg(
            f'<path fill="{ink}" d="M0,0h44v16h-44Z"/><path stroke="{paper}" stroke-width="2" d="M6,8h32"/>'
        )
    placed = _placed(judged)
    if placed is None:
        return _svg(f'<path stroke="{colour("unknown")}" stroke-dasharray="2,2" d="M0.5,0.5h43v15h-43Z"/>')
    return _svg(_interval(*placed, hollow=judged.verdict == "cannot separate"))


def _placed(judged: JudgedClaim) -> tuple[float, float, float] | None:
    """Lower limit, value and upper limit in px from the line, the claimed side to the right."""
    claim = judged.claim
    if judged.verdict == "no data":
        return None
    if judged.comparison is not None:
        c = judged.comparison
        lo, at, hi, line = (
            c.interval.lo,
            c.difference,
            c.interval.hi,
            measuring.edge(claim, judged.estimates[0]),
        )
        back = measuring.turned(claim, judged.estimates[0]) or (
            claim.kind == "separated from" and (at or 0.0) < 0
        )
    else:
        e = judged.estimates[0]
        limits = measuring.outer_limits(e) if e.headline == "bounds" else e.interval
        lo, at, hi, line = limits.lo, e.value, limits.hi, claim.line
        back = claim.kind != "at least"
    if lo is None or at is None or hi is None:
        return None
    ends = [(v - line) * (-1 if back else 1) for v in (lo, at, hi)]
    ends.sort()
    scale = REACH / (max(abs(ends[0]), abs(ends[2])) or 1.0)
    return ends[0] * scale, ends[1] * scale, ends[2] * scale


def _interval(lo: float, at: float, hi: float, *, hollow: bool) -> str:
    ink, paper = colour("ink"), colour("paper")
    left, x, right = (plain_number(WIDTH / 2 + v) for v in (lo, at, hi))
    fill, edge = (paper, ink) if hollow else (ink, paper)
    return (
        f'<path stroke="{ink}" stroke-width="1.5" d="M22,0V16"/>'
        f'<path stroke="{ink}" stroke-width="1.5" d="M{left},8H{right}M{left},4V12M{right},4V12"/>'
        f'<circle cx="{x}" cy="8" r="3.5" fill="{fill}" stroke="{edge}" stroke-width="1"/>'
    )


def _svg(body: str) -> str:
    return (
        f'<svg class="miniature" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'aria-hidden="true" focusable="false" fill="none">{body}</svg>'
    )
