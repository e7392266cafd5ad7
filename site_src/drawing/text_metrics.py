"""How wide a text can become on any reader's machine, so that no two labels of a figure ever collide.

Does: add up advance widths of DejaVu Sans, the widest face in the site's font lists, and shorten a name in
its middle. Does not: measure the font a reader really has; the answer is an upper bound, the same on every
machine, and no renderer is asked.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache

_REGULAR = """
318 401 460 838 636 950 780 275 390 390 500 838 318 361 318 337 636 636 636 636 636 636 636 636 636
636 337 337 838 838 838 531 1000 684 686 698 770 632 575 775 752 295 295 656 557 863 748 787 603 787
695 635 611 732 684 989 685 611 685 390 337 390 838 500 500 613 635 550 635 615 352 635 634 278 278
579 278 974 634 612 635 635 411 521 392 634 592 818 592 592 525 636 337 636 838"""
_BOLD = """
348 456 521 838 696 1002 872 306 457 457 523 838 380 415 380 365 696 696 696 696 696 696 696 696 696
696 400 400 838 838 838 580 1000 774 762 734 830 683 683 821 837 372 372 775 637 995 837 850 733 850
770 720 682 812 774 1103 771 724 725 457 365 457 838 500 500 675 716 593 716 678 435 716 712 343 343
665 343 1042 712 687 716 716 493 595 478 712 652 924 645 652 582 712 365 712 838"""
_PUNCTUATION = {
    "\u00a0": 348, "\u202f": 200, "\u2009": 200, "·": 380, "–": 500, "—": 1000, "‘": 380, "’": 380,
    "“": 657, "”": 657, "…": 1000, "−": 838, "×": 838, "‹": 412, "›": 412, "²": 438, "→": 838,
}  # fmt: skip
_WIDTHS = {
    bold: {chr(32 + i): int(w) for i, w in enumerate(table.split())} | _PUNCTUATION
    for bold, table in ((False, _REGULAR), (True, _BOLD))
}
"""Advance widths in thousandths of an em, read from DejaVu Sans and DejaVu Sans Bold 2.37."""

_MONO = 602

LONGEST = 400
"""Characters of a text that are looked at when it is shortened: no figure has room for more."""
_LATIN, _WIDE, _OTHER = 1170, 1300, 1410
"""Upper bounds: accented Latin letters; ideographs and pictures; every other script."""


@lru_cache(maxsize=4096)
def _advance(character: str, bold: bool) -> int:
    known = _WIDTHS[bold].get(character)
    if known is not None:
        return known
    if unicodedata.combining(character):
        return 0
    plain = unicodedata.normalize("NFD", character)[0]
    if plain in _WIDTHS[bold]:
        return _WIDTHS[bold][plain]
    if ord(character) < 0x250:
        return _LATIN
    return _WIDE if unicodedata.east_asian_width(character) in "WF" else _OTHER


@lru_cache(maxsize=1 << 15)
def width(text: str, *, size: float = 13, bold: bool = False, mono: bool = False) -> float:
    """Greatest width in px that a line of text can take.

    Args:
        text: One line.
        size: Font size in px.
        bold: Whether it is set in weight 600.
        mono: Whether it is set in the mono face.

    >>> width("50/58", size=10), width("50/58", size=10, bold=True), width("ab", size=10, mono=True)
    (28.81, 31.49, 12.04)
    """
    if mono:
        cells = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
        return round(cells * _MONO * size / 1000, 2)
    return round(sum(_advance(c, bold) for c in text) * size / 1000, 2)


def fit(text: str, room: float, *, size: float = 13, bold: bool = False, mono: bool = False) -> str:
    """The text, shortened in its middle if it is wider than ``room`` px: both ends distinguish names.

    >>> fit("alpha", 200), fit("a-model-with-a-very-long-name-2026-07", 120)
    ('alpha', 'a-model…026-07')
    """
    if width(text, size=size, bold=bold, mono=mono) <= room:
        return text

    def short(keep: int) -> str:
        return f"{text[: (keep + 1) // 2]}…{text[len(text) - keep // 2 :]}"

    def spare(keep: int) -> float:
        return width(short(keep), size=size, bold=bold, mono=mono) - room

    return short(_most(spare, min(len(text) - 1, LONGEST)))


def _most(spare: Callable[[int], float], most: int) -> int:
    """How many characters may be kept: the last number from 0 to ``most`` that is not too wide, else 0."""
    return max(0, bisect_right(range(most + 1), 0.0, key=spare) - 1)
