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
from metrics_core.results import MIN_KNOWN, Control, ControlCheck
from metrics_core.statistics import bootstrap_mean_ci

__all__ = [
    "attribution_selftest", "fixtures_control", "pack_digest", "sanity", "shuffled_oracles", "stub_agent",
    "stub_trace",
]  # fmt: skip

ScoreTraces = Callable[[Sequence[Mapping[str, Any]]], Sequence[Score]]
"""Traces -> one score each, such as ``Scorer.score``."""

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
    control = partial(Control, name="pack digest", title="digest of the eval pack", guards=guards)
    if pack is None:
        return control(state="not applicable", detail="there is no eval pack")
    if pack.sums == "absent":
        return control(state="not applicable", detail=f"no digest lies beside {pack.name}")
    if pack.sums == "matches":
        return control(state="held", detail=f"the digests that lie beside {pack.name} are its own")
    detail = f"{pack.name} is not the pack that was quoted: {'; '.join(pack.differing)}"
    return control(state="failed", detail=detail)


def stub_trace(task: Task) -> dict[str, Any]:
    """The trace of an agent that hands in an empty patch (seed 004's, with the id of its task)."""
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


def stub_agent(
    pack: Pack | None,
    score: ScoreTraces,
    *,
    floor: float = 0.0,
    guards: str = "traces",
    contract: str | None = None,
) -> Control:
    """Whether an agent that does nothing scores the floor.

    Args:
        pack: Whose tasks it does nothing on; all of them, probe items too.
        score: The contract.
        floor: What the contract says that doing nothing is worth.
        guards: Family whose numbers it guards.
        contract: Whose numbers it guards.

    Source: seed 004, ``controls.py``.
    """
    control = partial(Control, name="stub agent", title="stub agent", guards=guards, contract=contract)
    if pack is None or not pack.tasks:
        return control(state="missing", detail="no eval pack: there is no task to do nothing on")
    scores = list(zip(pack.tasks, score([stub_trace(task) for task in pack.tasks]), strict=True))
    valid = [(task.id, s.value) for task, s in scores if s.value is not None]
    off = tuple((task, f"scored {value:g}") for task, value in valid if value != floor)
    n, N = len(valid) - len(off), len(valid)
    check = ControlCheck(name="Empty patches", must=f"score {floor:g}", n=n, N=N, faults=off[:NAMED])
    if not valid:
        detail = f"none of {len(scores)} empty patches is valid: doing nothing has no score, not {floor:g}"
        return control(state="failed", detail=detail, checks=(check,))
    mean = fsum(value for _, value in valid) / len(valid)
    at_floor = isclose(mean, floor, rel_tol=0, abs_tol=1e-9)
    detail = f"empty patches score {mean:g} on average over {len(valid)} tasks; the floor is {floor:g}"
    if len(valid) < len(scores):
        detail += f"; {len(scores) - len(valid)} are invalid"
    return control(state="held" if at_floor else "failed", detail=detail, checks=(check,))


def shuffled(pack: Pack, seed: int = 13) -> dict[str, list[str]]:
    """Task id -> oracle files of another task, by the seed's permutation of the whole pack.

    Source: seed 004, ``shuffle_oracles``: one ``Random(seed).shuffle`` over the tasks in their order.
    """
    files = [list(task.oracle_files) for task in pack.tasks]
    Random(seed).shuffle(files)
    return {task.id: other for task, other in zip(pack.tasks, files, strict=True)}


def shuffled_oracles(
    traces_by_agent: Mapping[str, Sequence[Mapping[str, Any]]],
    pack: Pack | None,
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
        pack: The tasks, with their oracles.
        score: The contract.
        seed: Of the permutation.
        floor: What doing nothing is worth; only agents whose interval lies above it can collapse.
        guards: Family whose numbers it guards.
        contract: Whose numbers it guards.

    Returns:
        ``held`` when, for each agent clearly above the floor, the shuffled interval (the signed bootstrap)
        ends below the true one; ``not applicable`` where fewer than 8 runs of every agent are valid, no task
        has oracles, all have the same, or no agent is clearly above the floor.

    Source: seed 004, ``controls.py``.
    """
    control = partial(
        Control, name="shuffled oracles", title="shuffled oracles", guards=guards, contract=contract
    )
    if pack is None or not pack.tasks:
        return control(state="missing", detail="no eval pack: there are no oracles to shuffle")
    if not any(task.oracle_files for task in pack.tasks):
        return control(state="not applicable", detail="no task has oracle files")
    if len({frozenset(task.oracle_files) for task in pack.tasks}) == 1:
        return control(state="not applicable", detail="all tasks have the same oracle files")
    runs = {
        agent: [t for t in traces if (task := pack.task(str(t.get("task_id")))) and task.split == "eval"]
        for agent, traces in sorted(traces_by_agent.items())
    }
    true = {agent: limits for agent, limits in _intervals(runs, score).items() if limits is not None}
    if not true:
        return control(state="not applicable", detail=f"no agent has {MIN_KNOWN} valid runs")
    clear = {agent: limits for agent, limits in true.items() if limits[0] > floor}
    if not clear:
        detail = f"no agent is clearly above the floor of {floor:g}: there is nothing that could collapse"
        return control(state="not applicable", detail=detail)
    reassigned = shuffled(pack, seed)
    reassigned_files = {
        a: [{**t, "oracle_files": reassigned[str(t["task_id"])]} for t in runs[a]] for a in clear
    }
    after = _intervals(reassigned_files, score)
    faults = tuple((a, fault) for a in clear if (fault := _leak(clear[a], after[a])))
    moved = sum(set(reassigned[task.id]) != set(task.oracle_files) for task in pack.tasks)
    n, N = len(clear) - len(faults), len(clear)
    detail = f"for {n} of {N} agents clearly above the floor the score collapses"
    if faults:
        detail = f"leaking: for {N - n} of {N} agents clearly above the floor the score does not collapse"
    check = ControlCheck(name="Agents above the floor", must="collapse", n=n, N=N, faults=faults)
    return control(
        state="failed" if faults else "held",
        detail=f"{detail} when {moved} of {len(pack.tasks)} tasks get another's oracle files (seed {seed})",
        checks=(check,),
    )


def _intervals(
    runs: Mapping[str, Sequence[Mapping[str, Any]]], score: ScoreTraces
) -> dict[str, tuple[float, float] | None]:
    """The signed bootstrap of each agent's mean; None with fewer than 8 valid runs. Scored in one go."""
    scores = iter(score([trace for agent in runs for trace in runs[agent]]))
    found: dict[str, tuple[float, float] | None] = {}
    for agent, traces in runs.items():
        values = [s.value for s in (next(scores) for _ in traces) if s.value is not None]
        limits = bootstrap_mean_ci(values)["ci95"]
        found[agent] = None if limits is None else (limits[0], limits[1])
    return found


def _leak(true: tuple[float, float], after: tuple[float, float] | None) -> str:
    """Why an agent's score did not collapse; empty where it did."""
    means = f"true {true[0]:.3f} to {true[1]:.3f}"
    if after is None:
        return f"{means}; shuffled, fewer than {MIN_KNOWN} runs are valid, so that nothing is shown"
    return "" if after[1] < true[0] else f"{means}, shuffled {after[0]:.3f} to {after[1]:.3f}"
