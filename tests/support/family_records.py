"""Records for the common tests: small, valid, and covering what each family tells apart.

A strategy of its own where one record can vary in ways that matter; else the family's golden fixtures
are drawn from, so that a family that is dropped in enrols itself.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st

from metrics_core.measurement.family import Family

T = TypeVar("T")

FRACTIONS = (0.0, 0.25, 0.5, 1.0)
STAMPS = ("2026-07-05T10:00:00Z", "2026-07-05T23:30:00-02:00", "2026-07-12T09:00:00Z")
ARMS = ("alpha", "beta")
BOTH = (False, True)
MOST_CHOICES = 24
"""Fields that a record chooses at most."""


def or_none(options: Sequence[T]) -> tuple[T | None, ...]:
    """None as often as all the others together."""
    return (*[None] * len(options), *options)


class Choices:
    """One option after another, by bytes that were drawn: a record is one draw, and not one a field.

    Args:
        drawn: As many bytes as options are chosen, or more; zeros choose the first of each.
    """

    def __init__(self, drawn: bytes) -> None:
        self._drawn = iter(drawn)

    def __call__(self, options: Sequence[T]) -> T:
        return options[next(self._drawn) % len(options)]


def brownfield(choose: Choices) -> dict[str, Any]:
    detail = [[f"a{at}", choose(BOTH)] for at in range(choose(range(4)))]
    kind = choose(["fix", "refactor", "awareness"])
    record: dict[str, Any] = {
        "id": choose(["B1", "B2", "R1"]),
        "kind": kind,
        "model": choose(ARMS),
        "change": sum(held for _, held in detail) / len(detail) if detail else choose(or_none(FRACTIONS)),
        "change_detail": detail,
        "regress": choose(or_none(FRACTIONS)),
        "changed_files": choose([[], ["a.php"]]),
        "stamp": choose(STAMPS),
        "wall_s": choose([1.5, 20.0, 300.0]),
        "error": choose([None, None, None, "timed out"]),
        "cost": choose([0.1, 0.25]),
        "rep": choose(range(256)),
    }
    if choose(BOTH):
        record |= {"with_brain": choose(BOTH), "with_plan": choose(BOTH)}
    if kind == "awareness" and choose(BOTH):
        record |= {"answer_files": ["a.php"], "truth_files": ["a.php", "b.php"], "change": None}
    return record


def traces(choose: Choices) -> dict[str, Any]:
    return {
        "schema": choose(["trace.v1", "trace.v1", "trace.v2"]),
        "task_id": choose(["t1", "t2", "t3"]),
        "agent": choose(ARMS),
        "rep": choose(range(256)),
        "exit_code": choose([0, 1, 137]),
        "patch": choose(["", "diff"]),
        "oracle_files": ["a.py"],
        "touched_files": choose([[], ["a.py"]]),
        "tests_passed": choose([True, False, None]),
        "stamp": choose(or_none(STAMPS)),
        "wall_s": choose(or_none((1.0, 2.5))),
        "scores": choose([None, {"s": "C"}, {"s": "N", "t": 0.5}, {"s": None}, {"s": "?"}]),
        "error": choose([None, None, None, "timed out"]),
    }


def matrix(choose: Choices) -> dict[str, Any]:
    return {
        "scenario_id": choose(["s1", "s2", "s3"]),
        "turn_index": choose(range(4)),
        "rep": choose(range(256)),
        "chat": choose(ARMS),
        "coder": choose(ARMS),
        "type": choose(["chat", "coder", None]),
        "check_kind": choose(["exec_assert", "py_compile", "rubric", None]),
        "check_passed": choose([True, False, None]),
        "check_note": choose([None, "SyntaxError", "no code block"]),
        "completion_tokens": choose([None, 0, 100]),
        "prompt_tokens": choose([None, 1000]),
        "cost_usd": choose([None, 0.1]),
        "latency_s": choose(or_none((1.0, 2.5))),
        "difficulty": choose([None, 1, "hard"]),
        "error": choose([None, None, None, "timed out"]),
        "stamp": choose(or_none(STAMPS)),
    }


def layered(choose: Choices) -> dict[str, Any]:
    routes = ("code", "conversation", None)
    return {
        "measurement": choose(["l1", "l2plan", "l2conv", "l3", "total", "total"]),
        "scenario_id": choose(["s1", "s2", "s3"]),
        "rep": choose(range(256)),
        "l1": choose(ARMS),
        "l2": choose(or_none(ARMS)),
        "l3": choose(ARMS),
        "ref_coder": choose([None, None, "gamma"]),
        "route_expected": choose(routes),
        "route_actual": choose(routes),
        "plan": choose(["edit a.py", None, {"passed": False}]),
        "passed": choose([True, False, None]),
        "attribution": choose([None, None, "router", "planner", "coder"]),
        "l1_cost": choose([None, 0.1]),
        "total_cost": choose([None, 0.1, 0.25]),
        "l2_latency": choose(or_none((1.0, 2.5))),
        "error": choose([None, None, None, "timed out"]),
        "stamp": choose(or_none(STAMPS)),
    }


VERDICTS = (True, False, None, 1)


def attempts(choose: Choices) -> dict[str, Any]:
    record: dict[str, Any] = {
        "scenario": choose(["triage", "review"]),
        "workflow": choose(or_none(ARMS)),
        "model": choose(ARMS),
        "suite": choose([None, "github"]),
        "attack": choose([None, "none", "static"]),
        "utility_achieved": choose(VERDICTS),
        "security_breached": choose(VERDICTS),
        "autonomy_achieved": choose(VERDICTS),
        "evaluators": choose([None, {"utility": "assertion"}]),
        "error": choose([None, None, None, "token expired"]),
        "stamp": choose(or_none(STAMPS)),
        "wall_s": choose(or_none((1.0, 2.5))),
    }
    if choose(BOTH):
        record["agent_invoked"] = choose([True, False, None])
    return record


def judges(choose: Choices) -> dict[str, Any]:
    return {
        "item": choose(["i1", "i2", "i3"]),
        "rater": choose(["human:alice", "human:bob", "judge", "judge", "judge:strict"]),
        "verdict": choose(["pass", "fail", "unknown", None]),
        "agent": choose(or_none(ARMS)),
        "attempt": choose([None, 1, 2]),
        "criterion": choose([None, None, "tone"]),
        "split": choose([None, "heldout"]),
        "error": choose([None, None, None, "timed out"]),
        "stamp": choose(or_none(STAMPS)),
        "run": choose(range(256)),
    }


OWN = {
    "brownfield": brownfield,
    "traces": traces,
    "matrix": matrix,
    "layered": layered,
    "attempts": attempts,
    "judges": judges,
}


def of_fixtures(family: Family) -> list[dict[str, Any]]:
    """Every record of the golden fixtures of a family's contracts."""
    contracts = (family.contract, *family.further)
    return [record for contract in contracts for fixture in contract.fixtures for record in fixture.records]


def records(family: Family) -> st.SearchStrategy[dict[str, Any]]:
    """Records of a family, each valid on its own."""
    make = OWN.get(family.name)
    if make is None:
        return st.sampled_from(of_fixtures(family))
    return st.binary(min_size=MOST_CHOICES, max_size=MOST_CHOICES).map(lambda drawn: make(Choices(drawn)))


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
    "judges": {"verdict": None, "error": None},
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
