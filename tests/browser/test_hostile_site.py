"""A site made of hostile text, opened in a browser: nothing runs, nothing is asked for, nothing is hidden.

Every page is read twice. As HTML, by a parser, against what our templates are made of; and by a browser,
with the Content-Security-Policy and without it, with everything clicked that can be clicked.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from metrics_core.redaction.redactor import Redactor
from metrics_core.text import visible
from site_src import pipeline
from site_src.project.sources import Plan
from site_src.verification import verify
from tests.support import hostile_experiment
from tests.support.by_day import at_night, by_day, by_night
from tests.support.hostile_text import PAYLOADS, TEXTS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Frame, Page

POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
DATA = ({"type": "application/ld+json"}, {"type": "application/json", "id": "specification"})
"""What scripts have that no browser runs: they hold data."""

SCRIPT = re.compile(r"(?:\.\./)*assets/[a-z]+\.js\Z")
IDENTIFIER = re.compile(r"[A-Za-z0-9_.-]+\Z")
ADDRESS = re.compile(r"(?!//)(?![a-z]+:)[A-Za-z0-9._~/%-]*(?:#\S*)?\Z")
OUTSIDE = re.compile(r"https?://[^\s@]+\Z")
ELEMENT = re.compile(
    r"""(?:abbr|article|aside|a|blockquote|body|br|button|b|caption|cite|circle|clippath|code|colgroup|col|dd
    |defs|del|desc|details|div|dl|dt|em|figcaption|figure|footer|form|g|h[1-6]|header|head|hr|html|img|input
    |kbd|label|line|link|li|main|meta|nav|ol|option|output|path|pattern|polygon|polyline|pre|p|q|rect|script
    |section|select|small|span|strong|sub|summary|sup|svg|s|table|tbody|td|template|text|tfoot|thead|th|time
    |title|tr|tspan|ul|use)""",
    re.VERBOSE,
)
MOST_PACKED, MOST_AT_FIRST = 150_000, 60_000
"""Bytes of any page as it is sent, packed, and of the first."""

LINKED = {"href", "src", "xlink:href", "data-root", "data-base", "data-index"}
NAMED = {"id", "for", "aria-labelledby", "aria-describedby"}
INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)

ELEMENTS_THAT_RUN = [
    "<script>pwned()</script>",
    "<img src=x onerror=pwned()>",
    "<p onmouseover=pwned()>p</p>",
    "<b onclick=pwned()>b</b>",
    "<script src=https://evil.example/x.js></script>",
    "<a href=javascript:pwned()>a</a>",
    "<script>alert(1)</script>",
    "<style>p{background:url(https://evil.example/x)}</style><p>p",
    "<a style=color:red>a</a>",
    "<svg onload=pwned()>",
]

PATIENCE = 300_000
"""Milliseconds that pages may take on a busy machine; nothing here is timed."""

AT_ONCE = 16
"""Pages that are open beside each other."""

AT_THE_TOP = "file:///assets/site.css"
"""Where the 404 page looks for its style a second time, and finds none where a site is opened as files."""

READY = """
window.pwned = () => { window.ran = true; console.error("a payload ran: " + new Error().stack); };
addEventListener("click", (event) => {
  const link = event.target.closest("a");
  const address = link && new URL(link.href.baseVal ?? link.href, location);
  if (address && address.protocol === "file:") { event.preventDefault(); }
}, true);
"""
"""Before a page's own scripts. A link within the site is not followed, since every page is opened anyway."""

