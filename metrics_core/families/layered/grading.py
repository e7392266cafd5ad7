"""What one measurement comes to: the verdicts of its layers, its keys, its money, and its contradictions.

Counting is the family's business, showing is the review's; both read the same values here. Whose failure
a failed request was is in `metrics_core.families.layered.attribution`.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum

from msgspec import UNSET

from metrics_core import pricing
from metrics_core.contracts import SELFTEST, attribution_selftest
from metrics_core.families.layered.attribution import (
    Known,
    attribute,
    code_verdict,
    coder_of,
    conversation_verdict,
    conversational,
    measured_of,
    no_plan,
    plan_verdict,
    route_right,
    router_verdict,
    verdict_of,
)
from metrics_core.families.layered.record import LayeredMeasurement
from metrics_core.measurement import Context, Outcome, Spent
from metrics_core.results import Keys

NOT_RECORDED = "not recorded"
STANDALONE = {"l2plan": "plan_pass", "l2conv": "conv_pass", "l3": "coder_pass", "total": "total_pass"}
"""Measurement -> the metric that its own verdict belongs to."""

DOLLARS_APART, SECONDS_APART = 2e-6, 0.02
"""What four numbers that were each rounded, to a millionth dollar or a hundredth second, may be apart."""


def stratum_of(run: LayeredMeasurement) -> Keys:
    """How it was measured, and with whose coder; nothing is pooled over either."""
    return Keys({"coder": coder_of(run), "measured": measured_of(run)})


def dims_of(run: LayeredMeasurement, context: Context) -> dict[str, str]:
    """Keys of a measurement: the model in each layer, the pipeline, routes, and who failed."""
    models = {"l1": run.l1, "l2": run.l2, "l3": run.l3}
    keys = {layer: context.arm(model) for layer, model in models.items() if model is not None}
    if len(keys) == len(models):
        keys["pipeline"] = " + ".join(keys.values())
    routes = {"route_expected": run.route_expected, "route_actual": run.route_actual}
    keys |= {name: route for name, route in routes.items() if route is not None}
    if run.end_to_end and run.passed is False and not run.error:
        keys["to"] = attribute(run)[0]
    return {"scenario": run.scenario_id, **keys}


def setup_of(run: LayeredMeasurement) -> dict[str, str]:
    """What was measured, before anything is known of how it went."""
    models = {"l1": run.l1, "l2": run.l2, "l3": run.l3}
    named = {layer: model for layer, model in models.items() if model is not None}
    return {"scenario": run.scenario_id, "measurement": run.measurement, **named}


def trusts_attribution(context: Context) -> bool:
    """Whether the experiment's self-test showed that recorded attribution fires for each layer."""
    return attribution_selftest(context.controls.get(SELFTEST)).state == "held"


def verdicts_of(run: LayeredMeasurement, *, trusted: bool) -> Iterator[tuple[str, Known]]:
    """(metric, verdict) of each layer that the row says something of, in the order of the layers.

    Args:
        run: The measurement.
        trusted: Whether recorded attributions can be trusted.
    """
    router = router_verdict(run)
    if router.passed is not None or run.measurement in ("l1", "total"):
        yield "router_accuracy", router
    if run.end_to_end:
        if conversational(run):
            yield "conv_pass", conversation_verdict(run)
        else:
            yield "plan_pass", plan_verdict(run, trusted=trusted)
            yield "coder_pass", code_verdict(run, trusted=trusted)
    if run.measurement in STANDALONE:
        yield STANDALONE[run.measurement], verdict_of(run)


def outcomes_of(run: LayeredMeasurement, *, trusted: bool) -> Iterator[Outcome]:
    """What each metric says of the measurement; see `verdicts_of`."""
    stratum = stratum_of(run)
    for metric, verdict in verdicts_of(run, trusted=trusted):
        found = _outcome(metric, stratum, verdict)
        yield found
        if metric == "router_accuracy":
            yield found._replace(metric="route_taken")
    whole = verdict_of(run)
    if run.end_to_end and not whole.passed:
        yield _outcome("failures_attributed", stratum, whole)


