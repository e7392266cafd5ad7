"""Words of the layered pipeline: the pipeline and its layers, each alone and from end to end."""

from __future__ import annotations

from metrics_core.results import Arm, GroupKey, MetricWords, Parts, Stratum, Vocabulary

WORDS = Vocabulary(
    metrics=(
        MetricWords(name="router_accuracy", outcomes=("routed right", "routed wrong"), arm="l1"),
        MetricWords(name="plan_pass", arm="l2"),
        MetricWords(name="conv_pass", title="conversation pass", arm="l2"),
        MetricWords(name="coder_pass", arm="l3"),
        MetricWords(name="total_pass", arm="pipeline"),
    ),
    first=("total_pass",),
    strata=(
        Stratum(key="measured", value="standalone", title="standalone"),
        Stratum(key="measured", value="end to end", title="end to end"),
        Stratum(key="coder", value="own", title="own coder", in_titles=False, in_rows=False),
        Stratum(key="coder", value="reference", title="reference coder"),
    ),
    keys=(
        GroupKey(key="pipeline", bare=True),
        GroupKey(key="to", title="layer at fault", of_outcome=True),
        GroupKey(key="route_actual", of_outcome=True),
        GroupKey(key="l1", title="layer one"),
        GroupKey(key="l2", title="layer two"),
        GroupKey(key="l3", title="layer three"),
    ),
    arms=(
        Arm(key="pipeline", title="pipeline", whole=True, composed=True),
        Arm(key="l1", title="first-layer model"),
        Arm(key="l2", title="second-layer model"),
        Arm(key="l3", title="third-layer model"),
    ),
    owner="layer",
    parts=Parts(
        key="measured",
        metrics=("router_accuracy", "plan_pass", "conv_pass", "coder_pass", "total_pass"),
        clause="alone, and in the pipeline",
    ),
)
