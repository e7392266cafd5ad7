"""From a save to its sight in the browser: the real preview, the shipped example, a headless Chromium.

Each kind of change is saved thirty times; the clock runs from just before the file is written until a
mutation observer (of a style sheet: its load event) sees the change in the page. *Answered* is until the
server gives the new page to whoever asks again and again, with no browser; a preview writes no pages to the
disk. The floor is the same way with nothing in it: a watchdog event, a server-sent event, the text of one
element set.
"""

from __future__ import annotations

import http.client
import http.server
import queue
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from watchdog.events import FileClosedEvent, FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from benchmarks._new_runs import new_runs
from tests.support.built_once import REPO, write_program
from tests.support.preview_process import Preview, project, running

if TYPE_CHECKING:
    from playwright.sync_api import Page

TIMES = 30
PAUSE = 0.25
"""Seconds between two saves: a person saves, looks, and saves again."""

SIGHT = """
(token) => { window.sight = new Promise(done => {
  const found = text => token === null || (text || '').includes(token);
  const seen = () => { observer.disconnect(); done(Date.now()); };
  const observer = new MutationObserver(records => {
    if (token === 'MENDED') { if (!document.getElementById('assay-live-faults')) { seen(); } return; }
    for (const r of records) {
      if (r.target.ownerDocument !== document) { continue; }
      if (r.type === 'characterData' && found(r.target.nodeValue)) { return seen(); }
      for (const n of r.addedNodes) { if (found(n.textContent)) { return seen(); } }
    }
  });
  observer.observe(document.documentElement, {childList: true, subtree: true, characterData: true});
}); }
"""
STYLE = """
(value) => { window.sight = new Promise(done => {
  document.addEventListener('load', function look(event) {
    if (getComputedStyle(document.querySelector('h1')).letterSpacing === value) {
      document.removeEventListener('load', look, true); done(Date.now());
    }
  }, true);
}); }
"""


def timed(page: Page, arm: str, looked_for: str | None, save: Callable[[], object]) -> float:
    """Milliseconds from a save to its sight."""
    page.evaluate(arm, looked_for)
    began = time.time() * 1000
    save()
    seen = page.evaluate("Promise.race([window.sight, new Promise(no => setTimeout(() => no(-1), 60000))])")
    assert seen >= 0, looked_for
    time.sleep(PAUSE)
    return float(max(0.0, seen - began))


def kinds(preview: Preview, page: Page) -> Iterator[tuple[str, list[float]]]:
    """Each kind of change with its times."""
    content, templates = preview.folder / "content", preview.folder / "templates"
    css = preview.folder / "site_src" / "assets" / "css" / "30-page.css"
    prose, first = content / "pages" / "about-this-example.md", content / "index.md"
    small, large = (content / "experiments" / f"brownfield-2026-07{end}" for end in ("b", ""))

    def appended(file: Path) -> Callable[[str], object]:
        text = file.read_text("utf-8")
        return lambda mark: file.write_text(f"{text}\n\n{mark}\n")

    def series(address: str, write: Callable[[str], object], arm: str = SIGHT) -> list[float]:
        page.goto(preview.address + address, wait_until="load")
        page.wait_for_timeout(500)
        marks = [f"mark{1000 + n}" for n in range(TIMES)]
        return [timed(page, arm, mark, partial(write, mark)) for mark in marks]

    yield "answered: text of a page", answered(preview, "pages/about-this-example.html", appended(prose))
    yield "text of a page", series("pages/about-this-example.html", appended(prose))
    yield "text of the first page, with its figure", series("index.html", appended(first))
    for decision in sorted((content / "decisions").glob("*.md"))[:1]:
        yield "text of a decision", series(f"decisions/{decision.stem}/index.html", appended(decision))
    template = templates / "layout" / "base.html"
    good = template.read_text()
    yield (
        "template of every page, on a page of prose",
        series(
            "pages/about-this-example.html",
            lambda m: template.write_text(good.replace("Skip to the content", f"Skip to the content {m}")),
        ),
    )
    yield (
        "template of every page, on the first page",
        series(
            "index.html",
            lambda m: template.write_text(good.replace("Skip to the content", f"Skip to the content {m}")),
        ),
    )
    sheet = css.read_text()
    page.goto(preview.address, wait_until="load")
    page.wait_for_timeout(500)
    wide = {f"{n + 1}px": f"{sheet}\nh1 {{ letter-spacing: {n + 1}px }}\n" for n in range(TIMES)}
    yield "style sheet", [timed(page, STYLE, w, partial(css.write_text, t)) for w, t in wide.items()]
    yield from _settings(preview, page, small)
    for name, folder in (("52", small), ("293", large)):
        log = min((folder / "logs_big").glob("*.jsonl"))
        fresh = new_runs(log)
        page.goto(preview.address + f"experiments/{folder.name}/index.html", wait_until="load")
        page.wait_for_timeout(500)

        def append(log: Path = log, fresh: Iterator[bytes] = fresh) -> None:
            with log.open("ab") as file:
                file.write(next(fresh))

        yield (
            f"line appended to a log of an experiment of {name} runs, measured again",
            [timed(page, SIGHT, None, append) for _ in range(TIMES)],
        )


