"""The layered experiment: a router, a planner and a coder, each alone and in three pipelines.

Who was at fault is written down for some failures, in the field or in the note, and left open for others.
"""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from example.arms import ALPHA, BETA, GAMMA, Arm
from example.awareness import QUESTIONS
from example.draws import chance, uniform
from example.jsonl import log
from example.scenarios import FIXES, REFACTORS

SLUG = "layered-2026-07"
STAMPS = ("2026-07-21T08:00:00Z", "2026-07-22T08:00:00Z")
CODE, TALK = "code", "conversation"
ROUTES = {"alpha": 0.97, "beta": 0.93, "gamma": 0.82}
PLANS = {"alpha": 0.90, "beta": 0.78, "gamma": 0.60}
CODES = {"alpha": 0.80, "beta": 0.72, "gamma": 0.45}
"""That a layer does its part, by model; the author's choice."""

YAML = """\
title: "Router, planner and coder, July 2026"
description: >-
  Illustrative data, made by content/generate.py; no agent was run. Each layer alone, then three pipelines
  from end to end, on requests for code and on questions. The harness wrote down whose a failure was where it
  knew.
"""


class Request(Struct, frozen=True):
    """A request: its id, the route it should take, and the plan that a sound planner would make."""

    id: str
    route: str
    plan: str


CODED = tuple(
    Request(task.id, CODE, f"edit {', '.join(task.files)}: {task.name}")
    for task in (*FIXES[:6], *REFACTORS[:2])
)
SPOKEN = tuple(Request(name, TALK, "") for name in list(QUESTIONS)[:4])
REQUESTS = (*CODED, *SPOKEN)
PIPELINES = ((GAMMA, ALPHA, BETA), (GAMMA, ALPHA, ALPHA), (BETA, BETA, BETA))


def files() -> dict[str, str]:
    """The experiment's files, by path."""
    return {
        "experiment.yaml": YAML,
        "controls/attribution_selftest.json": selftest(),
        "logs_layered/standalone.jsonl": log(alone()),
        "logs_layered/total.jsonl": log(
            _blemished(end_to_end(SLUG, STAMPS[rep - 1], pipeline, request, rep))
            for pipeline in PIPELINES
            for rep in (1, 2)
            for request in REQUESTS
        ),
    }


def selftest() -> str:
    """The harness's own record that its attribution fires for each layer, on a call that was made to fail."""
    record = {
        "control": "attribution self-test",
        "stamp": "2026-07-21T06:00:00Z",
        "fired": {"router": True, "planner": True, "coder": True},
    }
    return json.dumps(record, indent=2) + "\n"


def alone() -> list[dict[str, Any]]:
    """Each layer by itself; the planner also with a reference coder that builds what it planned."""
    rows = [_route(arm, request) for arm in (BETA, GAMMA) for request in REQUESTS]
    rows += [_layer("l2plan", "l2", arm, request, PLANS) for arm in (ALPHA, BETA) for request in CODED]
    rows += [
        {**_layer("l2plan", "l2", arm, request, PLANS, "built"), "ref_coder": ALPHA.name}
        for arm in (ALPHA, BETA)
        for request in CODED
    ]
    rows += [_layer("l2conv", "l2", arm, request, PLANS) for arm in (ALPHA, BETA) for request in SPOKEN]
    rows += [_layer("l3", "l3", arm, request, CODES) for arm in (ALPHA, BETA) for request in CODED]
    return rows


def _route(arm: Arm, request: Request) -> dict[str, Any]:
    key = (SLUG, "l1", arm.name, request.id)
    return {
        "measurement": "l1",
        "l1": arm.name,
        "scenario_id": request.id,
        "route_expected": request.route,
        "route_actual": _routed(arm, request, key),
        "passed": None,
        "l1_cost": _cost(arm, 0.02, key),
        "l1_latency": _latency(arm, 0.02, key),
        "stamp": STAMPS[0],
    }


