"""promptfoo: providers as arms, tests as tasks, errors apart from failures, totals that are only compared.

The shapes are those of files that version 0.121 wrote with its echo provider on tests of our own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core.adapters import ADAPTERS
from metrics_core.adapters.promptfoo import ADAPTER, claims, convert
from metrics_core.errors import FormatError
from metrics_core.formats import Declared, Element, OutsideFile
from metrics_core.results import Aside, NoRuns, Problem

CONTAINS = {"type": "contains", "value": "Hello"}
NAMED = {"type": "javascript", "value": "0.5", "metric": "half"}
PLAIN, OTHER = "a" * 64, "b" * 64
COUNTED = {"prompt": 5, "completion": 4, "total": 9}


def result(name: str = "Ada", *, passed: bool = True, score: float = 1, **more: Any) -> dict[str, Any]:
    checks = [{"pass": passed, "assertion": CONTAINS}, {"pass": True, "assertion": NAMED}]
    return {
        "id": f"{name}-{passed}", "provider": {"id": "echo", "label": ""}, "promptId": PLAIN, "promptIdx": 0,
        "prompt": {"raw": f"Hello {name}", "label": "Hello {{name}}"}, "vars": {"name": name},
        "response": {"output": f"Hello {name}", "cost": 0.002}, "success": passed, "score": score,
        "failureReason": 0 if passed else 1, "latencyMs": 1500, "cost": 0.002, "namedScores": {"half": 0.5},
        "tokenUsage": COUNTED, "gradingResult": {"pass": passed, "componentResults": checks},
        "testCase": {"vars": {"name": name}, "assert": [CONTAINS, NAMED]}, **more,
    }  # fmt: skip


def failed(name: str, **more: Any) -> dict[str, Any]:
    return result(
        name, passed=False, score=0, error="Error: down\n    at x.js:1", failureReason=2, gradingResult=None,
        namedScores={}, response=None, cost=0, latencyMs=0, tokenUsage={"prompt": 0, "completion": 0}, **more,
    )  # fmt: skip


def evaluation(rows: list[Any], **more: Any) -> dict[str, Any]:
    summary = {"version": 3, "timestamp": "2026-01-02T03:04:05.678Z", "prompts": [], "results": rows, **more}
    return {"evalId": "eval-1", "results": summary, "config": {"description": "greetings"}}


def made(whole: Any, path: str = "out.json") -> list[Any]:
    data = whole if isinstance(whole, bytes) else json.dumps(whole).encode()
    return list(convert(OutsideFile(path=path, data=data)))


def records(items: list[Any]) -> list[Any]:
    return [item.record for item in items if isinstance(item, Element)]


def told(items: list[Any], kind: type[Any]) -> list[str]:
    return [item.what for item in items if isinstance(item, kind)]


def test_a_result_is_a_trace_with_its_scorers() -> None:
    row = result("Ada", passed=False, score=0.25)
    (item,) = made(evaluation([row]))
    assert json.loads(item.source) == row
    assert item.record == {
        "schema": "trace.v1", "task_id": "name=Ada", "agent": "echo", "model": "echo", "rep": 1,
        "suite": "greetings", "stamp": "2026-01-02T03:04:05.678Z", "prompt_sha256": PLAIN,
        "answer": "Hello Ada", "wall_s": 1.5, "cost_usd": 0.002, "prompt_tokens": 5, "completion_tokens": 4,
        "run_id": "Ada-False",
        "scores": {"success": False, "score": 0.25, "half": 0.5, "check contains": False},
    }  # fmt: skip


def test_a_provider_that_failed_is_an_error_to_every_scorer_of_its_test(tmp_path: Path) -> None:
    rows = [result("Ada"), result("Bob", passed=False, score=0.5), failed("Cat")]
    (record,) = records(made(evaluation([failed("Cat")])))
    assert record["error"] == "Error: down"
    assert record["scores"] == dict.fromkeys(("success", "score", "check contains", "half"))
    assert not {"wall_s", "cost_usd", "prompt_tokens", "answer"} & record.keys()
    (tmp_path / "out.json").write_text(json.dumps(evaluation(rows)))
    found = {e.stratum["scorer"]: e for e in mc.compute(mc.load(tmp_path)).find("score") if not e.group}
    counts = {name: (e.n, e.N, e.errors, e.attempts) for name, e in found.items()}
    assert counts["success"] == counts["check contains"] == (1, 2, 1, 3)
    assert counts["half"] == (0, 2, 1, 3)


def test_older_files_say_failure_and_error_in_one_field() -> None:
    newer = ("failureReason", "id", "promptId", "promptIdx")
    rows = (result("Ada", passed=False, score=0, error="expected Hello"), failed("Bob"))
    old = [{key: value for key, value in row.items() if key not in newer} for row in rows]
    whole = {"results": {"version": 2, "timestamp": "2024-01-02T03:04:05.678Z", "results": old, "stats": {}}}
    first, second = made(whole)
    assert "error" not in first.record
    assert first.record["scores"]["success"] is False
    assert second.record["error"] == "Error: down"
    assert json.loads(second.source)["evaluation"] == "2024-01-02T03:04:05.678Z"


def test_a_test_that_asserts_nothing_has_no_verdict() -> None:
    idle = result("Dan", testCase={"vars": {"name": "Dan"}}, namedScores={})
    idle["gradingResult"] = {"pass": True, "score": 1, "reason": "No assertions"}
    items = made(evaluation([idle, result("Ada")], stats={"successes": 2, "failures": 0, "errors": 0}))
    assert records(items)[0]["scores"] == {"success": None, "score": None}
    assert told(items, Aside) == [
        "1 results are of tests that assert nothing: no verdict, though the harness counts a pass"
    ]


def test_a_repeat_is_another_repetition_and_another_test_another_task() -> None:
    case = {"description": "greets", "vars": {"name": "Ada"}, "assert": [CONTAINS]}
    same = [result("Ada", id=str(n), testCase=case) for n in range(2)]
    repeats = [(r["task_id"], r["rep"]) for r in records(made(evaluation(same)))]
    assert repeats == [("greets", 1), ("greets", 2)]
    other = result("Bob", testCase={**case, "vars": {"name": "Bob"}})
    names = [r["task_id"] for r in records(made(evaluation([same[0], other])))]
    assert names == ["greets, name=Ada", "greets, name=Bob"]
    stricter = result("Ada", testCase={"vars": {"name": "Ada"}, "assert": [CONTAINS, CONTAINS]})
    first, second = (r["task_id"] for r in records(made(evaluation([result("Ada"), stricter]))))
    assert first.startswith("name=Ada ")
    assert second.startswith("name=Ada ")
    assert first != second


def test_the_label_is_the_arm_and_two_columns_alike_are_kept_apart() -> None:
    labelled = result(provider={"id": "openai:gpt", "label": "cold"})
    (record,) = records(made(evaluation([labelled])))
    assert (record["agent"], record["model"]) == ("cold", "openai:gpt")
    assert records(made(evaluation([result(provider="openai:gpt")])))[0]["agent"] == "openai:gpt"
    items = made(evaluation([result(promptIdx=0), result(promptIdx=1, id="x")]))
    assert [r["agent"] for r in records(items)] == ["echo (column 0)", "echo (column 1)"]
    assert "columns 0, 1 have one provider and prompt" in told(items, Aside)[0]


def test_two_prompts_are_two_strata() -> None:
    other = result(id="x", promptId=OTHER, promptIdx=1, prompt={"raw": "Bye Ada", "label": "Bye {{name}}"})
    found = records(made(evaluation([result(), other])))
    assert [(r["suite"], r["prompt_sha256"]) for r in found] == [
        ('greetings, prompt "Hello {{name}}"', PLAIN),
        ('greetings, prompt "Bye {{name}}"', OTHER),
    ]


def test_the_harness_s_totals_are_told_where_they_differ() -> None:
    rows = [result("Ada"), result("Bob", passed=False), failed("Cat")]
    right = {"successes": 1, "failures": 1, "errors": 1}
    assert told(made(evaluation(rows, stats=right)), Declared) == []
    wrong = {"successes": 3, "failures": 1, "errors": 0}
    assert told(made(evaluation(rows, stats=wrong)), Declared) == [
        "declares 4 runs; 3 are here",
        "its own figure (successes of 4 tests that ran) is 0.75; its runs' mean is 0.5",
    ]
    for strange in ({"successes": "3"}, {"successes": -1}, {"successes": None}):
        assert told(made(evaluation(rows, stats=strange)), Declared) == []


@pytest.mark.parametrize(
    ("value", "score"),
    [(None, None), ("high", "high"), (7, 7), ([1], "[1]"), (10**400, '"a number of more than 40 digits"')],
)
def test_a_strange_score_costs_one_score(value: Any, score: Any) -> None:
    items = made(evaluation([result("Ada", score=value), result("Bob")]))
    assert [r["scores"]["score"] for r in records(items)] == [score, 1]


def test_numbers_that_are_none_cost_one_score() -> None:
    row = json.dumps(result("Ada", score=111, latencyMs=222))
    row = row.replace("111", "NaN").replace("222", "1e999")
    data = b'{"results": {"version": 3, "results": [%s]}}' % row.encode()
    (record,) = records(made(data))
    assert record["scores"]["score"] == "NaN"
    assert "wall_s" not in record


def test_what_is_no_result_is_a_problem_with_its_number() -> None:
    items = made(evaluation([result(), 5, {"vars": {}}, result(provider={"id": 3})]))
    assert [item.line for item in items if type(item) is Problem] == [2, 3, 4]
    assert len(records(items)) == 1
    none = dict.fromkeys(("vars", "testCase", "prompt"))
    bare = result("Eve", **none, response=[1], gradingResult="x", namedScores=7)
    (record,) = records(made(evaluation([bare])))
    assert record["scores"] == {"success": True, "score": 1}


def test_a_file_without_results_is_told() -> None:
    for whole in ([], evaluation([])):
        assert told(made(whole), NoRuns) == ["the evaluation holds no results: nothing can be counted"]
    for whole in (7, {"results": {"version": 3}}, {"results": {"version": 3, "results": {}}}):
        with pytest.raises(FormatError, match="expected"):
            made(whole)
    with pytest.raises(FormatError, match="expected JSON"):
        made(b'{"results": {"version": 3, "results": [{"prov')


def test_lines_are_read_as_results() -> None:
    rows = [result("Ada"), result("Bob")]
    data = b"\n".join(json.dumps(row).encode() for row in rows) + b'\n{"provider": {"id": "echo"'
    items = made(data, "out.jsonl")
    assert [r["task_id"] for r in records(items)] == ["name=Ada", "name=Bob"]
    assert [item.line for item in items if type(item) is Problem] == [3]


def test_every_shape_is_claimed_and_nothing_else() -> None:
    whole = evaluation([result()])
    row = {key: result()[key] for key in ("provider", "prompt", "vars", "success")}
    exported = {"id": "e", "createdAt": 17, "author": None, **whole}
    plain = (whole, whole["results"], {"results": whole["results"]}, exported)
    shapes = [*(("a.json", shape) for shape in plain), ("a.jsonl", row)]
    for path, shape in shapes:
        head = json.dumps(shape, indent=2 if path == "a.json" else None).encode()
        assert claims(path, head)
        assert claims(path, head[:160])
        assert not any(a.claims(path, head) for a in ADAPTERS.values() if a is not ADAPTER)
    assert not claims("package.json", b'{"name": "x", "version": "1.0.0"}')
    assert not claims("tsconfig.json", b'{"compilerOptions": {}}')
    assert not claims("results.json", b'{"results": {"arc": {"alias": "arc", "acc,none": 0.5}}}')
    assert not claims("log.json", b'{"version": 2, "status": "success", "eval": {}}')


ROWS = [result("Ada"), result("Bob", passed=False, score=0.5), failed("Cat")]
SUMMARY = {"version": 3, "timestamp": "2026-01-02T03:04:05.678Z", "prompts": [], "results": ROWS, "stats": {}}


def in_order(row: dict[str, Any]) -> dict[str, Any]:
    """A result as version 0.121 streams it: keys in order of the alphabet, but for the last few."""
    last = ("vars", "metadata", "failureReason")
    keys = [*sorted(key for key in row if key not in last), *(key for key in last if key in row)]
    return {key: row[key] for key in keys}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("out.jsonl", "".join(json.dumps(row) + "\n" for row in ROWS)),
        ("out.jsonl", "".join(json.dumps(in_order(row)) + "\n" for row in ROWS)),
        ("bare.json", json.dumps(SUMMARY, indent=2)),
        ("old.json", json.dumps({"version": 2, "results": ROWS, "stats": {}, "table": {}})),
        ("last.json", json.dumps({"results": ROWS, "stats": {}, "table": {}, "version": 1})),
        ("rows.json", json.dumps(ROWS)),
        (
            "node.json",
            json.dumps({"id": "eval-4je-2026-12-01T15:46:15", "config": {"x": "y" * 9000}, "results": ROWS}),
        ),
    ],
    ids=["lines", "lines-in-order", "summary", "version-2", "version-last", "results", "node"],
)
def test_every_form_of_its_results_is_known_and_read_alike(tmp_path: Path, path: str, text: str) -> None:
    head = text.encode()[:4096]
    assert [name for name, adapter in ADAPTERS.items() if adapter.claims(path, head)] == ["promptfoo"]
    (tmp_path / path).write_text(text)
    (e,) = (
        e
        for e in mc.compute(tmp_path / path).find("score")
        if not e.group and e.stratum["scorer"] == "success"
    )
    assert (e.n, e.N, e.errors) == (1, 2, 1)


def test_totals_without_results_are_told_as_such() -> None:
    totals = {"version": 3, "timestamp": "2026-01-02T03:04:05.678Z", "stats": {"successes": 3}}
    assert claims("a.json", json.dumps(totals).encode())
    with pytest.raises(FormatError, match="there are only totals") as error:
        made(totals)
    assert "promptfoo eval --output results.json" in error.value.hint
