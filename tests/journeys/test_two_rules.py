"""Two agents that the same tasks alone tell apart: what the terminal, the pages and the data say of them.

The rows are the project's own table; its README gives -14.7 points [-24.0, -5.3], by t over 50 tasks,
p 0.0028; the two single intervals overlap.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core.redaction.redactor import Redactor
from site_src import paths, pipeline
from site_src.project import Plan, SiteConfig, sources
from site_src.publishing.site import SiteFiles
from site_src.report_text import report_text

SENTENCE = (
    "these runs cannot separate alpha and beta by their own intervals yet; on the same 50 tasks beta did "
    "better by 14.7 points [5.3, 24.0], p 0.003"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, shared_data: Path) -> Path:
    found = tmp_path_factory.mktemp("rules") / "versus"
    (found / "traces").mkdir(parents=True)
    rows = map(json.loads, (shared_data / "tables" / "rows.jsonl").read_text().splitlines())
    traces = [
        {"task_id": r["case"], "agent": r["arm"], "rep": r["run"],
         "scores": {"passed": None if r["passed"] is None else float(r["passed"])}}
        for r in rows
    ]  # fmt: skip
    (found / "traces" / "all.jsonl").write_text("".join(json.dumps(t) + "\n" for t in traces))
    return found


def site(folder: Path, **settings: Any) -> SiteFiles:
    """A site of the one experiment, under these settings."""
    plan = Plan(content=None, experiments=(folder,), output=folder / "_site", redactor=Redactor())
    read = sources.read(plan)
    read = sources.Sources(
        config=SiteConfig(**settings), authored=(), tables=(), experiments=read.experiments, ledger=None
    )
    return pipeline.model(read, pipeline.measure(read))


def words(made: SiteFiles, path: str) -> str:
    file = made.file(path)
    assert file is not None
    blocks = re.sub(r"<(?=(?:p|td|div|li|h\d)\b)", " <", file.data.decode())
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", blocks)).split())


def test_the_terminal_gives_difference_interval_p_and_both_verdicts(folder: Path) -> None:
    shown = " ".join(report_text(mc.compute(folder)).split())
    assert "alpha − beta −0.15 [−0.24, −0.05] 50 tasks in common p 0.003" in shown
    assert "beta above on the same tasks only: p 0.003; own intervals overlap" in shown


def test_pages_say_it_in_the_sentence_of_the_second_outcome(folder: Path) -> None:
    made = site(folder)
    told = words(made, paths.compare_pair("versus", "alpha", "beta"))
    assert SENTENCE in told
    assert "beta did better than alpha on the same tasks only." in told
    assert not re.search(r"beta (?:is )?above alpha", told)
    report = json.loads(made.file("data/reports/versus.json").data)
    (c,) = [c for c in report["comparisons"] if c["metric"] == "score"]
    assert (c["rule"], c["verdict"], c["paired_verdict"], c["outcome"]) == (
        "overlap", "cannot separate", "b above a", "told apart on the same tasks only",
    )  # fmt: skip
    assert (c["detectable"]["paired"], c["detectable"]["strict"]) == pytest.approx((0.13, 0.2525), abs=0.002)


def test_a_site_may_let_the_paired_rule_decide_and_its_captions_say_so(folder: Path) -> None:
    made = site(folder, separation="paired")
    told = words(made, paths.compare_pair("versus", "alpha", "beta"))
    assert "on the same 50 tasks beta did better than alpha by 14.7 points [5.3, 24.0], p 0.003" in told
    assert "separation: paired, so that the difference on the same tasks decides alone" in told
    assert SENTENCE not in told
    report = json.loads(made.file("data/reports/versus.json").data)  # as it was computed
    assert {c["rule"] for c in report["comparisons"]} == {"overlap"}


def test_what_an_experiment_sets_wins_over_the_site(folder: Path) -> None:
    (folder / "experiment.yaml").write_text("separation: overlap\n")
    try:
        told = words(site(folder, separation="paired"), paths.compare_pair("versus", "alpha", "beta"))
    finally:
        (folder / "experiment.yaml").unlink()
    assert SENTENCE in told
