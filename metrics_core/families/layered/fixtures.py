"""Golden fixtures of the layered pipeline: tiny records, and what each figure must come to, by hand."""

from __future__ import annotations

from typing import Any

from metrics_core.contracts import Fixture


def _row(measurement: str, passed: bool | None, **more: Any) -> dict[str, Any]:
    """A tiny measurement for a fixture; every field may be replaced."""
    models = {"l1": "a", "l2": "b", "l3": "c"}
    return {"measurement": measurement, "scenario_id": "s1", "passed": passed, **models, **more}


def _total(
    passed: bool | None, expected: str | None, actual: str | None, plan: Any, **more: Any
) -> dict[str, Any]:
    return _row("total", passed, route_expected=expected, route_actual=actual, plan=plan, **more)


_WHOLE, _LAYER = "measured=end%20to%20end", "measured=standalone"
_RECORDED = "prices=recorded%2C%20no%20table"
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
    Fixture(
        "on a conversational route the second layer answers itself",
        (
            _row("total", True, route_expected="conversation", route_actual="conversation"),
            _row("total", False, route_expected="conversation", route_actual="conversation"),
            _row("total", False, route_expected="chat", route_actual="code"),
            _row("total", False, route_expected="talk"),
            _row("total", False, route_expected="chat", route_actual="chat", attribution="coder"),
            _row("total", False, route_expected="talk", route_actual="talk", attribution="planner"),
            _row("total", True, route_expected="chat", route_actual="chat", error="timed out"),
            _row("total", None, route_expected="chat", route_actual="chat"),
            _row("total", True, route_expected="conv", route_actual="code"),
            _row("total", True, route_expected="chat", route_actual="chat"),
        ),
        (
            (f"conv_pass?{OWN}", "3/5 0.6"),
            (f"conv_pass?{OWN} states", "5 known, 4 unknown, 0 invalid, 1 error"),
            (f"plan_pass?{OWN}", "no such figure"),
            (f"router_accuracy?{OWN}", "6/8 0.75"),
            (f"router_accuracy?{OWN} states", "8 known, 1 unknown, 0 invalid, 1 error"),
            (f"total_pass?{OWN}", "3/8 0.375"),
            (f"total_pass?{OWN} states", "8 known, 1 unknown, 0 invalid, 1 error"),
            (f"failures_attributed?to=router&{OWN}", "1/5 0.2"),
            (f"failures_attributed?to=planner&{OWN}", "2/5 0.4"),
            (f"failures_attributed?to=coder&{OWN}", "1/5 0.2"),
            (f"failures_attributed?to=unattributed&{OWN}", "1/5 0.2"),
            (f"stage?stage=routed%20right&{OWN}", "6/10 0.6"),
            (f"stage?stage=plan%20passed&{OWN}", "2/10 0.2"),
            (f"stage?stage=code%20passed&{OWN}", "2/10 0.2"),
            (f"stage?stage=end%20to%20end%20passed&{OWN}", "2/10 0.2"),
            (f"stage?stage=end%20to%20end%20passed&{OWN} states", "6 known, 3 unknown, 0 invalid, 1 error"),
        ),
    ),
    Fixture(
        "a plan is known where the row shows it: with its request, or by the plan itself",
        (
            _total(True, "code", "code", plan=False),
            _total(True, "code", "code", None),
            _total(True, "code", "code", {"error": "no parse"}),
            _total(False, "code", "chat", "edit a.py"),
            _total(False, "code", "code", " "),
            _total(False, "code", None, []),
            _row("total", False, route_expected="code", route_actual="code"),
            _total(None, "code", "code", "edit a.py"),
            _total(False, "code", "code", "edit a.py", attribution="planner"),
            _total(False, "code", "code", "edit a.py", attribution="coder"),
            _total(False, "code", None, "edit a.py"),
            _total(True, "code", "code", plan=False, error="timed out"),
            _total(True, "code", "code", "edit a.py"),
            _row("total", True, route_expected="code", route_actual="code"),
            _total(False, "code", "code", {"passed": True}),
            _total(True, "code", "code", {"steps": 2}),
            _total(False, "code", None, "edit a.py", attribution="coder"),
            _row("total", False, route_expected="code"),
        ),
        (
            (f"plan_pass?{OWN}", "5/8 0.625"),
            (f"plan_pass?{OWN} states", "8 known, 9 unknown, 0 invalid, 1 error"),
            (f"coder_pass?{OWN}", "3/5 0.6"),
            (f"coder_pass?{OWN} states", "5 known, 12 unknown, 0 invalid, 1 error"),
            (f"failures_attributed?to=router&{OWN}", "1/10 0.1"),
            (f"failures_attributed?to=planner&{OWN}", "4/10 0.4"),
            (f"failures_attributed?to=coder&{OWN}", "3/10 0.3"),
            (f"failures_attributed?to=unattributed&{OWN}", "2/10 0.2"),
            (f"failures_attributed?to=router&{OWN} states", "10 known, 1 unknown, 0 invalid, 1 error"),
            (f"stage?stage=routed%20right&{OWN}", "12/18 0.666667"),
            (f"stage?stage=plan%20passed&{OWN}", "5/18 0.277778"),
            (f"stage?stage=code%20passed&{OWN}", "3/18 0.166667"),
            (f"stage?stage=end%20to%20end%20passed&{OWN}", "3/18 0.166667"),
            (f"stage?stage=end%20to%20end%20passed&{OWN} states", "9 known, 8 unknown, 0 invalid, 1 error"),
        ),
    ),
    Fixture(
        "what was recorded of a layer alone is its own; of a request every layer's, recorded or not",
        (
            _total(
                True, "code", "code", "p", l1_latency=1.0, l2_latency=2.0, l3_latency=4.0, total_latency=7.0
            ),
            _total(True, "code", "code", "p", l1_cost=0.25, total_cost=0.5),
            _row("l2plan", True, l2_cost=0.5, l2_latency=2.5),
            _row("l3", True, total_cost=0.125, total_latency=8.0),
        ),
        (
            (f"latency?coder=own&layer=l2&{_WHOLE}", "1/2 2"),
            (f"latency?coder=own&layer=total&{_WHOLE}", "1/2 7"),
            (f"cost?coder=own&layer=l1&{_WHOLE}&{_RECORDED}", "1/2 0.25"),
            (f"cost?coder=own&layer=total&{_WHOLE}&{_RECORDED}", "1/2 0.5"),
            (f"latency?coder=own&layer=l2&{_LAYER}", "1/1 2.5"),
            (f"latency?coder=own&layer=l1&{_LAYER}", "no such figure"),
            (f"latency?coder=own&layer=total&{_LAYER}", "1/1 8"),
            (f"cost?coder=own&layer=l2&{_LAYER}&{_RECORDED}", "1/1 0.5"),
            (f"cost?coder=own&layer=l1&{_LAYER}&{_RECORDED}", "no such figure"),
            (f"cost?coder=own&layer=total&{_LAYER}&{_RECORDED}", "1/1 0.125"),
            (f"stage?stage=attempts&{ALONE}", "no such figure"),
        ),
    ),
    Fixture(
        "each group is its own measurements: by layer's model, by route, by day",
        (
            _total(
                False, "code", "code", "p", total_cost=0.5, total_latency=2.0, stamp="2026-07-05T10:00:00Z"
            ),
            _row("total", True, route_expected="chat", route_actual="chat", l1="z", l2="z", l3="z"),
            _row("l2plan", True, route_expected="code", route_actual="code"),
            _row("l1", None, route_expected="code"),
        ),
        (
            (f"router_accuracy?{ALONE} states", "1 known, 1 unknown, 0 invalid, 0 error"),
            (f"router_accuracy?l1=a&{OWN}", "1/1 1"),
            (f"plan_pass?l2=b&{OWN}", "1/1 1"),
            (f"conv_pass?l2=z&{OWN}", "1/1 1"),
            (f"coder_pass?l3=c&{OWN}", "0/1 0"),
            (f"total_pass?route_expected=code&{OWN}", "0/1 0"),
            (f"total_pass?pipeline=a%20%2B%20b%20%2B%20c&stamp=2026-07-05&{OWN}", "0/1 0"),
            (f"failures_attributed?l1=a&to=coder&{OWN}", "1/1 1"),
            (f"failures_attributed?to=router&{OWN}", "0/1 0"),
            (f"cost?l1=a&coder=own&layer=total&{_WHOLE}&{_RECORDED}", "1/1 0.5"),
            (f"latency?l3=c&coder=own&layer=total&{_WHOLE}", "1/1 2"),
        ),
    ),
)
