"""Bounds of means and of pass^k, shares not known, task-weighted means: golden values, and enumeration."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from metrics_core.results import Method
from metrics_core.results.estimate import MOST_NOT_KNOWN
from metrics_core.statistics.bounds import manski_bounds, outer_limits, outer_wilson, share_not_known
from metrics_core.statistics.clustered import task_weighted, wilson_effective
from metrics_core.statistics.frequencies import ClusterSums
from metrics_core.statistics.pass_at_k import OverTasks, over_tasks, pass_at_k, pass_hat_k


@pytest.fixture
def golden(shared_data: Path) -> list[dict[str, Any]]:
    return json.loads((shared_data / "golden" / "second.json").read_text())["cases"]


def beginning(golden: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    found = [case for case in golden if case["name"].startswith(name)]
    assert found
    return found


def test_golden_bounds_of_a_mean(golden: list[dict[str, Any]]) -> None:
    cases = beginning(golden, "bounds of a mean of 0..1 values")
    assert len(cases) == 3
    for case in cases:
        total, known, lost = (case["inputs"][name] for name in ("sum", "known", "not_known"))
        expected = case["expected"]
        assert manski_bounds(total, known, known + lost) == pytest.approx(expected["bounds"], abs=1e-9)
        outer = outer_wilson(total, known, known + lost)
        assert [outer.lo, outer.hi] == pytest.approx(expected["outer95"], abs=1e-9)
        share = share_not_known([1] * (known + lost), [1] * lost + [0] * known)
        assert share == pytest.approx(expected["share_not_known"], abs=1e-9)
        assert ("bounds" if share > MOST_NOT_KNOWN else "point") == expected["leads"]
        # the same from values, one a task
        filled = outer_limits([[total / known]] * known + [[]] * lost, [0] * known + [1] * lost)
        assert [filled.lo, filled.hi] == pytest.approx(expected["outer95"], abs=1e-9)
        assert filled.method is Method.WILSON_AT_THE_BOUNDS


def per_task(case: dict[str, Any]) -> tuple[list[int], list[int]]:
    attempts, lost = case["inputs"]["attempts"], case["inputs"]["not_known"]
    if isinstance(attempts, list):
        return attempts, lost
    made = [attempts["first"]] + [attempts["others"]] * (attempts["tasks"] - 1)
    first = lost["first_task_unknown"]
    others = lost["unknown_tasks"] - first
    return made, [first] + [1] * others + [0] * (attempts["tasks"] - 1 - others)


def test_golden_shares_not_known(golden: list[dict[str, Any]]) -> None:
    cases = beginning(golden, "share not known")
    assert len(cases) == 3
    for case in cases:
        attempts, lost = per_task(case)
        expected = case["expected"]
        assert sum(lost) / sum(attempts) == pytest.approx(expected["pooled"])
        assert share_not_known(attempts, lost) == pytest.approx(expected["share"], abs=case["tolerance"])
        assert (share_not_known(attempts, lost) > MOST_NOT_KNOWN) == expected["bounds_lead"]


def test_golden_pass_hat_k_with_missing_tries(golden: list[dict[str, Any]]) -> None:
    (case,) = beginning(golden, "pass^k with missing tries")
    known = [[try_ for try_ in task if try_ is not None] for task in case["inputs"]["tasks"]]
    tasks = [(len(task), sum(task)) for task in known]
    for k in (1, 2, 3, 4):
        expected = case["expected"][f"k={k}"]
        found = over_tasks(pass_hat_k, tasks, case["inputs"]["planned"], k)
        assert found is not None
        assert found.value == pytest.approx(expected["value"], abs=1e-9)
        assert list(found.left_out) == expected["left_out"]
        assert len(tasks) - len(found.left_out) == expected["tasks"]
        assert found.bounds == pytest.approx(expected["bounds"], abs=1e-9)
        assert [found.outer.lo, found.outer.hi] == pytest.approx(expected["outer95"], abs=1e-9)


def test_golden_holes_in_the_grid(golden: list[dict[str, Any]]) -> None:
    (case,) = beginning(golden, "holes in the grid")
    x, expected = case["inputs"], case["expected"]
    known, planned = x["recorded"] - x["errors"], x["tasks"] * x["repeats"]
    assert planned - x["recorded"] == expected["never_recorded"]
    assert manski_bounds(x["passed"], known, x["recorded"]) == pytest.approx(
        expected["bounds_attempts"], abs=1e-9
    )
    assert manski_bounds(x["passed"], known, planned) == pytest.approx(expected["bounds_grid"], abs=1e-9)
    outer = outer_wilson(x["passed"], known, planned)
    assert [outer.lo, outer.hi] == pytest.approx(expected["outer95_grid"], abs=1e-9)


def test_golden_task_weighted_mean(golden: list[dict[str, Any]]) -> None:
    (case,) = beginning(golden, "task-weighted mean")
    tasks, expected = case["inputs"]["tasks"], case["expected"]
    found = task_weighted(tasks, key="scenario")
    assert found is not None
    value, interval = found
    assert value == pytest.approx(expected["task_weighted"], abs=1e-9)
    assert interval.n_eff == pytest.approx(expected["n_eff"], abs=1e-9)
    assert [interval.lo, interval.hi] == pytest.approx(expected["interval95"], abs=1e-9)
    assert (interval.clusters, interval.df) == (10, 9)
    assert ClusterSums.of(tasks).mean == pytest.approx(expected["run_weighted"], abs=1e-9)
    # The run-weighted golden limits are for t(G-1); with 10 tasks of 1 to 9 runs, G* is 5.2, and df 4.
    by_runs = wilson_effective(tasks)
    assert by_runs.n_eff == pytest.approx(expected["run_weighted_n_eff"], abs=1e-9)
    assert by_runs.df == 4


TASK = st.tuples(st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=4), st.integers(0, 3))
MISSING = st.lists(TASK, min_size=2, max_size=8).filter(
    lambda tasks: sum(len(values) + lost for values, lost in tasks) >= 8
)


@given(MISSING, st.data())
def test_no_filling_leaves_the_outer_limits_of_a_cluster_of_its_task(
    tasks: list[tuple[list[float], int]], data: st.DataObject
) -> None:
    """Any filling's mean lies within, whatever the interval: the outer limits take in both bounds."""
    outer = outer_limits([values for values, _ in tasks], [lost for _, lost in tasks])
    if outer.lo is None or outer.hi is None:
        assert sum(1 for values, lost in tasks if values or lost) < 2
        return
    filled = [
        [*values, *data.draw(st.lists(st.sampled_from([0.0, 0.3, 1.0]), min_size=lost, max_size=lost))]
        for values, lost in tasks
    ]
    runs = [x for task in filled for x in task]
    assert outer.lo - 1e-12 <= sum(runs) / len(runs) <= outer.hi + 1e-12


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=20))
def test_the_share_not_known_is_exact(tasks: list[tuple[int, int]]) -> None:
    attempts, lost = [a + b for a, b in tasks], [b for _, b in tasks]
    made = [(a, b) for a, b in zip(attempts, lost, strict=True) if a]
    if not made:
        assert share_not_known(attempts, lost) == 0.0
        return
    by_task = sum(Fraction(b, a) for a, b in made) / len(made)
    expected = max(by_task, Fraction(sum(lost), sum(attempts)))
    assert share_not_known(attempts, lost) == float(expected)
    assert (share_not_known(attempts, lost) > MOST_NOT_KNOWN) == (expected > Fraction(1, 5))


