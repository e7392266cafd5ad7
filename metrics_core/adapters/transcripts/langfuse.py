"""Transcript of a Langfuse trace: its observations in order of time, with what went into each and came out.

A model call repeats the messages before it: as far as they begin as the call before it did, they stand once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from metrics_core.adapters.transcripts.parts import as_text, element, messages, passages, unrepeated
from metrics_core.formats import inner
from metrics_core.results import Message, MessagePart, Passage, Transcript


def transcript(source: bytes) -> Transcript:
    """What one trace holds.

    Args:
        source: An object of the trace, its observations and its scores.

    Raises:
        FormatError: It is no JSON object.

    >>> call = b'{"type": "GENERATION", "input": [{"role": "user", "content": "Hi"}], "output": "Hello"}'
    >>> made = transcript(b'{"trace": {"id": "t"}, "observations": [%s], "scores": []}' % call)
    >>> [(each.role, each.text) for each in made.messages]
    [('user', 'Hi'), ('assistant', 'Hello')]
    """
    whole = element(source)
    given = whole.get("observations")
    held = [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []
    held.sort(key=lambda each: as_text(each.get("startTime")))
    return Transcript(messages=tuple(_messages(held)), passages=tuple(_beside(whole, held)))


def _messages(observations: list[dict[str, Any]]) -> Iterator[Message]:
    before: tuple[Message, ...] = ()
    for each in observations:
        if each.get("type") != "GENERATION":
            yield from (*_step("input", each), *_step("output", each))
            continue
        came, went = messages(_listed(each.get("input"))), _said(each.get("output"))
        yield from (*unrepeated(came, before), *went)
        before = (*came, *went)


def _listed(given: Any) -> Any:
    """Messages of a call: a list, or an object that holds one; a text is what the user said."""
    if isinstance(given, dict) and isinstance(given.get("messages"), list):
        return given["messages"]
    return [{"role": "user", "content": given}] if isinstance(given, str) else given


def _said(given: Any) -> tuple[Message, ...]:
    if given in (None, "", [], {}):
        return ()
    if isinstance(given, dict) and "role" in given:
        return messages(given)
    return messages({"role": "assistant", "content": as_text(given)})


def _step(key: str, observation: Mapping[str, Any]) -> tuple[Message, ...]:
    """What went into a step that is no model call, or came out of it."""
    text = as_text(observation.get(key) or None)
    if not text:
        return ()
    kind = as_text(observation.get("type")).lower()
    return (
        Message(
            role=f"{kind} {key}".strip(), parts=(MessagePart(text),), name=as_text(observation.get("name"))
        ),
    )


def _beside(whole: Mapping[str, Any], observations: list[dict[str, Any]]) -> Iterator[Passage]:
    trace = inner(whole, "trace")
    yield from passages("input", trace.get("input") or None)
    yield from passages("answer", trace.get("output") or None)
    scores = whole.get("scores")
    for score in scores if isinstance(scores, list) else ():
        if isinstance(score, dict):
            yield from passages("judge", score.get("comment"), as_text(score.get("name")))
    for each in observations:
        if each.get("level") == "ERROR":
            yield from passages("error", each.get("statusMessage"), as_text(each.get("name")))
