"""Which arms of a metric can be told apart, and by how much: every pair, and how one difference is made.

Here live `pairs_of_arms` (which pairs there are, judged by both rules, also under other denominators) and
`differences` (one difference, its worst case, what could have been shown).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.measurement.comparisons.differences import (
        difference,
        task_difference,
        task_mean,
        worst_case,
    )
    from metrics_core.measurement.comparisons.pairs_of_arms import (
        OTHER_DENOMINATORS,
        ComparedArm,
        ComparedPair,
        ComparedSet,
        compare_within,
        comparisons,
        not_compared,
        withheld,
    )
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "OTHER_DENOMINATORS",
    "ComparedArm",
    "ComparedPair",
    "ComparedSet",
    "compare_within",
    "comparisons",
    "difference",
    "not_compared",
    "task_difference",
    "task_mean",
    "withheld",
    "worst_case",
]
