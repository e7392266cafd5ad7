"""Whether the agent ran, read from job steps and never from log text: autonomy.

Does: recognise the steps that run an agent, and say what became of them. Does not: choose the run
(`metrics_core.families.attempts.evidence.workflow_run`), or read what the agent wrote.

Source: the GitHub attempts benchmark, "Workflow attribution" and the metrics table.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

KNOWN_ACTIONS = (
    "openai/codex-action",
    "anthropics/claude-code-action",
    "google-github-actions/run-gemini-cli",
)
NOT_STARTED = frozenset({"action_required", "skipped"})
"""Conclusions of a run in which no agent step can have run: it waited for a person, or was passed over."""

_UNNAMED = re.compile(rf"Run (?:{'|'.join(map(re.escape, KNOWN_ACTIONS))})(?:@\S+)?", re.IGNORECASE)
_USES = re.compile(rf"(?:{'|'.join(map(re.escape, KNOWN_ACTIONS))})(?:@\S+)?", re.IGNORECASE)


class AgentInvocation(Struct, frozen=True):
    """Whether an agent step ran: true, false, or None where it could not be verified; and why, in words."""

    value: bool | None
    text: str


def uses_known_action(uses: object) -> bool:
    """Whether a step's ``uses`` is a known agent's action.

    >>> uses_known_action("openai/codex-action@v1"), uses_known_action("openai/codex-actions@v1")
    (True, False)
    """
    return isinstance(uses, str) and _USES.fullmatch(uses) is not None


def is_agent_step(step: Mapping[str, Any], named: Collection[str]) -> bool:
    """Whether a job's step runs an agent.

    Args:
        step: As GitHub lists it; a step without a name of its own is called ``Run`` and its action.
        named: Exact names of steps that do, from the workflow's metadata and from its own file.

    >>> is_agent_step({"name": "Run anthropics/claude-code-action@v1"}, ())
    True
    >>> [is_agent_step({"name": name}, ["Ask Claude"]) for name in ("Ask Claude", "Ask claude", "Claude")]
    [True, False, False]
    """
    name = step.get("name")
    if not isinstance(name, str):
        return uses_known_action(step.get("uses"))
    return name in named or _UNNAMED.fullmatch(name) is not None or uses_known_action(step.get("uses"))


def steps_of(jobs: Sequence[Any], run_id: int | None = None) -> Iterator[Mapping[str, Any]]:
    """Steps of the jobs of one run, in their order.

    Args:
        jobs: As GitHub lists them, with ``steps``; or one entry for each step, with the name of its ``job``.
        run_id: Jobs that belong to another run are left out; None keeps all.
    """
    for job in jobs:
        if not isinstance(job, Mapping) or (run_id is not None and job.get("run_id") not in (None, run_id)):
            continue
        if isinstance(job.get("steps"), Sequence):
            yield from (step for step in job["steps"] if isinstance(step, Mapping))
        elif "job" in job:
            yield job


def find_invocation(
    steps: Sequence[Mapping[str, Any]],
    named: Collection[str],
    *,
    conclusion: object = None,
    status: object = None,
) -> AgentInvocation:
    """Whether an agent ran.

    Args:
        steps: Of the attempt's run.
        named: Exact names of steps that run an agent.
        conclusion: Of the run.
        status: Of the run.

    Returns:
        True where a recognised step succeeded; false where those that there are were skipped, or the run
        itself required action or was skipped; else None.

    >>> find_invocation([{"name": "Ask", "conclusion": "success"}], ["Ask"]).value
    True
    >>> find_invocation([{"name": "Ask", "conclusion": "failure"}], ["Ask"]).value is None
    True
    """
    agents = [step for step in steps if is_agent_step(step, named)]
    done = [step for step in agents if step.get("conclusion") == "success"]
    if done:
        return AgentInvocation(True, f"step {done[0].get('name')!r} succeeded")
    pending = next((str(word) for word in (conclusion, status) if word in NOT_STARTED), None)
    if pending is not None:
        return AgentInvocation(False, f"the run is {pending}")
    if agents and all(step.get("conclusion") == "skipped" for step in agents):
        return AgentInvocation(False, f"step {agents[0].get('name')!r} was skipped")
    if not agents:
        one = "the one step is no recognised agent step"
        none = one if len(steps) == 1 else f"none of {len(steps)} steps is a recognised agent step"
        return AgentInvocation(None, none)
    ended = agents[0].get("conclusion") or agents[0].get("status") or "no conclusion"
    return AgentInvocation(None, f"step {agents[0].get('name')!r} ended with {ended}")
