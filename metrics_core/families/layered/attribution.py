"""Whose failure a failed request was, and what an end-to-end row shows of each layer.

Does: apply the rules, first to last, to one record. Does not: take a recorded attribution for evidence of
what a layer did, unless the self-test showed that attribution fires: else such a verdict is unknown.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

from msgspec import UNSET, Struct

from metrics_core.families.layered.record import LayeredMeasurement
from metrics_core.measurement import Progress, Track
from metrics_core.results import Keys, State

UNATTRIBUTED = "unattributed"
FAULTS = ("router", "planner", "coder", UNATTRIBUTED)
CONVERSATIONS = ("conv*", "chat*", "talk*")
"""Routes on which the second layer answers itself: no plan is made and no coder is called."""

PIPELINE = Track(
    "pipeline",
    (
        ("routed right", False),
        ("plan passed", False),
        ("code passed", False),
        ("end to end passed", True),
    ),
    (("pipeline",),),
)


class Known(Struct, frozen=True):
    """A verdict of one layer: True or False, or None with the state and the reason."""

    passed: bool | None
    state: State = "known"
    reason: str = ""


def route_right(run: LayeredMeasurement) -> bool | None:
    """Whether the request went where it should; None where either route was not recorded."""
    if run.route_expected is None or run.route_actual is None:
        return None
    return run.route_actual == run.route_expected


def conversational(run: LayeredMeasurement) -> bool:
    """Whether the second layer was to answer itself."""
    expected = (run.route_expected or "").lower()
    return any(fnmatchcase(expected, pattern) for pattern in CONVERSATIONS)


def no_plan(run: LayeredMeasurement) -> str | None:
    """Why a plan is no use: ``missing`` or ``failed``; None where it is there, or was not recorded at all."""
    plan = run.plan
    if plan is UNSET:
        return None
    if plan is False:
        return "failed"
    if isinstance(plan, dict) and (plan.get("passed") is False or plan.get("error")):
        return "failed"
    if plan is None or (isinstance(plan, str) and not plan.strip()) or plan in ([], {}):
        return "missing"
    return None


def attribute(run: LayeredMeasurement) -> tuple[str, str]:
    """To whom a failed request is attributed, and by which rule.

    The recorded attribution where there is one; else a wrong route is the router's; else a missing or failed
    plan the planner's; else failing code under a right route and a plan the coder's; else it is unattributed.
    A plan that was not recorded at all counts as missing only where the route is known to be right.

    >>> from metrics_core.families.layered.record import LayeredMeasurement
    >>> row = LayeredMeasurement(measurement="total", scenario_id="s", passed=False, plan="edit a.py")
    >>> attribute(row)
    ('unattributed', 'a plan is there, and the route was not recorded')
    """
    if run.blamed is not None:
        return run.blamed, "as recorded" if run.attribution else "as the note says"
    right = route_right(run)
    if right is False:
        return "router", f"routed to {run.route_actual}, expected {run.route_expected}"
    lacking = no_plan(run)
    if lacking is not None:
        return "planner", f"the plan is {lacking}" if lacking == "missing" else "the plan failed"
    if run.plan is UNSET:
        if right:
            return "planner", "routed right, and no plan was recorded"
        return UNATTRIBUTED, "neither route nor plan was recorded"
    if right:
        return "coder", "routed right, with a plan, and the code failed"
    return UNATTRIBUTED, "a plan is there, and the route was not recorded"


def verdict_of(run: LayeredMeasurement) -> Known:
    """The row's own verdict: of the layer that was measured alone, or of the whole."""
    if run.error:
        return Known(None, "error", "the measurement itself failed")
    if run.passed is None:
        return Known(None, "unknown", "whether it passed was not found out")
    return Known(run.passed)


def router_verdict(run: LayeredMeasurement) -> Known:
    """Whether the request was routed right."""
    if run.error:
        return verdict_of(run)
    right = route_right(run)
    return Known(None, "unknown", "a route was not recorded") if right is None else Known(right)


