"""Marks that stand for something: patterns of states, swatches, the identicon of a digest.

They are drawn the same in captions, tables, figures and pages.
"""

from __future__ import annotations

from site_src.marks import hallmark
from site_src.marks.hallmark import Kind, digits, identicon, short
from site_src.marks.patterns import LOOKS, STATE_NAMES, StateName, colour, hatch
from site_src.marks.swatch import swatch

__all__ = [
    "LOOKS",
    "STATE_NAMES",
    "Kind",
    "StateName",
    "colour",
    "digits",
    "hallmark",
    "hatch",
    "identicon",
    "short",
    "swatch",
]
