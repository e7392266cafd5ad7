"""Pages with a reader's own settings: forced colours, more room in the text, keys alone, no motion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import REPO
from tests.support import sample_site
from tests.support.built_once import built_once

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

KINDS = sample_site.kinds()

ROOMY = "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }"
"""Text as WCAG 1.4.12 lets a reader set it."""

SYSTEM = """([name, selector, property]) => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = name;
  const system = getComputedStyle(probe).color;
  probe.remove();
  return [...document.querySelectorAll(selector)].map(each => getComputedStyle(each)[property] === system);
}"""
"""Whether a property of each element of a selector has a colour of the system."""

WALK = """() => {
  const at = document.activeElement;
  const ring = getComputedStyle(at);
  return [at === document.body, [...document.querySelectorAll("*")].indexOf(at),
          ring.outlineStyle !== "none" && parseFloat(ring.outlineWidth) > 0, at.outerHTML.slice(0, 80)];
}"""
"""Whether the walk is at its end; where focus is, whether it is seen, and on what."""

IN_REACH = """() => [...document.querySelectorAll("a[href], button, select, input, summary, [tabindex='0']")]
  .filter(each => each.checkVisibility() && !each.disabled && each.tabIndex >= 0).length"""


@pytest.fixture
def opened(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Page]]:
    site = built_once(tmp_path_factory, "sample-site", sample_site.write)
    contexts = []

    def open_page(path: str, **options: Any) -> Page:
        contexts.append(browser.new_context(bypass_csp=True, **options))
        page = contexts[-1].new_page()
        page.goto((Path(site) / path).as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_are_drawn_in_the_colours_that_a_system_forces(
    opened: Callable[..., Page], scheme: str
) -> None:
    """Whichever theme the reader has chosen on the site: else they are dark on dark, or light on light."""
    page = opened(KINDS["overview"], forced_colors="active", color_scheme=scheme)
    for theme in ("light", "dark"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        for selector in (".marks > circle", ".scale"):
            assert set(page.evaluate(SYSTEM, ["CanvasText", selector, "fill"])) == {True}, (theme, selector)


def test_only_the_entry_of_this_page_is_underlined_in_forced_colours(opened: Callable[..., Page]) -> None:
    page = opened(KINDS["overview"], forced_colors="active")
    entry = ".masthead li a{}"
    for which, hidden in ((":not([aria-current])", True), ("[aria-current]", False)):
        assert set(page.evaluate(SYSTEM, ["Canvas", entry.format(which), "borderBottomColor"])) == {hidden}


@pytest.mark.parametrize("kind", ["overview", "model", "reviews"])
def test_text_with_more_room_stays_in_the_page(opened: Callable[..., Page], kind: str) -> None:
    page = opened(KINDS[kind], viewport={"width": 320, "height": 900})
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    page.add_style_tag(content=ROOMY)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_tab_reaches_everything_in_the_order_of_the_page_and_shows_where_it_is(
    opened: Callable[..., Page],
) -> None:
    page = opened(KINDS["models"])
    before, reached = -1, 0
    for _ in range(page.evaluate(IN_REACH) + 1):
        page.keyboard.press("Tab")
        ended, place, seen, what = page.evaluate(WALK)
        if ended:
            break
        assert seen, what
        assert place > before, what
        before, reached = place, reached + 1
    assert reached == page.evaluate(IN_REACH)


def test_nothing_moves_by_itself() -> None:
    """So nobody has to ask for less motion."""
    for sheet in (REPO / "site_src" / "assets" / "css").glob("*.css"):
        text = sheet.read_text("utf-8")
        assert [word for word in ("transition", "animation", "smooth") if word in text] == []
