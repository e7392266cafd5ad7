"""Pages as data and as HTML: what every page must hold, whatever the reports say."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from markupsafe import Markup
from msgspec.structs import replace

from metrics_core.errors import ConfigError
from metrics_core.results import Problem, Repeated, Report
from metrics_core.results.estimate import ContractRef
from metrics_core.text import INVISIBLE, visible
from site_src import paths
from site_src.authoring import pages
from site_src.pages import citations, render, summaries
from site_src.pages.figure_collection import FigureCollection
from site_src.pages.page import Page
from site_src.pages.results import experiment, experiment_list, overview
from site_src.pages.runs import RunLists, index, run
from site_src.pages.series import SeriesNumbers
from site_src.pages.site_map import gap_words, site_map, version_order
from site_src.project import content, csv_bytes, markdown, site_config
from site_src.publishing import page_plan as all_pages
from site_src.wording import FigureContext, in_words
from site_src.wording.first_lines import pairs_sentence
from site_src.wording.spans import text
from tests.support import sample_reports, sample_site
from tests.support.sample_reports import HOSTILE

VOID = {"br", "col", "hr", "img", "input", "link", "meta", "wbr"}
BIDI = re.compile("[\u202a-\u202e\u2066-\u2069\u200b-\u200f\ufeff\x1b]")


class Tree(HTMLParser):
    """Tags, ids, links and the text of a page; faults where tags do not match."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.text = ""
        self.faults: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for name, value in attrs:
            self.attributes.append((tag, name, value or ""))
            if name == "id":
                self.ids[value or ""] += 1
            if name in ("href", "src"):
                self.links.append(value or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data: str) -> None:
        self.text += data


@cache
def all_made() -> dict[str, Page]:
    return {page.path: page for page in sample_site.pages()}


@cache
def all_html() -> dict[str, str]:
    return {path: render.render_page(page).decode() for path, page in all_made().items()}


@cache
def all_trees() -> dict[str, Tree]:
    return {path: Tree(text) for path, text in all_html().items()}


KINDS = sample_site.kinds()

every_page = pytest.mark.parametrize("path", sorted(sample_site.site().paths()))
every_kind = pytest.mark.parametrize("path", [KINDS[kind] for kind in sorted(KINDS)], ids=sorted(KINDS))


# ------------------------------------------------------------------------------------------ every page


def test_where_the_site_has_no_address_the_404_page_looks_for_its_style_at_the_top_of_the_host() -> None:
    top = '<link rel="stylesheet" href="/assets/site.css">'
    assert [path for path, html in all_html().items() if top in html] == [paths.NOT_FOUND]
    where = sample_site.site().where
    known = site_config.SiteConfig(url="https://example.org/evals/")
    view = pages.not_found(replace(where, build=replace(where.build, site=known)), "/evals/")
    assert (view.known, view.ways[0][0].href) == (True, "/evals/index.html")


def test_no_page_holds_a_style() -> None:
    assert [path for path, html in all_html().items() if "<style" in html] == []


def test_no_head_of_a_row_or_column_is_empty() -> None:
    empty = re.compile(r"<th[^>]*>\s*</th>")
    assert [path for path, html in all_html().items() if empty.search(html)] == []


def test_every_kind_of_page_is_there() -> None:
    assert set(KINDS) == {
        "overview",
        "compare",
        "compare-pair",
        "series",
        "editions",
        "writing",
        "models",
        "model",
        "experiments",
        "experiment",
        "reviews",
        "review",
        "tasks",
        "task",
        "search",
        "contracts",
        "contract",
        "packs",
        "pack",
        "prices",
        "data",
        "methods",
        "dictionary",
        "prose",
        "404",
    }


@every_page
def test_a_page_is_well_formed_and_has_one_title_one_main_and_no_id_twice(path: str) -> None:
    tree = all_trees()[path]
    assert tree.faults == []
    assert tree.open == []
    assert (tree.tags["h1"], tree.tags["main"], tree.tags["title"]) >= (1, 1, 1)
    assert (tree.tags["h1"], tree.tags["main"]) == (1, 1)
    assert [i for i, n in tree.ids.items() if n > 1] == []
    assert not any(name == "style" or name.startswith("on") for _, name, _ in tree.attributes)


