"""Words of the chat x coder matrix: two parts of a pair, classes of checks, turns of a script."""

from __future__ import annotations

from metrics_core.results import Arm, GroupKey, MetricWords, Stratum, Vocabulary

WORDS = Vocabulary(
    metrics=(MetricWords(name="check_pass", outcomes=("passed", "failed")),),
    strata=(
        Stratum(key="check", value="executed", title="executed checks"),
        Stratum(key="check", value="syntax", title="syntax checks only"),
        Stratum(key="check", value="none", title="unchecked"),
    ),
    keys=(GroupKey(key="turn_index", title="turn", step=True),),
    arms=(Arm(key="chat", title="chat model"), Arm(key="coder", title="coder model")),
)
