"""Controls that are computed: fixtures, the pack's digest, the stub agent, shuffled oracles.

Each gives a `Control`: what was tried, and whether it held. None says that a product is better; they say
that a number was produced under a named procedure. What a harness recorded is in
`metrics_core.contracts.recorded_controls`, and is offered here too. Pure: scoring is an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import fsum, isclose
from random import Random
from typing import Any

from metrics_core.contracts.fixture import FixtureResult
from metrics_core.contracts.pack import Pack, Task
from metrics_core.contracts.recorded_controls import attribution_selftest, sanity
from metrics_core.contracts.scorer import Score
from metrics_core.results import MIN_KNOWN, NO_KEYS, Control, ControlCheck
from metrics_core.text import many, spelled, visible

__all__ = [
    "attribution_selftest", "fixtures_control", "occurring_tasks", "pack_digest", "sanity",
    "shuffled_oracles", "stub_agent", "stub_trace",
]  # fmt: skip

ScoreTraces = Callable[[Sequence[Mapping[str, Any]]], Sequence[Score]]
"""Traces -> one score each, such as ``Scorer.score``."""

PACK_DIGEST, STUB_AGENT, SHUFFLED_ORACLES = "pack digest", "stub agent", "shuffled oracles"
"""Names of these controls."""

NAMED = 5
"""Faults that are listed; the rest are counted."""


def fixtures_control(
    results: Sequence[FixtureResult], *, guards: str, contract: str | None = None
) -> Control:
    """Whether every golden fixture gave its known result; none at all has not held."""
    wrong = tuple((r.name, f"expected {r.expected}, got {r.got}") for r in results if not r.ok)
    n, N = len(results) - len(wrong), len(results)
    return Control(
        name="fixtures",
        title="golden fixtures",
        state="held" if N and not wrong else "failed",
        detail=f"{n} of {N} golden fixtures gave their known result",
        guards=guards,
        contract=contract,
        checks=(ControlCheck(name="Golden fixtures", must="give their result", n=n, N=N, faults=wrong),),
    )


def pack_digest(pack: Pack | None, *, guards: str = "traces") -> Control:
    """Whether a pack is the one that was quoted beside it; a mismatch blocks publication."""
    control = partial(Control, name=PACK_DIGEST, title="digest of the eval pack", guards=guards)
    if pack is None:
        return control(state="not applicable", detail="there is no eval pack")
    if pack.sums == "absent":
        return control(state="not applicable", detail=f"no digest lies beside {pack.name}")
    if pack.sums == "matches":
        return control(state="held", detail=f"the digests that lie beside {pack.name} are its own")
    detail = f"{pack.name} is not the pack that was quoted: {'; '.join(pack.differing)}"
    return control(state="failed", detail=detail)


def stub_trace(task: Task) -> dict[str, Any]:
    """The trace of an agent that hands in an empty patch, with its task's id; of the reference contract."""
    return {
        "schema": "trace.v1",
        "task_id": task.id,
        "exit_code": 1,
        "patch": "",
        "oracle_files": list(task.oracle_files),
        "touched_files": [],
        "tests_passed": False,
        "agent": "stub.empty_patch",
    }


Runs = Mapping[str, Sequence[Mapping[str, Any]]]
"""Agent -> its decoded traces."""


def occurring_tasks(runs: Runs) -> tuple[Task, ...]:
    """The tasks that traces name, where no pack does, each with every oracle file that its traces state.

    >>> occurring_tasks({"a": [{"task_id": "t", "oracle_files": ["x.py"]}, {"task_id": "s"}]})[1].oracle_files
    ('x.py',)
    """
    oracles: dict[str, set[str]] = {}
    for traces in runs.values():
        for trace in traces:
            oracles.setdefault(str(trace.get("task_id")), set()).update(trace.get("oracle_files") or ())
    return tuple(
        Task(task, None, tuple(sorted(files)), None, "eval", NO_KEYS)
        for task, files in sorted(oracles.items())
    )


