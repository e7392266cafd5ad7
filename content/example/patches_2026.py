"""The trace experiment: a frozen pack, four weekly batches, and a contract that was replaced in July."""

from __future__ import annotations

from typing import Any

from example import pack
from example.arms import ALPHA, BETA, DELTA, Arm
from example.contracts import V3, V4
from example.draws import between, chance, pick, uniform
from example.jsonl import log
from example.pack_cards import CARDS, Card

SLUG = "patches-2026"
BATCHES = ("2026-06-08", "2026-06-15", "2026-07-06", "2026-07-13")
START = {"alpha": "09:00:00Z", "beta": "12:00:00Z", "delta": "15:00:00Z"}
EVAL = tuple(card for card in CARDS if card.split == "eval")
PROBE = tuple(card for card in CARDS if card.split == "probe")
STRAY = ("README.md", "composer.lock", "setup.cfg")

YAML = """\
title: "Patches on a frozen pack, June and July 2026"
description: >-
  Illustrative data, made by content/generate.py; no agent was run. Agents hand in one patch for each card of
  a frozen pack. From July on a stricter contract scores them, so the timeline breaks there.
contracts:
  - {file: metric_contract_v3.py, from: "2026-06-01T00:00:00Z"}
  - {file: metric_contract_v4.py, from: "2026-07-01T00:00:00Z"}
"""


def files() -> dict[str, str]:
    """The experiment's files, by path."""
    return {
        "experiment.yaml": YAML,
        "contracts/metric_contract_v3.py": V3,
        "contracts/metric_contract_v4.py": V4,
        **pack.files(),
        **{f"traces/{arm.name}.jsonl": log(traces(arm)) for arm in (ALPHA, BETA, DELTA)},
    }


def traces(arm: Arm) -> list[dict[str, Any]]:
    """One arm's traces: half the eval cards in each batch, twice over; delta did five cards in all.

    The probe cards were run in the first batch of each contract.
    """
    if arm is DELTA:
        return [_trace(arm, card, 3, 1) for card in EVAL[::5]]
    batches = []
    for batch in range(len(BATCHES)):
        batches += [_trace(arm, card, batch, batch // 2 + 1) for card in EVAL[batch % 2 :: 2]]
        if batch % 2 == 0:
            batches += [_trace(arm, card, batch, batch // 2 + 1) for card in PROBE]
    return batches


def _trace(arm: Arm, card: Card, batch: int, rep: int) -> dict[str, Any]:
    key = (SLUG, arm.name, card.id, rep)
    ending = _ending(arm, card, rep)
    handed_in = ending not in {"no patch", "crash"}
    strays = handed_in and chance(arm.strays, *key, "strays")
    touched = [*card.files, pick(STRAY, *key, "stray")] if strays else list(card.files)
    if handed_in and chance(0.1, *key, "elsewhere"):
        touched = [pick(STRAY, *key, "other file")]
    timed_out = ending in {"timeout", "late pass"}
    passed = ending == "late pass" or (ending == "usual" and chance(arm.patch + 0.12, *key, "passes"))
    size = 0.5 + uniform(*key, "size")
    return {
        "schema": "trace.v2" if ending == "newer schema" else "trace.v1",
        "task_id": card.id,
        "agent": arm.name,
        "rep": rep,
        "exit_code": 137 if ending == "crash" else int(timed_out or not passed),
        "patch": _patch(card) if handed_in else "",
        "oracle_files": list(card.files),
        "touched_files": sorted(touched) if handed_in else [],
        "tests_passed": passed if handed_in else None,
        "timeout": timed_out,
        "wall_s": float(card.timeout_s) if timed_out else round(arm.pace * 3 * size, 1),
        "retries": between(0, 3, *key, "retries") // 2,
        "prompt_tokens": int(arm.tokens * size),
        "completion_tokens": int(arm.tokens * size * 0.07),
        "cached_tokens": int(arm.tokens * size * 0.5),
        "stamp": f"{BATCHES[batch]}T{START[arm.name]}",
    }


def _ending(arm: Arm, card: Card, rep: int) -> str:
    """How the run ended: placed by hand for the states that must occur, usual for all others."""
    placed = {
        ("alpha", "till-03", 1): "late pass",
        ("alpha", "press-03", 2): "late pass",
        ("alpha", "mailroom-03", 1): "timeout",
        ("beta", "storefront-03", 2): "timeout",
        ("beta", "backoffice-03", 1): "timeout",
        ("alpha", "stockroom-01", 2): "crash",
        ("beta", "stockroom-04", 1): "crash",
        ("beta", "press-01", 2): "crash",
        ("alpha", "backoffice-04", 1): "no patch",
        ("beta", "till-04", 2): "no patch",
        ("beta", "mailroom-04", 1): "no patch",
        ("alpha", "press-02", 2): "newer schema",
        ("beta", "press-02", 2): "newer schema",
        ("delta", "till-01", 1): "newer schema",
    }
    return placed.get((arm.name, card.id, rep), "usual")


def _patch(card: Card) -> str:
    path = card.files[0]
    return f"--- a/{path}\n+++ b/{path}\n@@ -12 +12 @@\n-{card.before}\n+{card.after}\n"
