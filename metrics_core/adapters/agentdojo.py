"""AgentDojo: one file for each run of a pipeline over a task, in folders that say which.

``<folder>/<pipeline>/<suite>/<task>/<attack or none>/<injection task or none>.json``. Does: give each run as
an attempt, with the version of the benchmark and the folder around its pipeline, which may name a condition.
Does not: trust the names inside a file (a pipeline's own name may stand in several folders), read the
conversation, or judge: the two verdicts are the harness's.

Facts of the format that are easy to get wrong: ``security: true`` says that the injection succeeded, a
breach; in a run without attack it is a constant that means nothing; an injection task that was run as the
task itself shows what the pipeline can do, and is no task of a user; an ``error`` is stored beside verdicts
that were never reached; a file is written while its run goes on, so that verdicts may be missing. There is no
workflow, so autonomy is not defined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from metrics_core.errors import FormatError
from metrics_core.formats import Adapter, Element, Made, OutsideFile, iso, read_object, stated
from metrics_core.results import Problem, quoted

NONE = "none"
TOP = "."
"""The folder of pipelines that lie directly in the experiment's."""

_PATH = re.compile(
    r"(?:(?P<folder>.+)/)?(?P<pipeline>[^/]+)/(?P<suite>[^/]+)/(?P<task>(?P<kind>user|injection)_task_\d+)"
    r"/(?P<attack>[^/]+)/(?P<injection>none|injection_task_\d+)\.json"
)


def claims(path: str, head: bytes) -> bool:
    """Whether a file lies where AgentDojo puts its runs.

    >>> claims("runs/gpt-4o/github/user_task_3/none/none.json", b"{")
    True
    >>> claims("runs/gpt-4o/github/summary.json", b"{")
    False
    """
    return _PATH.fullmatch(path) is not None


def convert(file: OutsideFile) -> Iterator[Made]:
    """The attempt that one file holds.

    Args:
        file: Its path says which pipeline, suite, task and attack it is about.

    Raises:
        FormatError: It is no JSON object, or does not lie where AgentDojo puts its runs.

    >>> path = "runs/m/github/user_task_3/static/injection_task_1.json"
    >>> (made,) = convert(OutsideFile(path=path, data=b'{"security": true, "benchmark_version": "v1"}'))
    >>> made.record["attack"], made.record["security_breached"], made.record["benchmark_version"]
    ('static', True, 'v1')
    """
    place = _PATH.fullmatch(file.path)
    if place is None:
        raise FormatError("does not lie where AgentDojo puts its runs", where=file.path)
    run = read_object(file.data, file.path)
    faults = [Problem(file.path, None, field, what) for field, what in run.faults]
    yield from faults[:1]
    if not faults:
        yield Element(record=stated(_attempt(place, run.plain)), source=file.data)


def _attempt(place: re.Match[str], run: Mapping[str, Any]) -> dict[str, Any]:
    error, duration = run.get("error"), run.get("duration")
    timed = isinstance(duration, int | float) and not isinstance(duration, bool) and duration >= 0
    version = run.get("benchmark_version")
    return {
        "scenario": f"{place['suite']}/{place['task']}",
        "suite": place["suite"],
        "model": place["pipeline"],
        "attack": place["attack"],
        "injection": None if place["injection"] == NONE else place["injection"],
        "condition": "capability" if place["kind"] == "injection" else None,
        "benchmark_version": version if version is None or isinstance(version, str) else quoted(version),
        "folder": place["folder"] or TOP,
        "utility_achieved": run.get("utility"),
        "security_breached": run.get("security"),
        "evaluators": {"utility": "state", "security": "state"},
        "error": None if error in (None, "") else error if isinstance(error, str) else quoted(error),
        "stamp": iso(run.get("evaluation_timestamp")),
        "wall_s": duration if timed else None,
    }


ADAPTER = Adapter(
    format="agentdojo",
    title="AgentDojo",
    family="attempts",
    module=__name__,
    claims=claims,
    convert=convert,
    folders=5,
    example="runs/gpt-4o-2024-05-13/workspace/user_task_0/important_instructions/injection_task_0.json",
    reads="utility and security of each task under each attack and injection, errors, time; the pipeline, "
    "suite, task, attack and injection by the folders",
)
