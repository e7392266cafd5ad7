"""Prose with roles and directives: what each gives, and that it is what the site's own pages give."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import metrics_core as mc
from metrics_core.registry import declarations
from site_src import pipeline
from site_src.authoring import directives
from site_src.authoring.declarations import Directive, Option, Role
from site_src.authoring.directives import DIRECTIVES
from site_src.authoring.prose import PageContext, prose
from site_src.authoring.reference_page import writing_reference
from site_src.authoring.roles import ROLES
from site_src.pages.figure_collection import FigureCollection
from site_src.pages.results import experiment as experiment_page
from site_src.pages.runs import RunLists
from site_src.pages.site_map import SiteMap, site_map
from site_src.project.site_model import BuildInfo
from site_src.references import parse_query
from tests.support.written_pages import PAGE, page_context, site, written

REPO = Path(__file__).resolve().parents[3]
CHANGE = "brownfield-2026-07/brownfield.change model=alpha"


@cache
def small() -> SiteMap:
    """One real experiment of the shipped example, measured, and nothing else."""
    experiment = mc.load(REPO / "content" / "experiments" / "gh-2026").with_snapshot()
    shown = pipeline.site_experiment(experiment, mc.compute(experiment), ())
    return site_map([shown], (), BuildInfo(version="0+0", digest="sha256:" + "0" * 64), ["gh-2026"])


def bare(markup: str) -> str:
    """The words of a piece of HTML."""
    return " ".join(re.sub(r"<[^>]+>", "", markup).split())


def example(name: str, where: SiteMap) -> str:
    if name in ROLES:
        content = ROLES[name].example(where)
        return f"{{{name}}}`{content}`" if content else ""
    content = DIRECTIVES[name].example(where)
    first, _, rest = content.partition("\n")
    return "\n".join((f"```{{{name}}} {first}".rstrip(), rest, "```")) if content else ""


# ------------------------------------------------------------------------------------------ every one of them


@pytest.mark.parametrize("where", [site, small], ids=["sample", "gh-2026"])
@pytest.mark.parametrize("name", [*ROLES, *DIRECTIVES])
def test_every_example_works_on_any_site(name: str, where: object) -> None:
    at: SiteMap = where()  # type: ignore[operator]
    source = example(name, at)
    if source:
        collection = FigureCollection(at, PAGE, "Tour")
        made = prose(source, PageContext("tour.md", 1, PAGE, at, collection))
        assert bare(made)
        assert "{" + name + "}" not in made


@pytest.mark.parametrize("name", [*ROLES, *DIRECTIVES])
def test_a_site_without_anything_has_no_example_that_fails(name: str) -> None:
    empty = site_map((), (), BuildInfo(version="0+0", digest="sha256:" + "0" * 64))
    if source := example(name, empty):
        prose(source, PageContext("tour.md", 1, PAGE, empty, FigureCollection(empty, PAGE, "Tour")))


@pytest.mark.parametrize("name", [*ROLES, *DIRECTIVES])
def test_the_reference_shows_each_with_its_example_and_what_it_gives(name: str) -> None:
    collection = FigureCollection(site(), "writing.html", "Writing")
    view = writing_reference(site(), collection)
    (form,) = [f for part in view.parts for f in part.forms if f.name == f"{{{name}}}"]
    declared = ROLES.get(name) or DIRECTIVES[name]
    assert form.does == declared.does + declared.more
    assert form.source.splitlines()[:1] == example(name, site()).splitlines()[:1]
    assert bool(form.source) == bool(bare(form.result))
    shown = {row.cells[0].spans[0].text for t in form.options for row in t.rows}
    assert {option.name for option in declared.options} <= shown


def test_a_module_without_a_declaration_is_refused() -> None:
    with pytest.raises(TypeError, match=r"directives\.claims\.DIRECTIVE is no Role"):
        declarations(directives, "DIRECTIVE", Role, lambda role: role.name)
    found = declarations(directives, "DIRECTIVE", Directive, lambda directive: directive.name)
    assert set(found) == set(DIRECTIVES)
    with pytest.raises(ValueError, match="must be given, and yet has a default"):
        Option(name="a", about="b", default="c", required=True)


# ------------------------------------------------------------------------------------------------------ roles


def test_an_estimate_is_its_counts_and_interval_linked_to_its_row() -> None:
    e = site().index.one(parse_query(CHANGE, "x:1:1"))
    made = written(f"{{est}}`{CHANGE}`")
    assert f"{e.n}/{e.N} assertions" in bare(made)
    assert f'data-estimate="{e.id.replace("&", "&amp;")}"' in made
    page, anchor = site().rows[e.id]
    assert f'href="../{page}#{anchor}"' in made


def test_an_estimate_without_a_row_links_to_its_experiment() -> None:
    made = written("{est}`brownfield-2026-07/brownfield.change model=alpha kind=feature`")
    assert 'href="../experiments/brownfield-2026-07/index.html"' in made


def test_a_withheld_estimate_says_so_and_has_no_number() -> None:
    made = written("{est}`brownfield-2026-07b/brownfield.change model=alpha`")
    assert bare(made) == "withheld"
    assert "swatch-withheld" in made
    assert "data-estimate" not in made


def test_a_literal_is_plain_text() -> None:
    made = written("Promised: {literal}`86 %`, {literal}`a * b _c_ <b>`.")
    assert bare(made) == "Promised: 86 %, a * b _c_ &lt;b&gt;."
    assert "data-" not in made


def test_a_role_within_a_link_has_no_link_of_its_own() -> None:
    made = written(f"[see {{est}}`{CHANGE}` there](../about.md) and {{page}}`about`")
    first, _, second = made.partition("</a>")
    assert first.count("<a ") == 1
    assert "data-estimate" in first
    assert second.count("<a ") == 1


@pytest.mark.parametrize(
    ("content", "href", "words"),
    [
        ("../about", "../about.html", "About"),
        ("about.md", "../about.html", "About"),
        ("what this is <about>", "../about.html", "what this is"),
        ("contracts", "../contracts/index.html", "Contracts"),
        ("the runs <brownfield-2026-07>", "../experiments/brownfield-2026-07/index.html", "the runs"),
        ("alpha", "../models/alpha/index.html", "alpha"),
        (
            "index.md#More done, more broken",
            "../index.html#on-more-done-more-broken",
            "More done, more broken",
        ),
        ("here <index#more-done-more-broken>", "../index.html#on-more-done-more-broken", "here"),
    ],
)
def test_a_page_is_named_by_its_file_its_name_or_its_heading(content: str, href: str, words: str) -> None:
    assert f'<a href="{href}">{words}</a>' in written(f"{{page}}`{content}`")


def test_a_run_is_named_by_its_id_or_its_line() -> None:
    by_id = written("{review}`brownfield-2026-07/000000000002`")
    assert by_id == written("{review}`brownfield-2026-07/logs_big/gamma.jsonl:3`")
    assert 'href="../reviews/brownfield-2026-07/000000000002/index.html"' in by_id
    assert "<code>logs_big/gamma.jsonl:3</code>" in by_id


def test_instruments_and_packs_are_cited_by_digest() -> None:
    (ref,) = site().contracts["halden/v4-patch"]
    made = written("{contract}`halden/v4-patch v4` and {pack}`eval_pack`")
    assert f"halden/v4-patch v4 sha256:{ref.digest[7:15]} and eval_pack sha256:4862f447" in bare(made)
    assert made.count('class="hallmark"') == 2
    assert made == written("{contract}`halden/v4-patch` and {pack}`eval_pack sha256:4862`")


# ------------------------------------------------------------------------------------------------- directives


def test_a_figure_is_the_one_of_the_sites_own_page_and_hangs_in_the_gallery() -> None:
    here = page_context()
    made = prose("```{figure} funnel\n:experiment: brownfield-2026-07\n```", here)
    (placed,) = here.collection.placed
    names = [file.path for file in here.collection.files]
    assert names == [
        f"data/figures/{placed.id}.{suffix}" for suffix in ("csv", "json", "vl.json", "svg", "html")
    ]
    assert f'<figure id="{placed.id}" data-figure="funnel"' in made
    x = next(x for x in site().experiments if x.name == "brownfield-2026-07")
    collection = FigureCollection(site(), "experiments/x/index.html", "x")
    page = experiment_page.experiment_view(site(), x, RunLists(), collection)
    (own,) = [f for family in page.families for f in family.figures if f.kind == "funnel"]
    marks = [str(row.marks) for table in own.rows.tables for group in table.groups for row in group.rows]
    assert len(marks) > 3
    assert [each for each in marks if each not in made] == []


def test_a_figure_shown_twice_has_two_ids_and_a_title_can_be_given() -> None:
    here = page_context()
    one = "```{figure} funnel\n:experiment: brownfield-2026-07\n:model: alpha\n:title: As it went\n```\n\n"
    made = prose(one + one, here)
    first, second = (placed.id for placed in here.collection.placed)
    assert first != second
    assert len({file.path for file in here.collection.files}) == 10
    assert made.count(">As it went</h2>") == 2


@pytest.mark.parametrize("kind", ["overview", "separation", "cost", "controls", "change-regress", "timeline"])
def test_kinds_of_figures_are_there_by_name(kind: str) -> None:
    arm = ":model: alpha\n" if kind == "timeline" else ""
    metric = ":metric: change\n" if kind == "separation" else ""
    made = written(f"```{{figure}} {kind}\n:experiment: brownfield-2026-07\n{arm}{metric}```")
    assert f'data-figure="{kind}"' in made


def test_a_table_is_a_copy_without_ids_and_with_its_caption() -> None:
    made = written("```{table}\n:experiment: brownfield-2026-07\n:metric: change, regress\n```")
    assert not re.search(r'<(?:tr|td|th|table)[^>]* id="', made)
    assert 'class="caption table-caption"' in made
    assert re.findall(r'<th scope="col"[^>]*>(?:<a[^>]*>)?([^<]+)', made)[1:3] == ["change", "regress"]
    only = written("```{table}\n:experiment: brownfield-2026-07\n:metric: change\n:where: model=beta\n```")
    assert re.findall(r'<th scope="row">.*?>(\w+)<', only) == ["beta"]


def test_two_arms_are_told_apart_whichever_is_named_first() -> None:
    of = ":of: brownfield-2026-07/brownfield.change\n"
    forth = bare(written(f"```{{compare}} alpha gamma\n{of}```"))
    back = bare(written(f"```{{compare}} gamma alpha\n{of}```"))
    (c,) = [
        c
        for x in site().experiments
        for c in x.report.comparisons
        if (c.experiment, c.metric, c.a, c.b) == ("brownfield-2026-07", "change", "alpha", "gamma")
    ]
    assert f"alpha − gamma: +{c.difference:.2f}" in forth
    assert f"gamma − alpha: −{c.difference:.2f}" in back
    assert ": separated." in forth
    assert ": separated." in back


def test_a_difference_never_stands_without_what_is_behind_it() -> None:
    """n/N of both arms and the experiment in the sentence; instrument, data and control in the caption."""
    made = written("```{compare} alpha gamma\n:of: brownfield-2026-07/brownfield.change\n```")
    sentence, _, caption = made.partition('class="caption table-caption"')
    for arm, ratio in (("alpha", "412/520"), ("gamma", "260/507")):
        shown = rf'data-estimate="brownfield-2026-07/[^"]*model={arm}[^"]*">{ratio} assertions<'
        assert re.search(shown, sentence)
        assert re.search(shown.removesuffix(" assertions<"), caption)
    assert 'href="../experiments/brownfield-2026-07/index.html">' in sentence
    (x,) = [x for x in site().experiments if x.name == "brownfield-2026-07"]
    contract = next(c.contract.digest for c in x.report.comparisons)
    for part in (contract[7:15], x.report.data_digest[7:15], "negative control held", "95 % paired t"):
        assert part in bare(caption), part


def test_controls_say_their_state_and_what_rests_on_them() -> None:
    held = bare(written("```{control} negative control\n:experiment: brownfield-2026-07\n```"))
    failed = written("```{control} sanity\n:experiment: brownfield-2026-07b\n```")
    assert held.startswith("negative control held")
    assert "swatch-false" in failed
    assert "It guards brownfield" in bare(failed)
    assert len(re.findall("<p ", written("```{control}\n:experiment: brownfield-2026-07\n```"))) == 2


def test_a_decision_is_linked_and_its_claims_are_shown_with_their_evidence() -> None:
    assert '<a href="../decisions/keep-alpha/index.html">Keep alpha</a>' in written("{decision}`keep-alpha`")
    (judged,) = site().decisions
    named = written("```{claims} keep-alpha\n```")
    assert named == prose("```{claims}\n```", page_context(decision=judged))
    assert "alpha stands above gamma" in named
    assert bare(named).startswith("Supported alpha")
    assert 'class="caption table-caption"' in named


def test_a_figure_right_under_the_title_skips_no_level_of_headings() -> None:
    figure = "```{figure} funnel\n:experiment: brownfield-2026-07\n```\n"
    assert "</h2>" in written(figure)
    assert "</h3>" not in written(figure)
    assert "</h3>" in written(f"## Seen\n\n{figure}")
