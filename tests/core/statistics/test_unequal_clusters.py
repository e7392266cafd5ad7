"""Clusters of unequal size: degrees of freedom by the effective clusters, in every interval and test."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, strategies as st
from scipy import stats

from metrics_core.results import Method
from metrics_core.statistics.clustered import (
    cr1_t,
    degrees_of_freedom,
    effective_clusters,
    effective_n,
    standard_error,
    wilson_effective,
)
from metrics_core.statistics.differences import paired_t, unpaired_means
from metrics_core.statistics.frequencies import ClusterSums

SIZES = st.lists(st.integers(1, 40), min_size=2, max_size=20)
LARGE = [[1.0, 0.0] * 15, [1.0], [0.0], [1.0], [1.0], [0.0]]
"""One cluster of 30 beside five of 1: G* is 1.36 of 6."""


@pytest.fixture
def golden(shared_data: Path) -> list[dict[str, Any]]:
    cases = json.loads((shared_data / "golden" / "second.json").read_text())["cases"]
    return [case for case in cases if case["name"].startswith("paired difference, tasks in")]


def test_golden_paired_differences_in_clusters(golden: list[dict[str, Any]]) -> None:
    assert len(golden) == 2
    for case in golden:
        groups, expected = case["inputs"]["differences"], case["expected"]
        flat = [d for group in groups for d in group]
        names = [str(at) for at, group in enumerate(groups) for _ in group]
        found = paired_t(flat, names, key="repo")
        assert found.value == pytest.approx(expected["mean"], abs=1e-9)
        assert standard_error(groups) == pytest.approx(expected["se"], abs=1e-9)
        limits = (found.interval.lo, found.interval.hi)
        assert limits == pytest.approx(expected["interval95_for_unequal"], abs=1e-9)
        assert found.interval.df == expected["df_for_unequal"]
        sizes = [len(group) for group in groups]
        assert effective_clusters(sizes) == pytest.approx(expected["effective_clusters"], abs=1e-9)
        p = 2 * stats.t.sf(abs(expected["mean"] / expected["se"]), expected["df_for_unequal"])
        assert found.p == pytest.approx(p, rel=1e-8)
        if expected["df_for_unequal"] == expected["df"]:
            assert found.p == pytest.approx(expected["p"], abs=1e-9)
            assert "effective_clusters" not in found.interval.to_json()
        else:
            assert found.interval.to_json()["effective_clusters"] == found.interval.effective_clusters
            assert found.interval.method is Method.PAIRED_T_ON_EFFECTIVE_CLUSTERS
            assert found.interval.few  # 4.5 effective clusters of six


@given(SIZES)
def test_degrees_of_freedom_are_the_rule_in_fractions(sizes: list[int]) -> None:
    worth = Fraction(sum(sizes) ** 2, sum(size**2 for size in sizes))
    assert effective_clusters(sizes) == pytest.approx(float(worth), rel=1e-15)
    enough = worth >= Fraction(9, 10) * len(sizes)
    assert degrees_of_freedom(sizes) == (len(sizes) - 1 if enough else max(1, int(worth) - 1))


@given(st.integers(1, 9), st.integers(2, 30))
def test_clusters_of_one_size_keep_all_degrees_of_freedom(size: int, count: int) -> None:
    assert effective_clusters([size] * count) == count
    assert degrees_of_freedom([size] * count) == count - 1


def test_the_boundary_belongs_to_the_usual_degrees_of_freedom() -> None:
    """Sizes 1 and 2: G* = 9/5 is 0.9 of 2, exactly; one run more in the second and it is below."""
    assert degrees_of_freedom([1, 2] * 6) == 11
    assert degrees_of_freedom([1, 3] * 6) == 8  # G* = 9.6


VALUES = st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=1, max_size=12)


@given(st.lists(VALUES, min_size=2, max_size=12))
def test_every_interval_on_clusters_tells_the_degrees_of_freedom_that_it_used(
    clusters: list[list[float]],
) -> None:
    """Each limit solved back for its quantile, with scipy's t for the df that the data tell."""
    found, plain = wilson_effective(clusters, known=8), cr1_t(clusters, known=8)
    s, n_eff, error = ClusterSums.of(clusters), effective_n(clusters), standard_error(clusters)
    assert error is not None
    assert n_eff is not None
    assert found.df is None or found.df == degrees_of_freedom(s.sizes)
    if s.independent:
        assert found.method is Method.WILSON
        return
    assert (found.effective_clusters is not None) == s.unequal
    assert found.lo is not None
    quantile = stats.t.ppf(0.975, found.df)
    if found.lo > 0:
        assert (s.share - found.lo) ** 2 == pytest.approx(
            quantile**2 * found.lo * (1 - found.lo) / n_eff, rel=1e-6
        )
    if plain.lo is not None and plain.lo > 0:
        assert s.mean - plain.lo == pytest.approx(quantile * error, rel=1e-9)
        assert plain.df == found.df


def test_one_large_cluster_leaves_one_degree_of_freedom_in_means_of_different_tasks() -> None:
    even = [[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    found, usual = unpaired_means(LARGE, even), unpaired_means(even, even)
    assert found.method is Method.NEWCOMBE_EFFECTIVE_CLUSTERS
    assert usual.method is Method.NEWCOMBE_EFFECTIVE_N
    n_a, n_b = effective_n(LARGE), effective_n(even)
    assert n_a is not None
    assert n_b is not None
    means = [(sum(map(sum, c)) / sum(map(len, c)) * n + 1) / (n + 2) for c, n in ((LARGE, n_a), (even, n_b))]
    error = np.sqrt(sum(m * (1 - m) / (n + 2) for m, n in zip(means, (n_a, n_b), strict=True)))
    assert found.p == pytest.approx(2 * stats.t.sf(abs(means[0] - means[1]) / error, 1), rel=1e-9)


def test_false_alarms_of_unequal_clusters_are_no_longer_frequent() -> None:
    """Sizes 2, 3, 5, 10, 40 without a difference: t(G-1) was measured to give 23 % alarms, this 0.4 %."""
    sizes = [2, 3, 5, 10, 40]
    names = [str(at) for at, size in enumerate(sizes) for _ in range(size)]
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(5), sizes)
    alarms = usual = 0
    for _ in range(400):
        differences = np.clip(rng.normal(0, 0.15, 5)[groups] + rng.normal(0, 0.15, 60), -1, 1)
        found = paired_t(differences.tolist(), names)
        assert found.p is not None
        alarms += found.p <= 0.05
        assert found.value is not None
        error = standard_error([differences[groups == at].tolist() for at in range(5)])
        usual += 2 * stats.t.sf(abs(found.value) / error, 4) <= 0.05
    assert alarms / 400 <= 0.02
    assert usual / 400 >= 0.15


def test_cr1_is_statsmodels_on_clusters_of_any_size() -> None:
    rng = np.random.default_rng(5)
    sizes = [2, 3, 3, 4, 8, 10]
    groups = np.repeat(np.arange(6), sizes)
    values = rng.uniform(0, 1, 30)
    fit = sm.OLS(values, np.ones(30)).fit(cov_type="cluster", cov_kwds={"groups": groups})
    clusters = [values[groups == at].tolist() for at in range(6)]
    assert standard_error(clusters) == pytest.approx(float(fit.bse[0]), rel=1e-9)
