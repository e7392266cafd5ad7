"""tau2-bench results, one file or a folder with a file a simulation, as traces: one simulation a trace.

The arm is the agent's model, with its implementation where that is another than the benchmark's own; the
suite is the domain with the simulated user's model. Policy, limits, and arguments of both models are the
prompt's digest: where they move inside an arm, its runs are strata of their own; the commit is the grader's
version. Seeds make repetitions and nothing unlike. A simulation that ended before there was anything to
grade holds a reward of 0: where the agent ended it, or a limit, that is the verdict; where the harness, the
simulated user or the grader failed, it is an error. A task without criteria has a reward of 1 that says
nothing: unknown. Does not: grade again, or read what was said, but for the tokens of each message.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from metrics_core.digest import canonical, of_bytes
from metrics_core.errors import FormatError
from metrics_core.formats import (
    Adapter,
    Declared,
    Element,
    JsonPart,
    Made,
    OutsideFile,
    OutsideJson,
    RunsDeclared,
    inner,
    read_object,
    stated,
)
from metrics_core.results import Aside, NoRuns, Problem, quoted

SCORER = "reward"
"""Name of the scorer: the product of whatever the task's criteria name; each of these is ``reward/NAME``."""

OWN_AGENT, OWN_USER = "llm_agent", "user_simulator"
"""Implementations that a name need not say."""

FAILED_ENDS = ("infrastructure_error", "context_window_exceeded", "user_error", "unexpected_error")
"""Ends that are no doing of the agent. The benchmark leaves the first two out of its own means."""

GRADED_ENDS = ("user_stop", "agent_stop")
"""Ends after which there is something to grade; after others, the parts of a reward are not known."""

SIMULATIONS = "simulations"

_RESULTS = re.compile(rb'\s*\{\s*(?:"timestamp"\s*:\s*(?:"[^"]*"|null)\s*,\s*)?"info"\s*:\s*\{')
_RUN = re.compile(rb'\s*\{\s*"id"\s*:\s*"[^"]*"\s*,\s*"task_id"\s*:')
_INFO = (b'"git_commit"', b'"num_trials"', b'"user_info"')


def claims(path: str, head: bytes) -> bool:
    """Results with what the simulator was told, or one simulation of a folder of such."""
    if not path.endswith(".json"):
        return False
    if _RESULTS.match(head):
        return sum(name in head for name in _INFO) > 1
    alone = PurePosixPath(path).parent.name == SIMULATIONS
    return alone and bool(_RUN.match(head)) and b'"trial_name"' not in head


def nearly(path: str, head: bytes) -> str:
    """The tasks of a domain."""
    tasks = path.endswith(".json") and b'"evaluation_criteria"' in head and b'"user_scenario"' in head
    return "tau2-bench tasks, but without simulations" if tasks else ""


def convert(file: OutsideFile) -> Iterator[Made]:
    """One trace a simulation, in the order of the list.

    >>> info = '{"agent_info": {"llm": "m"}, "environment_info": {"domain_name": "d"}}'
    >>> run = '{"id": "1", "task_id": "7", "trial": 2, "reward_info": {"reward": 1.0}}'
    >>> data = f'{{"info": {info}, "tasks": [{{"id": "7"}}], "simulations": [{run}]}}'.encode()
    >>> trace = next(convert(OutsideFile(path="m.json", data=data))).record
    >>> trace["agent"], trace["suite"], trace["task_id"], trace["rep"], trace["scores"]
    ('m', 'd', 'd/7', 2, {'reward': 1.0})
    """
    if _RUN.match(file.data):
        yield from _alone(file)
        return
    whole = read_object(file.data, file.path, split=SIMULATIONS)
    yield from (Aside(file.path, None, field, what) for field, what in whole.faults)
    setup = _Setup.of(whole.plain, file.path)
    yield from _runs(whole, setup, file.path)
    held = len(whole.parts)
    alone = _simulation_files(file)
    planned = setup.planned if whole.listed else _indexed(whole.plain, setup)
    if planned is not None and planned != held + len(alone):
        found = RunsDeclared(planned, held + len(alone))
        yield Declared.by(file.path, found, field="info/num_trials", model=setup.agent, suite=setup.suite)
    if not held and not alone:
        yield NoRuns(file.path, None, SIMULATIONS, "the results hold no simulations: nothing can be counted")