def answered(preview: Preview, address: str, write: Callable[[str], object]) -> list[float]:
    """Milliseconds from a save until a request for the page is answered with it."""
    times, server = [], urlsplit(preview.address).netloc
    for n in range(TIMES):
        mark, asked = f"mark{3000 + n}", http.client.HTTPConnection(server)
        began = time.perf_counter()
        write(mark)
        said = b""
        while mark.encode() not in said:
            assert time.perf_counter() - began < 60, mark
            time.sleep(0.002)
            asked.request("GET", f"/{address}")
            said = asked.getresponse().read()
        times.append((time.perf_counter() - began) * 1000)
        asked.close()
        time.sleep(PAUSE)
    return times


def _settings(preview: Preview, page: Page, folder: Path) -> Iterator[tuple[str, list[float]]]:
    settings = folder / "experiment.yaml"
    good = settings.read_text()
    page.goto(preview.address + f"experiments/{folder.name}/index.html", wait_until="load")
    page.wait_for_timeout(500)
    broken, mended = [], []
    for n in range(TIMES):
        word = f"mark{n}"
        broken.append(timed(page, SIGHT, word, partial(settings.write_text, f"{good}{word}: 1\n")))
        mended.append(timed(page, SIGHT, "MENDED", partial(settings.write_text, good)))
        time.sleep(0.5)
    yield "experiment.yaml broken, told over the page", broken
    yield "experiment.yaml mended, told no more", mended


# ------------------------------------------------------------------------------------------ the floor


@contextmanager
def floor_server(watched: Path) -> Iterator[str]:
    """The least that could do it: an event of the system becomes one of the server, with the file's text."""
    said: queue.SimpleQueue[str] = queue.SimpleQueue()

    class Ears(FileSystemEventHandler):
        def on_closed(self, event: FileSystemEvent) -> None:
            said.put(Path(str(event.src_path)).read_text())

    class Answer(http.server.BaseHTTPRequestHandler):
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            self.send_response(200)
            events = self.path == "/events"
            self.send_header("Content-Type", "text/event-stream" if events else "text/html")
            self.end_headers()
            if not events:
                script = "new EventSource('/events').onmessage=e=>{document.body.textContent=e.data}"
                self.wfile.write(f"<body></body><script>{script}</script>".encode())
            while events:
                self.wfile.write(f"data: {said.get()}\n\n".encode())

        def log_message(self, *_: object) -> None:
            pass

    observer = Observer()
    observer.schedule(Ears(), str(watched), event_filter=[FileClosedEvent])
    observer.start()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    observer.stop()
    observer.join()


def floor(page: Page, folder: Path) -> list[float]:
    """Times of the floor."""
    folder.mkdir()
    with floor_server(folder) as address:
        page.goto(address)
        page.wait_for_timeout(300)
        marks = [f"mark{n}" for n in range(1000, 1000 + TIMES)]
        return [timed(page, SIGHT, mark, partial((folder / "a").write_text, mark)) for mark in marks]


def row(name: str, times: list[float]) -> str:
    """One line of the table."""
    ordered = sorted(times)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    return f"| {name} | {statistics.median(ordered):.0f} | {p95:.0f} | {ordered[-1]:.0f} |"


def table() -> str:
    """The results, as Markdown."""
    from playwright.sync_api import sync_playwright

    browser_at = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    rows = []
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_at,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        least = floor(browser.new_page(), Path(scratch) / "floor")
        rows.append(row("floor: write, watchdog, server-sent event, text", least))
        program = Path(scratch) / "program"
        write_program(program)
        with running(project(program, Path(scratch) / "project", REPO / "content")) as preview:
            preview.wait_for("ready")
            rows += [row(name, times) for name, times in kinds(preview, browser.new_page())]
        about = f"{TIMES} saves each; Chromium {browser.version}, watchdog {version('watchdog')}."
        browser.close()
    head = ["| saved | median ms | p95 ms | max ms |", "| --- | --: | --: | --: |"]
    return "\n".join(["## From a save to its sight in the browser", "", about, "", *head, *rows, ""])


if __name__ == "__main__":
    print(table())
