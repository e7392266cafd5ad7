"""Each setting of `site.yaml` does what the reference says: a site with all of them, and one with none."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from metrics_core.formats import settings_meanings
from metrics_core.redaction.redactor import Redactor
from site_src import pipeline
from site_src.pages import render
from site_src.project.safe_write import SiteFile
from site_src.project.site_config import SiteConfig
from site_src.publishing.site import SiteFiles
from tests.support import nightly
from tests.support.by_day import one_in
from tests.support.hard_experiments import HARD
from tests.support.small_runs import arm

ADDRESS = "https://example.org/evals/"
SETTINGS = f"""\
title: Halden
subtitle: of the harbour office
description: Who fixes what.
language: de-CH
url: {ADDRESS}
experiments: [experiments/*, further/*]
pricing: elsewhere/*
separation: paired
headline: score scorer=match
series:
- name: nights
  experiments: [first, second, third]
  baseline: first
keep: CNAME
run_pages: false
notice: Illustrative data
"""


class Made(Struct, frozen=True):
    """A site, with the words of its pages."""

    files: SiteFiles

    def html(self, path: str = "index.html") -> str:
        page = self.files.site.page(path)
        return "" if page is None else render.render_page(page).decode()

    def file(self, path: str) -> str:
        found = self.files.file(path)
        return "" if found is None else found.data.decode()

    def words(self, path: str = "index.html") -> str:
        return nightly.words(self.files, path)

    def few(self) -> Iterator[str]:
        """The first page, one of an experiment, and the data's."""
        return map(self.html, ("index.html", "experiments/first/index.html", "data/index.html"))


def write(content: Path) -> Path:
    """Three nights, of which two tell arms apart on the same tasks only; two scorers; prices elsewhere."""
    for name, passed in (("first", 15), ("second", 15), ("third", 12)):
        folder = nightly.night(content, name, arm("alpha", 24, passed))
        runs = arm("beta", 24, 8)
        (folder / "logs_big" / "beta.jsonl").write_text("".join(json.dumps(run) + "\n" for run in runs))
    folder, records = HARD["scorers"]
    scored = content / "further" / "scorers" / folder
    scored.mkdir(parents=True)
    (scored / "log.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (content / "elsewhere").mkdir()
    (content / "elsewhere" / "july.yaml").write_text(
        "fetched: 2026-07-05\ncurrency: USD\nper: 1000\nmodels: {alpha: {input: 1, output: 2, cached: 1}}\n"
    )
    return content


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> tuple[Made, Made]:
    """The site with every setting, and the one with none but where its experiments lie."""
    content = write(tmp_path_factory.mktemp("settings"))
    return Made(nightly.site(content, SETTINGS)), Made(nightly.site(content, ""))


def title(told: Made, plain: Made) -> None:
    assert all(re.search(r"<title>[^<]*Halden</title>", page) for page in told.few())
    assert all(re.search(r"<title>[^<]*Assay</title>", page) for page in plain.few())


def subtitle(told: Made, plain: Made) -> None:
    assert all("of the harbour office" in page for page in told.few())
    assert not any("of the harbour office" in page for page in plain.few())


def description(told: Made, plain: Made) -> None:
    """The page of an experiment has a sentence of its own."""
    pages = [page for page in told.few() if '<meta name="description" content="Who fixes what.">' in page]
    assert pages
    assert all('<meta name="description"' in page for page in told.few())
    assert "<subtitle>Who fixes what.</subtitle>" in told.file("feed.xml")
    assert "<subtitle>" not in plain.file("feed.xml")


def language(told: Made, plain: Made) -> None:
    assert all('<html lang="de-CH"' in page for page in told.few())
    assert all('<html lang="en"' in page for page in plain.few())


def url(told: Made, plain: Made) -> None:
    assert f'<link rel="canonical" href="{ADDRESS}data/">' in told.html("data/index.html")
    assert f'rel="self" href="{ADDRESS}feed.xml"' in told.file("feed.xml")
    assert not any('rel="canonical"' in page for page in plain.few())
    page = told.html("experiments/first/index.html")
    card = re.search(rf'<meta property="og:image" content="{ADDRESS}data/figures/([^"]+)\.svg">', page)
    seen = re.search(r'<meta property="og:image:alt" content="([^"]+)">', page)
    assert card
    assert seen
    shown = page.split(f'id="{card[1]}-title">')[1].partition("<")[0]
    assert seen[1].endswith(f": {shown}")
    assert not any("og:image" in page for page in plain.few())
    assert 'rel="self"' not in plain.file("feed.xml")


def experiments(told: Made, plain: Made) -> None:
    assert {x.slug for x in told.files.shown} == {"first", "second", "third", "scorers"}
    assert {x.slug for x in plain.files.shown} == {"first", "second", "third"}


def pricing(told: Made, plain: Made) -> None:
    assert "july.yaml" in told.html("prices/index.html")
    assert "july.yaml" not in plain.html("prices/index.html")


def separation(told: Made, plain: Made) -> None:
    """15 and 8 of 24 tasks, all 8 among the 15: the intervals overlap, and the difference leaves out 0."""
    assert told.words("experiments/first/index.html").count("alpha is above beta")
    assert "alpha is above beta" not in plain.words("experiments/first/index.html")


def headline(told: Made, plain: Made) -> None:
    lead, _, after = told.words().partition("On score, scorer choice")
    assert "On score, scorer match" in lead
    assert after


def series(told: Made, plain: Made) -> None:
    assert told.html("series/nights/index.html")
    assert not [path for path in plain.files.site.paths() if path.startswith("series/")]


def series_name(told: Made, plain: Made) -> None:
    assert "<title>nights · Halden</title>" in told.html("series/nights/index.html")


def series_experiments(told: Made, plain: Made) -> None:
    assert "Three experiments, from first to third" in told.words("series/nights/index.html")


def series_baseline(told: Made, plain: Made) -> None:
    assert re.search("Against the baseline: .* third and first", told.words("series/nights/index.html"))


def keep(told: Made, plain: Made) -> None:
    assert told.files.sources.config.keep == ("CNAME",)
    assert plain.files.sources.config.keep == ()


def run_pages(told: Made, plain: Made) -> None:
    assert not [path for path in told.files.site.paths() if path.startswith("reviews/")]
    assert [path for path in plain.files.site.paths() if path.startswith("reviews/first/")]


def notice(told: Made, plain: Made) -> None:
    assert all("Illustrative data" in page for page in told.few())
    assert not any("Illustrative data" in page for page in plain.few())


EFFECTS: dict[str, Callable[[Made, Made], None]] = {
    "title": title,
    "subtitle": subtitle,
    "description": description,
    "language": language,
    "url": url,
    "experiments": experiments,
    "pricing": pricing,
    "separation": separation,
    "headline": headline,
    "series": series,
    "series/name": series_name,
    "series/experiments": series_experiments,
    "series/baseline": series_baseline,
    "keep": keep,
    "run_pages": run_pages,
    "notice": notice,
}


@one_in(3)
@pytest.mark.parametrize("setting", EFFECTS)
def test_each_setting_of_a_site_does_what_is_said_of_it(setting: str, sites: tuple[Made, Made]) -> None:
    EFFECTS[setting](*sites)


def test_every_setting_of_a_site_is_tried() -> None:
    assert list(EFFECTS) == [setting.name for setting in settings_meanings(SiteConfig)]


def test_what_is_kept_is_carried_over_and_nothing_else_is_replaced(tmp_path: Path) -> None:
    """By ``keep`` as the settings give it to a build."""
    plan = pipeline.Plan(content=None, output=tmp_path / "_site", redactor=Redactor())
    page = SiteFile("index.html", b"<!doctype html>")
    pipeline.publish(plan, [page])
    (plan.output / "CNAME").write_text("example.org")
    keep = SiteConfig(keep=("CNAME",)).keep
    pipeline.publish(plan, [page], keep=keep)
    assert (plan.output / "CNAME").read_text() == "example.org"
    with pytest.raises(Exception, match="CNAME"):
        pipeline.publish(plan, [page])
