"""Records for the common tests: small, valid, and covering what each family tells apart.

A strategy of its own where one record can vary in ways that matter; else the family's golden fixtures
are drawn from, so that a family that is dropped in enrols itself.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from metrics_core.family import Family

FRACTIONS = st.sampled_from([0.0, 0.25, 0.5, 1.0])
STAMPS = st.sampled_from(["2026-07-05T10:00:00Z", "2026-07-05T23:30:00-02:00", "2026-07-12T09:00:00Z"])
ARMS = st.sampled_from(["alpha", "beta"])


@st.composite
def brownfield(draw: st.DrawFn) -> dict[str, Any]:
    detail = [[f"a{i}", held] for i, held in enumerate(draw(st.lists(st.booleans(), max_size=3)))]
    kind = draw(st.sampled_from(["fix", "refactor", "awareness"]))
    record: dict[str, Any] = {
        "id": draw(st.sampled_from(["B1", "B2", "R1"])),
        "kind": kind,
        "model": draw(ARMS),
        "change": sum(held for _, held in detail) / len(detail) if detail else draw(st.none() | FRACTIONS),
        "change_detail": detail,
        "regress": draw(st.none() | FRACTIONS),
        "changed_files": draw(st.sampled_from([[], ["a.php"]])),
        "stamp": draw(STAMPS),
        "wall_s": draw(st.sampled_from([1.5, 20.0, 300.0])),
        "error": draw(st.sampled_from([None, None, None, "timed out"])),
        "cost": draw(st.sampled_from([0.1, 0.25])),
        "rep": draw(st.integers(0, 10_000)),
    }
    if draw(st.booleans()):
        record |= {"with_brain": draw(st.booleans()), "with_plan": draw(st.booleans())}
    if kind == "awareness" and draw(st.booleans()):
        record |= {"answer_files": ["a.php"], "truth_files": ["a.php", "b.php"], "change": None}
    return record


@st.composite
def traces(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "schema": draw(st.sampled_from(["trace.v1", "trace.v1", "trace.v2"])),
        "task_id": draw(st.sampled_from(["t1", "t2", "t3"])),
        "agent": draw(ARMS),
        "rep": draw(st.integers(0, 10_000)),
        "exit_code": draw(st.sampled_from([0, 1, 137])),
        "patch": draw(st.sampled_from(["", "diff"])),
        "oracle_files": ["a.py"],
        "touched_files": draw(st.sampled_from([[], ["a.py"]])),
        "tests_passed": draw(st.sampled_from([True, False, None])),
        "stamp": draw(st.none() | STAMPS),
        "wall_s": draw(st.none() | st.sampled_from([1.0, 2.5])),
        "scores": draw(st.sampled_from([None, {"s": "C"}, {"s": "N", "t": 0.5}, {"s": None}, {"s": "?"}])),
        "error": draw(st.sampled_from([None, None, None, "timed out"])),
    }


@st.composite
def matrix(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "scenario_id": draw(st.sampled_from(["s1", "s2", "s3"])),
        "turn_index": draw(st.integers(0, 3)),
        "rep": draw(st.integers(0, 10_000)),
        "chat": draw(ARMS),
        "coder": draw(ARMS),
        "type": draw(st.sampled_from(["chat", "coder", None])),
        "check_kind": draw(st.sampled_from(["exec_assert", "py_compile", "rubric", None])),
        "check_passed": draw(st.sampled_from([True, False, None])),
        "check_note": draw(st.sampled_from([None, "SyntaxError", "no code block"])),
        "completion_tokens": draw(st.sampled_from([None, 0, 100])),
        "prompt_tokens": draw(st.sampled_from([None, 1000])),
        "cost_usd": draw(st.sampled_from([None, 0.1])),
        "latency_s": draw(st.none() | st.sampled_from([1.0, 2.5])),
        "difficulty": draw(st.sampled_from([None, 1, "hard"])),
        "error": draw(st.sampled_from([None, None, None, "timed out"])),
        "stamp": draw(st.none() | STAMPS),
    }


@st.composite
def layered(draw: st.DrawFn) -> dict[str, Any]:
    routes = st.sampled_from(["code", "conversation", None])
    return {
        "measurement": draw(st.sampled_from(["l1", "l2plan", "l2conv", "l3", "total", "total"])),
        "scenario_id": draw(st.sampled_from(["s1", "s2", "s3"])),
        "rep": draw(st.integers(0, 10_000)),
        "l1": draw(ARMS),
        "l2": draw(st.none() | ARMS),
        "l3": draw(ARMS),
        "ref_coder": draw(st.sampled_from([None, None, "gamma"])),
        "route_expected": draw(routes),
        "route_actual": draw(routes),
        "plan": draw(st.sampled_from(["edit a.py", None, {"passed": False}])),
        "passed": draw(st.sampled_from([True, False, None])),
        "attribution": draw(st.sampled_from([None, None, "router", "planner", "coder"])),
        "l1_cost": draw(st.sampled_from([None, 0.1])),
        "total_cost": draw(st.sampled_from([None, 0.1, 0.25])),
        "l2_latency": draw(st.none() | st.sampled_from([1.0, 2.5])),
        "error": draw(st.sampled_from([None, None, None, "timed out"])),
        "stamp": draw(st.none() | STAMPS),
    }


VERDICTS = st.sampled_from([True, False, None, 1])


@st.composite
def attempts(draw: st.DrawFn) -> dict[str, Any]:
    record: dict[str, Any] = {
        "scenario": draw(st.sampled_from(["triage", "review"])),
        "workflow": draw(st.none() | ARMS),
        "model": draw(ARMS),
        "suite": draw(st.none() | st.just("github")),
        "attack": draw(st.sampled_from([None, "none", "static"])),
        "utility_achieved": draw(VERDICTS),
        "security_breached": draw(VERDICTS),
        "autonomy_achieved": draw(VERDICTS),
        "evaluators": draw(st.none() | st.just({"utility": "assertion"})),
        "error": draw(st.sampled_from([None, None, None, "token expired"])),
        "stamp": draw(st.none() | STAMPS),
        "wall_s": draw(st.none() | st.sampled_from([1.0, 2.5])),
    }
    if draw(st.booleans()):
        record["agent_invoked"] = draw(st.sampled_from([True, False, None]))
    return record


OWN = {
    "brownfield": brownfield(),
    "traces": traces(),
    "matrix": matrix(),
    "layered": layered(),
    "attempts": attempts(),
}


def records(family: Family) -> st.SearchStrategy[dict[str, Any]]:
    """Records of a family, each valid on its own."""
    from_fixtures = [record for fixture in family.contract.fixtures for record in fixture.records]
    return OWN[family.name] if family.name in OWN else st.sampled_from(from_fixtures)


BLIND: dict[str, dict[str, Any]] = {
    "brownfield": {"change": None, "change_detail": [], "regress": None, "answer_files": None, "error": None},
    "traces": {"tests_passed": None, "scores": {"s": None}},
    "attempts": {
        "utility_achieved": None,
        "security_breached": None,
        "autonomy_achieved": None,
        "error": None,
    },
    "matrix": {"check_passed": None},
    "layered": {
        "passed": None,
        "route_actual": None,
        "route_expected": None,
        "plan": None,
        "attribution": None,
    },
}
"""What makes a record of the family one of which nothing is known."""
