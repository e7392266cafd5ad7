"""Shares of variance, run-wide shocks and what would settle a difference: golden values and laws."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from metrics_core.statistics.planning import (
    DifferenceVariance,
    repetition_shock,
    task_share,
    tasks_to_settle,
    tasks_to_tell,
    within_tasks,
)


@pytest.fixture
def golden(shared_data: Path) -> list[dict[str, Any]]:
    return json.loads((shared_data / "golden" / "second.json").read_text())["cases"]


def beginning(golden: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    found = [case for case in golden if case["name"].startswith(name)]
    assert found
    return found


def test_golden_share_of_tasks(golden: list[dict[str, Any]]) -> None:
    for case in beginning(golden, "variance by task and repetition"):
        runs, expected = case["inputs"]["runs"], case["expected"]
        share, limits = task_share(runs)
        assert share == pytest.approx(expected["share_task"], abs=1e-9)
        assert [limits.lo, limits.hi] == pytest.approx(expected["share_task_interval95"], abs=1e-9)
        assert within_tasks(runs) == pytest.approx(expected["var_repetition"], abs=1e-9)


def test_golden_shock(golden: list[dict[str, Any]]) -> None:
    for case in beginning(golden, "run-wide shock"):
        found = repetition_shock(case["inputs"]["runs"])
        assert found == pytest.approx((case["expected"]["F"], case["expected"]["p"]), abs=1e-9)


def test_golden_tasks_to_settle(golden: list[dict[str, Any]]) -> None:
    for case in beginning(golden, "tasks to settle"):
        given = case["inputs"]
        assert (
            tasks_to_settle(given["margin"], given["variance"], given["truth"]) == case["expected"]["tasks"]
        )


def test_runs_and_tasks_that_settle_agree_where_they_meet() -> None:
    parts = DifferenceVariance(0.02, 0.3)
    runs = parts.runs_to_settle(0.1, 60)
    assert runs is not None
    enough, fewer = (tasks_to_settle(0.1, parts.with_runs(n)) for n in (runs, runs - 1))
    assert enough is not None
    assert fewer is not None
    assert enough <= 60 < fewer
    assert parts.runs_to_settle(0.1, 15) is None, "what tasks differ by is too much for 15 of them"


def test_so_many_tasks_do_settle_it() -> None:
    random, margin, variance = np.random.default_rng(2), 0.1, 0.25
    tasks = tasks_to_settle(margin, variance)
    assert tasks is not None
    draws = random.normal(0.0, variance**0.5, (2000, tasks))
    error = draws.std(axis=1, ddof=1) / tasks**0.5
    lower = draws.mean(axis=1) - stats.t.ppf(0.975, tasks - 1) * error
    assert 0.77 <= (lower >= -margin).mean() <= 0.83


def test_so_many_tasks_do_tell_a_share_from_its_bound() -> None:
    random, share, bound = np.random.default_rng(6), 0.6, 0.5
    tasks = tasks_to_tell(share, proportion_confint(30, 50, method="wilson"), bound, 50)
    assert tasks is not None
    passed = random.binomial(tasks, share, 4000)
    lower, _ = proportion_confint(passed, tasks, method="wilson")
    assert 0.72 <= (lower >= bound).mean() <= 0.85, "a share moves in steps"


def test_so_many_tasks_do_tell_a_ratio_from_its_bound() -> None:
    random, ratio, bound, now = np.random.default_rng(7), 1.1, 1.25, 40
    limits = (ratio * np.exp(-1.96 * 0.5 / now**0.5), ratio * np.exp(1.96 * 0.5 / now**0.5))
    tasks = tasks_to_tell(ratio, limits, bound, now, ratio=True)
    assert tasks is not None
    draws = random.normal(np.log(ratio), 0.5, (4000, tasks))
    upper = draws.mean(axis=1) + 1.96 * 0.5 / tasks**0.5
    assert 0.77 <= (upper <= np.log(bound)).mean() <= 0.83


def test_a_repetition_that_is_lower_is_seen_and_chance_is_not() -> None:
    random = np.random.default_rng(4)
    rates = random.beta(2, 2, 100)
    alarms = sum(
        found[1] <= 0.05
        for _ in range(300)
        if (found := repetition_shock((random.random((100, 4)) < rates[:, None]).astype(float).tolist()))
    )
    assert 4 <= alarms <= 27, "about 15 of 300"
    table = (random.random((100, 4)) < np.stack([rates, rates, rates, rates * 0.5], axis=1)).astype(float)
    found = repetition_shock(table.tolist())
    assert found is not None
    assert found[1] < 0.001
