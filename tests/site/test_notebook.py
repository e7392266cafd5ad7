"""Figures in a notebook: which is meant, what stands above it, its colours; the notebook of docs/ runs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import metrics_core as mc
from metrics_core.results import Report
from tests.support.by_day import at_night, one_in
from tests.support.small_tables import named, runs_of

SIGNS = ["111", "000", "110", "10?"] * 4


@pytest.fixture(scope="module")
def report() -> Report:
    return mc.read(
        [*runs_of("alpha", named(SIGNS)), *runs_of("beta", named(SIGNS[1:] + SIGNS[:1]))], name="night"
    )


def test_a_chart_is_the_figure_of_one_arm_with_its_title_and_caption(report: Report) -> None:
    made = report.chart("funnel", model="alpha").to_dict()
    assert made["name"] == "funnel"
    assert made["title"]["text"] == "Scorer passed: 24 of 48 attempts of alpha reach “full score”"
    caption = " ".join(made["title"]["subtitle"])
    assert "24/48 attempts (4 unknown of 48 attempts)" in caption
    assert re.search(r"assay/table v1 [0-9a-f]{8}", caption)
    assert all(len(line) <= 150 for line in made["title"]["subtitle"])


@one_in(2)
@pytest.mark.parametrize("kind", ["controls", "curve", "funnel", "overview", "separation"])
def test_no_colour_is_a_name_of_a_style_sheet(kind: str, report: Report) -> None:
    text = json.dumps(report.chart(kind).to_dict())
    assert "var(" not in text
    assert ('"#fcfcfb"' in text) is (kind == "curve")  # paper, where a point is drawn on it


@pytest.mark.parametrize(
    ("kind", "keys", "told"),
    [
        ("funel", {}, r"no figure 'funel' \(nearest: funnel\)"),
        ("funnel", {"model": "alhpa"}, r"no figures fit 'funnel model=alhpa' \(without an arm there is "),
        ("timeline", {"model": "alpha"}, r"no figures fit 'timeline model=alpha'"),
        ("funnel", {"scorer": "other"}, r"no figures fit 'funnel scorer=other'"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(
    kind: str, keys: dict[str, str], told: str, report: Report
) -> None:
    with pytest.raises(mc.InputError, match=told):
        report.chart(kind, **keys)


def test_of_several_figures_it_is_asked_which() -> None:
    rows = runs_of("alpha", named(SIGNS), lambda task, run: {"score": 0.5})
    report = mc.read(rows)
    with pytest.raises(mc.InputError, match=r"2 figures fit 'funnel' \(of .*scorer=passed.*scorer=score"):
        report.chart("funnel")
    assert "Scorer score" in report.chart("funnel", scorer="score").to_dict()["title"]["text"]


@at_night("test_documentation.py runs the commands of how-tos")
def test_the_notebook_of_the_documentation_runs(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel is started, as a reader's is: that takes some seconds."""
    for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    notebook = nbformat.read(repo / "docs/notebook.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells), "none is kept: a reader's are their own"
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(repo)}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert all(output["output_type"] != "error" for output in shown)
    html = [output["data"].get("text/html", "") for output in shown if "data" in output]
    assert sum("<table" in each for each in html) >= 4, "runs, report, estimate, frame, comparison"
    assert sum("vegaEmbed" in each for each in html) == 2
    assert any("no arm 'alhpa' (nearest: alpha)" in output.get("text", "") for output in shown)
