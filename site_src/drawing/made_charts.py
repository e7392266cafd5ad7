"""Charts of every kind as they were made before: a build that finds them waits for neither Altair nor Vega.

Does: read the file that is shipped beside this module, and believe it only if it was made from the very
sources and by the very versions that would make it again. Does not: make a chart (`site_src.drawing.chart`
does, where the file is not to be believed), or write the file (``make charts`` does).
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import version
from pkgutil import get_data
from typing import Any

import msgspec

FILE = "made_charts.json"
SOURCES = ("chart.py", "layers.py")
"""What a chart is made by, beside this module."""
MAKERS = ("altair", "vl-convert-python")
"""Packages that it is made with."""


class MadeCharts(msgspec.Struct, frozen=True):
    """What is shipped.

    Attributes:
        made_from: `digest` of the sources and versions that it was made with.
        every_layer: The specification of all layers, as Altair validated it.
        layers: Kind -> its layers, from the lowest to the topmost.
        compiled: Kind -> what its specification compiles to.
        in_words: Form of a figure that is words in the page -> its specification, as Altair validated it.
    """

    made_from: str
    every_layer: dict[str, Any]
    layers: dict[str, tuple[str, ...]]
    compiled: dict[str, dict[str, Any]]
    in_words: dict[str, dict[str, Any]]


@cache
def shipped() -> MadeCharts | None:
    """The charts as shipped; None where other sources or other versions made them, or they are no charts."""
    data = _beside(FILE)
    try:
        found = msgspec.json.decode(data, type=MadeCharts)
    except msgspec.DecodeError:
        return None
    return found if found.made_from == digest() else None


def digest() -> str:
    """SHA-256 in hex of what makes charts: sources as installed, and versions."""
    parts = [*(_beside(name) for name in SOURCES), *(f"{name} {version(name)}".encode() for name in MAKERS)]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def _beside(name: str) -> bytes:
    """A file of this folder; nothing where it is missing."""
    try:
        return get_data("site_src.drawing", name) or b""
    except OSError:
        return b""
