"""Quantiles and p-values against scipy, over ranges and at the golden points."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from scipy import special, stats

from metrics_core.statistics.distributions import inverse_beta, regularised_beta, t_p_value, t_quantile
from metrics_core.statistics.t_table import T_975, Z_800, Z_975


def test_golden_quantiles(shared_data: Path) -> None:
    golden = json.loads((shared_data / "golden" / "statistics.json").read_text())
    assert golden["z_0.975"] == Z_975
    for df, expected in golden["t_0.975"].items():
        assert t_quantile(int(df)) == pytest.approx(expected, abs=5e-13)


def test_the_table_is_scipys() -> None:
    assert len(T_975) == 200
    for df, quantile in enumerate(T_975, start=1):
        assert quantile == pytest.approx(stats.t.ppf(0.975, df), rel=1e-13)
    assert pytest.approx(stats.norm.ppf(0.8), rel=1e-15) == Z_800


@given(st.floats(201, 1e9))
def test_beyond_the_table_the_expansion_holds(df: float) -> None:
    assert t_quantile(df) == pytest.approx(stats.t.ppf(0.975, df), abs=5e-12)


@given(st.floats(1, 1e6), st.floats(1, 1e6))
def test_more_degrees_of_freedom_never_widen(a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert t_quantile(low) >= t_quantile(high) > Z_975


@pytest.mark.parametrize("df", [0, 0.99, -3, math.nan])
def test_no_degrees_of_freedom_no_quantile(df: float) -> None:
    with pytest.raises(ValueError, match="degrees of freedom"):
        t_quantile(df)


@given(st.floats(-60, 60), st.integers(1, 2000))
def test_p_values_are_scipys(statistic: float, df: int) -> None:
    expected = 2 * stats.t.sf(abs(statistic), df)
    assert t_p_value(statistic, df) == pytest.approx(expected, rel=1e-10, abs=1e-290)


def test_p_values_at_the_ends() -> None:
    assert t_p_value(0.0, 3) == 1.0
    assert t_p_value(math.inf, 3) == 0.0
    assert t_p_value(1e200, 1) == 0.0
    assert t_p_value(2.0, 7) == t_p_value(-2.0, 7)
    assert t_p_value(1.0, 1) == pytest.approx(0.5, rel=1e-15)  # Cauchy: half lies beyond 1


@pytest.mark.parametrize("df", [1, 5, 19, 100, 200])
def test_the_quantile_and_the_p_value_agree(df: int) -> None:
    assert t_p_value(t_quantile(df), df) == pytest.approx(0.05, rel=1e-12)


def test_what_has_no_p_value() -> None:
    with pytest.raises(ValueError, match="not a number"):
        t_p_value(math.nan, 3)
    with pytest.raises(ValueError, match="degrees of freedom"):
        t_p_value(1.0, 0)


@given(st.floats(0, 1), st.integers(1, 4000), st.integers(1, 4000))
def test_the_incomplete_beta_function_is_scipys(x: float, a2: int, b2: int) -> None:
    # Where a and b are large, the rounding of 1 - x alone moves the result by about a / 2^52. SciPy, which is
    # given no 1 - x, is off by up to 3e-9 next to x = 1, and exact from the other side.
    got = regularised_beta(x, 1.0 - x, a2, b2)
    one_side, other_side = special.betainc(a2 / 2, b2 / 2, x), 1.0 - special.betainc(b2 / 2, a2 / 2, 1.0 - x)
    assert got in (pytest.approx(one_side, rel=1e-9, abs=1e-280), pytest.approx(other_side, rel=1e-9))
    assert 0.0 <= got <= 1.0


def test_the_arcsine_law_next_to_its_end() -> None:
    """Half and half is the arcsine law, whose tail is known: 1 - 2/pi asin(sqrt(1 - x))."""
    x = 1.0 - 2.0**-53
    tail = 2.0 / math.pi * math.asin(math.sqrt(1.0 - x))
    assert regularised_beta(x, 1.0 - x, 1, 1) == pytest.approx(1.0 - tail, rel=1e-15)


@pytest.mark.parametrize(
    ("x", "y", "a2", "b2"), [(0.5, 0.5, 0, 1), (0.5, 0.5, 1, 0), (1.5, 0.5, 2, 2), (-0.1, 1, 2, 2)]
)
def test_parameters_out_of_range(x: float, y: float, a2: int, b2: int) -> None:
    with pytest.raises(ValueError, match="expected"):
        regularised_beta(x, y, a2, b2)


def test_huge_parameters_do_not_overflow() -> None:
    mantissa, exponent = inverse_beta(20_000, 20_000)
    assert exponent > 1023 * 10  # far beyond a float
    assert 0.5 <= mantissa < 1.0
    assert regularised_beta(0.5, 0.5, 20_000, 20_000) == pytest.approx(0.5, rel=1e-11)
    assert regularised_beta(1e-9, 1 - 1e-9, 20_000, 20_000) == 0.0


def scaled_at_every_step(a2: int, b2: int) -> tuple[float, int]:
    """The plain form: no number ever leaves 1/2..1."""
    a, b = 2 - a2 % 2, 2 - b2 % 2
    mantissa, exponent = math.frexp({2: 1 / math.pi, 3: 0.5, 4: 1.0}[a + b])
    while a < a2:
        mantissa, carry = math.frexp(mantissa * (a + b) / a)
        exponent, a = exponent + carry, a + 2
    while b < b2:
        mantissa, carry = math.frexp(mantissa * (a + b) / b)
        exponent, b = exponent + carry, b + 2
    return mantissa, exponent


@given(st.integers(1, 3000), st.integers(1, 3000))
def test_how_often_it_is_scaled_moves_no_bit(a2: int, b2: int) -> None:
    assert inverse_beta(a2, b2) == scaled_at_every_step(a2, b2)