@every_page
def test_every_link_leads_to_a_page_a_file_or_an_element_that_is_there(path: str) -> None:
    published = {x.at for e in sample_site.experiments() for x in e.files} | {
        paths.report(e.name) for e in sample_site.experiments()
    }
    published |= {d.at for d in sample_site.BUILD.downloads} | {
        r.schema_at for r in sample_site.BUILD.records
    }
    files = (
        {f.path for p in all_made().values() for f in p.files}
        | {f.path for f in render.assets()}
        | {"manifest.json", paths.FEED, citations.BIBTEX, citations.CSL}
        | published
    )
    for link in all_trees()[path].links:
        parts = urlsplit(link)
        if parts.scheme:
            assert parts.scheme in ("http", "https"), link
            continue
        target = str(Path("/", path).parent.joinpath(parts.path).resolve())[1:] if parts.path else path
        assert target in all_made() or target in files, link
        if parts.fragment and not parts.fragment.startswith("?") and target in all_trees():
            assert parts.fragment in all_trees()[target].ids, link


@every_page
def test_text_of_records_is_escaped_whole_and_nothing_in_it_is_hidden(path: str) -> None:
    assert "<script>alert" not in all_html()[path]
    assert BIDI.search(all_html()[path]) is None
    assert not any(link.lower().startswith("javascript:") for link in all_trees()[path].links)


def test_hostile_texts_are_shown_and_not_stripped() -> None:
    shown = visible(HOSTILE)
    assert shown == "<script>alert(1)</script>‹U+202E›‹U+001B›[31m&\"'"
    assert sum(shown in tree.text for tree in all_trees().values()) >= 5


@every_page
def test_the_policy_stands_before_everything_that_is_loaded(path: str) -> None:
    html = all_html()[path]
    policy = html.index("Content-Security-Policy")
    assert policy < html.index("<link") < html.index("</head>")
    assert policy < html.index("<script")
    assert "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;" in html
    assert "unsafe" not in html[: html.index("</head>")]


@every_page
def test_links_away_carry_no_trace_of_the_reader(path: str) -> None:
    for tag in re.findall(r"<a [^>]*href=\"https?:[^>]*>", all_html()[path]):
        assert 'rel="nofollow noreferrer noopener"' in tag


def test_no_two_pages_or_files_claim_one_path() -> None:
    found = Counter(
        [
            *all_made(),
            *(f.path for p in all_made().values() for f in p.files),
            *(f.path for f in render.assets()),
        ]
    )
    assert [path for path, n in found.items() if n > 1] == []
    assert all(re.fullmatch(r"[a-z0-9./-]+", path) for path in found)


def test_pages_are_the_same_whatever_order_the_reports_come_in() -> None:
    turned = sample_site.experiments()[::-1]
    again = tuple(all_pages.Site(turned, sample_site.AUTHORED, sample_site.BUILD).pages())
    assert {p.path: render.render_page(p) for p in again} == {
        path: html.encode() for path, html in all_html().items()
    }


# ------------------------------------------------------------------------------------------ numbers


@every_page
def test_a_number_refers_to_an_estimate_that_is_published(path: str) -> None:
    known = {e.id for x in sample_site.experiments() for e in x.report.estimates}
    told = {value for _, name, value in all_trees()[path].attributes if name == "data-estimate"}
    assert told <= known
    for tag, name, value in all_trees()[path].attributes:
        if name == "data-estimates":
            assert tag == "figure"
            assert set(value.split()) <= known


def test_a_withheld_experiment_shows_the_control_and_no_number() -> None:
    path = paths.experiment("brownfield-2026-07b")
    text = all_trees()[path].text
    assert "Withheld: the negative control failed" in text
    assert "The control, check by check" in text
    assert "What is withheld" in text
    assert "10/12" in text
    assert "412/520" not in text
    assert not re.search(r"0\.79|1236/1280", text)


def test_a_missing_control_is_not_one_that_held() -> None:
    text = all_trees()[paths.experiment("brownfield-2026-05")].text
    assert "missing" in text
    assert "nothing shows that the graders can fail" in text


