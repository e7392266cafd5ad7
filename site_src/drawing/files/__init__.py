"""A figure as a file that stands by itself, on paper that words are set on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.drawing.files.picture import picture_file, specification_file
else:
    __getattr__ = on_demand(__name__)

__all__ = ["picture_file", "specification_file"]
