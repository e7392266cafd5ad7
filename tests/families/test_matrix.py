"""The chat x coder matrix: classes of checks, sides of a pair, funnels that end where their checks end.

Expected values are counted by hand from the few records of each test; intervals are held against
statsmodels.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from statsmodels.stats.proportion import proportion_confint

import metrics_core as mc
from metrics_core.engine import reviews
from metrics_core.errors import ConfigError, PoolingError
from metrics_core.families.matrix.grading import class_of
from metrics_core.families.matrix.record import MatrixTurn, sides
from metrics_core.results.estimate import Estimate
from metrics_core.results.pooling import pool
from metrics_core.results.report import Report


def turn(
    script: str, index: int, passed: bool | None, kind: str | None = "exec_assert", **more: Any
) -> dict[str, Any]:
    return {
        "scenario_id": script,
        "turn_index": index,
        "rep": 1,
        "type": "coder",
        "check_kind": kind,
        "check_passed": passed,
        "check_note": "",
        "prompt_tokens": 1000,
        "completion_tokens": 100,
        "cached_tokens": 200,
        "cost_usd": 0.01,
        "latency_s": 2.0,
        "difficulty": 2,
        **more,
    }


def written(folder: Path, logs: dict[str, list[dict[str, Any]]], settings: str = "") -> Path:
    root = folder / "pairs"
    (root / "logs").mkdir(parents=True)
    for name, records in logs.items():
        text = "".join(json.dumps(record) + "\n" for record in records).encode()
        (root / "logs" / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    if settings:
        (root / "experiment.yaml").write_text(settings, "utf-8")
    return root


def report(folder: Path, logs: dict[str, list[dict[str, Any]]], settings: str = "") -> Report:
    return mc.compute(mc.load(written(folder, logs, settings)))


def one(found: Report, metric: str, check: str, **group: str) -> Estimate:
    """The estimate of exactly this group."""
    (e,) = [
        e
        for e in found.estimates
        if e.metric == metric and dict(e.group) == group and e.stratum["check"] == check
    ]
    return e


def stages(
    found: Report, check: str, **group: str
) -> list[tuple[str, int | None, list[tuple[str, str, int]]]]:
    (funnel,) = [f for f in found.funnels if dict(f.group) == group and dict(f.stratum) == {"check": check}]
    return [(s.name, s.estimate.n, [(x.state, x.reason, x.count) for x in s.losses]) for s in funnel.stages]


# ------------------------------------------------------------------------------- classes of checks


@pytest.mark.parametrize(
    "kind, expected",
    [
        ("exec", "executed"),
        ("exec_assert", "executed"),
        ("executed", "executed"),
        ("Execute", "executed"),
        ("assert", "executed"),
        ("assertions", "executed"),
        ("run", "executed"),
        ("run_tests", "executed"),
        ("py_compile", "syntax"),
        ("syntax", "syntax"),
        ("syntax-only", "syntax"),
        ("parse_json", "syntax"),
        (None, "none"),
        ("", "none"),
        ("none", "none"),
        ("rubric", "rubric"),
        ("compiled", "syntax"),
        ("LLM judge", "llm judge"),
        ("Rubric", "rubric"),
        ("NONE", "none"),
        ("my_exec", "my_exec"),
        ("run_lint", "run_lint"),
        ("executable_exists", "executable_exists"),
        ("exec_syntax", "syntax"),
        ("assertion_text_match", "assertion_text_match"),
        ("runtime", "runtime"),
        ("compile_and_run", "compile_and_run"),
        ("exec-python-tests", "executed"),
    ],
)
def test_kinds_map_to_classes_and_an_unmapped_kind_is_its_own(kind: str | None, expected: str) -> None:
    assert class_of(kind, {}) == expected


def test_the_experiment_maps_kinds_by_name_before_pattern_before_default() -> None:
    stated = {"exec_dry": "syntax", "lint*": "syntax", "none": "unchecked", "exec*": "executed by hand"}
    assert class_of("exec_dry", stated) == "syntax"
    assert class_of("lint-strict", stated) == "syntax"
    assert class_of("exec_assert", stated) == "executed by hand"
    assert class_of(None, stated) == "unchecked"
    assert class_of("run", stated) == "executed"
    assert class_of("EXEC_Dry", {"exec_dry": "Syntax"}) == "syntax"
    assert class_of("lint", {"lint": "House Style"}) == "House Style"


@pytest.mark.parametrize(
    "kind, key",
    [("py_compile", "py_compile"), ("Syntax", "syn*"), ("exec_syntax", "exec_syn*"), (None, "none")],
)
def test_what_is_known_to_run_nothing_is_never_executed(tmp_path: Path, kind: str | None, key: str) -> None:
    with pytest.raises(ValueError, match="it is never executed"):
        class_of(kind, {key: "executed"})
    assert class_of(kind, {key: "by hand"}) == "by hand"
    settings = f'title: x\ncheck_classes:\n  "{key}": executed\n'
    with pytest.raises(ConfigError) as refused:
        report(tmp_path, {"a__b.jsonl": [turn("s1", 0, True), turn("s1", 1, True, kind)]}, settings)
    assert refused.value.where == f"pairs/experiment.yaml:3#/check_classes/{key}"
    assert refused.value.problem.endswith("it is never executed")


def test_a_mapping_is_told_beside_every_number_of_its_class(tmp_path: Path) -> None:
    records = [turn("s1", 0, True, "smoke"), turn("s1", 1, True), turn("s1", 2, True, "py_compile")]
    found = report(tmp_path, {"a__b.jsonl": records}, "check_classes: {smoke: executed, unused: syntax}\n")
    said = '"smoke" counts as executed: so this experiment maps it'
    told = {(e.metric, e.stratum["check"]): e.notes for e in found.estimates}
    assert told[("check_pass", "executed")] == (said,)
    assert told[("check_pass", "syntax")] == ()
    (funnel,) = [f for f in found.funnels if not f.group and f.stratum["check"] == "executed"]
    assert {stage.estimate.notes for stage in funnel.stages} == {(said,)}


def test_two_kinds_in_one_file_are_never_pooled(tmp_path: Path) -> None:
    found = report(
        tmp_path,
        {
            "a__b.jsonl": [
                *(turn("s1", i, i < 3) for i in range(5)),
                *(turn("s2", i, True, "py_compile") for i in range(4)),
            ]
        },
    )
    executed, syntax = one(found, "check_pass", "executed"), one(found, "check_pass", "syntax")
    assert (executed.n, executed.N, executed.value) == (3, 5, 0.6)
    assert (syntax.n, syntax.N, syntax.value) == (4, 4, 1.0)
    with pytest.raises(PoolingError, match="check is 'executed' here and 'syntax' there"):
        pool(executed, syntax)
    assert {e.stratum.get("check") for e in found.estimates} == {"executed", "syntax"}, "no overall rate"


def test_experiment_yaml_moves_a_kind_to_another_class(tmp_path: Path) -> None:
    records = {"a__b.jsonl": [turn("s1", 0, True, "smoke"), turn("s1", 1, False, "smoke")]}
    assert one(report(tmp_path / "1", records), "check_pass", "smoke").N == 2
    mapped = report(tmp_path / "2", records, "check_classes: {smoke: executed}\n")
    assert (one(mapped, "check_pass", "executed").n, one(mapped, "check_pass", "executed").N) == (1, 2)


# ---------------------------------------------------------------------------------- sides of a pair


@pytest.mark.parametrize(
    "file, expected",
    [
        ("logs/alpha__beta.jsonl", ("alpha", "beta")),
        ("logs/alpha__beta.jsonl.zst", ("alpha", "beta")),
        ("logs/alpha__beta.parquet", ("alpha", "beta")),
        ("logs/a.v1__b-2.5.jsonl", ("a.v1", "b-2.5")),
        ("logs/everything.jsonl", (None, None)),
        ("logs/a__b__c.jsonl", (None, None)),
        ("logs/__beta.jsonl", (None, "beta")),
        ("x__y/plain.jsonl", (None, None)),
    ],
)
def test_sides_are_read_off_the_name_of_the_log(file: str, expected: tuple[str | None, str | None]) -> None:
    assert sides(MatrixTurn(scenario_id="s", turn_index=0), file) == expected


def test_the_record_wins_over_the_name_and_a_missing_side_is_told(tmp_path: Path) -> None:
    found = report(
        tmp_path,
        {
            "a__b.jsonl.gz": [turn("s1", 0, True), turn("s1", 1, True, chat="c")],
            "rest.jsonl": [turn("s2", 0, False, coder="b")],
        },
    )
    assert one(found, "check_pass", "executed", chat="a", coder="b").N == 1
    assert one(found, "check_pass", "executed", chat="c", coder="b").N == 1
    assert one(found, "check_pass", "executed", coder="b").N == 3
    assert [(p.file, p.line, p.field) for p in found.findings] == [("logs/rest.jsonl", 1, "chat")]


def test_every_group_of_the_table_is_given(tmp_path: Path) -> None:
    found = report(tmp_path, {"a__b.jsonl": [turn("s1", 10, True, type="chat", difficulty="hard")]})
    arms = ({"chat": "a"}, {"coder": "b"}, {"chat": "a", "coder": "b"}, {})
    within = ({}, {"difficulty": "hard"}, {"turn_index": "10"}, {"type": "chat"})
    for arm in arms:
        for more in within:
            assert one(found, "check_pass", "executed", **arm, **more).N == 1
    assert not [e for e in found.estimates if "model" in e.group.names], "a pair has two sides, and no model"


def test_an_alias_renames_a_side(tmp_path: Path) -> None:
    found = report(tmp_path, {"a__b.jsonl": [turn("s1", 0, True)]}, "models: {a: Alpha Large}\n")
    assert one(found, "check_pass", "executed", chat="Alpha Large", coder="b").n == 1


# ------------------------------------------------------------------------------------ counts, intervals


def test_unknown_errors_and_invalid_leave_the_denominator_and_stay_in_attempts(tmp_path: Path) -> None:
    records = [
        turn("s1", 0, True),
        turn("s1", 1, None),
        turn("s1", 2, False, error="provider down"),
        turn("s1", 3, "yes"),
        turn("s1", 4, True, "py_compile"),
    ]  # type: ignore[arg-type]
    found = report(tmp_path, {"a__b.jsonl": records})
    e = one(found, "check_pass", "executed")
    assert (e.n, e.N, e.attempts, e.known, e.unknown, e.errors, e.invalid) == (1, 1, 4, 1, 1, 1, 1)
    assert e.bounds == (1 / 4, 4 / 4)
    assert one(found, "check_pass", "executed", chat="a").invalid == 0
    assert one(found, "check_pass", "syntax").invalid == 1
    assert str(found.problems[0]) == 'logs/a__b.jsonl:4#/check_passed: expected bool or null, got "yes"'


def test_a_turn_that_nothing_checked_has_no_rate(tmp_path: Path) -> None:
    e = one(report(tmp_path, {"a__b.jsonl": [turn("s1", 0, None, None)]}), "check_pass", "none")
    assert (e.value, e.n, e.N, e.attempts, e.unknown) == (None, 0, 0, 1, 1)
    assert [(x.reason, x.count) for x in e.losses] == [("nothing was checked", 1)]


def test_turns_of_one_script_are_a_cluster_and_single_turns_are_none(tmp_path: Path) -> None:
    alone = report(tmp_path / "1", {"a__b.jsonl": [turn(f"s{i}", 0, i < 7) for i in range(10)]})
    lo, hi = proportion_confint(7, 10, method="wilson")
    interval = one(alone, "check_pass", "executed").interval
    assert (interval.lo, interval.hi) == (pytest.approx(lo), pytest.approx(hi))
    together = report(tmp_path / "2", {"a__b.jsonl": [turn(f"s{i % 5}", i, i % 5 < 3) for i in range(10)]})
    interval = one(together, "check_pass", "executed").interval
    assert (interval.cluster, interval.clusters, interval.few) == ("scenario", 5, True)
    assert interval.lo is not None
    assert interval.lo < proportion_confint(6, 10, method="wilson")[0], "whole scripts pass or fail: wider"


def test_fewer_than_eight_are_counts_and_all_passes_are_no_certainty(tmp_path: Path) -> None:
    few = one(
        report(tmp_path / "1", {"a__b.jsonl": [turn(f"s{i}", 0, True) for i in range(7)]}),
        "check_pass",
        "executed",
    )
    assert (few.value, few.headline, few.interval.lo) == (1.0, "counts", None)
    eight = one(
        report(tmp_path / "2", {"a__b.jsonl": [turn(f"s{i}", 0, True) for i in range(8)]}),
        "check_pass",
        "executed",
    )
    lo, _ = proportion_confint(8, 8, method="wilson")
    assert (eight.value, eight.interval.lo, eight.interval.hi) == (1.0, pytest.approx(lo), 1.0)


def test_a_record_with_a_repetition_that_stands_twice_is_counted_once(tmp_path: Path) -> None:
    again = turn("s1", 0, True)
    found = report(tmp_path, {"a__b.jsonl": [again, again, {**again, "rep": 2}]})
    assert (one(found, "check_pass", "executed").N, found.duplicates) == (2, 1)


def test_the_same_bytes_in_the_logs_of_two_pairs_are_two_turns(tmp_path: Path) -> None:
    same = turn("s1", 0, True)
    found = report(
        tmp_path, {"a__b.jsonl": [same, same], "a__c.jsonl": [same], "x.jsonl": [{**same, "coder": "c"}]}
    )
    assert (one(found, "check_pass", "executed").N, found.duplicates) == (3, 1)
    assert one(found, "check_pass", "executed", chat="a").N == 2


def test_chats_and_coders_are_compared_within_a_class(tmp_path: Path) -> None:
    logs = {
        f"{chat}__{coder}.jsonl": [
            turn(f"s{i}", t, coder == "x" or (t == 0 and i % 4 > 0)) for i in range(24) for t in range(2)
        ]
        for chat in ("a", "b")
        for coder in ("x", "y")
    }
    found = report(tmp_path, logs)
    by_over = {c.over: c for c in found.comparisons}
    assert set(by_over) == {"chat", "coder"}
    assert (by_over["chat"].difference, by_over["chat"].verdict) == (0.0, "cannot separate")
    assert (by_over["coder"].a, by_over["coder"].b, by_over["coder"].paired_on) == ("x", "y", 24)
    assert by_over["coder"].difference == pytest.approx(1 - 18 / 48)
    assert by_over["coder"].verdict == "a above b"


def test_the_escalation_curve_is_in_order_of_turns(tmp_path: Path) -> None:
    found = report(tmp_path, {"a__b.jsonl": [turn("s1", i, i < 9) for i in range(12)]})
    (grid,) = [g for g in found.grids if g.axes == ("turn_index",)]
    assert grid.levels("turn_index") == tuple(str(i) for i in range(12))
    assert [e.axes for e in found.grids if set(e.axes) == {"chat", "coder"}]


# ------------------------------------------------------------------------------------------- funnels


def test_executed_turns_are_lost_where_the_check_says_so(tmp_path: Path) -> None:
    found = report(
        tmp_path,
        {
            "a__b.jsonl": [
                turn("s1", 0, True),
                turn("s1", 1, False, check_note="AssertionError: 3 != 4"),
                turn("s1", 2, False),
                turn("s1", 3, False, check_note="  File x\nIndentationError: unexpected indent"),
                turn("s1", 4, False, check_note="No code found"),
                turn("s1", 5, False, completion_tokens=0),
                turn("s1", 6, None),
                turn("s1", 7, None, completion_tokens=None),
                turn("s1", 8, True, error="provider down"),
            ]
        },
    )
    assert stages(found, "executed", chat="a") == [
        ("attempts", 9, []),
        (
            "answered",
            6,
            [
                ("error", "the turn itself failed", 1),
                ("known", "no answer", 1),
                ("unknown", "neither tokens nor a verdict recorded", 1),
            ],
        ),
        (
            "code extracted",
            4,
            [("known", "no code in the answer", 1), ("unknown", "the check gave no verdict", 1)],
        ),
        ("compiles", 3, [("known", "it does not compile", 1)]),
        ("executed", 3, []),
        ("assertions hold", 1, [("known", "an assertion failed, or the run did", 2)]),
    ]


def test_a_turn_that_was_only_compiled_ends_at_compiles_and_is_not_lost(tmp_path: Path) -> None:
    found = report(
        tmp_path,
        {
            "a__b.jsonl": [
                turn("s1", 0, True, "py_compile"),
                turn("s1", 1, False, "py_compile"),
                turn("s1", 2, True, "rubric"),
                turn("s1", 3, None, None, type="chat"),
            ]
        },
    )
    assert [(name, n) for name, n, _ in stages(found, "syntax")] == [
        ("attempts", 2),
        ("answered", 2),
        ("code extracted", 2),
        ("compiles", 1),
    ]
    judged = [("attempts", 1, []), ("answered", 1, []), ("check passed", 1, [])]
    assert stages(found, "rubric", coder="b") == judged
    assert stages(found, "none", chat="a", coder="b") == [("attempts", 1, []), ("answered", 1, [])]


def test_a_funnel_ends_with_the_verdict_of_its_checks(tmp_path: Path) -> None:
    """A rubric's answers are not all that it is about: its last stage counts what its share counts."""
    turns = [turn("s1", at, passed, "rubric") for at, passed in enumerate((True, True, False, None))]
    found = report(tmp_path, {"a__b.jsonl": turns})
    lost = [("known", "the check did not pass", 1), ("unknown", "the check gave no verdict", 1)]
    assert stages(found, "rubric", chat="a")[1:] == [
        ("answered", 4, []),
        ("check passed", 2, lost),
    ]
    (share,) = [e for e in found.estimates if e.metric == "check_pass" and dict(e.group) == {"chat": "a"}]
    assert (share.n, share.unknown) == (2, 1)


