"""Transcript of a Terminal-Bench trial: its instruction, and what became of each test.

What the agent did is a recording of its terminal, in a file beside: it is no message, and is not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from metrics_core.adapters.transcripts.parts import as_text, element, passages
from metrics_core.results import Passage, Transcript


def transcript(source: bytes) -> Transcript:
    """What the result of one trial holds.

    Args:
        source: Its text.

    Raises:
        FormatError: It is no JSON object.

    >>> transcript(b'{"instruction": "Say hi", "parser_results": {"test_hi": "passed"}}').passages
    (Passage(kind='input', text='Say hi', by=''), Passage(kind='judge', text='passed', by='test_hi'))
    """
    return Transcript(passages=tuple(_beside(element(source))))


def _beside(trial: Mapping[str, Any]) -> Iterator[Passage]:
    yield from passages("input", trial.get("instruction"))
    tests = trial.get("parser_results")
    if not isinstance(tests, dict):
        yield from passages("judge", tests)
        return
    for name, outcome in tests.items():
        yield from passages("judge", as_text(outcome), name)
