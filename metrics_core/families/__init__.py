"""The metric families: every module of this folder that holds a ``FAMILY``, by its name.

A family is added by dropping its module in; see `metrics_core.registry`.
"""

from __future__ import annotations

import sys

from metrics_core.family import Family
from metrics_core.registry import declarations

FAMILIES: dict[str, Family] = declarations(
    sys.modules[__name__], "FAMILY", Family, lambda family: family.name
)