# --------------------------------------------------------------------------------------------- money

PRICES = """\
fetched: 2026-07-05
currency: USD
per: 1000000
models:
  a: {input: 10.0, output: 100.0, cached: 1.0}
"""


def test_a_turn_is_billed_to_the_model_that_took_it_and_an_unpriced_one_is_not_free(tmp_path: Path) -> None:
    root = written(
        tmp_path,
        {
            "a__b.jsonl": [
                turn("s1", 0, True, type="chat"),
                turn("s1", 1, True),
                turn("s1", 2, True, type=None),
            ]
        },
    )
    (root / "pricing").mkdir()
    (root / "pricing" / "2026-07-05.yaml").write_text(PRICES, "utf-8")
    found = mc.compute(mc.load(root))
    rows = {row.model: row for row in found.costs}
    assert set(rows) == {"a", "b", "not recorded"}
    # 800 fresh tokens at 10, 200 cached at 1, 100 out at 100 USD a million
    assert rows["a"].recomputed == pytest.approx(0.0182)
    assert (rows["b"].recomputed, rows["b"].unpriced_records) == (None, 1)
    assert rows["not recorded"].without_tokens == 1
    (priced,) = [
        e for e in found.estimates if e.metric == "cost" and e.prices == "2026-07-05" and not e.group
    ]
    assert (priced.value, priced.n, priced.N) == (pytest.approx(0.0182), 1, 2)


