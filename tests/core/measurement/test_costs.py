"""Costs: runs without cost or tokens, roles without tokens, and totals that leave records out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import metrics_core as mc
from metrics_core.pricing import PriceTable, Rate
from tests.support.measured import CONTEXT, by_id, lines, measured
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
    assert row.cause_words[-1] == "2 records without a recorded cost"


def test_where_nobody_tells_any_money_there_is_no_row_of_it(tmp_path: Path) -> None:
    (tmp_path / "e" / "traces").mkdir(parents=True)
    (tmp_path / "e" / "traces" / "a.jsonl").write_bytes(lines([unscored(1), unscored(2)]))
    report = mc.compute(mc.load(tmp_path / "e"))
    assert report.costs == ()
    assert "cost" not in {e.metric for e in report.estimates}
