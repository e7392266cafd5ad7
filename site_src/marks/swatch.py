"""State swatches: the small squares that stand before the words *unknown*, *withheld*, *failed*, ...

Does: draw one as inline SVG, with the pattern that bars have. Does not: speak; the word beside it does,
so it is hidden from assistive technology.
"""

from __future__ import annotations

from functools import cache

from site_src.marks.patterns import LOOKS, StateName, colour, hatch

SIDE = 12


def _dash(values: tuple[float, ...]) -> str:
    return f' stroke-dasharray="{",".join(f"{v:g}" for v in values)}"' if values else ""


@cache
def swatch(state: StateName) -> str:
    """Inline SVG of 12 x 12 px.

    Raises:
        KeyError: There is no such state.

    >>> swatch("true").count("<path"), swatch("false").count("<path"), "style" in swatch("unknown")
    (1, 2, False)
    """
    look = LOOKS[state]
    inner = SIDE - 1
    body = (
        f'<path fill="{colour(look.fill)}" stroke="{colour(look.edge)}"{_dash(look.edge_dash)} '
        f'd="M0.5,0.5h{inner}v{inner}h-{inner}Z"/>'
    )
    if lines := hatch(state, inner, inner):
        body += (
            f'<path transform="translate(0.5,0.5)" stroke="{colour(look.hatch)}" '
            f'stroke-width="{look.hatch_width:g}"{_dash(look.hatch_dash)} d="{lines}"/>'
        )
    if state == "withheld":
        body += f'<path stroke="{colour("paper")}" stroke-width="2" d="M3,6h6"/>'
    return (
        f'<svg class="swatch swatch-{state}" viewBox="0 0 {SIDE} {SIDE}" width="{SIDE}" height="{SIDE}" '
        f'aria-hidden="true" focusable="false" fill="none">{body}</svg>'
    )