def _layer(
    measurement: str, layer: str, arm: Arm, request: Request, rates: dict[str, float], how: str = "alone"
) -> dict[str, Any]:
    key = (SLUG, measurement, arm.name, request.id, how)
    return {
        "measurement": measurement,
        layer: arm.name,
        "scenario_id": request.id,
        "passed": chance(rates[arm.name], *key, "passes"),
        f"{layer}_cost": _cost(arm, 0.2, key),
        f"{layer}_latency": _latency(arm, 0.2, key),
        "stamp": STAMPS[0],
    }


def end_to_end(
    slug: str, stamp: str, pipeline: tuple[Arm, Arm, Arm], request: Request, rep: int
) -> dict[str, Any]:
    """One request through a pipeline, in the experiment of that name."""
    router, planner, coder = pipeline
    key = (slug, *(arm.name for arm in pipeline), request.id, rep)
    actual = _routed(router, request, key)
    talks = actual == TALK
    planned = chance(PLANS[planner.name], *key, "plans")
    coded = talks or (planned and chance(CODES[coder.name], *key, "codes"))
    passed = actual == request.route and planned and coded
    fault = None if passed else "router" if actual != request.route else "planner" if not planned else "coder"
    lost_plan = fault == "planner" and chance(0.4, *key, "no plan at all")
    calls_coder = not talks and not lost_plan
    costs = [
        _cost(router, 0.02, key),
        _cost(planner, 0.2, key),
        _cost(coder, 0.5, key) if calls_coder else None,
    ]
    times = [
        _latency(router, 0.02, key),
        _latency(planner, 0.2, key),
        _latency(coder, 0.5, key) if calls_coder else None,
    ]
    return {
        "measurement": "total",
        "l1": router.name,
        "l2": planner.name,
        "l3": coder.name,
        "scenario_id": request.id,
        "rep": rep,
        "route_expected": request.route,
        "route_actual": actual,
        "plan": None if talks or lost_plan else request.plan or "look at the files first",
        "passed": passed,
        **_attribution(fault, key),
        **{f"l{at}_cost": cost for at, cost in enumerate(costs, start=1)},
        **{f"l{at}_latency": seconds for at, seconds in enumerate(times, start=1)},
        "total_cost": round(sum(cost for cost in costs if cost is not None), 6),
        "total_latency": round(sum(seconds for seconds in times if seconds is not None), 1),
        "stamp": stamp,
    }


def _attribution(fault: str | None, key: tuple[object, ...]) -> dict[str, Any]:
    """Whose the failure was: in the field, in the note, or left to the rules."""
    if fault is None or chance(0.3, *key, "left open"):
        return {}
    if chance(0.25, *key, "in the note"):
        return {"note": f"replayed by hand; attribution: {fault}"}
    return {"attribution": fault}


def _blemished(row: dict[str, Any]) -> dict[str, Any]:
    """What is wrong with the log on purpose, each on a named row."""
    whose = (row["l1"], row["l3"], row["scenario_id"], row["rep"])
    if whose in {("gamma", "beta", "B3", 1), ("gamma", "alpha", "B5", 2), ("beta", "beta", "R1", 2)}:
        for field in ("attribution", "note"):  # the routes of these were not logged: nobody can be blamed
            row.pop(field, None)
        row.update(route_actual=None, passed=False, plan=row["plan"] or "look at the files first")
    if whose == ("beta", "beta", "B2", 1):
        row["total_cost"] = round(row["total_cost"] + 0.01, 6)  # not the sum of its layers
    if whose == ("gamma", "alpha", "B4", 1):
        row["passed"] = None  # the grader was stopped
        row.pop("attribution", None)
        row.pop("note", None)
    return row


def _routed(arm: Arm, request: Request, key: tuple[object, ...]) -> str:
    other = TALK if request.route == CODE else CODE
    return request.route if chance(ROUTES[arm.name], *key, "routes") else other


def _cost(arm: Arm, part: float, key: tuple[object, ...]) -> float:
    return round(arm.tokens * part * (0.6 + 0.8 * uniform(*key, part, "size")) * 2e-6, 6)


def _latency(arm: Arm, part: float, key: tuple[object, ...]) -> float:
    return round(arm.pace * part * (0.6 + 0.8 * uniform(*key, part, "pace")), 1)