def test_change_never_stands_in_a_table_without_regress_beside_it() -> None:
    x = next(x for x in sample_site.experiments() if x.name == "brownfield-2026-07")
    where = site_map(sample_site.experiments(), (), sample_site.BUILD)
    view = experiment.experiment_view(
        where, x, RunLists(), FigureCollection(where, paths.experiment(x.name), x.title)
    )
    for table in view.families[0].results:
        heads = [head.text for head in table.heads]
        assert "change" not in heads or heads[heads.index("change") + 1] == "regress"
    assert not any("pass rate" in html.replace("not a pass rate", "") for html in all_html().values())


def test_every_table_of_results_has_its_caption() -> None:
    for table in re.findall(
        r"<table class=\"blocks\".*?</table>\n</div>(.{0,60})", all_html()[paths.model("alpha")], re.DOTALL
    ):
        assert "table-caption" in table or "<p>Recompute" in table


def test_configurations_are_labelled_architecture_and_are_no_models() -> None:
    assert "Architecture, within a model" in all_trees()[paths.experiment("brownfield-2026-07")].text
    assert "brain" not in all_trees()[paths.MODELS].text


def test_one_configuration_alone_is_no_comparison_of_architectures() -> None:
    sample = sample_reports.brownfield()
    configurations = {e.group["config"] for e in sample.estimates if e.group.get("config")}
    kept = min(configurations)
    estimates = tuple(e for e in sample.estimates if e.group.get("config", kept) == kept)
    assert len(configurations) > 1
    (several,) = family_views(sample)
    pairs = tuple(c for c in sample.comparisons if c.over != "config")
    (one,) = family_views(replace(sample, estimates=estimates, comparisons=pairs))
    assert several.ablations
    assert not one.ablations
    assert {t.name for t in several.ablations} <= {t.name for t in one.details}


def family_views(report: Report) -> tuple[experiment.FamilyView, ...]:
    return viewed(report).families


def viewed(report: Report) -> experiment.ExperimentView:
    """The page of one experiment that has another report."""
    shown = [replace(x, report=report) for x in sample_site.experiments() if x.name == report.experiment]
    where, page = site_map(shown, (), sample_site.BUILD), paths.experiment(report.experiment)
    return experiment.experiment_view(
        where, shown[0], RunLists(), FigureCollection(where, page, report.experiment)
    )


def test_what_was_found_is_not_all_called_a_contradiction() -> None:
    """A repeat, a file that was not read and a setting that names nothing contradict nothing."""
    name = "brownfield-2026-07"
    found = (
        Repeated("a.jsonl", 3, ""),
        Problem("b.json", None, "", "holds no records by its name, and is not read"),
    )
    view = viewed(replace(sample_reports.brownfield(name), findings=found))
    assert [line[0].text for line in view.findings] == ["finding", "finding"]
    assert "contradict themselves" not in all_trees()[paths.experiment(name)].text


def test_the_headline_ranks_only_what_is_told_apart() -> None:
    report = sample_reports.brownfield()
    (lead,) = summaries.leads(report)
    pairs = lead[0].comparisons
    assert [c.over for c in pairs] == ["model"] * 3  # what configurations come to is another thing
    assert (
        pairs_sentence(pairs)
        == "on change, alpha and beta are above gamma; these runs cannot tell alpha from beta"
    )
    unsure = [c for c in pairs if c.verdict == "cannot separate"]
    assert pairs_sentence(unsure).startswith("On change, these runs cannot separate alpha and beta yet: ")
    assert summaries.headline([]) == "What was measured, and what it was measured with"
    with pytest.raises(ValueError, match="several metrics"):
        pairs_sentence(report.comparisons)


def test_no_experiment_speaks_for_the_others() -> None:
    """Whichever is newest or sorts first: the headline counts over all, the lede names each that compares."""
    shown = sample_site.experiments()
    reports = [x.report for x in shown]
    assert summaries.headline(reports) == summaries.headline(reports[::-1])
    comparing = [x for x in shown if summaries.leads(x.report)]
    apart = [
        x for x in comparing
        if any(c.separated for c in x.report.comparisons if c.over in ("model", "chat", "coder"))
    ]  # fmt: skip
    said = summaries.headline(reports)
    assert f"{in_words(len(apart))} of {in_words(len(comparing))} experiments" in said
    assert {x.name for x, _ in summaries.findings(shown, "")} == {x.name for x in comparing}
    withheld = [r for r in reports if r.experiment == "brownfield-2026-07b"]
    assert summaries.headline(withheld) == summaries.headline([])


