"""The answers experiment: one log, two scorers that read it each in its own way, and do not agree.

A judge has read the answers of one arm, too, and people have labelled a random part of these.
"""

from __future__ import annotations

from typing import Any

from example.arms import ALPHA, BETA, Arm
from example.draws import chance, some, uniform
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
labelled: random
"""

JUDGED = BETA
JUDGED_TWICE, RATED, RATED_TWICE = 10, 24, 10
"""Of the arm's answers: how many the judge reads again, how many one rater labels, and how many another."""

PASSES = {True: 0.95, False: 0.15}
"""How often the judge passes a right answer, and a wrong one."""


def files() -> dict[str, str]:
    """The experiment's files, by path."""
    return {
        "experiment.yaml": YAML,
        **{f"traces/{arm.name}.jsonl": log(traces(arm)) for arm in (ALPHA, BETA)},
        "judge-labels.jsonl": log(labels()),
    }


def traces(arm: Arm) -> list[dict[str, Any]]:
    """One arm's answers, one a question; at two of them a scorer gave no score."""
    return [_trace(arm, number) for number in range(1, QUESTIONS + 1)]


def labels() -> list[dict[str, Any]]:
    """What the judge says of each answer of one arm, and raters of some; one rater errs at times."""
    numbers = list(range(1, QUESTIONS + 1))
    rated = some(numbers, RATED, SLUG, "rated")
    judged = [(number, "judge:reader", 1) for number in numbers]
    judged += [(number, "judge:reader", 2) for number in numbers[:JUDGED_TWICE]]
    people = [(number, "human:ada", None) for number in rated]
    people += [(number, "human:ben", None) for number in rated[:RATED_TWICE]]
    return [_label(*each) for each in (*judged, *people)]


def _label(number: int, rater: str, run: int | None) -> dict[str, Any]:
    right = chance(RIGHT[JUDGED.name], SLUG, JUDGED.name, number, "right")
    says = {"human:ada": right, "human:ben": right == chance(0.9, SLUG, number, rater)}
    passed = says.get(rater, chance(PASSES[right], SLUG, number, rater, run))
    label = {"item": f"question-{number:02}", "agent": JUDGED.name, "rater": rater}
    return {**label, "verdict": "pass" if passed else "fail", **({} if run is None else {"run": run})}


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