TRY_EVERYTHING = """
() => {
  const outside = (e) => /^https?:$/.test(e.protocol || "");
  const events = ["mouseover", "mouseenter", "focus", "blur", "load", "error", "begin", "toggle", "start"];
  const forbidden = /^(iframe|object|embed|base|portal|frame|video|audio|foreignobject|math|animate|set)$/i;
  const odd = [];
  for (const e of document.querySelectorAll("summary")) { e.click(); e.parentElement.open = true; }
  for (const e of document.querySelectorAll("a, area, button, label, option, p, [tabindex]")) {
    if (!outside(e)) { e.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })); }
  }
  for (const e of document.querySelectorAll("*")) {
    if (forbidden.test(e.localName)) { odd.push(e.localName); }
    for (const { name, value } of e.attributes) {
      const runs = /^on|^style$|^srcdoc$|^ping$|^formaction$/.test(name);
      if (runs) { events.forEach((event) => e.dispatchEvent(new Event(event))); }
      const address = /^\\s*(javascript|data|vbscript):/i.test(value);
      if (runs || address) { odd.push(`${e.localName} ${name}=${value}`); }
    }
  }
  return { odd, ran: window.ran === true };
}
"""
"""Opens and clicks whatever there is, fires what a handler could wait for, and names what could run."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    content = hostile_experiment.write(folder / "content")
    pipeline.build(Plan(content=content, output=folder / "site", redactor=Redactor()))
    return folder / "site"


@pytest.fixture(scope="module")
def without_policy(site: Path) -> Path:
    """The same site as a server would spoil it that strips the policy."""
    copy = site.with_name("spoilt")
    shutil.copytree(site, copy)
    for page in copy.rglob("*.html"):
        text, count = POLICY.subn("", page.read_text("utf-8"))
        assert count == 1, page
        page.write_text(text, "utf-8")
    return copy


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context()
    made.set_default_timeout(PATIENCE)
    made.add_init_script(READY)
    yield made
    made.close()


def listening(context: BrowserContext) -> tuple[Page, list[str]]:
    """A page, and whatever it says, asks for or opens that it should not."""
    heard: list[str] = []
    page = context.new_page()
    page.on(
        "console",
        lambda said: (
            heard.append(f"console: {said.text}")
            if said.type in ("error", "warning") and said.location["url"] != AT_THE_TOP
            else None
        ),
    )
    page.on("pageerror", lambda error: heard.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (heard.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on(
        "request",
        lambda asked: None if asked.url.startswith("file:") else heard.append(f"request: {asked.url}"),
    )
    page.on("popup", lambda other: heard.append(f"popup: {other.url}"))
    page.on(
        "download",  # a figure's own button makes its picture in the page: nothing is asked for
        lambda file: None if file.url.startswith("blob:null/") else heard.append(f"download: {file.url}"),
    )
    return page, heard


def beside_each_other(page: Page, paths: list[Path], folder: Path) -> Iterator[tuple[Path, Frame]]:
    """Each page with the frame that shows it: a document of many is opened sooner than many documents.

    Args:
        page: Shows them.
        paths: Of the pages.
        folder: Where the document that holds them may lie.
    """
    for at in range(0, len(paths), AT_ONCE):
        some = paths[at : at + AT_ONCE]
        frames = "".join(
            f'<iframe src="{path.as_uri()}" width="1280" height="900"></iframe>' for path in some
        )
        sheet = folder / "sheet.html"
        sheet.write_text(f"<!doctype html><title>t</title>{frames}", "utf-8")
        page.goto(sheet.as_uri())
        yield from zip(some, page.main_frame.child_frames, strict=True)


def opened_by_day(pages: list[Path], site: Path) -> list[Path]:
    """One page of each kind, which is the room that it lies in and how deep; by night each page."""
    kinds: dict[tuple[str, int], list[Path]] = {}
    for path in pages:
        parts = path.relative_to(site).parts
        kinds.setdefault((parts[0], len(parts)), []).append(path)
    return [path for few in kinds.values() for path in (few if by_night() else few[:1])]


def test_the_payloads_are_many_and_each_is_in_a_text() -> None:
    assert len(set(PAYLOADS)) == len(PAYLOADS) >= 120
    assert all(any(payload in text for text in TEXTS) for payload in PAYLOADS)


@pytest.mark.parametrize("page", ELEMENTS_THAT_RUN)
def test_what_runs_is_noticed(context: BrowserContext, tmp_path: Path, page: str) -> None:
    (tmp_path / "index.html").write_text(f"<!doctype html><title>t</title>{page}", "utf-8")
    opened, heard = listening(context)
    ((_, frame),) = beside_each_other(opened, [tmp_path / "index.html"], tmp_path)
    seen = frame.evaluate(TRY_EVERYTHING)
    opened.wait_for_timeout(100)
    assert seen["odd"] or seen["ran"] or heard


@pytest.mark.parametrize("policy", [True, False], ids=["with the policy", "without it"])
def test_nothing_runs_whatever_is_clicked(
    context: BrowserContext, site: Path, request: pytest.FixtureRequest, policy: bool, tmp_path: Path
) -> None:
    folder = site if policy else request.getfixturevalue("without_policy")
    page, heard = listening(context)
    # Each page is read as HTML below, opened here or not.
    pages = opened_by_day(sorted(folder.rglob("*.html")), folder)
    for path, frame in beside_each_other(page, pages, tmp_path):
        seen = frame.evaluate(TRY_EVERYTHING)
        assert (seen["odd"], seen["ran"]) == ([], False), path
        assert frame.url.partition("#")[0] == path.as_uri()
        assert heard == [], path
    page.wait_for_timeout(100)
    assert heard == []


def test_a_hostile_address_filters_a_list_and_runs_nothing(context: BrowserContext, site: Path) -> None:
    page, heard = listening(context)
    for path in sorted(site.glob("reviews/*/index.html")):
        page.goto(path.as_uri())
        for at in (at for at in range(len(TEXTS)) if by_day(at, 4)):
            told = {
                "model": TEXTS[at],
                "find": PAYLOADS[at],
                "sort": "__proto__",
                "__proto__": TEXTS[at],
                PAYLOADS[-at]: "x",
            }
            page.evaluate("told => { location.hash = '#?' + new URLSearchParams(told) }", told)
            page.wait_for_timeout(20)
            seen = page.evaluate(TRY_EVERYTHING)
            assert (seen["odd"], seen["ran"]) == ([], False)
            shown = page.evaluate(
                "Array.from(document.querySelectorAll('option, td, th')).map(e => e.textContent).join('')"
            )
            assert visible(shown) == shown
    assert heard == []


def leads_out(tag: str, told: dict[str, str]) -> bool:
    """Whether an element is a link to another site, as such links are made."""
    return (
        tag == "a"
        and bool(OUTSIDE.match(told.get("href", "")))
        and told.get("rel") == "nofollow noreferrer noopener"
    )


class Reader(HTMLParser):
    """What a page is made of, as a parser that knows no browser's mercy reads it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.faults: list[str] = []
        self.data: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if not ELEMENT.fullmatch(tag) or len(told) != len(attrs):
            self.faults.append(f"{tag} {attrs}")
        for name, value in told.items():
            if (
                name.startswith("on")
                or name in {"style", "srcdoc", "ping", "formaction", "action"}
                or (name in NAMED and not all(map(IDENTIFIER.match, value.split())))
                or (name in LINKED and not ADDRESS.match(value) and not leads_out(tag, told))
            ):
                self.faults.append(f"{tag} {name}={value}")
        if told in DATA and tag == "script":
            self.data = ""
        elif tag == "script" and not SCRIPT.match(told.get("src", "")):
            self.faults.append(f"script {told}")

    def handle_endtag(self, tag: str) -> None:
        if tag == "script" and self.data is not None:
            json.loads(self.data)
            self.data = None

    def handle_comment(self, data: str) -> None:
        self.faults.append(f"<!--{data[:40]}")

    def handle_data(self, data: str) -> None:
        if self.data is not None:
            self.data += data
        if found := INVISIBLE.search(data):
            self.faults.append(f"U+{ord(found.group()):04X} unseen in {data[:40]!r}")


