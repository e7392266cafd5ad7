"""Traces scored by a contract: a user's own, or the score that a harness recorded."""

from __future__ import annotations

from metrics_core.families.traces.family import FAMILY

__all__ = ["FAMILY"]
