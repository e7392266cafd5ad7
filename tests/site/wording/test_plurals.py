"""No text that is made from data says "1 runs": every count and its noun agree."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from metrics_core.results.codes import (
    CostGap,
    NotKnown,
    RecordedAsZero,
    RecordsDiffer,
    RecordsUnpriced,
    WithoutMoney,
    WithoutRecordedCost,
    WithoutTokens,
)
from metrics_core.results.estimate import ByTask, Estimate, LeftOut, NeverRecorded
from metrics_core.results.interval import Interval
from metrics_core.results.report import Report
from metrics_core.statistics.proportions import wilson
from site_src.figures import curve
from site_src.pages import cells
from site_src.report_text import report_text
from site_src.wording import FigureContext, captions
from tests.support import figure_samples as samples
from tests.support.measured import measured
from tests.support.sample_reports import reports

ONE_OF_MANY = re.compile(
    r"(?<![\d/.,\u202f−-])1[ \u202f\u00a0](?:byte-identical |named |more )?"
    r"(runs|tasks|attempts|records|scenarios|clusters|models|comparisons|pages|assertions|repeats|stamps|trials|pairs|"
    r"tables|corrections|figures|verdicts|problems|tokens)\b"
)
"""A lone 1 before a plural; not the end of "3/1 runs", of a range or of a larger number."""


def faults(text: str) -> list[str]:
    return [found[0] for found in ONE_OF_MANY.finditer(text)]


def single(**fields: object) -> Estimate:
    return replace(samples.share("score", 1, 1), **fields)


def estimates() -> Iterator[Estimate]:
    """Estimates of one run, one task, one of everything."""
    yield single()
    yield single(unknown=1, errors=1, invalid=1)
    yield single(value=0.5, of="tasks", left_out=LeftOut(1, ("t1",)), runs_per_task=(1, 2))
    yield single(never_recorded=NeverRecorded(1, None, wilson(1, 2)), runs_per_task=(1, 3))
    yield single(value=0.5, by_task=ByTask(0.5, 1, wilson(10, 20)), runs_per_task=(1, 9))
    yield single(value=0.5, unit="F1", interval=Interval(lo=0.1, hi=0.9, method=wilson(1, 2).method))


@pytest.mark.parametrize("e", list(estimates()))
def test_one_is_spoken_of_in_the_singular(e: Estimate) -> None:
    assert faults(captions.text(captions.clause(e))) == []
    assert faults("".join(span.text for span in cells.counted(e, attempts=True))) == []


def test_causes_of_one_record_are_in_the_singular() -> None:
    for cause in (
        RecordsDiffer(1, CostGap.NOT_EXPLAINED),
        RecordsUnpriced(1, NotKnown.UNPRICED_MODEL),
        RecordedAsZero(1),
        WithoutTokens(1, 1.0),
        WithoutRecordedCost(1, 1.0),
        WithoutMoney(1),
    ):
        assert faults(str(cause)) == []


def test_one_task_repeated_is_one_task_in_the_title_of_a_curve() -> None:
    records = [{"task_id": "t", "agent": "a", "rep": n, "scores": {"r": 1.0}} for n in range(9)]
    every = measured("traces", records).estimates
    found = [e for e in every if e.metric == "pass_hat_k" and not e.group.get("model")]
    drawn = curve.draw(found, figure_id="f", context=FigureContext(build="0.4.0"))
    assert "over 1 task" in drawn.title
    assert faults(drawn.title + drawn.desc) == []


@pytest.mark.parametrize("report", list(reports()), ids=lambda report: report.experiment)
def test_no_report_says_one_of_many(report: Report) -> None:
    assert faults(report_text(report)) == []
