"""Chat models crossed with coder models: checks that pass, turn by turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.families.matrix.family import FAMILY
else:
    __getattr__ = on_demand(__name__)

FOLDER = "logs"
"""Where its records lie in an experiment; known without the rest of the family."""

__all__ = ["FAMILY", "FOLDER"]
