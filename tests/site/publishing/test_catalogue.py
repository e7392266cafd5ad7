"""What catalogues read: every column named once, digests of the files, addresses only where there are any."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from xml.etree import ElementTree as ET

from msgspec.structs import replace, replace as with_setting

from site_src.editions import History
from site_src.pages import SiteMap, citations, dataset
from site_src.publishing import downloads
from site_src.publishing.formats import catalogue
from tests.support import edition_samples, sample_site

REPORTS = [x.report for x in sample_site.experiments()]
TABLES = [*downloads.tables(REPORTS, ())]
SITE = sample_site.site().where
URL = "https://example.org/evals/"


def at_an_address(site: SiteMap = SITE) -> SiteMap:
    return replace(site, build=replace(site.build, site=with_setting(site.build.site, url=URL)))


def test_croissant_names_each_column_of_each_table_and_the_digest_of_its_file() -> None:
    made = catalogue.croissant(SITE, TABLES)
    assert made["@type"] == "sc:Dataset"
    assert made["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    files = {file.path.rpartition("/")[2]: file.data for file in TABLES}
    listed = {each["@id"]: each for each in made["distribution"]}
    assert set(listed) == {name for name in files if name.endswith(".csv")}
    for name, each in listed.items():
        assert each["sha256"] == hashlib.sha256(files[name]).hexdigest()
        assert each["contentUrl"] == f"tables/{name}"  # beside the file that says so
    for records in made["recordSet"]:
        header = next(csv.reader(io.StringIO(files[f"{records['name']}.csv"].decode())))
        assert [field["source"]["extract"]["column"] for field in records["field"]] == header
    types = {f["name"]: f["dataType"] for r in made["recordSet"] for f in r["field"]}
    assert types["estimates/n"] == "sc:Integer"
    assert types["estimates/value"] == "sc:Float"
    assert types["estimates/metric"] == "sc:Text"


def test_with_an_address_everything_is_named_by_it() -> None:
    made = catalogue.croissant(at_an_address(), TABLES)
    assert made["url"] == URL
    assert all(each["contentUrl"].startswith(f"{URL}data/tables/") for each in made["distribution"])
    assert "url" not in catalogue.croissant(SITE, TABLES)


def test_a_crate_describes_itself_its_root_and_every_part_of_it() -> None:
    made = catalogue.crate(SITE, [file.path for file in TABLES], ["data/reports/a.json"])
    by_id = {each["@id"]: each for each in made["@graph"]}
    assert by_id[catalogue.CRATE]["about"] == {"@id": "./"}
    root = by_id["./"]
    assert {"name", "description", "hasPart"} <= root.keys()
    assert {part["@id"] for part in root["hasPart"]} == set(by_id) - {catalogue.CRATE, "./"}


def test_a_sitemap_lists_what_can_be_read_and_is_cut_where_it_must_be() -> None:
    pages = [{"path": "index.html", "kind": "overview"}, {"path": "a&b.html", "kind": "prose"},
             {"path": "404.html", "kind": "404"}, {"path": "x/index.html", "kind": "redirect"}]  # fmt: skip
    assert list(catalogue.sitemaps(pages, "")) == []
    (one,) = catalogue.sitemaps(pages, URL)
    assert [loc.text for loc in ET.fromstring(one.data).iter() if loc.text and loc.text.strip()] == [
        URL, f"{URL}a&b.html"
    ]  # fmt: skip
    many = [{"path": f"{n}.html", "kind": "prose"} for n in range(catalogue.MOST + 1)]
    assert [file.path for file in catalogue.sitemaps(many, URL)] == [
        "sitemap.xml", "sitemap-1.xml", "sitemap-2.xml"
    ]  # fmt: skip


def test_the_dataset_cannot_end_the_element_that_it_stands_in() -> None:
    text = str(dataset.script(SITE))
    assert "<" not in text
    assert json.loads(text)["@context"] == "https://schema.org/"


def test_a_citation_names_the_figure_its_place_and_what_was_published() -> None:
    cited = citations.citation(at_an_address(), "50 % of {a}", "models/alpha/index.html#funnel-1")
    assert cited.url == f"{URL}models/alpha/#funnel-1"
    assert r"50 \% of \textbraceleft{}a\textbraceright{}" in cited.bibtex
    for title in ("{", "}}", "\\{", "a{b}c{"):
        entry = citations.citation(at_an_address(), title, "{/index.html#x").bibtex
        assert entry.count("{") == entry.count("}"), "a bibliography counts braces, escaped or not"
    assert cited.csl["title"] == "50 % of {a}"
    assert SITE.build.digest[:23] in cited.words
    assert "issued" not in cited.csl  # a build that was not published has no day


def test_an_edition_is_cited_alike_while_it_is_the_last_and_ever_after() -> None:
    edition = replace(
        edition_samples.edition(date="2026-07-20", name="first"), build_digest=SITE.build.digest
    )
    then = replace(SITE, site_state=replace(SITE.site_state, history=History(editions=(edition,))))
    later = replace(then, build=replace(then.build, digest="sha256:" + "7" * 64))
    assert citations.citation(then) == [*citations.citations(later)][1]
    assert dataset.dataset(then)["datePublished"] == "2026-07-20"


def test_each_edition_is_cited_with_its_day() -> None:
    edition = edition_samples.edition(date="2026-07-20", name="other")
    state = replace(SITE.site_state, history=History(editions=(edition,)))
    cited = [*citations.citations(replace(SITE, site_state=state))]
    assert len(cited) == 2
    assert "datePublished" not in dataset.dataset(SITE), "nobody published it"
    assert cited[1].csl["issued"] == {"date-parts": [[2026, 7, 20]]}
    assert cited[1].version.startswith("Edition 1, ")
