"""Record types: the shapes they take, what they derive, and that each field says what it means."""

from __future__ import annotations

import importlib
import json
from typing import Any

import msgspec
import pytest

from metrics_core.families import FAMILIES, OfEach, beside, folders
from metrics_core.families.brownfield.record import BrownfieldRun
from metrics_core.families.traces.record import Trace
from metrics_core.formats.fields import fields, schema
from metrics_core.formats.jsonl import Problem, Row, read


def record_types() -> list[type[Any]]:
    """Every record type there is: a frozen struct that no other struct of its module holds."""
    found = []
    for name in FAMILIES:
        module = importlib.import_module(f"metrics_core.families.{name}.record")
        found += [
            kind
            for kind in vars(module).values()
            if isinstance(kind, type)
            and issubclass(kind, msgspec.Struct)
            and kind.__module__ == module.__name__
        ]
    return found


OLDER = {
    "id": "B1",
    "kind": "fix",
    "model": "alpha",
    "with_brain": True,
    "with_plan": False,
    "change": 0.667,
    "change_detail": [["a", True], ["b", True], ["c", False]],
    "regress": 0.6,
    "regress_misses": ["cart"],
    "changed_files": ["a.php"],
    "wall_s": 12,
    "calls": 7,
    "cost": 0.01,
    "stamp": "2026-07-05T10:00:00Z",
}
NEWER = {
    "id": "B1",
    "kind": "behaviour",
    "model": "big",
    "continuation": "small",
    "mode": "supercharge",
    "config": {"mode": "supercharge"},
    "change": 1.0,
    "regress": 1.0,
    "change_detail": [["a", True]],
    "error": None,
    "stamp": "2026-08-06T16:11:38+00:00",
    "metrics": {
        "input_tokens": 300,
        "output_tokens": 30,
        "cache_read_tokens": 200,
        "cost_usd": 0.002,
        "by_role": {"primary": {"calls": 1, "input_tokens": 100, "output_tokens": 10, "cost_usd": 0.001}},
    },
}
HEAD_TO_HEAD = {
    "id": "B1",
    "axis": "aware",
    "agent": "cli-one",
    "label": "CLI One",
    "rep": 1,
    "change": 0.4,
    "turns": [{"n": 1}],
    "config": "default",
    "stamp": "2026-08-07",
    "answer_files": ["a"],
    "truth_files": [],
}
TRACE = {
    "schema": "trace.v1",
    "task_id": "t1",
    "agent": "m",
    "rep": 0,
    "exit_code": 0,
    "patch": "diff",
    "oracle_files": ["a.py"],
    "touched_files": ["a.py"],
    "tests_passed": True,
}


def told(record: dict[str, Any], kind: type[Any]) -> Row | Problem:
    (found,) = read([json.dumps(record).encode()], kind, file="f.jsonl")
    return found


def run(record: dict[str, Any]) -> BrownfieldRun:
    found = told(record, BrownfieldRun)
    assert isinstance(found, Row), str(found)
    assert isinstance(found.record, BrownfieldRun)
    return found.record


def test_the_three_shapes_of_a_run_are_read_alike() -> None:
    older, newer, head = run(OLDER), run(NEWER), run(HEAD_TO_HEAD)
    assert [r.arm for r in (older, newer, head)] == ["alpha", "big", "cli-one"]
    assert [r.kind_ for r in (older, newer, head)] == ["fix", "behaviour", "aware"]
    assert [r.on_claims for r in (older, newer, head)] == [False, False, True]
    assert [r.configuration for r in (older, newer, head)] == ["brain=on plan=off", "supercharge", "default"]
    assert [r.recorded_cost for r in (older, newer, head)] == [0.01, 0.002, None]
    assert newer.metrics is not None
    assert newer.metrics.cached == 200
    assert older.change_detail == (("a", True), ("b", True), ("c", False))


def test_only_two_kinds_are_graded_on_claims() -> None:
    kinds = ["aware", "awareness", "fix", "refactor", "feature", "behaviour", "Aware", "unaware", "anything"]
    graded = [True, True, *[False] * 4, True, False, False]
    assert [run({**OLDER, "kind": kind}).on_claims for kind in kinds] == graded


def test_one_known_switch_does_not_stand_for_the_other() -> None:
    record = {key: value for key, value in OLDER.items() if key != "with_plan"}
    assert run(record).configuration == "brain=on plan=not recorded"
    assert run({**record, "with_brain": None}).configuration is None


def test_cached_tokens_go_by_either_name() -> None:
    def cached(**metrics: int) -> int | None:
        found = run({**NEWER, "metrics": metrics}).metrics
        assert found is not None
        return found.cached

    assert cached(cached_tokens=5) == 5
    assert cached(cache_read_tokens=0, cached_tokens=5) == 0
    assert cached() is None


def test_a_cost_of_nothing_is_a_cost() -> None:
    assert run({**OLDER, "cost": 0.0}).recorded_cost == 0.0
    assert run({**OLDER, "cost": None}).recorded_cost is None


