"""The smallest difference that could be shown: golden values, scipy, and its power by simulation."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from metrics_core.results import NoSmallestDifference, SmallestDifference
from metrics_core.statistics.distributions import holm_normal_quantile, holm_t_quantile, reach
from metrics_core.statistics.planning import DifferenceVariance, planned_difference, tasks_to_detect
from metrics_core.statistics.smallest_difference import (
    least_on_better_side,
    paired_power,
    smallest_difference,
    task_moments,
)
from tests.support.by_day import one_in
from tests.support.simulated_tasks import Design, seen

DRAWS = 8000 if os.environ.get("ASSAY_HYPOTHESIS") == "assay-nightly" else 700


@pytest.fixture
def golden(shared_data: Path) -> list[dict[str, Any]]:
    return json.loads((shared_data / "golden" / "second.json").read_text())["cases"]


def beginning(golden: list[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    found = [case for case in golden if case["name"].startswith(names)]
    assert found
    return found


def table_of(shared_data: Path) -> tuple[list[list[float]], list[list[float]]]:
    """Known runs of alpha and beta, task by task."""
    known: dict[str, dict[str, list[float]]] = {"alpha": {}, "beta": {}}
    for line in (shared_data / "tables" / "rows.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["infra_error"] is None:
            known[row["arm"]].setdefault(row["case"], []).append(float(row["passed"]))
    common = [case for case in known["alpha"] if case in known["beta"]]
    return [known["alpha"][case] for case in common], [known["beta"][case] for case in common]


def test_golden_reach(golden: list[dict[str, Any]]) -> None:
    for case in beginning(golden, "reach"):
        df, family, expected = case["inputs"]["df"], case["inputs"]["family"], case["expected"]
        assert holm_t_quantile(df, family) == pytest.approx(expected["t_critical"], abs=1e-9)
        assert reach(df, family) == pytest.approx(expected["reach"], abs=1e-9)
        assert reach(df, family) == pytest.approx(expected["exact_noncentral_t"], abs=0.02)


def test_golden_least_on_the_better_side(golden: list[dict[str, Any]]) -> None:
    for case in beginning(golden, "least tasks"):
        x = case["inputs"]
        assert least_on_better_side(x["tasks"], x["family"])[x["discordant"]] == case["expected"]["least"]


def test_golden_power_of_single_runs(golden: list[dict[str, Any]]) -> None:
    for case in beginning(golden, "power of the paired rule"):
        x = case["inputs"]
        power = paired_power(x["tasks"], x["better_alone"], x["worse_alone"], x["family"])
        assert power == pytest.approx(case["expected"]["power"], abs=case["tolerance"])


def test_golden_designs(golden: list[dict[str, Any]]) -> None:
    designs = [case for case in beginning(golden, "smallest difference:") if "cov" in case["inputs"]]
    assert len(designs) == 10
    for case in designs:
        x, expected = case["inputs"], case["expected"]
        found = planned_difference(
            x["tasks"], x["runs"], means=(x["mean_a"], x["mean_b"]), variances=(x["var_a"], x["var_b"]),
            covariance=x["cov"], binary=x["single_binary"], family=x["family"],
        )  # fmt: skip
        assert found.paired == pytest.approx(expected["paired"], abs=case["tolerance"]["paired"])
        assert found.strict == pytest.approx(expected["strict"], abs=case["tolerance"]["strict"])


def test_golden_data_set(golden: list[dict[str, Any]], shared_data: Path) -> None:
    (case,) = beginning(golden, "smallest difference from tables/rows.jsonl")
    a, b = table_of(shared_data)
    moments = task_moments(a, b)
    assert moments is not None
    for arm, name in ((moments.a, "a"), (moments.b, "b")):
        assert arm.mean == pytest.approx(case["inputs"][f"mean_{name}"], abs=1e-11)
        assert arm.variance == pytest.approx(case["inputs"][f"var_{name}"], abs=1e-11)
    assert moments.covariance == pytest.approx(case["inputs"]["cov"], abs=1e-11)
    found = smallest_difference(moments, family=case["inputs"]["family"])
    assert found.paired == pytest.approx(case["expected"]["paired"], abs=case["tolerance"])
    assert found.strict == pytest.approx(case["expected"]["strict"], abs=case["tolerance"])


def test_golden_planning(golden: list[dict[str, Any]]) -> None:
    for case in beginning(golden, "tasks to detect"):
        x = case["inputs"]
        tasks = tasks_to_detect(x["detect"], x["variance"], family=x["family"])
        assert tasks == pytest.approx(case["expected"]["tasks"], abs=case["tolerance"])
    (case,) = beginning(golden, "repetitions against the floor")
    x = case["inputs"]
    parts = DifferenceVariance(x["var_task_difference"], x["var_repetition_difference"])
    found = [parts.smallest(x["tasks"], runs) for runs in x["repeats"]]
    assert found == pytest.approx(case["expected"]["smallest"], abs=1e-9)
    assert parts.smallest(x["tasks"], None) == pytest.approx(case["expected"]["floor"], abs=1e-9)
    (case,) = beginning(golden, "variance of a task difference")
    split = DifferenceVariance.of(case["inputs"]["candidate"], case["inputs"]["baseline"])
    assert split is not None
    assert split.of_task == pytest.approx(case["expected"]["var_task"], abs=1e-9)
    assert split.of_repetition == pytest.approx(case["expected"]["var_repetition"], abs=1e-9)
    # the golden values of this case are for 1, 2, 3, 5 and 10 runs
    again = [split.with_runs(runs) for runs in (1, 2, 3, 5, 10)]
    assert again == pytest.approx(case["expected"]["by_repeats"], abs=1e-9)


@given(st.integers(1, 3000), st.integers(2, 60))
def test_holms_first_step_is_scipys(df: int, family: int) -> None:
    assert holm_t_quantile(df, family) == pytest.approx(stats.t.ppf(1 - 0.025 / family, df), rel=1e-9)
    assert holm_normal_quantile(family) == pytest.approx(stats.norm.ppf(1 - 0.025 / family), abs=1e-7)


@given(st.integers(2, 30), st.integers(1, 6))
def test_the_least_on_the_better_side_is_where_the_rule_begins_to_hold(tasks: int, family: int) -> None:
    """Against a sweep over every table, with scipy's binomial for the mid-p."""
    for discordant, least in enumerate(least_on_better_side(tasks, family)):
        better = np.arange(discordant // 2 + 1, discordant + 1)
        worse = discordant - better
        midp = 2 * stats.binom.cdf(worse, discordant, 0.5) - stats.binom.pmf(worse, discordant, 0.5)
        mean = (better - worse) / (tasks + 2)
        error = np.sqrt(((discordant + 2) / (tasks + 2) - mean**2) / (tasks + 2))
        holds = better[(discordant >= 6) & (family * midp <= 0.05 + 1e-12) & (mean > 1.959964 * error)]
        assert least == (holds.min() if holds.size else None)


@given(st.integers(6, 30), st.floats(0.05, 0.6), st.floats(0.01, 0.35), st.integers(1, 4))
def test_power_is_the_sum_over_every_outcome(tasks: int, better: float, worse: float, family: int) -> None:
    least = least_on_better_side(tasks, family)
    total = 0.0
    for wins in range(tasks + 1):
        for losses in range(tasks + 1 - wins):
            fewest = least[wins + losses]
            if fewest is not None and wins >= fewest:
                total += stats.multinomial.pmf(
                    [wins, losses, tasks - wins - losses], tasks, [better, worse, 1 - better - worse]
                )
    assert paired_power(tasks, better, worse, family) == pytest.approx(total, abs=1e-9)


RUNS = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=4)
TASKS = st.lists(st.tuples(RUNS, RUNS), min_size=2, max_size=30)