def test_experiments_that_compare_nothing_are_no_finding_of_one_metric() -> None:
    """The single lead of five experiments, of which too few runs are known, is not their first line."""
    compares, other = (
        x.report for x in sample_site.experiments() if x.name in ("brownfield-2026-07", "patches-2026")
    )
    idle = replace(compares, comparisons=tuple(replace(c, difference=None) for c in compares.comparisons))
    alone = (idle, replace(other, comparisons=()))
    assert summaries.leads(idle)
    assert not summaries.leads(alone[1])
    assert summaries.headline(alone) == "No two models could be compared in any of two experiments."


def test_the_card_of_a_page_is_the_figure_that_it_shows_first() -> None:
    """Not the first that was made: a page stands some behind others, or behind their titles."""
    found = 0
    for page in (p for p in sample_site.pages() if p.kind in ("overview", "experiment", "model")):
        shown = re.search(r'<figure id="([^"]+)"', html := render.render_page(page).decode())
        assert bool(shown) == bool(page.frame.card_words), page.path
        if shown is not None:
            title = re.search(rf'id="{shown[1]}-title"[^>]*>(.*?)</', html)
            assert title is not None
            assert page.frame.card_words.endswith(unescape(title[1])), page.path
            found += 1
    assert found > 3


def test_change_stands_in_no_first_line_without_regress() -> None:
    shown = [x for x in sample_site.experiments() if x.name == "brownfield-2026-07"]
    for said in (
        summaries.headline([x.report for x in shown]),
        " ".join(text(said) for _, said in summaries.findings(sample_site.experiments(), "")),
        " ".join(map(text, summaries.experiment_findings(shown[0]))),
        "".join(s.text for s in summaries.model(shown, "alpha", FigureContext(build="b"))),
    ):
        assert re.search("change", said, re.IGNORECASE)
        assert "regress" in said.lower()


def test_what_is_to_lead_is_chosen_by_the_publisher_and_never_by_results() -> None:
    sample = sample_reports.brownfield()
    change = [c for c in sample.comparisons if c.metric == "change" and c.over == "model"]
    regress = [replace(c, metric="regress") for c in change]
    report = replace(sample, comparisons=(*change, *regress))
    assert [s.first.metric for s in summaries.leads(report)[0]] == ["change", "regress"]
    assert [s.first.metric for s in summaries.leads(report, "regress")[0]] == ["regress", "change"]
    assert summaries.leads(report, "nothing") == summaries.leads(report)


def test_the_head_over_what_is_told_apart_leads_to_what_that_means() -> None:
    head = '<h2>What can be <a class="defined" href="../../methods.html#told-apart">told apart</a></h2>'
    assert head in all_html()[paths.experiment("brownfield-2026-07")]
    assert 'id="told-apart"' in all_html()[paths.METHODS]


def test_a_head_of_a_table_that_names_a_statistic_or_a_metric_leads_to_its_entry() -> None:
    found: dict[str, set[str]] = {}
    for html in all_html().values():
        for link, word in re.findall(
            r'<th scope="col"[^>]*><a class="defined" href="([^"]+)"[^>]*>(.*?)</a>', html
        ):
            found.setdefault(word, set()).add(link.partition("methods.html#")[2])
    assert found["Difference [95 %]"] == {"interval"}
    assert found["p after Holm"] == {"paired"}
    assert found["Verdict"] == {"told-apart"}
    metrics = {text for text, entries in found.items() if all(e.startswith("m-") for e in entries)}
    assert "change" in metrics


def test_heads_of_the_table_of_a_figure_lead_to_what_they_mean() -> None:
    (figure,) = re.findall(r"<figure .*?</figure>", all_html()[paths.OVERVIEW], re.DOTALL)[:1]
    heads = re.findall(
        r'<th scope="col"[^>]*>(?:<a class="defined" href="methods.html#([^"]+)".*?)?</th>', figure
    )
    assert [each for each in heads if each] == ["n-of-n", "n-of-n", "interval"]


