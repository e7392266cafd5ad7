"""OpenTelemetry GenAI spans: a trace is a run, with what was recorded and nothing else.

The shapes are those that the OpenTelemetry SDK 1.45 writes, as OTLP JSON and as one span a line.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core.adapters import ADAPTERS
from metrics_core.adapters.otel_genai import ADAPTER, claims, convert
from metrics_core.errors import FormatError
from metrics_core.formats import Element, OutsideFile
from metrics_core.results import Aside, NoRuns, Problem

BEGAN = 1_767_323_045
RESOURCE = {"attributes": [{"key": "service.name", "value": {"stringValue": "desk"}},
                           {"key": "service.version", "value": {"stringValue": "1.2"}}]}  # fmt: skip


def typed(attributes: dict[str, Any]) -> list[dict[str, Any]]:
    names = {str: "stringValue", int: "intValue", float: "doubleValue", bool: "boolValue"}
    return [{"key": key, "value": {names[type(value)]: str(value) if type(value) is int else value}}
            for key, value in attributes.items()]  # fmt: skip


def span(
    trace: str, own: str, parent: str = "", at: float = 0.0, lasted: float = 1.0, **more: Any
) -> dict[str, Any]:
    attributes = {f"gen_ai.{key}": value for key, value in more.pop("gen_ai", {}).items()}
    begin = BEGAN * 10**9 + int(at * 1e9)
    attributes |= more.pop("other", {})
    return {
        "traceId": trace, "spanId": own, "parentSpanId": parent, "name": own, "startTimeUnixNano": str(begin),
        "endTimeUnixNano": str(begin + int(lasted * 1e9)), "attributes": typed(attributes), **more,
    }  # fmt: skip


def chat(trace: str, own: str, sent: int = 15, received: int = 6, **more: Any) -> dict[str, Any]:
    held = {"operation.name": "chat", "request.model": "small"}
    held |= {"usage.input_tokens": sent, "usage.output_tokens": received}  # type: ignore[dict-item]
    return span(trace, own, "root", 0.5, 1.0, gen_ai=held, **more)


def graded(name: str, **held: Any) -> dict[str, Any]:
    attributes = {f"gen_ai.evaluation.{key}": value for key, value in {"name": name, **held}.items()}
    return {"name": "gen_ai.evaluation.result", "attributes": typed(attributes)}


def agent(trace: str, **more: Any) -> dict[str, Any]:
    held = {"operation.name": "invoke_agent", "agent.name": "helper",
            "usage.input_tokens": 30, "usage.output_tokens": 12}  # fmt: skip
    return span(trace, "root", "", 0.0, 2.5, gen_ai=held, **more)


def otlp(spans: list[Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"resource": RESOURCE, "scopeSpans": [{"scope": {}, "spans": spans}]}]}


def made(spans: list[Any], path: str = "traces.json") -> list[Any]:
    return list(convert(OutsideFile(path=path, data=json.dumps(otlp(spans)).encode())))


def by_line(rows: list[Any]) -> list[Any]:
    data = b"\n".join(row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows)
    return list(convert(OutsideFile(path="spans.jsonl", data=data)))


def records(items: list[Any]) -> list[Any]:
    return [item.record for item in items if isinstance(item, Element)]


def told(items: list[Any], kind: type[Any] = Aside) -> list[str]:
    return [item.what for item in items if type(item) is kind]


def test_a_trace_is_a_run_and_its_tokens_are_counted_once() -> None:
    items = made([chat("t", "a"), chat("t", "b"), agent("t")])
    (record,) = records(items)
    assert record == {
        "schema": "trace.v1", "task_id": "t", "agent": "helper, small", "model": "small", "suite": "desk 1.2",
        "run_id": "t", "stamp": "2026-01-02T03:04:05+00:00", "wall_s": 2.5, "prompt_tokens": 30,
        "completion_tokens": 12,
    }  # fmt: skip
    assert len(json.loads(items[0].source)["spans"]) == 3
    assert told(items) == [
        "1 trace without test.case.name: each is taken for a task of its own",
        "no span holds a gen_ai.evaluation.result: there is no rate, only cost, tokens, time and errors",
    ]


def test_without_a_score_there_is_no_rate_and_context_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "traces.json").write_text(json.dumps(otlp([chat("t", "a"), agent("t")])))
    report = mc.compute(mc.load(tmp_path))
    (score,) = (e for e in report.find("score") if not e.group)
    assert (score.N, score.unknown, score.value) == (0, 1, None)
    (tokens,) = (e for e in report.find("tokens") if not e.group)
    assert (tokens.n, tokens.N) == (1, 1)
    assert any("there is no rate" in str(finding) for finding in report.findings)


def test_evaluations_are_scorers_and_a_run_without_one_is_unknown() -> None:
    events = [graded("Relevance", **{"score.value": 0.75}), graded("ok", **{"score.label": "pass"})]
    first = agent("t", events=events)
    (one, two) = records(made([first, chat("t", "a"), agent("u"), chat("u", "a")]))
    assert one["scores"] == {"Relevance": 0.75, "ok": True}
    assert two["scores"] == {"Relevance": None, "ok": None}


@pytest.mark.parametrize(
    ("held", "score"),
    [
        ({"score.label": "fail"}, False),
        ({"score.label": "relevant"}, "relevant"),
        ({"score.value": 4.0}, 4.0),
        ({"score.value": 1, "score.label": "fail"}, 1),
        ({}, None),
    ],
)
def test_a_value_goes_before_a_label_and_a_strange_label_is_none(held: dict[str, Any], score: Any) -> None:
    (record,) = records(made([agent("t", events=[graded("s", **held)])]))
    assert record["scores"] == {"s": score}


def test_several_values_of_one_name_are_told_and_none_is_taken() -> None:
    values = {"a": 0.5, "b": 1.0}
    parts = [chat("t", own, events=[graded("s", **{"score.value": v})]) for own, v in values.items()]
    items = made([agent("t"), *parts])
    assert records(items)[0]["scores"] == {"s": None}
    assert '"s" has several values within each of 1 trace: none is taken there' in told(items)
    whole = agent("t", events=[graded("s", **{"score.value": 0.25})])
    assert records(made([whole, *parts]))[0]["scores"] == {"s": 0.25}


def test_only_the_root_s_failure_is_the_run_s() -> None:
    broken = {"status": {"code": 2, "message": "no such file"}}
    assert "error" not in records(made([agent("t"), chat("t", "a", **broken)]))[0]
    assert records(made([agent("t", status={"code": "STATUS_CODE_ERROR"})]))[0]["error"] == "an error"
    items = made([chat("t", "a", **broken)])
    assert "error" not in records(items)[0]
    assert "1 trace without its first span: whether it failed is not known" in told(items)


def test_a_call_that_states_no_tokens_makes_the_sum_unknown() -> None:
    silent = span("t", "b", "root", gen_ai={"operation.name": "chat", "request.model": "large"})
    (record,) = records(made([span("t", "root"), chat("t", "a"), silent]))
    assert "prompt_tokens" not in record
    assert record["agent"] == "large + small"
    failed = {**silent, "status": {"code": 2}}
    assert records(made([span("t", "root"), chat("t", "a"), failed]))[0]["prompt_tokens"] == 15
    assert "prompt_tokens" not in records(made([chat("t", "a", 0, 0)]))[0]


def test_a_trace_that_names_nobody_says_so() -> None:
    nobody = span("t", "root", gen_ai={"operation.name": "chat"})
    read = list(convert(OutsideFile(path="s.jsonl", data=json.dumps(nobody).encode())))
    assert [item.record["agent"] for item in read if isinstance(item, Element)] == ["unknown agent"]
    assert any(
        'no arm is named, "unknown agent" stands for it' in i.what for i in read if isinstance(i, Aside)
    )


def test_a_task_that_is_named_is_the_task() -> None:
    items = made([agent(t, other={"test.case.name": "greets"}) for t in ("t", "u")])
    assert [r["task_id"] for r in records(items)] == ["greets", "greets"]


@pytest.mark.parametrize(
    ("value", "held"),
    [("12", True), (-1, False), ("x", False), (True, False), (1.5, False), (10**400, False)],
    ids=["text", "negative", "word", "bool", "half", "400 digits"],
)
def test_a_strange_count_is_not_recorded(value: Any, held: bool) -> None:
    row = chat("t", "a")
    row["attributes"] = [a for a in row["attributes"] if a["key"] != "gen_ai.usage.input_tokens"]
    row["attributes"].append({"key": "gen_ai.usage.input_tokens", "value": {"intValue": value}})
    (record,) = records(made([row]))
    assert ("prompt_tokens" in record) is held


def test_spans_a_line_are_read_in_the_shape_of_the_sdk() -> None:
    row = {
        "name": "chat small", "context": {"trace_id": "0x1", "span_id": "0x2"}, "parent_id": None,
        "start_time": "2026-01-02T03:04:05.250000Z", "end_time": "2026-01-02T03:04:06.500000Z",
        "status": {"status_code": "ERROR", "description": "down"},
        "attributes": {"gen_ai.operation.name": "chat", "gen_ai.request.model": "small"},
        "resource": {"attributes": {"service.name": "unknown_service"}},
    }  # fmt: skip
    items = by_line([row, b'{"traceId": "t', 5, {"traceId": "t"}, row])
    (record,) = records(items)
    assert (record["agent"], record["wall_s"], record["error"]) == ("small", 1.25, "down")
    assert "suite" not in record
    assert [item.line for item in items if type(item) is Problem] == [2, 3, 4]
    assert "1 span stand again under the same id: the last counts" in told(items)


def test_lines_of_otlp_and_lists_of_spans_are_read() -> None:
    halves = [otlp([chat("t", "a")]), otlp([agent("t")])]
    assert records(by_line(halves))[0]["prompt_tokens"] == 15
    data = json.dumps([chat("t", "a"), agent("t")]).encode()
    assert len(records(list(convert(OutsideFile(path="a.json", data=data))))) == 1


def test_spans_of_other_conventions_are_no_runs() -> None:
    other = span("t", "a", other={"http.method": "GET"})
    assert told(made([other]), NoRuns) == [
        "1 trace of OpenTelemetry, but no span of the GenAI conventions (gen_ai.*): nothing can be counted"
    ]
    assert "1 trace without a span of the GenAI conventions: not read" in told(made([other, agent("u")]))
    assert told(made([]), NoRuns) == ["the file holds no spans: nothing can be counted"]
    with pytest.raises(FormatError, match="expected JSON"):
        list(convert(OutsideFile(path="a.json", data=b'{"resourceSpans": [')))


def test_only_spans_are_claimed() -> None:
    whole, row = json.dumps(otlp([agent("t")]), indent=2).encode(), json.dumps(agent("t")).encode()
    heads = {"a.json": whole, "a.jsonl": row}
    for path, head in heads.items():
        assert claims(path, head)
        assert not any(a.claims(path, head) for a in ADAPTERS.values() if a is not ADAPTER)
    assert claims("a.json", b'{"resourceSpans": [')
    assert not claims("a.jsonl", b'{"traceId": "t", "id": "o", "type": "SPAN"}')
    assert not claims("a.csv", heads["a.jsonl"])
