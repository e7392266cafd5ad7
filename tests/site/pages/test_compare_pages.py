"""Compare pages: which pairs belong together, tasks held against the core's own differences, every pair."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, ClassVar

import pytest
from msgspec.structs import replace

import metrics_core as mc
from metrics_core.redaction.redactor import Redactor
from metrics_core.results.codes import Denominator, NoInterval, NotSeparated
from metrics_core.results.comparison import Comparison
from metrics_core.results.estimate import Estimate, NeverRecorded
from metrics_core.results.interval import Interval
from metrics_core.results.keys import Keys
from metrics_core.results.pooling import Unlike
from metrics_core.results.separation import SeparationVerdict
from site_src import paths, pipeline
from site_src.drawing.figure import Figure
from site_src.figures import forest
from site_src.pages import render, summaries
from site_src.pages.compare import not_comparable
from site_src.pages.compare.experiment import overview
from site_src.pages.compare.plan import compare_pages, pair_pages
from site_src.pages.compare.tables import comparison_tables, counted, sensitivity
from site_src.pages.compare.tasks import (
    PairedTask,
    RunsByKey,
    Tasks,
    TaskSide,
    settled,
    task_summary,
    tasks,
)
from site_src.pages.figure_collection import FigureCollection
from site_src.pages.frame import frame
from site_src.pages.page import Page, View
from site_src.pages.pair_sets import PairSet, headlines, is_comparable, pair_sets
from site_src.pages.runs.index import ListedOutcome, Run, RunLists
from site_src.pages.selection import at_a_glance, compared as compared_at_a_glance
from site_src.pages.site_map import SiteMap, site_map
from site_src.project.site_model import SiteExperiment
from site_src.verification import page_numbers
from site_src.wording import pairs_found, spans as parts
from site_src.wording.links import FigureContext, Links
from tests.support import figure_samples as samples, sample_reports, sample_site
from tests.support.accessibility import violations
from tests.support.by_day import by_night, looks

if TYPE_CHECKING:
    from playwright.sync_api import Browser

REPO = Path(__file__).resolve().parents[3]
LISTS = RunLists()
BARE = FigureContext(build="0.4.0+1c9e55d2")
LINKED = FigureContext(build="0.4.0+1c9e55d2", links=Links(pair=lambda *names: f"#{'-'.join(names)}"))


@cache
def where() -> SiteMap:
    """Everything that the shipped example has a page for."""
    plan = pipeline.Plan(content=REPO / "content", output=REPO / "unused", redactor=Redactor())
    sources = pipeline.read(plan)
    reports = pipeline.measure(sources)
    shown = [
        pipeline.site_experiment(e, r, sources.prices)
        for e, r in zip(sources.experiments, reports, strict=True)
    ]
    return site_map(
        shown,
        sources.authored,
        pipeline.build_info(sources, reports),
        [x.name for x in shown if x.has_runs()],
    )


@cache
def made() -> dict[str, tuple[Page, str]]:
    """Every compare page of the example, and its HTML."""
    site = where()
    found = {}
    for planned in (*compare_pages(site), *pair_pages(site, LISTS)):
        view: View = planned.view(FigureCollection(site, planned.path, planned.place))
        page = Page(
            path=planned.path,
            title=planned.title,
            kind=planned.kind,
            frame=frame(site, planned.path, planned.title),
            view=view,
        )
        found[planned.path] = (page, render.render_page(page).decode())
    return found


def experiment(name: str) -> SiteExperiment:
    return next(x for x in where().experiments if x.name == name)


def main_of(path: str) -> str:
    """The content of a page, without what stands around it."""
    return made()[path][1].partition('<main class="wrap" id="main">')[2].partition("</main>")[0]


def words(markup: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", markup).split())


# ------------------------------------------------------------------------------- which belong together


def test_every_comparison_stands_in_one_set_and_no_set_mixes_strata() -> None:
    for x in where().experiments:
        sets = pair_sets(x.report)
        counted = Counter(c.id for s in sets for c in s.comparisons)
        assert counted == Counter(c.id for c in x.report.comparisons if is_comparable(c))
        for s in sets:
            assert len({(c.metric, c.stratum, c.group, c.over, c.contract) for c in s.comparisons}) == 1
            assert {e.stratum for e in s.arms} == {s.first.stratum}


def test_change_is_never_shown_without_regress() -> None:
    x = experiment("brownfield-2026-07")
    ((change, regress, *_),) = headlines(x.report, pair_sets(x.report))
    assert (change.first.metric, regress.first.metric) == ("change", "regress")
    assert change.first.stratum == regress.first.stratum


def test_the_newest_instrument_and_no_probe_stands_for_an_experiment() -> None:
    x = experiment("patches-2026")
    ((score,),) = headlines(x.report, pair_sets(x.report))
    assert score.first.stratum["split"] == "eval"
    assert score.first.stratum["contract"].startswith("agent-metric/v4")


def test_a_metric_stands_for_an_experiment_by_its_place_and_not_by_what_came_of_it() -> None:
    """The coders of this experiment get a pair that is separated, the chats have none: both stand for it."""
    x = experiment("pairs-2026-07")
    coders = [
        replace(c, judged=samples.judged("a above b")) if c.over == "coder" else c
        for c in x.report.comparisons
    ]
    report = replace(x.report, comparisons=tuple(coders))
    (chat,), (coder,) = headlines(report, pair_sets(report))
    assert (chat.first.over, chat.apart) == ("chat", 0)
    assert coder.first.over == "coder"
    assert coder.apart > 0

    x = experiment("brownfield-2026-07")
    for verdict in ("a above b", "cannot separate"):
        turned = [
            replace(c, judged=samples.judged(verdict, NotSeparated.HOLDS_ZERO))
            if c.metric == "regress" and is_comparable(c)
            else c
            for c in x.report.comparisons
        ]
        report = replace(x.report, comparisons=tuple(turned))
        ((first, second, *_),) = headlines(report, pair_sets(report))
        assert (first.first.metric, second.first.metric) == ("change", "regress")


def test_what_is_asserted_never_stands_for_an_experiment() -> None:
    """Its stratum comes before the measured one by name; and it stands for nothing when it is alone."""
    x = experiment("gh-2026")
    sets = pair_sets(x.report)
    assert sets[0].first.stratum["evaluator"] == "assertion"
    ((chosen, *_),) = headlines(x.report, sets)
    assert dict(chosen.first.stratum) == {"condition": "attack:static", "evaluator": "measured"}
    shown = compared_at_a_glance(x.report, "attempts")
    assert {e.stratum["evaluator"] for e in shown} == {"measured"}

    alone = replace(
        x.report,
        comparisons=tuple(c for c in x.report.comparisons if c.stratum.get("evaluator") == "assertion"),
    )
    assert pair_sets(alone) != ()
    assert headlines(alone, pair_sets(alone)) == []
    site = site_map([replace(x, report=alone)], (), where().build)
    for planned in compare_pages(site):
        view = planned.view(FigureCollection(site, planned.path, planned.title))
        said = (*view.experiments[0].summary, *view.opening.lede)  # type: ignore[attr-defined]
        assert "asserted" in parts.text(said)
    assert summaries.leads(alone) == []


def test_a_set_needs_comparisons_and_arms() -> None:
    with pytest.raises(ValueError, match="0 comparisons"):
        PairSet(comparisons=(), arms=samples.security())


# ----------------------------------------------------------------------------------------- task by task


def test_tasks_give_the_differences_that_the_core_made() -> None:
    """Number of pairs and mean difference of each comparison, made again from the runs that readers see."""
    checked = 0
    for x in where().experiments:
        runs = RunsByKey(x, LISTS)
        for s in pair_sets(x.report):
            for c in s.comparisons:
                both = [t.difference for t in runs.tasks(c) if t.difference is not None]
                if not runs.tasks(c) or s.withheld or c.paired_on is None:
                    continue
                assert len(both) == c.paired_on, c.id
                if c.difference is not None:
                    assert sum(both) / len(both) == pytest.approx(c.difference, abs=1e-12), c.id
                    checked += 1
    assert checked > 30


def test_a_repeated_record_has_its_page_and_is_in_no_count() -> None:
    x = experiment("brownfield-2026-07")
    copies = [each for each in LISTS.of(x) if each.repeated]
    assert len(copies) == x.report.duplicates == 1
    found = RunsByKey(x, LISTS).of("model", copies[0].key("model"))
    assert found
    assert copies[0] not in found


def run(task: str, value: float | None, *, n: int = 0, N: int = 0, split: str = "eval", at: int = 0) -> Run:
    state = "unknown" if value is None else "true" if value == 1 else "false"
    outcome = ListedOutcome(
        title="Score",
        word=state,
        tally="",
        state=state,  # type: ignore[arg-type]
        metric="score",
        stratum=Keys((("prompt", "3f9a"), ("split", split))),
        value=value,
        n=n,
        N=N,
        of="assertions",
    )
    return Run(
        name=f"{at:012x}",
        family="traces",
        title=f"{task}: as its card says",
        task=task,
        group=Keys((("model", "x"), ("scenario", task))),
        strata=outcome.stratum,
        day="",
        outcomes=(outcome,),
        facets=(),
        lost="",
        missed=(),
        broken=(),
    )


SCORE = replace(
    samples.COMPARISONS[0],
    family="traces",
    metric="score",
    stratum=Keys({"split": "eval"}),
    a="alpha",
    b="beta",
)


def test_discordant_tasks_come_first_then_alike_then_those_in_no_pair() -> None:
    alpha = [
        run("d-alone", 1.0, n=1, N=1),
        run("c-alike", 1.0, n=2, N=2),
        run("b-differs", 1.0, n=3, N=3),
        run("b-differs", 0.5, n=1, N=2),
        run("b-differs", None),
        run("a-unknown", None),
        run("probe", 1.0, n=1, N=1, split="probe"),
    ]
    beta = [run("c-alike", 1.0, n=2, N=2), run("b-differs", 0.5, n=1, N=2), run("a-unknown", 0.0, n=0, N=1)]
    found = tasks(SCORE, alpha, beta)
    assert [t.name for t in found] == ["b-differs", "c-alike", "a-unknown", "d-alone"]
    differs = found[0]
    assert isinstance(differs, PairedTask)
    assert differs.a is not None
    assert (differs.a.n, differs.a.N, differs.a.mean, dict(differs.a.lost)) == (4, 5, 0.75, {"unknown": 1})
    assert (differs.difference, differs.discordant) == (0.25, True)
    assert [t.discordant for t in found[1:]] == [False, False, False]
    assert [t.difference for t in found[2:]] == [None, None]
    assert found[3].b is None


def test_a_prompt_that_moved_keeps_its_strata_apart() -> None:
    moved, split = Keys({"prompt": "3f9a", "split": "eval"}), Keys({"split": "eval"})
    assert settled(split | {"prompt": "77b0"}, moved) != moved
    assert settled(split | {"prompt": "77b0"}, split) == (("split", "eval"),)


# ---------------------------------------------------------------------------------------------- the pages


def test_there_is_a_page_for_the_site_each_experiment_and_each_pair() -> None:
    expected = {paths.COMPARE}
    for x in where().experiments:
        expected.add(paths.compare_experiment(x.name))
        expected |= {paths.compare_pair(x.name, c.a, c.b) for c in x.report.comparisons}
    assert set(made()) == expected
    assert len(made()) == 44


def test_a_site_that_compares_nothing_has_no_such_page() -> None:
    site = where()
    alone = replace(experiment("gh-2026"), report=replace(experiment("gh-2026").report, comparisons=()))
    nothing = site_map([alone], (), site.build)
    assert [*compare_pages(nothing), *pair_pages(nothing, LISTS)] == []


def test_nothing_is_made_or_read_before_it_is_wanted() -> None:
    def read() -> Iterator[object]:
        raise AssertionError("the runs were read")
        yield

    x = replace(experiment("gh-2026"), reviews=read)
    site = site_map([x], (), where().build, [x.name])
    planned = [*compare_pages(site), *pair_pages(site, RunLists())]
    assert [p.kind for p in planned] == ["compare", "compare", "compare-pair"]


class Read(tuple[Estimate, ...]):
    """Estimates that count how often they are gone through."""

    __slots__ = ()
    times: ClassVar[int] = 0

    def __iter__(self) -> Iterator[Estimate]:
        Read.times += 1
        return super().__iter__()


def test_the_pairs_of_an_experiment_are_sorted_out_once_however_many_pages_ask() -> None:
    x = experiment("patches-2026")
    x = replace(x, report=replace(x.report, estimates=Read(x.report.estimates)))
    site = site_map([x], (), where().build, [x.name])
    planned = list(pair_pages(site, LISTS))
    assert len(planned) > 1
    times = []
    for page in planned:
        Read.times = 0
        page.view(FigureCollection(site, page.path, page.place))
        times.append(Read.times)
    assert times[0] > 0
    assert times[1:] == [0] * (len(planned) - 1)


def test_every_pair_is_linked_from_the_list_and_every_link_leads_to_a_page() -> None:
    site = where()
    known = {*made(), *(paths.experiment(x.name) for x in site.experiments), paths.COMPARE}
    linked = set()
    for path, (_, html) in made().items():
        for href in re.findall(r'href="([^"#]*compare/[^"#]*|(?:\.\./)+[^"#]*index\.html)', html):
            target = (Path("/") / path).parent.joinpath(href).resolve().relative_to("/").as_posix()
            if target.startswith("compare/"):
                assert target in known, (path, href)
    for href in re.findall(r'href="([^"#]+)"', main_of(paths.COMPARE)):
        linked.add((Path("/") / paths.COMPARE).parent.joinpath(href).resolve().relative_to("/").as_posix())
    pair_pages = {path for path, (page, _) in made().items() if page.kind == "compare-pair"}
    assert pair_pages <= linked


def test_every_number_of_an_estimate_is_the_estimates_own() -> None:
    known = {e.id: e.to_json() for x in where().experiments for e in x.report.estimates}
    seen = [(path, shown) for path, (_, html) in made().items() for shown in page_numbers.shown(html)]
    assert len(seen) > 500
    assert [fault for path, shown in seen for fault in page_numbers.faults(shown, known, path)] == []


def test_a_task_that_has_its_own_estimate_carries_its_id() -> None:
    html = main_of(paths.compare_pair("gh-2026", "alpha", "beta"))
    assert re.search(
        r'data-estimate="gh-2026/attempts\.utility\?model=alpha&amp;scenario=approve-change', html
    )


def test_the_caption_says_what_stands_behind_a_matrix() -> None:
    html = main_of(paths.compare_experiment("brownfield-2026-07"))
    first = words(re.findall(r"<figcaption>.*?</figcaption>", html, re.DOTALL)[0])
    for part in (
        "368/431 assertions", "3 errors, 1 invalid of 108 attempts", "paired t, 20 tasks in common",
        "Holm over all 12 comparisons", "assay/brownfield v1", "data", "negative control held",
        "2026-07-06 to 2026-07-27", "site assay", "80 % of such experiments",
    ):  # fmt: skip
        assert part in first, part


def test_what_is_withheld_is_on_no_page_of_its_pairs() -> None:
    for path in (
        paths.compare_experiment("brownfield-2026-07b"),
        paths.compare_pair("brownfield-2026-07b", "alpha", "beta"),
    ):
        told = main_of(path)
        assert "withheld" in told
        assert "3 of 12 did not fail" in told
        assert not re.search(r"\d+/\d+|[+−]0\.\d", words(told)), path
        assert 'class="tasks' not in told


def test_headings_say_what_the_data_carry() -> None:
    told = words(main_of(paths.COMPARE))
    assert "Nine experiments, and what each can separate" in told
    assert (
        "change two of six separated, three not compared; regress none of six separated, one on the same "
        "tasks only, three not compared" in told
    )
    assert "utility could not be compared: 5 tasks in common, 8 needed" in told
    assert "score, scorer choice separated; score, scorer match separated" in told
    assert "check pass, as chat model, executed checks could not" in told
    assert not re.search(r"\b(?:19|22|25) pairs", told)  # the pairs of unlike things are never summed
    lede = words(main_of(paths.compare_pair("brownfield-2026-07", "alpha", "gamma")))
    assert "On change (graded on assertions), alpha is above gamma." in lede
    assert "On change (graded on assertions), on the same 20 tasks alpha did better than gamma by" in lede
    assert "On regress (graded on assertions), these runs cannot separate alpha and gamma yet: p" in lede
    same = words(main_of(paths.compare_pair("brownfield-2026-07", "alpha", "beta")))
    assert "On regress (graded on assertions), beta did better than alpha on the same tasks only." in same
    assert "On done but broken (graded on assertions), beta does better than alpha." in same
    assert "cannot separate alpha and beta by their own intervals yet; on the same 20 tasks beta did" in same


def test_one_experiment_is_counted_in_its_arms() -> None:
    site = site_map([experiment("brownfield-2026-07")], (), where().build)
    (planned, *_) = compare_pages(site)
    view = planned.view(FigureCollection(site, planned.path, planned.title))
    assert view.opening.title == "Four models, six pairs: two of six separated, three not compared"  # type: ignore[attr-defined]


def test_nothing_is_said_to_be_compared_where_no_two_share_a_stratum(tmp_path: Path) -> None:
    rows = "".join(
        f"t{n},{arm},{split},1\n" for n in range(9) for arm, split in (("a", "eval"), ("b", "dev"))
    )
    (tmp_path / "t.csv").write_text(f"task,model,split,passed\n{rows}")
    report = mc.compute(tmp_path / "t.csv")
    assert not any(map(is_comparable, report.comparisons))
    site = site_map([sample_site.experiment(report)], (), where().build)
    for planned in compare_pages(site):
        view = planned.view(FigureCollection(site, planned.path, planned.title))
        here = view.opening.here  # type: ignore[attr-defined]
        assert here.title == "On this page"
        assert "Compared here" not in str(here)
    assert [line[0].href for line in here.lines] == ["#not-comparable"]


def test_one_experiment_of_several_families_is_not_summed_either() -> None:
    x, other = experiment("brownfield-2026-07"), experiment("patches-2026").report
    both = replace(
        x.report,
        families=(*x.report.families, *other.families),
        estimates=(*x.report.estimates, *other.estimates),
        comparisons=(*x.report.comparisons, *other.comparisons),
    )
    site = site_map([replace(x, report=both)], (), where().build)
    (planned, *_) = compare_pages(site)
    view = planned.view(FigureCollection(site, planned.path, planned.title))
    assert view.opening.title == "One experiment, and what it can separate"  # type: ignore[attr-defined]
    summary = parts.text(view.experiments[0].summary)  # type: ignore[attr-defined]
    assert "On change, " in summary
    assert "On score, " in summary


def test_a_withheld_experiment_is_said_to_be_withheld_and_nothing_else() -> None:
    site = site_map([experiment("brownfield-2026-07b")], (), where().build)
    for planned in compare_pages(site):
        view = planned.view(FigureCollection(site, planned.path, planned.title))
        assert parts.text(view.opening.lede) == "Withheld: the negative control failed."  # type: ignore[attr-defined]
        assert "separate" not in view.opening.title  # type: ignore[attr-defined]


def test_another_denominator_that_changes_a_verdict_stands_out() -> None:
    s = pair_sets(experiment("brownfield-2026-07").report)[0]
    moved = replace(
        s.comparisons[0],
        judged=samples.judged("a above b"),
        sensitivity=samples.recounts(
            ("unknown counted against", "cannot separate", 0.01),
            ("unknown counted for", "a above b", 0.2),
        ),
    )
    (made_,) = sensitivity(replace(s, comparisons=(moved,)), BARE)
    stands, against, counted_for = (cell.spans for cell in made_.rows[0].cells[1:])
    assert [span.role for span in stands if "above" in span.text] == ["strong"]
    assert [(span.text.strip(" ·"), span.role) for span in against] == [
        ("+0.01", "plain"),
        ("104 and 69 attempts", "quiet"),  # of 108 with 4 lost, of 71 with 2 lost; none is unknown
        ("cannot separate", "strong"),
    ]
    assert [span.role for span in counted_for] == ["plain", "quiet", "plain"]
    assert [head.text for head in made_.heads[2:]] == [
        "Unknown counted against, interval not published",
        "Unknown counted for, interval not published",
    ]


def test_no_difference_under_another_denominator_stands_without_its_counts() -> None:
    """Of alpha 50/58, 9 unknown and 2 errors, and of beta 48/61 and 7 unknown, worked by hand.

    Unknown runs add to N alone, or to n too; errors are failures, which add to n where more is worse.
    """
    alpha = samples.share("security", 50, 58, unknown=9, errors=2, model="alpha")
    beta = samples.share("security", 48, 61, unknown=7, model="beta")
    c = replace(
        samples.COMPARISONS[0],
        sensitivity=samples.recounts(
            ("errors counted as failures", "cannot separate", 0.05),
            ("unknown counted against", "cannot separate", 0.04),
            ("unknown counted for", "cannot separate", 0.07),
        ),
    )
    assert (c.a, c.b) == ("alpha", "beta")
    arms = tuple(replace(e, group=Keys({"model": name})) for e, name in ((alpha, "alpha"), (beta, "beta")))

    def over(polarity: str) -> list[str]:
        of = tuple(replace(e, polarity=polarity) for e in arms)  # type: ignore[arg-type]
        (made_,) = sensitivity(PairSet(comparisons=(c,), arms=of), BARE)
        spans = [span for cell in made_.rows[0].cells for span in cell.spans]
        return [span.text.strip(" ·") for span in spans if span.role == "quiet"]

    assert over("for") == ["50/58 and 48/61", "50/60 and 48/61", "50/67 and 48/68", "59/67 and 55/68"]
    assert over("against")[1] == "52/60 and 48/61"


def test_runs_never_recorded_are_told_where_all_runs_planned_are_counted() -> None:
    """Of alpha 50/58 and 3 never recorded: only the last column is over 61."""
    alpha = samples.share("security", 50, 58, model="alpha")
    alpha = replace(alpha, never_recorded=NeverRecorded(3, None, alpha.interval))
    beta = samples.share("security", 48, 61, model="beta")
    names = Denominator.UNKNOWN_FOR, Denominator.ALL_PLANNED
    told = [(str(name), "cannot separate", 0.05) for name in names]
    for recounts, said in ((told, ["50/58 and 48/61"] * 2 + ["50/61 and 48/61"]),
                           (told[:1], ["50/58 and 48/61"] * 2)):  # fmt: skip
        c = replace(samples.COMPARISONS[0], sensitivity=samples.recounts(*recounts))
        (made_,) = sensitivity(PairSet(comparisons=(c,), arms=(alpha, beta)), BARE)
        cells = [span for cell in made_.rows[0].cells for span in cell.spans]
        assert [span.text.strip(" ·") for span in cells if span.role == "quiet"] == said
        words = "\n".join(map(parts.plain, made_.captions))
        note = "runs never recorded (3 of alpha) count under “all runs planned” alone"
        assert (note in words) == (len(recounts) == 2)


def test_the_counts_of_a_mean_are_of_attempts() -> None:
    """368/431 assertions of 104 runs are no share of 104: what is added to N are runs, not assertions."""
    s = pair_sets(experiment("brownfield-2026-07").report)[0]
    assert s.first.metric == "change"
    e = s.arms[0]
    assert e.of == "assertions"
    told = counted(e, Denominator.ERRORS_AS_FAILURES)
    assert (counted(e), told) == (str(e.known), str(e.known + e.errors + e.invalid))


# ----------------------------------------------------------------------------------------- not comparable


def unlike(key: str, here: str, there: str, **other: object) -> tuple[Estimate, Estimate, Comparison]:
    """An arm, another whose stratum differs in one key, and the refusal as the core words it."""
    base = samples.share("security", 50, 58, model="alpha")
    left = replace(base, group=Keys({"model": "alpha"}), stratum=Keys(((key, here),)))
    right = replace(base, group=Keys({"model": "zeta"}), stratum=Keys(((key, there),)), **other)  # type: ignore[arg-type]
    refusal = replace(
        samples.COMPARISONS[0],
        b="zeta",
        stratum=left.stratum,
        difference=None,
        interval=Interval.none(NoInterval.NOT_COMPARABLE),
        holm_size=0,
        judged=samples.judged("not comparable", Unlike(key, ("alpha", here), ("zeta", there))),
    )
    return left, right, refusal


def test_a_pack_that_moved_is_named_by_both_digests() -> None:
    other = samples.digest("8d17f0b3")
    left, right, refusal = unlike("pack", "sha256:2ed4915c", "sha256:8d17f0b3", pack=other)
    left = replace(left, pack=samples.digest("2ed4915c"))
    report = replace(sample_reports.brownfield(), estimates=(left, right), comparisons=(refusal,))
    assert pair_sets(report) == ()
    (table,) = not_comparable.Refusals(report).within(BARE)
    pair, counted, what, here, there, why = (cell.spans for cell in table.rows[0].cells)
    told = [f"{e.n}/{e.N} {e.of}" for e in (left, right)]
    assert [span.text for span in counted if span.estimate] == told
    assert {span.estimate for span in counted if span.estimate} == {left.id, right.id}
    assert "".join(span.text for span in pair).startswith("alpha with zeta")
    assert what[0].text == "Pack digest"
    assert (here[0].text, there[0].text) == ("sha256:2ed4915c", "sha256:8d17f0b3")
    assert here[0].mark
    assert here[0].mark != there[0].mark
    assert why[0].text == "A moved row is a new experiment"


def test_other_strata_are_told_in_words() -> None:
    left, right, refusal = unlike("evaluator", "measured", "assertion")
    report = replace(sample_reports.brownfield(), estimates=(left, right), comparisons=(refusal,))
    (table,) = not_comparable.Refusals(report).within(BARE)
    assert [cell.spans[0].text for cell in table.rows[0].cells[2:5]] == [
        "Evaluator", "measured", "asserted, not measured",
    ]  # fmt: skip


def test_a_refusal_that_the_report_does_not_bear_out_is_an_error() -> None:
    left, right, refusal = unlike("evaluator", "measured", "assertion")
    report = replace(sample_reports.brownfield(), estimates=(left, left), comparisons=(refusal,))
    assert right not in report.estimates
    with pytest.raises(LookupError, match="differ as it says"):
        not_comparable.Refusals(report).within(BARE)


def test_experiments_are_never_compared_with_each_other_and_say_why() -> None:
    found = not_comparable.between(where().experiments, paths.COMPARE, BARE)
    rows = [[words_ for cell in row.cells for words_ in (cell.spans[0].text,)] for row in found[0].rows]
    # three experiments of brownfield, two of layered, two of traces under different contracts
    assert [row[1] == "Data digest" for row in rows] == [True, True, True, False]
    assert all(row[2] != row[3] for row in rows)


# ------------------------------------------------------------------------------------------- every pair


def drawn(found: tuple[Comparison, ...], arms: tuple[Estimate, ...], context: FigureContext = BARE) -> Figure:
    return forest.draw(found, arms, figure_id="m", context=context)


def cells(drawing: Figure) -> list[list[str]]:
    """Name, value and finding of each pair, stretch by stretch joined."""
    between = drawing.rows.tables[1].groups[0]
    return [[parts.text(row.name), *(parts.text(cell.words) for cell in row.cells)] for row in between.rows]


def many(n: int) -> tuple[tuple[Comparison, ...], tuple[Estimate, ...]]:
    """Any number of arms, and every pair of them."""
    every = samples.security()
    arms = tuple(replace(every[i % 5], group=Keys({"model": f"model-{i:02}"})) for i in range(n))
    found = tuple(
        replace(samples.COMPARISONS[(i + j) % 10], a=f"model-{i:02}", b=f"model-{j:02}")
        for i in range(n)
        for j in range(i + 1, n)
    )
    return found, arms


def test_every_pair_has_its_difference_its_outcome_and_what_could_be_shown() -> None:
    told = cells(drawn(samples.COMPARISONS[:10], samples.security()))
    assert [row[0] for row in told] == [f"{c.a} − {c.b}" for c in samples.COMPARISONS[:10]]
    apart = [row[2] for row in told if not row[2].startswith("cannot separate")]
    assert len(apart) == 5
    assert all(words.startswith("separated ") and " over " in words for words in apart)
    assert sum("could be shown: paired 0.19, strict 0.31" in row[2] for row in told) == 5


def test_every_pair_leads_to_its_own_page() -> None:
    drawing = drawn(samples.COMPARISONS[:10], samples.security(), LINKED)
    names = [row.name[0].href for row in drawing.rows.tables[1].groups[0].rows]
    assert names == [f"#gh-2026-{c.a}-{c.b}" for c in samples.COMPARISONS[:10]]


@pytest.mark.parametrize("n", [2, 8, 12])
def test_few_and_many_arms_stand_row_by_row(n: int) -> None:
    found, arms = many(n)
    drawing = drawn(found, arms)
    assert len(drawing.rows.tables[0].groups[0].rows) == n
    assert len(cells(drawing)) == n * (n - 1) // 2


def test_more_pairs_than_can_be_read_are_in_the_csv_and_the_caption_says_so() -> None:
    found, arms = many(17)
    drawing = drawn(found, arms)
    assert (len(drawing.table.rows), len(drawing.csv.rows)) == (forest.FIRST, 136)
    assert drawing.desc.endswith("; and 86 more pairs")
    assert len(cells(drawing)) == len(drawing.spec["datasets"]["pairs"]) == forest.FIRST
    assert "Of 136 pairs the first 50 are drawn; every one is in the CSV file." in parts.text(
        drawing.caption.reads
    )


def test_too_few_is_a_word_and_neither_a_point_nor_a_zero() -> None:
    few = tuple(
        replace(
            c, difference=None, detectable=None, interval=Interval.none(NoInterval.TOO_FEW),
            judged=samples.judged("cannot separate", NotSeparated.TOO_FEW_RUNS),
        )
        for c in samples.COMPARISONS[:10]
    )  # fmt: skip
    drawing = drawn(few, samples.security())
    for _, value, finding in cells(drawing):
        assert value == "no number"
        assert finding.startswith("cannot separatefewer than 8 valid runs")
    assert not [row for row in drawing.rows.tables[1].groups[0].rows if "<circle" in row.marks]


def test_an_interval_without_0_that_separates_nothing_gives_its_reason() -> None:
    first = replace(
        samples.COMPARISONS[0], interval=Interval(lo=0.02, hi=0.2, method="paired t"),
        judged=SeparationVerdict(
            above="a", against=(NotSeparated.OVERLAP, NotSeparated.NOT_SIGNIFICANT), overlap=True
        ),
    )  # fmt: skip
    told = cells(drawn((first, *samples.COMPARISONS[1:10]), samples.security()))
    assert "p 0.93 after Holm over 10 comparisons" in told[0][2]


def test_what_the_same_tasks_alone_tell_apart_is_half_a_point_and_says_so() -> None:
    """One point for each of the three outcomes: full and half are bold, hollow is not."""
    half = replace(
        samples.COMPARISONS[0], interval=Interval(lo=0.02, hi=0.2, method="paired t"), p_adjusted=0.02,
        judged=SeparationVerdict(above="a", against=(NotSeparated.OVERLAP,), overlap=True),
    )  # fmt: skip
    drawing = drawn((half, *samples.COMPARISONS[1:10]), samples.security())
    rows = drawing.rows.tables[1].groups[0].rows
    assert [(part.text, part.role) for part in rows[0].cells[1].words[:3]] == [
        ("same tasks only", "strong"), (" ", "plain"), ("alpha over beta", "plain"),
    ]  # fmt: skip
    marks = [str(row.marks) for row in rows]
    assert [found.count("<path") for found in marks] == [1] + [0] * 9  # the half of one point
    paper = sum('r="4.5" fill="var(--paper)"' in found for found in marks)
    assert paper == 5  # the half one is paper under its half
    header, first = drawing.csv.header, drawing.csv.rows[0]
    told = dict(zip(header, first, strict=True))
    assert (told["outcome"], told["verdict"], told["paired_verdict"]) == (
        "told apart on the same tasks only", "cannot separate", "a above b",
    )  # fmt: skip


def test_where_more_is_worse_the_caption_says_so() -> None:
    arms = tuple(replace(e, metric="attack_success", polarity="against") for e in samples.security())
    found = tuple(replace(c, metric="attack_success") for c in samples.COMPARISONS[:10])
    told = parts.text(drawn(found, arms).caption.reads)
    assert "More attack success speaks against an arm." in told


def test_pairs_of_two_metrics_are_refused() -> None:
    mixed = (samples.COMPARISONS[0], replace(samples.COMPARISONS[1], metric="utility"))
    with pytest.raises(ValueError, match="several metrics"):
        drawn(mixed, samples.security())


# ---------------------------------------------------------------------------------------- in a browser

LOOKED_AT = (
    paths.COMPARE,
    paths.compare_experiment("brownfield-2026-07"),
    paths.compare_pair("gh-2026", "alpha", "beta"),
    paths.compare_pair("brownfield-2026-07b", "alpha", "beta"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("compare")
    for path in LOOKED_AT:
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(made()[path][1], "utf-8")
    for file in render.assets():
        (site / file.path).parent.mkdir(parents=True, exist_ok=True)
        (site / file.path).write_bytes(file.data)
    return site


@pytest.mark.parametrize("path", LOOKED_AT)
def test_a_page_is_readable_and_nothing_overflows(browser: Browser, folder: Path, path: str) -> None:
    page = browser.new_page()
    page.goto((folder / path).as_uri())
    page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
    for at, (width, scheme) in enumerate(looks()):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        # Each has thousands of elements: by day the smallest is looked at, its kinds among all pages too.
        if by_night() or (path == LOOKED_AT[-1] and at == 0):
            assert violations(page) == [], (width, scheme)
    page.close()


def test_no_part_stands_beside_its_whole_at_a_glance_where_nothing_compares_it() -> None:
    """The only third layer of two pipelines has their runs, and each would be drawn twice."""
    reports = [experiment(name).report for name in ("layered-2026-07", "layered-2026-08")]
    keys = {(e.experiment, key) for e in at_a_glance(reports) for key in e.group.names}
    assert ("layered-2026-08", "l3") not in keys
    assert {("layered-2026-08", "pipeline"), ("layered-2026-08", "l1"), ("layered-2026-07", "l3")} <= keys
    assert all("pipeline" in e.group.names for e in at_a_glance(reports) if e.metric == "total_pass")


# ------------------------------------------------------------------------------------------- counts of one


@pytest.mark.parametrize(
    ("sides", "says"),
    [
        (((1.0, 0.0),), "They differ on the one task in common: alpha has more."),
        (((0.0, 1.0),), "They differ on the one task in common: beta has more."),
        (((1.0, 1.0),), "They do not differ on the one task in common."),
        (((1.0, 1.0), (0.0, 0.0)), "They differ on none of the 2 tasks in common."),
        (
            ((1.0, 0.0), (0.0, 0.0)),
            "They differ on 1 of the 2 tasks in common: alpha has more on 1, beta on none.",
        ),
    ],
)
def test_tasks_in_common_are_counted_as_one_counts(sides: tuple[tuple[float, float], ...], says: str) -> None:
    c = replace(samples.COMPARISONS[0], a="alpha", b="beta", paired_on=len(sides))
    found = [SimpleNamespace(difference=a - b, a=SimpleNamespace(), b=SimpleNamespace()) for a, b in sides]
    told = task_summary(Tasks(c=c, a=None, b=None, found=found, published=None, page="compare"))  # type: ignore[arg-type]
    assert "".join(span.text for span in told).startswith(says)


def test_a_task_on_which_means_part_by_rounding_alone_is_no_ones() -> None:
    def side(*values: float) -> TaskSide:
        runs = [(SimpleNamespace(), SimpleNamespace(value=x)) for x in values]
        return TaskSide(tuple(runs))  # type: ignore[arg-type]

    task = PairedTask(name="t", title="t", a=side(0.1, 0.2, 0.3), b=side(0.2, 0.2, 0.2))
    assert task.a is not None
    assert task.b is not None
    assert task.a.mean != task.b.mean
    assert (task.difference, task.discordant) == (0.0, False)


def test_pairs_are_counted_as_one_counts() -> None:
    c = samples.COMPARISONS[0]
    for judged, says in (("a above b", "separated"), ("cannot separate", "not separated")):
        why = () if judged == "a above b" else (NotSeparated.HOLDS_ZERO,)
        alone = replace(c, judged=samples.judged(judged, *why))
        assert pairs_found([alone]) == says
        (found,) = comparison_tables([alone], BARE)
        assert parts.plain(found.captions[0]).startswith("comparisons of 1 pair: 1 ")


def test_a_series_is_named_as_the_one_place_where_experiments_are_compared() -> None:
    site = where()
    assert site.series
    said = overview(site, FigureCollection(site, paths.COMPARE, paths.COMPARE)).refused
    assert "did not measure the same thing. One difference between experiments is given: in a series" in said
    alone = overview(replace(site, series=()), FigureCollection(site, paths.COMPARE, paths.COMPARE)).refused
    assert "in a series" not in alone
