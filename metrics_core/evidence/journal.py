"""How far an attempt came and how long it took, from its own journal of phases. Judges nothing."""

from __future__ import annotations

from typing import Any, NamedTuple

from metrics_core import strict_json
from metrics_core.evidence.moments import Unreadable, seconds


class Walked(NamedTuple):
    """Phases in their order, and whole seconds from the first event to the last; None where not kept."""

    phases: tuple[str, ...] | None
    seconds: int | None


def journal(data: bytes | None) -> Walked:
    r"""Read a journal; a line that is no event is passed over, for the journal establishes no verdict.

    Args:
        data: Bytes of ``events.jsonl``, or None where there is none.

    >>> journal(b'{"timestamp": "2026-07-05T10:00:00Z", "kind": "phase", "phase": "created"}\n')
    Walked(phases=('created',), seconds=0)
    """
    if data is None:
        return Walked(None, None)
    phases: list[str] = []
    moments: list[int] = []
    for line in data.split(b"\n"):
        event = _event(line)
        if isinstance(event.get("phase"), str) and event.get("kind") == "phase":
            phases.append(event["phase"])
        try:
            moments.append(seconds(event.get("timestamp"), "an event"))
        except Unreadable:
            continue
    return Walked(tuple(phases), max(moments) - min(moments) if moments else None)


def _event(line: bytes) -> dict[str, Any]:
    try:
        value = strict_json.decode(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
