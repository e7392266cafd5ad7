"""Layered pipeline: how good is each layer alone, how good in the whole, and whose was a failure?

Unit: one measurement, of a layer alone or of the pipeline from end to end. The two are never pooled, nor is
a planner that was measured with a reference coder pooled with one that was not. A failure that no rule
attributes stays unattributed, in sight.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from metrics_core.codes import RECORDED_ONLY
from metrics_core.contract import Contract, Fixture
from metrics_core.control import Control
from metrics_core.estimate import pairs
from metrics_core.family import Context, Family, Metric, Observed, RowBatches
from metrics_core.reader import Row
from metrics_core.readings.attribution import FAULTS, PIPELINE, progress_of
from metrics_core.readings.layered import (
    context_of,
    dims_of,
    findings_of,
    outcomes_of,
    spent_of,
    trusts_attribution,
)
from metrics_core.recorded_controls import SELFTEST, attribution_selftest
from metrics_core.records.layered import LayeredMeasurement
from metrics_core.reviews.layered import review
from metrics_core.stamps import utc

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
        parted="route_actual",
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
        parted="to",
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
            dims=pairs(dims_of(run, context)),
            stamp=None if run.stamp is None else utc(run.stamp),
            outcomes=(*outcomes_of(run, trusted=trusted), *context_of(run, RECORDED_ONLY)),
            progress=(progress_of(run, trusted=trusted),) if run.end_to_end else (),
            spent_by_part=tuple(spent_of(run, context)),
            findings=tuple(findings_of(run)),
        )


def controls(context: Context, recorded: Mapping[str, bytes], rows: RowBatches) -> Iterator[Control]:
    """The attribution self-test: an attribution that never fires attributes nothing."""
    yield attribution_selftest(recorded.get(SELFTEST), SELFTEST)


def _row(measurement: str, passed: bool | None, **more: Any) -> dict[str, Any]:
    """A tiny measurement for a fixture; every field may be replaced."""
    models = {"l1": "a", "l2": "b", "l3": "c"}
    return {"measurement": measurement, "scenario_id": "s1", "passed": passed, **models, **more}


def _total(
    passed: bool | None, expected: str | None, actual: str | None, plan: Any, **more: Any
) -> dict[str, Any]:
    return _row("total", passed, route_expected=expected, route_actual=actual, plan=plan, **more)


OWN, ALONE = "coder=own&measured=end%20to%20end", "coder=own&measured=standalone"
FIXTURES = (
    Fixture(
        "a layer alone and the whole pipeline are two strata, and so is a reference coder",
        (
            _row("l1", None, route_expected="code", route_actual="code"),
            _row("l1", None, route_expected="code", route_actual="chat"),
            _row("l1", None, route_expected="code"),
            _row("l2plan", True),
            _row("l2plan", False, ref_coder="r"),
            _row("l2conv", True),
            _row("l3", False),
            _total(True, "code", "code", "edit a.py"),
        ),
        (
            (f"router_accuracy?{ALONE}", "1/2 0.5"),
            (f"router_accuracy?{OWN}", "1/1 1"),
            (f"route_taken?route_actual=chat&route_expected=code&{ALONE}", "1/2 0.5"),
            (f"plan_pass?{ALONE}", "1/1 1"),
            ("plan_pass?coder=reference&measured=standalone", "0/1 0"),
            (f"plan_pass?{OWN}", "1/1 1"),
            (f"conv_pass?{ALONE}", "1/1 1"),
            (f"coder_pass?{ALONE}", "0/1 0"),
            (f"total_pass?pipeline=a%20%2B%20b%20%2B%20c&{OWN}", "1/1 1"),
            (f"failures_attributed?to=coder&{OWN}", "no such figure"),
        ),
    ),
    Fixture(
        "failures: the record, else the route, else the plan, else the code, else nobody",
        (
            _total(False, "code", "code", "edit a.py", attribution="planner"),
            _total(False, "code", "code", "edit a.py", note="slow; attribution: router"),
            _total(False, "code", "chat", None),
            _total(False, "code", "code", None),
            _total(False, "code", "code", {"passed": False}),
            _total(False, "code", "code", "edit a.py"),
            _total(False, "code", None, "edit a.py"),
            _total(True, "code", "code", "edit a.py"),
            _total(None, "code", "code", "edit a.py"),
        ),
        (
            (f"failures_attributed?to=router&{OWN}", "2/7 0.285714"),
            (f"failures_attributed?to=planner&{OWN}", "3/7 0.428571"),
            (f"failures_attributed?to=coder&{OWN}", "1/7 0.142857"),
            (f"failures_attributed?to=unattributed&{OWN}", "1/7 0.142857"),
            (f"total_pass?{OWN}", "1/8 0.125"),
            (f"plan_pass?{OWN}", "2/4 0.5"),
            (f"coder_pass?{OWN}", "1/2 0.5"),
            (f"stage?stage=attempts&{OWN}", "9/9 1"),
            (f"stage?stage=routed%20right&{OWN}", "7/9 0.777778"),
            (f"stage?stage=plan%20passed&{OWN}", "2/9 0.222222"),
            (f"stage?stage=code%20passed&{OWN}", "1/9 0.111111"),
            (f"stage?stage=end%20to%20end%20passed&{OWN}", "1/9 0.111111"),
        ),
    ),
    Fixture(
        "each layer's cost is its own, and the total is no layer's",
        (_total(True, "code", "code", "p", l1_cost=0.5, l2_cost=0.25, l3_cost=0.125, total_cost=0.875),),
        (
            ("cost?coder=own&layer=l1&measured=end%20to%20end&prices=recorded%2C%20no%20table", "1/1 0.5"),
            ("cost?coder=own&layer=l3&measured=end%20to%20end&prices=recorded%2C%20no%20table", "1/1 0.125"),
            (
                "cost?coder=own&layer=total&measured=end%20to%20end&prices=recorded%2C%20no%20table",
                "1/1 0.875",
            ),
        ),
    ),
)

CONTRACT = Contract(
    id="assay/layered",
    version="1",
    title="Layered pipeline: layers alone and end to end, and whose a failure was",
    module=__name__,
    promise=tuple((m.name, m.estimand) for m in METRICS),
    fixtures=FIXTURES,
)

FAMILY = Family(
    name="layered",
    title="Layered pipeline",
    folder="logs_layered",
    contract=CONTRACT,
    record=LayeredMeasurement,
    metrics=METRICS,
    tracks=(PIPELINE,),
    observe=observe,
    review=review,
    controls=controls,
)
