"""Chat models crossed with coder models: checks that pass, turn by turn."""

from __future__ import annotations

from metrics_core.families.matrix.family import FAMILY

__all__ = ["FAMILY"]