def test_a_figure_publishes_its_numbers_in_three_forms_its_picture_and_a_page_of_its_own() -> None:
    page = all_made()[paths.OVERVIEW]
    names = sorted(f.path.rsplit(".", 1)[-1] for f in page.files)
    assert names == sorted(2 * ["csv", "html", "json", "json", "svg"])
    for file in page.files:
        if file.path.endswith(".json") and not file.path.endswith(".vl.json"):
            document = json.loads(file.data)
            assert document["schema"] == "assay.figure/1"
            assert document["page"] == "index.html"
            shown = all_html()[paths.OVERVIEW].replace("&amp;", "&")
            assert all(e["id"] in shown for e in document["estimates"])


# ------------------------------------------------------------------------------------------ runs


def test_lists_are_paged_and_hold_every_run_once() -> None:
    first, second = paths.reviews("brownfield-2026-07"), paths.reviews("brownfield-2026-07", 2)
    assert [all_html()[p].count('<th scope="row">') for p in (first, second)] == [50, 10]
    assert paths.reviews("brownfield-2026-07", 3) not in all_made()


def test_the_index_is_a_script_that_assigns_a_constant_and_holds_every_run() -> None:
    x = sample_site.experiments()[1]
    listed = tuple(index.runs(x.reviews()))
    script = index.index(listed, gap_words(x.report)).decode("ascii")
    document = json.loads(script.removeprefix('"use strict";\nwindow.ASSAY_RUNS = ').removesuffix(";\n"))
    assert len(document["runs"]) == 60
    columns = {c["key"]: c for c in document["columns"]}
    words = [[columns["facet"]["words"][at] for at in row] for row in columns["facet"]["rows"]]
    assert words[0] == ["task done", "done, but broken"]
    assert words[4] == ["error"]
    shown = [c["label"] for c in document["columns"] if c["shown"]]
    assert shown == ["model", "Change", "Regress", "cost", "date"]
    always = index.constants(listed)
    assert set(always) == {"config", "kind"}  # the same of every run: told once, and no column
    assert all(
        f"{key} {value}" in all_trees()[paths.reviews("brownfield-2026-07")].text
        for key, value in always.items()
    )
    assert columns["cost"]["order"] == sorted(columns["cost"]["order"])


def test_whatever_a_list_writes_of_records_or_an_address_is_made_visible() -> None:
    x = sample_site.experiments()[1]
    listed = tuple(index.runs(x.reviews()))
    document = json.loads(
        index.index(listed, gap_words(x.report)).decode("ascii").partition("ASSAY_RUNS = ")[2].rstrip(";\n")
    )
    assert document["invisible"] == INVISIBLE
    script = (Path(paths.__file__).parent / "assets" / "js" / "filter.js").read_text(encoding="utf-8")
    writes = re.findall(r"(?:new Option\(|textContent = |element\.append\()(.*)", script)
    assert len(writes) >= 8
    numbers = ("index.runs.length", "runs.length", "mark.content", "new Option(visible(")
    safe = ("visible(index, ", "side ===", '"Filter: " + (visible(', *numbers)
    assert [words for words in writes if not words.startswith(safe)] == []


def test_a_run_says_where_its_chain_ends_and_what_it_does_not_establish() -> None:
    path = paths.review("brownfield-2026-07", f"{4:012x}")
    text = all_trees()[path].text
    assert "The chain ends here." in text
    assert "What this does not show" in text
    assert "No verdict on change: the run itself failed." in text
    assert "Run 5 of 60" in text


def test_neighbours_are_those_of_the_list() -> None:
    tree = all_trees()[paths.review("brownfield-2026-07", f"{0:012x}")]
    assert "../000000000001/index.html" in tree.links
    assert 'rel="prev"' not in all_html()[paths.review("brownfield-2026-07", f"{0:012x}")]


def test_the_difference_of_two_amounts_never_reads_as_nothing() -> None:
    assert run.difference(0.0338) == "+0.0338"
    assert run.difference(-0.0338) == "−0.0338"
    assert run.difference(0.00001) == "<0.0001"


# ---------------------------------------------------------------------------------- prose and settings


def prose_of(text: bytes, source: str = "a.md") -> str:
    page = content.authored(source, text)
    others = [content.authored("methods.md", b"# Methods\n")]
    where = site_map([], [page, *others], sample_site.BUILD)
    return str(pages.prose_of(where, page, FigureCollection(where, page.path, page.title)))


