"""Traces scored by a contract: a user's own, or the score that a harness recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.families.traces.family import FAMILY
else:
    __getattr__ = on_demand(__name__)

FOLDER = "traces"
"""Where its records lie in an experiment; known without the rest of the family."""

__all__ = ["FAMILY", "FOLDER"]