def stub_agent(
    tasks: Sequence[Task],
    score: ScoreTraces,
    *,
    runs: Runs | None = None,
    floor: float = 0.0,
    guards: str = "traces",
    contract: str | None = None,
) -> Control:
    """Whether an agent that does nothing scores the floor, and a floor that is not 0 lies below every agent.

    Args:
        tasks: What it does nothing on: all of the pack's, probe items too; without a pack, all that occur.
        score: The contract.
        runs: Traces of the agents, which a stated floor must lie below.
        floor: What the contract says that doing nothing is worth.
        guards: Family whose numbers it guards.
        contract: Whose numbers it guards.

    Source: the reference contract, ``controls.py``.
    """
    control = partial(Control, name=STUB_AGENT, title="stub agent", guards=guards, contract=contract)
    if not tasks:
        return control(state="not applicable", detail="no task occurs: there is none to do nothing on")
    scores = list(zip(tasks, score([stub_trace(task) for task in tasks]), strict=True))
    valid = [(task.id, s.value) for task, s in scores if s.value is not None]
    off = tuple((task, f"scored {spelled(value)}") for task, value in valid if value != floor)
    n, N = len(valid) - len(off), len(valid)
    check = ControlCheck(name="Empty patches", must=f"score {spelled(floor)}", n=n, N=N, faults=off[:NAMED])
    if not valid:
        detail = (
            f"no empty patch of {many(len(scores), 'task')} is valid: doing nothing has no score, "
            f"not {spelled(floor)}"
        )
        return control(state="failed", detail=detail, checks=(check,))
    mean = fsum(value for _, value in valid) / len(valid)
    at_floor = isclose(mean, floor, rel_tol=0, abs_tol=1e-9)
    over = many(len(valid), "task")
    detail = f"empty patches score {spelled(mean)} on average over {over}; the floor is {spelled(floor)}"
    if invalid := len(scores) - len(valid):
        detail += f"; {invalid} {'is' if invalid == 1 else 'are'} invalid"
    checks = [check]
    if floor != 0 and runs:
        checks.append(above := _above(floor, runs, score))
        if above.faults:
            detail += f", which is not below the mean of {', '.join(agent for agent, _ in above.faults)}"
            at_floor = False
    return control(state="held" if at_floor else "failed", detail=detail, checks=tuple(checks))


def _above(floor: float, runs: Runs, score: ScoreTraces) -> ControlCheck:
    """Agents whose mean must lie above a stated floor: what doing nothing is worth, no agent falls below."""
    means = {}
    for agent, traces in sorted(runs.items()):
        values = [s.value for s in score(traces) if s.value is not None]
        if values:
            means[agent] = fsum(values) / len(values)
    low = tuple(
        (visible(a, escaped=True), f"scored {spelled(m)} on average") for a, m in means.items() if m <= floor
    )
    n, N = len(means) - len(low), len(means)
    return ControlCheck(name="Agents", must=f"score above {spelled(floor)}", n=n, N=N, faults=low[:NAMED])


def shuffled(tasks: Sequence[Task], seed: int = 13) -> dict[str, list[str]]:
    """Task id -> oracle files of another task, by the seed's permutation of all of them.

    Source: the reference contract, ``shuffle_oracles``: one ``Random(seed).shuffle`` over the tasks in
        their order.
    """
    files = [list(task.oracle_files) for task in tasks]
    Random(seed).shuffle(files)
    return {task.id: other for task, other in zip(tasks, files, strict=True)}


