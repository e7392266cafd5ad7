"""Transcript of an Inspect sample: messages, input, target, answer, what each scorer said, and errors.

Contents that the log keeps apart as attachments stand in their places, and so do messages that a chunked log
keeps in entries of their own. Does not: read events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from metrics_core.adapters.transcripts.parts import as_text, element, failure, messages, passages
from metrics_core.formats import inner
from metrics_core.results import Passage, Transcript

ATTACHMENT = "attachment://"
EARLIER = "tc://"
"""How logs of the first versions begin such a reference."""

MOST_MESSAGES = 1_000_000
"""Messages that a sample may name by their places."""


def transcript(source: bytes) -> Transcript:
    """What one sample of a log holds.

    Args:
        source: Its text.

    Raises:
        FormatError: It is no JSON object.

    >>> made = transcript(b'{"target": "Yes", "messages": [{"role": "user", "content": "attachment://1f"}],'
    ...     b' "attachments": {"1f": "Are you sure?"}}')
    >>> made.messages[0].text, made.passages
    ('Are you sure?', (Passage(kind='target', text='Yes', by=''),))
    """
    sample = _joined(element(source))
    kept = inner(sample, "attachments")
    shown = {key: _attached(sample.get(key), kept) for key in ("messages", "input", "output")}
    said = messages(shown["messages"] or None)
    return Transcript(
        messages=said or messages(_asked(shown["input"])),
        passages=tuple(_beside(sample, inner(shown, "output"), alone=not said)),
    )


def _joined(sample: dict[str, Any]) -> dict[str, Any]:
    """A sample of a chunked log as others are: messages and attachments by their places in entries."""
    ranges = sample.get("message_refs")
    if not isinstance(ranges, list):
        return sample
    said, apart = (_in_places(inner(sample, "entries"), part) for part in ("messages/", "attachments/"))
    places = [place for pair in ranges for place in _places(pair)]
    missing = {"role": "", "content": None, "error": "this message is not in the log"}
    return {
        **sample,
        "messages": [said.get(place, missing) for place in places],
        "attachments": {str(place): text for place, text in apart.items()},
    }


def _in_places(entries: Mapping[str, Any], part: str) -> dict[int, Any]:
    """What entries of one kind hold, by its place in all of them: each is named by the place of its first."""
    found: dict[int, Any] = {}
    for name, held in entries.items():
        start = name.removeprefix(part).removesuffix(".json")
        if name.startswith(part) and start.isdecimal() and isinstance(held, list):
            found.update(enumerate(held, start=int(start)))
    return found


def _places(pair: Any) -> range:
    """Places from the first of two numbers up to, and not with, the second."""
    match pair:
        case [int(first), int(end)] if 0 <= first <= end <= MOST_MESSAGES:
            return range(first, end)
    return range(0)


def _attached(value: Any, kept: Mapping[str, Any]) -> Any:
    """A value with every reference to an attachment in it replaced by what was kept apart."""
    if isinstance(value, str):
        if not value.startswith((ATTACHMENT, EARLIER)):
            return value
        return kept.get(value.removeprefix(EARLIER).removeprefix(ATTACHMENT), value)
    if isinstance(value, list):
        return [_attached(each, kept) for each in value]
    if isinstance(value, dict):
        return {key: _attached(each, kept) for key, each in value.items()}
    return value


def _asked(given: Any) -> Any:
    return [{"role": "user", "content": given}] if isinstance(given, str) and given else given or None


def _beside(sample: Mapping[str, Any], output: Mapping[str, Any], *, alone: bool) -> Iterator[Passage]:
    yield from passages("target", sample.get("target") or None)
    choices = output.get("choices")
    for choice in choices if isinstance(choices, list) and alone else ():
        for said in messages(inner(choice, "message") or None if isinstance(choice, dict) else None):
            yield from passages("answer", said.text or None)
    for scorer, score in _scores(sample):
        yield from passages("answer", score.get("answer"), scorer)
        yield from passages("judge", score.get("explanation"), scorer)
    yield from failure(sample)
    yield from failure(output)
    struck = inner(sample, "invalidation")
    yield from passages("error", struck.get("reason"), "invalidation")
    limit = inner(sample, "limit")
    if limit:
        yield from passages("error", f"{as_text(limit.get('type'))} {as_text(limit.get('limit'))}", "limit")


def _scores(sample: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    given: dict[str, Any] = {"score": sample.get("score"), **inner(sample, "scores")}
    yield from ((name, score) for name, score in given.items() if isinstance(score, dict))
