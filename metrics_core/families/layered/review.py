"""What a reader is shown of one measurement: each layer's verdict, whose a failure was and why, money."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import UNSET

from metrics_core.families.layered.attribution import PIPELINE, Known, attribute, no_plan, progress_of
from metrics_core.families.layered.grading import (
    context_of,
    dims_of,
    model_of,
    outcomes_of,
    stratum_of,
    trusts_attribution,
    verdicts_of,
)
from metrics_core.families.layered.record import LayeredMeasurement
from metrics_core.families.review_parts import gaps, losses, repetition
from metrics_core.formats import Row, utc
from metrics_core.measurement import Context
from metrics_core.results import RECORDED_ONLY, CostLine, Keys, Review, Step, Verdict, run_name

MEASURED = {
    "l1": "router alone",
    "l2plan": "planner alone, a plan",
    "l2conv": "planner alone, a conversation",
    "l3": "coder alone",
    "total": "end to end",
}
"""Measurement -> its words."""

TITLES = {
    "router_accuracy": ("Router", "known routes", "That the layers behind it did their part"),
    "plan_pass": ("Plan", "known plans", "That a coder can follow it"),
    "conv_pass": ("Conversation", "known conversations", "That a request for code would be handled as well"),
    "coder_pass": ("Code", "known codings", "That the plan it followed was the right one"),
    "total_pass": ("End to end", "known requests", "Which layer carried it: see the layers alone"),
}
"""Metric -> title, what N counts, and what the verdict does not establish."""


def review(rows: Sequence[Row], context: Context) -> Iterator[Review]:
    """What a reader is shown of each measurement, in order of the rows."""
    trusted = trusts_attribution(context)
    for row in rows:
        run: LayeredMeasurement = row.record
        scenario = context.settings.names.get(run.scenario_id, run.scenario_id)
        yield Review(
            experiment=context.experiment,
            family="layered",
            run=run_name("layered", row.file, row.line),
            title=f"{scenario}, {MEASURED[run.measurement]}",
            task=run.scenario_id,
            group=Keys(dims_of(run, context)),
            stamp=None if run.stamp is None else utc(run.stamp),
            file=row.file,
            line=row.line,
            verdicts=tuple(_verdicts(run, trusted)),
            facets=tuple(_facets(run)),
            lost=losses([progress_of(run, trusted=trusted)] if run.end_to_end else [], PIPELINE.stages),
            gaps=gaps((*outcomes_of(run, trusted=trusted), *context_of(run, RECORDED_ONLY))),
            facts=tuple(_facts(run)),
            costs=tuple(_costs(run, context)),
            apart=repetition(run.rep),
            record=msgspec.json.decode(row.raw),
        )


def _verdicts(run: LayeredMeasurement, trusted: bool) -> Iterator[Verdict]:
    stratum = stratum_of(run)
    for metric, verdict in verdicts_of(run, trusted=trusted):
        title, of, silent = TITLES[metric]
        yield Verdict(
            metric=metric,
            title=title,
            stratum=stratum,
            state=verdict.state,
            word=_word(metric, verdict),
            value=None if verdict.passed is None else float(verdict.passed),
            unit="fraction",
            n=int(verdict.passed is True),
            N=int(verdict.passed is not None),
            of=of,
            good=verdict.passed,
            reason=verdict.reason,
            chain=tuple(_chain(metric, run, verdict)),
            silent=silent,
        )
    if failed(run):
        yield _attribution(run, stratum)


def failed(run: LayeredMeasurement) -> bool:
    """Whether a request failed from end to end, so that the failure is somebody's."""
    return run.end_to_end and run.passed is False and not run.error


def _word(metric: str, verdict: Known) -> str:
    if verdict.passed is None:
        return verdict.state
    right, wrong = ("routed right", "routed wrong") if metric == "router_accuracy" else ("passed", "failed")
    return right if verdict.passed else wrong


def _chain(metric: str, run: LayeredMeasurement, verdict: Known) -> Iterator[Step]:
    ends = verdict.passed is None
    if verdict.state == "error":
        yield Step("Run", verdict.reason, ends=True)
        return
    if metric == "router_accuracy" or run.end_to_end:
        expected, actual = run.route_expected or "not recorded", run.route_actual or "not recorded"
        yield Step("Route", f"expected {expected}, taken {actual}", ends=ends and metric == "router_accuracy")
    if metric == "router_accuracy":
        return
    if run.end_to_end and metric in ("plan_pass", "coder_pass"):
        there = "not recorded" if run.plan is UNSET else no_plan(run) or "there"
        yield Step("Plan", there)
    outcome = {True: "passed", False: "did not pass", None: "whether it passed was not recorded"}[run.passed]
    yield Step("Record", f"{MEASURED[run.measurement]}: {outcome}")
    if verdict.reason:
        yield Step("Verdict", verdict.reason, ends=ends)


def _attribution(run: LayeredMeasurement, stratum: Keys) -> Verdict:
    to, rule = attribute(run)
    return Verdict(
        metric="failures_attributed",
        title="Failure",
        stratum=stratum,
        state="known",
        word=f"attributed to the {to}" if to != "unattributed" else to,
        value=1.0,
        unit="fraction",
        n=1,
        N=1,
        of="failed requests",
        good=None,
        polarity="neither",
        chain=(Step("Rule", rule),),
        silent="That another layer would have done its part",
    )


def _facets(run: LayeredMeasurement) -> Iterator[str]:
    yield MEASURED[run.measurement]
    if run.error:
        yield "error"
    elif run.passed is not None:
        yield "passed" if run.passed else "failed"
    elif run.measurement != "l1":
        yield "unknown"
    if failed(run):
        yield f"failure: {attribute(run)[0]}"


def _facts(run: LayeredMeasurement) -> Iterator[tuple[str, str]]:
    facts = {
        "error": run.error,
        "note": run.note,
        "plan": run.plan if isinstance(run.plan, str) else None,
        "reference coder": run.ref_coder,
        "latency": None if run.total_latency is None else f"{run.total_latency:g} s",
        "repetition": None if run.rep is None else str(run.rep),
    }
    for name, value in facts.items():
        if value:
            yield name, value
    for layer, seconds in run.latencies():
        if seconds is not None:
            yield f"latency of {layer}", f"{seconds:g} s"


def _costs(run: LayeredMeasurement, context: Context) -> Iterator[CostLine]:
    """Money as recorded: there are no tokens to recompute it from. Of a request each layer's is a part."""
    lines = [
        (f"{layer}, {model_of(run, layer, context)}", layer if run.measurement == "total" else "", dollars)
        for layer, dollars in run.costs()
    ]
    for source, part, dollars in (*lines, ("Total", "", run.total_cost)):
        if dollars is not None:
            yield CostLine(
                source=f"Recorded by the harness: {source}",
                input=None,
                cached=None,
                output=None,
                usd=dollars,
                prices=None,
                part=part,
            )
