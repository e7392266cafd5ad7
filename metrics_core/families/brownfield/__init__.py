"""Runs on an existing application: the change that was asked for, and what it broke."""

from __future__ import annotations

from metrics_core.families.brownfield.family import FAMILY

__all__ = ["FAMILY"]
