"""The metric families, one folder each: record, grading, metrics, run pages, fixtures.

A folder that holds a ``FAMILY`` is found by lying here; `metrics_core.registry` lists them.
"""

from __future__ import annotations

from metrics_core.families.registry import FAMILIES

__all__ = ["FAMILIES"]
