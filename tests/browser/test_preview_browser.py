"""The preview as an author sees it: a save shows in the open page, and nothing of the reader's is lost."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import REPO
from tests.support import small_content
from tests.support.preview_process import Preview, project, running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE = 60_000
"""Milliseconds that anything may take on a busy machine; nothing here is timed."""

EXPERIMENT = "gh-2026"
LOGS = "brownfield-2026-07b"
LONG = "\n\n".join(f"Paragraph {n}. " + "Words that fill a line or two. " * 12 for n in range(40))
PROSE = "# Notes\n\nThe first sentence.\n\n## Far below\n\n" + LONG + "\n\nThe last sentence.\n"


@pytest.fixture(scope="module")
def preview(tmp_path_factory: pytest.TempPathFactory, chromium: Path, program: Path) -> Iterator[Preview]:
    """A preview of two of the shipped experiments, and a long page of prose."""
    content = tmp_path_factory.mktemp("content")
    shutil.copytree(REPO / "content" / "experiments" / EXPERIMENT, content / "experiments" / EXPERIMENT)
    shutil.copytree(REPO / "content" / "experiments" / LOGS, content / "experiments" / LOGS)
    (content / "site.yaml").write_text('title: "Previewed"\nexperiments: ["experiments/*"]\n')
    (content / "notes.md").write_text(PROSE)
    with running(project(program, tmp_path_factory.mktemp("project"), content)) as preview:
        preview.wait_for("ready")
        yield preview


@pytest.fixture
def page(preview: Preview, browser: Browser) -> Iterator[Page]:
    """A page in a window of its own; at the end its scripts have complained of nothing."""
    complaints: list[str] = []
    context = browser.new_context(viewport={"width": 1000, "height": 700})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def settled(page: Page, address: str) -> None:
    """Open a page, and wait until it listens: what is saved before is in it anyway."""
    page.goto(address, wait_until="load")
    page.wait_for_selector("script[src='/-/reload.js']", state="attached")
    evaluated(page, "window.stayed = true")


def stayed(page: Page) -> bool:
    """Whether it is still the document that was opened: it was made so in place."""
    return bool(page.evaluate("window.stayed === true"))


def until(page: Page, holds: str) -> None:
    """Wait until an expression holds; the page's own policy keeps playwright's waiting out."""
    end = time.monotonic() + PATIENCE / 1000
    while not evaluated(page, holds):
        assert time.monotonic() < end, holds
        page.wait_for_timeout(20)


def evaluated(page: Page, expression: str) -> object:
    """What an expression gives; where the page is just being loaded again, what it gives then."""
    from playwright.sync_api import Error  # where there is no browser there need be no playwright

    for _ in range(10):
        try:
            return page.evaluate(expression)
        except Error as error:
            if "context was destroyed" not in str(error):
                raise
            page.wait_for_load_state("load")
    raise AssertionError(f"the page is loaded again and again: {expression}")


def test_a_saved_page_is_seen_where_it_is_read(preview: Preview, page: Page) -> None:
    settled(page, preview.address + "notes.html")
    page.evaluate("window.scrollTo(0, 2000)")
    edit(preview.folder / "content" / "notes.md", "The last sentence.", "Another last sentence.")
    page.get_by_text("Another last sentence.").wait_for()
    assert page.evaluate("window.scrollY") == 2000
    assert stayed(page)


def test_what_is_read_stays_in_place_though_lines_come_above(preview: Preview, page: Page) -> None:
    settled(page, preview.address + "notes.html")
    spot = page.get_by_text("Paragraph 20.")
    spot.evaluate("e => e.scrollIntoView({block: 'center'})")
    top = spot.evaluate("e => Math.round(e.getBoundingClientRect().top)")
    notes = preview.folder / "content" / "notes.md"
    edit(notes, "The first sentence.", "The first sentence.\n\nOne more above.")
    page.get_by_text("One more above.").wait_for(state="attached")
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert abs(spot.evaluate("e => e.getBoundingClientRect().top") - top) <= 2


def test_open_details_and_the_selection_stay(preview: Preview, page: Page) -> None:
    settled(page, preview.address + f"experiments/{EXPERIMENT}/index.html")
    details = page.locator("main details:has(> summary:visible)").first
    details.locator("summary").first.click()
    assert details.evaluate("e => e.open")
    page.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))")
    title = page.evaluate("getSelection().toString()")
    edit(preview.folder / "content" / "site.yaml", '"Previewed"', '"Previewed again"')
    page.locator(".masthead .name", has_text="Previewed again").wait_for()
    assert details.evaluate("e => e.open")
    assert page.evaluate("getSelection().toString()") == title
    assert stayed(page)


def test_a_chosen_theme_stays_chosen(preview: Preview, page: Page) -> None:
    settled(page, preview.address + "notes.html")
    page.click("[data-choose-theme=dark]")
    edit(preview.folder / "content" / "notes.md", "# Notes", "# Notes in the dark")
    page.locator("h1", has_text="Notes in the dark").wait_for()
    assert page.get_attribute("[data-choose-theme=dark]", "aria-pressed") == "true"
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    edit(preview.folder / "content" / "notes.md", "# Notes in the dark", "# Notes")


def test_what_is_typed_into_a_filter_stays(preview: Preview, page: Page) -> None:
    settled(page, preview.address + f"reviews/{EXPERIMENT}/index.html")
    page.click("input[name=find]")
    page.keyboard.type("zzz", delay=5)
    edit(preview.folder / "templates" / "layout" / "base.html", "<footer", '<footer data-mark="list"')
    page.wait_for_selector("footer[data-mark=list]", state="attached")
    until(page, "document.activeElement.name === 'find'")
    until(page, "document.querySelector('input[name=find]').value === 'zzz'")
    edit(preview.folder / "templates" / "layout" / "base.html", '<footer data-mark="list"', "<footer")


def test_a_saved_template_is_seen_and_a_broken_one_is_told(preview: Preview, page: Page) -> None:
    settled(page, preview.address + "notes.html")
    template = preview.folder / "templates" / "prose" / "prose.html"
    good = template.read_text()
    template.write_text(good.replace("<h1>", '<h1 data-mark="seen">'))
    page.wait_for_selector("h1[data-mark=seen]")
    template.write_text(good + "{% if %}\n")
    box = page.get_by_role("alert")
    box.get_by_text("Template error").wait_for()
    assert f"prose.html:{len(good.splitlines()) + 1}" in box.inner_text()
    assert box.locator("mark").inner_text().rstrip().endswith("{% if %}")
    assert page.locator("h1[data-mark=seen]").is_visible()
    template.write_text(good.replace("<h1>", "<h1>{{ view.nothing_like_it }}"))
    box.get_by_text("nothing_like_it").first.wait_for()
    template.write_text(good)
    box.wait_for(state="detached")
    page.wait_for_selector("h1:not([data-mark])")
    assert stayed(page)


def test_a_saved_macro_is_seen(preview: Preview, page: Page) -> None:
    settled(page, preview.address)
    edit(preview.folder / "templates" / "layout" / "macros.html", "<figure", '<figure data-mark="macro"')
    page.wait_for_selector("figure[data-mark=macro]", state="attached")
    edit(preview.folder / "templates" / "layout" / "macros.html", '<figure data-mark="macro"', "<figure")
    page.wait_for_selector("figure:not([data-mark])", state="attached")
    assert stayed(page)


def test_a_saved_style_is_seen_without_a_moment_of_none(preview: Preview, page: Page) -> None:
    settled(page, preview.address + "notes.html")
    page.evaluate(
        """() => { window.least = 9; const look = () => {
             window.least = Math.min(window.least, [...document.styleSheets].filter(
               s => s.href.includes('site.css')).length);
             requestAnimationFrame(look); }; look(); }"""
    )
    sheet = preview.folder / "site_src" / "assets" / "css" / "30-page.css"
    sheet.write_text(sheet.read_text() + "\nh1 { letter-spacing: 7px; }\n")
    until(page, "getComputedStyle(document.querySelector('h1')).letterSpacing === '7px'")
    assert page.evaluate("window.least") >= 1
    assert stayed(page)


def test_a_log_that_grows_updates_the_page(preview: Preview, page: Page) -> None:
    log = min((preview.folder / "content" / "experiments" / LOGS / "logs_big").glob("*.jsonl"))
    settled(page, preview.address + "reviews/index.html")
    before = page.locator("main").inner_text()
    said = len(preview.said)
    with log.open("a") as file:
        file.write(log.read_text().splitlines()[0] + "\n")
    preview.wait_for(f"measured {LOGS}", after=said)
    until(page, f"document.querySelector('main').innerText !== {json.dumps(before)}")
    assert stayed(page)
    assert not [line for line in preview.said[said:] if f"measured {EXPERIMENT}" in line]


def test_broken_settings_are_told_and_mended(preview: Preview, page: Page) -> None:
    settled(page, preview.address + f"experiments/{EXPERIMENT}/index.html")
    settings = preview.folder / "content" / "experiments" / EXPERIMENT / "experiment.yaml"
    good = settings.read_text()
    settings.write_text(good + "titel: oops\n")
    box = page.get_by_role("alert")
    box.get_by_text(f"{EXPERIMENT}/experiment.yaml:{len(good.splitlines()) + 1}").wait_for()
    assert "titel: oops" in box.locator("mark").inner_text()
    assert page.locator("main h1").is_visible()
    page.keyboard.press("Escape")
    box.wait_for(state="hidden")
    settings.write_text(good)
    page.wait_for_selector("#assay-live-faults", state="detached")
    assert stayed(page)


def test_the_overlay_takes_no_focus_and_its_text_stays_text(preview: Preview, page: Page) -> None:
    settled(page, preview.address + "notes.html")
    page.locator(".masthead .name").focus()
    bad = preview.folder / "content" / "bad.md"
    bad.write_text("---\n<img src=x onerror=alert(1)>: 1\n---\n# Bad\n")
    box = page.get_by_role("alert")
    box.wait_for()
    assert "<img src=x onerror=alert(1)>" in box.inner_text()
    assert box.locator("img").count() == 0
    assert page.evaluate("document.activeElement.className") == "name"
    bad.unlink()
    box.wait_for(state="detached")


def test_a_page_that_does_not_exist_yet_opens_by_itself(preview: Preview, page: Page) -> None:
    answer = page.goto(preview.address + "later.html", wait_until="load")
    assert answer is not None
    assert answer.status == 404
    (preview.folder / "content" / "later.md").write_text("# Here at last\n\nText.\n")
    page.locator("h1", has_text="Here at last").wait_for()
    (preview.folder / "content" / "later.md").unlink()
    page.locator("h1", has_text="This page is no more").wait_for()


def test_an_open_page_that_is_renamed_says_where_it_went(preview: Preview, page: Page) -> None:
    old, new = preview.folder / "content" / "old-name.md", preview.folder / "content" / "new-name.md"
    old.write_text("# Renamed\n\nText.\n")
    page.goto(preview.address + "old-name.html", wait_until="load")
    page.locator("h1", has_text="Renamed").wait_for()
    old.rename(new)
    page.locator("h1", has_text="This page is no more").wait_for()
    page.get_by_role("link", name="new-name.html").click()
    page.locator("h1", has_text="Renamed").wait_for()
    assert page.url.endswith("/new-name.html")
    new.unlink()
    page.locator("h1", has_text="This page is no more").wait_for()
    assert page.get_by_role("link").count() == 0


def test_a_mistake_on_a_page_that_is_not_open_is_told(preview: Preview, page: Page) -> None:
    settled(page, preview.address)
    said, notes = len(preview.said), preview.folder / "content" / "notes.md"
    edit(notes, "The first sentence.", "The first sentence is {est}`attempts.nothing`.")
    box = page.get_by_role("alert")
    box.get_by_text("notes.md:3:").wait_for()
    assert "{est}`attempts.nothing`" in box.locator("mark").inner_text()
    preview.wait_for("  notes.md:3:", after=said)
    (preview.folder / "content" / "another.md").write_text("# Another\n\nWords.\n")
    preview.wait_for("content/another.md", after=said)
    assert box.is_visible()
    edit(notes, "The first sentence is {est}`attempts.nothing`.", "The first sentence.")
    box.wait_for(state="detached")
    (preview.folder / "content" / "another.md").unlink()
    assert stayed(page)


def test_prose_that_names_what_a_save_took_away_is_told(preview: Preview, page: Page) -> None:
    named, naming = preview.folder / "content" / "named.md", preview.folder / "content" / "naming.md"
    named.write_text("# Named\n\n## Part\n\nText.\n")
    naming.write_text("# Naming\n\nSee {page}`named#Part`.\n")
    page.goto(preview.address + "named.html", wait_until="load")
    page.locator("h2", has_text="Part").wait_for()
    edit(named, "## Part", "## Whole")
    box = page.get_by_role("alert")
    box.get_by_text("naming.md:3:").wait_for()
    edit(named, "## Whole", "## Part")
    box.wait_for(state="detached")
    naming.unlink()
    named.unlink()


def test_a_template_of_a_page_that_is_not_open_is_told(preview: Preview, page: Page) -> None:
    settled(page, preview.address + "notes.html")
    template = preview.folder / "templates" / "results" / "experiment.html"
    good = template.read_text()
    template.write_text(good + "{% if %}\n")
    box = page.get_by_role("alert")
    box.get_by_text(f"experiment.html:{len(good.splitlines()) + 1}").wait_for()
    template.write_text(good.replace("{% endblock %}", "{{ view.nothing_like_it }}{% endblock %}"))
    box.get_by_text("nothing_like_it").first.wait_for()
    template.write_text(good)
    box.wait_for(state="detached")
    assert stayed(page)


def test_notes_stand_in_a_quiet_bar(preview: Preview, page: Page) -> None:
    settled(page, preview.address)
    page.locator(".masthead .name").focus()
    said, typed = len(preview.said), preview.folder / "content" / "typed.md"
    typed.write_text("# Typed\n\nAlpha passed 86 % of all attempts.\n")
    bar = page.locator("#assay-live-notes")
    bar.get_by_text("1 note", exact=True).wait_for()
    assert "typed by hand, '86 %'" in preview.wait_for("1 note: typed.md:3:", after=said)
    assert not bar.locator("li").is_visible()
    assert page.get_by_role("alert").count() == 0
    assert page.evaluate("document.activeElement.className") == "name"
    bar.locator("summary").click()
    assert "typed.md:3:14" in bar.locator("li").inner_text()
    typed.write_text("# Typed\n\nAlpha passed 86 % of all attempts.\n\nBeta passed 85 % of them.\n")
    bar.get_by_text("2 notes", exact=True).wait_for()
    assert bar.locator("li").nth(1).is_visible()
    typed.unlink()
    bar.wait_for(state="hidden")
    preview.wait_for("no notes any more", after=said)
    assert stayed(page)


def test_a_save_names_the_pages_that_say_something_else(preview: Preview, page: Page) -> None:
    saved = preview.folder / "content" / "saved.md"
    saved.write_text("# Saved\n\nOne.\n")
    page.goto(preview.address + "saved.html", wait_until="load")
    page.locator("h1", has_text="Saved").wait_for()
    settled(page, preview.address)  # the page that was left may count as open for a while
    digest = page.evaluate("document.querySelector('script[data-digest]').dataset.digest")
    said = len(preview.said)
    saved.write_text("# Saved\n\nTwo.\n")
    assert "index.html" not in preview.wait_for("content/saved.md", after=said)
    page.reload(wait_until="load")
    assert page.evaluate("document.querySelector('script[data-digest]').dataset.digest") != digest
    said = len(preview.said)
    edit(preview.folder / "content" / "site.yaml", '"Previewed', '"Anew previewed')
    assert "→ index.html" in preview.wait_for("content/site.yaml", after=said)
    edit(preview.folder / "content" / "site.yaml", '"Anew previewed', '"Previewed')
    saved.unlink()


def test_the_page_says_that_the_preview_stopped_and_goes_on_with_the_next(
    browser: Browser, program: Path, tmp_path: Path
) -> None:
    content = small_content.write_suite(tmp_path / "content")
    (content / "site.yaml").write_text('title: "First"\n')
    folder = project(program, tmp_path / "project", content)
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    with running(folder) as first:
        first.wait_for("ready")
        address = first.address
        page.goto(address, wait_until="load")
        page.locator(".masthead .name", has_text="First").wait_for()
    page.get_by_role("status").get_by_text("has stopped").wait_for()
    edit(folder / "content" / "site.yaml", "First", "Second")
    with running(folder, int(address.rstrip("/").rpartition(":")[2])) as second:
        second.wait_for("ready")
        page.locator(".masthead .name", has_text="Second").wait_for()
        page.locator("#assay-live-note").wait_for(state="hidden")
    page.close()
