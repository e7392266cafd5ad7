"""One arm beside another, of one readable thing or of two: rates, difference, tasks, errors, cost and time.

Here live the choice of what is compared, the layout by task, and what is said beside a difference. The
statistics are in `metrics_core.statistics`, the rules in `metrics_core.measurement`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.comparison.compared import ArmHealth, Compared, Comparing, comparing, names_apart
    from metrics_core.comparison.measured_experiment import MeasuredExperiment, measured, metric_of
    from metrics_core.comparison.pairs import arm_of, both_arms
    from metrics_core.comparison.planned import Assumed, ComparisonPlan, Design, planned_from
    from metrics_core.comparison.stability import REP, Stability, stability_of
    from metrics_core.comparison.task_by_task import TaskOutcome, task_outcomes
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "REP",
    "ArmHealth",
    "Assumed",
    "Compared",
    "Comparing",
    "ComparisonPlan",
    "Design",
    "MeasuredExperiment",
    "Stability",
    "TaskOutcome",
    "arm_of",
    "both_arms",
    "comparing",
    "measured",
    "metric_of",
    "names_apart",
    "planned_from",
    "stability_of",
    "task_outcomes",
]
