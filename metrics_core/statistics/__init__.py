"""Numbers in, intervals, differences and tests out, each with its source.

Here live proportions, bootstraps, clusters, order statistics, exact tests and the rule of separation.
Nothing here knows a record, a family or an experiment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand
from metrics_core.statistics.pass_at_k import pass_at_k
from metrics_core.statistics.smallest_difference import smallest_difference

if TYPE_CHECKING:
    from metrics_core.statistics import separation
    from metrics_core.statistics.agreement import (
        Pair,
        Proportion,
        clustered_kappa,
        confusion,
        corrected,
        f1,
        flip_rate,
        kappa,
        prediction_powered,
    )
    from metrics_core.statistics.bootstrap import (
        bootstrap_mean_ci,
        exact_cluster_bootstrap,
        exact_percentile_bootstrap,
        on_common_scale,
        signed_interval,
    )
    from metrics_core.statistics.bounds import manski_bounds, outer_limits, share_not_known
    from metrics_core.statistics.clustered import (
        cr1_t,
        degrees_of_freedom,
        design_effect,
        effective_n,
        icc_anova,
        standard_error,
        task_weighted,
        wilson_effective,
    )
    from metrics_core.statistics.differences import (
        LAST_BITS,
        cost_ratio,
        paired_binary,
        paired_t,
        unpaired_binary,
        unpaired_means,
    )
    from metrics_core.statistics.distributions import t_quantile
    from metrics_core.statistics.exact_limits import clopper_pearsons
    from metrics_core.statistics.exact_tests import fisher_exact
    from metrics_core.statistics.frequencies import (
        ClusterSums,
        Frequencies,
        Values,
        counts_of,
        exact_sum,
        sums,
        together,
    )
    from metrics_core.statistics.order_statistics import (
        median_rank,
        mover_ratio,
        summarised,
        tail_quantile,
        tail_ratio,
    )
    from metrics_core.statistics.pass_at_k import OverTasks, over_tasks, pass_hat_k
    from metrics_core.statistics.planning import (
        DifferenceVariance,
        repetition_shock,
        task_share,
        tasks_to_detect,
        tasks_to_settle,
        tasks_to_tell,
        variance_of_difference,
        within_tasks,
    )
    from metrics_core.statistics.proportions import MANY_SHARES, clopper_pearson, wider, wilson_limits
    from metrics_core.statistics.separation import (
        MIN_COMPARED,
        MIN_DISCORDANT,
        brackets,
        holm,
        p_worse,
        verdict,
    )
    from metrics_core.statistics.smallest_difference import task_moments
    from metrics_core.statistics.t_table import POWER_REACH, POWERS, Z_800, Z_975
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "LAST_BITS",
    "MANY_SHARES",
    "MIN_COMPARED",
    "MIN_DISCORDANT",
    "POWERS",
    "POWER_REACH",
    "Z_800",
    "Z_975",
    "ClusterSums",
    "DifferenceVariance",
    "Frequencies",
    "OverTasks",
    "Pair",
    "Proportion",
    "Values",
    "bootstrap_mean_ci",
    "brackets",
    "clopper_pearson",
    "clopper_pearsons",
    "clustered_kappa",
    "confusion",
    "corrected",
    "cost_ratio",
    "counts_of",
    "cr1_t",
    "degrees_of_freedom",
    "design_effect",
    "effective_n",
    "exact_cluster_bootstrap",
    "exact_percentile_bootstrap",
    "exact_sum",
    "f1",
    "fisher_exact",
    "flip_rate",
    "holm",
    "icc_anova",
    "kappa",
    "manski_bounds",
    "median_rank",
    "mover_ratio",
    "on_common_scale",
    "outer_limits",
    "over_tasks",
    "p_worse",
    "paired_binary",
    "paired_t",
    "pass_at_k",
    "pass_hat_k",
    "prediction_powered",
    "repetition_shock",
    "separation",
    "share_not_known",
    "signed_interval",
    "smallest_difference",
    "standard_error",
    "summarised",
    "sums",
    "t_quantile",
    "tail_quantile",
    "tail_ratio",
    "task_moments",
    "task_share",
    "task_weighted",
    "tasks_to_detect",
    "tasks_to_settle",
    "tasks_to_tell",
    "together",
    "unpaired_binary",
    "unpaired_means",
    "variance_of_difference",
    "verdict",
    "wider",
    "wilson_effective",
    "wilson_limits",
    "within_tasks",
]
