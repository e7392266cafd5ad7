"""Rules of estimates, comparisons, funnels, money and gates that are easy to get wrong; results by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from math import fsum
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core.errors import GateError, StrictError
from metrics_core.experiments.experiment import Experiment
from metrics_core.experiments.settings import Settings
from metrics_core.measurement.estimators import EXACT_UP_TO
from metrics_core.measurement.family import Context
from metrics_core.pricing import PriceTable, Rate
from metrics_core.results.comparison import Comparison
from site_src.publishing import gates
from tests.support.measured import CONTEXT, by_id, lines, measured

ARTEFACT = "graded=assertions"
TABLE = PriceTable("2026-07-05.yaml", "2026-07-05", None, {"alpha": Rate(2_000, 5_000, None)}, {})


def run(model: str, number: int, *, held: bool | None = True, **fields: Any) -> dict[str, Any]:
    """A run with a single assertion, which holds, fails, or is not known."""
    detail = [] if held is None else [["a", held]]
    return {
        "id": f"B{number}",
        "kind": "fix",
        "model": model,
        "change": None,
        "change_detail": detail,
        "regress": None,
        "changed_files": ["a.php"],
        "stamp": "2026-07-05T10:00:00Z",
        "rep": number,
        **fields,
    }


def arm(model: str, tasks: int, passed: int, **fields: Any) -> list[dict[str, Any]]:
    """Runs of tasks 1 to ``tasks``, of which the first ``passed`` hold."""
    return [run(model, n, held=n <= passed, **fields) for n in range(1, tasks + 1)]


def compared(
    records: list[dict[str, Any]], context: Context = CONTEXT, metric: str = "change"
) -> list[Comparison]:
    found = measured("brownfield", records, context).comparisons
    return [c for c in found if c.metric == metric and c.over == "model"]


def sensitivity(c: Comparison) -> dict[str, tuple[str, float | None]]:
    return {name: (verdict, difference) for name, verdict, difference in c.sensitivity}


# --- too few


def test_too_few_known_runs_refuse_every_comparison() -> None:
    (c,) = compared([*arm("alpha", 20, 20), *arm("beta", 7, 0)])
    assert (c.difference, c.interval.lo, c.p, c.p_adjusted, c.detectable) == (None,) * 5
    assert (c.verdict, c.paired_on, c.interval.reason) == ("cannot separate", 7, "too few valid runs")
    assert c.reason == "fewer than 8 valid runs on one side, so nothing is compared"
    (enough,) = compared([*arm("alpha", 20, 20), *arm("beta", 8, 0)])
    assert enough.difference == 1.0
    assert enough.verdict == "cannot separate"


def test_too_few_on_other_tasks_is_still_labelled_so() -> None:
    others = [run("beta", n) for n in range(30, 35)]
    (c,) = compared([*arm("alpha", 20, 20), *others])
    assert (c.difference, c.paired_on, c.making) == (None, None, "none, different tasks")


# --- sensitivity: the same comparison under other denominators


def test_sensitivity_fills_errors_and_unknown_runs_and_nothing_else() -> None:
    # alpha: 16 of 16 and four errors; beta: 4 of 16 and four unknown, on the same 20 tasks.
    alpha = arm("alpha", 16, 16) + [run("alpha", n, error="timed out") for n in range(17, 21)]
    beta = arm("beta", 16, 4) + [run("beta", n, held=None) for n in range(17, 21)]
    (c,) = compared([*alpha, *beta])
    told = sensitivity(c)
    assert c.difference == 0.75  # 12 of 16 common tasks
    assert told["errors counted as failures"][1] == 0.75  # beta's four are unknown: still 16 in common
    assert told["unknown counted against"][1] == 0.75  # alpha's four are errors: still 16 in common
    assert {verdict for verdict, _ in told.values()} == {"a above b"} == {c.verdict}


def test_sensitivity_adjusts_its_p_as_the_comparison_does() -> None:
    """With six arms a p of 0.02 separates no pair out of fifteen, under any denominator."""
    records = arm("a", 40, 40) + [
        r | {"change_detail": [["a", n > 8]]} for n, r in enumerate(arm("b", 40, 40), 1)
    ]
    for name in "cdef":
        records += arm(name, 40, 40)
    records += [run("a", 41, error="timed out"), run("b", 41, error="timed out")]
    context = replace(CONTEXT, settings=Settings(separation="paired"))
    (alone,) = compared([r for r in records if r["model"] in "ab"], context)
    assert alone.verdict == "a above b"
    found = next(c for c in compared(records, context) if (c.a, c.b) == ("a", "b"))
    assert found.holm_size == 15
    assert found.p is not None
    assert found.p * 15 > 0.05  # mid-p of 8 against 0 is 1/256, times the fifteen pairs
    assert found.verdict == "cannot separate"
    assert {verdict for verdict, _ in sensitivity(found).values()} == {"cannot separate"}


def test_a_failure_is_a_one_where_the_metric_speaks_against_the_arm() -> None:
    def attempts(model: str, breaches: int, errors: int) -> list[dict[str, Any]]:
        told = [n < breaches for n in range(20)]
        done = [
            {"scenario": f"s{n}", "model": model, "attack": "static", "security_breached": breached,
             "agent_invoked": True, "rep": n}
            for n, breached in enumerate(told)
        ]  # fmt: skip
        failed = [
            {"scenario": f"t{n}", "model": model, "attack": "static", "error": "gone", "rep": 100 + n}
            for n in range(errors)
        ]
        return done + failed

    found = measured("attempts", [*attempts("alpha", 10, 20), *attempts("beta", 10, 0)]).comparisons
    by_metric = {c.metric: sensitivity(c)["errors counted as failures"][1] for c in found}
    # alpha 10 of 20 breached and 20 errors, beta 10 of 20: an error is a breach, and no security. Of the
    # tasks that both ran nothing changes, so the pairs are compared on these.
    assert by_metric["attack_success"] == by_metric["security"] == 0.0
    apart = [a | {"scenario": f"{a['model']}-{a['scenario']}"} for a in
             [*attempts("alpha", 10, 20), *attempts("beta", 10, 0)]]  # fmt: skip
    found = measured("attempts", apart).comparisons
    by_metric = {c.metric: sensitivity(c)["errors counted as failures"][1] for c in found}
    assert by_metric["attack_success"] == pytest.approx(30 / 40 - 10 / 20)
    assert by_metric["security"] == pytest.approx(10 / 40 - 10 / 20)


# --- overlap and worst case


def test_the_worst_case_of_unknown_runs_can_take_a_separation_away() -> None:
    alpha, beta = arm("alpha", 40, 40), arm("beta", 40, 10)
    assert compared([*alpha, *beta])[0].verdict == "a above b"
    silent = [run("beta", n, held=None) for n in range(41, 161)]
    (c,) = compared([*alpha, *beta, *silent])
    assert c.verdict == "a above b"  # 130 of 160 at best, below 40 of 40
    also = [run("alpha", n, held=None) for n in range(41, 161)]
    (c,) = compared([*alpha, *beta, *silent, *also])
    assert (c.verdict, c.difference) == ("cannot separate", 0.75)
    assert c.reason == "the worst-case filling of the unknown verdicts reverses it"


def test_clusters_of_a_paired_difference_are_named() -> None:
    def traces(agent: str, passed: int) -> list[dict[str, Any]]:
        return [
            {"task_id": f"t{n}", "agent": agent, "scores": {"s": 0.25 if n < passed else 0.0}, "rep": n}
            for n in range(12)
        ]

    found = measured("traces", [*traces("a", 9), *traces("b", 3)]).comparisons
    (c,) = [c for c in found if c.metric == "score"]
    assert (c.method, c.interval.cluster, c.paired_on) == ("paired t", None, 12)
    assert c.difference == fsum([0.25] * 6) / 12


# --- a comparison asked for by name


@pytest.fixture
def experiment(tmp_path: Path) -> Experiment:
    (tmp_path / "e" / "logs_big").mkdir(parents=True)
    log = tmp_path / "e" / "logs_big" / "a.jsonl"
    log.write_bytes(
        lines(
            [
                *arm("alpha", 30, 30),
                *arm("beta", 30, 6),
                run("alpha", 40, error="gone", stamp="2026-07-06T10:00:00Z"),
            ]
        )
    )
    return mc.load(tmp_path / "e")


def test_a_comparison_is_given_the_way_round_that_was_asked_for(experiment: Experiment) -> None:
    report = mc.compute(experiment)
    there, back = mc.compare(report, "change", "alpha", "beta"), mc.compare(report, "change", "beta", "alpha")
    assert (there.a, there.b, there.difference, there.verdict) == ("alpha", "beta", 0.8, "a above b")
    assert (back.a, back.b, back.difference, back.verdict) == ("beta", "alpha", -0.8, "b above a")
    assert there.interval.lo is not None
    assert there.interval.hi is not None
    assert (back.interval.lo, back.interval.hi) == (-there.interval.hi, -there.interval.lo)
    assert (back.p, back.p_adjusted, back.detectable) == (there.p, there.p_adjusted, there.detectable)
    assert sensitivity(back)["errors counted as failures"] == ("b above a", -0.8)
    assert back.reversed() == there


def test_a_frame_carries_what_an_estimate_may_not_be_shown_without(experiment: Experiment) -> None:
    frame = mc.compute(experiment).frame().set_index("id")
    row = frame.loc[f"e/brownfield.done?model=alpha&{ARTEFACT}"]
    assert (row["n"], row["N"], row["attempts"], row["errors"]) == (30, 30, 31, 1)
    assert (row["bounds.lo"], row["bounds.hi"]) == (30 / 31, 1.0)
    assert (row["stamps.first"], row["stamps.last"]) == ("2026-07-05T10:00:00Z", "2026-07-06T10:00:00Z")


# --- funnels


def test_a_stage_carries_the_stamps_of_its_own_runs() -> None:
    early = run("alpha", 1, stamp="2026-07-01T10:00:00Z")
    late = run("beta", 2, stamp="2026-07-31T10:00:00Z")
    found = by_id(measured("brownfield", [early, late]))
    spans = {
        group: found[f"stage?{group}stage=attempts&{ARTEFACT}"].stamps
        for group in ("", "model=alpha&", "model=beta&")
    }
    assert spans == {
        "": ("2026-07-01T10:00:00Z", "2026-07-31T10:00:00Z"),
        "model=alpha&": ("2026-07-01T10:00:00Z", "2026-07-01T10:00:00Z"),
        "model=beta&": ("2026-07-31T10:00:00Z", "2026-07-31T10:00:00Z"),
    }


def test_unknown_runs_of_a_stage_stand_between_its_bounds() -> None:
    records = [
        run("alpha", 1),
        run("alpha", 2, held=False),
        run("alpha", 3, held=None),
        run("alpha", 4, error="x"),
    ]
    stage = by_id(measured("brownfield", records))[f"stage?stage=all%20assertions%20passed&{ARTEFACT}"]
    assert (stage.n, stage.N, stage.known, stage.unknown, stage.errors) == (1, 4, 2, 1, 1)
    assert (stage.value, stage.bounds) == (0.25, (0.25, 0.75))


# --- what stands in the data beside the interval that is drawn


@pytest.mark.parametrize(("runs", "counted"), [(EXACT_UP_TO, True), (EXACT_UP_TO + 1, False)])
def test_the_exact_bootstrap_stands_in_the_data_or_says_why_not(runs: int, counted: bool) -> None:
    records = [run("alpha", n % 60, held=n % 2 == 0, rep=n) for n in range(runs)]
    done = by_id(measured("brownfield", records))[f"done?{ARTEFACT}"]
    exact = dict(done.also)["exact percentile bootstrap"]
    assert (exact.lo is not None) is counted
    assert exact.reason == (None if counted else "more than 1000 runs: not counted out")


# --- money


def bill(number: int, model: str = "alpha", **fields: Any) -> dict[str, Any]:
    return {"task_id": f"t{number}", "agent": model, "rep": number, **fields}


def test_a_run_that_tells_neither_cost_nor_tokens_is_an_attempt_all_the_same() -> None:
    context = replace(CONTEXT, table=TABLE, newest=TABLE, tables=(TABLE,))
    records = [bill(1, prompt_tokens=1000, completion_tokens=100), bill(2)]
    cost = by_id(measured("traces", records, context))["cost?prices=2026-07-05&split=eval"]
    # 1000 * 2000 + 100 * 5000 femto-dollars
    assert (cost.value, cost.n, cost.N, cost.attempts, cost.unknown) == (2.5e-9, 1, 2, 2, 1)
    assert [loss.reason for loss in cost.losses] == ["no cost and no tokens recorded"]


def test_tokens_without_any_table_are_unknown_money_and_say_so() -> None:
    records = [bill(1, cost_usd=0.25), bill(2, prompt_tokens=1000, completion_tokens=100)]
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
    records = [bill(1, cost_usd=0.25), bill(2), bill(3)]
    (tmp_path / "e" / "traces" / "a.jsonl").write_bytes(lines(records))
    (row,) = mc.compute(mc.load(tmp_path / "e")).costs
    assert (row.recorded, row.recomputed, row.records, row.without_tokens) == (0.25, None, 3, 3)
    assert row.cause_words[-1] == "2 records without a recorded cost"


def test_where_nobody_tells_any_money_there_is_no_row_of_it(tmp_path: Path) -> None:
    (tmp_path / "e" / "traces").mkdir(parents=True)
    (tmp_path / "e" / "traces" / "a.jsonl").write_bytes(lines([bill(1), bill(2)]))
    report = mc.compute(mc.load(tmp_path / "e"))
    assert report.costs == ()
    assert "cost" not in {e.metric for e in report.estimates}


# --- what is told, and what stops a strict build


def test_a_malformed_card_is_a_problem_of_the_report_and_an_odd_file_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "e"
    (folder / "traces").mkdir(parents=True)
    (folder / "eval_pack").mkdir()
    (folder / "traces" / "a.jsonl").write_bytes(lines([bill(1)]))
    (folder / "traces" / "notes.txt").write_text("x")
    (folder / "eval_pack" / "tasks.json").write_text(json.dumps([{"id": "t1"}, {"id": 7}]))
    report = mc.compute(mc.load(folder))
    assert [(p.file, p.field) for p in report.problems] == [("eval_pack/tasks.json", "1/id")]
    assert "traces/notes.txt" in {f.file for f in report.findings}
    with pytest.raises(StrictError, match=r"tasks\.json#/1/id"):
        gates.check_report(replace(report, controls=()), strict=True)


def test_a_secret_that_was_taken_out_is_told_and_stops_nothing(experiment: Experiment) -> None:
    report = replace(mc.compute(experiment), controls=(), redacted=(("github-token", 2),))
    gates.check_report(report, strict=True)
    assert gates.check_publication([report], None)[-1] == "e: 2 x github-token redacted"


def test_a_contract_that_no_ledger_knows_is_a_note_at_a_build_and_stops_a_publication(
    experiment: Experiment,
) -> None:
    report = replace(mc.compute(experiment), controls=())
    unknown = replace(report.contracts[0], ref=replace(report.contracts[0].ref, id="nobody/knows"))
    report = replace(report, contracts=(unknown,))
    notes = gates.check_publication([report], None, strict=True)
    assert [note.partition(";")[0] for note in notes] == [
        "nobody/knows v1 is in no ledger yet",
        "this site has no ledger yet",
    ]
    with pytest.raises(GateError, match="in no ledger yet"):
        gates.check_publication([report], None, strict=True, publishing=True)
