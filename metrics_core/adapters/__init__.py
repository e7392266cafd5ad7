"""Outside formats, one a module: each claims files and converts them to records.

A module that holds an ``ADAPTER`` is found by lying in this folder; `metrics_core.registry` lists them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.adapters.registry import ADAPTERS
else:
    __getattr__ = on_demand(__name__)

__all__ = ["ADAPTERS"]
