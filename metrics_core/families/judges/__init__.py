"""Labels of raters beside the verdicts of a judge: how far it errs, and what the score is without that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.families.judges.family import FAMILY
else:
    __getattr__ = on_demand(__name__)

FOLDER = "judge-labels"
"""Where its records lie in an experiment; known without the rest of the family."""

BESIDE = True
"""Its records stand beside those of other families."""

__all__ = ["BESIDE", "FAMILY", "FOLDER"]