def _runs(whole: OutsideJson, setup: _Setup, path: str) -> Iterator[Made]:
    """Traces of the list."""
    named = frozenset(name for part in whole.parts for name in _breakdown(part.value))
    for number, part in enumerate(whole.parts, start=1):
        yield _made(part, setup, path, number, named)


def _alone(file: OutsideFile) -> Iterator[Made]:
    """The simulation of a file of its own, whose results lie in the folder above."""
    above = PurePosixPath(file.path).parent.parent
    results = str(above / "results.json")
    if results not in file.names:
        problem = "the results that name its agent are missing"
        raise FormatError(problem, where=file.path, hint=f"add {results}")
    setup = _Setup.of(read_object(file.read(results), results, split=SIMULATIONS).plain, results)
    whole = read_object(file.data, file.path)
    fault = next(((at, what) for at, what in whole.faults), None)
    if fault is not None:
        yield Problem(file.path, None, *fault)
        return
    part = JsonPart(key="0", value=whole.plain, source=file.data.strip(), fault=None)
    graded = whole.plain.get("termination_reason") in GRADED_ENDS
    yield _made(part, setup, file.path, None, frozenset(_breakdown(part.value)) if graded else None)


def _simulation_files(file: OutsideFile) -> list[str]:
    folder = PurePosixPath(file.path).parent / SIMULATIONS
    return [name for name in file.names if PurePosixPath(name).parent == folder and name.endswith(".json")]


def _indexed(results: Mapping[str, Any], setup: _Setup) -> int | None:
    index = results.get("simulation_index")
    return len(index) if isinstance(index, list) else setup.planned


class _Setup(Struct, frozen=True, kw_only=True):
    """What all simulations of a file have in common."""

    agent: str
    model: str | None
    domain: str | None
    suite: str | None
    conditions: str
    tools: str | None
    commit: str | None
    tasks: Mapping[str, Mapping[str, Any]]
    planned: int | None

    @classmethod
    def of(cls, results: Mapping[str, Any], path: str) -> _Setup:
        """What the results say of their setup.

        Raises:
            FormatError: It does not say who the agent is.
        """
        info = inner(results, "info")
        agent, user, environment = (inner(info, f"{part}_info") for part in ("agent", "user", "environment"))
        model = _text(agent.get("llm")) or _text(inner(info, "audio_native_config").get("model"))
        implementation = _text(agent.get("implementation"))
        named = (
            model if implementation in (None, OWN_AGENT) else " ".join(filter(None, (implementation, model)))
        )
        if not named:
            raise FormatError("expected results that name the agent in info/agent_info", where=path)
        domain = _text(environment.get("domain_name"))
        other = _text(user.get("llm")) or _text(user.get("implementation"))
        listed = results.get("tasks")
        some = listed if isinstance(listed, list) else []
        tasks = {str(task["id"]): task for task in some if isinstance(task, dict) and "id" in task}
        trials = info.get("num_trials")
        tools = environment.get("tool_defs")
        commit = _text(info.get("git_commit"))
        return cls(
            agent=named,
            model=model,
            domain=domain,
            suite=", ".join(filter(None, (domain, other and f"user {other}"))) or None,
            conditions=_digest(
                {k: v for k, v in info.items() if k not in ("git_commit", "num_trials", "seed")}
            ),
            tools=_digest(tools) if tools else None,
            commit=commit[:12] if commit and re.fullmatch("[0-9a-f]{7,64}", commit) else None,
            tasks=tasks,
            planned=trials * len(tasks) if isinstance(trials, int) and tasks else None,
        )


