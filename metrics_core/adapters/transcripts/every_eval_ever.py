"""Transcript of an Every-Eval-Ever instance: its messages, or the input and the output of a single turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from metrics_core.adapters.transcripts.parts import as_text, element, failure, messages, passages
from metrics_core.formats import inner
from metrics_core.results import Message, MessagePart, Passage, Transcript


def transcript(source: bytes) -> Transcript:
    """What one instance-level line holds.

    Args:
        source: The line.

    Raises:
        FormatError: It is no JSON object.

    >>> made = transcript(b'{"input": {"raw": "2+2?", "reference": ["4"]}, "output": {"raw": ["Four."]}}')
    >>> [(each.role, each.text) for each in made.messages], made.passages[0].text
    ([('user', '2+2?'), ('assistant', 'Four.')], '4')
    """
    instance = element(source)
    said = messages(instance.get("messages"))
    return Transcript(messages=said or tuple(_turns(instance)), passages=tuple(_beside(instance)))


def _turns(instance: Mapping[str, Any]) -> Iterator[Message]:
    """A single turn as the two messages that it is."""
    asked, given = inner(instance, "input"), inner(instance, "output")
    for text in passages("input", asked.get("formatted") or asked.get("raw")):
        yield Message(role="user", parts=(MessagePart(text.text),))
    said = [
        MessagePart(each.text, kind)
        for key, kind in (("reasoning_trace", "reasoning"), ("raw", "text"))
        for each in passages("answer", given.get(key))
    ]
    if said:
        yield Message(role="assistant", parts=tuple(said))


def _beside(instance: Mapping[str, Any]) -> Iterator[Passage]:
    asked = inner(instance, "input")
    yield from passages("target", asked.get("reference"))
    yield from passages("input", asked.get("choices") or None, "choice")
    found = instance.get("answer_attribution")
    for answer in found if isinstance(found, list) else ():
        if isinstance(answer, dict):
            method = as_text(answer.get("extraction_method"))
            yield from passages("answer", answer.get("extracted_value"), method)
    yield from failure(instance)
