"""Transcript of a tau-bench try: the trajectory, what the simulated user was told, and what was expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from metrics_core.adapters.transcripts.parts import element, failure, messages, passages
from metrics_core.formats import inner
from metrics_core.results import Passage, Transcript


def transcript(source: bytes) -> Transcript:
    """What one element of the array holds.

    Args:
        source: Its text.

    Raises:
        FormatError: It is no JSON object.

    >>> made = transcript(b'{"traj": [], "info": {"task": {"instruction": "Ask for a refund"}}}')
    >>> made.passages
    (Passage(kind='input', text='Ask for a refund', by='instruction'),)
    """
    one = element(source)
    return Transcript(messages=messages(one.get("traj")), passages=tuple(_beside(inner(one, "info"))))


def _beside(info: Mapping[str, Any]) -> Iterator[Passage]:
    task = inner(info, "task")
    yield from passages("input", task.get("instruction"), "instruction")
    for action in task.get("actions") or () if isinstance(task.get("actions"), list) else ():
        yield from passages("target", action, "action")
    yield from passages("target", task.get("outputs") or None, "output")
    yield from passages("judge", inner(inner(info, "reward_info"), "info") or None, "reward")
    yield from failure(info)
