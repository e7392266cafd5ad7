"""The metric families, one folder each: record, grading, metrics, run pages, fixtures.

A folder that holds a ``FAMILY`` is found by lying here; `metrics_core.registry` lists them.
"""

from __future__ import annotations

import sys

from metrics_core.measurement import Family
from metrics_core.registry import declarations

FAMILIES: dict[str, Family] = declarations(
    sys.modules[__name__], "FAMILY", Family, lambda family: family.name
)


__all__ = [
    "FAMILIES",
]