def shuffled_oracles(
    traces_by_agent: Runs,
    tasks: Sequence[Task],
    score: ScoreTraces,
    *,
    seed: int = 13,
    floor: float = 0.0,
    guards: str = "traces",
    contract: str | None = None,
) -> Control:
    """Whether scores collapse once each task has the oracles of another: else something leaks.

    Args:
        traces_by_agent: Decoded traces of each agent; those of probe items and of no task are left out.
        tasks: With their oracles: the pack's, or without a pack those that occur.
        score: The contract.
        seed: Of the permutation.
        floor: What doing nothing is worth; only agents whose interval lies above it can collapse.
        guards: Family whose numbers it guards.
        contract: Whose numbers it guards.

    Returns:
        ``held`` when, for each agent clearly above the floor, the shuffled interval (the signed bootstrap)
        ends below the true one; ``not applicable`` where fewer than 8 runs of every agent are valid, no task
        has oracles, all have the same, no agent is clearly above the floor, or the score does not read them:
        every run scores the same with the oracles of another task and with none.

    Source: the reference contract, ``controls.py``.
    """
    control = partial(
        Control, name=SHUFFLED_ORACLES, title="shuffled oracles", guards=guards, contract=contract
    )
    if not any(task.oracle_files for task in tasks):
        return control(state="not applicable", detail="no task has oracle files")
    if len({frozenset(task.oracle_files) for task in tasks}) == 1:
        return control(state="not applicable", detail="all tasks have the same oracle files")
    wanted = {task.id for task in tasks if task.split == "eval"}
    runs = {
        agent: [t for t in traces if str(t.get("task_id")) in wanted]
        for agent, traces in sorted(traces_by_agent.items())
    }
    true = {agent: limits for agent, limits in _intervals(runs, score).items() if limits is not None}
    if not true:
        return control(state="not applicable", detail=f"no agent has {MIN_KNOWN} valid runs")
    clear = {agent: limits for agent, limits in true.items() if limits[0] > floor}
    if not clear:
        detail = (
            f"no agent is clearly above the floor of {spelled(floor)}: there is nothing that could collapse"
        )
        return control(state="not applicable", detail=detail)
    reassigned = shuffled(tasks, seed)
    reassigned_files = {
        a: [{**t, "oracle_files": reassigned[str(t["task_id"])]} for t in runs[a]] for a in clear
    }
    after = _intervals(reassigned_files, score)
    faults = tuple((a, fault) for a in clear if (fault := _leak(clear[a], after[a])))
    if faults and _unread([t for a in clear for t in runs[a]], reassigned, score):
        detail = "the score does not read the oracle files: without them, and with another's, it is the same"
        return control(state="not applicable", detail=detail)
    moved = sum(set(reassigned[task.id]) != set(task.oracle_files) for task in tasks)
    n, N = len(clear) - len(faults), len(clear)
    detail = f"for {n} of {N} agents clearly above the floor the score collapses"
    if faults:
        detail = f"leaking: for {N - n} of {N} agents clearly above the floor the score does not collapse"
    check = ControlCheck(name="Agents above the floor", must="collapse", n=n, N=N, faults=faults)
    return control(
        state="failed" if faults else "held",
        detail=f"{detail} when {moved} of {len(tasks)} tasks {'gets' if moved == 1 else 'get'} another's "
        f"oracle files (seed {seed})",
        checks=(check,),
    )


def _unread(
    traces: Sequence[Mapping[str, Any]], reassigned: Mapping[str, list[str]], score: ScoreTraces
) -> bool:
    """Whether every run scores the same with its own oracle files, with another's, and with none."""
    ways = (
        traces,
        [{**t, "oracle_files": reassigned[str(t["task_id"])]} for t in traces],
        [{**t, "oracle_files": []} for t in traces],
    )
    own, others, none = ([s.value for s in score(way)] for way in ways)
    return own == others == none


def _intervals(runs: Runs, score: ScoreTraces) -> dict[str, tuple[float, float] | None]:
    """The signed bootstrap of each agent's mean; None with fewer than 8 valid runs. Scored in one go."""
    scores = iter(score([trace for agent in runs for trace in runs[agent]]))
    found: dict[str, tuple[float, float] | None] = {}
    for agent, traces in runs.items():
        values = [s.value for s in (next(scores) for _ in traces) if s.value is not None]
        from metrics_core.statistics import bootstrap_mean_ci  # numpy is loaded where something is resampled

        limits = bootstrap_mean_ci(values)["ci95"]
        found[agent] = None if limits is None else (limits[0], limits[1])
    return found


def _leak(true: tuple[float, float], after: tuple[float, float] | None) -> str:
    """Why an agent's score did not collapse; empty where it did."""
    means = f"true {true[0]:.3f} to {true[1]:.3f}"
    if after is None:
        return f"{means}; shuffled, fewer than {MIN_KNOWN} runs are valid, so that nothing is shown"
    return "" if after[1] < true[0] else f"{means}, shuffled {after[0]:.3f} to {after[1]:.3f}"
