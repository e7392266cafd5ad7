"""Transcripts of OpenTelemetry: each place that the conventions named for messages, and each message once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metrics_core.adapters.otel_genai import convert
from metrics_core.adapters.transcripts.otel_genai import transcript
from metrics_core.formats import Element, OutsideFile
from metrics_core.results import Message, MessagePart, Passage, ToolCall, Transcript

Told = list[tuple[str, str]]
CALL = {"type": "tool_call", "id": "c1", "name": "weather", "arguments": {"city": "Paris"}}
ASKED = {"role": "user", "parts": [{"type": "text", "content": "Weather?"}]}
CALLED = {"role": "assistant", "parts": [{"type": "reasoning", "content": "look"}, CALL]}
ANSWER = {"type": "tool_call_response", "id": "c1", "response": {"sky": "rain"}}
ANSWERED = {"role": "tool", "parts": [ANSWER]}
SAID = {"role": "assistant", "parts": [{"type": "text", "content": "Rain."}], "finish_reason": "stop"}


def span(at: int, operation: str = "chat", **more: Any) -> dict[str, Any]:
    attributes = {"gen_ai.operation.name": operation, **more.pop("attributes", {})}
    return {"name": operation, "startTimeUnixNano": str(at), "attributes": attributes, **more}


def read(*spans: dict[str, Any]) -> Transcript:
    return transcript(json.dumps({"trace": "t", "spans": spans}).encode())


def told(made: Transcript) -> Told:
    return [(each.role, each.text) for each in made.messages]


def talk() -> list[dict[str, Any]]:
    """An agent that calls its model, a tool, and its model again; each span repeats what it was given."""
    first = {"gen_ai.input.messages": json.dumps([ASKED]), "gen_ai.output.messages": json.dumps([CALLED])}
    tool = {
        "gen_ai.tool.name": "weather", "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.call.arguments": '{"city": "Paris"}', "gen_ai.tool.call.result": "rain",
    }  # fmt: skip
    second = {"gen_ai.input.messages": [ASKED, CALLED, ANSWERED], "gen_ai.output.messages": [SAID]}
    whole = {"gen_ai.input.messages": [ASKED], "gen_ai.output.messages": [SAID]}
    return [
        span(4, attributes=second), span(3, "execute_tool", attributes=tool), span(2, attributes=first),
        span(1, "invoke_agent", attributes=whole),
    ]  # fmt: skip


def test_what_a_span_repeats_stands_once_in_the_order_of_time() -> None:
    made = read(*talk())
    assert made.messages == (
        Message(role="user", parts=(MessagePart("Weather?"),)),
        Message(
            role="assistant",
            parts=(MessagePart("look", "reasoning"),),
            calls=(ToolCall("weather", (("city", "Paris"),)),),
        ),
        Message(role="tool", name="weather", parts=(MessagePart('{"sky": "rain"}'),)),
        Message(role="assistant", parts=(MessagePart("Rain."),)),
    )


def test_an_agent_or_a_tool_whose_model_calls_say_nothing_is_read_itself() -> None:
    _, tool, _, agent = talk()
    made = read(agent, span(2), tool)
    assert told(made) == [("user", "Weather?"), ("assistant", "Rain."), ("tool input", ""), ("tool", "rain")]
    assert made.messages[2].calls == (ToolCall("weather", (("city", "Paris"),)),)


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"attributes": {"gen_ai.prompt": "Hi", "gen_ai.completion": "Ho"}}, ["user Hi", "assistant Ho"]),
        (
            {"attributes": {"gen_ai.prompt.1.content": "Hi", "gen_ai.prompt.0.role": "system",
                            "gen_ai.prompt.0.content": "Be brief", "gen_ai.completion.0.content": "Ho"}},
            ["system Be brief", "user Hi", "assistant Ho"],
        ),
        (
            {"events": [{"name": "gen_ai.user.message", "attributes": {"content": "Hi"}},
                        {"name": "gen_ai.choice", "attributes": {"message": '{"content": "Ho"}'}}]},
            ["user Hi", "assistant Ho"],
        ),
        (
            {"events": [{"name": "gen_ai.content.prompt",
                         "attributes": {"gen_ai.prompt": '[{"role": "user", "content": "Hi"}]'}}]},
            ["user Hi"],
        ),
        (
            {"events": [{"name": "gen_ai.client.inference.operation.details",
                         "attributes": {"gen_ai.output.messages": json.dumps([SAID])}}]},
            ["assistant Rain."],
        ),
        (
            {"attributes": {"gen_ai.system_instructions": '[{"type": "text", "content": "Be brief"}]',
                            "gen_ai.input.messages": [ASKED]}},
            ["system Be brief", "user Weather?"],
        ),
        ({"attributes": {"gen_ai.prompt": '{"city": "Paris"}'}}, ['user {"city": "Paris"}']),
    ],
)  # fmt: skip
def test_every_place_that_the_conventions_named(more: dict[str, Any], expected: list[str]) -> None:
    assert [" ".join(each) for each in told(read(span(1, **more)))] == expected


def test_typed_attributes_are_read_with_the_lists_in_them() -> None:
    part = {"kvlistValue": {"values": [
        {"key": "type", "value": {"stringValue": "text"}},
        {"key": "content", "value": {"stringValue": "Hi"}},
    ]}}  # fmt: skip
    message = {"kvlistValue": {"values": [
        {"key": "role", "value": {"stringValue": "user"}},
        {"key": "parts", "value": {"arrayValue": {"values": [part]}}},
    ]}}  # fmt: skip
    made = read({"attributes": [
        {"key": "gen_ai.input.messages", "value": {"arrayValue": {"values": [message]}}}
    ]})  # fmt: skip
    assert told(made) == [("user", "Hi")]


def test_a_judges_words_and_errors_stand_beside() -> None:
    graded = {"gen_ai.evaluation.name": "helpful", "gen_ai.evaluation.explanation": "kind"}
    raised = {"exception.message": "no room", "exception.stacktrace": "Traceback"}
    events = [
        {"name": "gen_ai.evaluation.result", "attributes": graded},
        {"name": "exception", "attributes": raised},
    ]
    made = read(span(1, events=events, status={"code": 2, "message": "failed"}))
    assert made.passages == (
        Passage("judge", "kind", "helpful"),
        Passage("error", "failed", "chat"),
        Passage("error", "no room", "chat"),
        Passage("error", "Traceback", "traceback"),
    )


def test_the_element_that_the_adapter_makes_is_read() -> None:
    lines = b"\n".join(
        json.dumps({"traceId": "t", "spanId": str(at), **one}).encode() for at, one in enumerate(talk())
    )
    found = [
        made for made in convert(OutsideFile(path="spans.jsonl", data=lines)) if isinstance(made, Element)
    ]
    assert [len(transcript(made.source).messages) for made in found] == [4]
