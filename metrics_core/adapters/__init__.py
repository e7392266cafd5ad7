"""Outside formats, one a module: each claims files and converts them to records.

A module that holds an ``ADAPTER`` is found by lying in this folder; `metrics_core.registry` lists them.
"""

from __future__ import annotations

from metrics_core.adapters.registry import ADAPTERS

__all__ = ["ADAPTERS"]