def test_time_and_tokens_are_context(tmp_path: Path) -> None:
    found = report(
        tmp_path,
        {
            "a__b.jsonl": [
                turn("s1", 0, True, latency_s=3.0),
                turn("s1", 1, True, latency_s=5.0),
                turn("s1", 2, True, latency_s=None),
            ]
        },
    )
    latency, tokens = one(found, "latency", "executed"), one(found, "tokens", "executed", chat="a")
    assert (latency.value, latency.n, latency.N, latency.unit) == (4.0, 2, 3, "s")
    assert (tokens.value, tokens.n, tokens.N) == (1100.0, 3, 3)


# ---------------------------------------------------------------------------- contradictions, reviews


def test_records_that_contradict_themselves_are_named(tmp_path: Path) -> None:
    found = report(
        tmp_path, {"a__b.jsonl": [turn("s1", 0, True, completion_tokens=0), turn("s1", 1, True, None)]}
    )
    assert [(p.line, p.field) for p in found.findings] == [(1, "completion_tokens"), (2, "check_kind")]


def test_a_review_says_which_check_it_was_and_what_it_does_not_establish(tmp_path: Path) -> None:
    root = written(
        tmp_path,
        {"a__b.jsonl": [turn("s1", 0, True, "py_compile"), turn("s1", 1, False, check_note="boom")]},
        "names: {s1: A till}\n",
    )
    compiled, failed = reviews(mc.load(root))
    (verdict,) = compiled.verdicts
    assert compiled.title == "A till, turn 0"
    assert "py_compile: class syntax" in [step.text for step in verdict.chain]
    assert "never run" in verdict.silent
    assert compiled.facets == ("passed", "syntax only")
    assert compiled.lost == ()
    assert [loss[:3] for loss in failed.lost] == [
        ("assertions hold", "known", "an assertion failed, or the run did")
    ]
    assert [step.text for step in failed.verdicts[0].chain][-1] == "boom"
    assert (failed.verdicts[0].n, failed.verdicts[0].N, failed.verdicts[0].good) == (0, 1, False)


def test_a_type_that_is_neither_side_is_invalid(tmp_path: Path) -> None:
    found = report(tmp_path, {"a__b.jsonl": [turn("s1", 0, True), turn("s1", 1, True, type="judge")]})
    assert str(found.problems[0]) == 'logs/a__b.jsonl:2#/type: expected one of chat, coder, got "judge"'


def test_a_note_of_a_turn_that_failed_is_not_what_a_check_found(tmp_path: Path) -> None:
    turns = [turn("s1", 1, False, error="timed out", check_note="3 rows"), turn("s1", 2, True, "rubric")]
    failed, asked = reviews(mc.load(written(tmp_path, {"a__b.jsonl": turns})))
    assert [(step.name, step.ends) for step in failed.verdicts[0].chain] == [("Run", True)]
    assert asked.verdicts[0].silent == (
        "More than the outcome of a rubric check, of which nothing states what it establishes"
    )
