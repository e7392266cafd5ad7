"""Labels of raters beside the verdicts of a judge: how far it errs, and what the score is without that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.families.judges.family import FAMILY
else:
    __getattr__ = on_demand(__name__)

__all__ = ["FAMILY"]
