"""Where work is done that can be cut into tasks: in this process, in several, or on a Dask cluster.

One ``map`` for all of them, and the same results in the same order. Nothing here knows what a task is about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.execution.ahead import Ahead
    from metrics_core.execution.choice import ENGINES, EngineChoice
    from metrics_core.execution.collector import uncollected
    from metrics_core.execution.engine import SERIAL, Engine
    from metrics_core.execution.processes import ends_with_parent, interrupts_blocked
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "ENGINES",
    "SERIAL",
    "Ahead",
    "Engine",
    "EngineChoice",
    "ends_with_parent",
    "interrupts_blocked",
    "uncollected",
]
