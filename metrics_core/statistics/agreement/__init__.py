"""Agreement: `labels` of two raters (F1, kappa), and `judges`, whose verdicts are held against raters'."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.statistics.agreement.judges import (
        Pair,
        Proportion,
        clustered_kappa,
        confusion,
        corrected,
        flip_rate,
        prediction_powered,
    )
    from metrics_core.statistics.agreement.labels import f1, kappa
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "Pair",
    "Proportion",
    "clustered_kappa",
    "confusion",
    "corrected",
    "f1",
    "flip_rate",
    "kappa",
    "prediction_powered",
]
