"""Money: rates, amounts that agree, and what explains those that do not."""

from __future__ import annotations

import pytest

from metrics_core.pricing import PriceTable, Rate, Usage, at_rate, close, cost, explain, femto, why_unpriced
from metrics_core.results.codes import CostGap, NotKnown, OtherPrices

TABLE = PriceTable("t.yaml", "2026-07-05", None, {"a": Rate(100, 1000, 1)}, {})


def test_more_cached_tokens_than_input_tokens_come_to_no_amount():
    assert cost([Usage("a", 10, 40, 0)], TABLE) is None
    assert why_unpriced([Usage("a", 10, 40, 0)], TABLE) is NotKnown.MORE_CACHED_THAN_INPUT
    with pytest.raises(ValueError, match="40 cached of 10 input tokens"):
        at_rate(Usage("a", 10, 40, 0), Rate(100, 1000, 1))
    assert at_rate(Usage("a", 10, 10, 2), Rate(100, 1000, 1)) == 2010
    assert at_rate(Usage("a", 10, 4, 0), Rate(100, 1000, None)) == 1000


def test_cached_tokens_that_are_not_told_are_not_none():
    cheaper, alike, as_input = (
        PriceTable("t.yaml", "2026-07-05", None, {"a": Rate(100, 1000, cached)}, {})
        for cached in (1, 100, None)
    )
    used = [Usage("a", 10, None, 2)]
    assert why_unpriced(used, cheaper) is NotKnown.CACHED_NOT_RECORDED
    assert (cost(used, cheaper), cost(used, alike), cost(used, as_input)) == (None, 3000, 3000)
    assert cost([Usage("a", 0, None, 2)], cheaper) == 2000  # of no input none can be cached


def test_half_a_cost_is_no_cost():
    assert cost([Usage("a", 1, 0, 0), Usage("b", 0, 0, 1)], TABLE) is None
    assert why_unpriced([Usage("a", 1, 0, 0), Usage("b", 0, 1, 0)], TABLE) is NotKnown.UNPRICED_MODEL


def test_amounts_agree_within_one_percent_or_the_sixth_decimal():
    assert close(femto(0.000002), femto(0.0000029))  # a third apart, and the same in six decimals
    assert close(0, femto(0.000001))
    assert not close(0, femto(0.000001) + 1)
    assert close(femto(0.99), femto(1.0))
    assert not close(femto(0.99) - 1, femto(1.0))
    assert not close(femto(1.010001), femto(1.0))


def test_a_difference_is_explained_by_another_table_before_cached_tokens_are():
    other = PriceTable("o.yaml", "2026-01-01", None, {"a": Rate(10**9, 1000, 1)}, {})
    used = (Usage("a", 100, 50, 0),)
    assert explain(used, 50 * 10**9 + 50, TABLE, [other]) == OtherPrices("2026-01-01")
    cheap = PriceTable("c.yaml", "2026-07-05", None, {"a": Rate(10**9, 1000, 1)}, {})
    assert explain(used, 100 * 10**9, cheap, []) == CostGap.CACHED_AS_INPUT
    assert explain(used, 0, cheap, []) == CostGap.RECORDED_AS_ZERO