@given(TASKS, st.integers(1, 15))
def test_the_order_of_arms_and_tasks_moves_nothing(
    tasks: list[tuple[list[float], list[float]]], family: int
) -> None:
    a, b = [left for left, _ in tasks], [right for _, right in tasks]
    found = smallest_difference(task_moments(a, b), family=family)
    assert smallest_difference(task_moments(b, a), family=family) == found
    assert smallest_difference(task_moments(a[::-1], b[::-1]), family=family) == found


@given(TASKS)
def test_a_larger_family_and_the_stricter_rule_never_show_less(
    tasks: list[tuple[list[float], list[float]]],
) -> None:
    moments = task_moments([left for left, _ in tasks], [right for _, right in tasks])
    before = 0.0
    for family in (1, 3, 15):
        found = smallest_difference(moments, family=family)
        if found.paired is None:
            break
        assert found.strict is None or found.strict >= found.paired
        assert found.paired >= before
        before = found.paired


def test_what_cannot_be_computed_says_why() -> None:
    def why(a: list[list[float]], b: list[list[float]], **more: Any) -> NoSmallestDifference | None:
        found = smallest_difference(task_moments(a, b, more.pop("clusters", None)), **more)
        assert (found.paired, found.strict) == (None, None)
        return found.why_not

    passes, fails = [[1.0]] * 20, [[0.0]] * 20
    mixed = [[1.0], [0.0]] * 10
    assert why(passes, passes) is NoSmallestDifference.NO_SPREAD
    assert why(passes, fails) is NoSmallestDifference.NO_SPREAD
    assert why([[0.5, 0.5]] * 20, [[0.5, 0.5]] * 20) is NoSmallestDifference.NO_SPREAD
    assert why(mixed[:6], mixed[:6]) is NoSmallestDifference.TOO_FEW_RUNS
    assert why(mixed, mixed, known=(20, 14)) is NoSmallestDifference.TOO_FEW_RUNS
    assert why(mixed, mixed, clusters=["one repo"] * 20) is NoSmallestDifference.FEWER_THAN_2_UNITS
    assert why(mixed[:1], mixed[:1]) is NoSmallestDifference.FEWER_THAN_2_UNITS
    assert why(mixed[:6], mixed[6:12], known=(90, 90), family=15) is NoSmallestDifference.NO_GAP