def _digest(value: Any) -> str:
    return of_bytes(canonical(value)).removeprefix("sha256:")


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _made(part: JsonPart, setup: _Setup, path: str, number: int | None, named: frozenset[str] | None) -> Made:
    """The trace of one simulation.

    Args:
        part: It.
        setup: Of its file.
        path: Of its file.
        number: Which it is; None where it has a file of its own.
        named: Parts of a reward that some simulation of the file states; None where others are not seen.
    """
    if part.fault is not None:
        return Problem(path, number, part.fault[0], part.fault[1].what)
    run = part.value
    if not isinstance(run, dict) or not isinstance(run.get("task_id"), str | int):
        return Problem(path, number, "task_id", f"expected a simulation with a task_id, got {quoted(run)}")
    task = str(run["task_id"])
    ended = run.get("termination_reason")
    grading_failed = inner(inner(run, "reward_info"), "info").get("error")
    error = ended if ended in FAILED_ENDS else None
    if error is None and run.get("skipped") is True:
        error = "skipped after an error"
    if error is None and grading_failed is not None:
        error = f"the grader failed: {grading_failed}"
    messages = run.get("messages")
    said = [m for m in messages if isinstance(m, dict)] if isinstance(messages, list) else []
    found = {
        "schema": "trace.v1",
        "task_id": f"{setup.domain}/{task}" if setup.domain else task,
        "agent": setup.agent,
        "model": setup.model,
        "suite": setup.suite,
        "rep": run.get("trial"),
        "stamp": run.get("start_time") or run.get("timestamp"),
        "error": error,
        "timeout": True if ended == "timeout" else None,
        "wall_s": run.get("duration"),
        "cost_usd": _cost(run.get("agent_cost"), said, "assistant"),
        "user_cost_usd": _cost(run.get("user_cost"), said, "user"),
        "grader_version": setup.commit,
        "prompt_sha256": setup.conditions,
        "tools_sha256": setup.tools,
        "run_id": run.get("id"),
        "termination_reason": ended,
        **_tokens(said),
    }
    scores = dict(_scores(run, setup.tasks.get(task, {}), named))
    return Element(record={**stated(found), "scores": scores}, source=part.source, number=number)


def _scores(
    run: Mapping[str, Any], task: Mapping[str, Any], named: frozenset[str] | None
) -> Iterator[tuple[str, Any]]:
    """The reward, and each part of it that the task asks for, not known where this run does not state it."""
    reward = inner(run, "reward_info")
    criteria = inner(task, "evaluation_criteria")
    ungraded = "evaluation_criteria" in task and not criteria
    yield SCORER, None if ungraded else reward.get("reward")
    parts = _breakdown(run)
    basis = criteria.get("reward_basis") or reward.get("reward_basis")
    asked = [name for name in basis if isinstance(name, str)] if isinstance(basis, list) else []
    for name in sorted({*parts, *(name for name in asked if named is None or name in named)}):
        yield f"{SCORER}/{name}", parts.get(name)


def _breakdown(run: Any) -> Mapping[str, Any]:
    return inner(inner(run, "reward_info"), "reward_breakdown") if isinstance(run, dict) else {}


def _cost(recorded: Any, said: list[dict[str, Any]], role: str) -> Any:
    """What one side cost; 0 beside tokens is written for a model that nobody has a price of."""
    spoke = any(isinstance(message.get("usage"), dict) for message in said if message.get("role") == role)
    return None if recorded == 0 and recorded is not False and spoke else recorded


def _tokens(said: list[dict[str, Any]]) -> dict[str, int]:
    """The agent's tokens, where each of its messages states them; the greeting is none of the model's."""
    sums: dict[str, int] = defaultdict(int)
    for at, message in enumerate(said):
        if message.get("role") != "assistant" or (at == 0 and message.get("usage") is None):
            continue
        for key in ("prompt_tokens", "completion_tokens"):
            count = inner(message, "usage").get(key)
            if not isinstance(count, int) or isinstance(count, bool):
                return {}
            sums[key] += count
    return dict(sums)


ADAPTER = Adapter(
    beside=(".json", ".jsonl", ".ndjson"),
    format="tau2-bench",
    title="tau2-bench",
    family="traces",
    module=__name__,
    claims=claims,
    convert=convert,
    nearly=nearly,
    example="data/simulations/2026-01-02_retail_llm_agent_gpt-4.1_user_simulator_gpt-4.1.json",
    reads="the reward of each task and trial with its parts, the agent's cost and the simulated user's "
    "apart, tokens, and why a simulation ended; the arm is the agent's model, the suite its domain and user",
)
