"""What pages see of an experiment: its runs, read once where they are few, and for each pass where many."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import metrics_core as mc
from metrics_core.results import Review
from site_src import pipeline
from site_src.project import KeptRuns
from tests.support import sample_site, small_content


def test_kept_runs_are_read_once_and_given_to_each_pass_whole() -> None:
    passes: list[int] = []

    def read() -> Iterator[Review]:
        passes.append(1)
        yield from (sample_site.review("suite", at) for at in range(3))

    kept = KeptRuns(read)
    first = next(kept())
    assert [first.run, *(run.run for run in list(kept())[1:])] == [run.run for run in read()]
    assert list(kept()) == list(kept())
    assert len(passes) == 2, "one of them is this test's own"


def test_few_runs_are_kept_and_many_are_read_anew(tmp_path: Path) -> None:
    small_content.write_suite(tmp_path)
    experiment = mc.load(tmp_path / "experiments" / "suite").with_snapshot()
    report = mc.compute(experiment)
    few = pipeline.site_experiment(experiment, report, ())
    many = pipeline.site_experiment(experiment, report, (), kept=report.records - 1)
    assert (isinstance(few.reviews, KeptRuns), isinstance(many.reviews, KeptRuns)) == (True, False)
    assert list(few.reviews()) == list(many.reviews()) == list(many.reviews())
    assert len(list(few.reviews())) == report.records
