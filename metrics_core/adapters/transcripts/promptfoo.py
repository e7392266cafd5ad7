"""Transcript of a promptfoo result: prompt, the provider's output, what each assertion said, errors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from metrics_core.adapters.transcripts.parts import as_text, element, failure, messages, passages
from metrics_core.formats import inner
from metrics_core.results import Passage, Transcript


def transcript(source: bytes) -> Transcript:
    """What one element of ``results.results`` holds.

    Args:
        source: Its text.

    Raises:
        FormatError: It is no JSON object.

    >>> made = transcript(b'{"prompt": {"raw": "Say hi"}, "response": {"output": "hi"}}')
    >>> [(each.role, each.text) for each in made.messages]
    [('user', 'Say hi'), ('assistant', 'hi')]
    """
    whole = element(source)
    result = inner(whole, "result") or whole  # one without an id stands beside what tells it from others
    given = inner(result, "response").get("output")
    said = [] if given in (None, "") else [{"role": "assistant", "content": as_text(given)}]
    return Transcript(messages=messages([*_prompt(result), *said]), passages=tuple(_beside(result)))


def _prompt(result: Mapping[str, Any]) -> list[Any]:
    """The prompt as messages: one, unless its text is a list of them."""
    raw = as_text(inner(result, "prompt").get("raw"))
    try:
        listed = json.loads(raw)
    except (ValueError, RecursionError):
        listed = None
    if isinstance(listed, list) and all(isinstance(each, dict) and "role" in each for each in listed):
        return listed
    return [{"role": "user", "content": raw}] if raw else []


def _beside(result: Mapping[str, Any]) -> Iterator[Passage]:
    judged = inner(result, "gradingResult")
    components = judged.get("componentResults")
    for each in components if isinstance(components, list) else ():
        if isinstance(each, dict):
            assertion = inner(each, "assertion")
            yield from passages("target", assertion.get("value"), as_text(assertion.get("type")))
            yield from passages("judge", each.get("reason"), as_text(assertion.get("type")))
    if not components:
        yield from passages("judge", judged.get("reason"))
    yield from failure(result)
    yield from failure(inner(result, "response"))
