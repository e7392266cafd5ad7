"""Words of questions: a title, an order, a chosen answer that heads no page, and no more than that."""

from __future__ import annotations

from metrics_core.vocabulary import MetricWords, Stratum, Vocabulary

WORDS = Vocabulary(
    metrics=(MetricWords(name="recall", title="facts recalled"),),
    first=("recall",),
    strata=(
        Stratum(
            key="form", value="choice", title="chosen from four", no_evidence="a chosen answer may be a guess"
        ),
    ),
)
