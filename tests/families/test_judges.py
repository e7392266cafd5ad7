"""Judges beside raters: what each figure is, by hand and by golden values, and where labels are found."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core.engine import counted_runs, reviews
from metrics_core.families.judges import FAMILY
from metrics_core.families.judges.fixtures import _table as table
from metrics_core.results import Estimate, Report
from site_src.verification.rereading import RunsByKeys, outcomes

JUDGE = {"judge": "judge"}
CORRECTED = {**JUDGE, "contract": "assay/corrected-judge"}


def folder(tmp_path: Path, labels: Iterable[Mapping[str, Any]], settings: str = "") -> Path:
    """An experiment of nothing but labels."""
    root = tmp_path / "chat"
    root.mkdir()
    (root / "judge-labels.jsonl").write_text("".join(json.dumps(label) + "\n" for label in labels))
    if settings:
        (root / "experiment.yaml").write_text(settings)
    return root


def one(report: Report, metric: str, stratum: Mapping[str, str] = JUDGE, **group: str) -> Estimate:
    (found,) = [
        e
        for e in report.estimates
        if (e.metric, dict(e.stratum), dict(e.group)) == (metric, dict(stratum), group)
    ]
    return found


def limits(e: Estimate) -> list[float | None]:
    return [e.interval.lo, e.interval.hi]


def test_golden_figures_of_a_judge(tmp_path: Path, shared_data: Path) -> None:
    cases = json.loads((shared_data / "golden" / "second.json").read_text())["cases"]
    want = next(c for c in cases if c["name"].endswith("[[45, 5], [8, 42]]"))["expected"]
    report = mc.compute(folder(tmp_path, table(45, 5, 8, 42, "P" * 67 + "F" * 33)))
    for metric in ("agreement", "cohens_kappa", "sensitivity", "specificity", "strictness", "leniency"):
        e = one(report, metric)
        assert e.value == pytest.approx(want[metric.removeprefix("cohens_")], abs=1e-9)
        assert limits(e) == pytest.approx(want[metric.removeprefix("cohens_") + "95"], abs=1e-9)
    rogan = next(c for c in cases if c["name"].startswith("Rogan-Gladen: judge passes 120/200"))["expected"]
    e = one(report, "corrected_pass", CORRECTED)
    assert one(report, "judged_pass").value == pytest.approx(rogan["raw"], abs=1e-9)
    assert e.value == pytest.approx(rogan["corrected"], abs=1e-9)
    assert limits(e) == pytest.approx(rogan["interval95_lang_reiczigel"], abs=1e-9)
    assert e.contract.id == "assay/corrected-judge" != one(report, "judged_pass").contract.id
    assert "sensitivity of 45/50 and a specificity of 42/50" in " ".join(e.notes)
    assert {c.ref.id for c in report.contracts} == {"assay/judges", "assay/corrected-judge"}
    assert len({c.ref.digest for c in report.contracts}) == 2


def test_a_judge_who_always_passes_is_found_out(tmp_path: Path) -> None:
    report = mc.compute(folder(tmp_path, table(30, 0, 10, 0, "PPPP")))
    assert one(report, "agreement").value == 0.75
    assert one(report, "cohens_kappa").value == 0
    e = one(report, "corrected_pass", CORRECTED)
    assert (e.value, e.n, e.N, e.interval.reason) == (None, 44, 44, "no better than chance")
    (control,) = [c for c in report.controls if c.name == "constant judge"]
    assert control.state == "held"
    assert "always passes agrees with raters on 30 of 40 items" in control.detail


def test_an_item_of_which_only_some_labels_state_a_split_is_one_item_for_the_control(tmp_path: Path) -> None:
    labels: list[dict[str, Any]] = [
        {"item": f"i{at}", "rater": rater, "verdict": ("fail", "pass")[at % 2], **split}
        for at in range(20)
        for rater, split in (("human:alice", {"split": "test"}), ("human:bob", {}), ("judge", {}))
    ]
    report = mc.compute(folder(tmp_path, labels))
    (control,) = [c for c in report.controls if c.name == "constant judge"]
    assert "on 10 of 20 items" in control.detail
    assert [check.name for check in control.checks] == ["split test"]
    assert one(report, "agreement", {**JUDGE, "split": "test"}).N == 20


def test_without_items_of_both_sorts_no_constant_judge_can_be_found_out(tmp_path: Path) -> None:
    report = mc.compute(folder(tmp_path, table(30, 2, 0, 0)))
    (control,) = [c for c in report.controls if c.name == "constant judge"]
    assert control.state == "not applicable"
    e = one(report, "corrected_pass", CORRECTED)
    assert (e.value, e.interval.reason) == (None, "no labelled item that raters failed")


def test_a_prediction_powered_mean_only_where_the_labelled_are_a_random_part(
    tmp_path: Path, shared_data: Path
) -> None:
    cases = json.loads((shared_data / "golden" / "second.json").read_text())["cases"]
    case = next(c for c in cases if c["name"] == "prediction-powered mean, 40 labelled, 200 not")
    given, want = case["inputs"], case["expected"]
    word = {1.0: "pass", 0.0: "fail"}
    labels: list[dict[str, Any]] = [
        *({"item": f"l{i}", "rater": "human:a", "verdict": word[y]} for i, y in enumerate(given["labels"])),
        *(
            {"item": f"l{i}", "rater": "judge", "verdict": word[f]}
            for i, f in enumerate(given["judge_on_labelled"])
        ),
        *(
            {"item": f"o{i}", "rater": "judge", "verdict": word[f]}
            for i, f in enumerate(given["judge_on_others"])
        ),
    ]
    root = folder(tmp_path, labels)
    assert "powered_pass" not in {e.metric for e in mc.compute(root).estimates}
    (root / "experiment.yaml").write_text("labelled: random\n")
    report = mc.compute(root)
    e = one(report, "powered_pass", CORRECTED)
    assert (e.n, e.N) == (40, 240)
    assert e.value == pytest.approx(want["corrected"], abs=1e-9)
    assert limits(e) == pytest.approx(want["interval95"], abs=1e-9)
    assert dict(e.also)["labels only"].lo is not None
    assert one(report, "rated_pass", {}).value == pytest.approx(want["labels_mean"], abs=1e-9)


def test_several_runs_of_a_judge_on_an_item_are_one_cluster(tmp_path: Path) -> None:
    once = list(table(45, 5, 8, 42))
    again = [{**label, "run": run} for label in once for run in range(3 if label["rater"] == "judge" else 1)]
    (tmp_path / "again").mkdir()
    alone, often = mc.compute(folder(tmp_path, once)), mc.compute(folder(tmp_path / "again", again))
    for metric, stratum in (("agreement", JUDGE), ("cohens_kappa", JUDGE), ("corrected_pass", CORRECTED)):
        a, b = one(alone, metric, stratum), one(often, metric, stratum)
        assert (a.known * 3, b.interval.clusters) == (b.known, 100)
        assert a.value == pytest.approx(b.value)
        assert b.interval.width >= a.interval.width, metric
    assert one(often, "verdict_flips").value == 0.0


def test_the_second_reading_agrees(tmp_path: Path) -> None:
    labels = [*table(20, 3, 4, 13, "PPFPF" * 4), *({**x, "run": 2} for x in table(19, 4, 6, 11)[40:])]
    experiment = mc.load(folder(tmp_path, labels, "labelled: random\n"))
    report = mc.compute(experiment)
    found = list(outcomes(report.to_json(), RunsByKeys(counted_runs(experiment))))
    assert [each for each in found if each] == []
    assert {"cohens_kappa", "corrected_pass", "powered_pass"} <= {
        e.metric for e in report.estimates if e.value
    }


def test_labels_stand_beside_records_of_any_format(tmp_path: Path) -> None:
    """Their file says nothing of what the others are, and a label that is none is told with its place."""
    root = folder(tmp_path, [*table(2, 1, 1, 2), {"item": "i1", "rater": "alice", "verdict": "pass"}])
    rows = "task,agent,passed\n" + "".join(f"t{i},alpha,{i % 2}\n" for i in range(9))
    (root / "results.csv").write_text(rows)
    report = mc.compute(root)
    assert report.families == ("judges", "traces")
    (problem,) = report.problems
    assert (problem.file, problem.line, problem.field) == ("judge-labels.jsonl", 13, "rater")
    assert problem.what == 'expected human:NAME, judge or judge:NAME, got "alice"'
    alone = mc.compute(root / "judge-labels.jsonl")
    assert alone.families == ("judges",)


def test_a_line_break_behind_a_name_makes_no_second_rater_and_no_judge(tmp_path: Path) -> None:
    raters = ("judge\n", "judge:a\n", "human:alice\n", "human:", "judge:")
    more = [{"item": "i1", "rater": rater, "verdict": "fail"} for rater in raters]
    report = mc.compute(folder(tmp_path, [*table(2, 1, 1, 2), *more]))
    assert [problem.line for problem in report.problems] == [13, 14, 15, 16, 17]


def test_two_labels_of_one_rater_decide_nothing_and_a_run_told_twice_is_found(tmp_path: Path) -> None:
    labels: list[dict[str, Any]] = [
        {"item": "a", "rater": "human:alice", "verdict": "pass"},
        {"item": "a", "rater": "human:alice", "verdict": "fail"},
        {"item": "a", "rater": "judge", "verdict": "pass", "run": 1},
        {"item": "a", "rater": "judge", "verdict": "fail", "run": 1},
    ]
    report = mc.compute(folder(tmp_path, labels))
    e = one(report, "rated_pass", {})
    assert (e.known, e.unknown, e.losses[0].reason) == (0, 1, "its rater gave it two labels")
    assert any("judge-labels.jsonl" in f.file for f in report.findings)


def test_a_page_of_a_label_says_who_gave_it(tmp_path: Path) -> None:
    experiment = mc.load(folder(tmp_path, table(1, 0, 0, 1)))
    shown = list(reviews(experiment))
    assert [r.title for r in shown] == [
        f"i{n}, label by {by}" for by in ("human:alice", "judge") for n in (0, 1)
    ]
    assert [r.verdicts[0].word for r in shown] == ["pass", "fail"] * 2
    assert FAMILY.title == "Judges beside raters"
