"""Words of questions: a title, an order, a chosen answer that heads no page, and no more than that."""

from __future__ import annotations

from metrics_core.results import MetricWords, NoEvidence, Stratum, Vocabulary

WORDS = Vocabulary(
    metrics=(MetricWords(name="recall", title="facts recalled"),),
    first=("recall",),
    strata=(
        Stratum(
            key="form",
            value="choice",
            title="chosen from four",
            no_evidence=NoEvidence(
                why="a chosen answer may be a guess", brief="chosen", lifted_by="Answers in words."
            ),
        ),
    ),
)
