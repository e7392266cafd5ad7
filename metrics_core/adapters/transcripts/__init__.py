"""Transcripts of outside formats, one a module: what a reader is shown of the element behind a run.

A module is named as its adapter and holds ``transcript``. None moves a number, so no contract holds one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.adapters.transcripts.registry import is_shown, with_source
else:
    __getattr__ = on_demand(__name__)

__all__ = ["is_shown", "with_source"]
