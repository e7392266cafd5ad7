"""Answers to questions with a known reference: are they exact, and how much of it do they state?"""

from __future__ import annotations

from metrics_core.families.questions.family import FAMILY

__all__ = ["FAMILY"]
