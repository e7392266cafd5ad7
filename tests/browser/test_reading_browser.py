"""Reading in a browser: two arms chosen, an arm marked in every figure, a word defined in place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

from site_src import paths
from site_src.installed import assets_folder
from site_src.wording import RULES
from tests.support import sample_site
from tests.support.built_once import built_once

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAIR = paths.compare_pair("brownfield-2026-07", "alpha", "beta")
EXPERIMENT = paths.compare_experiment("brownfield-2026-07")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_once(tmp_path_factory, "sample-site", sample_site.write)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda m: faults.append(m.text) if m.type in ("error", "warning") else None)
    yield page
    context.close()
    assert faults == []


def opened(page: Page, site: Path, path: str) -> Page:
    page.goto((site / path).as_uri())
    return page


def test_two_fields_lead_to_the_page_of_a_pair_and_the_address_says_which(page: Page, site: Path) -> None:
    opened(page, site, EXPERIMENT)
    page.select_option("[name=first]", "gamma")
    offered = page.locator("[name=second] option").all_text_contents()
    assert "alpha" in offered
    assert "gamma" not in offered
    page.select_option("[name=second]", "alpha")
    assert page.url.endswith("brownfield-2026-07/index.html")  # nothing moves before it is asked to
    page.click(".choose button")
    page.wait_for_url("**/brownfield-2026-07/alpha/gamma/index.html")
    chosen = [page.locator(f"[name={name}]").input_value() for name in ("first", "second")]
    assert sorted(chosen) == ["alpha", "gamma"]
    page.go_back()
    page.wait_for_url("**/brownfield-2026-07/index.html")


def test_an_experiment_is_chosen_first_where_there_are_several(page: Page, site: Path) -> None:
    opened(page, site, paths.COMPARE)
    groups = page.locator("[name=group] option").all_text_contents()
    assert len(groups) > 1
    page.select_option("[name=group]", groups[-1])
    page.focus(".choose button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/compare/*/*/*/index.html")


def test_without_script_every_pair_is_a_link_and_there_is_no_field(browser: Browser, site: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = opened(context.new_page(), site, PAIR)
    assert not page.is_visible("[name=first]")
    page.click(".choose summary")
    page.click(".choose >> text=alpha and gamma")
    page.wait_for_url("**/alpha/gamma/index.html")
    context.close()


def test_an_arm_that_is_pointed_at_is_marked_in_every_figure_and_said_in_full(page: Page, site: Path) -> None:
    opened(page, site, paths.OVERVIEW)
    rows = page.locator(".row[data-arms='beta']")
    assert rows.count() > 1
    rows.first.locator(".name").hover()
    assert rows.evaluate_all("all => all.every(e => e.classList.contains('lit'))")
    lit = page.locator(".lit").evaluate_all("all => all.map(e => e.dataset.arms.split('\\n'))")
    assert all("beta" in arms for arms in lit)
    assert page.locator(".says").first.text_content() == rows.first.get_attribute("data-says")
    page.locator("h1").hover()
    assert page.locator(".lit").count() == 0


def test_a_pair_marks_itself_and_its_two_arms(page: Page, site: Path) -> None:
    opened(page, site, EXPERIMENT)
    page.locator(".rows.pairs .row").first.locator(".finding").hover()
    marked = page.locator(".lit").evaluate_all("all => all.map(e => e.dataset.arms)")
    first, second = marked[0], marked[1]
    assert {*marked} == {first, second, f"{first}\n{second}"}


def test_focus_marks_as_pointing_does_and_a_press_on_the_drawing_opens_the_runs(
    page: Page, site: Path
) -> None:
    opened(page, site, EXPERIMENT)
    link = page.locator(".arms .row .counted a").first
    link.focus()
    assert page.locator(".lit").count() > 0
    href = link.evaluate("e => e.href")
    page.locator(".arms .row .plot").first.click()
    page.wait_for_url(href)


@pytest.mark.parametrize("width", [1280, 360])
def test_a_word_is_defined_in_place_and_focus_goes_in_and_returns(
    browser: Browser, site: Path, width: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = opened(context.new_page(), site, EXPERIMENT)
    word = page.locator(".heads a.defined", has_text="Are they told apart?").first
    word.focus()
    page.keyboard.press("Enter")
    box = page.locator(".definition")
    assert RULES["told-apart"].means in (box.text_content() or "")
    assert page.evaluate("document.activeElement.className") == "definition"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.keyboard.press("Escape")
    assert box.count() == 0
    assert page.evaluate("document.activeElement.textContent") == "Are they told apart?"
    word.click()
    page.click("h1")
    assert box.count() == 0
    context.close()


def test_without_script_the_word_leads_to_its_entry(browser: Browser, site: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = opened(context.new_page(), site, EXPERIMENT)
    page.locator(".heads a.defined", has_text="Are they told apart?").first.click()
    page.wait_for_url("**/methods.html#told-apart")
    assert page.locator("#told-apart").text_content() == "Told apart"
    context.close()


def test_the_script_is_small() -> None:
    assert len((assets_folder() / "js" / "reading.js").read_bytes()) < 8_000


def test_a_figure_is_taken_away_as_a_png_that_the_browser_makes(page: Page, site: Path) -> None:
    opened(page, site, "models/alpha/index.html")
    page.locator("figure").first.get_by_role("link", name="Take away").click()
    page.wait_for_url("**/data/figures/*.html")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="PNG").click()
    png = Path(waiting.value.path()).read_bytes()
    assert png.startswith(b"\x89PNG")
    across = int(page.locator("#picture > svg").get_attribute("width") or 0)
    assert int.from_bytes(png[16:20], "big") == 2 * across
    assert waiting.value.suggested_filename.endswith(".png")
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("drawn", ['<div class="row"', '<svg class="plotted'], ids=["rows", "a plot"])
def test_a_figure_by_itself_reflows_on_a_phone_and_its_links_lead_where_they_led(
    page: Page, site: Path, drawn: str
) -> None:
    found = sorted((site / "data/figures").glob("*.html"))
    opened(
        page,
        site,
        next(p for p in found if drawn in p.read_text("utf-8")).relative_to(site).as_posix(),
    )
    shown = page.locator(".reflows .drawn")
    assert [page.locator("#picture").is_visible(), shown.is_visible()] == [True, False]
    page.emulate_media(color_scheme="dark")
    ink = "all => [...new Set(all.map(mark => getComputedStyle(mark).stroke))]"
    hallmarks = page.locator("#picture [stroke=currentColor]")
    assert hallmarks.evaluate_all(ink) == ["rgb(25, 28, 32)"], "its paper stays light"
    page.set_viewport_size({"width": 360, "height": 800})
    assert [page.locator("#picture").is_visible(), shown.is_visible()] == [False, True]
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert (shown.bounding_box() or {})["width"] <= 360
    led = page.locator(".reflows a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
    places = [
        page.url.rpartition("/")[0].removeprefix("file://") + "/" + re.split("[?#]", to)[0] for to in led
    ]
    assert [place for place in map(unquote, places) if not Path(place).is_file()] == []
