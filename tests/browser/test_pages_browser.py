"""Pages as a browser shows them: as files, on a phone, in the dark, on paper, without scripts."""

from __future__ import annotations

import functools
import hashlib
import http.server
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from site_src import paths
from site_src.pages import Page as Made, render
from site_src.pages.results.experiment import ExperimentView
from site_src.signing import PublicKey, ssh_signature
from tests.support import sample_site
from tests.support.accessibility import violations
from tests.support.built_once import built_once
from tests.support.by_day import looks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

KINDS = sample_site.kinds()
LIST = paths.reviews("brownfield-2026-07")
RUN = paths.review("brownfield-2026-07", f"{0:012x}")

Open = Callable[..., "Page"]

every_kind = pytest.mark.parametrize("path", [KINDS[kind] for kind in sorted(KINDS)], ids=sorted(KINDS))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sample site in a folder whose name has a space, with its manifest."""
    site = tmp_path_factory.mktemp("built") / "a site"
    shutil.copytree(built_once(tmp_path_factory, "sample-site", sample_site.write), site)
    rows = [
        {
            "path": p.relative_to(site).as_posix(),
            "size": p.stat().st_size,
            "sha256": hashlib.sha256(p.read_bytes()).hexdigest(),
        }
        for p in sorted(site.rglob("*"))
        if p.is_file()
    ]
    (site / "manifest.json").write_text(json.dumps({"schema": "assay.manifest/1", "files": rows}))
    return site


AT_THE_TOP = "file:///assets/site.css"
"""Where the 404 page of a site without an address looks for its style a second time: at the top of a host."""


def complaints_of(page: Page) -> list[str]:
    """What a page will log, ask or fetch that it should not; it grows as that happens."""
    complaints: list[str] = []
    page.on(
        "console",
        lambda message: (
            complaints.append(message.text)
            if message.type in ("error", "warning") and message.location["url"] != AT_THE_TOP
            else None
        ),
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
    page.on(
        "request",
        lambda request: None if request.url.startswith("file:") else complaints.append(request.url),
    )
    return complaints


@pytest.fixture
def opened(browser: Browser, folder: Path) -> Iterator[Open]:
    """Opens a page of the folder; at the end nothing may have been logged, asked or fetched."""
    contexts, complaints = [], []

    def open_page(path: str, *, fragment: str = "", settle: bool = True, **options: Any) -> Page:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        complaints.append(complaints_of(page))
        page.goto((folder / path).as_uri() + fragment, wait_until="load" if settle else "commit")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [each for each in complaints if each] == []


@pytest.fixture
def served(folder: Path) -> Iterator[str]:
    """The folder on loopback, below a sub-path."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=folder.parent)
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/a%20site/"
    server.shutdown()
    server.server_close()


# ----------------------------------------------------------------------------- every kind of page


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """A window that shows one page after the other, and what its pages complain of."""
    page = browser.new_page()
    yield page, complaints_of(page)
    page.close()


@pytest.fixture(scope="module", params=[KINDS[kind] for kind in sorted(KINDS)], ids=sorted(KINDS))
def once(
    window: tuple[Page, list[str]], folder: Path, request: pytest.FixtureRequest
) -> tuple[Page, list[str]]:
    """A page of each kind, opened once for all tests of its kind, and what it complained of."""
    page, complaints = window
    complaints.clear()
    page.goto((folder / request.param).as_uri())
    return page, complaints


@pytest.fixture
def shown(once: tuple[Page, list[str]]) -> Iterator[Page]:
    """The same; the tests look at it in their order, and each leaves it with its own size and colours."""
    page, complaints = once
    yield page
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(media="screen", color_scheme="light")
    assert complaints == []


def test_the_keyboard_reaches_the_content_first(shown: Page) -> None:
    shown.keyboard.press("Tab")
    assert shown.evaluate("document.activeElement.textContent") == "Skip to the content"
    shown.keyboard.press("Enter")
    assert shown.evaluate("location.hash") == "#main"


def test_nothing_sticks_out_of_the_page(shown: Page) -> None:
    for width in (320, 360, 768, 1280):
        shown.set_viewport_size({"width": width, "height": 900})
        assert shown.evaluate("document.documentElement.scrollWidth") <= width


def test_on_paper_there_is_no_navigation(shown: Page) -> None:
    shown.emulate_media(media="print")
    assert shown.locator("nav:visible, form:visible, button:visible").count() == 0
    assert shown.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