def _outcome(metric: str, stratum: Keys, verdict: Known) -> Outcome:
    if verdict.passed is None:
        return Outcome(metric, stratum, verdict.state, reason=verdict.reason)
    return Outcome(metric, stratum, "known", float(verdict.passed), int(verdict.passed), 1)


def model_of(run: LayeredMeasurement, layer: str, context: Context) -> str:
    """The model that a layer is billed to: of the third layer the reference coder, where one stood in."""
    recorded = {"l1": run.l1, "l2": run.l2, "l3": run.ref_coder or run.l3}[layer]
    return NOT_RECORDED if recorded is None else context.arm(recorded)


def spent_of(run: LayeredMeasurement, context: Context) -> Iterator[Spent]:
    """Money of each layer: of a request every layer's, of a layer alone what was recorded."""
    for layer, dollars in run.costs():
        if dollars is not None or run.end_to_end:
            stratum = stratum_of(run) | {"layer": layer}
            recorded = None if dollars is None else pricing.femto(dollars)
            yield Spent(model_of(run, layer, context), stratum, recorded, None)


def context_of(run: LayeredMeasurement, prices: str) -> Iterator[Outcome]:
    """Time of each layer and of the whole, and what the whole cost, each in a stratum of its own.

    Args:
        run: The measurement.
        prices: What stands in place of a price table's date.
    """
    timed = (*run.latencies(), ("total", run.total_latency))
    for layer, seconds in timed:
        if seconds is not None or run.end_to_end:
            yield _quantity("latency", stratum_of(run) | {"layer": layer}, seconds)
    if run.total_cost is not None or run.end_to_end:
        whole = stratum_of(run) | {"layer": "total", "prices": prices}
        yield _quantity("cost", whole, run.total_cost)


def _quantity(metric: str, stratum: Keys, value: float | None) -> Outcome:
    if value is None:
        return Outcome(metric, stratum, "unknown", reason=NOT_RECORDED)
    return Outcome(metric, stratum, "known", float(value), 1, 1)


def names_of(run: LayeredMeasurement) -> Iterator[tuple[str, str]]:
    """What the experiment's settings may name: the model of each layer, and the scenario."""
    models = (run.l1, run.l2, run.l3, run.ref_coder)
    yield from (("models", model) for model in models if model is not None)
    yield "names", run.scenario_id


def findings_of(run: LayeredMeasurement) -> Iterator[tuple[str, str]]:
    """Where a record contradicts itself: totals that are no sums, attributions that its evidence denies."""
    for name, parts, whole, apart, unit in (
        ("total_cost", run.costs(), run.total_cost, DOLLARS_APART, "USD"),
        ("total_latency", run.latencies(), run.total_latency, SECONDS_APART, "s"),
    ):
        recorded = [value for _, value in parts if value is not None]
        if whole is not None and recorded and abs(fsum(recorded) - whole) > apart:
            yield name, f"recorded {whole:g} {unit}, but its layers add up to {fsum(recorded):g} {unit}"
    where = "attribution" if run.attribution else "note"
    if run.attribution and run.noted and run.attribution != run.noted:
        yield "note", f"attributes to the {run.noted}, the field to the {run.attribution}, which is used"
    if run.blamed is None:
        return
    if run.passed:
        yield where, f"a failure is attributed to the {run.blamed}, yet it passed"
    elif run.blamed == "router" and route_right(run):
        yield where, "attributed to the router, yet the route is the expected one"
    elif run.blamed != "router" and route_right(run) is False:
        yield where, f"attributed to the {run.blamed}, yet the route is not the expected one"
    elif run.blamed == "coder" and run.plan is not UNSET and no_plan(run):
        yield where, "attributed to the coder, yet there is no plan to follow"
