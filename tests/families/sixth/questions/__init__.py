"""Answers to questions with a known reference: are they exact, and how much of it do they state?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.families.questions.family import FAMILY
else:
    __getattr__ = on_demand(__name__)

FOLDER = "logs_questions"
"""Where its records lie in an experiment; known without the rest of the family."""

__all__ = ["FAMILY", "FOLDER"]
