"""The main brownfield experiment: four weekly batches, an ablation on alpha, a control that holds."""

from __future__ import annotations

from example.arms import ALPHA, BETA, DELTA, GAMMA, HARNESS_2026_07, Arm
from example.awareness import QUESTIONS, answer
from example.blemishes import blemished
from example.brownfield_runs import Record, run
from example.controls import sanity
from example.scenarios import BEHAVIOURS, FEATURES, FIXES, REFACTORS, Scenario, by_id

SLUG = "brownfield-2026-07"
WEEKS = ("2026-07-06", "2026-07-13", "2026-07-20", "2026-07-27")
START = {"alpha": "08:00:00Z", "beta": "11:30:00Z", "gamma": "15:00:00Z", "delta": "18:30:00Z"}
CORE = (*FIXES[:8], *REFACTORS)
# Each week three of these twelve are run again by alpha with brain, plan or both switched off.
ABLATED = by_id("B1", "R1", "B2", "R2", "B3", "R3", "B4", "R4", "B5", "R5", "B6", "R6")
ABLATIONS = ((True, False), (False, True), (False, False))

YAML = """\
title: "Brownfield, July 2026"
description: >-
  Illustrative data, made by content/generate.py; no agent was run. Fix, refactoring, feature and behaviour
  tasks on a made-up shop application, in four weekly batches, with awareness questions beside them.
  The graders were tried on the pristine application first.
"""


def files() -> dict[str, str]:
    """The experiment's files, by path."""
    logs = blemished({arm.name: records(arm) for arm in (ALPHA, BETA, GAMMA, DELTA)})
    return {
        "experiment.yaml": YAML,
        "controls/sanity.json": sanity("2026-07-06T06:00:00Z", FIXES[:8], REFACTORS, {}),
        **{f"logs_big/{name}.jsonl": text for name, text in logs.items()},
    }


def records(arm: Arm) -> list[Record]:
    """Everything that one arm ran, batch by batch. Delta tried six fixes in the last week and no more."""
    if arm is DELTA:
        return [_run(arm, scenario, 3, 1) for scenario in by_id("B1", "B2", "B3", "B4", "B5", "B7")]
    batches: list[Record] = []
    for week in range(len(WEEKS)):
        batches += [_run(arm, scenario, week, week + 1) for scenario in CORE]
        if week % 2 == 0:
            batches += [_run(arm, scenario, week, week // 2 + 1) for scenario in (*FEATURES, *BEHAVIOURS)]
        else:
            batches += [
                answer(
                    SLUG,
                    arm,
                    question,
                    stamp=_stamp(arm, week),
                    rep=week // 2 + 1,
                    row=HARNESS_2026_07[arm.name],
                )
                for question in QUESTIONS
            ]
        if arm is ALPHA:
            batches += [
                _run(arm, scenario, week, 1, brain, plan)
                for scenario in ABLATED[3 * week : 3 * week + 3]
                for brain, plan in ABLATIONS
            ]
    return batches


def _stamp(arm: Arm, week: int) -> str:
    return f"{WEEKS[week]}T{START[arm.name]}"


def _run(arm: Arm, scenario: Scenario, week: int, rep: int, brain: bool = True, plan: bool = True) -> Record:
    return run(
        SLUG,
        arm,
        scenario,
        stamp=_stamp(arm, week),
        rep=rep,
        brain=brain,
        plan=plan,
        row=HARNESS_2026_07.get(arm.name),
    )
