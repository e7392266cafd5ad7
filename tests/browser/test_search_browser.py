"""The search box and the keys: what is found, how a reader moves in it, what the address keeps."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from metrics_core.text import INVISIBLE
from site_src import paths
from site_src.pages import render
from tests.support import sample_site
from tests.support.accessibility import violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

RUNS = 10_000
CONTRACT = paths.contract("assay/brownfield")
OUTCOMES = ("all assertions pass", "done, but broken", "error")

Open = Callable[..., "Page"]


def index() -> dict[str, object]:
    """An index of names that are known, with ten thousand runs."""
    models = ["alpha", "beta", "Bétà-Straße", "<script>alert(1)</script>", "gam\u202ema"]
    groups = [
        {"title": "Models", "of": "model", "entries": [[m, "2 experiments", paths.METHODS] for m in models]},
        {"title": "Tasks", "of": "task", "entries": [["B8: coupon outlives its product", "12 runs", "a"]]},
        {"title": "Runs", "of": "run", "entries": []},
        {"title": "Metrics", "of": "metric", "entries": [["change", "share of assertions", paths.METHODS]]},
    ]  # fmt: skip
    runs = {
        "title": "July",
        "count": RUNS,
        "path": "reviews/july/index.html",
        "names": [f"T{at}: task number {at} · beta" for at in range(RUNS // 4)],
        "details": [f"2026-07-{1 + at % 28:02} · {outcome}" for at in range(28) for outcome in OUTCOMES],
        "rows": [[at % (RUNS // 4), at % 84, f"{at:012x}"] for at in range(RUNS)],
    }
    return {"invisible": INVISIBLE, "groups": groups, "runs": [runs]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two pages and the assets in a folder whose name has a space, with the index above."""
    site = tmp_path_factory.mktemp("searched") / "a site"
    for path in (paths.METHODS, paths.SEARCH, paths.CONTRACTS, CONTRACT):
        page = sample_site.site().page(path)
        assert page is not None
        put(site / path, render.render_page(page))
    for file in render.assets():
        put(site / file.path, file.data)
    put(site / paths.SEARCH_INDEX, f"window.ASSAY_SEARCH = {json.dumps(index())};".encode())
    return site


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


@pytest.fixture
def opened(browser: Browser, folder: Path) -> Iterator[Open]:
    """Opens a page as a file; at the end nothing may have gone wrong in it."""
    pages, errors = [], []

    def open_page(path: str = paths.METHODS, after: str = "") -> Page:
        page = browser.new_page()
        pages.append(page)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto((folder / path).as_uri() + after)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert errors == []


def search(page: Page, text: str) -> list[str]:
    """Press `/` and type; the names that are found."""
    page.keyboard.press("/")
    page.keyboard.type(text)
    page.locator(".search :is(.found, .aside:not(:empty))").first.wait_for()
    return page.locator(".found a > span:first-child").all_inner_texts()


def selected(page: Page) -> str:
    return page.locator(".found [aria-selected=true] > span:first-child").inner_text()


def test_accents_and_case_make_no_difference(opened: Open) -> None:
    assert search(opened(), "BETA-strasse") == ["Bétà-Straße"]


def test_a_hit_is_marked_where_it_stands(opened: Open) -> None:
    page = opened()
    search(page, "strass")
    assert page.locator(".found mark").all_inner_texts() == ["Straß"]


def test_names_that_begin_with_it_come_first_and_groups_say_how_many(opened: Open) -> None:
    page = opened()
    found = search(page, "be")
    assert found[:3] == ["beta", "Bétà-Straße", "T0: task number 0 · beta"]
    heads = page.locator(".found > p").all_inner_texts()
    assert [head.split("\n") for head in heads] == [["Models", "2 of 5"], ["Runs", f"{RUNS} of {RUNS}"]]


