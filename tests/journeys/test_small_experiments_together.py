"""Small experiments of a build, several measured at once: the same reports, the same withheld ones."""

from __future__ import annotations

from pathlib import Path

from metrics_core.errors import AssayError
from metrics_core.execution import EngineChoice
from metrics_core.redaction import Redactor
from site_src import pipeline
from site_src.project import Plan
from tests.support.small_content import write_suite


def test_the_reports_are_those_of_one_process_and_so_is_what_is_withheld(tmp_path: Path) -> None:
    folders = [write_suite(tmp_path / name) / "experiments" / "suite" for name in ("a", "b", "c")]
    named = [folder.rename(folder.with_name(f"suite-{at}")) for at, folder in enumerate(folders)]
    (named[1] / "experiment.yaml").write_text("prices: nowhere.yaml\n", "utf-8")

    def measured(choice: EngineChoice) -> tuple[object, ...]:
        plan = Plan(
            content=None, experiments=tuple(named), output=tmp_path / "s", redactor=Redactor(), engine=choice
        )
        told: list[AssayError] = []
        sources, reports = pipeline.measure_each(plan, pipeline.load(plan), told=told.append)
        return reports, [x.slug for x in sources.experiments], sources.withheld, list(map(str, told))

    here = measured(EngineChoice("serial"))
    assert here[1] == ["suite-0", "suite-2"]
    assert "nowhere.yaml" in str(here[3])
    assert measured(EngineChoice("processes", 2)) == here
