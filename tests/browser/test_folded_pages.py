"""Long pages: what is folded is named, is opened by its link, and stands open on paper."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support import sample_site
from tests.support.built_once import built_once

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_once(tmp_path_factory, "sample-site", sample_site.write)


def longest(kind: str) -> str:
    """The page of that kind with most sections."""
    pages = [p for p in sample_site.pages() if p.kind == kind]
    return max(pages, key=lambda p: len(getattr(p.view, "families", ()))).path


def test_a_link_to_a_folded_figure_opens_it(browser: Browser, site: Path) -> None:
    page = browser.new_page()
    address = (site / longest("model")).as_uri()
    page.goto(address)
    folded = page.locator(".folds details:not([open]) figure")
    assert folded.count() > 0
    name = folded.first.get_attribute("id")
    assert not page.locator(f"#{name}").is_visible()
    for arrive in (f"{address}#{name}", address):
        page.goto("about:blank")
        page.goto(arrive)
        if arrive == address:
            page.evaluate("name => { location.hash = name; }", name)
        page.locator(f"#{name}").wait_for(state="visible")
        assert page.evaluate(
            "n => document.getElementById(n).getBoundingClientRect().top < innerHeight", name
        )
    page.close()


def test_each_fold_says_what_is_inside(browser: Browser, site: Path) -> None:
    page = browser.new_page()
    page.goto((site / longest("model")).as_uri())
    titles = page.evaluate(
        "[...document.querySelectorAll('.folds > details')].filter(d => d.querySelector(':scope > figure'))"
        ".map(d => [d.querySelector(':scope > summary').textContent,"
        " d.querySelector(':scope > figure > h3').textContent])"
    )
    assert titles
    assert all(said == title for said, title in titles)
    assert page.locator("summary").evaluate_all("all => all.every(s => s.textContent.trim().length > 10)")
    page.close()


@pytest.mark.parametrize("kind", ["model", "experiment"])
def test_on_paper_every_figure_is_seen(browser: Browser, site: Path, kind: str) -> None:
    page = browser.new_page()
    page.goto((site / longest(kind)).as_uri())
    page.emulate_media(media="print")
    seen = "all => all.filter(e => e.checkVisibility({contentVisibilityAuto: true})).length"
    wide = page.locator("figure :is(svg.wide, .rows)")
    assert wide.evaluate_all(seen) == wide.count() > 0
    assert page.locator(".folds table.blocks").evaluate_all(seen) >= 1
    page.close()


def test_the_index_of_a_model_leads_to_its_sections(browser: Browser, site: Path) -> None:
    page = browser.new_page()
    page.goto((site / longest("model")).as_uri())
    links = page.locator(".contents a[href^='#']").evaluate_all("all => all.map(a => a.getAttribute('href'))")
    sections = page.locator("main > section[id]").evaluate_all("all => all.map(s => '#' + s.id)")
    assert links == sections
    assert len(links) > 1
    page.close()