def test_raw_html_is_text() -> None:
    prose = prose_of(b"# T\n\n<b onclick=x>hi</b> <a href=javascript:alert(1)>x</a>\n")
    assert "<b" not in prose
    assert "<a" not in prose
    assert "&lt;b onclick=x&gt;" in prose


def test_links_to_markdown_become_links_to_pages() -> None:
    prose = prose_of(b"# T\n\n[m](../methods.md#on-a) [e](https://example.org/)\n", "notes/a.md")
    assert 'href="../methods.html#on-a"' in prose
    assert 'rel="nofollow noreferrer noopener"' in prose


def test_tables_and_footnotes_carry_no_style() -> None:
    prose = prose_of(b"# T\n\n| a | b |\n|---|--:|\n| x | 1 |\n\nt[^1]\n\n[^1]: n\n")
    assert "style=" not in prose
    assert '<td class="num">1</td>' in prose
    assert 'aria-label="Footnotes"' in prose


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (b"no title", "a.md:1"),
        (b"---\ntitle: x\nwrong: 1\n---\n", "a.md:3#/wrong"),
        (b"---\ntitle: 1\n---\n", "a.md:2#/title"),
        (b"# T\n\ntext\n\n[x](/root.md)\n", "a.md:5"),
        (b"# T\n\n[x](../out.md)\n", "a.md:3"),
        (b"# T\n\n![p](https://example.org/p.png)\n", "a.md:3"),
    ],
)
def test_what_is_wrong_in_prose_is_named_with_its_line(text: bytes, where: str) -> None:
    with pytest.raises(ConfigError) as caught:
        content.authored("a.md", text)
    assert caught.value.where == where


