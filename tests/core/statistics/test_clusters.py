"""Clustered shares against the golden values, statsmodels and scipy; exact bootstraps against enumeration."""

from __future__ import annotations

import itertools
import json
import random
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, strategies as st
from scipy import stats

from metrics_core.statistics.bootstrap.exact import (
    exact_cluster_bootstrap,
    exact_percentile_bootstrap,
    on_common_scale,
)
from metrics_core.statistics.clustered import (
    cr1_t,
    design_effect,
    effective_n,
    icc_anova,
    standard_error,
    wilson_effective,
)
from metrics_core.statistics.frequencies import ClusterSums
from metrics_core.statistics.proportions import wilson

FRACTIONS = st.integers(0, 12).map(lambda twelfths: twelfths / 12)
CLUSTERS = st.lists(st.lists(FRACTIONS, min_size=1, max_size=6), min_size=2, max_size=15)


@pytest.fixture
def golden(shared_data: Path) -> dict[str, Any]:
    return json.loads((shared_data / "golden" / "statistics.json").read_text())


def test_golden_clusters(golden: dict[str, Any]) -> None:
    expected = golden["cluster"]
    clusters = expected["clusters"]
    assert ClusterSums.of(clusters).mean == pytest.approx(expected["mean"], abs=5e-13)
    assert standard_error(clusters) == pytest.approx(
        expected["se_CR1 (statsmodels cov_type=cluster) = sd(cluster means)/sqrt(G)"], abs=5e-13
    )
    assert design_effect(clusters) == pytest.approx(expected["deff"], abs=5e-13)
    assert icc_anova(clusters) == pytest.approx(expected["icc_anova"], abs=5e-13)
    assert effective_n(clusters) == pytest.approx(expected["n_eff"], abs=5e-13)
    drawn = wilson_effective(clusters, key="scenario")
    assert (drawn.lo, drawn.hi) == pytest.approx(expected["wilson_neff_t95 (DEFAULT)"], abs=5e-13)
    assert (drawn.cluster, drawn.clusters, drawn.few) == ("scenario", 6, False)
    beside = cr1_t(clusters)
    # The golden upper limit is 9e-12 off the mirror image of its own lower limit.
    assert (beside.lo, beside.hi) == pytest.approx(expected["t_ci95 df=5"], abs=1e-11)
    exact = exact_cluster_bootstrap(clusters)
    assert (exact.lo, exact.hi) == pytest.approx(expected["exact_cluster_bootstrap95_type1"], abs=5e-13)


def test_golden_exact_bootstrap(golden: dict[str, Any]) -> None:
    for case in golden["exact_percentile_bootstrap"]:
        interval = exact_percentile_bootstrap(case["values"], case["scale"])
        assert [interval.lo, interval.hi] == case["ci95_type1"]


@given(CLUSTERS)
def test_the_standard_error_is_statsmodels_for_equal_sizes(clusters: list[list[float]]) -> None:
    size = min(map(len, clusters))
    cut = [values[:size] for values in clusters]
    flat = np.concatenate(cut)
    groups = np.repeat(np.arange(len(cut)), size)
    # statsmodels also multiplies by (n-1)/(n-k), which is 1 for a model of the mean alone.
    fit = sm.OLS(flat, np.ones(len(flat))).fit(cov_type="cluster", cov_kwds={"groups": groups})
    error = standard_error(cut)
    assert error is not None
    assert error == pytest.approx(float(fit.bse[0]), rel=1e-9, abs=1e-12)


@given(CLUSTERS, st.randoms())
def test_order_is_no_information(clusters: list[list[float]], rng: random.Random) -> None:
    shuffled = [rng.sample(values, len(values)) for values in rng.sample(clusters, len(clusters))]
    for figure in (standard_error, effective_n, design_effect, icc_anova, wilson_effective, cr1_t):
        assert figure(shuffled) == figure(clusters)  # to the last bit


@given(CLUSTERS)
def test_sums_say_as_much_as_values(clusters: list[list[float]]) -> None:
    assert wilson_effective(ClusterSums.of(clusters)) == wilson_effective(clusters)


@given(CLUSTERS)
def test_the_interval_holds_the_mean_and_stays_in_0_to_1(clusters: list[list[float]]) -> None:
    interval = wilson_effective(clusters, known=8)
    assert interval.lo is not None
    assert interval.hi is not None
    assert 0.0 <= interval.lo <= ClusterSums.of(clusters).share <= interval.hi <= 1.0
    n_eff = effective_n(clusters)
    assert n_eff is not None
    assert 0 < n_eff <= sum(map(len, clusters))


@given(st.lists(st.booleans(), min_size=8, max_size=60))
def test_clusters_of_one_run_are_no_clusters(verdicts: list[bool]) -> None:
    alone = wilson_effective([[float(verdict)] for verdict in verdicts], key="scenario")
    assert alone == wilson(sum(verdicts), len(verdicts))


def test_a_mean_of_0_or_1_is_worth_one_run_a_cluster() -> None:
    passed = wilson_effective([[1, 1, 1]] * 7)
    assert (passed.n_eff, passed.hi) == (7.0, 1.0)
    assert wilson_effective([[0, 0, 0]] * 7).lo == 0.0


def test_clusters_that_agree_up_to_rounding_are_worth_one_run_each() -> None:
    thirds = [[1 / 3, 2 / 3, 0.1], [0.1, 1 / 3, 2 / 3], [0.1 + 1 / 3, 2 / 3, 0.0], [2 / 3, 0.1, 1 / 3]]
    assert standard_error(thirds) == 0.0
    assert effective_n(thirds) == 4.0
    assert cr1_t(thirds).reason == "all clusters agree"


