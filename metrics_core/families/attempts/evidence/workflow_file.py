"""What an installed workflow's own file says: where it lies, what starts it, which of its steps run an agent.

Does: read the few keys that attribution needs. Does not: run, resolve or check a workflow; a file that is no
YAML says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from metrics_core.families.attempts.evidence.invocation import uses_known_action

LARGEST = 2**20
FOLDER = ".github/workflows/"


class Workflow(NamedTuple):
    """Events that start it, and names of its steps that use a known agent's action."""

    events: tuple[str, ...]
    agent_steps: tuple[str, ...]


def installed_path(path: str) -> str | None:
    """Where a saved file of a workflow is installed in the repository; None where it is no workflow.

    >>> installed_path("contents/.github/workflows/review.yml"), installed_path("review.yml")
    ('.github/workflows/review.yml', '.github/workflows/review.yml')
    """
    if not path.endswith((".yml", ".yaml")):
        return None
    _, within, name = path.rpartition(FOLDER)
    if within:
        return FOLDER + name
    return FOLDER + path if "/" not in path else None


@lru_cache(maxsize=64)
def workflow(data: bytes) -> Workflow:
    r"""What a workflow's file says.

    >>> workflow(b"on: [issues]\njobs: {a: {steps: [{name: Ask, uses: openai/codex-action@v1}, {name: b}]}}")
    Workflow(events=('issues',), agent_steps=('Ask',))
    """
    tree = _tree(data)
    # YAML 1.1 reads the key "on" as true
    events = tuple(sorted(_names(tree.get("on", tree.get(True)))))
    steps = [
        step for job in _objects(_values(tree.get("jobs"))) for step in _objects(_listed(job.get("steps")))
    ]
    named = (step.get("name") for step in steps if uses_known_action(step.get("uses")))
    return Workflow(events, tuple(name for name in named if isinstance(name, str)))


def _tree(data: bytes) -> Mapping[Any, Any]:
    if len(data) > LARGEST:
        return {}
    import yaml  # slow to load, and needed where there are workflows alone

    try:
        value = yaml.safe_load(data)
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, Mapping) else {}


def _names(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        yield from (each for each in value if isinstance(each, str))


def _values(value: object) -> Iterable[object]:
    return value.values() if isinstance(value, Mapping) else ()


def _listed(value: object) -> Iterable[object]:
    return value if isinstance(value, list) else ()


def _objects(values: Iterable[object]) -> Iterator[Mapping[Any, Any]]:
    return (value for value in values if isinstance(value, Mapping))
