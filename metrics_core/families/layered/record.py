"""One measurement of the layered pipeline (router, planner, coder), as the harness wrote it.

Does: hold a measurement of one layer alone, or of the whole pipeline. Does not: attribute a failure; whose
it was is the family's question.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from msgspec import UNSET, Struct, UnsetType

from metrics_core.formats import Count, Dollars, Name, Seconds, Stamp, doc

Fault = Literal["router", "planner", "coder"]

_IN_NOTE = re.compile(r"\battribution:\s*(router|planner|coder)\b", re.IGNORECASE)


class LayeredMeasurement(Struct, frozen=True, kw_only=True, gc=False):
    """One measurement of one layer, or of the pipeline from end to end.

    A value that was not recorded is None, whether the field is null or missing, `plan` apart; only
    `measurement` and `scenario_id` cannot be missing. Fields that are not named here are not read.
    """

    measurement: Annotated[
        Literal["l1", "l2plan", "l2conv", "l3", "total"],
        doc(
            "What was measured: the router alone (l1), the planner alone on a plan (l2plan) or on a "
            "conversation (l2conv), the coder alone (l3), or the pipeline from end to end (total)."
        ),
    ]
    scenario_id: Annotated[
        Name, doc("Scenario. Measurements that share it are repetitions of one task, and err together.")
    ]
    l1: Annotated[Name | None, doc("The model in the first layer, the router.")] = None
    l2: Annotated[Name | None, doc("The model in the second layer, the planner.")] = None
    l3: Annotated[Name | None, doc("The model in the third layer, the coder.")] = None
    ref_coder: Annotated[
        Name | None,
        doc(
            "A reference coder that stood in for the third layer, so that the planner could be measured "
            "alone: such measurements are a stratum of their own."
        ),
    ] = None
    route_expected: Annotated[Name | None, doc("The route that the request should take.")] = None
    route_actual: Annotated[Name | None, doc("The route that the router chose.")] = None
    plan: Annotated[
        Any | UnsetType,
        doc(
            "The planner's output. Null or empty: there was no plan. False, or an object whose passed is "
            "false or whose error is not empty: the plan failed."
        ),
    ] = UNSET
    note: Annotated[
        str | None, doc("A remark; attribution: and a layer's name in it attribute a failure to that layer.")
    ] = None
    passed: Annotated[
        bool | None,
        doc("Whether the layer's output, or the whole request, passed; null where that was not found out."),
    ] = None
    grader_version: Annotated[
        str | int | float | None,
        doc("Version of what graded this run. Another version is another instrument, and another stratum."),
    ] = None
    attribution: Annotated[
        Fault | None, doc("The layer to which the harness attributed the failure of the whole.")
    ] = None
    l1_cost: Annotated[Dollars | None, doc("Cost of the router, as the harness priced it.")] = None
    l2_cost: Annotated[Dollars | None, doc("Cost of the planner, as the harness priced it.")] = None
    l3_cost: Annotated[Dollars | None, doc("Cost of the coder, as the harness priced it.")] = None
    total_cost: Annotated[
        Dollars | None, doc("Cost of the whole. Where it is not the sum of its layers, that is shown.")
    ] = None
    l1_latency: Annotated[Seconds | None, doc("Seconds that the router took.")] = None
    l2_latency: Annotated[Seconds | None, doc("Seconds that the planner took.")] = None
    l3_latency: Annotated[Seconds | None, doc("Seconds that the coder took.")] = None
    total_latency: Annotated[
        Seconds | None,
        doc("Seconds that the whole took. Where they are not the sum of its layers, that is shown."),
    ] = None
    error: Annotated[
        str | None,
        doc("Why the measurement itself failed. It is an execution error then, and has no verdict."),
    ] = None
    stamp: Annotated[Stamp | None, doc("When the measurement was made.")] = None
    rep: Annotated[Count | None, doc("Which repetition of the scenario this is.")] = None

    @property
    def end_to_end(self) -> bool:
        """Whether the whole pipeline was measured, and not a layer alone."""
        return self.measurement == "total"

    @property
    def noted(self) -> str | None:
        """The layer that the note names behind ``attribution:``, or None."""
        found = _IN_NOTE.search(self.note or "")
        return None if found is None else found[1].lower()

    @property
    def blamed(self) -> str | None:
        """The recorded attribution: the field, else the note; None where neither is there."""
        return self.attribution or self.noted

    def costs(self) -> tuple[tuple[str, float | None], ...]:
        """US dollars of each layer, in order, as recorded."""
        return (("l1", self.l1_cost), ("l2", self.l2_cost), ("l3", self.l3_cost))

    def latencies(self) -> tuple[tuple[str, float | None], ...]:
        """Seconds of each layer, in order, as recorded."""
        return (("l1", self.l1_latency), ("l2", self.l2_latency), ("l3", self.l3_latency))
