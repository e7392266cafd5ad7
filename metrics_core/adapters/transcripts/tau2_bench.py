"""Transcript of a tau2-bench simulation: its messages, and what each check of its reward said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from metrics_core.adapters.transcripts.parts import element, messages, passages
from metrics_core.formats import inner
from metrics_core.results import Passage, Transcript

CHECKS = ("nl_assertions", "communicate_checks", "action_checks", "env_assertions", "db_check", "info")


def transcript(source: bytes) -> Transcript:
    """What one simulation holds.

    Args:
        source: Its text.

    Raises:
        FormatError: It is no JSON object.

    >>> made = transcript(b'{"messages": [], "reward_info": {"info": {"note": "no outcome matched"}}}')
    >>> made.passages
    (Passage(kind='judge', text='{"note": "no outcome matched"}', by='info'),)
    """
    run = element(source)
    said = list(_one_by_one(run.get("messages")))
    return Transcript(messages=messages(said), passages=tuple(_beside(run)))


def _one_by_one(given: Any) -> Iterator[Any]:
    """Messages one by one: several tools may answer in one."""
    for raw in given if isinstance(given, list) else [given]:
        several = raw.get("tool_messages") if isinstance(raw, dict) else None
        yield from several if isinstance(several, list) else [raw]


def _beside(run: Mapping[str, Any]) -> Iterator[Passage]:
    judged = inner(run, "reward_info")
    for check in CHECKS:
        given = judged.get(check)
        for each in given if isinstance(given, list) else [given]:
            yield from passages("judge", each or None, check)
    yield from passages("error", run.get("error") or None)
