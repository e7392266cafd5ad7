"""One made-up brownfield run: what an arm made of a scenario, as the harness would have logged it.

The record is sound here; the blemishes that a report must cope with are put in by `blemishes.py`.
"""

from __future__ import annotations

from typing import Any

from example.application import AREAS, NEIGHBOURS, PAGES, SHARED_FILES
from example.arms import Arm, Row
from example.draws import between, chance, pick, some, uniform
from example.scenarios import Scenario

Record = dict[str, Any]

EASE = {1: 0.12, 2: 0.0, 3: -0.14}
ERRORS = (
    "provider returned status 529 after 3 retries",
    "workspace ran out of disk while installing",
    "context window exceeded in turn 19",
)
ERROR_RATE = 0.035
IDLE_RATE = 0.04  # runs that end without an edit


def run(
    experiment: str,
    arm: Arm,
    scenario: Scenario,
    *,
    stamp: str,
    rep: int,
    row: Row | None,
    brain: bool = True,
    plan: bool = True,
    breaks: float | None = None,
) -> Record:
    """The record of one run.

    Args:
        experiment: Slug; a part of every draw's key.
        arm: Who ran.
        scenario: What was asked.
        stamp: ISO 8601 stamp of the batch.
        rep: 1 for the first run of this scenario, arm and configuration, then 2, ...
        row: The harness's price row; None writes the harness's 0.0 of an unknown model.
        brain: Whether the project-knowledge pass ran.
        plan: Whether the planning step ran.
        breaks: Rate of broken pages, in place of the arm's own.
    """
    key = (experiment, arm.name, scenario.id, brain, plan, rep)
    error = pick(ERRORS, *key, "which error") if chance(ERROR_RATE, *key, "error") else None
    idle = error is not None or chance(IDLE_RATE, *key, "idle")
    passed = [False] * len(scenario.assertions) if idle else _assertions(arm, scenario, brain, plan, key)
    misses = [] if idle else _misses(arm.breaks if breaks is None else breaks, scenario, key)
    return {
        "id": scenario.id,
        "name": scenario.name,
        "kind": scenario.kind,
        "difficulty": scenario.difficulty,
        "model": arm.name,
        "with_brain": brain,
        "with_plan": plan,
        "rep": rep,
        "change": share(passed),
        "change_detail": [[name, ok] for name, ok in zip(scenario.assertions, passed, strict=True)],
        "regress": None if error else 1 - len(misses) / len(PAGES),
        "regress_total": len(PAGES),
        "regress_misses": misses,
        "changed_files": [] if idle else _edited(scenario, misses, key),
        **usage(arm, key, row, short=idle, brain=brain),
        "error": error,
        "stamp": stamp,
    }


def share(passed: list[bool]) -> float:
    """The fraction that passed, rounded to three decimals as the harness logs it.

    >>> share([True, True, True, True, True, False, False])
    0.714
    """
    return round(sum(passed) / len(passed), 3)


def usage(
    arm: Arm, key: tuple[object, ...], row: Row | None, *, short: bool = False, brain: bool = True
) -> Record:
    """Time, calls, tokens and the recorded cost; `short` for a run that ended early."""
    stretch = (0.6 + 0.9 * uniform(*key, "size")) * (0.3 if short else 1.0) * (1.0 if brain else 1.15)
    prompt = int(arm.tokens * stretch)
    cached = int(prompt * (0.35 + 0.4 * uniform(*key, "cached")))
    completion = int(prompt * (0.05 + 0.05 * uniform(*key, "completion")))
    return {
        "wall_s": round(arm.pace * stretch * (0.8 + 0.5 * uniform(*key, "pace")), 1),
        "calls": max(2, int(16 * stretch) + between(-2, 4, *key, "calls")),
        "cost": 0.0 if row is None else row.cost(prompt, completion, cached),
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "cached_tokens": cached,
    }


def _assertions(arm: Arm, scenario: Scenario, brain: bool, plan: bool, key: tuple[object, ...]) -> list[bool]:
    done = arm.done + EASE[scenario.difficulty]
    done -= (0 if brain else arm.brain) + (0 if plan else arm.plan)
    if chance(done, *key, "done"):
        return [True] * len(scenario.assertions)
    passed = [chance(arm.partial, *key, "assertion", name) for name in scenario.assertions]
    if all(passed):
        passed[between(0, len(passed) - 1, *key, "missed")] = False
    return passed


def _misses(breaks: float, scenario: Scenario, key: tuple[object, ...]) -> list[str]:
    if scenario.kind == "behaviour" or not chance(breaks, *key, "breaks"):
        return []
    near = AREAS[scenario.area]
    misses = some(near, between(1, len(near), *key, "how many"), *key, "pages")
    if chance(0.35, *key, "spreads"):
        far = AREAS[NEIGHBOURS[scenario.area]]
        misses += some(far, between(1, len(far), *key, "how many more"), *key, "more pages")
    return misses


def _edited(scenario: Scenario, misses: list[str], key: tuple[object, ...]) -> list[str]:
    edited = list(scenario.files)
    if misses or chance(0.15, *key, "also edits"):
        edited.append(pick(SHARED_FILES, *key, "shared file"))
    return sorted(set(edited))
