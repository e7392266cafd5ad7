"""Intervals of single shares, medians and bounds, against the golden values, statsmodels and enumeration."""

from __future__ import annotations

import hashlib
import json
import math
import random
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from metrics_core.results.codes import NoInterval
from metrics_core.results.estimate import MOST_NOT_KNOWN
from metrics_core.results.interval import Interval
from metrics_core.statistics.bounds import manski_bounds, outer_wilson, share_not_known
from metrics_core.statistics.exact_limits import clopper_pearsons
from metrics_core.statistics.order_statistics import EXACT_UP_TO, median_interval, median_rank, summary
from metrics_core.statistics.proportions import clopper_pearson, wider, wilson, wilson_limits

SHARES = st.integers(1, 3000).flatmap(lambda size: st.tuples(st.integers(0, size), st.just(size)))


@pytest.fixture
def golden(shared_data: Path) -> dict[str, Any]:
    return json.loads((shared_data / "golden" / "statistics.json").read_text())


def test_golden_wilson(golden: dict[str, Any]) -> None:
    for share, expected in golden["wilson95"].items():
        n, size = map(int, share.split("/"))
        interval = wilson(n, size)
        assert (interval.lo, interval.hi) == pytest.approx(expected, abs=5e-13)


def test_golden_wilson_to_the_last_bit(golden: dict[str, Any]) -> None:
    digest = hashlib.sha256()
    for size in range(1, 201):
        for n in range(size + 1):
            digest.update(struct.pack("<2d", *wilson_limits(n / size, size)))
    assert digest.hexdigest() == golden["wilson_all_k_n_1..200_sha256_of_LE_doubles"]


def test_golden_clopper_pearson(golden: dict[str, Any]) -> None:
    for share, expected in golden["clopper_pearson95"].items():
        n, size = map(int, share.split("/"))
        interval = clopper_pearson(n, size)
        assert (interval.lo, interval.hi) == pytest.approx(expected, abs=5e-13)


def test_golden_bounds(golden: dict[str, Any]) -> None:
    expected = golden["unknown_bounds true=12 false=3 unknown=5 N=20"]
    assert manski_bounds(12, 15, 20) == tuple(expected["manski"])
    outer = outer_wilson(12, 15, 20)
    limits = expected["outer95 = [Wilson_lo(12,20), Wilson_hi(17,20)]"]
    assert (outer.lo, outer.hi) == pytest.approx(limits, abs=5e-13)


@given(SHARES)
def test_wilson_is_statsmodels(share: tuple[int, int]) -> None:
    assert wilson_limits(share[0] / share[1], share[1]) == pytest.approx(
        proportion_confint(*share, method="wilson"), abs=1e-14
    )


@given(SHARES)
def test_clopper_pearson_is_statsmodels(share: tuple[int, int]) -> None:
    interval = clopper_pearson(*share, known=8)
    assert (interval.lo, interval.hi) == pytest.approx(proportion_confint(*share, method="beta"), abs=1e-12)


@given(SHARES)
def test_a_share_is_inside_its_interval_and_the_interval_inside_0_to_1(share: tuple[int, int]) -> None:
    n, size = share
    for interval in (wilson(n, size, known=8), clopper_pearson(n, size, known=8)):
        assert interval.lo is not None
        assert interval.hi is not None
        assert 0.0 <= interval.lo <= n / size <= interval.hi <= 1.0
        assert (interval.lo == 0.0) == (n == 0)
        assert (interval.hi == 1.0) == (n == size)


@given(SHARES)
def test_failures_mirror_successes(share: tuple[int, int]) -> None:
    n, size = share
    lo, hi = wilson_limits(n / size, size)
    other_lo, other_hi = wilson_limits((size - n) / size, size)
    assert (1 - hi, 1 - lo) == pytest.approx((other_lo, other_hi), abs=1e-14)


@pytest.mark.parametrize("make", [wilson, clopper_pearson])
def test_fewer_than_eight_known_runs_give_counts_only(make: Any) -> None:
    assert make(7, 7).reason == "too few valid runs"
    assert make(0, 0).reason == "too few valid runs"
    assert make(40, 60, known=7).reason == "too few valid runs"  # 60 assertions of 7 runs
    assert make(8, 8).reason is None
    with pytest.raises(ValueError, match="no share"):
        make(9, 8)
    with pytest.raises(ValueError, match="no share"):
        make(-1, 8)