def test_few_tasks_or_clusters_are_rough() -> None:
    tasks = [[1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0]] * 4
    moments = task_moments(tasks, tasks[1:] + tasks[:1])
    assert not smallest_difference(moments).rough
    clusters = [f"repo {at % 4}" for at in range(12)]
    assert smallest_difference(task_moments(tasks, tasks[1:] + tasks[:1], clusters)).rough


def test_clusters_of_tasks_are_kept_whole() -> None:
    """Six clusters of five alike tasks are worth little more than six tasks; CR1 by hand."""
    a = [[float(at % 2 or at == 2)] for at in range(6) for _ in range(5)]
    b = [[float(at in {1, 4})] for at in range(6) for _ in range(5)]
    clusters = [str(at) for at in range(6) for _ in range(5)]
    kept, apart = task_moments(a, b, clusters), task_moments(a, b)
    assert kept is not None
    assert apart is not None
    # CR1 of clusters of one size is the covariance of their means
    covariance = np.cov([0, 1, 1, 1, 0, 1], [0, 1, 0, 0, 1, 0])
    assert kept.a.variance == pytest.approx(30 * covariance[0, 0] / 6)
    assert kept.b.variance == pytest.approx(30 * covariance[1, 1] / 6)
    assert kept.covariance == pytest.approx(30 * covariance[0, 1] / 6)
    assert (kept.df, kept.single, apart.df, apart.single) == (5, False, 29, True)
    few, many = smallest_difference(kept), smallest_difference(apart)
    assert many.paired is not None
    assert few.paired is None or few.paired > many.paired


