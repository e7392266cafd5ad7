"""Requests through a layered pipeline: which layer lost them."""

from __future__ import annotations

from metrics_core.families.layered.family import FAMILY

__all__ = ["FAMILY"]
