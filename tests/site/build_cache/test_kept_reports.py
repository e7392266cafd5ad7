"""An experiment is measured again where anything its report depends on changed, and nowhere else."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace

import metrics_core as mc
from metrics_core.experiments import Experiment
from metrics_core.pricing import PriceTable
from metrics_core.redaction import Redactor
from metrics_core.results import Report
from site_src.build_cache import kept_reports
from site_src.build_cache.entries import KeptEntries, folder_of
from site_src.build_cache.inputs import inputs_of_experiment
from site_src.build_cache.kept_reports import KeptReports
from site_src.project import Plan


@pytest.fixture
def plan(tmp_path: Path, suite_site: Path) -> Plan:
    project = shutil.copytree(suite_site, tmp_path / "project")
    return Plan(content=project / "content", output=project / "_site", redactor=Redactor(), project=project)


def experiment_of(plan: Plan) -> Experiment:
    assert plan.content is not None
    folder = next((plan.content / "experiments").iterdir())
    return mc.load(folder, redactor=plan.redactor).with_snapshot()


def entries_of(plan: Plan) -> KeptEntries:
    assert plan.content is not None
    return KeptEntries(folder_of(plan.content))


def measured(plan: Plan) -> tuple[Report, list[str]]:
    """What one build has of the experiment, and what it says of it."""
    reports = KeptReports(plan, entries_of(plan))
    report = reports.compute(experiment_of(plan), ())
    reports.keep()
    return report, reports.told


def test_a_report_is_computed_once_and_is_the_same_ever_after(plan: Plan) -> None:
    cold, told = measured(plan)
    assert told == [f"{cold.experiment} is measured, because no entry was kept"]
    warm, told = measured(plan)
    assert told == []
    assert warm == cold == mc.compute(experiment_of(plan))
    assert warm.words == cold.words


@pytest.mark.parametrize(
    "act",
    [
        lambda log: log.write_bytes(log.read_bytes() + log.read_bytes().splitlines(keepends=True)[-1]),
        lambda log: (log.parent / "more.txt").write_text("more"),
        lambda log: log.rename(log.with_name(f"zz{log.suffix}")),
    ],
)
def test_any_change_in_its_folder_measures_it_again(plan: Plan, act: Callable[[Path], object]) -> None:
    measured(plan)
    act(next(path for path in sorted(experiment_of(plan).path.rglob("*.jsonl"))))
    report, told = measured(plan)
    assert len(told) == 1
    assert report == mc.compute(experiment_of(plan))


def test_other_settings_machines_and_prices_measure_it_again(plan: Plan) -> None:
    measured(plan)
    assert measured(replace(plan, settings={"scale": {"rating": [1, 5]}}))[1]
    assert measured(replace(plan, redactor=Redactor(allowed=frozenset({"a"}))))[1]
    path, table = experiment_of(plan).path, cast("PriceTable", "a table")
    assert inputs_of_experiment(plan, path, ()) != inputs_of_experiment(plan, path, (table,))
    assert not measured(plan)[1]


def test_a_report_of_other_files_is_not_believed(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its entry is whole, and of the very inputs: still it says itself which files it was computed from."""
    report, _ = measured(plan)
    other = replace(report, data_digest="sha256:" + "0" * 64)
    monkeypatch.setattr(kept_reports, "report_of", lambda data: other)
    found, told = measured(plan)
    assert found == report
    assert told == [f"{report.experiment} is measured, because the kept report is of other files"]


def test_bytes_that_are_no_report_are_not_believed(plan: Plan) -> None:
    cold, _ = measured(plan)
    for path in entries_of(plan).folder.glob("report-*.entry"):
        path.write_bytes(path.read_bytes()[:-9])
    warm, told = measured(plan)
    assert warm == cold
    assert told == [f"{cold.experiment} is measured, because the kept entry is not as it was written"]