def test_one_cluster_that_holds_nearly_all_tasks_lessens_the_degrees_of_freedom() -> None:
    tasks = [[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]] * 7
    moments = task_moments(tasks, tasks[2:] + tasks[:2], ["large"] * 30 + list("abcde"))
    assert moments is not None
    assert moments.df == 1


def test_quantities_have_the_paired_figure_alone() -> None:
    """Points on a scale of 0 to 10: the t bracket on the variance of the differences."""
    rng = np.random.default_rng(7)
    a = rng.uniform(0, 10, 30)
    b = a + rng.normal(0, 2, 30)
    found = smallest_difference(task_moments([[x] for x in a.tolist()], [[x] for x in b.tolist()]))
    expected = reach(29) * np.std(a - b, ddof=1) / np.sqrt(30)
    assert found.paired == pytest.approx(expected, rel=1e-9)
    assert (found.strict, found.why_not) == (None, NoSmallestDifference.OUTSIDE_UNIT)


@pytest.mark.parametrize(("scale", "apart"), [(1.0, 0.4), (100.0, -30.0)])
def test_tasks_that_all_differ_by_the_same_tell_no_smallest_difference(scale: float, apart: float) -> None:
    """Differences without a spread have no power: the interval is 18 points wide, where t shows 0.05."""
    a = [[scale * (0.1 + 0.1 * (n % 5))] for n in range(30)]
    b = [[value + apart] for (value,) in a]
    found = smallest_difference(task_moments(a, b))
    assert (found.paired, found.strict, found.why_not) == (None, None, NoSmallestDifference.DIFFER_ALIKE)


def test_a_result_that_contradicts_itself_is_refused() -> None:
    for paired, strict, why in (
        (0.2, 0.1, None),
        (None, 0.1, NoSmallestDifference.NO_GAP),
        (0.1, None, None),
        (0.1, 0.2, NoSmallestDifference.NO_GAP),
    ):
        with pytest.raises(ValueError, match=r"0\.[12]"):
            SmallestDifference(paired=paired, strict=strict, family=1, why_not=why)
    with pytest.raises(ValueError, match="family"):
        SmallestDifference.none(NoSmallestDifference.NO_GAP, family=0)
    with pytest.raises(ValueError, match="without a known value"):
        task_moments([[1.0], []], [[1.0], [0.0]])


DESIGNS = (
    Design(tasks=40, runs=1, means=(0.5, 0.5), icc=0.3, correlation=0.5),
    Design(tasks=50, runs=3, means=(0.6, 0.6), icc=0.4, correlation=0.8),
    Design(tasks=20, runs=5, means=(0.8, 0.8), icc=0.3, correlation=0.5),
)


@one_in(3)
@pytest.mark.parametrize("design", DESIGNS, ids=lambda d: f"{d.tasks} x {d.runs}, p {d.means[0]}")
def test_the_difference_that_is_printed_is_shown_in_four_of_five_experiments(design: Design) -> None:
    """The whole rule, on simulated experiments whose arms are apart by exactly what is printed."""
    variances, covariance = design.moments()
    found = planned_difference(
        design.tasks, design.runs, means=design.means, variances=variances, covariance=covariance, binary=True
    )
    assert found.paired is not None
    assert found.strict is not None
    for strict, gap in ((False, found.paired), (True, found.strict)):
        assert 0.75 <= power(design, gap, strict=strict) <= 0.85, (strict, gap)


def power(design: Design, gap: float, *, strict: bool) -> float:
    """Share of simulated experiments in which ``b`` is told to be above ``a``, at this true gap."""
    draws = design.apart(gap).draws(np.random.default_rng(20260701), DRAWS)
    told = [seen(a, b, design.runs).tells(strict=strict) == 1 for a, b in zip(*draws, strict=True)]
    return sum(told) / DRAWS
