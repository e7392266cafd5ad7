"""The layered pipeline: layers alone beside the whole, and whose a failure was, rule by rule.

Expected values are counted by hand from the few records of each test.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

import metrics_core as mc
from metrics_core.engine import reviews
from metrics_core.errors import PoolingError
from metrics_core.families.layered.attribution import (
    attribute,
    code_verdict,
    conversational,
    no_plan,
    plan_verdict,
)
from metrics_core.families.layered.record import LayeredMeasurement
from metrics_core.families.layered.words import WORDS
from metrics_core.results.estimate import Estimate
from metrics_core.results.keys import Keys
from metrics_core.results.pooling import pool
from metrics_core.results.report import Report
from tests.support.measured import reviewed

HELD = {"router": True, "planner": True, "coder": True}
MODELS = {"l1": "a", "l2": "b", "l3": "c"}


def row(measurement: str, passed: bool | None = None, **more: Any) -> dict[str, Any]:
    return {"measurement": measurement, "scenario_id": "s1", "passed": passed, **MODELS, **more}


def total(passed: bool | None, **more: Any) -> dict[str, Any]:
    whole = {"route_expected": "code", "route_actual": "code", "plan": "edit a.py"}
    return row("total", passed, **{**whole, **more})


def report(folder: Path, records: list[dict[str, Any]], selftest: Any = HELD) -> Report:
    root = folder / "layered"
    (root / "logs_layered").mkdir(parents=True)
    (root / "logs_layered" / "all.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records), "utf-8")
    if selftest is not None:
        (root / "controls").mkdir()
        (root / "controls" / "attribution_selftest.json").write_text(json.dumps(selftest), "utf-8")
    return mc.compute(mc.load(root))


def one(found: Report, metric: str, measured: str, coder: str = "own", **group: str) -> Estimate:
    """The estimate of exactly this group."""
    stratum = {"measured": measured, "coder": coder}
    (e,) = [
        e
        for e in found.estimates
        if e.metric == metric and dict(e.group) == group and stratum.items() <= dict(e.stratum).items()
    ]
    return e


def counts(
    found: Report, metric: str, measured: str, coder: str = "own", **group: str
) -> tuple[int | None, int | None]:
    e = one(found, metric, measured, coder, **group)
    return e.n, e.N


def measured(passed: bool | None, **more: Any) -> LayeredMeasurement:
    fields: dict[str, Any] = {"route_expected": "code", "route_actual": "code", "plan": "edit a.py", **more}
    return LayeredMeasurement(measurement="total", scenario_id="s", passed=passed, **fields)


# -------------------------------------------------------------------------------------- attribution


@pytest.mark.parametrize(
    "fields, to",
    [
        ({"attribution": "planner"}, "planner"),
        ({"note": "replayed; attribution: router"}, "router"),
        ({"note": "Attribution:  CODER."}, "coder"),
        ({"attribution": "coder", "note": "attribution: router"}, "coder"),
        ({"note": "attribution: nobody", "route_actual": "chat"}, "router"),
        ({"note": "misattribution: router"}, "coder"),
        ({"note": "attribution: routers"}, "coder"),
        ({"attribution": "coder", "route_actual": "chat"}, "coder"),
        ({"route_actual": "chat"}, "router"),
        ({"route_actual": "chat", "plan": None}, "router"),
        ({"plan": None}, "planner"),
        ({"plan": ""}, "planner"),
        ({"plan": "  \n"}, "planner"),
        ({"plan": []}, "planner"),
        ({"plan": {}}, "planner"),
        ({"plan": False}, "planner"),
        ({"plan": {"steps": [1], "passed": False}}, "planner"),
        ({"plan": {"error": "over the token limit"}}, "planner"),
        ({"plan": UNSET}, "planner"),
        ({"plan": None, "route_actual": None}, "planner"),
        ({}, "coder"),
        ({"plan": {"steps": ["a"], "passed": True, "error": ""}}, "coder"),
        ({"plan": ["step"]}, "coder"),
        ({"plan": 0}, "coder"),
        ({"route_actual": None}, "unattributed"),
        ({"route_expected": None}, "unattributed"),
        ({"route_expected": None, "route_actual": None, "plan": UNSET}, "unattributed"),
    ],
)
def test_a_failure_is_attributed_by_the_first_rule_that_applies(fields: dict[str, Any], to: str) -> None:
    assert attribute(measured(False, **fields))[0] == to


def test_zero_is_a_plan_and_false_is_a_failed_one() -> None:
    assert no_plan(measured(False, plan=0)) is None
    assert no_plan(measured(False, plan=False)) == "failed"
    assert no_plan(measured(False, plan=UNSET)) is None


def test_failures_are_shares_of_failed_requests_and_what_no_rule_attributes_stays_in_sight(
    tmp_path: Path,
) -> None:
    found = report(
        tmp_path,
        [
            total(False, rep=1, attribution="planner"),
            total(False, rep=2),
            total(False, rep=3),
            total(False, rep=4, route_actual=None),
            total(True, rep=5),
            total(None, rep=6),
            total(False, rep=7, error="out of memory"),
        ],
    )
    by_to = {
        to: one(found, "failures_attributed", "end to end", to=to)
        for to in ("router", "planner", "coder", "unattributed")
    }
    assert {to: (e.n, e.N) for to, e in by_to.items()} == {
        "router": (0, 4),
        "planner": (1, 4),
        "coder": (2, 4),
        "unattributed": (1, 4),
    }
    assert (by_to["router"].attempts, by_to["router"].unknown, by_to["router"].errors) == (6, 1, 1)
    assert counts(found, "failures_attributed", "end to end", to="coder", pipeline="a + b + c") == (2, 4)
    assert counts(found, "failures_attributed", "end to end", to="coder", l3="c") == (2, 4)
    assert not [e for e in found.estimates if e.metric == "failures_attributed" and not e.group]


def test_without_a_failure_nothing_is_attributed(tmp_path: Path) -> None:
    found = report(tmp_path, [total(True), row("l3", False)])
    assert not [e for e in found.estimates if e.metric == "failures_attributed"]


# ---------------------------------------------------------------------------------- the self-test


def test_a_failed_self_test_withholds_the_attribution_and_nothing_else(tmp_path: Path) -> None:
    found = report(tmp_path, [total(False), total(True), row("l3", True)], {**HELD, "coder": False})
    assert {e.metric for e in found.estimates if e.withheld is not None} == {"failures_attributed"}
    hidden = one(found, "failures_attributed", "end to end", to="coder")
    assert (hidden.value, hidden.n, hidden.N) == (None, None, None)
    assert hidden.withheld == "attribution self-test failed: attribution never fired for coder"
    assert counts(found, "total_pass", "end to end") == (1, 2)
    assert {e.control for e in found.estimates if e.metric != "failures_attributed"} == {None}
    assert all(row.recorded is None or row.recorded >= 0 for row in found.costs)


@pytest.mark.parametrize("selftest, state", [(HELD, "held"), (None, "missing"), (["router"], "failed")])
def test_the_state_of_the_self_test_stands_beside_each_attribution(
    tmp_path: Path, selftest: Any, state: str
) -> None:
    found = report(tmp_path, [total(False)], selftest)
    e = one(found, "failures_attributed", "end to end", to="coder")
    assert e.control == f"attribution self-test {state}"
    (control,) = [c for c in found.controls if c.name == "attribution self-test"]
    assert (control.state, control.guards, control.metrics) == (state, "layered", ("failures_attributed",))
    assert (e.withheld is not None) == (state == "failed")


def test_a_recorded_attribution_speaks_of_the_plan_only_where_the_self_test_held(tmp_path: Path) -> None:
    records = [
        total(False, attribution="planner"),
        total(True),
        total(False, note="attribution: router", rep=2),
    ]
    trusted = one(report(tmp_path / "1", records), "plan_pass", "end to end")
    assert (trusted.n, trusted.N, trusted.unknown) == (1, 2, 1), (
        "the route was right: the router is not shown"
    )
    for name, selftest in (("2", None), ("3", [])):
        doubted = one(report(tmp_path / name, records, selftest), "plan_pass", "end to end")
        assert (doubted.n, doubted.N, doubted.unknown) == (1, 1, 2)


# ------------------------------------------------------------------------ layers alone and end to end


def test_each_layer_stands_alone_beside_the_whole(tmp_path: Path) -> None:
    found = report(
        tmp_path,
        [
            row("l2plan", True),
            row("l2plan", True, rep=2),
            row("l2plan", False, rep=3),
            row("l2plan", None, rep=4),
            row("l2conv", False),
            row("l3", True),
            row("l3", False, rep=2),
            total(True),
            total(False, rep=2),
            total(False, plan=None, rep=3),
            total(False, route_actual="chat", rep=4),
        ],
    )
    alone, whole = "standalone", "end to end"
    assert counts(found, "plan_pass", alone) == (2, 3)
    assert counts(found, "plan_pass", whole) == (2, 3), "passed; passed, and the code failed; missing"
    assert counts(found, "conv_pass", alone) == (0, 1)
    assert counts(found, "coder_pass", alone) == (1, 2)
    assert counts(found, "coder_pass", whole) == (1, 2)
    assert counts(found, "total_pass", whole) == (1, 4)
    assert [e for e in found.estimates if e.metric == "total_pass" and ("measured", alone) in e.stratum] == []
    assert one(found, "plan_pass", alone).unknown == 1
    reasons = {loss.reason: loss.count for loss in one(found, "coder_pass", whole).losses}
    assert reasons == {
        "the plan is missing: the coder was not asked": 1,
        "routed wrong: the planner was not asked": 1,
    }
    with pytest.raises(PoolingError, match="measured is 'standalone' here and 'end to end' there"):
        pool(one(found, "plan_pass", alone), one(found, "plan_pass", whole))


def test_a_reference_coder_is_a_stratum_of_its_own(tmp_path: Path) -> None:
    found = report(
        tmp_path,
        [row("l2plan", True), row("l2plan", False, ref_coder="r"), row("l2plan", True, ref_coder="r", rep=2)],
    )
    assert counts(found, "plan_pass", "standalone") == (1, 1)
    assert counts(found, "plan_pass", "standalone", "reference") == (1, 2)
    assert counts(found, "plan_pass", "standalone", "reference", l2="b") == (1, 2)
    with pytest.raises(PoolingError, match="a reference coder is not the pipeline's own"):
        pool(one(found, "plan_pass", "standalone"), one(found, "plan_pass", "standalone", "reference"))


@pytest.mark.parametrize("trusted", [True, False])
@pytest.mark.parametrize(
    "passed, fields, plan, code",
    [
        (True, {}, True, True),
        (True, {"plan": UNSET}, True, True),
        (True, {"route_actual": "chat"}, True, True),
        (True, {"plan": None}, None, None),
        (True, {"plan": {"passed": False}}, False, None),
        (False, {}, True, False),
        (False, {"attribution": "coder"}, True, False),
        (False, {"attribution": "router"}, None, None),
        (False, {"plan": None}, False, None),
        (False, {"plan": None, "route_actual": None}, None, None),
        (False, {"plan": UNSET}, None, None),
        (False, {"route_actual": "chat"}, None, None),
        (False, {"route_actual": None}, None, None),
        (None, {}, None, None),
        (None, {"plan": None}, False, None),
        (True, {"error": "out of memory"}, None, None),
    ],
)
def test_what_an_end_to_end_row_shows_of_plan_and_code(
    passed: bool | None, fields: dict[str, Any], plan: bool | None, code: bool | None, trusted: bool
) -> None:
    run = measured(passed, **fields)
    assert plan_verdict(run, trusted=trusted).passed is plan
    assert code_verdict(run, trusted=trusted).passed is code


def test_conversations_have_no_plan_and_no_code(tmp_path: Path) -> None:
    talk = {"route_expected": "conversation", "route_actual": "conversation", "plan": None}
    found = report(
        tmp_path,
        [
            total(True, **talk),
            total(False, **talk, rep=2),
            total(False, **{**talk, "route_actual": "code"}, rep=3),
        ],
    )
    e = one(found, "conv_pass", "end to end")
    assert (e.n, e.N, e.unknown) == (1, 2, 1)
    assert not [x for x in found.estimates if x.metric in ("plan_pass", "coder_pass")]
    assert counts(found, "failures_attributed", "end to end", to="planner") == (1, 2)
    assert [
        conversational(measured(None, route_expected=r)) for r in ("conv", "Chat", "talk", "code", None)
    ] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_models_and_pipelines_are_groups_and_the_arm_is_never_called_model(tmp_path: Path) -> None:
    found = report(
        tmp_path, [total(True), total(False, l1="z", scenario_id="s2"), row("l3", True, l1=None, l2=None)]
    )
    assert counts(found, "total_pass", "end to end", pipeline="a + b + c") == (1, 1)
    assert counts(found, "total_pass", "end to end", pipeline="z + b + c") == (0, 1)
    assert counts(found, "total_pass", "end to end", l2="b") == (1, 2)
    assert counts(found, "total_pass", "end to end", route_expected="code") == (1, 2)
    assert counts(found, "coder_pass", "standalone", l3="c") == (1, 1)
    assert not [
        e
        for e in found.estimates
        if {"pipeline", "model"} & set(e.group.names)
        and e.metric == "coder_pass"
        and ("measured", "standalone") in e.stratum
    ]
    assert not [e for e in found.estimates if "model" in e.group.names]
    (compared,) = [c for c in found.comparisons if c.metric == "total_pass"]
    assert (compared.over, compared.a, compared.b) == ("pipeline", "a + b + c", "z + b + c")


# ------------------------------------------------------------------------------------------ routes


def test_the_router_is_right_where_both_routes_are_known(tmp_path: Path) -> None:
    found = report(
        tmp_path,
        [
            row("l1", route_expected="code", route_actual="code"),
            row("l1", route_expected="code", route_actual="chat", rep=2),
            row("l1", route_expected="chat", route_actual="chat", rep=3),
            row("l1", route_expected="chat", rep=4),
            row("l3", True, route_expected="code"),
            row("l2plan", True, route_expected="code", route_actual="code"),
            total(True),
        ],
    )
    e = one(found, "router_accuracy", "standalone")
    assert (e.n, e.N, e.attempts, e.unknown) == (3, 4, 5, 1), (
        "every row with both, and the router's own without"
    )
    assert counts(found, "router_accuracy", "end to end") == (1, 1)
    assert counts(found, "router_accuracy", "standalone", route_expected="chat") == (1, 1)


def test_the_confusion_matrix_is_a_grid_of_shares_of_each_expected_route(tmp_path: Path) -> None:
    taken = [("code", "code", 5), ("code", "chat", 3), ("chat", "chat", 2), ("chat", "search", 1)]
    found = report(
        tmp_path,
        [
            row("l1", route_expected=e, route_actual=a, rep=i, scenario_id=f"{e}{a}{i}")
            for e, a, n in taken
            for i in range(n)
        ],
    )
    (grid,) = [
        g for g in found.grids if g.metric == "route_taken" and g.axes == ("route_expected", "route_actual")
    ]
    assert {(e.group["route_expected"], e.group["route_actual"]): (e.n, e.N) for e in grid.cells} == {
        ("code", "code"): (5, 8),
        ("code", "chat"): (3, 8),
        ("code", "search"): (0, 8),
        ("chat", "code"): (0, 3),
        ("chat", "chat"): (2, 3),
        ("chat", "search"): (1, 3),
    }
    assert grid.levels("route_actual") == ("chat", "code", "search")


# ------------------------------------------------------------------------------------------ funnel


def test_the_funnel_loses_each_request_at_the_layer_that_lost_it(tmp_path: Path) -> None:
    talk = {"route_expected": "conv", "route_actual": "conv", "plan": None}
    found = report(
        tmp_path,
        [
            total(True, rep=1),
            total(False, rep=2),
            total(False, plan=None, rep=3),
            total(False, plan={"error": "x"}, rep=4),
            total(False, route_actual="conv", rep=5),
            total(True, route_actual="conv", rep=6),
            total(False, route_actual=None, rep=7),
            total(None, rep=8),
            total(False, error="out of memory", rep=9),
            total(False, attribution="planner", rep=10),
            total(True, **talk, rep=11),
            total(False, **talk, rep=12),
            row("l3", False),
            row("l1", None),
        ],
    )
    for group in ((), (("pipeline", "a + b + c"),)):
        (funnel,) = [f for f in found.funnels if f.group == group]
        assert funnel.stratum == (("coder", "own"), ("measured", "end to end"))
        assert [(s.name, s.estimate.n) for s in funnel.stages] == [
            ("attempts", 12),
            ("routed right", 8),
            ("plan passed", 3),
            ("code passed", 2),
            ("end to end passed", 2),
        ]
        lost = {s.name: {(x.state, x.reason): x.count for x in s.losses} for s in funnel.stages}
        assert lost["routed right"] == {
            ("known", "routed wrong"): 1,
            ("known", "routed wrong, though it passed"): 1,
            ("unknown", "a route was not recorded"): 1,
            ("error", "the measurement itself failed"): 1,
        }
        assert lost["plan passed"] == {
            ("known", "the plan is missing"): 1,
            ("known", "the plan failed"): 1,
            ("known", "the conversation failed"): 1,
            ("unknown", "whether it passed was not found out"): 1,
            ("known", "the failure is attributed to the planner"): 1,
        }
        assert lost["code passed"] == {("known", "the code failed"): 1}


# ------------------------------------------------------------------------------------ money and time


def test_money_and_time_are_given_layer_by_layer_and_in_total(tmp_path: Path) -> None:
    spent = {"l1_cost": 0.01, "l2_cost": 0.02, "l3_cost": 0.03, "total_cost": 0.06}
    took = {"l1_latency": 1.0, "l2_latency": 2.0, "l3_latency": 3.0, "total_latency": 6.0}
    found = report(
        tmp_path,
        [
            total(True, **spent, **took),
            total(False, l1_cost=0.03, total_cost=0.03, rep=2),
            row("l2plan", True, l2_cost=0.5, ref_coder="r", l3_cost=0.25),
        ],
    )
    layered = {
        (e.stratum["layer"], e.stratum["measured"], e.stratum["coder"]): e
        for e in found.estimates
        if e.metric == "cost" and not e.group
    }
    whole = layered[("l1", "end to end", "own")]
    assert (whole.value, whole.n, whole.N, whole.prices) == (0.02, 2, 2, "recorded, no table")
    assert (layered[("l3", "end to end", "own")].n, layered[("l3", "end to end", "own")].N) == (1, 2)
    assert layered[("total", "end to end", "own")].summary.total == pytest.approx(0.09)  # type: ignore[union-attr]
    assert layered[("l2", "standalone", "reference")].value == 0.5
    assert {row.model: row.recorded for row in found.costs} == {
        "a": pytest.approx(0.04),
        "b": pytest.approx(0.52),
        "c": pytest.approx(0.03),
        "r": pytest.approx(0.25),
    }
    assert {
        e.stratum["layer"]: e.value for e in found.estimates if e.metric == "latency" and not e.group
    } == {
        "l1": 1.0,
        "l2": 2.0,
        "l3": 3.0,
        "total": 6.0,
    }
    assert found.findings == ()


@pytest.mark.parametrize(
    "fields, told",
    [
        (
            {"l1_cost": 0.01, "l2_cost": 0.02, "l3_cost": 0.03, "total_cost": 0.07},
            [("total_cost", "recorded 0.07 USD, but its layers add up to 0.06 USD")],
        ),
        ({"l1_cost": 0.1, "l2_cost": 0.2, "total_cost": 0.3}, []),
        ({"l1_cost": 0.000001, "l2_cost": 0.000002, "total_cost": 0.000004}, []),
        ({"total_cost": 0.3}, []),
        (
            {"l1_latency": 1, "l2_latency": 2, "l3_latency": 3, "total_latency": 9},
            [("total_latency", "recorded 9 s, but its layers add up to 6 s")],
        ),
        ({"l1_latency": 0.304, "l2_latency": 2.004, "total_latency": 2.31}, []),
        (
            {"attribution": "router"},
            [("attribution", "attributed to the router, yet the route is the expected one")],
        ),
        (
            {"attribution": "coder", "plan": None},
            [("attribution", "attributed to the coder, yet there is no plan to follow")],
        ),
        (
            {"note": "attribution: planner", "route_actual": "chat"},
            [("note", "attributed to the planner, yet the route is not the expected one")],
        ),
        (
            {"attribution": "coder", "note": "attribution: planner"},
            [("note", "attributes to the planner, the field to the coder, which is used")],
        ),
        (
            {"attribution": "coder", "passed": True},
            [("attribution", "a failure is attributed to the coder, yet it passed")],
        ),
        ({"attribution": "planner"}, []),
    ],
)
def test_what_contradicts_itself_is_an_audit_finding(
    tmp_path: Path, fields: dict[str, Any], told: list[tuple[str, str]]
) -> None:
    found = report(tmp_path, [{**total(False), **fields}])
    assert [(p.field, p.what) for p in found.findings] == told


# ------------------------------------------------------------------------------------ records, reviews


@pytest.mark.parametrize(
    "fields, problem",
    [
        ({"measurement": "l2"}, 'measurement: expected one of l1, l2conv, l2plan, l3, total, got "l2"'),
        ({"passed": "true"}, 'passed: expected bool or null, got "true"'),
        ({"passed": 1}, "passed: expected bool or null, got 1"),
        ({"attribution": "nobody"}, 'attribution: expected one of coder, planner, router, got "nobody"'),
        ({"l1_cost": -1}, "l1_cost: expected float >= 0.0, got -1"),
    ],
)
def test_a_value_of_a_wrong_type_is_invalid(tmp_path: Path, fields: dict[str, Any], problem: str) -> None:
    found = report(tmp_path, [total(True), {**total(False, rep=2), **fields}])
    assert [f"{p.field}: {p.what}" for p in found.problems] == [problem]
    e = one(found, "total_pass", "end to end")
    assert (e.n, e.N, e.invalid) == (1, 1, 1)
    assert one(found, "total_pass", "end to end", l1="a").invalid == 0


def test_an_invalid_line_counts_in_the_whole_of_a_parted_metric_too(tmp_path: Path) -> None:
    found = report(tmp_path, [total(False), {**total(False), "passed": "no"}])
    assert one(found, "failures_attributed", "end to end", to="coder").invalid == 1
    assert one(found, "failures_attributed", "end to end", to="coder", l1="a").invalid == 0


def test_a_review_names_each_layer_and_the_rule_that_attributed_the_failure(tmp_path: Path) -> None:
    report(
        tmp_path,
        [total(False, plan=None), row("l1", route_expected="code", route_actual="chat"), total(True, rep=2)],
    )
    failed, routed, passed = reviews(mc.load(tmp_path / "layered"))
    assert [(v.metric, v.word) for v in failed.verdicts] == [
        ("router_accuracy", "routed right"),
        ("plan_pass", "failed"),
        ("coder_pass", "unknown"),
        ("total_pass", "failed"),
        ("failures_attributed", "attributed to the planner"),
    ]
    assert [step.text for step in failed.verdicts[-1].chain] == ["the plan is missing"]
    assert [loss[:3] for loss in failed.lost] == [("plan passed", "known", "the plan is missing")]
    assert failed.facets == ("end to end", "failed", "failure: planner")
    assert [(v.metric, v.word) for v in routed.verdicts] == [("router_accuracy", "routed wrong")]
    assert (routed.lost, routed.facets) == ((), ("router alone",))
    assert passed.lost == ()
    assert [v.good for v in passed.verdicts] == [True] * 4


def test_what_was_recorded_of_a_measurement_that_failed_establishes_nothing(tmp_path: Path) -> None:
    report(tmp_path, [total(False, error="crashed")])
    (failed,) = reviews(mc.load(tmp_path / "layered"))
    assert {v.state for v in failed.verdicts} == {"error"}
    assert [[(step.name, step.ends) for step in v.chain] for v in failed.verdicts] == [[("Run", True)]] * 4


def test_a_number_is_of_the_layer_that_did_it_and_of_the_whole_pipeline() -> None:
    assert [
        [arm for arm in ("pipeline", "l1", "l2", "l3") if WORDS.is_of(metric, Keys(), arm)]
        for metric in ("router_accuracy", "plan_pass", "coder_pass", "total_pass", "failures_attributed")
    ] == [
        ["pipeline", "l1"],
        ["pipeline", "l2"],
        ["pipeline", "l3"],
        ["pipeline"],
        ["pipeline", "l1", "l2", "l3"],
    ]
    assert WORDS.is_of("cost", Keys({"layer": "l2"}), "l2")
    assert not WORDS.is_of("cost", Keys({"layer": "l1"}), "l2")
    assert not WORDS.is_of("cost", Keys({"layer": "total"}), "l2")
    assert WORDS.is_of("cost", Keys({"layer": "total"}), "pipeline")


def test_what_one_layer_cost_is_not_the_cost_of_the_request() -> None:
    layers = {"l1": "a", "l2": "b", "l3": "c", "l1_cost": 0.001, "l2_cost": 0.02, "l3_cost": 0.05}
    whole = {"measurement": "total", "scenario_id": "S", **layers, "total_cost": 0.071}
    alone = {"measurement": "l1", "scenario_id": "S", "l1": "a", "l1_cost": 0.001}
    no_total = {"measurement": "total", "scenario_id": "S", **layers}
    request, router, summed = reviewed("layered", [whole, alone, no_total])
    assert [review.usd for review in (request, router, summed)] == [0.071, 0.001, None]
    assert [line.part for line in request.costs] == ["l1", "l2", "l3", ""]
