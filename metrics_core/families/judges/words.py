"""Words of judges: how their figures are called, and in which order they stand."""

from __future__ import annotations

from metrics_core.results import MetricWords, Vocabulary

WORDS = Vocabulary(
    metrics=(
        MetricWords(
            name="judged_pass", title="passed by the judge", outcomes=("pass", "fail"), timeline=False
        ),
        MetricWords(
            name="rated_pass",
            by_run=False,
            title="passed by raters",
            outcomes=("pass", "fail"),
            timeline=False,
        ),
        MetricWords(name="raters_agree", by_run=False, title="agreement between raters"),
        MetricWords(
            name="agreement",
            by_run=False,
            title="agreement with raters",
            outcomes=("as raters say", "otherwise"),
        ),
        MetricWords(
            name="cohens_kappa", by_run=False, title="Cohen's kappa", counts="as raters say", made="kappa"
        ),
        MetricWords(name="sensitivity", by_run=False, outcomes=("passed", "failed")),
        MetricWords(name="specificity", by_run=False, outcomes=("failed", "passed")),
        MetricWords(name="strictness", by_run=False, outcomes=("failed", "passed")),
        MetricWords(name="leniency", by_run=False, outcomes=("passed", "failed")),
        MetricWords(name="verdict_flips", by_run=False, title="flips", counts="with a flip"),
        MetricWords(
            name="items_flipped",
            by_run=False,
            title="items with a flip",
            outcomes=("flipped", "always the same"),
        ),
        MetricWords(
            name="corrected_pass",
            by_run=False,
            title="corrected for the judge's errors",
            counts="passed by the judge",
            made="corrected share",
        ),
        MetricWords(
            name="powered_pass",
            by_run=False,
            title="prediction-powered",
            counts="with a rating",
            made="prediction-powered share",
        ),
    ),
    first=(
        "agreement",
        "cohens_kappa",
        "sensitivity",
        "specificity",
        "strictness",
        "leniency",
        "verdict_flips",
        "items_flipped",
        "judged_pass",
        "corrected_pass",
        "powered_pass",
        "rated_pass",
        "raters_agree",
    ),
    examines="judge",
    readings=("judge", "grader"),
)
