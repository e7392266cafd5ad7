"""Transcript of an AgentDojo run: its messages, the text that was injected, and its error."""

from __future__ import annotations

from metrics_core.adapters.transcripts.parts import as_text, element, failure, messages
from metrics_core.formats import inner
from metrics_core.results import Transcript


def transcript(source: bytes) -> Transcript:
    """What one file holds.

    Args:
        source: Its text.

    Raises:
        FormatError: It is no JSON object.

    >>> made = transcript(b'{"messages": [{"role": "user", "content": [{"type": "text", "content": "Go"}]}]}')
    >>> [(each.role, each.text) for each in made.messages]
    [('user', 'Go')]
    """
    run = element(source)
    injected = ((place, as_text(text)) for place, text in inner(run, "injections").items())
    return Transcript(
        messages=messages(run.get("messages")),
        passages=tuple(failure(run)),
        injected=tuple((place, text) for place, text in injected if text),
    )