def test_every_word_must_occur_and_a_run_is_found_by_its_digest(opened: Open) -> None:
    page = opened()
    assert search(page, f"{4321:012x}") == [f"T{4321 % (RUNS // 4)}: task number {4321 % (RUNS // 4)} · beta"]
    page.fill(".search input", "t10: broken 2026-07-04")
    at = [n for n in range(RUNS) if n % (RUNS // 4) == 10 and n % 84 == 3 * 3 + 1]
    found = page.locator(".found a > span").all_inner_texts()
    assert found == ["T10: task number 10 · beta", "2026-07-04 · done, but broken"] * len(at)


def test_an_address_brings_no_hidden_characters_and_no_text_without_end(opened: Open) -> None:
    page = opened(after="?search=zzzz\u202ezzzz")
    assert (
        "called \u201czzzz\u2039U+202E\u203azzzz\u201d" in page.locator(".search .aside b").first.inner_text()
    )
    page = opened(after="?search=" + "z" * 9_999)
    page.locator(".search .aside b").first.wait_for()
    assert len(page.input_value(".search input")) == 200


def test_arrows_move_tab_leaps_and_enter_opens(opened: Open, folder: Path) -> None:
    page = opened()
    search(page, "be")
    assert selected(page) == "beta"
    page.keyboard.press("ArrowDown")
    assert selected(page) == "Bétà-Straße"
    page.keyboard.press("Tab")
    assert selected(page).startswith("T0")
    page.keyboard.press("Shift+Tab")
    assert selected(page) == "beta"
    page.keyboard.press("ArrowUp")  # from the first to the last
    assert selected(page).startswith("The first 100")
    active = page.get_attribute(".search input", "aria-activedescendant")
    assert page.get_attribute(".found [aria-selected=true]", "id") == active
    page.keyboard.press("Enter")
    assert page.locator(".found a").count() > 90
    page.fill(".search input", "alpha")
    page.keyboard.press("Enter")
    page.wait_for_url((folder / paths.METHODS).as_uri())


def test_what_is_sought_stands_in_the_address_and_comes_back(opened: Open) -> None:
    page = opened(after="#numbers")
    search(page, "alp")
    assert page.evaluate("location.search + location.hash") == "?search=alp#numbers"
    page.reload()
    page.locator(".found").first.wait_for()
    assert page.input_value(".search input") == "alp"
    page.keyboard.press("Escape")
    page.wait_for_function("location.search + location.hash === '#numbers'")  # once the dialog tells of it
    page.keyboard.press("/")
    assert page.input_value(".search input") == "alp"


def test_served_below_a_sub_path_it_finds_the_same(browser: Browser, folder: Path) -> None:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    handler = functools.partial(Quiet, directory=folder.parent)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = browser.new_page()
    try:
        base = f"http://127.0.0.1:{server.server_port}/a%20site/"
        page.goto(base + CONTRACT)
        assert search(page, "chan") == ["change"]
        page.keyboard.press("Enter")
        page.wait_for_url(base + paths.METHODS)
    finally:
        page.close()
        server.shutdown()
        server.server_close()


def test_nothing_found_is_said_with_what_is_near_and_what_was_searched(opened: Open) -> None:
    page = opened()
    assert search(page, "alpah") == []
    told = page.locator(".search .aside").inner_text()
    assert told.startswith("Nothing here is called “alpah”.")
    assert "Near to it: alpha" in told
    assert f"5 models, 1 task, {RUNS} runs, 1 metric" in told
    assert page.locator(".search .aside a").count() >= 4


def test_an_empty_box_says_what_there_is(opened: Open) -> None:
    page = opened()
    assert search(page, "") == []
    told = page.locator(".search .aside li").all_inner_texts()
    assert told == ["Models 5", "Tasks 1", f"Runs {RUNS}", "Metrics 1"]


def test_text_of_records_stays_text_and_hides_nothing(opened: Open) -> None:
    page = opened()
    assert search(page, "script") == ["<script>alert(1)</script>"]
    assert page.locator(".found script").count() == 0
    page.fill(".search input", "gam")
    assert page.locator(".found a > span:first-child").all_inner_texts() == ["gam‹U+202E›ma"]


def test_ten_thousand_runs_are_searched_within_the_blink_of_an_eye(opened: Open) -> None:
    page = opened()
    search(page, "x")
    took = page.evaluate(
        """() => ["b", "be", "task 7", "broken 77", "nothing of this", "beta error 2026"].map(text => {
          const field = document.querySelector(".search input");
          return Math.min(...[1, 2, 3, 4, 5].map(() => {
            field.value = text;
            const begin = performance.now();
            field.dispatchEvent(new Event("input"));
            return performance.now() - begin;
          }));
        })"""
    )
    assert max(took) < 30, took


def test_keys_are_listed_act_outside_fields_only_and_can_be_turned_off(opened: Open) -> None:
    page = opened(CONTRACT)
    page.keyboard.press("?")
    listed = page.locator("dialog.keys dt").all_inner_texts()
    assert listed[:5] == ["/", "p", "n", "u", "?"]
    page.uncheck("dialog.keys input")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    assert page.locator("dialog[open]").count() == 0
    page.click("[data-keys]")
    page.check("dialog.keys input")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("?u/")
    assert page.input_value(".search input") == "?u/"
    page.keyboard.press("Escape")
    page.keyboard.press("Alt+u")
    assert "contracts" in page.url
    page.keyboard.press("u")
    page.wait_for_url("**/contracts/index.html")


def test_axe_finds_nothing_in_either_box(opened: Open) -> None:
    page = opened()
    for text, width, scheme in (("be", 320, "light"), ("be", 1280, "dark"), ("alpah", 320, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type] # literals above
        search(page, text)
        assert page.locator("dialog.search").is_visible()
        assert violations(page, "dialog.search") == []
        assert page.evaluate("document.querySelector('dialog').scrollWidth") <= width
        page.fill(".search input", "")
        page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.locator("dialog.keys").is_visible()
    assert violations(page, "dialog.keys") == []


def test_a_table_is_a_stop_of_the_keyboard_only_while_it_scrolls(opened: Open) -> None:
    page = opened(CONTRACT)
    page.evaluate(
        """() => {
          const wide = document.createElement("div");
          wide.className = "scroll";
          wide.id = "wide";
          const words = "word&nbsp;".repeat(90);
          wide.innerHTML = `<table><caption>Wide one</caption><tr><td>${words}</td></tr></table>`;
          document.querySelector("main").append(wide);
          document.dispatchEvent(new Event("DOMContentLoaded"));
        }"""
    )
    told = "e => [e.getAttribute('tabindex'), e.getAttribute('role'), e.getAttribute('aria-label')]"
    assert page.locator("#wide").evaluate(told) == ["0", "region", "Wide one"]
    page.evaluate(
        "document.querySelector('#wide td').textContent = 'short'; dispatchEvent(new Event('resize'))"
    )
    page.set_viewport_size({"width": 1200, "height": 700})
    page.locator("#wide:not([tabindex])").wait_for()
    assert page.locator("#wide").evaluate(told) == [None, None, None]