@pytest.mark.parametrize(("share", "n"), [(1.1, 5), (-0.1, 5), (0.5, 0), (math.nan, 5)])
def test_what_is_no_share_has_no_limits(share: float, n: float) -> None:
    with pytest.raises(ValueError, match="a share of"):
        wilson_limits(share, n)


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"lo": 0.5, "hi": 0.5}, "is not below"),
        ({"lo": 0.6, "hi": 0.5}, "is not below"),
        ({"lo": 0.5}, "half an interval"),
        ({"hi": 0.5}, "half an interval"),
        ({}, "no reason"),
        ({"lo": 0.1, "hi": 0.2, "absent": "too few"}, "a reason why there is none"),
        ({"lo": 0.1, "hi": math.inf}, "endless"),
        ({"lo": math.nan, "hi": 0.5}, "endless"),
        ({"lo": 0.1, "hi": 0.2, "level": 1.0}, "level"),
        ({"lo": 0.1, "hi": 0.2, "method": ""}, "without a method"),
    ],
)
def test_an_interval_that_contradicts_itself_cannot_be_made(fields: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Interval(**{"method": "wilson"} | fields)


def test_json_holds_the_five_keys_and_what_else_is_known() -> None:
    full = Interval(
        lo=0.1, hi=0.4, method="m", resamples=9, seed=0, cluster="repo", clusters=3, n_eff=2.5, few=True
    )
    assert full.to_json() == {
        "lo": 0.1,
        "hi": 0.4,
        "level": 0.95,
        "method": "m",
        "reason": None,
        "resamples": 9,
        "seed": 0,
        "cluster": "repo",
        "clusters": 3,
        "n_eff": 2.5,
        "few": True,
    }
    none = Interval.none(NoInterval.SINGLE_CLUSTER, method="m", clusters=1).to_json()
    assert none == {
        "lo": None,
        "hi": None,
        "level": 0.95,
        "method": "m",
        "reason": "a single cluster",
        "clusters": 1,
    }


def test_the_wider_interval_is_drawn() -> None:
    narrow, wide = Interval(lo=0.4, hi=0.5, method="a"), Interval(lo=0.3, hi=0.5, method="b")
    none = Interval.none(NoInterval.RESAMPLES_AGREE)
    assert wider(narrow, wide) is wider(wide, narrow) is wide
    assert wider(none, narrow) is wider(narrow, none) is narrow
    assert wider(none, Interval.none(NoInterval.TOO_FEW)) is none


def test_bounds() -> None:
    assert manski_bounds(0, 0, 0) is None
    assert manski_bounds(0, 0, 4) == (0.0, 1.0)
    assert outer_wilson(0, 0, 0).reason == "no attempts"
    with pytest.raises(ValueError, match="expected"):
        manski_bounds(1, 3, 2)
    lost = [share_not_known([10], [lost]) > MOST_NOT_KNOWN for lost in (0, 2, 3, 10)]
    assert lost == [False, False, True, True]


@given(st.integers(1, 400))
def test_the_median_is_held_with_95_percent_and_no_closer_rank_does(n: int) -> None:
    rank = median_rank(n)
    assert 2 * stats.binom.cdf(rank - 1, n, 0.5) <= 0.05 + 1e-12
    assert 2 * stats.binom.cdf(rank, n, 0.5) > 0.05 - 1e-12


@given(st.integers(EXACT_UP_TO + 1, 200_000))
def test_for_many_values_the_rank_is_the_exact_one_or_the_next_outside(n: int) -> None:
    exact = int(stats.binom.ppf(0.025, n, 0.5))
    while stats.binom.cdf(exact, n, 0.5) <= 0.025:
        exact += 1
    while stats.binom.cdf(exact - 1, n, 0.5) > 0.025:
        exact -= 1
    assert exact - 1 <= median_rank(n) <= exact


def test_medians_of_equal_or_few_values_have_no_interval() -> None:
    assert median_interval([1.0] * 5).reason == "fewer than 6 values"
    assert median_interval([2.0] * 50).reason == "the values around the median are all equal"
    six = median_interval([6, 1, 5, 2, 4, 3])
    assert (six.lo, six.hi) == (1, 6)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=200), st.randoms())
def test_context_figures_do_not_depend_on_order(values: list[float], rng: random.Random) -> None:
    shuffled = rng.sample(values, len(values))
    assert summary(values) == summary(shuffled)
    found = summary(values)
    assert found is not None
    assert found.p90 in values
    assert sum(value <= found.p90 for value in values) * 10 >= 9 * len(values)
    assert found.median == pytest.approx(sorted(values)[(len(values) - 1) // 2], abs=1e6)


def test_context_figures_of_nothing_are_nothing() -> None:
    assert summary([]) is None
    ten = summary(range(1, 11))
    assert ten is not None
    assert (ten.median, ten.p90, ten.total) == (5.5, 9, 55)


def test_exact_limits_of_many_shares_are_those_of_each_to_the_last_bit() -> None:
    rng = random.Random(41)
    shares = [(n, size) for size in (8, 9, 24, 61) for n in range(size + 1)]
    shares += [(rng.randrange(size + 1), size) for size in rng.choices(range(8, 2500), k=300)]
    shares += [(n, 30_011) for n in (0, 1, 10_004, 30_010, 30_011)]
    rng.shuffle(shares)
    assert clopper_pearsons(shares) == [clopper_pearson(n, size) for n, size in shares]


def test_many_shares_are_refused_as_each_is() -> None:
    enough = [(n, 40) for n in range(41)]
    assert clopper_pearsons([*enough, (3, 7), (0, 0)])[-2:] == [clopper_pearson(3, 7), clopper_pearson(0, 0)]
    with pytest.raises(ValueError, match="41 of 40 is no share"):
        clopper_pearsons([*enough, (41, 40)])
