"""Parquet files: what the footer says of the columns, and rows as lines of JSON.

Here lives whatever is asked of such a file. How far it may unfold, `metrics_core.formats.decompression` says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.formats.parquet.lines import rows
else:
    __getattr__ = on_demand(__name__)

__all__ = ["rows"]