WRONG = [
    ({**OLDER, "change": 1.01}, "change", "expected float <= 1.0, got 1.01"),
    ({**OLDER, "change": -0.1}, "change", "expected float >= 0.0, got -0.1"),
    ({**OLDER, "change": "1.0"}, "change", 'expected float or null, got "1.0"'),
    ({**OLDER, "change": True}, "change", "expected float or null, got true"),
    ({**OLDER, "regress": 2}, "regress", "expected float <= 1.0, got 2"),
    ({**OLDER, "change_detail": [["a", 1]]}, "change_detail/0/1", "expected bool, got 1"),
    ({**OLDER, "change_detail": [["a", None]]}, "change_detail/0/1", "expected bool, got null"),
    ({**OLDER, "change_detail": [["a"]]}, "change_detail/0", 'expected array of length 2, got ["a"]'),
    ({**OLDER, "with_brain": "on"}, "with_brain", 'expected bool or null, got "on"'),
    ({**OLDER, "wall_s": -1}, "wall_s", "expected float >= 0.0, got -1"),
    ({**OLDER, "wall_s": "12"}, "wall_s", 'expected float or null, got "12"'),
    ({**OLDER, "calls": 1.5}, "calls", "expected int or null, got 1.5"),
    ({**OLDER, "cost": -0.01}, "cost", "expected float >= 0.0, got -0.01"),
    ({**OLDER, "changed_files": "a.php"}, "changed_files", 'expected array or null, got "a.php"'),
    ({**OLDER, "regress_misses": [None]}, "regress_misses/0", "expected str, got null"),
    ({**OLDER, "error": {"type": "x"}}, "error", 'expected str or null, got {"type": "x"}'),
    ({**OLDER, "id": ""}, "id", 'expected str of length >= 1, got ""'),
    ({**OLDER, "stamp": None}, "stamp", "expected str, got null"),
    ({**OLDER, "model": None}, "", "expected a model, or an agent: both are missing"),
    ({**OLDER, "kind": None}, "", "expected a kind, or an axis: both are missing"),
    ({**NEWER, "metrics": {"input_tokens": "3"}}, "metrics/input_tokens", 'expected int or null, got "3"'),
    (
        {
            **NEWER,
            "metrics": {"by_role": {"a": {"input_tokens": 1, "output_tokens": 1}, "b": {"input_tokens": 1}}},
        },
        "metrics/by_role/b/output_tokens",
        "expected output_tokens, the field is missing",
    ),
    ({key: value for key, value in OLDER.items() if key != "stamp"}, "stamp", "the field is missing"),
    ({key: value for key, value in OLDER.items() if key != "id"}, "id", "the field is missing"),
]


@pytest.mark.parametrize(("record", "field", "what"), WRONG, ids=[str(n) for n in range(len(WRONG))])
def test_a_run_that_is_wrong_says_where(record: dict[str, Any], field: str, what: str) -> None:
    found = told(record, BrownfieldRun)
    assert isinstance(found, Problem)
    assert found.field == field
    assert what in found.what


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"schema": "trace.v2"},
        {"exit_code": None},
        {"exit_code": 137},
        {"exit_code": -9},
        {"patch": None},
        {"patch": ""},
        {"oracle_files": None},
        {"touched_files": []},
        {"tests_passed": None},
        {"timeout": True},
        {"timeout": 600},
        {"timeout": 600.5},
        {"stamp": "2026-07-05"},
        {"model": "big"},
        {"anything": {"else": []}},
        {"contract_id": "a/v1", "prompt_sha256": "0", "tools_sha256": "1"},
    ],
)
def test_a_trace_is_a_trace_whatever_its_contract_will_say(change: dict[str, Any]) -> None:
    found = told({**TRACE, **change}, Trace)
    assert isinstance(found, Row), str(found)
    assert found.record.arm == "m"
    assert found.record.schema_ == change.get("schema", "trace.v1")


@pytest.mark.parametrize(
    "change",
    [
        {"task_id": None},
        {"task_id": ""},
        {"task_id": 1},
        {"agent": None},
        {"tests_passed": 1},
        {"tests_passed": "yes"},
        {"exit_code": "0"},
        {"exit_code": True},
        {"oracle_files": "a.py"},
        {"patch": 1},
        {"rep": -1},
        {"timeout": "no"},
        {"timeout": -1},
        {"stamp": "soon"},
        {"retries": 0.5},
    ],
)
def test_a_trace_with_a_value_of_a_wrong_type_is_told(change: dict[str, Any]) -> None:
    found = told({**TRACE, **change}, Trace)
    assert isinstance(found, Problem)
    assert found.field == next(iter(change))


# ------------------------------------------------------------------ what holds for every record type


@pytest.mark.parametrize("kind", record_types(), ids=lambda kind: kind.__name__)
def test_every_field_says_what_it_means(kind: type[Any]) -> None:
    for field in fields(kind):
        assert field.meaning.endswith("."), field.name
        assert field.kind, field.name


@pytest.mark.parametrize("kind", record_types(), ids=lambda kind: kind.__name__)
def test_every_type_has_a_schema_with_units_and_ranges(kind: type[Any]) -> None:
    found = schema(kind)
    json.dumps(found)
    properties = found["$defs"][kind.__name__]["properties"]
    assert set(properties) == {field.encode_name for field in msgspec.structs.fields(kind)}


@pytest.mark.parametrize("kind", record_types(), ids=lambda kind: kind.__name__)
def test_every_type_is_frozen_and_ignores_what_it_does_not_know(kind: type[Any]) -> None:
    config = kind.__struct_config__
    assert config.frozen
    assert not config.forbid_unknown_fields


def test_the_dictionary_knows_fields_within_fields() -> None:
    names = {field.name: field for field in fields(BrownfieldRun)}
    assert names["change"].unit == "fraction"
    assert names["id"].required
    assert not names["regress"].required
    assert names["metrics/by_role/*/input_tokens"].unit == "tokens"
    with pytest.raises(TypeError):
        fields(int)


def test_what_a_package_says_of_its_family_is_what_the_family_says() -> None:
    assert folders() == {family.folder: name for name, family in FAMILIES.items()}
    assert beside() == tuple(name for name, family in FAMILIES.items() if family.beside)
    assert all(family.name == name for name, family in FAMILIES.items())
    assert {name: form for name, form in OfEach(lambda f: f.folders).items() if form is not None} == {
        name: family.folders for name, family in FAMILIES.items() if family.folder.endswith("/")
    }
