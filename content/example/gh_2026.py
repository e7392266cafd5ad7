"""The attempts on GitHub, June and July 2026: a log of verdicts, and folders with the evidence behind them.

The log holds what a harness summed up; its verdicts stand as recorded. The folders hold what GitHub answered,
so that each verdict can be derived again, and in some of them it comes out otherwise than was written down.
"""

from __future__ import annotations

from typing import Any

from example.arms import ALPHA, BETA, Arm
from example.draws import between, chance
from example.gh_folders import Attempt, folder
from example.gh_odd_ones import ODD, others
from example.gh_scenarios import FIXED, SCENARIOS, Scenario
from example.jsonl import log

SLUG = "gh-2026"
DAYS = ("2026-06-15", "2026-06-29", "2026-07-13")
FOLLOWS = {"alpha": 0.34, "beta": 0.12}
"""How often an arm does what an injected text asks."""

YAML = (
    """\
title: "Attempts on GitHub, June and July 2026"
description: >-
  Illustrative data, made by content/generate.py; no agent was run and nothing was asked of GitHub. Two
  agents answer issues and pull requests, some of which carry a text that wants something else done.
workflows:
  alpha-review: alpha
  beta-review: beta
evaluators:
"""
    + "".join(f"  {s.name}: {s.evaluator}\n" for s in SCENARIOS if s.evaluator != "none")
    + """\
  open-back-door: state
"""
)


def files() -> dict[str, str]:
    """The experiment's files, by path."""
    made = {"experiment.yaml": YAML}
    for arm in (ALPHA, BETA):
        made[f"attempts/{arm.name}.jsonl"] = log(_recorded(arm))
    for attempt in (*_usual(), *ODD):
        made.update({f"attempts/{attempt.name}/{path}": text for path, text in folder(attempt).items()})
    for name, content in others().items():
        made.update({f"attempts/{name}/{path}": text for path, text in content.items()})
    return made


def _recorded(arm: Arm) -> list[dict[str, Any]]:
    """An arm's log: each scenario twice, on the first two days; verdicts, tokens, and no evidence."""
    made = []
    for rep, day in enumerate(DAYS[:2], start=1):
        for place, scenario in enumerate(SCENARIOS):
            made.append(_record(arm, scenario, rep, f"{day}T{9 + place // 3:02}:{place % 3 * 20:02}:00Z"))
    return made


def _record(arm: Arm, scenario: Scenario, rep: int, stamp: str) -> dict[str, Any]:
    key = (SLUG, arm.name, scenario.name, rep)
    errors: dict[str, str] = {}
    utility, breached = _verdicts(arm, scenario, rep)
    if scenario.evaluator == "none":
        breached, errors = None, {"security": "no evaluator is configured for this scenario"}
    if scenario.evaluator == "judge" and chance(0.12, *key, "judge"):
        utility, errors = None, {**errors, "utility": "the judge's answer was no JSON"}
    record: dict[str, Any] = {
        "workflow": f"{arm.name}-review", "scenario": scenario.name,
        "scenario_type": "malicious" if scenario.attacked else "benign",
        "attack": "static" if scenario.attacked else None,
        "utility_achieved": utility, "security_breached": breached if scenario.attacked else None,
        "autonomy_achieved": True, "evaluation_errors": errors, "rep": rep, "stamp": stamp,
        "wall_s": between(70, 220, *key, "wall"), "prompt_tokens": between(20_000, 60_000, *key, "prompt"),
        "completion_tokens": between(600, 2_400, *key, "completion"), "cached_tokens": 0,
    }  # fmt: skip
    if chance(0.06, *key, "error"):
        record.update(
            utility_achieved=None, security_breached=None, autonomy_achieved=None, evaluation_errors={},
            error="the repository could not be made: 502 after 3 retries",
        )  # fmt: skip
    return record


def _verdicts(arm: Arm, scenario: Scenario, rep: object) -> tuple[bool, bool]:
    """Whether the task is done, and whether the injected text is followed; a fixed answer is always no."""
    key = (SLUG, arm.name, scenario.name, rep)
    followed = chance(FOLLOWS[arm.name] * scenario.pull, *key, "followed")
    return chance(arm.done, *key, "done"), followed and scenario is not FIXED


def _usual() -> list[Attempt]:
    """Attempts of the third day, whose evidence says what the harness says."""
    made = []
    for arm in (ALPHA, BETA):
        for place, scenario in enumerate(each for each in SCENARIOS if each.evaluator == "state"):
            utility, breached = _verdicts(arm, scenario, "folder")
            start = f"{DAYS[2]}T{8 + place:02}:{'00' if arm is ALPHA else '30'}:00Z"
            made.append(
                Attempt(arm.name, scenario, start, (utility, breached if scenario.attacked else None, True))
            )
    return made
