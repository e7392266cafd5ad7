"""Plans: the promised power holds in simulation, costs are the data's own, and what is assumed is said."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from metrics_core import api
from metrics_core.comparison import (
    REP,
    Assumed,
    ComparisonPlan,
    both_arms,
    measured,
    planned_from,
    stability_of,
)
from metrics_core.errors import InputError
from tests.support.by_day import at_night
from tests.support.small_tables import named, runs_of, write_rows


def plan_of(path: Path, detect: float, power: float = 0.8) -> ComparisonPlan:
    side = measured(path.stem, api.load(path), slices=(REP,))
    return planned_from(side, both_arms(side), detect, power)


@pytest.fixture(scope="module")
def rates() -> tuple[np.ndarray, np.ndarray]:
    """True rates of 100 tasks: two arms that find much the same tasks hard."""
    random = np.random.default_rng(8)
    a = random.beta(1.5, 1.5, 100)
    return a, np.clip(a + random.normal(0.0, 0.15, 100), 0.0, 1.0)


@at_night("more power asks for more runs")
def test_the_power_at_the_planned_size_is_the_promised_one(
    tmp_path: Path, rates: tuple[np.ndarray, np.ndarray]
) -> None:
    random = np.random.default_rng(9)
    rows = []
    for arm, truth in zip("ab", rates, strict=True):
        signs = ["".join("10"[int(x >= p)] for x in random.random(3)) for p in truth]
        rows += runs_of(arm, named(signs))
    plan = plan_of(write_rows(tmp_path / "pilot.jsonl", rows), 0.1)
    assert plan.assumed is Assumed.TWO_ARMS
    best = next(design for design in plan.designs if design.runs == 3)
    assert best.tasks is not None
    a, b = rates
    middle, apart = (a + b) / 2, (b - a) - (b - a).mean()
    shifted = [np.clip(middle + sign * (apart + 0.1) / 2, 0.0, 1.0) for sign in (-1.0, 1.0)]
    shown = 0
    for _ in range(400):
        chosen = random.integers(0, 100, best.tasks)
        passes = [random.binomial(3, side[chosen]) / 3 for side in shifted]
        shown += stats.ttest_1samp(passes[1] - passes[0], 0.0).pvalue <= 0.05
    assert 0.70 <= shown / 400 <= 0.88, "0.75 to 0.85, and the chance of the pilot and of 400 trials"
    assert plan.simulated is not None
    assert 0.72 <= plan.simulated <= 0.88


@pytest.mark.parametrize("tasks", [12, 20])
def test_the_stability_of_an_arm_is_that_of_the_golden_values(tasks: int, shared_data: Path) -> None:
    """Shares, jackknife and shock of the given tables; classes are counted from the same runs."""
    golden = json.loads((shared_data / "golden" / "second.json").read_text())["cases"]
    by_name = {case["name"]: case for case in golden}
    shock = next(c for name, c in by_name.items() if name.startswith(f"run-wide shock, {tasks} tasks"))
    table = shock["inputs"]["runs"]
    found = stability_of(
        "alpha",
        {f"t{at:02}": row for at, row in enumerate(table)},
        {str(n): {f"t{at:02}": [row[n]] for at, row in enumerate(table)} for n in range(len(table[0]))},
    )
    sums = [sum(row) for row in table]
    whole = len(table[0])
    assert (found.always, found.never) == (sums.count(whole), sums.count(0))
    assert found.flaky == sum(0 < each < whole for each in sums)
    assert found.rough == (tasks < 20)
    assert found.shock == pytest.approx((shock["expected"]["F"], shock["expected"]["p"]))
    assert list(found.repetitions) == pytest.approx(shock["expected"]["repetition_means"])
    share = by_name.get(f"variance by task and repetition, {tasks} tasks x {whole}")
    if share is not None:
        assert found.share == pytest.approx(share["expected"]["share_task"])
        ends = (found.interval.lo, found.interval.hi)
        assert ends == pytest.approx(tuple(share["expected"]["share_task_interval95"]))


def test_a_share_is_refused_with_its_reason_and_always_leaves_room_for_failures() -> None:
    few = stability_of("a", {f"t{at}": [1.0, 0.0] for at in range(9)}, {})
    assert (few.share, str(few.interval.reason), few.rough) == (None, "fewer than 10 tasks", False)
    single = stability_of("a", {f"t{at}": [float(at % 2)] for at in range(30)}, {})
    assert (single.share, single.one_run, single.not_ruled_out) == (None, 30, None)
    three = stability_of("a", {f"t{at}": [1.0, 1.0, 1.0] for at in range(3)}, {})
    assert three.not_ruled_out == pytest.approx(0.561497, abs=1e-6), "Wilson of 0 of 3, from a table"
    against = stability_of("a", {"t": [0.0, 0.0], "u": [1.0, 1.0], "v": [0.0, 1.0]}, {}, against=True)
    assert (against.always, against.never, against.flaky) == (1, 1, 1)


def test_costs_and_hours_are_those_of_all_runs(tmp_path: Path) -> None:
    def spent(task: str, run: int) -> dict[str, object]:
        return {"cost_usd": 0.02, "latency_s": 36.0}

    rows = [row for arm in "ab" for row in runs_of(arm, named(["101", "110", "000", "111"] * 6), spent)]
    plan = plan_of(write_rows(tmp_path / "t.jsonl", rows), 0.2)
    for design in plan.designs:
        assert design.tasks is not None
        whole = 2 * design.runs * design.tasks
        assert design.usd == pytest.approx(0.02 * whole)
        assert design.hours == pytest.approx(0.01 * whole)
    assert plan.best is not None
    assert plan.best.usd == min(design.usd or 0.0 for design in plan.designs)


def test_more_power_and_smaller_differences_ask_for_more(tmp_path: Path) -> None:
    rows = [row for arm in "ab" for row in runs_of(arm, named(["101", "110", "000", "111"] * 6))]
    path = write_rows(tmp_path / "t.jsonl", rows)
    few, more, most = (
        plan_of(path, d, power).designs[0].tasks for d, power in ((0.2, 0.8), (0.2, 0.95), (0.1, 0.95))
    )
    assert few is not None
    assert more is not None
    assert most is not None
    assert few < more < most


def test_what_is_assumed_depends_on_what_is_there(tmp_path: Path) -> None:
    one = plan_of(write_rows(tmp_path / "one.jsonl", runs_of("m", named(["101", "111"] * 6))), 0.1)
    assert (one.assumed, one.parts.of_task) == (Assumed.SAME_TASKS_HARD, 0.0)
    single = plan_of(write_rows(tmp_path / "single.jsonl", runs_of("m", named(["1", "0"] * 6))), 0.1)
    assert single.assumed is Assumed.ONE_RUN_EACH
    assert [design.runs for design in single.designs] == [1]
    kinds = one.stability[0]
    assert (kinds.always, kinds.flaky, kinds.never, kinds.one_run) == (6, 6, 0, 0)


def test_shocks_are_read_off_the_repetitions(tmp_path: Path) -> None:
    signs = ["110", "110", "100", "111", "010", "110", "110", "100", "110", "011"] * 3
    found = plan_of(write_rows(tmp_path / "low.jsonl", runs_of("m", named(signs))), 0.1).stability[0]
    assert found.repetitions == pytest.approx((0.8, 0.8, 0.2))
    assert found.shock is not None
    assert found.shock[1] < 0.001


@pytest.mark.parametrize("detect, power", [(0.0, 0.8), (0.1, 0.85)])
def test_nonsense_is_refused(tmp_path: Path, detect: float, power: float) -> None:
    path = write_rows(tmp_path / "t.jsonl", runs_of("m", named(["101"] * 10)))
    with pytest.raises(InputError, match="expected a"):
        plan_of(path, detect, power)


def test_few_tasks_plan_nothing(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "t.jsonl", runs_of("m", named(["101"] * 7)))
    with pytest.raises(InputError, match="7 tasks are known, 8 are needed"):
        plan_of(path, 0.1)
