"""Words of attempts: verdicts, the conditions they were made under, and how they were established."""

from __future__ import annotations

from metrics_core.results import GroupKey, MetricWords, NoEvidence, Stratum, Vocabulary

WORDS = Vocabulary(
    metrics=(
        MetricWords(name="utility", outcomes=("achieved", "not achieved")),
        MetricWords(name="security", outcomes=("held", "breached")),
        MetricWords(name="attack_success", outcomes=("breached", "held"), timeline=False),
        MetricWords(name="autonomy", outcomes=("acted alone", "did not")),
    ),
    first=("utility", "security", "autonomy"),
    together=("utility", "security", "autonomy"),
    strata=(
        Stratum(key="condition", value="benign", title="benign"),
        Stratum(key="condition", value="capability", title="as a capability"),
        Stratum(key="condition", value="unspecified", title="condition not stated"),
        Stratum(key="condition", value="attack:", title="under attack", prefix=True),
        Stratum(key="evaluator", value="measured", title="measured", in_titles=False, in_rows=False),
        Stratum(
            key="evaluator",
            value="assertion",
            title="asserted, not measured",
            no_evidence=NoEvidence(
                why="asserted, not measured: a fixed evaluator says what it was told to",
                brief="asserted",
                lifted_by="A state or judge evaluator in place of the fixed one.",
            ),
        ),
    ),
    keys=(GroupKey(key="suite", bare=True),),
)
