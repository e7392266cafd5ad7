"""Ratios of costs and of 95th percentiles, and the tests beside them: golden values, scipy, coverage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import optimize, stats

from metrics_core.statistics.differences import cost_ratio
from metrics_core.statistics.distributions import f_p_value, one_sided
from metrics_core.statistics.exact_tests import fisher_exact
from metrics_core.statistics.order_statistics import TailQuantile, tail_quantile, tail_ratio
from tests.support.by_day import at_night


@pytest.fixture
def golden(shared_data: Path) -> list[dict[str, Any]]:
    return json.loads((shared_data / "golden" / "second.json").read_text())["cases"]


def beginning(golden: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    found = [case for case in golden if case["name"].startswith(name)]
    assert found
    return found


def test_golden_cost_ratio(golden: list[dict[str, Any]]) -> None:
    for case in beginning(golden, "cost ratio"):
        value, limits = cost_ratio(case["inputs"]["baseline"], case["inputs"]["candidate"])
        assert value == pytest.approx(case["expected"]["ratio"], abs=1e-9)
        assert [limits.lo, limits.hi] == pytest.approx(case["expected"]["interval95"], abs=1e-9)


def test_golden_percentiles_and_their_ratio(golden: list[dict[str, Any]]) -> None:
    for case in beginning(golden, "p95 of"):
        found = tail_quantile([[float(n)] for n in range(1, case["inputs"]["n"] + 1)])
        expected = case["expected"]
        assert found == TailQuantile(expected["point"], expected["lower"], expected["upper"])
    for case in beginning(golden, "ratio of two quantiles"):
        a, b = (TailQuantile(*case["inputs"][side]) for side in ("baseline", "candidate"))
        value, limits = tail_ratio(a, b)
        assert value == pytest.approx(case["expected"]["ratio"], abs=1e-9)
        assert [limits.lo, limits.hi] == pytest.approx(case["expected"]["interval95"], abs=1e-9)


def test_fieller_is_the_inverted_t_test() -> None:
    random = np.random.default_rng(11)
    a = random.gamma(2.0, 0.05, 25)
    b = a * random.lognormal(0.1, 0.3, 25)
    _, limits = cost_ratio(a.tolist(), b.tolist())

    def statistic(ratio: float) -> float:
        return float(stats.ttest_1samp(b - ratio * a, 0.0).statistic)

    t, middle = stats.t.ppf(0.975, 24), b.mean() / a.mean()
    assert limits.lo == pytest.approx(optimize.brentq(lambda r: statistic(r) - t, 0.1, middle), abs=1e-9)
    assert limits.hi == pytest.approx(optimize.brentq(lambda r: statistic(r) + t, middle, 9.0), abs=1e-9)


@pytest.mark.parametrize("tasks", [5, 20, 33, 60])
def test_one_ratio_everywhere_has_no_interval_whatever_its_last_bits(tasks: int) -> None:
    """Costs such as 0.01 * 1.025: three times as much is rounded task by task."""
    baseline = [0.01 * (1 + n / 40) for n in range(tasks)]
    value, limits = cost_ratio(baseline, [3 * usd for usd in baseline])
    assert value == pytest.approx(3.0)
    assert (limits.lo, limits.reason) == (None, "every task has the same ratio")


def test_no_ratio_to_nothing_and_no_interval_where_all_agree() -> None:
    assert cost_ratio([0.0, 0.0], [1.0, 2.0])[0] is None
    assert cost_ratio([1.0], [2.0])[0] is None
    value, limits = cost_ratio([1.0, 2.0] * 5, [2.0, 4.0] * 5)
    assert (value, limits.lo, limits.reason) == (2.0, None, "every task has the same ratio")
    few = [[float(n)] for n in range(1, 60)]
    value, limits = tail_ratio(tail_quantile(few), tail_quantile(few))
    assert value == 1.0
    assert limits.lo is None
    assert "72" in (limits.reason or "")


def test_repeats_that_agree_are_worth_their_tasks() -> None:
    repeated = [[float(n)] * 5 for n in range(1, 101)]
    once = tail_quantile([[float(n)] for n in range(1, 101)])
    again = tail_quantile(repeated)
    assert once is not None
    assert again is not None
    assert again.point == once.point
    assert again.lo <= once.lo + 1
    assert again.hi is not None
    assert once.hi is not None
    assert again.hi >= once.hi - 1


@at_night("golden values of percentiles and of their ratio")
def test_percentile_limits_cover() -> None:
    random, covered = np.random.default_rng(3), 0
    true = float(stats.lognorm(0.6).ppf(0.95))
    for _ in range(400):
        found = tail_quantile([[float(x)] for x in random.lognormal(0.0, 0.6, 200)])
        assert found is not None
        assert found.hi is not None
        covered += found.lo <= true <= found.hi
    assert 0.93 <= covered / 400 <= 0.995


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_fisher_is_scipys(first: int, second: int, data: st.DataObject) -> None:
    a, b = data.draw(st.integers(0, first)), data.draw(st.integers(0, second))
    expected = stats.fisher_exact([[a, first - a], [b, second - b]]).pvalue
    assert fisher_exact(a, first, b, second) == pytest.approx(expected, rel=1e-6)


@given(st.floats(-6, 6), st.sampled_from([None, 1, 5, 59]))
def test_one_sided_is_scipys(statistic: float, df: int | None) -> None:
    expected = stats.norm.cdf(statistic) if df is None else stats.t.cdf(statistic, df)
    assert one_sided(statistic, df) == pytest.approx(expected, abs=2e-7)


@given(st.floats(0, 20), st.integers(1, 9), st.integers(1, 200))
def test_f_is_scipys(statistic: float, df1: int, df2: int) -> None:
    assert f_p_value(statistic, df1, df2) == pytest.approx(stats.f.sf(statistic, df1, df2), abs=1e-9)
