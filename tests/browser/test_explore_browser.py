"""A figure that a reader explores: its specification, drawn by Vega under the policy of the site."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from site_src import paths
from tests.support import sample_site
from tests.support.accessibility import violations
from tests.support.built_once import built_once

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LIBRARIES = {"vega.js", "vega-lite.js", "vega-interpreter.js"}
VIOLATIONS = (
    "window.violations = []; "
    "addEventListener('securitypolicyviolation', e => violations.push(e.violatedDirective))"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_once(tmp_path_factory, "sample-site", sample_site.write)


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[str]:
    """The folder on loopback, below a sub-path."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    handler = functools.partial(Quiet, directory=folder.parent)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{folder.name}"
    server.shutdown()
    server.server_close()


def listening(browser: Browser) -> tuple[Page, list[str], list[str]]:
    """A page, what it complains of, and the names of the files it asks for."""
    page = browser.new_page()
    page.add_init_script(VIOLATIONS)
    complaints: list[str] = []
    asked: list[str] = []
    page.on(
        "console",
        lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None,
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    return page, complaints, asked


def of_kind(folder: Path, kind: str) -> str:
    """The page of the first figure of a kind."""
    found = sorted((folder / paths.FIGURES).glob(f"{kind}-*.html"))
    return found[0].relative_to(folder).as_posix()


@pytest.mark.parametrize(("scheme", "kind"), [("http", "timeline"), ("file", "overview")])
def test_a_specification_is_drawn_when_it_is_asked_for(
    browser: Browser, folder: Path, served: str, scheme: str, kind: str
) -> None:
    page, complaints, asked = listening(browser)
    page.goto(f"{served if scheme == 'http' else folder.as_uri()}/{of_kind(folder, kind)}")
    assert not LIBRARIES & {*asked}
    page.locator("#picture > svg:visible").wait_for()

    page.get_by_role("button", name="Explore").click()
    page.locator("#picture .explored svg:visible").wait_for()
    assert {*asked} >= LIBRARIES
    assert page.locator("#picture > svg:visible").count() == 0
    assert violations(page) == []

    page.locator(".explored .role-mark.mark-symbol path, .explored .role-mark.mark-rect path").last.hover(
        force=True
    )
    assert any(letter.isdigit() for letter in page.locator("[data-explore-told]").inner_text())

    page.get_by_role("button", name="Picture").click()
    page.locator("#picture > svg:visible").wait_for()
    assert (complaints, page.evaluate("violations")) == ([], [])
    page.close()


def test_the_picture_stays_where_a_library_does_not_come(browser: Browser, folder: Path, served: str) -> None:
    page, _, _ = listening(browser)
    page.route("**/vega-lite.js", lambda route: route.abort())
    page.goto(f"{served}/{of_kind(folder, 'timeline')}")
    page.get_by_role("button", name="Explore").click()
    page.get_by_text("could not draw").wait_for()
    assert page.locator("#picture > svg:visible").count() == 1
    page.close()
