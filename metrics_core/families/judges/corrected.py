"""The score without a judge's errors: a second estimate, under a contract of its own.

It holds only where the judge errs on rated items as it does on others; the prediction-powered mean only where
rated items are a random part of all. Its runs are the judge's verdicts, with what raters say of each:
`metrics_core.families.judges.held_against_raters`.
"""

from __future__ import annotations

from typing import Final

from metrics_core.measurement import Metric

CORRECTED: Final = (
    Metric(
        name="corrected_pass",
        kind="corrected",
        of="verdicts",
        grid=False,
        estimand="share of all judged items that truly pass, from the share that the judge passes and its "
        "sensitivity and specificity on rated items of the same group (Rogan and Gladen); none where the "
        "judge is no better than chance; n counts verdicts that are a pass",
    ),
    Metric(
        name="powered_pass",
        kind="powered",
        of="judged items",
        grid=False,
        estimand="mean of the judge's verdicts on items without a label, plus the mean of what it errs on "
        "rated items (prediction-powered); only where the experiment says that these are a random part of "
        "all; n counts rated items",
    ),
)