def test_every_page_is_made_of_our_own_elements_and_hides_nothing(site: Path) -> None:
    for path in site.rglob("*.html"):
        reader = Reader()
        reader.feed(path.read_text("utf-8"))
        reader.close()
        assert reader.faults == [], path


def test_hidden_characters_are_spelled_out(site: Path) -> None:
    text = "".join(path.read_text("utf-8") for path in site.rglob("*.html"))
    assert not INVISIBLE.search(text)
    for spelled in (
        "a‹U+202E›b",
        "‹U+001B›[31mred",
        "a‹U+200B›b",
        "‹U+FEFF›a",
        "a‹U+0000›b",
        "‹U+E0041›‹U+E0042›",
        "‹U+2066›a‹U+2069›",
    ):
        assert spelled in text


def test_no_cell_of_a_table_is_a_formula(site: Path) -> None:
    tables = list(site.rglob("*.csv"))
    assert tables
    cells = [
        cell
        for table in tables
        for row in csv.reader(io.StringIO(table.read_text("utf-8"), newline=""))
        for cell in row
    ]
    assert any("'=HYPERLINK(" in cell for cell in cells)
    for cell in cells:
        bare = cell.lstrip(" \t\r\n\xa0\u3000\u200b\ufeff")
        assert not bare.startswith(
            ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
        ) or re.fullmatch(r"[-+]?[\d.]+(?:e[-+]?\d+)?", bare), cell


def test_every_name_is_made_by_us(site: Path) -> None:
    for path in site.rglob("*"):
        assert re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", path.name), path
        assert path.suffix in {
            "",
            ".html",
            ".css",
            ".js",
            ".json",
            ".jsonl",
            ".csv",
            ".bib",
            ".txt",
            ".svg",
            ".md",
            ".yaml",
            ".py",
            ".parquet",
            ".sums",
            ".xml",
            ".lock",
        }, path
    assert [p for p in site.rglob("*.svg") if p.parent.name not in ("assets", "figures")] == []
    assert [p.name for p in site.rglob("*.xml")] == ["feed.xml"]


def test_a_figure_that_is_taken_away_holds_no_script_and_leads_nowhere(site: Path) -> None:
    pictures = list((site / "data/figures").glob("*.svg"))
    assert len(pictures) > 20
    for path in pictures:
        for element in ET.parse(path).iter():
            assert re.fullmatch(r"\{http://www\.w3\.org/2000/svg\}[a-zA-Z]+", element.tag), path
            assert element.tag.rpartition("}")[2] not in {"script", "foreignObject", "a", "use", "image"}, (
                path
            )
            assert [
                n for n in element.attrib if n.startswith("on") or n.endswith("href") or n == "style"
            ] == [], path


def test_scripts_that_carry_data_assign_a_constant(site: Path) -> None:
    for path in site.glob("reviews/*/*.js"):
        head, _, rest = path.read_text("utf-8").removeprefix('"use strict";\n').partition("=")
        assert re.fullmatch(r"window\.[A-Z_]+ ?", head), path
        json.loads(rest.strip().rstrip(";"))


def test_no_page_is_heavy(site: Path) -> None:
    """Names have some thousand characters, and the experiment as many figures as five families draw."""
    large = [path for path in site.rglob("*.html") if path.stat().st_size > MOST_AT_FIRST]
    packed = {path.relative_to(site).as_posix(): len(gzip.compress(path.read_bytes())) for path in large}
    assert not {path: size for path, size in packed.items() if size > MOST_PACKED}
    assert packed.get("index.html", 0) <= MOST_AT_FIRST


@at_night("sites of other texts verify in test_verify.py")
def test_the_site_verifies_itself(site: Path) -> None:
    assert verify.verify(site).holds