TRIES = st.lists(st.lists(st.sampled_from([0, 1, None]), min_size=4, max_size=4), min_size=1, max_size=3)


@given(TRIES, st.integers(1, 4), st.sampled_from([pass_at_k, pass_hat_k]))
def test_the_bounds_over_tasks_are_the_least_and_most_of_every_filling(
    tasks: list[list[int | None]], k: int, formula: Any
) -> None:
    """Every missing try filled in every way, and every choice of k tries counted."""
    decide = any if formula is pass_at_k else all
    ways = comb(4, k) * len(tasks)
    totals = [
        Fraction(sum(decide(drawn) for task in filled for drawn in itertools.combinations(task, k)), ways)
        for filled in fillings(tasks)
    ]
    found = over([[x for x in task if x is not None] for task in tasks], k, formula)
    assert found.bounds == pytest.approx((float(min(totals)), float(max(totals))), abs=1e-12)


def fillings(tasks: Sequence[Sequence[int | None]]) -> Iterator[list[list[int]]]:
    holes = sum(task.count(None) for task in tasks)
    for filler in itertools.product((0, 1), repeat=min(holes, 6)):
        # beyond six holes the rest go one way, both ways: the extremes are among them
        for rest in (0, 1):
            left = iter((*filler, *[rest] * holes))
            yield [[next(left) if x is None else x for x in task] for task in tasks]


def over(known: list[list[int]], k: int, formula: Any) -> OverTasks:
    found = over_tasks(formula, [(len(task), sum(task)) for task in known], 4, k)
    assert found is not None
    return found