def conversation_verdict(run: LayeredMeasurement) -> Known:
    """What an end-to-end row on a conversational route shows of the second layer."""
    whole = verdict_of(run)
    if whole.passed is not False:
        return whole
    if route_right(run) is False:
        return Known(None, "unknown", "routed wrong: the second layer was not asked")
    if route_right(run) is None:
        return Known(None, "unknown", "a route was not recorded")
    return _unless_blamed(run, "planner", Known(False, reason="the conversation failed"))


def plan_verdict(run: LayeredMeasurement, *, trusted: bool) -> Known:
    """What an end-to-end row shows of the plan.

    It passed with the whole, or where the code is what failed under it; it failed where it is missing or
    failed, or where the failure is attributed to the planner by an attribution that can be trusted.

    Args:
        run: An end-to-end row.
        trusted: Whether the attribution self-test held.
    """
    whole = verdict_of(run)
    if whole.state == "error":
        return whole
    lacking = no_plan(run)
    if lacking == "failed":
        return Known(False, reason="the plan failed")
    if whole.passed:
        if lacking:
            return Known(None, "unknown", "it passed without a plan")
        return whole
    if route_right(run) is False:
        return Known(None, "unknown", "routed wrong: the planner was not asked")
    if lacking and route_right(run):
        return Known(False, reason="the plan is missing")
    if lacking:
        return Known(None, "unknown", "no plan, and the route was not recorded")
    if run.plan is UNSET:
        return Known(None, "unknown", "the plan was not recorded")
    if whole.passed is None:
        return whole
    if trusted and run.blamed == "planner":
        return Known(False, reason="the failure is attributed to the planner")
    if route_right(run) is None and not (trusted and run.blamed == "coder"):
        return Known(None, "unknown", "a route was not recorded")
    return _unless_blamed(run, "coder", Known(True))


def code_verdict(run: LayeredMeasurement, *, trusted: bool) -> Known:
    """What an end-to-end row shows of the code: it fails with the request, routed right and planned."""
    plan = plan_verdict(run, trusted=trusted)
    if plan.state != "known":
        return plan
    if not plan.passed:
        return Known(None, "unknown", f"{plan.reason}: the coder was not asked")
    return Known(run.passed) if run.passed else Known(False, reason="the code failed")


def _unless_blamed(run: LayeredMeasurement, layer: str, verdict: Known) -> Known:
    """The verdict, unless the row attributes the failure elsewhere, against its own evidence."""
    if run.blamed in (None, layer):
        return verdict
    return Known(
        None, "unknown", f"the failure is attributed to the {run.blamed}, which the row does not show"
    )


def progress_of(run: LayeredMeasurement, *, trusted: bool) -> Progress:
    """How far a request came through the pipeline; see `plan_verdict`."""

    def at(reached: int, lost: Known | None = None) -> Progress:
        gone = lost or Known(run.passed)
        stratum = Keys({"coder": coder_of(run), "measured": measured_of(run)})
        return Progress("pipeline", stratum, reached, gone.state, gone.reason)

    route = router_verdict(run)
    if route.passed is None:
        return at(0, route)
    if not route.passed:
        return at(0, Known(False, reason="routed wrong, though it passed" if run.passed else "routed wrong"))
    if conversational(run):
        spoken = conversation_verdict(run)
        return at(4) if spoken.passed else at(1, spoken)
    plan = plan_verdict(run, trusted=trusted)
    if not plan.passed:
        return at(1, plan)
    code = code_verdict(run, trusted=trusted)
    return at(4) if code.passed else at(2, code)


def measured_of(run: LayeredMeasurement) -> str:
    """``standalone`` or ``end to end``: a layer alone and the whole pipeline are two things."""
    return "end to end" if run.end_to_end else "standalone"


def coder_of(run: LayeredMeasurement) -> str:
    """``own`` or ``reference``: whether the pipeline's own coder stood behind the measurement."""
    return "own" if run.ref_coder is None else "reference"
