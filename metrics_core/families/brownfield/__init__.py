"""Runs on an existing application: the change that was asked for, and what it broke."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.families.brownfield.family import FAMILY
else:
    __getattr__ = on_demand(__name__)

FOLDER = "logs_big"
"""Where its records lie in an experiment; known without the rest of the family."""

__all__ = ["FAMILY", "FOLDER"]
