"""Words of traces: repeated tasks, and the benchmark that a run is of."""

from __future__ import annotations

from metrics_core.results import GroupKey, MetricWords, Vocabulary

WORDS = Vocabulary(
    metrics=(
        MetricWords(name="score", counts="at exactly 1"),
        MetricWords(name="quantity", title="Score, on its own scale"),
        MetricWords(name="pass_hat_k", title="pass^k", counts="at exactly 1"),
        MetricWords(name="pass_at_k", title="pass@k", counts="at exactly 1"),
    ),
    keys=(GroupKey(key="suite", bare=True),),
    benchmark="suite",
    readings=("scorer", "grader"),
)
