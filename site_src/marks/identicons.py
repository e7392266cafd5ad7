"""Identicons: a small glyph made of a digest, so that an instrument that changed looks changed.

Does: draw eight bars from the first eight hex digits in a frame by kind. Does not: prove anything; it
is decoration to assistive technology and always stands before ``sha256:`` and the digits.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

DigestKind = Literal["contract", "data", "pack", "site"]

WIDTH: Final = 28
HEIGHT: Final = 14

_DIGEST = re.compile(r"(?:sha256:)?([0-9a-f]{8})[0-9a-f]*\Z")


def digits(digest: str) -> str:
    """The eight digits that the bars show.

    Args:
        digest: SHA-256 in hex, with or without ``sha256:``; at least 8 digits.

    Raises:
        ValueError: It is none.

    >>> digits("sha256:3f9a2c1d77b0")
    '3f9a2c1d'
    """
    found = _DIGEST.match(digest)
    if found is None:
        raise ValueError(f"not a digest: {digest!r}")
    return found.group(1)


def short(digest: str) -> str:
    """The digest as captions write it.

    >>> short("sha256:3f9a2c1d77b0")
    'sha256:3f9a2c1d'
    """
    return f"sha256:{digits(digest)}"


def frame(kind: DigestKind, *, width: float = WIDTH, height: float = HEIGHT) -> str:
    """Outline as SVG path data: cut corners for a contract, square data, round pack, pointed site.

    Args:
        kind: What the digest is of.
        width: In px, with half a pixel left free all round.
        height: In px.

    >>> frame("data", width=20, height=10)
    'M0.5,0.5H19.5V9.5H0.5Z'
    """
    x, y, mid = width - 0.5, height - 0.5, height / 2
    cut = round(height * 0.29, 2)
    match kind:
        case "data":
            return f"M0.5,0.5H{x:g}V{y:g}H0.5Z"
        case "contract":
            return (
                f"M{cut + 0.5:g},0.5H{x - cut:g}L{x:g},{cut + 0.5:g}V{y - cut:g}L{x - cut:g},{y:g}"
                f"H{cut + 0.5:g}L0.5,{y - cut:g}V{cut + 0.5:g}Z"
            )
        case "pack":
            r = mid - 0.5
            return (
                f"M{mid:g},0.5H{width - mid:g}A{r:g},{r:g},0,0,1,{width - mid:g},{y:g}"
                f"H{mid:g}A{r:g},{r:g},0,0,1,{mid:g},0.5Z"
            )
        case "site":
            point = round(height * 0.4, 2)
            return (
                f"M{point:g},0.5H{width - point:g}L{x:g},{mid:g}L{width - point:g},{y:g}"
                f"H{point:g}L0.5,{mid:g}Z"
            )


def bars(digest: str, *, width: float = WIDTH, height: float = HEIGHT) -> str:
    """The eight bars as SVG path data, to be stroked `stroke(height)` wide: 0 is a dot, f is full height.

    Args:
        digest: SHA-256 in hex, with or without ``sha256:``.
        width: In px.
        height: In px.

    >>> bars("0f" * 8, width=28, height=14)[:19]
    'M6.65,10.5v-0.78M8.'
    """
    step, foot, reach = round(height * 0.15, 2), height * 0.75, height * 0.5
    left = width / 2 - 3.5 * step
    return "".join(
        f"M{round(left + i * step, 2):g},{foot:g}v{-round(reach * (1 + int(digit, 16) * 8 / 15) / 9, 2):g}"
        for i, digit in enumerate(digits(digest))
    )


def stroke(height: float = HEIGHT) -> float:
    """Width of a bar, in px."""
    return round(height * 0.1, 2)


@lru_cache(maxsize=1 << 12)
def identicon(digest: str, kind: DigestKind) -> str:
    """Inline SVG of 28 x 14 px in the colour of the text around it, hidden from assistive technology.

    Args:
        digest: SHA-256 in hex, with or without ``sha256:``.
        kind: What the digest is of.

    Raises:
        ValueError: Not a digest.

    >>> identicon("sha256:3f9a2c1d", "data").startswith('<svg class="hallmark"')
    True
    """
    return (
        f'<svg class="hallmark" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'aria-hidden="true" focusable="false" fill="none" stroke="currentColor">'
        f'<path d="{frame(kind)}"/><path stroke-width="{stroke():g}" d="{bars(digest)}"/></svg>'
    )
