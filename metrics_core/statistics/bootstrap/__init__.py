"""The bootstrap of a mean: `resampled` by its own generator, and `exact` where every resample can be counted.

Here live both, and what they have to be given. Which number has which, `metrics_core.measurement` says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.statistics.bootstrap.exact import (
        exact_cluster_bootstrap,
        exact_percentile_bootstrap,
        on_common_scale,
    )
    from metrics_core.statistics.bootstrap.resampled import bootstrap_mean_ci, signed_interval
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "bootstrap_mean_ci",
    "exact_cluster_bootstrap",
    "exact_percentile_bootstrap",
    "on_common_scale",
    "signed_interval",
]
