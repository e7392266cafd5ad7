"""Kinds of estimates that need more of a run than its value: `repeated_tasks` (pass^k) and `judged`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.measurement.kinds import judged, repeated_tasks
else:
    __getattr__ = on_demand(__name__)

__all__ = ["judged", "repeated_tasks"]
