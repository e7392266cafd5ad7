"""Transcript of an lm-evaluation-harness sample: the prompts, the model's responses, the target, the answers.

An element holds the lines of one sample, one a filter; prompts and responses are the same in each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from metrics_core.adapters.transcripts.parts import as_text, element, passages
from metrics_core.results import Message, MessagePart, Passage, Transcript


def transcript(source: bytes) -> Transcript:
    """What the lines of one sample hold.

    Args:
        source: An object whose ``samples`` are these lines, or a single line.

    Raises:
        FormatError: It is no JSON object.

    >>> made = transcript(b'{"arguments": [["2+2=", {}]], "resps": [[" 4"]], "target": "4", "filter": "none",'
    ...     b' "filtered_resps": ["4"]}')
    >>> [(each.role, each.text) for each in made.messages], [(p.kind, p.text) for p in made.passages]
    ([('user', '2+2='), ('assistant', ' 4')], [('target', '4'), ('answer', '4')])
    """
    whole = element(source)
    given = whole.get("samples")
    lines = [line for line in given if isinstance(line, dict)] if isinstance(given, list) else [whole]
    first = lines[0] if lines else {}
    return Transcript(messages=tuple(_messages(first)), passages=tuple(_beside(first, lines)))


def _messages(line: Mapping[str, Any]) -> Iterator[Message]:
    """Each request with its responses; a request for a likelihood holds the continuation it is about."""
    asked, given = line.get("arguments"), line.get("resps")
    requests = list(asked.values()) if isinstance(asked, dict) else asked if isinstance(asked, list) else []
    responses = given if isinstance(given, list) else []
    for at, request in enumerate(requests):
        values = list(request.values()) if isinstance(request, dict) else request
        texts = (
            [value for value in values if isinstance(value, str)] if isinstance(values, list) else [values]
        )
        yield Message(role="user", parts=tuple(MessagePart(text) for text in map(as_text, texts) if text))
        if at < len(responses):
            response = responses[at]
            said = response if isinstance(response, list) else [response]
            yield Message(role="assistant", parts=tuple(MessagePart(as_text(each)) for each in said))


def _beside(first: Mapping[str, Any], lines: Sequence[Mapping[str, Any]]) -> Iterator[Passage]:
    yield from passages("target", first.get("target"))
    for line in lines:
        given = line.get("filtered_resps")
        for each in given if isinstance(given, list) else [given]:
            by = as_text(line.get("filter"))
            yield from passages("answer", each, "" if by == "none" else by)
