"""The pair experiment: three chat models with three coder models, five scripts, three kinds of check.

The records name no model: the name of each log does, as the harness writes it.
"""

from __future__ import annotations

from typing import Any

from example.arms import ALPHA, BETA, GAMMA, HARNESS_2026_07, Arm
from example.draws import between, chance, pick, uniform
from example.jsonl import log
from example.scripts import COMPILED, EXECUTED, RUBRIC, SCRIPTS, Turn

SLUG = "pairs-2026-07"
DAYS = {"alpha": "2026-07-14", "beta": "2026-07-15", "gamma": "2026-07-16"}
EASE = {1: 0.16, 2: 0.02, 3: -0.14}
BETTER_BRIEFED = {"alpha": 0.04, "beta": 0.06, "gamma": -0.10}
"""What a coder gains from the chat model that puts the task to it."""

YAML = """\
title: "Pairs of models, July 2026"
description: >-
  Illustrative data, made by content/generate.py; no agent was run. A chat model talks a task over and a
  coder model writes it, in five scripts that escalate. Most code is executed with assertions, some is only
  compiled, and answers in words are held against a rubric, of which nothing states what it establishes.
names:
  C1-till-that-adds-up: "A till that adds up"
  C2-importer-of-orders: "An importer of orders"
  C3-postage-by-weight: "Postage by weight"
  C4-stock-that-never-lies: "Stock that never lies"
  C5-report-of-the-month: "The report of the month"
"""


def files() -> dict[str, str]:
    """The experiment's files, by path; the harness records no control of its checks."""
    arms = (ALPHA, BETA, GAMMA)
    logs = {
        f"logs/{chat.name}__{coder.name}.jsonl": log(turns(chat, coder)) for chat in arms for coder in arms
    }
    return {"experiment.yaml": YAML, **logs}


def turns(chat: Arm, coder: Arm) -> list[dict[str, Any]]:
    """Every turn of one pair, script by script."""
    return [
        _turn(chat, coder, script, index, turn)
        for script, steps in SCRIPTS.items()
        for index, turn in enumerate(steps, start=1)
    ]


def _turn(chat: Arm, coder: Arm, script: str, index: int, turn: Turn) -> dict[str, Any]:
    key = (SLUG, chat.name, coder.name, script, index)
    taker = chat if turn.side == "chat" else coder
    ending = _ending(chat, coder, script, index)
    passed = _passes(chat, coder, turn, key) if ending == "usual" else False
    size = 0.4 + 0.3 * index * uniform(*key, "size")
    prompt, completion = int(taker.tokens * 0.2 * size), int(taker.tokens * 0.03 * size)
    if ending == "no answer":
        completion = 0
    cached = int(prompt * (0.2 + 0.3 * uniform(*key, "cached"))) if index > 1 else 0
    return {
        "scenario_id": script,
        "turn_index": index,
        "rep": 1,
        "type": turn.side,
        "difficulty": turn.difficulty,
        "check_kind": turn.check,
        "check_passed": None if ending == "no sandbox" else passed,
        "check_note": _note(turn, ending, passed, key),
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "cached_tokens": cached,
        "cost_usd": HARNESS_2026_07[taker.name].cost(prompt, completion, cached),
        "latency_s": round(taker.pace * 0.15 * size, 2),
        "stamp": f"{DAYS[chat.name]}T{8 + between(0, 9, *key, 'hour'):02d}:00:00Z",
    }


def _passes(chat: Arm, coder: Arm, turn: Turn, key: tuple[object, ...]) -> bool:
    rates = {
        RUBRIC: 0.5 + 0.4 * chat.recall,
        COMPILED: 0.92 + 0.5 * EASE[turn.difficulty],
        EXECUTED: 0.12 + 0.8 * coder.done + EASE[turn.difficulty] + BETTER_BRIEFED[chat.name],
    }
    return chance(rates[turn.check], *key, "passes")


def _ending(chat: Arm, coder: Arm, script: str, index: int) -> str:
    """How the turn ended: placed by hand for the states that must occur, usual for all others."""
    placed = {
        ("alpha", "beta", "C2-importer-of-orders", 3): "no sandbox",
        ("beta", "gamma", "C4-stock-that-never-lies", 5): "no sandbox",
        ("gamma", "alpha", "C1-till-that-adds-up", 4): "no answer",
        ("gamma", "gamma", "C5-report-of-the-month", 5): "no answer",
        ("beta", "gamma", "C3-postage-by-weight", 5): "no code",
        ("gamma", "gamma", "C2-importer-of-orders", 5): "no code",
    }
    return placed.get((chat.name, coder.name, script, index), "usual")


def _note(turn: Turn, ending: str, passed: bool, key: tuple[object, ...]) -> str:
    if ending != "usual":
        return {
            "no sandbox": "the sandbox did not start",
            "no answer": "empty response",
            "no code": "no code block found",
        }[ending]
    if passed:
        return ""
    if turn.check == RUBRIC:
        return "misses a point of the rubric"
    broken = "SyntaxError: invalid syntax"
    wrong = (
        "AssertionError: totals differ by 0.01",
        "AssertionError: 3 rows, expected 4",
        "KeyError: 'weight'",
    )
    return broken if turn.check == COMPILED or chance(0.15, *key, "broken") else pick(wrong, *key, "wrong")