def test_axe_finds_nothing(shown: Page, request: pytest.FixtureRequest) -> None:
    for width, scheme in looks(request.node.callspec.id):
        shown.set_viewport_size({"width": width, "height": 900})
        shown.emulate_media(color_scheme=scheme)
        assert violations(shown) == [], (width, scheme)


def test_axe_finds_what_is_wrong(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<!doctype html><html lang="en"><title>t</title><main><h1>t</h1><img>')
    page = browser.new_page()
    page.goto((tmp_path / "a.html").as_uri())
    assert [rule for rule, _ in violations(page)] == ["image-alt"]
    page.close()


def test_every_disclosure_opens_and_runs_nothing(shown: Page) -> None:
    for summary in shown.locator("summary:visible").all():
        summary.click()
    assert (
        shown.locator("details:not([open])").count() + shown.locator("details[open]").count()
        == shown.locator("details").count()
    )


@pytest.fixture(scope="module")
def scriptless(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """A window in which no script runs, and what its pages complain of."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    yield page, complaints_of(page)
    context.close()


@every_kind
def test_a_page_is_complete_without_scripts(
    scriptless: tuple[Page, list[str]], folder: Path, path: str
) -> None:
    page, complaints = scriptless
    page.goto((folder / path).as_uri())
    assert page.locator("h1").inner_text().strip()
    assert page.locator("button:visible, select:visible, input:visible").count() == 0
    assert page.locator("nav[aria-label=Main] a").count() >= 4
    assert complaints == []


def test_a_phone_folds_what_is_told_after_a_metric_and_its_companion(opened: Open, folder: Path) -> None:
    """The sample experiment has one metric and its companion; the fold is given them once more."""
    made = sample_site.site().page(paths.experiment("brownfield-2026-07"))
    assert isinstance(made, Made)
    assert isinstance(made.view, ExperimentView)
    assert made.view.further_told == ()
    more = replace(made, view=replace(made.view, further_told=made.view.told))
    at = f"{Path(made.path).parent.as_posix()}/more.html"
    (folder / at).write_bytes(render.render_page(more))
    page = opened(at, viewport={"width": 1280, "height": 900})
    told, further = page.locator(".note > .ruled > li"), page.locator(".folds-narrow li")
    fold = page.locator(".folds-narrow > summary")
    assert further.count() == 2
    assert [further.first.is_visible(), fold.is_visible()] == [True, False]
    page.set_viewport_size({"width": 360, "height": 800})
    assert [further.first.is_visible(), fold.is_visible()] == [False, True]
    words = [each.inner_text() for each in told.all() if each.is_visible()]
    assert [text.partition(" ")[0] for text in words] == ["On", "Regress"], "change is never told alone"
    fold.click()
    assert further.first.is_visible()


def test_on_paper_each_figure_tells_how_to_recompute_it(opened: Open) -> None:
    page = opened(KINDS["model"])
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator("figure").count() == page.locator("figure .command:visible").count() > 0
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


# ----------------------------------------------------------------------------- phone


def test_a_phone_is_shown_drawings_as_wide_as_it_is_and_labelled_rows(opened: Open) -> None:
    page = opened(KINDS["experiment"], viewport={"width": 360, "height": 800})
    widths = page.evaluate(
        '[...document.querySelectorAll("figure .rows .marks")].map(e => e.getBoundingClientRect().width)'
    )
    assert 0 < max(widths) <= 328
    assert page.locator("figure svg.wide:visible").count() == 0
    label = page.locator("td[data-label=change]").first
    assert label.evaluate("e => getComputedStyle(e, '::before').content") == '"change "'


def test_a_phone_reads_a_run_by_verdict(opened: Open) -> None:
    page = opened(RUN, viewport={"width": 360, "height": 800})
    assert page.locator(".chain-narrow h3:visible").count() == 2
    assert page.locator("table.chain:visible").count() == 0


# ----------------------------------------------------------------------------- lists of runs


def rows(page: Page) -> list[str]:
    return page.locator("#runs tbody th a").all_inner_texts()


def test_a_list_is_filtered_and_keeps_its_state_in_the_address(opened: Open) -> None:
    page = opened(LIST)
    assert page.locator("form [role=status]").inner_text() == "60 runs"
    page.select_option("select[name=model]", "alpha")
    assert page.locator("form [role=status]").inner_text() == "20 of 60 runs"
    page.select_option("select[name=facet]", "error")
    assert page.locator("form [role=status]").inner_text() == "4 of 60 runs"
    assert len(rows(page)) == 4
    assert page.evaluate("location.hash") == "#?model=alpha&facet=error"
    assert page.locator(".pages:visible").count() == 0
    assert page.locator("#runs tbody svg.swatch-error").count() == 4 * 2  # of both verdicts
    page.reload()
    assert page.locator("form [role=status]").inner_text() == "4 of 60 runs"
    assert page.input_value("select[name=model]") == "alpha"
    page.click("[data-all]")
    assert len(rows(page)) == 50


def test_a_list_is_sorted_and_searched(opened: Open) -> None:
    page = opened(LIST, fragment="#?sort=scenario")
    assert rows(page)[0].startswith("B0")
    assert len(rows(page)) == 50
    page.click("[data-pages] button[aria-label='Page 2']")
    assert page.evaluate("location.hash") == "#?sort=scenario&page=2"
    assert len(rows(page)) == 10
    assert rows(page)[-1].startswith("B6")
    page.fill("input[name=find]", "b3: BULK")
    assert {title[:2] for title in rows(page)} == {"B3"}


def test_a_head_sorts_by_number_from_the_least_from_the_greatest_and_as_recorded(opened: Open) -> None:
    page = opened(LIST)
    recorded = rows(page)
    head = page.locator("#runs th", has_text="Change")
    shares = {}
    for turn in ("ascending", "descending"):
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == turn
        words = page.locator("#runs tbody td[data-label='change' i]").all_inner_texts()
        shares[turn] = [
            float(n) / float(of) for n, _, of in (w.split()[-1].partition("/") for w in words if "/" in w)
        ]
        assert not any(
            "/" in w for w in words[len(shares[turn]) :]
        )  # what is not known stands last, both ways
    assert shares["ascending"] == sorted(shares["ascending"])
    assert shares["descending"] == sorted(shares["descending"], reverse=True)
    assert page.evaluate("location.hash") == "#?sort=-verdict+Change"
    page.select_option("select[name=model]", "alpha")
    assert page.evaluate("location.hash") == "#?sort=-verdict+Change&model=alpha"
    page.click("[data-all]")
    assert rows(page) == recorded
    assert head.get_attribute("aria-sort") == "none"


def test_each_choice_says_how_many_runs_it_leaves_and_none_is_said_with_ways_back(opened: Open) -> None:
    page = opened(LIST, fragment="#?model=alpha")
    options = page.locator("select[name=facet] option").all_inner_texts()
    assert "error (4)" in options
    page.select_option("select[name=facet]", "error")
    assert "alpha (4)" in page.locator("select[name=model] option").all_inner_texts()
    assert page.locator("[data-none]").is_hidden()
    page.fill("input[name=find]", "nothing is called this")
    assert rows(page) == []
    told = page.locator("[data-none]").inner_text()
    assert told.startswith("No run is alpha and error and nothing is called this.")
    page.click("[data-none] a:has-text('Without nothing is called this: 4')")
    page.locator("[data-none]").wait_for(state="hidden")  # the address changes first, and the list by it
    assert len(rows(page)) == 4


def test_a_list_opened_from_a_mark_shows_the_runs_behind_it(opened: Open) -> None:
    page = opened(KINDS["model"])
    href = page.locator("figure[data-figure=funnel] a[href*='lost=']").first.get_attribute("href")
    assert href is not None
    assert "#?family=brownfield&model=" in href


@pytest.mark.parametrize("key", ["constructor", "__proto__", "toString"])
def test_an_address_may_ask_for_any_column(opened: Open, key: str) -> None:
    page = opened(LIST, fragment=f"#?{key}=x")
    assert page.locator("[data-none]").inner_text().startswith("No run is x.")
    page = opened(LIST, fragment=f"#?sort=-{key}&model=alpha")
    assert page.locator("#runs tbody tr").count() > 0


def test_hostile_text_in_the_index_stays_text(opened: Open) -> None:
    page = opened(LIST, fragment="#?find=script")
    assert any("<script>alert(1)</script>" in title for title in rows(page))
    assert page.locator("#runs script").count() == 0


def test_previous_and_next_keep_the_filter(opened: Open) -> None:
    page = opened(LIST, fragment="#?model=alpha&facet=error")
    page.locator("#runs tbody th a").nth(1).click()
    page.locator("[data-place]", has_text="Run 2 of 4").wait_for()
    assert page.locator("[data-place]").inner_text() == "Filter: alpha, error. Run 2 of 4"
    page.click("[data-next] a")
    page.locator("[data-place]", has_text="Run 3 of 4").wait_for()
    assert page.locator("[data-place]").inner_text() == "Filter: alpha, error. Run 3 of 4"
    page.click("[data-place] a")
    page.wait_for_selector("form [role=status]:text-is('4 of 60 runs')")


# ----------------------------------------------------------------------------- colours, copying, verifying


def test_the_reader_chooses_colours_and_the_choice_is_kept(opened: Open) -> None:
    page = opened(KINDS["methods"], color_scheme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(paper) == "rgb(252, 252, 251)"
    page.click("[data-choose-theme=dark]")
    assert page.evaluate(paper) == "rgb(20, 23, 26)"
    page.reload()
    assert page.evaluate(paper) == "rgb(20, 23, 26)"
    assert page.get_attribute("[data-choose-theme=dark]", "aria-pressed") == "true"
    page.click("[data-choose-theme='']")
    assert page.evaluate(paper) == "rgb(252, 252, 251)"


def test_a_figure_is_copied_as_markdown_with_its_caption(opened: Open) -> None:
    page = opened(KINDS["overview"], permissions=["clipboard-read", "clipboard-write"])
    button = page.locator("figure button", has_text="Markdown").first
    button.click()
    page.locator("figure button", has_text="Copied").wait_for()
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("**")
    assert "| Metric |" in text
    assert "assay/brownfield v1" in text


def test_opened_as_a_file_a_page_says_why_it_cannot_verify_itself(opened: Open) -> None:
    page = opened(KINDS["overview"])
    box = page.locator("[data-verify]")
    assert box.locator("button:visible").count() == 0
    assert "opened as a file" in box.locator("[role=status]").inner_text()


def test_a_served_page_verifies_itself_and_finds_a_changed_file(
    browser: Browser, served: str, folder: Path
) -> None:
    page = browser.new_page()
    page.goto(served + KINDS["model"])
    said = page.locator("[data-verify] [role=status]")
    page.click("[data-verify] button")
    said.filter(has_text="Digests").wait_for()
    assert said.inner_text() == "Digests match: 8 files of this page."
    style = folder / "assets" / "site.css"
    before = style.read_bytes()
    try:
        style.write_bytes(before + b"/* changed */")
        page.click("[data-verify] button")
        said.filter(has_text="Digests differ").wait_for()
        assert said.inner_text() == "Digests differ: assets/site.css"
    finally:
        style.write_bytes(before)
        page.close()


def signed_by(folder: Path, statement: dict[str, Any]) -> str:
    """Write a statement and its signature into the folder; the fingerprint of the key."""
    data = json.dumps(statement).encode()
    private = Ed25519PrivateKey.from_private_bytes(bytes(32))
    key = private.public_key().public_bytes_raw()
    signature = private.sign(ssh_signature.signed_bytes(data))
    (folder / "statement.json").write_bytes(data)
    (folder / "statement.json.sig").write_bytes(ssh_signature.armored(key, signature))
    return str(PublicKey(key))


def test_a_served_page_names_the_key_that_signed_and_finds_what_does_not_hold(
    browser: Browser, served: str, folder: Path
) -> None:
    """Not signed, signed by a key, and signed so that it does not hold: never the same words."""
    page = browser.new_page()
    page.goto(served + KINDS["model"])
    said = page.locator("[data-signature] [role=status]")

    def told(begin: str) -> str:
        page.click("[data-signature] button")
        said.filter(has_text=begin).wait_for()
        return said.inner_text()

    digest = hashlib.sha256((folder / "manifest.json").read_bytes()).hexdigest()
    statement = {
        "_type": "https://in-toto.io/Statement/v1", "predicateType": "urn:assay:site:1",
        "subject": [{"name": "manifest.json", "digest": {"sha256": digest}}],
    }  # fmt: skip
    files = [folder / name for name in ("statement.json", "statement.json.sig")]
    try:
        assert told("Not signed") == "Not signed."
        fingerprint = signed_by(folder, statement)
        signed = f"Signed by {fingerprint}, as far as this page can tell. You must know this key."
        assert told("Signed by") == signed
        files[0].write_bytes(files[0].read_bytes() + b"\n")
        assert "the signature does not hold" in told("No signature that holds")
        files[1].write_bytes(files[1].read_bytes()[:-60])
        assert "statement.json.sig is no SSH signature" in told("No signature that holds")
        other = {"name": "manifest.json", "digest": {"sha256": "0" * 64}}
        signed_by(folder, {**statement, "subject": [other]})
        assert "is of another manifest.json" in told("No signature that holds")
        signed_by(folder, {**statement, "predicateType": "https://slsa.dev/provenance/v1"})
        assert "is of another kind" in told("No signature that holds")
    finally:
        for file in files:
            file.unlink(missing_ok=True)
        page.close()
