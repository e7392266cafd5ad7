"""From records to a report's parts, the same for every family.

Here live the shape of a family, tallies and their merging, grouping, estimates, comparisons, funnels,
timelines, costs and the gate that withholds. No family and no file format is named here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand
from metrics_core.measurement.finalise import finalise
from metrics_core.measurement.tabulate import tabulate

if TYPE_CHECKING:
    from metrics_core.measurement import counterfactual, fixtures, partitions
    from metrics_core.measurement.comparisons import (
        ComparedArm,
        ComparedPair,
        ComparedSet,
        compare_within,
        difference,
        not_compared,
        task_difference,
        task_mean,
    )
    from metrics_core.measurement.cost_per_success import CostPerSuccess, SpentBeside, spent_beside
    from metrics_core.measurement.costs import cost_rows
    from metrics_core.measurement.counterfactual import (
        MOST_RUNS,
        Limits,
        RecordedOutcome,
        RunFlips,
        counted,
        counts_under,
        growth_needed,
        holm_factor,
        more_needed,
        redrawable,
        run_outcomes,
        units,
    )
    from metrics_core.measurement.estimators import reestimate
    from metrics_core.measurement.family import (
        Batch,
        Context,
        Family,
        Metric,
        Observed,
        Outcome,
        Part,
        Progress,
        RowBatches,
        Spent,
        Track,
        numbered,
    )
    from metrics_core.measurement.finalise import Findings, made_again, settled
    from metrics_core.measurement.gating import (
        apply_gate,
        doubts,
        why_comparison_withheld,
        why_withheld,
        with_source_notes,
    )
    from metrics_core.measurement.grouping import (
        TASK,
        RunGroup,
        cluster_of,
        never_recorded_beside,
        refill,
        with_never_recorded,
    )
    from metrics_core.measurement.partitions import (
        Partition,
        batches,
        many_lines,
        partition_paths,
        partitions_for,
    )
    from metrics_core.measurement.score_report import score_reports
    from metrics_core.measurement.tabulate import (
        CellKey,
        CellTally,
        Partial,
        RunTally,
        counted_review,
        graded_review,
    )
    from metrics_core.measurement.timelines import over_experiments
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "MOST_RUNS",
    "TASK",
    "Batch",
    "CellKey",
    "CellTally",
    "ComparedArm",
    "ComparedPair",
    "ComparedSet",
    "Context",
    "CostPerSuccess",
    "Family",
    "Findings",
    "Limits",
    "Metric",
    "Observed",
    "Outcome",
    "Part",
    "Partial",
    "Partition",
    "Progress",
    "RecordedOutcome",
    "RowBatches",
    "RunFlips",
    "RunGroup",
    "RunTally",
    "Spent",
    "SpentBeside",
    "Track",
    "apply_gate",
    "batches",
    "cluster_of",
    "compare_within",
    "cost_rows",
    "counted",
    "counted_review",
    "counterfactual",
    "counts_under",
    "difference",
    "doubts",
    "finalise",
    "fixtures",
    "graded_review",
    "growth_needed",
    "holm_factor",
    "made_again",
    "many_lines",
    "more_needed",
    "never_recorded_beside",
    "not_compared",
    "numbered",
    "over_experiments",
    "partition_paths",
    "partitions",
    "partitions_for",
    "redrawable",
    "reestimate",
    "refill",
    "run_outcomes",
    "score_reports",
    "settled",
    "spent_beside",
    "tabulate",
    "task_difference",
    "task_mean",
    "units",
    "why_comparison_withheld",
    "why_withheld",
    "with_never_recorded",
    "with_source_notes",
]
