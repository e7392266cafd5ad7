"""The page of one model: what stands on it is of this arm, and why no number heads it is true."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from metrics_core.families import FAMILIES
from metrics_core.results.estimate import Estimate
from metrics_core.results.keys import Keys
from metrics_core.results.report import Report
from site_src.pages.figure_collection import FigureCollection
from site_src.pages.pair_sets import pair_sets
from site_src.pages.results import model_head
from site_src.pages.results.model import model_view, models_view
from site_src.pages.site_map import site_map
from site_src.pages.summaries import model
from site_src.wording.links import FigureContext
from site_src.wording.names import is_arm
from site_src.wording.spans import text
from tests.support import figure_samples as samples, sample_reports, sample_site
from tests.support.sentence_predicates import number

BARE = FigureContext(build="b")


def report_with(*estimates: Estimate) -> Report:
    return replace(sample_reports.traces(), estimates=estimates, comparisons=())


def head(*estimates: Estimate) -> str:
    return text(model([sample_site.experiment(report_with(*estimates))], "delta", BARE))


def test_an_arm_with_few_runs_that_are_all_known_is_not_said_to_have_unknown_ones() -> None:
    six = replace(samples.share("score", 5, 6, model="delta"), family="traces")
    assert head(six).startswith("Too few runs of it were recorded for a value to stand here;")
    lost = replace(samples.share("score", 3, 4, unknown=20, model="delta"), family="traces")
    assert "were recorded" not in head(lost)
    assert head(replace(lost, n=0, N=0, known=0, value=None, unknown=24)).startswith(
        "Too few of its runs are known for a value to stand here;"
    )


def test_the_list_of_models_counts_for_a_layer_only_what_is_of_the_layer() -> None:
    words = FAMILIES["layered"].words
    own = replace(samples.share("plan_pass", 7, 9), group=Keys({"l2": "delta"}), stratum=Keys(), words=words)
    routed = replace(samples.share("router_accuracy", 30, 40), group=own.group, stratum=Keys(), words=words)
    x = sample_site.experiment(report_with(own, routed))
    (row,) = models_view(site_map([x], (), sample_site.BUILD, ())).models.rows
    assert (
        text(row.cells[-1].spans) == "one experiment, at most 9 attempts behind a number"
    )  # not the router's 40


def test_the_list_of_models_shows_first_numbers_of_where_there_are_most_attempts() -> None:
    """A list without a number was all that a site whose models are never compared said of them."""
    few, many = (replace(samples.share("score", n, n + 10, model="delta"), family="traces") for n in (9, 30))
    found = [
        sample_site.experiment(replace(report_with(e), experiment=name))
        for name, e in (("few", replace(few, experiment="few")), ("many", replace(many, experiment="many")))
    ]
    for x in (found, found[::-1]):
        listed = models_view(site_map(x, (), sample_site.BUILD, ())).models
        assert [head.text for head in listed.heads] == ["Model", "First numbers", "Experiments"]
        assert text(listed.rows[0].cells[1].spans).startswith("Score 30/40 ")
        assert len(listed.captions) == 1


JULY, AUGUST = (("2026-07-05T08:00:00Z",) * 2, ("2026-08-05T08:00:00Z",) * 2)


@pytest.mark.parametrize(
    ("first", "second", "above"),
    [
        (JULY, AUGUST, [("second", True)]),
        (JULY, JULY, [("first", False)]),
        (None, None, [("first", False)]),
        (None, JULY, [("second", True)]),
    ],
)
def test_an_experiment_is_newer_than_another_only_where_their_dates_say_so(
    first: tuple[str, str] | None, second: tuple[str, str] | None, above: list[tuple[str, bool]]
) -> None:
    own = replace(samples.share("score", 10, 20, model="delta"), family="traces")
    of = [
        sample_site.experiment(replace(report_with(replace(own, stamps=stamps)), experiment=name))
        for name, stamps in (("first", first), ("second", second))
    ]
    site = site_map([replace(x, title=x.name) for x in of], (), sample_site.BUILD, ())
    view = model_view(site, "delta", {}, FigureCollection(site, "models/delta/index.html", "delta"))
    assert [(part.newer.text, part.is_newer) for part in view.families if part.newer.text] == above


def test_what_a_model_does_alone_stands_before_what_it_does_as_a_part_of_an_arm() -> None:
    """Whichever is newer: who opens a model's page asks for the model."""
    alone = replace(samples.share("score", 10, 20, model="delta"), family="traces", stamps=JULY)
    part = replace(
        samples.share("plan_pass", 7, 9), family="layered", group=Keys({"l2": "delta"}), stratum=Keys(),
        words=FAMILIES["layered"].words, stamps=AUGUST,
    )  # fmt: skip
    found = [
        sample_site.experiment(
            replace(
                report_with(e),
                experiment=name,
                families=(e.family,),
                words=((e.family, FAMILIES[e.family].words),),
            )
        )
        for name, e in (("layers", part), ("scores", alone))
    ]
    site = site_map(found, (), sample_site.BUILD, ())
    view = model_view(site, "delta", {}, FigureCollection(site, "models/delta/index.html", "delta"))
    assert [each.title for each in view.families] == ["Traces", "Layered as second-layer model"]


def test_the_head_of_a_page_says_of_every_experiment_what_tells_the_model_apart() -> None:
    found = [x for x in sample_site.experiments() if model_head.of_model(x, "alpha")]
    told = {
        said[0].text: text(said) for said in model_head.told_apart(found, "alpha", "models/alpha/index.html")
    }
    for x in found:
        apart = {
            name
            for c in x.report.comparisons
            if c.told_apart is not None
            and "alpha" in c.told_apart
            and not c.group
            and is_arm(c.over, c.words)
            for name in c.told_apart
        }
        assert all(name in told[x.title] for name in apart) if apart else x.title not in told
    rest = model_head.told_elsewhere(found, "alpha")
    assert sum(map(number, re.findall(r"[Ii]n (\w+)", rest))) == len(found) - len(told)


def test_the_only_experiment_of_a_model_is_not_counted() -> None:
    (x,) = (x for x in sample_site.experiments() if x.name == "brownfield-2026-05")
    assert model_head.told_elsewhere([x], "alpha") == ("Nothing that is shown compares it with another arm.")


def test_the_first_numbers_of_a_section_are_those_that_its_sentence_tells() -> None:
    found = [x for x in sample_site.experiments() if model_head.of_model(x, "alpha")]
    (x,) = (x for x in found if x.name == "brownfield-2026-07")
    sections = [model_head.Section(x, "brownfield", "model")]
    (drawing,) = model_head.first_numbers("alpha", sections, BARE)
    (group,) = drawing.tables[0].groups
    assert [text(row.name) for row in group.rows] == ["change", "regress", "done but broken"]
    assert {row.arms for row in group.rows} == {"alpha"}
    said = text(model([x], "alpha", BARE))
    counted = [cell for row in group.rows for cell in row.cells if cell.kind == "counted"]
    assert len(counted) == 3
    assert all(text(cell.words).split()[0] in said for cell in counted)
    assert group.section == f"#{sections[0].id}"


def test_what_is_made_of_a_report_is_made_once_for_all_pages_of_an_experiment_as_it_stands() -> None:
    x = next(x for x in sample_site.experiments() if pair_sets(x.report))
    assert x.of_report(pair_sets) is x.of_report(pair_sets)
    assert x.of_report(pair_sets) == pair_sets(x.report)
    silent = replace(x, report=replace(x.report, comparisons=()))
    assert silent.of_report(pair_sets) == ()
