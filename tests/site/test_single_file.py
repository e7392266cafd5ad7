"""A site as one file: which pages, that nothing leads out of it, and that it says what it lacks."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from site_src import single_file
from site_src.cli import main
from tests.support.small_tables import named, runs_of, write_rows

SIGNS = ["111", "000", "110", "10?"] * 3
INDEX = """\
---
title: Nights
---

Numbers of [the agents](https://example.org/agents?a=1&b=2), [how they are made](pages/methods.md).
"""


class Page(HTMLParser):
    """Ids, addresses, headings and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.hrefs: list[str] = []
        self.tags: list[str] = []
        self.references: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name == "href":
                self.hrefs.append(value or "")
            elif name.startswith("aria-") and name.endswith("by"):
                self.references += (value or "").split()

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An experiment of two models, a front page with links, and a decision."""
    folder = tmp_path_factory.mktemp("project")
    rows = [*runs_of("alpha", named(SIGNS)), *runs_of("beta", named(["111"] * 12))]
    write_rows(folder / "content/experiments/nightly/runs.jsonl", rows)
    (folder / "content/pages").mkdir()
    (folder / "content/index.md").write_text(INDEX)
    (folder / "content/pages/methods.md").write_text("---\ntitle: How\n---\n\nSo.\n")
    assert main(["new", "decision", "take-beta", "--quiet"], project=folder) == 0
    return folder


@pytest.fixture(scope="module")
def html(project: Path) -> str:
    assert main(["build", "--single-file", str(project / "report.html"), "--quiet"], project=project) == 0
    assert not (project / "_site").exists()
    return (project / "report.html").read_text("utf-8")


def test_nothing_leads_out_of_it_but_what_an_author_wrote(html: str) -> None:
    page = Page(html)
    outside = [href for href in page.hrefs if not href.startswith("#")]
    assert outside == ["https://example.org/agents?a=1&b=2"]
    assert len(page.ids) == len(set(page.ids))
    assert {href[1:] for href in page.hrefs if href.startswith("#")} | {*page.references} <= set(page.ids)
    assert not {"script", "link", "img", "form", "button"} & set(page.tags)
    assert "src=" not in re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    assert "default-src 'none'" in html


def test_it_holds_the_front_page_the_pair_its_tasks_and_the_decision(html: str) -> None:
    page = Page(html)
    for words in (
        "alpha and beta, task by task",
        "Take beta",
        "18/33 valid runs",
        "36/36",
        "how they are made",
    ):
        assert words in page.text, words
    assert all(f"t{at:02}" in page.text for at, signs in enumerate(SIGNS) if signs != "111")
    assert page.tags.count("h1") == 1
    assert len(html.encode()) < 300_000


def test_a_page_without_room_is_named(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(single_file, "MOST_BYTES", 90_000)
    to = project / "small.html"
    assert main(["build", "--single-file", str(to)], project=project) == 0
    assert "no room for " in capsys.readouterr().err
    page = Page(to.read_text("utf-8"))
    assert "Not in this file, for want of room: alpha and beta, task by task" in page.text
    assert len(to.read_bytes()) < 90_000
    assert {href[1:] for href in page.hrefs if href.startswith("#")} <= set(page.ids)
    monkeypatch.setattr(single_file, "MOST_BYTES", 40_000)
    assert main(["build", "--single-file", str(to)], project=project) == 3
    assert "the front page has no room" in capsys.readouterr().err
