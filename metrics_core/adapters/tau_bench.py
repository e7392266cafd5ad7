"""tau-bench results: one JSON array of tries, each a task, its trial and a reward, as traces.

The arm is the file's name, as it stands, without the environment that it ends in. A try that ended in an
exception holds a reward of 0 as well: it is an error, not a verdict. ``user_cost`` is what the simulated user
cost, and no cost of the agent. Does not: read what was written; messages tell one try from another, no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from metrics_core.digest import canonical, of_bytes
from metrics_core.errors import FormatError
from metrics_core.formats import Adapter, Made, OutsideFile, inner, stated, strict_json
from metrics_core.results import Problem, quoted

ENVIRONMENTS = ("airline", "retail")
SCORER = "reward"
"""Name of the scorer: the benchmark's own comparison of the database, and of what the user was sent."""

_BEGINS = re.compile(rb'\s*\[\s*\{\s*"(?:task_id|reward|info|traj|trial)"\s*:')
_NAMES = (b'"task_id"', b'"reward"', b'"info"')


def claims(path: str, head: bytes) -> bool:
    """A JSON array whose first element is a try."""
    return path.endswith(".json") and bool(_BEGINS.match(head)) and all(name in head for name in _NAMES)


def convert(file: OutsideFile) -> Iterator[Made]:
    """One trace a try, in the order of the array.

    >>> data = b'[{"task_id": 7, "trial": 2, "reward": 1.0, "info": {}, "traj": []}]'
    >>> trace = next(convert(OutsideFile(path="gpt-4o-retail.json", data=data)))
    >>> trace["agent"], trace["suite"], trace["task_id"], trace["rep"], trace["scores"]
    ('gpt-4o', 'retail', 'retail/7', 2, {'reward': 1.0})
    """
    tries = strict_json.document(file.data, file.path)
    if not isinstance(tries, list):
        raise FormatError(f"expected a list of tries, got {quoted(tries)}", where=file.path)
    agent, suite = _arm(file.path)
    for number, one in enumerate(tries, start=1):
        if not isinstance(one, dict) or "task_id" not in one:
            yield Problem(file.path, number, "", f"expected a try with a task_id, got {quoted(one)}")
        else:
            yield _trace(one, agent, suite)


def _arm(path: str) -> tuple[str, str | None]:
    """Agent and environment, by the name of the file."""
    name = PurePosixPath(path).stem
    for suite in ENVIRONMENTS:
        if name.endswith(f"-{suite}"):
            return name.removesuffix(f"-{suite}"), suite
    return name, None


def _trace(one: dict[str, Any], agent: str, suite: str | None) -> dict[str, Any]:
    info = inner(one, "info")
    trajectory = one.get("traj")
    messages: list[Any] = trajectory if isinstance(trajectory, list) else []
    task = one["task_id"] if isinstance(one["task_id"], str) else str(one["task_id"])
    found = {
        "schema": "trace.v1",
        "task_id": f"{suite}/{task}" if suite else task,
        "agent": agent,
        "suite": suite,
        "rep": one.get("trial"),
        "scores": {SCORER: one.get("reward")},
        "error": info.get("error"),
        "user_cost_usd": info.get("user_cost"),
        "prompt_sha256": _system_prompt(messages),
        "run_id": of_bytes(canonical(messages)) if messages else None,
    }
    return stated(found)


def _system_prompt(messages: list[Any]) -> str | None:
    """Digest of the policy that the agent was given, where the messages hold it."""
    first = messages[0] if messages else None
    if isinstance(first, dict) and first.get("role") == "system" and isinstance(first.get("content"), str):
        return of_bytes(first["content"].encode()).removeprefix("sha256:")
    return None


ADAPTER = Adapter(
    format="tau-bench",
    title="tau-bench",
    family="traces",
    module=__name__,
    claims=claims,
    convert=convert,
    example="gpt-4o-airline.json",
    reads="the reward of each task and trial, errors, and what the simulated user cost; the arm is the "
    "file's name",
)
