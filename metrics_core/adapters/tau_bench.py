"""tau-bench results: a JSON array of tries, or one try alone; each a task, its trial and a reward, as traces.

The arm is the file's name, without the environment that it ends in; of a name as tau-bench's own command
makes it (``STRATEGY-MODEL-TEMPERATURE_range_A-B_user-USER_TIME``) it is the part before the range, and the
simulated user is part of the suite. A try that ended in an exception holds a reward of 0 as well: it is an
error, not a verdict. ``user_cost`` is what the simulated user cost, and no cost of the agent. Does not: read
what was written, but for the heading of the policy; messages tell one try from another, no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from metrics_core.digest import canonical, of_bytes
from metrics_core.errors import FormatError
from metrics_core.formats import Adapter, Element, JsonPart, Made, OutsideFile, inner, read_elements, stated
from metrics_core.results import Problem, quoted

ENVIRONMENTS = ("airline", "retail")
SCORER = "reward"
"""Name of the scorer: the benchmark's own comparison of the database, and of what the user was sent."""

_BEGINS = re.compile(rb'\s*(?:\[\s*(?:[^\[{"]*,\s*)?)?\{\s*"(?:task_id|reward|info|traj|trial)"\s*:')
_NAMES = (b'"task_id"', b'"reward"', b'"info"')
_RUN_NAME = re.compile(r"(?P<agent>.+)_range_-?\d+--?\d+_user-(?P<user>.+)_[0-9A-Za-z]+")
_POLICY = re.compile(r"\s*#\s*(airline|retail) agent policy", re.IGNORECASE)


def claims(path: str, head: bytes) -> bool:
    """A JSON array of tries, or a try alone; the first elements of an array may be damaged.

    >>> claims("gpt-4o-retail.json", b'[null, {"task_id": 7, "reward": 1.0, "info": {')
    True
    """
    return path.endswith(".json") and bool(_BEGINS.match(head)) and all(name in head for name in _NAMES)


def convert(file: OutsideFile) -> Iterator[Made]:
    """One trace a try, in the order of the array.

    >>> data = b'[{"task_id": 7, "trial": 2, "reward": 1.0, "info": {}, "traj": []}]'
    >>> trace = next(convert(OutsideFile(path="gpt-4o-retail.json", data=data))).record
    >>> trace["agent"], trace["suite"], trace["task_id"], trace["rep"], trace["scores"]
    ('gpt-4o', 'retail', 'retail/7', 2, {'reward': 1.0})
    """
    name = _Name.of(file.path)
    tries = read_elements(file.data, file.path)
    if not file.data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"[", b"{")):
        raise FormatError(f"expected tries, got {quoted(tries[0].value)}", where=file.path)
    for number, part in enumerate(tries, start=1):
        yield _made(part, name, file.path, number)


class _Name(Struct, frozen=True):
    """What the name of a file says of the tries in it: agent, environment, simulated user, folder."""

    agent: str
    environment: str | None
    user: str | None
    folder: str

    @classmethod
    def of(cls, path: str) -> _Name:
        name, folder = PurePosixPath(path).stem, str(PurePosixPath(path).parent)
        if written := _RUN_NAME.fullmatch(name):
            return cls(written["agent"], None, written["user"], folder)
        for environment in ENVIRONMENTS:
            if name.endswith(f"-{environment}"):
                return cls(name.removesuffix(f"-{environment}"), environment, None, folder)
        return cls(name, None, None, folder)


def _made(part: JsonPart, name: _Name, path: str, number: int) -> Made:
    if part.fault is not None:
        pointer, fault = part.fault
        return Problem(path, number, pointer, fault.what)
    one = part.value
    if not isinstance(one, dict) or "task_id" not in one:
        return Problem(path, number, "", f"expected a try with a task_id, got {quoted(one)}")
    if type(one["task_id"]) not in (str, int):
        return Problem(path, number, "task_id", f"expected a number or text, got {quoted(one['task_id'])}")
    return Element(record=_trace(one, name), source=part.source, number=number)


def _trace(one: dict[str, Any], name: _Name) -> dict[str, Any]:
    info = inner(one, "info")
    trajectory = one.get("traj")
    messages: list[Any] = trajectory if isinstance(trajectory, list) else []
    policy, error = _policy(messages), info.get("error")
    heading = _POLICY.match(policy or "")
    environment = name.environment or (heading[1].lower() if heading else None)
    suite = ", ".join(filter(None, (environment, name.user and f"user {name.user}")))
    found = {
        "schema": "trace.v1",
        "task_id": f"{environment}/{one['task_id']}" if environment else str(one["task_id"]),
        "agent": name.agent,
        "suite": suite or None,
        "rep": one.get("trial"),
        "scores": {SCORER: one.get("reward")},
        "error": error if error is None or isinstance(error, str) else quoted(error),
        "user_cost_usd": info.get("user_cost"),
        "folder": name.folder,
        "prompt_sha256": None if policy is None else of_bytes(policy.encode()).removeprefix("sha256:"),
        "run_id": of_bytes(canonical(messages)) if messages else None,
    }
    return stated(found)


def _policy(messages: list[Any]) -> str | None:
    """What the agent was told to keep to, where the messages hold it."""
    first = messages[0] if messages else None
    if isinstance(first, dict) and first.get("role") == "system" and isinstance(first.get("content"), str):
        return str(first["content"])
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
