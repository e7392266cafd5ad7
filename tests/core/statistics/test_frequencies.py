"""Sums of values that are counted are those of the values one by one, to the last bit."""

from __future__ import annotations

from array import array
from collections import Counter
from math import fsum

import numpy as np
from hypothesis import given, strategies as st

from metrics_core.statistics.bootstrap.exact import exact_cluster_bootstrap, exact_percentile_bootstrap
from metrics_core.statistics.bounds import outer_limits
from metrics_core.statistics.clustered import cr1_t, task_weighted, wilson_effective
from metrics_core.statistics.frequencies import ClusterSums, ClusterTotals, Frequencies, exact_sum
from metrics_core.statistics.order_statistics import FEW, placed
from metrics_core.statistics.smallest_difference import task_moments

counted = st.lists(
    st.tuples(st.floats(allow_nan=False, allow_infinity=False, max_value=1e300), st.integers(1, 50)),
    max_size=8,
).map(lambda counts: Frequencies(tuple(counts)))
shares = st.lists(
    st.tuples(st.one_of(st.floats(0, 1), st.sampled_from((0.0, 1.0, 1 / 3, 5e-324))), st.integers(1, 9)),
    min_size=1, max_size=4,
).map(lambda counts: Frequencies(tuple(counts)))  # fmt: skip


@given(counted)
def test_a_total_is_that_of_every_value(values: Frequencies) -> None:
    try:
        expected = fsum(values.expanded())
    except OverflowError:
        return
    assert values.total == expected
    assert len(values) == len(values.expanded())


def test_counts_beyond_what_a_half_can_be_multiplied_by_are_exact() -> None:
    third = 1 / 3
    for times in ((1 << 26) - 1, 1 << 26, (1 << 30) + 1):
        numerator, denominator = third.as_integer_ratio()
        assert exact_sum([(third, times)]) == numerator * times / denominator


def test_ones_beyond_the_whole_numbers_of_a_double_are_exact() -> None:
    for ones in ((1 << 53) - 1, 1 << 53, (1 << 53) + 1, (1 << 54) + 3):
        assert exact_sum([(1.0, ones)]) == float(ones)
        assert exact_sum([(1.0, ones), (-0.5, 1), (0.0, 7)]) == (2 * ones - 1) / 2
        assert exact_sum([(1.0, ones), (-(2.0**53), 1), (0.25, 2)]) == ones - (1 << 53) + 0.5


@given(st.lists(shares, min_size=1, max_size=9))
def test_totals_of_clusters_are_their_sums_without_the_spread(clusters: list[Frequencies]) -> None:
    whole, alone = ClusterSums.of(clusters), ClusterTotals.of(clusters)
    assert (alone.totals, alone.sizes) == (whole.totals, whole.sizes)
    assert (
        wilson_effective(alone, key="t")
        == wilson_effective(whole, key="t")
        == wilson_effective(clusters, key="t")
    )
    assert cr1_t(alone, key="t") == cr1_t(whole, key="t")


@given(st.lists(shares, min_size=1, max_size=9))
def test_clusters_that_are_counted_are_the_clusters_one_by_one(clusters: list[Frequencies]) -> None:
    plain = [values.expanded() for values in clusters]
    assert ClusterSums.of(clusters) == ClusterSums.of(plain)
    assert task_weighted(clusters, key="t") == task_weighted(plain, key="t")
    holes = [at % 3 for at in range(len(clusters))]
    assert outer_limits(clusters, holes, key="t") == outer_limits(plain, holes, key="t")


@given(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=5), min_size=1, max_size=9))
def test_whole_numbers_that_are_counted_have_the_bootstraps_of_those_one_by_one(
    clusters: list[list[int]],
) -> None:
    flat, counted_clusters = [value for values in clusters for value in values], list(map(Counter, clusters))
    assert exact_percentile_bootstrap(Counter(flat), 4) == exact_percentile_bootstrap(flat, 4)
    assert exact_cluster_bootstrap(counted_clusters, 4) == exact_cluster_bootstrap(clusters, 4)


@given(st.lists(st.tuples(shares, shares), min_size=2, max_size=9))
def test_tasks_that_are_counted_have_the_moments_of_those_one_by_one(
    tasks: list[tuple[Frequencies, Frequencies]],
) -> None:
    a, b = zip(*tasks, strict=True)
    assert task_moments(a, b) == task_moments(
        [each.expanded() for each in a], [each.expanded() for each in b]
    )


def test_many_numbers_come_into_the_order_that_few_do() -> None:
    values = array("d", np.random.default_rng(7).lognormal(3, 2, 3 * FEW).round(3).tolist())
    ordered, places = sorted(values), {0, 1, FEW, 2 * FEW + 1, 3 * FEW - 1}
    assert placed(values, places) == {place: ordered[place] for place in places}
