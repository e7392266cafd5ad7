"""Transcript of an OpenTelemetry trace: what its model calls were given and gave, and what its tools gave.

Messages stand in attributes of a span or of its events, as objects or as their JSON, under names that the
conventions have changed over time; all of them are read. A call repeats what was said before it: that stands
once. An agent's own span repeats its calls: it is read where they hold nothing. Does not: keep what is no
message, an evaluation's words or an error; the whole trace stands beside.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from metrics_core.adapters.transcripts.parts import as_text, element, messages, passages, unrepeated
from metrics_core.formats import inner
from metrics_core.results import Message, Passage, Transcript

PREFIX = "gen_ai."
GIVEN = (f"{PREFIX}input.messages", f"{PREFIX}prompt")
GAVE = (f"{PREFIX}output.messages", f"{PREFIX}completion")
"""Attributes with what a call was given and gave; the newest name first, of which one is read."""

INSTRUCTIONS = f"{PREFIX}system_instructions"
CHOICE = f"{PREFIX}choice"
TOOL = "execute_tool"
WRAPPERS = ("invoke_agent", "create_agent", "invoke_workflow")
"""Operations whose span spans calls of its own."""

_EVENT = re.compile(r"gen_ai\.(system|user|assistant|tool)\.message")
_NUMBERED = re.compile(r"gen_ai\.(prompt|completion)\.(\d{1,6})\.(.+)")
_CALL = re.compile(r"tool_calls\.(\d{1,6})\.(.+)")

Attributes = Mapping[str, Any]


def transcript(source: bytes) -> Transcript:
    """What one trace holds.

    Args:
        source: An object of its id, its service and its spans.

    Raises:
        FormatError: It is no JSON object.

    >>> said = b'[{"role": "user", "parts": [{"type": "text", "content": "Hi"}]}]'
    >>> made = transcript(b'{"spans": [{"attributes": {"gen_ai.input.messages": %s}}]}' % said)
    >>> [(each.role, each.text) for each in made.messages]
    [('user', 'Hi')]
    """
    spans = _objects(element(source).get("spans"))
    spans.sort(key=_begin)
    return Transcript(messages=tuple(_messages(spans)), passages=tuple(_beside(spans)))


def _begin(span: Mapping[str, Any]) -> tuple[int, str]:
    """By length, then by text: nanoseconds are whole numbers or their digits, other times are ISO 8601."""
    begin = as_text(
        next(
            (
                span[key]
                for key in ("startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime")
                if key in span
            ),
            None,
        )
    )
    return (len(begin) if begin.isdigit() else 0, begin)


def _messages(spans: list[dict[str, Any]]) -> Iterator[Message]:
    held = [(_attributes(span.get("attributes")), *_said(span)) for span in spans]
    calls = [(given, gave) for of, given, gave in held if of.get(f"{PREFIX}operation.name") not in WRAPPERS]
    alone = any(given or gave for given, gave in calls)
    answered = {
        raw["tool_call_id"] for _, given, _ in held for raw in given if isinstance(raw, dict)
        if isinstance(raw.get("tool_call_id"), str)
    }  # fmt: skip
    before: tuple[Message, ...] = ()
    for of, given, gave in held:
        operation = of.get(f"{PREFIX}operation.name")
        if operation == TOOL:
            if of.get(f"{PREFIX}tool.call.id") not in answered:
                yield from _tool(of)
        elif not (alone and operation in WRAPPERS) and (given or gave):
            whole = messages([*given, *gave])
            came = whole[: len(given)]
            yield from (*unrepeated(came, before), *whole[len(given) :])
            before = whole


def _tool(of: Attributes) -> Iterator[Message]:
    """A tool's run, which no model call repeats."""
    called = {"name": of.get(f"{PREFIX}tool.name"), "arguments": of.get(f"{PREFIX}tool.call.arguments")}
    if called["arguments"] not in (None, ""):
        yield from messages({"role": "tool input", "name": called["name"], "tool_calls": [called]})
    result = of.get(f"{PREFIX}tool.call.result")
    if result not in (None, ""):
        yield from messages({"role": "tool", "name": called["name"], "content": as_text(result)})


# ------------------------------------------------------------------ what a span holds


def _said(span: Mapping[str, Any]) -> tuple[list[Any], list[Any]]:
    """What a call was given and what it gave, as messages of role, content and tool calls."""
    given: list[Any] = []
    gave: list[Any] = []
    own = _attributes(span.get("attributes"))
    events = [(as_text(event.get("name")), _body(event)) for event in _objects(span.get("events"))]
    for of in (own, *(of for _, of in events)):
        given += [each for raw in _listed(of.get(INSTRUCTIONS), "system") for each in _split(raw, "system")]
        given += _under(of, GIVEN, "prompt", "user")
        gave += _under(of, GAVE, "completion", "assistant")
    for name, of in events:
        if match := _EVENT.fullmatch(name):
            raw = {"role": match[1], **of, "tool_calls": _decoded(of.get("tool_calls"))}
            given.append({**raw, "tool_call_id": of.get("tool_call_id", of.get("id"))})
        elif name == CHOICE:
            said = _decoded(of.get("message", of.get("content")))
            called = {"tool_calls": _decoded(of["tool_calls"])} if "tool_calls" in of else {}
            whole = said if isinstance(said, dict) else {"content": said}
            gave.append({"role": "assistant", **called, **whole})
    return given, gave


