"""Transcript of a Harbor trial: its agent's trajectory, in a file beside its result, and its errors.

The trajectory is of the Agent Trajectory Interchange Format: steps of a system, a user or the agent, with
tool calls and what came of them. Does not: follow a subagent's trajectory, or read an agent's own log.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from metrics_core.adapters.transcripts.parts import as_text, element, messages, passages
from metrics_core.formats import inner
from metrics_core.results import Message, Passage, Transcript

TRAJECTORY = "agent/trajectory.json"


def transcript(source: bytes) -> Transcript:
    """What the result of one trial holds.

    Args:
        source: Its text.

    Raises:
        FormatError: It is no JSON object.

    >>> transcript(b'{"exception_info": {"exception_type": "Stop", "exception_message": "no room"}}').passages
    (Passage(kind='error', text='no room', by='Stop'),)
    """
    return Transcript(passages=tuple(_beside(element(source))))


def beside(path: str, source: bytes) -> str:
    """Path of the trajectory, of a trial that has a file of its own or stands in that of its job.

    Args:
        path: Of the file that the trial stands in.
        source: Its text.

    Raises:
        FormatError: It is no JSON object.

    >>> beside("job/t__1/result.json", b'{"trial_name": "t__1"}')
    'job/t__1/agent/trajectory.json'
    >>> beside("job/result.json", b'{"trial_name": "t__1"}')
    'job/t__1/agent/trajectory.json'
    """
    folder = PurePosixPath(path).parent
    name = as_text(element(source).get("trial_name"))
    return str((folder if folder.name == name else folder / name) / TRAJECTORY)


def element_of(path: str) -> str:
    """Path of the result whose page shows the file at this one, if it is a trajectory; else nothing.

    >>> element_of("job/t__1/agent/trajectory.json"), element_of("job/t__1/config.json")
    ('job/t__1/result.json', '')
    """
    return path.removesuffix(TRAJECTORY) + "result.json" if path.endswith(f"/{TRAJECTORY}") else ""


def conversation(text: bytes) -> tuple[Message, ...]:
    """The messages of a trajectory.

    Args:
        text: All of its file.

    Raises:
        FormatError: It is no JSON object.

    >>> step = b'{"source": "agent", "message": "Hi", "observation": {"results": [{"content": "ok"}]}}'
    >>> [(each.role, each.text) for each in conversation(b'{"steps": [%s]}' % step)]
    [('agent', 'Hi'), ('tool', 'ok')]
    """
    steps = element(text).get("steps")
    return messages([raw for step in _listed(steps) for raw in _step(step)])


def _listed(given: Any) -> list[Any]:
    return given if isinstance(given, list) else [] if given is None else [given]


def _step(step: Any) -> Iterator[Any]:
    if not isinstance(step, dict):
        yield step
        return
    asked = [_call(call) for call in _listed(step.get("tool_calls"))]
    said = {"role": step.get("source"), "content": step.get("message"), "tool_calls": asked}
    yield {**said, "reasoning_content": step.get("reasoning_content")}
    for result in _listed(inner(step, "observation").get("results")):
        if isinstance(result, dict):
            content = result.get("content", result.get("subagent_trajectory_ref"))
            yield {"role": "tool", "tool_call_id": result.get("source_call_id"), "content": content}
        else:
            yield {"role": "tool", "content": result}


def _call(call: Any) -> Any:
    if not isinstance(call, dict):
        return call
    named = {"id": call.get("tool_call_id"), "name": call.get("function_name")}
    return {**named, "arguments": call.get("arguments")}


def _beside(trial: Mapping[str, Any]) -> Iterator[Passage]:
    steps = [step for step in _listed(trial.get("step_results")) if isinstance(step, dict)]
    for place in (trial, *steps):
        raised = place.get("exception_info")
        if isinstance(raised, dict):
            kind = as_text(raised.get("exception_type"))
            yield from passages("error", raised.get("exception_message") or kind, kind)
            yield from passages("error", raised.get("exception_traceback"), "traceback")
        else:
            yield from passages("error", raised)
