"""Each field of a policy does what the reference says of it: two values of it, and the verdict of either.

The tables are so plain that each verdict is worked by hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from metrics_core import api
from metrics_core.comparison import comparing, measured
from metrics_core.formats import settings_meanings
from metrics_core.gate import Gate, Policy, held_against, read_policy
from tests.support.by_day import one_in

DAY = "2026-05-{:02}T10:00:00Z"


class Side(Struct, frozen=True):
    """One side of a gate: some tasks, two runs each.

    Attributes:
        right: Tasks that pass in both runs, from the first on.
        once: Of the following tasks, how many pass in the first run alone.
        errors: Of the last tasks, how many fail to run, in both runs.
        usd: Cost of a run of the first task; those of the others are more by tenths.
        tenths: Up to how many.
        seconds: Time of a run of the first task; those of the others are a little more.
        day: Day of May on which it ran.
        tasks: How many there are.
    """

    right: int = 20
    once: int = 0
    errors: int = 0
    usd: float = 0.01
    tenths: int = 4
    seconds: float = 10.0
    day: int = 1
    tasks: int = 40


def rows(side: Side) -> list[dict[str, Any]]:
    """The rows of a table, as a harness writes them; everybody passes by the second scorer."""
    last = side.tasks - side.errors
    return [
        {
            "arm": "m",
            "case": f"t{at:03}",
            "run": run,
            "passed": None if at >= last else at < side.right + (side.once if run == 1 else 0),
            "styled": None if at >= last else True,
            "infra_error": "gone" if at >= last else None,
            "cost_usd": side.usd * (1 + at % (side.tenths + 1) / 10),
            "latency_s": side.seconds * (1 + at / 1000),
            "timestamp": DAY.format(side.day),
            "topic": "code" if at < side.tasks // 2 else "prose",
        }
        for at in range(side.tasks)
        for run in (1, 2)
    ]


def gates(folder: Path, base: Side, candidate: Side, policies: tuple[str, str]) -> Iterator[Gate]:
    """The gate of two sides by each policy."""
    read = [read_policy(policy.encode()) for policy in policies]
    scorers = ["passed", *({rules.metric for rules, _ in read} - {"", "passed"})]
    outcomes = {"source": {"format": "table", "map": {"outcome": scorers}}}
    slices = tuple({rules.slices for rules, _ in read if rules.slices})
    sides = []
    for name, side in (("baseline", base), ("candidate", candidate)):
        path = folder / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows(side)))
        sides.append(measured(name, api.load(path, settings=outcomes), slices=slices))
    for rules, stated in read:
        yield held_against(comparing(*sides, rules.metric or "passed"), rules, stated)


WIDE = "not_worse_by: 0.9\n"
SAME = Side()
FIELDS: dict[str, tuple[Side, Side, tuple[str, str], tuple[str, str]]] = {
    # of 40 tasks the candidate loses 20 under one scorer, and none under the other
    "metric": (Side(40), Side(20), ("not_worse_by: 0.1\nmetric: styled", "not_worse_by: 0.1\nmetric: passed"),
               ("pass", "fail")),
    # it loses half, [0.34, 0.66] or so
    "not_worse_by": (Side(40), Side(20), ("not_worse_by: 0.8", "not_worse_by: 0.1"), ("pass", "fail")),
    "at_least": (SAME, SAME, ("at_least: 0.1", "at_least: 0.9"), ("pass", "fail")),
    # a run costs from two and a half to three times as much
    "cost_ratio": (SAME, Side(usd=0.03, tenths=2),
                   (WIDE + "cost_ratio: 4", WIDE + "cost_ratio: 2"), ("pass", "fail")),
    # and takes three times as long; a 95th percentile needs 72 tasks
    "p95_ratio": (Side(tasks=80), Side(seconds=30.0, tasks=80),
                  (WIDE + "p95_ratio: 4", WIDE + "p95_ratio: 2"), ("pass", "fail")),
    "pass_hat_k": (SAME, SAME, (WIDE, WIDE + "pass_hat_k: {k: 2, at_least: 0.9}"), ("pass", "fail")),
    # 36 pass once, none twice: pass^1 is 0.45, pass^2 is 0
    "pass_hat_k/k": (Side(0, 36), Side(0, 36), (WIDE + "pass_hat_k: {k: 1, at_least: 0.3}",
                     WIDE + "pass_hat_k: {k: 2, at_least: 0.3}"), ("pass", "fail")),
    "pass_hat_k/at_least": (SAME, SAME, (WIDE + "pass_hat_k: {k: 2, at_least: 0.2}",
                            WIDE + "pass_hat_k: {k: 2, at_least: 0.9}"), ("pass", "fail")),
    # one task of 20 is lost in both of its runs
    "per_task": (SAME, Side(19), (WIDE, WIDE + "per_task: never_lost"), ("pass", "fail")),
    # 4 of its 80 runs fail to run, which is 5 %
    "max_errors": (SAME, Side(errors=2), (WIDE + "max_errors: 0.06", WIDE + "max_errors: 0.04"),
                   ("pass", "unhealthy")),
    # it is worse by half as a whole, and by all of it in one of the two slices
    "slices": (Side(40), Side(20), ("not_worse_by: 0.7", "not_worse_by: 0.7\nslices: topic"),
               ("pass", "fail")),
    # the baseline ran nine days before
    "baseline_days": (SAME, Side(day=10), (WIDE + "baseline_days: 10", WIDE + "baseline_days: 8"),
                      ("pass", "unhealthy")),
}  # fmt: skip
"""Field -> baseline, candidate, two policies, and what the gate comes to by either."""


@one_in(3)
@pytest.mark.parametrize("field", FIELDS)
def test_each_field_of_a_policy_decides(tmp_path: Path, field: str) -> None:
    base, candidate, policies, verdicts = FIELDS[field]
    assert tuple(str(found.verdict) for found in gates(tmp_path, base, candidate, policies)) == verdicts


def test_every_field_of_a_policy_is_tried() -> None:
    assert set(FIELDS) == {field.name for field in settings_meanings(Policy)}
