"""What transcripts share: an element's text to its object, contents to parts, calls to arguments.

Contents and calls come in few shapes, whichever harness wrote them: text, or a list of typed parts; a call
with its name and arguments beside each other, or under ``function``. Does: read any of these, and give
whatever is of no known shape as JSON, so that nothing is lost. Does not: know a format, or shorten.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from metrics_core.errors import FormatError
from metrics_core.formats import inner
from metrics_core.results import Message, MessagePart, Passage, PassageKind, ToolCall, quoted
from metrics_core.text import visible

TEXTS = ("text", "content", "reasoning", "thinking", "refusal")
"""Keys under which a typed part holds its text."""

REASONING = frozenset({"reasoning", "thinking", "redacted_thinking"})


def element(source: bytes) -> dict[str, Any]:
    """The object that an element is, leniently: it is only shown, and what it came to was read strictly.

    Raises:
        FormatError: Its text is no JSON object: it is damaged, or cut off.

    >>> element(b'{"reward": NaN}')
    {'reward': nan}
    >>> element(b'{"messages": [')
    Traceback (most recent call last):
    metrics_core.errors.FormatError: source: expected JSON: Expecting value: line 1 column 15 (char 14)
    """
    try:
        value = json.loads(source.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"expected JSON: {visible(str(error), escaped=True)}", where="source") from error
    if not isinstance(value, dict):
        raise FormatError(f"expected an object, got {quoted(value)}", where="source")
    return value


def as_text(value: Any) -> str:
    """A value as it is read: a text as it stands, nothing as nothing, anything else as JSON.

    >>> as_text("a"), as_text(None), as_text({"b": [1, "ü"]})
    ('a', '', '{"b": [1, "ü"]}')
    """
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def parts(content: Any) -> tuple[MessagePart, ...]:
    """The parts of a message's content, in order; empty texts are left out.

    >>> parts("hello"), parts(None)
    ((MessagePart(text='hello', kind='text'),), ())
    >>> parts([{"type": "text", "text": "a"}, {"type": "image", "image": "data:"}])
    (MessagePart(text='a', kind='text'), MessagePart(text='data:', kind='image'))
    """
    items = content if isinstance(content, list) else [content]
    return tuple(part for part in map(_part, items) if part.text)


def _part(item: Any) -> MessagePart:
    if not isinstance(item, dict):
        return MessagePart(as_text(item))
    kind = item.get("type")
    if not isinstance(kind, str):
        return MessagePart(as_text(item))
    for key in (*TEXTS, kind):
        if isinstance(item.get(key), str):
            known = "text" if key == "refusal" or kind in ("text", "input_text", "output_text") else kind
            return MessagePart(item[key], "reasoning" if kind in REASONING else known)
    return MessagePart(as_text(item), kind)


def calls(given: Any) -> tuple[ToolCall, ...]:
    """Tool calls of a message, in order.

    >>> calls([{"function": {"name": "f", "arguments": '{"a": 1}'}}, {"function": "g", "args": {"b": "x"}}])
    (ToolCall(name='f', arguments=(('a', '1'),)), ToolCall(name='g', arguments=(('b', 'x'),)))
    """
    if given in (None, [], ()):
        return ()
    return tuple(map(_call, given if isinstance(given, list) else [given]))


def _call(item: Any) -> ToolCall:
    if not isinstance(item, dict):
        return ToolCall("", (("", as_text(item)),))
    function = item.get("function")
    held = function if isinstance(function, dict) else item
    name = function if isinstance(function, str) else held.get("name")
    given = next((held[key] for key in ("arguments", "args", "kwargs", "input") if held.get(key)), None)
    return ToolCall(as_text(name), tuple(_arguments(given)))


def _arguments(given: Any) -> Iterator[tuple[str, str]]:
    if isinstance(given, str):
        try:
            decoded = json.loads(given)
        except (ValueError, RecursionError):  # a model's arguments need not be JSON
            decoded = given
        given = decoded if isinstance(decoded, dict) else given
    if isinstance(given, dict):
        yield from ((key, as_text(value)) for key, value in given.items())
    elif given not in (None, [], ""):
        yield "", as_text(given)


def messages(given: Any) -> tuple[Message, ...]:
    """Messages that hold ``role``, ``content`` and ``tool_calls``, in order, whatever is missing.

    A tool's message without a name has that of the call whose id it gives. What is no object is given as
    text without a role; what is no list, as one message.

    >>> called = {"role": "assistant", "tool_calls": [{"id": "1", "name": "search"}]}
    >>> [(each.role, each.name) for each in messages([called, {"role": "tool", "tool_call_id": "1"}, "?"])]
    [('assistant', ''), ('tool', 'search'), ('', '')]
    """
    listed = [] if given is None else given if isinstance(given, list) else [given]
    named: dict[str, str] = {}
    found = []
    for raw in listed:
        found.append(_message(raw, named))
        asked = raw.get("tool_calls") if isinstance(raw, dict) else None
        for call in asked if isinstance(asked, list) else ():
            if isinstance(call, dict) and isinstance(call.get("id"), str):
                named[call["id"]] = _call(call).name
    return tuple(found)


def _message(raw: Any, named: Mapping[str, str]) -> Message:
    if not isinstance(raw, dict):
        return Message(role="", parts=parts(raw))
    error = raw.get("error")
    told = as_text(error.get("message") or error) if isinstance(error, dict) else as_text(error or None)
    return Message(
        role=as_text(raw.get("role")),
        parts=(*_thoughts(raw), *parts(raw.get("content"))),
        calls=calls(raw.get("tool_calls")),
        name=next(filter(None, _names(raw, named)), ""),
        error=told,
    )


def _names(raw: Mapping[str, Any], named: Mapping[str, str]) -> Iterator[str]:
    yield from (raw[key] for key in ("name", "function") if isinstance(raw.get(key), str))
    yield from (named.get(raw[key], "") for key in ("tool_call_id", "id") if isinstance(raw.get(key), str))
    yield from (call.name for call in calls(raw.get("tool_call")))


def _thoughts(raw: Mapping[str, Any]) -> Iterator[MessagePart]:
    for key in ("reasoning_content", "reasoning_trace"):
        for part in parts(raw.get(key)):
            yield MessagePart(part.text, "reasoning")


def unrepeated(came: tuple[Message, ...], before: tuple[Message, ...]) -> tuple[Message, ...]:
    """What went into a model call, without what it repeats: as far as it begins as the call before it did.

    Args:
        came: Messages that went into a call.
        before: Those that went into the call before it, with what came out of that.

    >>> unrepeated(messages(["a", "b", "a"]), messages(["a", "b"])) == messages("a")
    True
    """
    again = 0
    while again < min(len(came), len(before)) and came[again] == before[again]:
        again += 1
    return came[again:]


def passages(kind: PassageKind, value: Any, by: str = "") -> Iterator[Passage]:
    """A passage, or none where there is nothing to read; of a list of texts, one each.

    >>> list(passages("target", ["bike", "bicycle"])), list(passages("error", None))
    ([Passage(kind='target', text='bike', by=''), Passage(kind='target', text='bicycle', by='')], [])
    """
    texts = value if isinstance(value, list) and all(isinstance(v, str) for v in value) else [value]
    yield from (Passage(kind, text, by) for text in map(as_text, texts) if text)


def failure(of: Mapping[str, Any], key: str = "error") -> Iterator[Passage]:
    """What a source says of a run's failure: its message, then its traceback."""
    error = of.get(key)
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        yield from passages("error", error["message"])
        yield from passages("error", error.get("traceback"), "traceback")
    else:
        yield from passages("error", error or None)
    yield from passages("error", inner(of, "info").get("traceback"), "traceback")