def test_content_that_is_no_page_is_left_alone(tmp_path: Path) -> None:
    for name in ("index.md", "sub/Über uns.md", "experiments/e/README.md", "decisions/d.md", "_draft.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"# T\n\n![p](p.png)\n" if name == "index.md" else b"# T\n")
    (tmp_path / "p.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    found = content.read(tmp_path)
    assert sorted(a.source for a in found) == ["index.md", "sub/Über uns.md"]
    assert markdown.page_of("sub/Über uns.md").startswith("sub/ber-uns-")
    assert next(a for a in found if a.source == "index.md").pictures == (("p.png", b"\x89PNG\r\n\x1a\n"),)


def test_site_settings_are_strict() -> None:
    config = site_config.read(b"title: Halden\nurl: https://example.org/evals\nexperiments: [a/*, b]\n")
    assert (config.title, config.url, config.experiments) == (
        "Halden",
        "https://example.org/evals/",
        ("a/*", "b"),
    )
    for bad, where in (
        (b"titel: x", "site.yaml:1#/titel"),
        (b"title: 5", "site.yaml:1#/title"),
        (b"url: ftp://x\ntitle: x", "site.yaml:1#/url"),
        (b"title: x\nurl: ftp://x", "site.yaml:2#/url"),
        (b"title: x\nlanguage: '12'", "site.yaml:2#/language"),
    ):
        with pytest.raises(ConfigError) as caught:
            site_config.read(bad)
        assert caught.value.where == where


# ------------------------------------------------------------------------------------------ names


@pytest.mark.parametrize(
    "name", ["", "..", "a/b", "con\x00", "A" * 300, "\u202e", "a b", "Ⅻ", "é", "-x-", "x" * 41]
)
def test_a_file_name_is_safe_and_tells_names_apart(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9-]{1,49}", paths.slug(name))
    assert paths.slug(name) != paths.slug(name + " ")


def test_no_name_can_take_the_file_of_another() -> None:
    taken = paths.slug("Foo")
    assert paths.slug(taken) != taken
    assert paths.slug("claude-20250514") == "claude-20250514"


def test_contract_versions_are_siblings_by_their_names() -> None:
    where = site_map(sample_site.experiments(), (), sample_site.BUILD)
    assert set(where.contracts) == {"assay/brownfield", "halden/v3-patch", "halden/v4-patch"}
    text = all_trees()[paths.contract("halden/v3-patch")].text
    assert "Versions side by side" in text
    assert "halden/v4-patch" in text
    assert version_order(ContractRef("a", "10", "")) > version_order(ContractRef("a", "9", ""))


def test_cells_that_a_spreadsheet_would_run_are_defused() -> None:
    text = csv_bytes(["a"], [["=1+1"], ["-1"], ["\tx"]]).decode()
    assert text.split("\r\n")[1:4] == ["'=1+1", "-1", "'\tx"]


def test_the_overview_is_computed_where_no_author_speaks() -> None:
    where = site_map(sample_site.experiments(), (), sample_site.BUILD)
    view = overview.overview_view(
        where,
        "",
        lambda authored, collection: Markup(""),
        SeriesNumbers(where, RunLists()),
        FigureCollection(where, paths.OVERVIEW, "Overview"),
    )
    assert view.title == "Some models are separated in one of two experiments."
    assert view.found == ()
    told = dict("".join(span.text for span in line).split(": ", 1) for line in view.findings)
    assert told["Patches 2026"].startswith("On score, these runs cannot separate alpha and beta yet")
    assert "alpha and beta are above gamma" in told["Brownfield 2026 07"]


def test_a_page_title_names_the_site() -> None:
    page: Page = all_made()[paths.MODELS]
    assert page.frame.title == "Models · Assay"
    assert page.to_json() == {"path": "models/index.html", "title": "Models", "kind": "models"}


# ------------------------------------------------------------------------- pages made one at a time


def test_a_page_made_alone_is_the_page_of_the_whole_site() -> None:
    made = all_pages.Site(sample_site.experiments(), sample_site.AUTHORED, sample_site.BUILD)
    assert sorted(made.paths()) == sorted(all_made())
    for path in reversed(list(made.paths())):
        page = made.page(path)
        assert page is not None
        assert (page.title, page.kind, render.render_page(page).decode()) == (
            all_made()[path].title,
            all_made()[path].kind,
            all_html()[path],
        )
        assert [(f.path, f.data) for f in page.files] == [(f.path, f.data) for f in all_made()[path].files]
    assert made.page("nothing/here.html") is None


def test_an_authors_page_cannot_take_the_address_of_another() -> None:
    taken = content.authored("data/index.md", b"# Mine\n")
    with pytest.raises(ConfigError, match=r"data/index\.md: its page would stand at data/index\.html"):
        all_pages.Site(sample_site.experiments(), [*sample_site.AUTHORED, taken], sample_site.BUILD)
    twin = content.authored("About.md", b"# A\n"), content.authored("b.md", b"# B\n")
    twice = [replace(page, path="x.html") for page in twin]
    with pytest.raises(ConfigError, match=r"b\.md: its page would stand at x\.html, where About\.md stands"):
        all_pages.Site(sample_site.experiments(), twice, sample_site.BUILD)


def test_a_list_says_each_control_once_and_how_many_there_are_of_it() -> None:
    x = sample_site.experiments()[0]
    held = sample_reports.fixtures_held("brownfield")
    twice = replace(x, report=replace(x.report, controls=(held, replace(held, guards="traces"))))
    cells = experiment_list.row(twice, paths.EXPERIMENTS)
    controls = "".join(span.text for span in cells[experiment_list.HEADS.index("Controls")])
    assert controls == f"held {held.title}, 2 of them"


def test_the_first_naming_of_a_metric_in_sentences_leads_to_what_it_counts_and_no_later_one() -> None:
    """On each kind of page whose sentences name metrics; never in a heading, nor in what an author wrote."""
    named = re.compile(r'<a href="[^"]*methods\.html#(m-[0-9a-f]+)" class="defined">')
    for path in (
        paths.OVERVIEW, paths.COMPARE, paths.experiment("brownfield-2026-07"), paths.model("alpha"),
        paths.compare_experiment("brownfield-2026-07"),
        paths.compare_pair("brownfield-2026-07", "alpha", "beta"), paths.task("brownfield-2026-07", "B3"),
    ):  # fmt: skip
        html = all_html()[path]
        led = named.findall(html)
        assert len(led) == len(set(led)) > 0, path
        assert f'id="{led[0]}"' in all_html()[paths.METHODS]
        for heading in re.findall(r"<h[1-4][^>]*>.*?</h[1-4]>", html):
            assert not named.search(heading)
