"""A gate as a badge: one small SVG that says the verdict and n/N of the candidate.

Does: word it, make room for the widest font, and say the same in a title. Does not: speak by colour alone;
the verdict stands in words.
"""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape, quoteattr

from metrics_core.gate import Gate, GateVerdict
from site_src.console import safe
from site_src.drawing import fit, width as text_width
from site_src.gating.words import VERDICTS, headline, subject
from site_src.wording import ratio_words

GROUNDS: Final = {
    GateVerdict.PASS: "#1d5c9e",
    GateVerdict.FAIL: "#8a4708",
    GateVerdict.CANNOT_TELL: "#5f666e",
    GateVerdict.UNHEALTHY: "#3a4047",
}
"""Behind white words: a picture within a README has no style sheet to take its colours from."""

SIZE: Final = 11
HEIGHT: Final = 20
MARGIN: Final = 6
MOST: Final = 160.0
"""Pixels of the metric's name; a longer one is shortened in its middle."""


def gate_badge(gate: Gate) -> str:
    """The badge, an SVG of 20 px.

    Args:
        gate: As it was evaluated. What is unhealthy has no n/N: nothing that was found is to be believed.
    """
    first = gate.comparing.first
    name = fit(f"gate: {safe(subject(gate))}", MOST, size=SIZE)
    found = "" if gate.verdict is GateVerdict.UNHEALTHY else ratio_words(first.b)
    told = f"{VERDICTS[gate.verdict]} {found}".strip()
    left, right = (_room(words) for words in (name, told))
    title = f"{safe(headline(gate))}{f' Candidate: {found}.' if found else ''}"
    width = left + right
    size = f'width="{width}" height="{HEIGHT}" viewBox="0 0 {width} {HEIGHT}"'
    return "\n".join((
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label={quoteattr(title)}>',
        f"<title>{escape(title)}</title>",
        f'<path fill="#191c20" d="M0,0h{left}v{HEIGHT}h-{left}Z"/>',
        f'<path fill="{GROUNDS[gate.verdict]}" d="M{left},0h{right}v{HEIGHT}h-{right}Z"/>',
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="{SIZE}">',
        _words(name, MARGIN, left),
        _words(told, left + MARGIN, right),
        "</g>",
        "</svg>",
        "",
    ))  # fmt: skip


def _room(words: str) -> int:
    """Pixels of a field: the widest that its words become, and the margins."""
    return round(text_width(words, size=SIZE)) + 2 * MARGIN


def _words(words: str, x: int, room: int) -> str:
    """A text that is as long in every font."""
    return f'<text x="{x}" y="14" textLength="{room - 2 * MARGIN}">{escape(words)}</text>'
