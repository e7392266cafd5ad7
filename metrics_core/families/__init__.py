"""The metric families, one folder each: record, grading, metrics, run pages, fixtures.

A folder that holds a ``FAMILY`` is found by lying here; `metrics_core.registry` lists them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.families.registry import FAMILIES, OfEach, beside, folders
else:
    __getattr__ = on_demand(__name__)

__all__ = ["FAMILIES", "OfEach", "beside", "folders"]
