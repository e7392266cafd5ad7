"""Costs: runs without cost or tokens, roles without tokens, and totals that leave records out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

import metrics_core as mc
from metrics_core.measurement.costs import cost_rows
from metrics_core.measurement.family import Context
from metrics_core.pricing import PriceTable, Rate
from metrics_core.results.shapes import CostRow
from site_src.wording.clauses import cost_clause
from tests.support.measured import CONTEXT, by_id, lines, measured, tabulated
from tests.support.small_runs import run, unscored

TABLE = PriceTable("2026-07-05.yaml", "2026-07-05", None, {"alpha": Rate(2_000, 5_000, None)}, {})


def test_a_run_that_tells_neither_cost_nor_tokens_is_an_attempt_all_the_same() -> None:
    context = replace(CONTEXT, table=TABLE, newest=TABLE, tables=(TABLE,))
    records = [unscored(1, prompt_tokens=1000, completion_tokens=100), unscored(2)]
    cost = by_id(measured("traces", records, context))["cost?prices=2026-07-05&split=eval"]
    # 1000 * 2000 + 100 * 5000 femto-dollars
    assert (cost.value, cost.n, cost.N, cost.attempts, cost.unknown) == (2.5e-9, 1, 2, 2, 1)
    assert [loss.reason for loss in cost.losses] == ["no cost and no tokens recorded"]


def test_tokens_without_any_table_are_unknown_money_and_say_so() -> None:
    records = [unscored(1, cost_usd=0.25), unscored(2, prompt_tokens=1000, completion_tokens=100)]
    cost = by_id(measured("traces", records))["cost?prices=recorded%2C%20no%20table&split=eval"]
    assert (cost.value, cost.n, cost.N) == (0.25, 1, 2)
    assert [loss.reason for loss in cost.losses] == ["no price table"]


def test_a_role_that_used_no_token_needs_no_price() -> None:
    roles = {
        "primary": {"input_tokens": 0, "output_tokens": 0},
        "coder": {"input_tokens": 10, "output_tokens": 2},
    }
    used = {"metrics": {"by_role": roles}, "continuation": "alpha"}
    context = replace(CONTEXT, table=TABLE, newest=TABLE, tables=(TABLE,))
    cost = by_id(measured("brownfield", [run("nobody", 1, **used)], context))
    assert cost["cost?graded=assertions&prices=2026-07-05"].value == 3e-11  # 10 * 2000 + 2 * 5000


def test_a_recorded_total_says_how_many_records_it_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "e" / "traces").mkdir(parents=True)
    records = [unscored(1, cost_usd=0.25), unscored(2), unscored(3)]
    (tmp_path / "e" / "traces" / "a.jsonl").write_bytes(lines(records))
    (row,) = mc.compute(mc.load(tmp_path / "e")).costs
    assert (row.recorded, row.recomputed, row.records, row.without_tokens) == (0.25, None, 3, 3)
    assert row.cause_words == ("1 record without tokens", "2 records with neither cost nor tokens")


def test_where_nobody_tells_any_money_there_is_no_row_of_it(tmp_path: Path) -> None:
    (tmp_path / "e" / "traces").mkdir(parents=True)
    (tmp_path / "e" / "traces" / "a.jsonl").write_bytes(lines([unscored(1), unscored(2)]))
    report = mc.compute(mc.load(tmp_path / "e"))
    assert report.costs == ()
    assert "cost" not in {e.metric for e in report.estimates}


PRICED = {"prompt_tokens": 1_000_000, "completion_tokens": 0}
"""Tokens that come to 1 USD."""
DOLLAR = PriceTable("2026-07-05.yaml", "2026-07-05", None, {"agent-1": Rate(10**9, 10**9, None)}, {})
DATED = replace(CONTEXT, table=DOLLAR, newest=DOLLAR, tables=(DOLLAR,))


def _row(records: list[dict[str, Any]], context: Context = DATED) -> CostRow:
    (row,) = cost_rows([tabulated("traces", records, context).costs], [], context)
    return row


def test_runs_without_cost_and_tokens_are_unknown_in_the_stratum_of_their_arm() -> None:
    """Five runs with a recorded cost, five with nothing, and a price table at hand: 5 of 10, never 5 of 5."""
    records = [run("alpha", at, **({"cost": 0.5} if at <= 5 else {})) for at in range(1, 11)]
    found = by_id(measured("brownfield", records, DATED))
    (cost,) = (e for name, e in found.items() if name.startswith("cost?graded"))
    assert (cost.prices, cost.n, cost.N, cost.attempts, cost.unknown) == ("recorded, no table", 5, 10, 10, 5)


def test_an_arm_that_tells_no_money_is_counted_beside_those_that_do() -> None:
    told = [unscored(at, agent="alpha", cost_usd=0.5) for at in range(1, 4)]
    silent = [unscored(at, agent="beta") for at in range(4, 6)]
    found = by_id(measured("traces", [*told, *silent], DATED))
    stratum = "prices=recorded%2C%20no%20table&split=eval"
    assert (found[f"cost?{stratum}"].n, found[f"cost?{stratum}"].attempts) == (3, 5)
    beta = found[f"cost?model=beta&{stratum}"]
    assert (beta.value, beta.n, beta.N, beta.unknown) == (None, 0, 2, 2)


def test_an_arm_that_tells_no_money_goes_where_a_table_prices_the_others() -> None:
    told = [unscored(at, agent="agent-1", **PRICED) for at in range(1, 4)]
    silent = [unscored(at, agent="beta") for at in range(4, 6)]
    found = by_id(measured("traces", [*told, *silent], DATED))
    whole = found["cost?prices=2026-07-05&split=eval"]
    assert (whole.n, whole.attempts) == (3, 5)
    assert (found["cost?model=beta&prices=2026-07-05&split=eval"].unknown) == 2


def test_runs_that_no_table_prices_stay_beside_those_whose_cost_was_written_down() -> None:
    told = [unscored(at, agent="alpha", cost_usd=0.5) for at in range(1, 4)]
    unpriced = [unscored(at, agent="beta", **PRICED) for at in range(4, 6)]
    found = by_id(measured("traces", [*told, *unpriced], DATED))
    beta = found["cost?model=beta&prices=2026-07-05&split=eval"]
    assert (beta.value, beta.unknown, str(beta.losses[0].reason)) == (None, 2, "unpriced model")


def test_sums_that_stand_together_are_over_the_same_records() -> None:
    """Five runs of 1 USD by tokens and by record; five of 7 USD by record alone: 5 beside 5, 35 left out."""
    both = [unscored(at, agent="agent-1", cost_usd=1.0, **PRICED) for at in range(1, 6)]
    alone = [unscored(at, agent="agent-1", cost_usd=7.0) for at in range(6, 11)]
    row = _row([*both, *alone])
    assert (row.recorded, row.recomputed, row.compared, row.records, row.agree) == (5.0, 5.0, 5, 10, 5)
    assert row.cause_words == ("5 records without tokens are left out: recorded 35.00 USD",)


def test_of_sums_that_share_no_record_only_one_is_given() -> None:
    tokens = [unscored(at, agent="agent-1", **PRICED) for at in range(1, 6)]
    recorded = [unscored(at, agent="agent-1", cost_usd=7.5) for at in range(6, 11)]
    row = _row([*tokens, *recorded])
    assert (row.recorded, row.recomputed, row.compared) == (37.5, None, 0)
    assert row.cause_words == (
        "5 records without tokens",
        "5 records without a recorded cost are left out: their tokens come to 5.00 USD",
    )


def test_one_record_is_spoken_of_in_the_singular() -> None:
    records = [unscored(1, agent="agent-1", cost_usd=1.0, **PRICED), unscored(2, agent="agent-1", **PRICED)]
    (words,) = _row(records).cause_words
    assert words == "1 record without a recorded cost is left out: its tokens come to 1.00 USD"


def test_a_cost_of_0_for_tokens_that_nothing_prices_is_not_known_to_be_free() -> None:
    zero = [unscored(at, agent="delta", cost_usd=0.0, **PRICED) for at in range(1, 4)]
    row = _row(zero)
    assert (row.recorded, row.recomputed, row.recorded_as_zero) == (0.0, None, 3)
    assert row.cause_words == (
        "3 records: unpriced model",
        "3 records: recorded as 0 although tokens were used: not known to be free",
    )
    assert cost_clause(row) == "delta recorded 0.00 USD (not known to be free) (0/3 records priced)"
    cost = by_id(measured("traces", zero))["cost?prices=recorded%2C%20no%20table&split=eval"]
    assert (cost.value, cost.unknown) == (None, 3)  # no table at all: the 0 proves no more


def test_more_cached_than_input_tokens_is_told_and_prices_nothing() -> None:
    found = tabulated("traces", [unscored(1, agent="agent-1", cached_tokens=2_000_000, **PRICED)], DATED)
    assert [p.what for p in found.findings] == [
        "2000000 cached tokens of agent-1, but only 1000000 input tokens: what they cost is not known"
    ]
    (row,) = cost_rows([found.costs], [], DATED)
    assert (row.recomputed, row.unpriced_records) == (None, 1)
    assert row.cause_words == ("1 record: more cached tokens recorded than input tokens",)


def test_roles_that_contradict_the_run_are_told() -> None:
    roles = {
        "primary": {"input_tokens": 999_999, "output_tokens": 10, "cost_usd": 0.25},
        "coder": {"input_tokens": 1, "output_tokens": 10, "cost_usd": 0.25},
    }
    whole = {"input_tokens": 2000, "output_tokens": 20, "cost_usd": 0.500001, "by_role": roles}
    found = tabulated("brownfield", [run("alpha", 1, metrics=whole, continuation="beta")])
    assert [(p.field, p.what) for p in found.findings] == [
        ("metrics/input_tokens", "recorded 2000, but its roles add up to 1000000")
    ]


def test_a_layer_whose_cost_was_not_recorded_is_an_attempt_of_that_layer() -> None:
    """Six requests of a pipeline; its last layer tells a cost in two of them, a price table is at hand."""
    records = [
        {
            "measurement": "total",
            "scenario_id": f"s{at}",
            "rep": at,
            "l1": "a",
            "l2": "b",
            "l3": "c",
            "passed": True,
            "l1_cost": 0.001,
            "l3_cost": 0.02 if at < 2 else None,
        }
        for at in range(6)
    ]
    found = measured("layered", records, DATED).estimates
    (cost,) = (e for e in found if e.metric == "cost" and not e.group and e.stratum.get("layer") == "l3")
    assert (cost.prices, cost.n, cost.N, cost.unknown) == ("recorded, no table", 2, 6, 4)
