"""What is not known: bounds of every mean, tasks that a value leaves out, unequal runs, runs never recorded.

Expected values are those of independent computations (by hand, statsmodels, enumeration), not of this code.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from metrics_core.contracts.pack import Pack, read_cards
from metrics_core.results.codes import Note
from metrics_core.results.estimate import Estimate
from tests.support.measured import CONTEXT, by_id, measured
from tests.support.small_runs import run

SCORED = "contract=assay%2Frecorded-score&scorer=r&split=eval"


def trace(
    task: object, try_: int, reward: float | None, agent: str = "alpha", **fields: Any
) -> dict[str, Any]:
    """One try of one task, as its harness scored it."""
    return {"task_id": f"t{task}", "agent": agent, "rep": try_, "scores": {"r": reward}, **fields}


def tries(tasks: Sequence[Sequence[float | None]], agent: str = "alpha") -> list[dict[str, Any]]:
    """Tries of each task in order; one that is None ended in an error of its own."""
    return [
        trace(at, n, reward, agent, **({"error": "crashed"} if reward is None else {}))
        for at, rewards in enumerate(tasks)
        for n, reward in enumerate(rewards)
    ]


def outer(e: Estimate) -> tuple[float | None, float | None]:
    limits = dict(e.also)["outer wilson"]
    return limits.lo, limits.hi


def fractions(known: Sequence[tuple[int, int]], lost: int) -> Estimate:
    """Change of runs of as many tasks: (held, assertions) of each, and runs that failed."""
    records = [
        run("alpha", at, change_detail=[[f"a{n}", n < held] for n in range(of)])
        for at, (held, of) in enumerate(known)
    ]
    records += [run("alpha", 1000 + n, error="crashed") for n in range(lost)]
    return by_id(measured("brownfield", records))["change?graded=assertions"]


@pytest.mark.parametrize(
    ("known", "lost", "bounds", "limits", "leads"),
    [
        (
            [(1, 1)] * 10 + [(1, 2)] * 7 + [(0, 1)] * 3,
            5,
            (0.54, 0.74),
            (0.352701599642, 0.871276082259),
            "point",
        ),
        ([(1, 1)] * 30, 30, (0.5, 1.0), (0.377350242416, 1.0), "bounds"),
        ([(0, 1)] * 10, 3, (0.0, 0.230769230769), (0.0, 0.502563759467), "bounds"),
    ],
)
def test_a_mean_has_bounds_and_over_a_fifth_not_known_makes_them_lead(
    known: list[tuple[int, int]],
    lost: int,
    bounds: tuple[float, float],
    limits: tuple[float, float],
    leads: str,
) -> None:
    change = fractions(known, lost)
    assert change.bounds == pytest.approx(bounds, abs=1e-9)
    assert outer(change) == pytest.approx(limits, abs=1e-9)
    assert change.headline == leads  # exactly a fifth, as in the first, does not lead


def test_running_an_easy_task_again_does_not_take_the_bounds_away() -> None:
    """25 of 100 tasks are unknown; 25 more runs of one of them make it 25 of 125, exactly a fifth."""
    records = [trace(at, 0, 1.0 if at < 75 else None) for at in range(100)]
    again = [trace(0, n, 1.0) for n in range(1, 26)]
    (before, after) = (
        by_id(measured("traces", some))[f"score?{SCORED}"] for some in (records, [*records, *again])
    )
    assert (before.share_not_known, before.headline) == (0.25, "bounds")
    assert (after.share_not_known, after.headline) == (0.25, "bounds")
    assert (after.attempts - after.known) / after.attempts == 0.2
    assert after.runs_per_task == (1, 26)


TRIES: list[list[float | None]] = [
    [1, 1, 1, 1],
    [1, None, 1, 1],
    [0, None, None, 1],
    [1, 1, None, None],
    [0, 0, 0, 0],
    [None, None, None, None],
    [1, 0, 1, 1],
    [0, None, 0, 0],
]


@pytest.mark.parametrize(
    ("k", "value", "left_out", "bounds", "limits"),
    [
        (1, 0.607142857143, ["t5"], (0.40625, 0.71875), (0.155281589069, 0.913519534471)),
        (2, 0.5, ["t5"], (0.270833333333, 0.625), (0.081374149942, 0.863155714176)),
        (3, 0.45, ["t2", "t3", "t5"], (0.1875, 0.5625), (0.0445439138, 0.825501368762)),
        (4, 1 / 3, ["t1", "t2", "t3", "t5", "t7"], (0.125, 0.5), (0.02241749145, 0.784783937786)),
    ],
)
def test_pass_hat_k_says_which_tasks_it_leaves_out_and_bounds_all_of_them(
    k: int,
    value: float,
    left_out: list[str],
    bounds: tuple[float, float],
    limits: tuple[float, float],
) -> None:
    found = by_id(measured("traces", tries(TRIES)))[f"pass_hat_k?k={k}&model=alpha&{SCORED}"]
    assert found.value == pytest.approx(value, abs=1e-9)
    assert found.left_out is not None
    assert (found.left_out.tasks, list(found.left_out.names)) == (len(left_out), left_out)
    assert 8 - len(left_out) == found.N
    assert found.bounds == pytest.approx(bounds, abs=1e-9)
    assert outer(found) == pytest.approx(limits, abs=1e-9)
    assert found.to_json()["tasks_left_out"]["tasks"] == len(left_out)


def test_tries_that_were_never_recorded_are_missing_tries_of_pass_hat_k() -> None:
    """The same tries, those that are not known left out of the log: the bounds are the same."""
    recorded = [r for r in tries(TRIES) if r["scores"]["r"] is not None]
    more = tries([[1, 1, 1, 1]] * 8, "beta")
    found = by_id(measured("traces", [*recorded, *more]))[f"pass_hat_k?k=2&model=alpha&{SCORED}"]
    assert found.value == pytest.approx(0.5)
    assert found.bounds == pytest.approx((0.270833333333, 0.625), abs=1e-9)
    assert found.never_recorded is not None
    assert found.never_recorded.runs == 10


GRID: list[list[float | None]] = [[1, 1, 1]] * 5 + [[1, 1], [1, 0, None], [0, 0], [0, 0], [None, 0]]


def test_holes_in_the_grid_are_no_attempts_and_stand_in_bounds_of_their_own() -> None:
    """10 tasks x 3 planned, 26 recorded, 2 errors, 18 passed."""
    score = by_id(measured("traces", tries(GRID)))[f"score?model=alpha&{SCORED}"]
    assert (score.attempts, score.value, score.known) == (26, 0.75, 24)
    assert score.bounds == pytest.approx((0.692307692308, 0.769230769231))
    assert score.never_recorded is not None
    assert score.never_recorded.runs == 4
    assert score.never_recorded.bounds == pytest.approx((0.6, 0.8))
    assert score.never_recorded.interval.lo is not None
    assert score.never_recorded.interval.lo < 0.6
    assert score.share_not_known == pytest.approx(max(2 / 26, (1 / 3 + 1 / 2) / 10))
    assert score.to_json()["never_recorded"]["runs"] == 4


def test_two_runs_of_each_agent_of_a_table_were_never_recorded(shared_data: Path) -> None:
    log = (shared_data / "tables" / "rows.jsonl").read_text("utf-8")
    rows = [json.loads(line) for line in log.splitlines()]
    records = [
        trace(row["case"], row["run"], None if row["infra_error"] else float(row["passed"]), row["arm"])
        | ({"error": row["infra_error"]} if row["infra_error"] else {})
        for row in rows
    ]
    found = by_id(measured("traces", records))
    for arm, n, known, errors in (("alpha", 75, 142, 6), ("beta", 97, 144, 4)):
        score = found[f"score?model={arm}&{SCORED}"]
        assert (score.n, score.N, score.errors, score.attempts) == (n, known, errors, 148)
        assert score.never_recorded is not None
        assert score.never_recorded.runs == 2
        assert score.never_recorded.bounds == pytest.approx((n / 150, (n + 150 - known) / 150))


def test_a_task_that_only_another_arm_ran_was_never_recorded() -> None:
    records = [*tries([[1, 0, 1]] * 4), *tries([[1, 1, 1]] * 3, "beta")]
    found = by_id(measured("traces", records))
    assert found[f"score?model=alpha&{SCORED}"].never_recorded is None
    beta = found[f"score?model=beta&{SCORED}"].never_recorded
    whole = found[f"score?{SCORED}"].never_recorded
    assert beta is not None
    assert whole is not None
    assert (beta.runs, whole.runs) == (3, 3)


def test_tasks_of_the_pack_that_nobody_ran_were_never_recorded() -> None:
    cards = [{"id": f"t{n}", "split": "eval" if n < 6 else "probe"} for n in range(8)]
    tasks, _ = read_cards([("tasks.json", json.dumps(cards).encode())])
    pack = Pack(name="pack", digest="sha256:" + 64 * "0", tasks=tasks)
    context = replace(CONTEXT, pack=pack)
    found = by_id(measured("traces", tries([[1, 0]] * 4), context))
    (score,) = (e for name, e in found.items() if name.startswith("score?model=alpha"))
    assert score.never_recorded is not None
    assert score.never_recorded.runs == 4  # two tasks of the eval split, twice each


def test_runs_made_again_are_no_plan_that_the_others_missed() -> None:
    found = by_id(measured("traces", [*tries([[1]] * 9), *tries([[0] * 8])]))[f"score?{SCORED}"]
    assert found.never_recorded is None


def test_tasks_that_every_arm_ran_less_often_are_as_they_were_planned() -> None:
    some = [*[[1, 1, 1, 1]] * 6, *[[1, 0]] * 2]
    records = [r for arm in ("alpha", "beta", "gamma") for r in tries(some, arm)]
    one_less = [r for r in records if (r["agent"], r["task_id"], r["rep"]) != ("beta", "t7", 1)]
    found = by_id(measured("traces", one_less))
    assert found[f"score?model=alpha&{SCORED}"].never_recorded is None
    beta = found[f"score?model=beta&{SCORED}"].never_recorded
    assert beta is not None
    assert beta.runs == 1


UNEQUAL: list[list[float | None]] = [
    [1], [1], [0] * 9, [1], [0, 1, *[0] * 7], [1], [0, 0, 1, 0, 0, 0, 1, 0, 0], [1], [1, 1], [0, 1],
]  # fmt: skip


def test_unequal_runs_are_told_with_a_mean_in_which_every_task_counts_alike() -> None:
    score = by_id(measured("traces", tries(UNEQUAL)))[f"score?model=alpha&{SCORED}"]
    assert score.value == pytest.approx(0.305555555556)
    assert score.runs_per_task == (1, 9)
    assert score.by_task is not None
    assert (score.by_task.tasks, score.by_task.value) == (10, pytest.approx(0.683333333333))
    limits = score.by_task.interval
    assert (limits.lo, limits.hi) == pytest.approx((0.366754455091, 0.889380804578), abs=1e-9)


def test_equal_runs_need_no_second_mean() -> None:
    score = by_id(measured("traces", tries([[1, 0]] * 5)))[f"score?model=alpha&{SCORED}"]
    assert (score.by_task, score.runs_per_task) == (None, (2, 2))


UNTIL_IT_PASSED: list[list[float | None]] = [[1], [0, 1], [0, 0, 1], [1], [0, 0, 0, 0], [0, 1], [1], [1]]


def test_tries_that_end_at_the_first_pass_are_warned_of() -> None:
    found = by_id(measured("traces", tries(UNTIL_IT_PASSED)))
    assert Note.UNTIL_FIRST_SUCCESS in found[f"score?model=alpha&{SCORED}"].notes
    assert Note.UNTIL_FIRST_SUCCESS in found[f"pass_hat_k?k=1&model=alpha&{SCORED}"].notes
    planned = by_id(measured("traces", tries([[1, 0], [0, 1], [0, 0], [1, 1]] * 3)))
    assert all(Note.UNTIL_FIRST_SUCCESS not in e.notes for e in planned.values())
