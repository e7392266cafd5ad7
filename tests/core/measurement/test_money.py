"""Money: rates, amounts that agree, and the table whose name a cost bears."""

from __future__ import annotations

from metrics_core.measurement.family import Context, Spent
from metrics_core.measurement.tabulate import RECORDED_ONLY, Partial, _priced
from metrics_core.pricing import PriceTable, Rate, Usage, at_rate, close, cost, explain, femto
from metrics_core.results.keys import Keys

TABLE = PriceTable("t.yaml", "2026-07-05", None, {"a": Rate(100, 1000, 1)}, {})


def _stratum(recorded: int | None, usages: tuple[Usage, ...] | None, table: PriceTable | None) -> Keys:
    context = Context(experiment="e", table=table)
    return _priced(Partial(), Spent("a", Keys({"graded": "claims"}), recorded, usages), context).stratum


def test_more_cached_tokens_than_input_tokens_take_nothing_off():
    assert at_rate(Usage("a", 10, 40, 0), Rate(100, 1000, 1)) == 40
    assert at_rate(Usage("a", 10, 10, 2), Rate(100, 1000, 1)) == 2010
    assert at_rate(Usage("a", 10, 4, 0), Rate(100, 1000, None)) == 1000


def test_half_a_cost_is_no_cost():
    assert cost([Usage("a", 1, 0, 0), Usage("b", 0, 0, 1)], TABLE) is None
    assert cost([Usage("a", 1, 0, 0), Usage("b", 0, 1, 0)], TABLE) is None


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
    assert str(explain(used, 50 * 10**9 + 50, TABLE, [other])) == "other table: prices of 2026-01-01"
    cheap = PriceTable("c.yaml", "2026-07-05", None, {"a": Rate(10**9, 1000, 1)}, {})
    assert explain(used, 100 * 10**9, cheap, []) == "cached tokens were billed as input"
    assert explain(used, 0, cheap, []) == "recorded as 0.0 although tokens were used"


def test_recorded_money_without_tokens_bears_no_tables_date():
    used = (Usage("a", 1, 0, 0),)
    dated, recorded = ("prices", "2026-07-05"), ("prices", RECORDED_ONLY)
    assert recorded in _stratum(5, None, TABLE)  # no table can prove what was only written down
    assert dated in _stratum(5, used, TABLE)
    assert dated in _stratum(None, used, TABLE)
    assert dated in _stratum(None, None, TABLE)
    assert recorded in _stratum(5, used, None)
