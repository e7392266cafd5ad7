"""Marks that stand for something: patterns of states, swatches, the identicon of a digest.

They are drawn the same in captions, tables, figures and pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand
from site_src.marks.swatch import swatch

if TYPE_CHECKING:
    from site_src.marks import identicons
    from site_src.marks.identicons import DigestKind, digits, identicon, short
    from site_src.marks.patterns import LOOKS, STATE_NAMES, StateName, colour, hatch
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "LOOKS",
    "STATE_NAMES",
    "DigestKind",
    "StateName",
    "colour",
    "digits",
    "hatch",
    "identicon",
    "identicons",
    "short",
    "swatch",
]
