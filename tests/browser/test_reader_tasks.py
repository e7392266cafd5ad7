"""What a reader comes for is found from the first page, by words that stand there, in three clicks at most.

Does: follow visible words on one built site, and look whether the answer stands in view. A word typed is no
click; the key that sends it off, and a choice in a list, are one each.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

MOST_CLICKS = 3


class Reader:
    """Somebody who has the first page before them, and counts what they press."""

    def __init__(self, page: Page, first: str) -> None:
        self.page, self.clicks = page, 0
        page.goto(first)

    def press(self, words: str, *, beside: str = "", role: str = "link") -> Reader:
        """Press what is called so; of several, that in the row or group that says something beside it."""
        found: Locator = self.page.get_by_role(role, name=words, exact=True)  # type: ignore[arg-type]
        if beside:
            within = self.page.locator("main :is(.group, .row, li, tr)").filter(has_text=beside)
            found = within.get_by_role(role, name=words, exact=True)  # type: ignore[arg-type]
        found.and_(self.page.locator(":visible")).first.click()
        self.clicks += 1
        return self

    def choose(self, field: str, option: str) -> Reader:
        self.page.get_by_label(field, exact=True).select_option(label=option)
        self.clicks += 1
        return self

    def first_run(self) -> Reader:
        """Open the run that a list has first."""
        self.page.locator("#runs tbody a").first.click()
        self.clicks += 1
        return self

    def look_up(self, words: str) -> Reader:
        self.page.keyboard.press("/")
        self.page.keyboard.type(words)
        self.page.locator(".found a").first.wait_for()
        self.page.keyboard.press("Enter")
        self.clicks += 1
        return self

    def sees(self, *answer: str) -> None:
        """Whether all of it stands in view, with no more clicks than a reader is asked for."""
        for words in answer:
            self.page.get_by_text(words).and_(self.page.locator(":visible")).first.wait_for()
        assert self.clicks <= MOST_CLICKS


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(2_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def reader(window: Page, small_site: Path) -> Reader:
    return Reader(window, (small_site / "_site" / "index.html").as_uri())


def test_which_model_breaks_the_application_though_it_does_the_task(reader: Reader) -> None:
    reader.sees("Done but broken", "2/10", "both known")


def test_why_a_verdict_is_unknown(reader: Reader) -> None:
    reader.press("3/5").choose("Outcome", "invalid (1)")
    reader.first_run()
    reader.sees("Score is invalid: the contract says INVALID.", "exit code not recognised")


def test_what_is_not_known_in_a_figure_is_the_list_of_exactly_these_runs(reader: Reader) -> None:
    link = reader.page.locator("main .row .lost a[href*='gap=']:visible").first
    told = int(link.inner_text())
    link.click()
    reader.clicks += 1
    reader.sees(f"{told} of ", "runs")
    reader.page.locator(f"#runs:not(:has(tbody tr:nth-child({told + 1})))").wait_for()
    assert reader.page.locator("#runs tbody tr").count() == told > 0
    chosen = reader.page.get_by_label("Not known", exact=True).locator("option:checked").inner_text()
    assert chosen.endswith(f": not known ({told})")
    assert reader.page.locator(".without-script").is_hidden()


def test_without_scripts_a_list_says_that_every_run_is_listed(browser: Browser, small_site: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((small_site / "_site" / "index.html").as_uri())
    page.locator("main .row .lost a[href*='gap=']:visible").first.click()
    page.get_by_text("Without scripts every run is listed").wait_for()
    assert page.locator("#runs tbody tr").count() > 1
    context.close()


def test_whether_one_is_really_better_than_the_other(reader: Reader) -> None:
    reader.press("alpha and be", beside="Change")
    reader.sees("these runs cannot separate alpha and be yet: 5 tasks in common, 8 needed")


def test_what_a_run_costs_at_prices_of_today(reader: Reader) -> None:
    reader.press("17/20")
    reader.first_run()
    reader.sees("Recomputed from tokens, prices of 2026-07-05", "0.2500 USD recorded")


def test_whether_the_scorer_changed_since_july(reader: Reader) -> None:
    reader.press("Instruments")
    reader.sees("Read the runs of", "2026-06-08 to 2026-06-15", "2026-07-06 to 2026-07-13")


def test_the_raw_record_of_a_run(reader: Reader) -> None:
    reader.press("17/20")
    reader.first_run()
    reader.page.get_by_text("Show the record").click()
    reader.clicks += 1
    reader.sees('"change_detail"')


def test_the_runs_lost_at_a_stage(reader: Reader) -> None:
    reader.press("Models").press("be").press("−2 the task was done, something else broke")
    reader.sees("2 of 20 runs", "broken 1/2")


def test_a_task_by_name(reader: Reader) -> None:
    reader.look_up("b4")
    reader.sees("suite")
    left = "all => all.map(each => Math.round(each.getBoundingClientRect().left))"
    heads = reader.page.locator(".task-runs [scope=colgroup]").evaluate_all(left)
    runs = reader.page.locator(".task-runs tbody tr:first-child .run.begins").evaluate_all(left)
    assert len(heads) == 2
    assert heads == runs  # each model stands above its own runs


def test_two_models_task_by_task(reader: Reader) -> None:
    reader.press("alpha and be", beside="Regress")
    reader.sees("Task by task")


def test_a_filtered_list_is_handed_on_by_its_address(reader: Reader) -> None:
    reader.press("17/20").choose("Outcome", "task done (7)")
    reader.sees("of 20 runs")
    seen = reader.page.locator("#runs tbody a").all_inner_texts()
    address = reader.page.url
    reader.page.goto("about:blank")
    reader.page.goto(address)
    reader.sees("of 20 runs")
    assert reader.page.locator("#runs tbody a").all_inner_texts() == seen


def test_a_figure_is_cited_and_its_picture_taken(reader: Reader) -> None:
    reader.press("Take away")
    reader.sees("SVG", "PNG", "BibTeX", "@misc")


def test_what_regress_means_here(reader: Reader) -> None:
    reader.press("Regress")
    reader.sees("mean over runs of the fraction of the untouched regression set that still passes")


def test_which_decision_is_nearest_to_flipping(reader: Reader) -> None:
    reader.press("Decisions")
    reader.sees("Nearest to flipping is Keep alpha", "At least about 3 of 10 runs coming out at 0.")
