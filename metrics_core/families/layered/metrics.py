"""Layered pipeline: how good is each layer alone, how good in the whole, and whose was a failure?

Unit: one measurement, of a layer alone or of the pipeline from end to end. The two are never pooled, nor is
a planner that was measured with a reference coder pooled with one that was not. A failure that no rule
attributes stays unattributed, in sight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metrics_core.families.layered.attribution import FAULTS, progress_of
from metrics_core.families.layered.grading import (
    context_of,
    dims_of,
    findings_of,
    names_of,
    outcomes_of,
    setup_of,
    spent_of,
    stratum_of,
    trusts_attribution,
)
from metrics_core.families.layered.record import LayeredMeasurement
from metrics_core.formats import Row, utc
from metrics_core.measurement import Context, Metric, Observed, numbered
from metrics_core.results import RECORDED_ONLY, Keys

_BY = (("pipeline",), ("l1",), ("l2",), ("l3",), ("route_expected",))
_ARMS = _BY[:4]
METRICS = (
    Metric(
        name="router_accuracy",
        kind="share",
        of="known routes",
        groups=_BY,
        compared=("l1",),
        estimand="share of the rows with both routes that went where they should",
    ),
    Metric(
        name="route_taken",
        kind="share",
        of="known routes",
        groups=(("route_expected",), ("l1", "route_expected")),
        one_vs_rest="route_actual",
        polarity="neither",
        estimand="share of the rows with both routes that took this one: the router's confusion matrix",
    ),
    Metric(
        name="plan_pass",
        kind="share",
        of="known plans",
        groups=_BY,
        compared=("l2",),
        estimand="share of known plans that passed; end to end, a plan passes with its request, or where the "
        "code is what failed under it, and fails where it is missing or failed, or the failure is attributed "
        "to the planner and the attribution self-test held",
    ),
    Metric(
        name="conv_pass",
        kind="share",
        of="known conversations",
        groups=_BY,
        compared=("l2",),
        estimand="share of known conversations that the second layer carried through",
    ),
    Metric(
        name="coder_pass",
        kind="share",
        of="known codings",
        groups=_BY,
        compared=("l3",),
        estimand="share of known codings that passed; end to end, code passes with its request, and fails "
        "where the request fails under a right route and a plan",
    ),
    Metric(
        name="total_pass",
        kind="share",
        of="known requests",
        groups=_BY,
        compared=("pipeline",),
        timeline=True,
        estimand="share of known requests that passed from end to end",
    ),
    Metric(
        name="failures_attributed",
        kind="share",
        of="failed requests",
        groups=_BY,
        one_vs_rest="to",
        levels=FAULTS,
        polarity="neither",
        estimand="share of the requests that failed end to end whose failure is attributed to this layer, by "
        "the record, else by its route, plan and code; what no rule attributes stays unattributed",
    ),
    Metric(
        name="cost",
        kind="context",
        unit="USD",
        of="measurements",
        groups=_ARMS,
        polarity="neither",
        estimand="US dollars of one measurement, layer by layer and in total, as recorded",
    ),
    Metric(
        name="latency",
        kind="context",
        unit="s",
        of="measurements",
        groups=_ARMS,
        polarity="neither",
        estimand="seconds of one measurement, layer by layer and in total",
    ),
)


def observe(rows: Sequence[Row], context: Context) -> Iterator[Observed]:
    """What each measurement says, in order of the rows."""
    trusted = trusts_attribution(context)
    for row in rows:
        run: LayeredMeasurement = row.record
        yield Observed(
            dims=Keys(dims_of(run, context)),
            stamp=None if run.stamp is None else utc(run.stamp),
            outcomes=(*outcomes_of(run, trusted=trusted), *context_of(run, RECORDED_ONLY)),
            progress=(progress_of(run, trusted=trusted),) if run.end_to_end else (),
            spent_by_part=tuple(spent_of(run, context)),
            findings=tuple(findings_of(run)),
            names=tuple(names_of(run)),
            trial=numbered(run.rep, setup_of(run), stratum_of(run)),
        )
