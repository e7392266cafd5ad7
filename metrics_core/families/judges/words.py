"""Words of judges: how their figures are called, and in which order they stand."""

from __future__ import annotations

from metrics_core.results import MetricWords, Vocabulary

WORDS = Vocabulary(
    metrics=(
        MetricWords(
            name="judged_pass", title="passed by the judge", outcomes=("pass", "fail"), timeline=False
        ),
        MetricWords(name="rated_pass", title="passed by raters", outcomes=("pass", "fail"), timeline=False),
        MetricWords(name="raters_agree", title="agreement between raters"),
        MetricWords(name="agreement", title="agreement with raters", outcomes=("as raters say", "otherwise")),
        MetricWords(name="cohens_kappa", title="Cohen's kappa", counts="as raters say", made="kappa"),
        MetricWords(name="sensitivity", outcomes=("passed", "failed")),
        MetricWords(name="specificity", outcomes=("failed", "passed")),
        MetricWords(name="strictness", outcomes=("failed", "passed")),
        MetricWords(name="leniency", outcomes=("passed", "failed")),
        MetricWords(name="verdict_flips", title="flips", counts="with a flip"),
        MetricWords(name="items_flipped", title="items with a flip", outcomes=("flipped", "always the same")),
        MetricWords(
            name="corrected_pass",
            title="corrected for the judge's errors",
            counts="passed by the judge",
            made="corrected share",
        ),
        MetricWords(
            name="powered_pass",
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
