"""The rules of axe, held against a page that a browser shows.

Does: load axe into the page, run it, and give what it finds. Does not: open a page, or choose its size and
colours (`tests.support.by_day.looks`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Only what is found is asked for: axe would else describe each element that a rule looked at. A page opened
# as a file may not fetch its own style sheets, which one rule wants: there it says nothing, asked or not.
_RUN = """async within => {
  const { violations } = await axe.run(within ?? document, {
    resultTypes: ["violations"],
    preload: location.protocol !== "file:",
  });
  return violations.map(rule => [rule.id, rule.nodes[0].html.slice(0, 160)]);
}"""


def violations(page: Page, within: str | None = None) -> list[list[str]]:
    """Names of the rules that do not hold, each with the first element that it is about.

    Args:
        page: As it stands: loaded, of a size, in its colours.
        within: Selector of the part that is looked at; the whole page without it.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found: list[list[str]] = page.evaluate(_RUN, within)
    return found
