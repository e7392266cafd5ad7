"""Gates: what a strict build stops, what a publication stops, and what is only told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

import metrics_core as mc
from metrics_core.contracts import lockfile
from metrics_core.errors import GateError, StrictError
from metrics_core.experiments.experiment import Experiment
from metrics_core.redaction.redactor import Redactor
from site_src.project.sources import Plan, ledger_of
from site_src.publishing import gates
from tests.support.measured import lines
from tests.support.small_runs import arm, run, unscored


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


def test_a_malformed_card_is_a_problem_of_the_report_and_an_odd_file_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "e"
    (folder / "traces").mkdir(parents=True)
    (folder / "eval_pack").mkdir()
    (folder / "traces" / "a.jsonl").write_bytes(lines([unscored(1)]))
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


def test_no_variable_names_the_ledger_of_a_publication(
    tmp_path: Path, experiment: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = replace(mc.compute(experiment), controls=())
    unknown = replace(report.contracts[0], ref=replace(report.contracts[0].ref, id="nobody/knows"))
    report = replace(report, contracts=(unknown,))
    forged = lockfile.add(lockfile.Lockfile(), unknown, date="2026-07-01", reason="as it stands")
    (tmp_path / "forged.lock").write_bytes(lockfile.write(forged))
    site = lockfile.write(lockfile.Lockfile())
    monkeypatch.setenv("ASSAY_LEDGER", str(tmp_path / "forged.lock"))
    assert gates.check_publication([report], site) == ()
    with pytest.raises(GateError, match="nobody/knows v1 is in no ledger yet"):
        gates.check_publication([report], site, publishing=True)
    plan = Plan(content=None, output=tmp_path, redactor=Redactor())
    assert ledger_of(plan) == forged
    assert ledger_of(replace(plan, publishing=True)) == lockfile.package_ledger()
    assert gates.check_publication([report], site, package=forged, publishing=True) == ()


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
    alone = gates.check_publication([report], None, strict=True, publishing=True, without_ledger=True)
    assert [note.partition(";")[0] for note in alone] == ["nobody/knows v1 is in no ledger yet"]
