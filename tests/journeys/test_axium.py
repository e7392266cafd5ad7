"""The facts that 61 published brownfield runs must give, by the data's own README."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core import pricing
from metrics_core.experiments.stretches import row_batches
from metrics_core.families.brownfield.grading import usages
from metrics_core.families.brownfield.record import BrownfieldRun
from metrics_core.formats.jsonl import Row
from metrics_core.results.report import Report

KINDS = {"fix": 57, "refactor": 24, "feature": 18, "behaviour": 30}
COSTS = {"fix": 0.047581, "refactor": 0.020425, "feature": 0.018195, "aware": 0.039339, "behaviour": 0.024330}
RUNS = {"fix": 19, "refactor": 9, "feature": 9, "aware": 15, "behaviour": 9}


@pytest.fixture(scope="module")
def axium(shared_data: Path) -> Path:
    return shared_data / "axium"


@pytest.fixture(scope="module")
def report(axium: Path) -> Report:
    return mc.compute(mc.load(axium))


def records(axium: Path) -> list[dict[str, Any]]:
    (log,) = (axium / "logs_big").glob("*.jsonl")
    return [json.loads(line) for line in log.read_bytes().split(b"\n") if line]


def test_every_line_is_a_record(report: Report) -> None:
    assert (report.records, report.problems, report.duplicates) == (61, (), 0)


def test_assertions_on_artefacts_and_on_claims_are_never_added_up(report: Report) -> None:
    change = {e.stratum["graded"]: e for e in report.find("change") if not e.group}
    assert (change["assertions"].n, change["assertions"].N, change["assertions"].value) == (129, 129, 1.0)
    assert (change["claims"].n, change["claims"].N, change["claims"].value) == (57, 57, 1.0)
    assert not [e for e in report.estimates if e.n == 129 + 57 or e.N == 129 + 57]


@pytest.mark.parametrize("kind", KINDS)
def test_assertions_of_each_kind(report: Report, kind: str) -> None:
    (e,) = report.find("change", kind=kind, model="deepseek-v4-pro")
    assert (e.n, e.N, e.value, e.attempts) == (KINDS[kind], KINDS[kind], 1.0, RUNS[kind])


def test_regress_is_known_in_the_artefact_runs_only(report: Report) -> None:
    regress = {e.stratum["graded"]: e for e in report.find("regress") if not e.group}
    assert (regress["assertions"].n, regress["assertions"].N, regress["assertions"].known) == (46, 46, 46)
    assert regress["assertions"].value == 1.0
    assert list(regress) == ["assertions"]  # of the 15 runs that grade a claim, none was asked


def test_recorded_cost_and_its_recomputation(report: Report) -> None:
    (row,) = report.costs
    assert round(row.recorded or 0, 6) == 0.149870
    assert (row.prices, row.unpriced_records, row.agree, row.causes) == ("2026-08-06", 0, 61, ())


@pytest.mark.parametrize("kind", COSTS)
def test_recorded_cost_of_each_kind(axium: Path, report: Report, kind: str) -> None:
    recorded = sum(r["metrics"]["cost_usd"] for r in records(axium) if r["kind"] == kind)
    assert round(recorded, 6) == COSTS[kind]
    (e,) = report.find("cost", kind=kind, model="deepseek-v4-pro")
    assert e.summary is not None
    assert e.summary.total == pytest.approx(COSTS[kind], abs=1e-6 * RUNS[kind])


def test_each_cost_equals_the_recorded_one_to_six_decimals(axium: Path) -> None:
    experiment = mc.load(axium)
    (table,) = experiment.prices
    equal = 0
    for path in experiment.families["brownfield"]:
        for batch in row_batches(experiment, path, BrownfieldRun):
            for row in batch:
                assert isinstance(row, Row)
                used = usages(row.record)
                assert used is not None
                amount = pricing.cost(used, table)
                assert amount is not None
                equal += abs(pricing.usd(amount) - row.record.recorded_cost) <= 1e-6
    assert equal == 61


def test_time_and_tokens_add_up(report: Report) -> None:
    seconds = [e.summary.total for e in report.find("latency") if not e.group and e.summary]
    tokens = [e.summary.total for e in report.find("tokens") if not e.group and e.summary]
    assert round(sum(seconds), 1) == 1896.9
    assert sum(tokens) == 1_832_603 + 149_572


def test_tokens_of_each_kind_are_those_that_the_harness_counted(axium: Path) -> None:
    experiment = mc.load(axium)
    (path,) = experiment.families["brownfield"]
    used = [
        each
        for batch in row_batches(experiment, path, BrownfieldRun)
        for row in batch
        if isinstance(row, Row)
        for each in usages(row.record) or ()
    ]
    sums = tuple(sum(getattr(each, kind) for each in used) for kind in ("input", "output", "cached"))
    assert sums == (1_832_603, 149_572, 1_404_416)


def test_a_lone_earlier_run_is_a_run_of_its_own(report: Report) -> None:
    by_id = {
        e.group["scenario"]: e.attempts
        for e in report.find("change")
        if [k for k, _ in e.group] == ["scenario"]
    }
    assert len(by_id) == 20
    assert by_id.pop("B1") == 4
    assert set(by_id.values()) == {3}


def test_the_negative_control_is_missing_and_said(report: Report) -> None:
    (control,) = [c for c in report.controls if c.name == "sanity"]
    assert control.state == "missing"
    assert all("negative control missing" in (e.control or "") for e in report.estimates)
