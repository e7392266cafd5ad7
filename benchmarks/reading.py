"""Pages as they are read: weight of the first page, layout shift, and a list of many runs in Chromium.

The site is served from its folder. Weight is of the page and of all that it asks for, packed by gzip; layout
shift is Chromium's own sum as the page loads. *Usable* is from the start of navigation until the list can
be sorted and filtered; *filtered* from a choice in a filter until the list has been painted again. The floor
of both is a frame of a page that does nothing.
"""

from __future__ import annotations

import functools
import gzip
import http.server
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from benchmarks._processes import assay
from benchmarks.review_pages import ours

if TYPE_CHECKING:
    from playwright.sync_api import Page

RUNS = 10_000
TURNS = 9
REPO = Path(__file__).resolve().parents[1]
LIST = "reviews/many/index.html"
SHIFT = """
window.shift = 0;
new PerformanceObserver(list => { for (const e of list.getEntries()) { window.shift += e.value; } })
  .observe({type: 'layout-shift', buffered: true});
"""
USABLE = """
() => new Promise(done => {
  const sorts = () => document.querySelector('#runs th[aria-sort]');
  const look = () => { if (sorts()) { done(performance.now()); } else { setTimeout(look, 1); } };
  look();
})
"""
FILTERED = """
at => new Promise(done => {
  const form = document.querySelector('form[data-index]');
  const selects = [...form.querySelectorAll('select')].filter(e => e.name !== 'sort' && e.options.length > 2);
  const select = selects[at % selects.length];
  const began = performance.now();
  select.value = select.options[1 + at % (select.options.length - 1)].value;
  select.dispatchEvent(new Event('input', {bubbles: true}));
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
})
"""
NOTHING = """
() => new Promise(done => {
  const began = performance.now();
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
})
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder."""
    handler = functools.partial(Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def first_page(page: Page, address: str, site: Path) -> tuple[float, float]:
    """Kilobytes of the first page with what it asks for, and its layout shift."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(unquote(urlsplit(request.url).path).lstrip("/")))
    page.goto(address + "index.html", wait_until="load")
    page.wait_for_timeout(1000)
    files = {site / path for path in asked if (site / path).is_file()}
    return sum(len(gzip.compress(file.read_bytes())) for file in files) / 1000, page.evaluate("window.shift")


def table(runs: int = RUNS) -> str:
    """The results, as Markdown."""
    from playwright.sync_api import sync_playwright

    browser_at = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    usable, filtered, floor, shifts = [], [], [], []
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        project = ours(Path(scratch) / "project", runs)
        subprocess.run(assay(project, "build", "-q"), cwd=REPO, check=True, capture_output=True)
        site = project / "_site"
        browser = playwright.chromium.launch(
            executable_path=browser_at,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        with served(site) as address:
            opened = browser.new_context()
            opened.add_init_script(SHIFT)
            kilobytes, first_shift = first_page(opened.new_page(), address, site)
            for turn in range(TURNS):
                page = opened.new_page()
                page.goto(address + LIST, wait_until="domcontentloaded")
                usable.append(page.evaluate(USABLE))
                page.wait_for_timeout(200)
                shifts.append(page.evaluate("window.shift"))
                filtered.append(page.evaluate(FILTERED, turn))
                page.goto("about:blank")
                floor.append(page.evaluate(NOTHING))
                page.close()
        about = f"{runs:,} runs, {TURNS} turns; Chromium {browser.version}."
        browser.close()
    rows = [
        row("floor: a frame of an empty page, ms", floor, floor),
        row("list usable, ms", usable, floor),
        row("list filtered, ms", filtered, floor),
        f"| layout shift of the list | {statistics.median(shifts):.3f} | {max(shifts):.3f} | |",
        f"| layout shift of the first page | {first_shift:.3f} | | |",
        f"| first page, kB gz | {kilobytes:.1f} | | |",
    ]
    head = ["| what | median | greatest | to the floor |", "| --- | --: | --: | --: |"]
    told = (__doc__ or "").partition("\n\n")[2]
    return "\n".join(["## Pages as they are read", "", told, about, "", *head, *rows, ""])


def row(what: str, times: list[float], floor: list[float]) -> str:
    """One line of the table."""
    middle = statistics.median(times)
    return f"| {what} | {middle:.0f} | {max(times):.0f} | {middle / statistics.median(floor):.1f} |"


if __name__ == "__main__":
    sys.stdout.write(table(*map(int, sys.argv[1:])))
