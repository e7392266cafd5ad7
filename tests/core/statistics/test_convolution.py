"""Sums of draws in floating point: the slots are those that integers give, or none is given at all."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from metrics_core.statistics.bootstrap import exact as exact_bootstrap
from metrics_core.statistics.bootstrap.exact import (
    exact_cluster_bootstrap,
    exact_percentile_bootstrap,
    reached_at,
)


@pytest.mark.parametrize("seed", range(8))
def test_slots_are_those_of_every_draw_there_is(seed: int) -> None:
    rng = random.Random(seed)
    places = [rng.randrange(7) for _ in range(5)]
    sums = sorted(sum(drawn) for drawn in itertools.product(places, repeat=5))
    shares = (Fraction(17, 1009), Fraction(1, 7), Fraction(977, 1009))  # no count of 3125 draws is one
    expected = [sums[-(-len(sums) * share.numerator // share.denominator) - 1] for share in shares]
    assert reached_at(Counter(places), 5 * max(places) + 1, [float(share) for share in shares]) == expected


def test_slots_may_be_gone_through_in_another_order() -> None:
    places = [0, 1, 1, 3]
    counted = Counter(sum(drawn) for drawn in itertools.product(places, repeat=4))
    falling = -np.arange(13.0)
    seen, expected = 0, None
    for slot in range(12, -1, -1):
        seen += counted[slot]
        if expected is None and seen * 10 >= 256 * 3:
            expected = slot
    assert reached_at(Counter(places), 13, (0.3,), falling) == [expected]


def test_a_share_that_is_reached_exactly_is_left_to_integers() -> None:
    assert reached_at({0: 1, 1: 1}, 3, (0.25,)) is None
    assert reached_at({0: 1, 1: 1}, 3, (0.75,)) is None
    assert reached_at({0: 1, 1: 1}, 3, (0.26, 0.76)) == [1, 2]
    # 4e-10 beyond what the first slot holds is more than rounding can do, 1e-16 is not.
    assert reached_at({0: 9, 1: 1}, 11, (0.9**10 + 4e-10,)) is not None
    assert reached_at({0: 9, 1: 1}, 11, (0.9**10 + 1e-16,)) is None


@pytest.mark.parametrize("seed", range(12))
def test_limits_are_the_same_where_only_integers_may_decide(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    tall, wide = rng.choice([(1, 1), (1, 9), (4, 3), (3, 1)]), rng.randrange(9, 40)
    clusters = [[rng.randrange(tall[1] + 1) for _ in range(rng.randrange(tall[0]) + 1)] for _ in range(wide)]
    flat = [value for cluster in clusters for value in cluster]
    soon = exact_cluster_bootstrap(clusters, 3), exact_percentile_bootstrap(flat, 3)
    monkeypatch.setattr(exact_bootstrap, "reached_at", lambda *_: None)
    exact_bootstrap._limits.cache_clear()
    assert (exact_cluster_bootstrap(clusters, 3), exact_percentile_bootstrap(flat, 3)) == soon


def test_means_too_close_for_a_double_are_left_to_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    clusters = [[10**14 + i] * (1 + i % 2) for i in range(8)]
    expected = exact_cluster_bootstrap(clusters)
    monkeypatch.setattr(exact_bootstrap, "reached_at", lambda *_: pytest.fail("asked all the same"))
    exact_bootstrap._limits.cache_clear()
    assert exact_cluster_bootstrap(clusters) == expected


def test_a_limit_is_the_first_mean_that_one_in_forty_resamples_do_not_exceed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # 40 draws of one unit each: 40^40 resamples, of which exactly one in forty is at the lowest mean and
    # exactly one in forty at the highest.
    outcomes = [(40**39, Fraction(0)), (38 * 40**39, Fraction(1)), (40**39, Fraction(2))]
    monkeypatch.setattr(exact_bootstrap, "_outcomes", lambda _: iter(outcomes))
    drawn = exact_bootstrap._Draws.of({(0, 1): 20, (1, 1): 20})
    assert drawn is not None
    assert exact_bootstrap._counted(drawn) == (0, 1)
