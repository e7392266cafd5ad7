"""Records for the common tests: small, valid, and covering what each family tells apart.

A strategy of its own where one record can vary in ways that matter; else the family's golden fixtures
are drawn from, so that a family that is dropped in enrols itself.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
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


def of_fixtures(family: Family) -> list[dict[str, Any]]:
    """Every record of the golden fixtures of a family's contracts."""
    contracts = (family.contract, *family.further)
    return [record for contract in contracts for fixture in contract.fixtures for record in fixture.records]


def records(family: Family) -> st.SearchStrategy[dict[str, Any]]:
    """Records of a family, each valid on its own."""
    return OWN[family.name] if family.name in OWN else st.sampled_from(of_fixtures(family))


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


def blind(family: Family, record: dict[str, Any]) -> dict[str, Any]:
    """The record with nothing known: as `BLIND` says, else what cannot be missing and no more."""
    if family.name in BLIND:
        return {**record, **BLIND[family.name]}
    needed = {field.encode_name for field in msgspec.structs.fields(family.record) if field.required}
    return {key: value for key, value in record.items() if key in needed or key in ("rep", "stamp")}


def as_lines(drawn: Sequence[dict[str, Any]]) -> bytes:
    """Records as a log has them."""
    return b"".join(json.dumps(record).encode() + b"\n" for record in drawn)


def as_parquet(drawn: Sequence[dict[str, Any]], record_type: type[Any]) -> bytes:
    """The same in Parquet: native columns, and JSON where a value or a null cannot be told otherwise."""
    told_apart = {f.encode_name for f in msgspec.structs.fields(record_type) if f.default is msgspec.UNSET}
    columns = {}
    for key in dict.fromkeys(key for record in drawn for key in record):
        values = [record.get(key) for record in drawn]
        null = key in told_apart and any(key in record and record[key] is None for record in drawn)
        native = None if null else _native(values)
        if native is None:
            texts = [
                json.dumps(record[key]) if key in record and (null or record[key] is not None) else None
                for record in drawn
            ]
            native = pa.array(texts, pa.json_())
        columns[key] = native
    packed = io.BytesIO()
    pq.write_table(pa.table(columns), packed)
    return packed.getvalue()


def _native(values: list[Any]) -> Any:
    """A column of these values, or None where Arrow has no type that holds them as they are."""
    try:
        column = pa.array(values)
    except (pa.ArrowException, TypeError):
        return None
    holds_null = any(isinstance(value, dict) and None in value.values() for value in values)
    return None if holds_null else column


def write(family: Family, root: Path, drawn: Sequence[dict[str, Any]]) -> Path:
    """An experiment that holds these records in one log of the family; the folder is given back."""
    folder = root / family.folder.rstrip("/")
    folder.mkdir(parents=True)
    (folder / "all.jsonl").write_bytes(as_lines(drawn))
    return root