def test_a_quantity_has_its_t_interval_on_a_scale_without_ends() -> None:
    """Student's interval as scipy gives it; a share's is cut at 0 and 1, and a quantity's is not."""
    values = [-3.145 - 0.01 * sqrt(n) for n in range(30)]
    found = cr1_t([[value] for value in values], limits=None)
    expected = stats.t.interval(0.95, 29, np.mean(values), stats.sem(values))
    assert (found.lo, found.hi) == pytest.approx(expected, rel=1e-12)
    wide = [[0.0]] * 7 + [[1.0]]
    expected = stats.t.interval(0.95, 7, 0.125, stats.sem([0.0] * 7 + [1.0]))
    assert cr1_t(wide).lo == 0.0
    assert cr1_t(wide, limits=None).lo == pytest.approx(expected[0])
    assert cr1_t([[5.0]] * 9, limits=None).reason == "all clusters agree"


def test_what_has_no_interval_says_why() -> None:
    assert wilson_effective([[1, 0, 1]] * 2).reason == "too few valid runs"
    assert wilson_effective([]).reason == "too few valid runs"
    assert wilson_effective([[1, 0] * 6]).reason == "a single cluster"
    assert wilson_effective([[1.5] * 4, [0.0] * 4]).reason == "values outside 0 to 1"
    assert wilson_effective([[1, 0], [1, 1]] * 2).to_json()["few"] is True
    assert effective_n([[1, 0]]) is None
    assert design_effect([[1, 1], [1, 1]]) is None
    assert icc_anova([[1], [0]]) is None
    with pytest.raises(ValueError, match="without runs"):
        ClusterSums.of([[1], []])
    with pytest.raises(ValueError, match="totals for"):
        ClusterSums((1.0,), (1, 2), 1.0)


def percentiles(means: list[Fraction]) -> tuple[float, float]:
    """Type 1: the smallest value that the share asked for does not exceed."""
    means.sort()
    at = [-(-len(means) * share // 40) - 1 for share in (1, 39)]
    return float(means[at[0]]), float(means[at[1]])


@pytest.mark.parametrize("seed", range(6))
def test_the_exact_cluster_bootstrap_is_every_resample_there_is(seed: int) -> None:
    rng = random.Random(seed)
    clusters = [[rng.randrange(-2, 4) for _ in range(rng.randrange(1, 5))] for _ in range(5)]
    clusters[0] += [3] * 4
    means = [
        Fraction(sum(map(sum, drawn)), 2 * sum(map(len, drawn)))
        for drawn in itertools.product(clusters, repeat=5)
    ]
    interval = exact_cluster_bootstrap(clusters, 2)
    assert (interval.lo, interval.hi) == percentiles(means)


@pytest.mark.parametrize("values", [[0, 1, 1, 1], [3, -1, 5, 5, 0], [2, 2, 7, 2, 2]])
def test_equal_clusters_of_many_values_too(values: list[int]) -> None:
    clusters = [[value, 0] for value in values]
    means = [Fraction(sum(drawn), 2 * len(values)) for drawn in itertools.product(values, repeat=len(values))]
    interval = exact_cluster_bootstrap(clusters)
    assert (interval.lo, interval.hi) == percentiles(means)


def test_two_values_take_the_short_way_to_the_same_limits() -> None:
    verdicts = [1, 0, 0, 1, 1, 1, 0, 1, 1, 0, 1]
    third = exact_percentile_bootstrap([10 * v - 5 for v in verdicts], 10)
    plain = exact_percentile_bootstrap(verdicts)
    assert plain.lo is not None
    assert plain.hi is not None
    assert (third.lo, third.hi) == pytest.approx((plain.lo - 0.5, plain.hi - 0.5))


def test_exact_bootstraps_that_cannot_be_drawn_say_why() -> None:
    assert exact_percentile_bootstrap([1] * 7).reason == "too few valid runs"
    assert exact_percentile_bootstrap([1] * 9).reason == "all resamples agree"
    assert exact_percentile_bootstrap([1] * 99 + [0]).reason is None
    too_many = "too many values for the exact bootstrap"
    assert exact_percentile_bootstrap(list(range(500)), 500).reason == too_many
    assert exact_percentile_bootstrap([0, 1] * 3000).reason == too_many
    assert exact_cluster_bootstrap([[1] * (i + 1) + [0] * 40 for i in range(40)]).reason == too_many
    assert exact_cluster_bootstrap([[1, 0] * 5]).reason == "a single cluster"
    assert exact_cluster_bootstrap([[1], [0]]).reason == "too few valid runs"
    with pytest.raises(ValueError, match="scale"):
        exact_percentile_bootstrap([0, 1] * 5, 0)


def test_a_common_scale_is_found_where_there_is_one() -> None:
    assert on_common_scale([1 / 3, 0.5, 1.0]) == ([2, 3, 6], 6)
    assert on_common_scale([2.0, -1.0]) == ([2, -1], 1)
    assert on_common_scale([0.123456789]) is None
    assert on_common_scale([1 / 997, 1 / 991, 1 / 983]) is None


def test_five_clusters_are_few_and_six_are_not() -> None:
    clusters = [[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    assert (wilson_effective(clusters).few, wilson_effective(clusters[:5]).few) == (False, True)
