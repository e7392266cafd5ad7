"""Pages of series: the newest against earlier experiments, breaks, controls once, and what is no series."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from metrics_core.results.estimate import ContractRef, Estimate
from metrics_core.results.report import Report
from metrics_core.results.separation import Separation
from site_src import paths
from site_src.pages import render
from site_src.publishing.site import SiteFiles
from tests.support import nightly

PAGE = paths.series("nightly")
NIGHTS = {"2026-11-26": 20, "2026-11-27": 21, "2026-11-28": 6}
WITH_BASELINE = """\
title: Nights
series:
- name: nightly
  experiments: "nightly-*"
  baseline: nightly-2026-11-26
"""


def nights(content: Path) -> Path:
    for day, passed in NIGHTS.items():
        nightly.night(content, f"nightly-{day}", nightly.runs(day, passed))
    return content


def changed(name: str, how: Callable[[Estimate], Estimate]) -> Callable[[Report], Report]:
    """The report of one night with other estimates; those of other nights as they are."""

    def change(report: Report) -> Report:
        if report.experiment != name:
            return report
        return replace(report, estimates=tuple(map(how, report.estimates)))

    return change


def comparisons(made: SiteFiles) -> list[Separation]:
    (series,) = made.site.where.series
    (course,) = made.site.numbers.of(series)
    return [each.comparison.outcome for each in course.against if each.comparison is not None]


def test_the_newest_is_worse_than_the_one_before_and_than_the_baseline_by_both_rules(tmp_path: Path) -> None:
    made = nightly.site(nights(tmp_path), WITH_BASELINE)
    page = made.file(paths.experiment("nightly-2026-11-27"))
    assert page is not None
    assert f'href="{paths.relative(paths.experiment("nightly-2026-11-27"), PAGE)}"' in page.data.decode()
    (series,) = made.site.where.series
    (course,) = made.site.numbers.of(series)
    before, baseline = (each.comparison for each in course.against)
    assert before is not None
    assert baseline is not None
    # Bonett-Price by hand, 15 of 24 tasks lost and none gained: -15/26 -+ 1.96 sqrt((17/26 - (15/26)^2)/26)
    assert (before.a, before.b, before.paired_on) == ("nightly-2026-11-28", "nightly-2026-11-27", 24)
    assert before.difference == pytest.approx(-15 / 24)
    assert (before.interval.lo, before.interval.hi) == pytest.approx((-0.7947, -0.3591), abs=1e-4)
    assert (before.strict_verdict, before.paired_verdict) == ("b above a", "b above a")
    assert baseline.b == "nightly-2026-11-26"
    assert baseline.difference == pytest.approx(-14 / 24)
    assert baseline.outcome is Separation.SEPARATED
    assert before.holm_size == 2
    said = nightly.words(made, PAGE)
    assert "Against the one before: on the same 24 tasks nightly-2026-11-27 did better" in said
    assert "Against the baseline: on the same 24 tasks nightly-2026-11-26 did better" in said
    assert "after 20/24, 21/24" in said


def test_without_a_baseline_the_one_before_stands_alone(tmp_path: Path) -> None:
    made = nightly.site(nights(tmp_path))
    said = nightly.words(made, PAGE)
    assert "Against the one before" in said
    assert "baseline" not in said.replace(tmp_path.name, "")  # the folder is named in a command


def test_another_contract_breaks_the_line_and_no_verdict_crosses_it(tmp_path: Path) -> None:
    other = ContractRef("assay/brownfield", "2", f"sha256:{'0b' * 32}")
    made = nightly.site(
        nights(tmp_path), change=changed("nightly-2026-11-28", lambda e: replace(e, contract=other))
    )
    assert comparisons(made) == [Separation.NOT_COMPARABLE]
    said = nightly.words(made, PAGE)
    assert "Against the one before: not compared, another contract" in said
    assert "the contract changed, so the line stops" in said
    assert "two experiments before: contract changed, not the same instrument" in said
    assert "did better" not in said
    assert "after 20/24" not in said


def test_a_night_on_another_pack_is_not_compared(tmp_path: Path) -> None:
    pack = f"sha256:{'ac' * 32}"
    made = nightly.site(
        nights(tmp_path), WITH_BASELINE, changed("nightly-2026-11-27", lambda e: replace(e, pack=pack))
    )
    assert comparisons(made) == [Separation.NOT_COMPARABLE, Separation.SEPARATED]
    said = nightly.words(made, PAGE)
    assert "pack is not stated for nightly-2026-11-28" in said
    assert "the instrument changed two times" in said


def test_a_grader_of_another_version_is_another_instrument(tmp_path: Path) -> None:
    nightly.night(tmp_path, "nightly-2026-11-27", nightly.runs("2026-11-27", 20, grader_version="2"))
    nightly.night(tmp_path, "nightly-2026-11-28", nightly.runs("2026-11-28", 6, grader_version="3"))
    made = nightly.site(tmp_path)
    assert comparisons(made) == [Separation.NOT_COMPARABLE]
    assert "the grader changed, so the line stops" in nightly.words(made, PAGE)


def test_one_night_is_no_series(tmp_path: Path) -> None:
    nightly.night(tmp_path, "nightly-2026-11-28", nightly.runs("2026-11-28", 6))
    made = nightly.site(tmp_path)
    assert made.site.where.series == ()
    assert nightly.words(made, PAGE) == ""
    assert "Series" not in nightly.words(made, paths.OVERVIEW)


def test_a_control_that_failed_in_one_night_is_told_once_and_withholds_its_night(tmp_path: Path) -> None:
    for day, passed in NIGHTS.items():
        nightly.night(tmp_path, f"nightly-{day}", nightly.runs(day, passed), held=day != "2026-11-27")
    made = nightly.site(tmp_path, WITH_BASELINE)
    said = nightly.words(made, PAGE)
    assert "held in 2 of 3, failed in nightly-2026-11-27 negative control" in said
    assert said.count("negative control held")
    assert "held in 3 of 3 golden fixtures" in said
    assert comparisons(made) == [Separation.NOT_COMPARABLE, Separation.SEPARATED]
    assert "Against the one before: not compared: withheld: negative control failed" in said
    assert "after 20/24, withheld" in said
    assert "21/24" not in said


def test_an_arm_that_the_newest_lacks_is_told(tmp_path: Path) -> None:
    nightly.night(tmp_path, "nightly-2026-11-27", nightly.runs("2026-11-27", 20))
    other = [{**run, "model": "beta"} for run in nightly.runs("2026-11-28", 6)]
    nightly.night(tmp_path, "nightly-2026-11-28", other)
    said = nightly.words(nightly.site(tmp_path), PAGE)
    assert "alpha: not in nightly-2026-11-28; last in nightly-2026-11-27, 20/24" in said
    assert "did better" not in said


def test_nights_are_not_repetitions_every_number_is_of_one_experiment(tmp_path: Path) -> None:
    made = nightly.site(nights(tmp_path), WITH_BASELINE)
    published = {e.id for report in made.reports for e in report.estimates}
    for path in (PAGE, paths.OVERVIEW):
        page = made.site.page(path)
        assert page is not None
        shown = set(re.findall(r'data-estimate="([^"]+)"', render.render_page(page).decode()))
        assert shown
        assert {name.replace("&amp;", "&") for name in shown} <= published
    assert f"{sum(NIGHTS.values())}/{3 * nightly.TASKS}" not in nightly.words(made, PAGE)
    for report in made.reports:  # one run a task and night: three nights make no pass^3 of anything
        assert not [e for e in report.estimates if e.group.get("k", "1") != "1"]
    assert "not repetitions of one another" in nightly.words(made, PAGE)


def test_the_first_page_tells_the_newest_with_its_course_and_never_alone(tmp_path: Path) -> None:
    said = nightly.words(nightly.site(nights(tmp_path)), paths.OVERVIEW)
    assert "in nightly-2026-11-28 6/24 assertions 0.25" in said
    assert "after 20/24, 21/24" in said
    assert "nightly-2026-11-27 did better than nightly-2026-11-28" in said
    assert said.index("6/24") < said.index("20/24")


def test_change_is_told_in_no_sentence_without_regress(tmp_path: Path) -> None:
    for day, passed in NIGHTS.items():
        runs = [{**run, "regress": 1.0, "regress_misses": []} for run in nightly.runs(day, passed)]
        nightly.night(tmp_path, f"nightly-{day}", runs)
    made = nightly.site(tmp_path)
    for page in (paths.OVERVIEW, PAGE):
        said = nightly.words(made, page)
        (sentence,) = re.findall(r"Change, graded on assertions, alpha: in nightly-2026-11-28 .*?[.] ", said)
        assert "; Regress, graded on assertions, alpha: in nightly-2026-11-28" in sentence
    markup = made.file(PAGE)
    assert markup is not None
    for metric in ("Change", "Regress"):  # each is named for the first time by a link to what it means
        (href,) = re.findall(rf'<a href="([^"]*)" class="defined">{metric}</a>, graded', markup.data.decode())
        assert href.startswith(f"{paths.relative(PAGE, paths.METHODS)}#m-")


def test_runs_that_do_not_give_the_published_number_are_not_paired(tmp_path: Path) -> None:
    made = nightly.site(
        nights(tmp_path), change=changed("nightly-2026-11-28", lambda e: replace(e, known=e.known, errors=1))
    )
    assert comparisons(made) == []
    assert "the runs behind the two numbers cannot be paired" in nightly.words(made, PAGE)