def _body(event: Mapping[str, Any]) -> Attributes:
    body = event.get("body")
    return {**(body if isinstance(body, dict) else {}), **_attributes(event.get("attributes"))}


def _under(of: Attributes, keys: tuple[str, ...], numbered: str, role: str) -> list[Any]:
    """Messages under the first of these names that is there, or under numbered ones."""
    value = next((of[key] for key in keys if of.get(key) not in (None, "", [])), None)
    found = _listed(value, role) if value is not None else _numbered(of, numbered, role)
    return [each for raw in found for each in _split(raw, role)]


def _listed(value: Any, role: str) -> list[Any]:
    """A list of messages, or of parts of one; what is neither is one message of that role."""
    decoded = _decoded(value)
    if decoded in (None, "", []):
        return []
    if isinstance(decoded, dict) and isinstance(decoded.get("messages"), list):
        decoded = decoded["messages"]
    listed = decoded if isinstance(decoded, list) else [decoded]
    if all(isinstance(each, dict) and "role" in each for each in listed):
        return listed
    if all(isinstance(each, dict) and isinstance(each.get("type"), str) for each in listed):
        return [{"role": role, "parts": listed}]
    return [{"role": role, "content": as_text(value)}]


def _numbered(of: Attributes, kind: str, role: str) -> list[Any]:
    """Messages whose fields are attributes of their own: ``gen_ai.prompt.0.content``."""
    found: dict[int, dict[str, Any]] = {}
    called: dict[int, dict[int, dict[str, Any]]] = {}
    for key, value in of.items():
        match = _NUMBERED.fullmatch(key)
        if match and match[1] == kind:
            at = int(match[2])
            message = found.setdefault(at, {"role": role})
            if call := _CALL.fullmatch(match[3]):
                called.setdefault(at, {}).setdefault(int(call[1]), {})[call[2]] = value
            else:
                message[match[3]] = _decoded(value) if match[3] == "content" else value
    for at, calls in called.items():
        found[at]["tool_calls"] = [calls[number] for number in sorted(calls)]
    return [found[at] for at in sorted(found)]


def _split(raw: Any, role: str) -> Iterator[Any]:
    """A message of parts as one of content and calls, and one more for each answer of a tool in it."""
    if not isinstance(raw, dict) or not isinstance(raw.get("parts"), list):
        yield raw
        return
    kinds = [part.get("type") if isinstance(part, dict) else None for part in raw["parts"]]
    pairs = list(zip(kinds, raw["parts"], strict=True))
    said = [part for kind, part in pairs if kind not in ("tool_call", "tool_call_response")]
    asked = [part for kind, part in pairs if kind == "tool_call"]
    answers = [part for kind, part in pairs if kind == "tool_call_response"]
    own = {"role": raw.get("role", role), "name": raw.get("name")}
    if said or asked or not answers:
        yield {**own, "content": said, "tool_calls": asked}
    for part in answers:
        given = next((part[key] for key in ("response", "result", "content") if key in part), None)
        yield {**own, "content": as_text(given), "tool_call_id": part.get("id")}


def _decoded(value: Any) -> Any:
    """An object or a list that stands as its JSON; anything else as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _attributes(given: Any) -> dict[str, Any]:
    """Attributes as a mapping: OTLP lists them with their types, lists and mappings among them."""
    if isinstance(given, dict):
        return given
    return {
        item["key"]: _plain(item.get("value")) for item in _objects(given) if isinstance(item.get("key"), str)
    }


def _plain(typed: Any) -> Any:
    if not isinstance(typed, dict) or len(typed) != 1:
        return typed
    kind, value = next(iter(typed.items()))
    within = value.get("values") if isinstance(value, dict) else None
    if kind in ("arrayValue", "array_value"):
        return [_plain(each) for each in within] if isinstance(within, list) else []
    return _attributes(within) if kind in ("kvlistValue", "kvlist_value") else value


def _objects(given: Any) -> list[dict[str, Any]]:
    return [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []


# ------------------------------------------------------------------ beside the messages


def _beside(spans: list[dict[str, Any]]) -> Iterator[Passage]:
    for span in spans:
        own = _attributes(span.get("attributes"))
        name = as_text(span.get("name"))
        events = [_body(event) for event in _objects(span.get("events"))]
        for of in (own, *events):
            by = as_text(of.get(f"{PREFIX}evaluation.name"))
            yield from passages("judge", of.get(f"{PREFIX}evaluation.explanation"), by)
        status = inner(span, "status")
        yield from passages("error", status.get("message") or status.get("description"), name)
        for of in events:
            yield from passages("error", of.get("exception.message"), name)
            yield from passages("error", of.get("exception.stacktrace"), "traceback")
