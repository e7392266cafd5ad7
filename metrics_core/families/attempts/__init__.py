"""Attempts at tasks on GitHub: utility, security and autonomy, from the evidence of each run."""

from __future__ import annotations

from metrics_core.families.attempts.family import FAMILY

__all__ = ["FAMILY"]
