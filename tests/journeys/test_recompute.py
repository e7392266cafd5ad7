"""The command that a page prints under a figure, run as printed from the folder of the project."""

from __future__ import annotations

import argparse
import html
import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from metrics_core.redaction import Redactor
from site_src import cli, pipeline
from site_src.experiment_inputs import flags_of, settings_of
from site_src.project import Plan
from site_src.publishing.site import SiteFiles
from tests.support import small_content

FLAGS = argparse.Namespace(
    map=[("task", "Fall"), ("arm", "Wer"), ("outcome", "note")], scale=[("note", [1.0, 5.0])]
)
ROWS = "Fall,Wer,note\n" + "".join(f"t{n},{arm},{n % 5 + 1}\n" for n in range(9) for arm in ("a-1", "b-2"))
PRINTED = re.compile(r"Recompute it (.*?)</p>", re.DOTALL)
COMMAND = re.compile(r"with <code>(assay compute .*?)</code>")


def site_of(plan: Plan) -> SiteFiles:
    sources = pipeline.load(plan)
    return pipeline.model(sources, pipeline.measure(sources))


def sentences(made: SiteFiles, name: str) -> list[str]:
    """What each figure of an experiment's page says of how it is recomputed."""
    at = next(path for path in made.paths() if re.fullmatch(rf"experiments/{name}[^/]*/index\.html", path))
    file = made.file(at)
    assert file is not None
    return [html.unescape(said) for said in PRINTED.findall(file.data.decode())]


def run(said: str, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """The report that the printed command gives in the folder of the project."""
    found = COMMAND.search(said)
    assert found is not None, said
    monkeypatch.chdir(project)
    assert cli.main(shlex.split(found[1])[1:]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("inside", [True, False])
def test_of_one_file_it_names_the_file_and_every_flag(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, inside: bool
) -> None:
    project, given = tmp_path / "project", tmp_path / "project" / "logs" / "my results.csv"
    given.parent.mkdir(parents=True)
    given.write_text(ROWS)
    if not inside:
        given = given.rename(tmp_path / given.name)
    made = site_of(
        Plan(
            content=None, experiments=(given,), output=tmp_path / "s", redactor=Redactor(), project=project,
            settings=settings_of(FLAGS), flags=flags_of(FLAGS),
        )
    )  # fmt: skip
    told = sentences(made, "my-results")
    assert len(told) > 2
    if not inside:
        assert all("with my results.csv put there" in said for said in told)
        shutil.copy(given, project)
    (report,) = made.reports
    assert len({found[1] for said in told if (found := COMMAND.search(said))}) <= 2  # with and without family
    again = run(told[0], project, monkeypatch, capsys)
    assert [(e["id"], e["value"]) for e in again["estimates"]] == [(e.id, e.value) for e in report.estimates]


@pytest.mark.parametrize("content", ["content", "pages"])
def test_of_a_folder_it_gives_the_path_and_finds_the_same_prices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    written = small_content.write_suite(tmp_path / content)
    made = site_of(Plan(content=written, output=tmp_path / "s", redactor=Redactor()))
    report = next(r for r in made.reports if r.experiment == "suite")
    said = next(said for said in sentences(made, "suite") if "--family brownfield" in said)
    assert "put there" not in said
    again = run(said, tmp_path, monkeypatch, capsys)
    assert [e["id"] for e in again["estimates"]] == [e.id for e in report.estimates]
    assert again["costs"] == [row.to_json() for row in report.costs]
