"""The answers experiment: one log, two scorers that read it each in its own way, and do not agree."""

from __future__ import annotations

from typing import Any

from example.arms import ALPHA, BETA, Arm
from example.draws import chance, uniform
from example.jsonl import log

SLUG = "answers-2026"
QUESTIONS = 40
START = {"alpha": "2026-07-17T09:00:00Z", "beta": "2026-07-17T13:00:00Z"}

RIGHT = {"alpha": 0.88, "beta": 0.55}
"""How often an arm picks the right option."""

TERSE = {"alpha": 0.12, "beta": 0.97}
"""How often a right answer is spelled as the key spells it, and nothing else beside it."""

YAML = """\
title: "Questions on the shop, July 2026"
description: >-
  Illustrative data, made by content/generate.py; no agent was run. Each question has four options. One scorer
  looks for the letter that was picked, the other compares the answer with the key, character by character.
"""


def files() -> dict[str, str]:
    """The experiment's files, by path."""
    return {
        "experiment.yaml": YAML,
        **{f"traces/{arm.name}.jsonl": log(traces(arm)) for arm in (ALPHA, BETA)},
    }


def traces(arm: Arm) -> list[dict[str, Any]]:
    """One arm's answers, one a question; at two of them a scorer gave no score."""
    return [_trace(arm, number) for number in range(1, QUESTIONS + 1)]


def _trace(arm: Arm, number: int) -> dict[str, Any]:
    key = (SLUG, arm.name, number)
    right = chance(RIGHT[arm.name], *key, "right")
    exact = right and chance(TERSE[arm.name], *key, "terse")
    size = 0.5 + uniform(*key, "size")
    return {
        "schema": "trace.v1", "task_id": f"question-{number:02}", "agent": arm.name, "rep": 1,
        "answer": "(b)" if exact else "It is (b), since the order is stored first." if right else "(d)",
        "scores": {
            "choice": None if number == 17 else "C" if right else "I",
            "match": None if number == 23 else "C" if exact else "I",
        },
        "wall_s": round(arm.pace * size / 4, 1),
        "prompt_tokens": int(arm.tokens * size * 0.02), "completion_tokens": int(arm.tokens * size * 0.003),
        "stamp": START[arm.name],
    }  # fmt: skip
