"""The page of graders: one table for each judge, each number with its contract, and what is not there."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import metrics_core as mc
from metrics_core.families.judges.fixtures import _table as table
from site_src import paths, pipeline
from site_src.pages.instruments.graders import GradersView, graders_view
from site_src.pages.site_map import SiteMap, site_map
from site_src.project.site_model import BuildInfo


@cache
def where() -> SiteMap:
    """A site of two judges: one that errs, one that always passes."""
    labels = [*table(20, 2, 3, 15), *({**x, "rater": "judge:always"} for x in table(22, 0, 18, 0)[40:])]
    with TemporaryDirectory() as root:
        folder = Path(root) / "chat"
        folder.mkdir()
        (folder / "judge-labels.jsonl").write_text("".join(json.dumps(label) + "\n" for label in labels))
        experiment = mc.load(folder).with_snapshot()
        shown = pipeline.site_experiment(experiment, mc.compute(experiment), ())
    return site_map([shown], (), BuildInfo(version="0+0", digest="sha256:" + "0" * 64))


def rows(view: GradersView, at: int) -> list[list[str]]:
    return [["".join(s.text for s in cell.spans) for cell in row.cells] for row in view.tables[at].rows]


def test_each_judge_has_a_table_and_each_number_its_contract() -> None:
    view = graders_view(where())
    assert where().graders
    assert [t.name for t in view.tables] == ["always, chat", "judge, chat"]
    assert view.lede.startswith("Two graders, held against what people say")
    judge = {row[0]: row[1:] for row in rows(view, 1)}
    assert judge["Agreement with raters"][1].startswith("0.88 [")
    assert judge["Agreement with raters"][3] == "assay/judges v1"
    assert judge["Corrected for the judge's errors"][3] == "assay/corrected-judge v1"
    assert "23 passed by the judge" in judge["Corrected for the judge's errors"][2]
    captions = [caption for t in view.tables for caption in t.captions]
    assert len(captions) == 2


def test_a_judge_who_always_passes_has_no_corrected_share() -> None:
    always = {row[0]: row[1:] for row in rows(graders_view(where()), 0)}
    assert always["Cohen's kappa"][1].startswith("0.00")
    assert always["Corrected for the judge's errors"][1] == "no value: no better than chance"


def test_without_judges_there_is_no_such_page() -> None:
    nothing = site_map((), (), where().build)
    assert not nothing.graders
    assert paths.GRADERS == "graders.html"
