"""Words of brownfield: change and regress, which are read together, and what is done but broken."""

from __future__ import annotations

from metrics_core.results import Corners, GroupKey, MetricWords, Stratum, Vocabulary

WORDS = Vocabulary(
    metrics=(
        MetricWords(name="change", companion="regress"),
        MetricWords(name="awareness", counts="at 0.7 or above"),
        MetricWords(name="done", outcomes=("done", "not done"), timeline=False),
        MetricWords(
            name="divergence", title="done but broken", outcomes=("done, but broken", "not"), timeline=False
        ),
        MetricWords(name="divergence_reverse", title="not done, nothing broken"),
    ),
    first=("change", "regress", "divergence"),
    together=("change", "regress", "divergence"),
    alone=("awareness",),
    strata=(
        Stratum(key="graded", value="assertions", title="graded on assertions", in_titles=False),
        Stratum(key="graded", value="claims", title="graded on claims"),
    ),
    keys=(
        GroupKey(key="kind", bare=True, on_arm_page=True),
        GroupKey(key="config", bare=True, on_arm_page=True, configuration=True),
    ),
    corners=Corners(
        metric="divergence",
        names=(
            "done, but broken",
            "done, nothing broken",
            "not done, nothing broken",
            "not done, and broken",
        ),
        note="done: exactly 1; broken: below 1",
        clause="the task is done and the application broken",
        heading="Task done, application broken",
        sentence="every assertion of the change passed and something that used to work no longer did. Change "
        "is never shown without regress.",
    ),
)
