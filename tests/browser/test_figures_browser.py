"""Figures as a browser sets them: in the widest face no label leaves its picture or covers another."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any

import pytest

from site_src.installed import assets_folder
from site_src.pages.render import fragment
from tests.site.figures.test_figures import DRAWN, HOSTILE, KINDS, drawn, hostile
from tests.support.accessibility import violations
from tests.support.by_day import looks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDTHS = {"wide": 1280, "narrow": 360}

FAULTS = """() => {
  const faults = [];
  for (const svg of document.querySelectorAll("svg.plotted")) {
    const frame = svg.getBoundingClientRect();
    const labels = [...svg.querySelectorAll("text")].filter(t => t.getClientRects().length)
      .map(t => [t.getBoundingClientRect(), t.textContent]);
    for (const [box, words] of labels) {
      const sideways = box.left < frame.left - 1.5 || box.right > frame.right + 1.5;
      if (sideways || box.top < frame.top - 4 || box.bottom > frame.bottom + 6)
        faults.push(`${svg.id}: ${words} leaves the frame`);
    }
    labels.forEach(([a, one], i) => labels.slice(i + 1).forEach(([b, other]) => {
      const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
      const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
      if (across > 0.5 && down > 4.5) faults.push(`${svg.id}: ${one} covers ${other}`);
    }));
  }
  for (const row of document.querySelectorAll(".rows:not(.cells) .row")) {
    const cells = [...row.children].map(e => e.getBoundingClientRect());
    cells.forEach((a, i) => cells.slice(i + 1).forEach(b => {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 1) faults.push(`a cell covers another: ${row.textContent}`);
    }));
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page scrolls sideways");
  return faults;
}"""

UNPAINTED = """() => [...document.querySelectorAll("svg.plotted *, svg.marks *")]
  .filter(e => !["g", "a", "svg"].includes(e.tagName))
  .filter(e => e.getClientRects().length)
  .filter(e => { const s = getComputedStyle(e); return s.fill === "none" && s.stroke === "none"; }).length"""


def page_of(markup: str, *, theme: str = "light") -> str:
    """A page with the site's own style sheets, in the widest face."""
    styles = "".join(path.read_text("utf-8") for path in sorted((assets_folder() / "css").glob("*.css")))
    return (
        f'<!doctype html><html lang="en" data-theme="{theme}"><meta charset="utf-8"><title>figure</title>'
        f'<style>{styles} :root {{ --sans: "DejaVu Sans"; --mono: "DejaVu Sans Mono"; }}</style>'
        f'<body><main class="wrap"><h1>figure</h1><figure>{markup}</figure></main>'
    )


@pytest.fixture(params=sorted(WIDTHS))
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": WIDTHS[request.param], "height": 900})
    yield context.new_page()
    context.close()


def as_on_a_page(drawing: Any) -> str:
    """A figure as a page holds it, below its title."""
    title = f'<h2 id="{drawing.id}-title">{escape(drawing.title)}</h2>'
    return f"{title}{fragment('in_rows', drawing.rows)}"


def test_labels_keep_their_places(page: Page):
    page.set_content(page_of("".join(as_on_a_page(drawn(kind)) for kind in KINDS)))
    assert page.evaluate(FAULTS) == []


@pytest.mark.parametrize("name", HOSTILE[:3], ids=["markup", "bidi", "long"])
def test_hostile_names_do_not_break_the_page(page: Page, name: str):
    page.set_content(page_of("".join(as_on_a_page(hostile(kind, name)) for kind in KINDS)))
    faults = [fault for fault in page.evaluate(FAULTS) if "leaves the frame" in fault or "scrolls" in fault]
    assert faults == []
    assert page.evaluate("document.scripts.length") == 0


def test_every_colour_is_one_that_the_style_sheet_sets(browser: Browser):
    page = browser.new_page()
    for theme in ("light", "dark"):
        page.set_content(page_of("".join(as_on_a_page(drawn(kind)) for kind in DRAWN), theme=theme))
        assert page.evaluate(UNPAINTED) == 0
    page.close()


def test_a_plot_stretches_and_its_type_and_points_keep_their_sizes(browser: Browser):
    sizes = """() => [...document.querySelectorAll("svg.plotted")].map(plot => {
      const marks = [...plot.querySelectorAll("circle")].map(e => e.getBoundingClientRect().height);
      const type = [...plot.querySelectorAll("text")].map(e => getComputedStyle(e).fontSize);
      return [plot.getBoundingClientRect().width, Math.max(...marks), type.sort().at(-1)];
    })"""
    page = browser.new_page(viewport={"width": 320, "height": 900})
    page.set_content(page_of("".join(as_on_a_page(drawn(kind)) for kind in ("timeline", "cost-score"))))
    phone = page.evaluate(sizes)
    page.set_viewport_size({"width": 1280, "height": 900})
    desk = page.evaluate(sizes)
    page.close()
    assert all(wide > 3 * small for (wide, *_), (small, *_) in zip(desk, phone, strict=True))
    assert [rest for _, *rest in desk] == [rest for _, *rest in phone]


@pytest.mark.parametrize(("width", "theme"), looks())
def test_axe_finds_nothing(browser: Browser, width: int, theme: str):
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.set_content(page_of("".join(as_on_a_page(drawn(kind)) for kind in KINDS), theme=theme))
    assert violations(page) == []
    page.close()
