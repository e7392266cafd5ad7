"""Differences against the golden values, statsmodels and scipy; and those that cannot be made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import confint_proportions_2indep

from metrics_core.results.codes import NoInterval
from metrics_core.results.comparison import DIFFERENT_TASKS, Difference
from metrics_core.results.interval import Interval
from metrics_core.statistics.differences import (
    bonett_price,
    newcombe,
    paired_binary,
    paired_t,
    unpaired_binary,
    unpaired_means,
)
from metrics_core.statistics.exact_tests import fisher_midp, mcnemar_exact, mcnemar_midp

COUNTS = st.integers(0, 60)

SHARES = st.integers(1, 300).flatmap(lambda size: st.tuples(st.integers(0, size), st.just(size)))


@pytest.fixture
def golden(shared_data: Path) -> dict[str, Any]:
    return json.loads((shared_data / "golden" / "statistics.json").read_text())


def test_golden_bonett_price(golden: dict[str, Any]) -> None:
    for case, expected in golden["bonett_price95 (b=A only right, c=B only right, n)"].items():
        interval = bonett_price(*map(int, case.split(",")))
        assert (interval.lo, interval.hi) == pytest.approx(expected, abs=5e-13)


def test_golden_newcombe(golden: dict[str, Any]) -> None:
    for case, expected in golden["newcombe_unpaired95"].items():
        interval = newcombe(*map(int, case.replace("-", "/").split("/")))
        assert (interval.lo, interval.hi) == pytest.approx(expected, abs=5e-13)


def test_golden_mcnemar(golden: dict[str, Any]) -> None:
    for case, (exact, midp) in golden["mcnemar b,c: exact p / mid-p"].items():
        only_a, only_b = map(int, case.split(","))
        assert mcnemar_exact(only_a, only_b) == exact
        assert mcnemar_midp(only_a, only_b) == midp


def test_golden_paired_t(golden: dict[str, Any]) -> None:
    expected = golden["paired_t"]
    found = paired_t(expected["d"])
    assert found.p == pytest.approx(expected["p"], abs=5e-13)
    assert (found.interval.lo, found.interval.hi) == pytest.approx(expected["ci95"], abs=5e-13)
    assert found.value == pytest.approx(0.16, abs=1e-15)


@given(SHARES, SHARES)
def test_newcombe_is_statsmodels(a: tuple[int, int], b: tuple[int, int]) -> None:
    interval = newcombe(*a, *b)
    expected = confint_proportions_2indep(*a, *b, method="newcomb", compare="diff")
    assert (interval.lo, interval.hi) == pytest.approx(expected, abs=1e-12)


@given(COUNTS, COUNTS)
def test_mcnemar_is_statsmodels(only_a: int, only_b: int) -> None:
    table = [[10, only_a], [only_b, 20]]
    assert mcnemar_exact(only_a, only_b) == pytest.approx(mcnemar(table, exact=True).pvalue, rel=1e-9)
    less_half = stats.binom.pmf(min(only_a, only_b), only_a + only_b, 0.5)
    assert mcnemar_midp(only_a, only_b) == pytest.approx(
        1.0 if only_a == only_b else mcnemar(table, exact=True).pvalue - less_half, rel=1e-9
    )


@given(COUNTS, COUNTS, COUNTS)
def test_swapping_the_sides_mirrors_a_paired_difference(only_a: int, only_b: int, both_or_none: int) -> None:
    tasks = only_a + only_b + both_or_none + 1
    there, back = paired_binary(only_a, only_b, tasks), paired_binary(only_b, only_a, tasks)
    assert there.p == back.p
    assert there.interval.lo is not None
    assert back.interval.hi is not None
    assert there.interval.lo == -back.interval.hi
    assert there.interval.lo >= -1.0


@given(SHARES, SHARES)
def test_fisher_is_scipys_less_half_of_what_is_as_likely(a: tuple[int, int], b: tuple[int, int]) -> None:
    table = [[a[0], a[1] - a[0]], [b[0], b[1] - b[0]]]
    whole = stats.fisher_exact(table).pvalue
    law = stats.hypergeom(a[1] + b[1], a[0] + b[0], a[1])
    weights = law.pmf(np.arange(a[1] + 1))
    alike = weights[np.isclose(weights, law.pmf(a[0]), rtol=1e-7, atol=0)].sum()
    assert fisher_midp(*a, *b) == pytest.approx(whole - alike / 2, rel=1e-6, abs=1e-12)


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=60))
def test_paired_t_is_scipys(differences: list[float]) -> None:
    spread = float(np.std(differences))
    if spread < 1e-6:
        return
    expected = stats.ttest_1samp(differences, 0)
    low, high = expected.confidence_interval(0.95)
    found = paired_t(differences)
    assert found.p == pytest.approx(expected.pvalue, rel=1e-6, abs=1e-12)
    assert (found.interval.lo, found.interval.hi) == pytest.approx(
        (max(-1.0, low), min(1.0, high)), rel=1e-6, abs=1e-9
    )


def test_clusters_stay_whole_in_a_paired_difference() -> None:
    differences = [0.4, 0.2, 0.3, -0.1, 0.0, -0.2, 0.5, 0.1]
    apart = paired_t(differences)
    within = paired_t(differences, ["a", "a", "b", "b", "c", "c", "d", "d"], key="repo")
    # Clusters of equal size: t on the cluster means.
    means = [np.mean(differences[i : i + 2]) for i in range(0, 8, 2)]
    expected = stats.ttest_1samp(means, 0)
    assert within.p == pytest.approx(expected.pvalue, rel=1e-10)
    limits = expected.confidence_interval(0.95)
    assert (within.interval.lo, within.interval.hi) == pytest.approx(limits, rel=1e-10)
    assert (within.interval.cluster, within.interval.clusters, within.interval.few) == ("repo", 4, True)
    assert within.p != apart.p
    with pytest.raises(ValueError, match="zip"):
        paired_t(differences, ["a"])


def test_tasks_that_all_differ_alike_get_one_pseudo_task_each_way() -> None:
    none = paired_t([0.0] * 20)
    plain = bonett_price(0, 0, 20)
    assert (none.interval.lo, none.interval.hi, none.p) == (plain.lo, plain.hi, 1.0)
    all_a = paired_t([1.0] * 20)
    plain = bonett_price(20, 0, 20)
    assert (all_a.interval.lo, all_a.interval.hi) == pytest.approx((plain.lo, plain.hi), abs=1e-15)
    half = paired_t([0.1 + 0.2] * 10 + [0.3] * 10)  # alike up to rounding
    assert half.method == "bonett-price, all tasks alike"
    assert half.interval.lo is not None
    assert half.interval.lo > 0
    assert half.p == 2.0**-20
    assert paired_t([3.0] * 20, limits=None).interval.reason == "all tasks differ by the same"


def test_money_has_no_limits() -> None:
    found = paired_t([10.0, 30.0, 25.0, 40.0], limits=None)
    assert (found.interval.lo, found.interval.hi) == pytest.approx(
        stats.ttest_1samp([10.0, 30.0, 25.0, 40.0], 0).confidence_interval(0.95), rel=1e-10
    )
    with pytest.raises(ValueError, match="beyond"):
        paired_t([10.0, 30.0])


def test_what_cannot_be_compared_says_why() -> None:
    assert paired_t([]).interval.reason == "fewer than 2 tasks"
    assert paired_t([0.5]).interval.reason == "fewer than 2 tasks"
    assert paired_t([0.5, 0.4], ["x", "x"]).interval.reason == "a single cluster"
    assert paired_binary(0, 0, 0).interval.reason == "no tasks in common"
    assert unpaired_binary(0, 0, 3, 5).interval.reason == "no known verdicts on one side or both"
    assert unpaired_means([], [[1], [0]]).interval.reason == "no known runs on one side or both"
    assert unpaired_means([[1, 0]], [[1], [0]]).interval.reason == "a single cluster on one side or both"
    assert unpaired_means([[2], [0]], [[1], [0]]).interval.reason == "values outside 0 to 1"
    with pytest.raises(ValueError, match="discordant"):
        bonett_price(5, 6, 10)
    with pytest.raises(ValueError, match="discordant"):
        mcnemar_midp(-1, 2)
    with pytest.raises(ValueError, match="no share"):
        fisher_midp(1, 0, 0, 2)
    with pytest.raises(ValueError, match="expected 0 <= n <= N"):
        newcombe(3, 2, 0, 2)


def test_an_unpaired_difference_is_labelled_and_a_paired_one_is_not() -> None:
    assert unpaired_binary(5, 9, 3, 9).label == DIFFERENT_TASKS
    assert unpaired_means([[1], [0]], [[0], [1]]).label == DIFFERENT_TASKS
    assert paired_binary(3, 1, 9).label == ""
    with pytest.raises(ValueError, match="p is"):
        Difference(value=0.1, interval=Interval.none(NoInterval.TOO_FEW), p=1.5, test="t", paired_on=3)


def test_a_difference_names_its_parts_in_json() -> None:
    told = paired_binary(6, 0, 20).to_json()
    assert (told["difference"], told["paired_on"], told["p"], told["discordant"]) == (0.3, 20, 0.015625, 6)
    assert told["interval"]["method"] == "bonett-price"
    assert json.loads(json.dumps(told)) == told


@given(SHARES, SHARES)
def test_independent_means_of_verdicts_get_newcombes_interval(a: tuple[int, int], b: tuple[int, int]) -> None:
    sides = [[[float(i < n)] for i in range(size)] for n, size in (a, b)]
    if min(a[1], b[1]) < 2:
        return
    found, plain = unpaired_means(*sides), newcombe(*a, *b)
    assert (found.interval.lo, found.interval.hi) == pytest.approx((plain.lo, plain.hi), abs=1e-12)
    assert found.p is not None
    assert 0.0 <= found.p <= 1.0


def test_clusters_widen_an_unpaired_difference() -> None:
    a = [[1, 1, 1], [1, 1, 1], [0, 0, 0], [1, 1, 1]]
    b = [[0, 0, 0], [0, 0, 0], [1, 1, 1], [0, 0, 1]]
    clustered = unpaired_means(a, b)
    alone = unpaired_means([[x] for c in a for x in c], [[x] for c in b for x in c])
    assert clustered.interval.width is not None
    assert alone.interval.width is not None
    assert clustered.interval.width > alone.interval.width
    assert clustered.p is not None
    assert alone.p is not None
    assert clustered.p > alone.p


def test_the_standard_error_is_that_of_the_mean_difference() -> None:
    differences = [0.2, -0.1, 0.4, 0, 0.3, 0.1, -0.2, 0.5, 0.25, 0.15]
    assert paired_t(differences).standard_error == pytest.approx(stats.sem(differences))
    assert paired_binary(0, 0, 20).standard_error is not None