def test_failing_tries_that_crash_lift_pass_hat_k_and_not_its_bounds() -> None:
    """One task in two passes always; of the others every failing try crashed and is missing."""
    known = [[1, 1, 1, 1]] * 5 + [[1]] * 5
    for k, truth in ((1, 0.625), (2, 0.5), (4, 0.5)):
        found = over(known, k, pass_hat_k)
        assert found.value == 1.0
        assert found.bounds[0] <= truth <= found.bounds[1]
    assert over(known, 4, pass_hat_k).left_out == (5, 6, 7, 8, 9)


def test_outer_limits_of_clusters_are_the_effective_n_limits_of_each_filling() -> None:
    known = [[1.0, 1.0], [0.0], [1.0, 1.0], [0.0, 1.0], [1.0], [1.0, 1.0]]
    lost = [0, 1, 0, 0, 1, 0]
    repos = ["x", "x", "y", "y", "z", "w"]
    worst = wilson_effective([[1, 1, 0, 0], [1, 1, 0, 1], [1, 0], [1, 1]])
    best = wilson_effective([[1, 1, 0, 1], [1, 1, 0, 1], [1, 1], [1, 1]])
    outer = outer_limits(known, lost, repos, key="repo")
    assert (outer.lo, outer.hi) == (worst.lo, best.hi)
    assert (outer.method, outer.cluster, outer.clusters) == (
        Method.WILSON_EFFECTIVE_N_AT_THE_BOUNDS, "repo", 4,
    )  # fmt: skip
    assert outer.few
    assert outer.n_eff is None


def test_what_was_never_tried_has_no_bounds() -> None:
    assert outer_limits([], []).reason == "too few valid runs"
    assert outer_limits([[1.0, 0.0]] * 2, [1, 0]).reason == "too few valid runs"
    assert outer_limits([[1.0] * 9], [3], key="scenario").reason == "a single cluster"
    assert over_tasks(pass_hat_k, [], 4, 2) is None
    assert share_not_known([], []) == 0.0
    with pytest.raises(ValueError, match="not known"):
        share_not_known([1], [2])
    with pytest.raises(ValueError, match="not known"):
        outer_limits([[1.0]], [-1])
    with pytest.raises(ValueError, match="planned"):
        over_tasks(pass_hat_k, [(3, 1)], 4, 5)
    with pytest.raises(ValueError, match="0 <= c <= n"):
        over_tasks(pass_hat_k, [(3, 4)], 4, 2)


@given(st.lists(st.lists(st.integers(0, 1), min_size=1, max_size=9), min_size=8, max_size=25))
def test_a_task_weighted_mean_is_scipys_mean_of_task_means(tasks: list[list[int]]) -> None:
    found = task_weighted([[float(x) for x in task] for task in tasks])
    assert found is not None
    value, interval = found
    means = [sum(task) / len(task) for task in tasks]
    runs = sum(map(len, tasks))
    assert value == pytest.approx(sum(means) / len(means))
    if runs == len(tasks):
        assert interval.method is Method.WILSON
        return
    error = stats.sem(means)
    n_eff = len(tasks) if error < 1e-12 or value in {0, 1} else min(runs, value * (1 - value) / error**2)
    level = 2 * stats.norm.sf(stats.t.ppf(0.975, len(tasks) - 1))
    limits = proportion_confint(value * n_eff, n_eff, alpha=level, method="wilson")
    assert (interval.lo, interval.hi) == pytest.approx(limits, abs=1e-9)


def test_a_task_weighted_mean_keeps_clusters_of_tasks_whole() -> None:
    tasks = [[1.0, 1.0], [1.0], [0.0, 0.0, 0.0], [1.0, 0.0], [1.0], [0.0], [1.0, 1.0], [0.0]]
    repos = ["a", "a", "b", "b", "c", "c", "d", "d"]
    found = task_weighted(tasks, repos, key="repo")
    assert found is not None
    value, interval = found
    clusters = [1.0, 0.25, 0.5, 0.5]
    error = stats.sem(clusters)
    assert value == pytest.approx(sum(clusters) / 4)
    assert interval.n_eff == pytest.approx(min(13, value * (1 - value) / error**2))
    assert (interval.cluster, interval.clusters, interval.few) == ("repo", 4, True)
    assert task_weighted([]) is None
    alone = task_weighted([[1.0] * 9])
    assert alone is not None
    assert alone[1].reason == "a single cluster"
