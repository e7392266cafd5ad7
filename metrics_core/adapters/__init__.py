"""Outside formats, one a module: each claims files and converts them to records.

A module that holds an ``ADAPTER`` is found by lying in this folder; `metrics_core.registry` lists them.
"""

from __future__ import annotations

import sys

from metrics_core.formats import Adapter
from metrics_core.registry import declarations

ADAPTERS: dict[str, Adapter] = declarations(
    sys.modules[__name__], "ADAPTER", Adapter, lambda adapter: adapter.format
)


__all__ = [
    "ADAPTERS",
]
