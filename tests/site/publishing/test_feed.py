"""The Atom feed: parsed back, held against what the format asks for, and never a value alone."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

import metrics_core as mc
from metrics_core.results.control import Control
from site_src.editions import store
from site_src.editions.edition import Edition
from site_src.editions.store import History
from site_src.project.site_config import SiteConfig
from site_src.project.site_model import SiteExperiment
from site_src.publishing import feed as feeds
from tests.support import edition_samples as sample
from tests.support.edition_samples import ALPHA, BETA, decision, edition, security, shop
from tests.support.figure_samples import words_of
from tests.support.sample_reports import HOSTILE, sha

ATOM = "{http://www.w3.org/2005/Atom}"
URL = "https://example.org/evals/"
STAMPS = ("2026-07-05T08:00:00Z", "2026-07-19T18:30:00Z")

FIRST = edition(decisions=(decision(),), why="The first batch.")
MORE = shop(security("alpha", 13, 16), BETA, logs="more")
SECOND = edition(MORE, decisions=(decision("cannot separate"),), before=FIRST, date="2026-07-27", name="b2")


def past(*editions: Edition) -> History:
    files = {store.file_name(e.number): store.to_bytes(e) for e in editions}
    return store.read_history(files).worded(words_of)


def parsed(
    *experiments: SiteExperiment,
    decisions: tuple[dict[str, Any], ...] = (),
    editions: tuple[Edition, ...] = (),
    url: str = "",
    title: str = "Halden",
) -> ET.Element:
    build = replace(sample.build(), site=SiteConfig(title=title, url=url))
    file = feeds.feed(experiments or (shop(),), decisions, past(*editions), build)
    assert file.path == "feed.xml"
    assert file.data.startswith(b'<?xml version="1.0" encoding="utf-8"?>\n')
    return ET.fromstring(file.data)


def entries(root: ET.Element) -> dict[str, tuple[str, str]]:
    """Title -> date and text."""
    return {
        e.findtext(f"{ATOM}title", ""): (e.findtext(f"{ATOM}updated", ""), e.findtext(f"{ATOM}content", ""))
        for e in root.iter(f"{ATOM}entry")
    }


def dated(*estimates: Any) -> SiteExperiment:
    return shop(*(replace(e, stamps=STAMPS) for e in estimates or (ALPHA, BETA)))


@pytest.mark.parametrize("url", ["", URL])
def test_the_format_is_kept(url: str) -> None:
    root = parsed(dated(), decisions=(decision(),), editions=(FIRST, SECOND), url=url)
    assert root.tag == f"{ATOM}feed"
    assert root.find(f"{ATOM}author/{ATOM}name") is not None
    names = []
    for element in (root, *root.iter(f"{ATOM}entry")):
        (name,) = element.findall(f"{ATOM}id")
        (title,) = element.findall(f"{ATOM}title")
        (updated,) = element.findall(f"{ATOM}updated")
        names.append(name.text or "")
        assert re.match(r"https://|urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", name.text or "")
        assert title.text
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", updated.text or "")
        links = [link.get("href", "") for link in element.findall(f"{ATOM}link[@rel='alternate']")]
        assert len(links) == 1
        assert links[0].startswith(url)
    assert len(names) == len(set(names))
    selves = root.findall(f"{ATOM}link[@rel='self']")
    assert [link.get("href") for link in selves] == ([f"{URL}feed.xml"] if url else [])


def test_the_newest_entry_stands_first_and_dates_the_feed() -> None:
    root = parsed(dated(), decisions=(decision(),), editions=(FIRST, SECOND))
    dates = [e.findtext(f"{ATOM}updated", "") for e in root.iter(f"{ATOM}entry")]
    assert dates == sorted(dates, reverse=True)
    assert root.findtext(f"{ATOM}updated") == dates[0] == "2026-07-27T00:00:00Z"


def test_an_experiment_bears_the_date_of_its_last_run_or_of_its_first_edition() -> None:
    assert entries(parsed(dated()))["Experiment: Shop"][0] == "2026-07-19T18:30:00Z"
    assert entries(parsed(shop(), editions=(FIRST, SECOND)))["Experiment: Shop"][0] == "2026-07-20T00:00:00Z"


def test_what_has_no_date_has_no_entry_and_an_empty_feed_is_a_feed() -> None:
    root = parsed(shop())
    assert entries(root) == {}
    assert root.findtext(f"{ATOM}updated") == "1970-01-01T00:00:00Z"


def test_a_number_never_stands_alone() -> None:
    told = entries(parsed(dated(), decisions=(decision(),), editions=(FIRST, SECOND)))
    for _, text in told.values():
        for line in text.split("\n"):
            if re.search(r"\b0\.\d\d\b", line):
                assert re.search(r"\d+/\d+", line), line
                assert re.search(r"\[0\.\d\d, 0\.\d\d\]", line), line
    digests = {ALPHA.contract.digest[7:15], sha("data logs")[7:15], FIRST.digest[7:15]}
    everything = "\n".join(text for _, text in told.values())
    assert all(digest in everything for digest in digests)


def test_an_edition_tells_what_moved_and_why_with_both_numbers() -> None:
    _, text = entries(parsed(MORE, editions=(FIRST, SECOND)))["Edition 2"]
    assert "Since edition 1 of 2026-07-20: one figure moved because data changed" in text
    made_by = f"assay/brownfield v1 sha256:{ALPHA.contract.digest[7:15]}"
    assert (
        "shop done graded on assertions, alpha: "
        "12/15 known verdicts (all of 15 attempts known)\u00a0· 0.80 [0.55, 0.93] "
        f"({made_by}, data sha256:{sha('data logs')[7:15]}) → "
        "13/16 known verdicts (all of 16 attempts known)\u00a0· 0.81 [0.57, 0.93] "
        f"({made_by}, data sha256:{sha('data more')[7:15]})"
    ) in text


def test_a_verdict_that_turned_is_an_entry_of_its_own() -> None:
    told = entries(parsed(MORE, decisions=(decision("cannot separate"),), editions=(FIRST, SECOND)))
    date, text = told["Decision: Route to alpha: supported → cannot separate"]
    assert date == "2026-07-27T00:00:00Z"
    assert text.startswith("alpha does more: supported in edition 1, cannot separate in edition 2.")
    assert "13/16 known verdicts" in text
    assert told["Decision: Route to alpha (accepted)"][0] == "2026-07-10T00:00:00Z"


def test_two_claims_in_the_same_words_are_two_entries() -> None:
    def twice(verdict: str) -> dict[str, Any]:
        made = decision(verdict)
        (claim,) = made["claims"]
        return {**made, "claims": [{**claim, "claim": f"above shop.done {n}"} for n in ("one", "two")]}

    first = edition(decisions=(twice("supported"),))
    second = edition(MORE, decisions=(twice("cannot separate"),), before=first, date="2026-07-27", name="b2")
    root = parsed(MORE, decisions=(twice("cannot separate"),), editions=(first, second))
    turned = [
        entry.findtext(f"{ATOM}id", "")
        for entry in root.iter(f"{ATOM}entry")
        if "→" in entry.findtext(f"{ATOM}title", "")
    ]
    assert len(turned) == len(set(turned)) == 2


def test_names_stay_when_the_title_changes_and_when_editions_are_added() -> None:
    def names(root: ET.Element) -> set[str]:
        return {e.findtext(f"{ATOM}id", "") for e in root.iter(f"{ATOM}entry")}

    one = names(parsed(editions=(FIRST,)))
    assert one <= names(parsed(editions=(FIRST, SECOND), title="Another title"))
    spelled = f"assay:{FIRST.digest}/experiments/shop/index.html#"
    digits = hashlib.sha1(NAMESPACE_URL.bytes + spelled.encode()).hexdigest()
    variant = f"{int(digits[16:18], 16) & 0x3F | 0x80:02x}{digits[18:20]}"
    assert f"urn:uuid:{digits[:8]}-{digits[8:12]}-5{digits[13:16]}-{variant}-{digits[20:32]}" in one


def test_hostile_words_stay_words_and_hidden_ones_are_shown() -> None:
    hostile = replace(dated(), title=HOSTILE, description=f"{HOSTILE}]]>\x00\ud800")
    root = parsed(hostile, decisions=(decision(says=HOSTILE),), title=HOSTILE)
    texts = "".join(root.itertext())
    assert "<script>alert(1)</script>" in texts
    assert not set(texts) & {"\x1b", "\u202e", "\x00", "\ud800"}
    assert {element.tag.removeprefix(ATOM) for element in root.iter()} <= {
        "feed", "id", "title", "updated", "author", "name", "link", "entry", "content",
    }  # fmt: skip


def test_the_same_site_gives_the_same_feed() -> None:
    build = sample.build()
    one = feeds.feed((dated(),), (decision(),), past(FIRST, SECOND), build).data
    assert one == feeds.feed((dated(),), (decision(),), past(FIRST, SECOND), build).data


def test_an_entry_speaks_of_every_side_of_an_experiment() -> None:
    """Chat and coder models of a pair are two sides: neither is left out for sorting behind the other."""
    pairs = mc.compute(mc.load(Path(__file__).resolve().parents[3] / "content/experiments/pairs-2026-07"))
    x = SiteExperiment(report=pairs, title="Pairs")
    found = feeds.feed((x,), (), past(), sample.build()).data.decode()
    assert "chat alpha" in found
    assert "coder alpha" in found


def test_controls_of_one_title_are_told_apart_by_what_they_guard() -> None:
    x = dated()
    fixtures = Control(name="fixtures", title="golden fixtures", state="held", detail="d", guards="traces")
    missing = replace(fixtures, title="self-test", state="missing", gate="optional")
    controls = (fixtures, replace(fixtures, guards="matrix"), missing)
    told = entries(parsed(replace(x, report=replace(x.report, controls=controls))))
    ((_, words),) = [each for title, each in told.items() if title.startswith("Experiment")]
    of = "golden fixtures of traces held; golden fixtures of matrix held; self-test missing, optional"
    assert f"Controls: {of}." in words
