"""The pages of decisions: what they say, that no number on them is naked, and how a browser shows them."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from markupsafe import Markup
from msgspec.structs import replace

import metrics_core as mc
from metrics_core import engine
from metrics_core.results.codes import CountedUnit, Denominator
from metrics_core.results.estimate import NeverRecorded
from metrics_core.results.review import Review
from site_src import paths
from site_src.decisions import JudgedDecision, check_together, cited, judge_decision, read, unsupported
from site_src.decisions.model import CLAIM_VERDICTS
from site_src.decisions.quotes import checked
from site_src.decisions.reasons import Why
from site_src.drawing import DrawnRow
from site_src.editions.edition import Edition, EditionDecision
from site_src.figures import claims as figure
from site_src.figures.claims import sign
from site_src.lint.typed_results import naked
from site_src.pages import render
from site_src.pages.decisions.claims import claims_view, companion_line
from site_src.pages.decisions.decision import dated_as
from site_src.pages.decisions.decision_list import decision_pages
from site_src.pages.figure_collection import FigureCollection
from site_src.pages.frame import frame
from site_src.pages.page import Page as SitePage
from site_src.pages.site_map import site_map
from site_src.project.site_model import BuildInfo, SiteExperiment
from site_src.references import Index
from site_src.wording import spans
from site_src.wording.links import FigureContext
from tests.support import decision_samples as samples
from tests.support.accessibility import violations
from tests.support.by_day import looks
from tests.support.decision_samples import ALPHA, BETA, GAMMA, report
from tests.support.figure_samples import digest, recounts, share

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

HOSTILE = "<script>alert(1)</script>\u202e"
HELD = {"alpha": [True, False]}
OLD = read(
    "decisions/the-old-one.md",
    samples.front(
        status="superseded",
        more="date: 2026-05-20\ndeciders: [a group]\nsuperseded_by: send-it\n"
        "reopened: [{date: 2026-06-18, why: contract changed}]\n",
    ),
)


def reviews() -> Iterator[Review]:
    for one in samples.runs(HELD):
        yield replace(one, record={"output": f"I left it out, {HOSTILE}"})


def decisions() -> tuple[JudgedDecision, ...]:
    """One with every verdict and quotes that do and do not stand there; one that it supersedes."""
    everything = samples.everything()
    more = (
        "date: 2026-07-20\ndeciders: [evaluation group]\nsupersedes: the-old-one\nlede: One sentence.\n"
        "quotes:\n"
        f'  - {{text: "I left it out, {HOSTILE.replace(chr(0x202E), "")}", from: gh-2026/alpha-0}}\n'
        "  - {text: never said, from: gh-2026/alpha-0}\n"
    )
    decision = replace(samples.decided(more=more), claims=everything.decision.claims)
    records = cited([decision], lambda _: reviews())
    found = JudgedDecision(decision, everything.claims, checked(decision, records))
    return found, JudgedDecision(OLD, (), ())


def edition(number: int, *held: EditionDecision) -> Edition:
    return Edition(
        number=number,
        date=f"2026-07-{number:02}",
        why="",
        build="0.1.0",
        build_digest=digest("1c9e55d2"),
        previous=None if number == 1 else digest("2c9e55d2"),
        experiments=(),
        estimates=(),
        decisions=held,
        pages=(),
    )


def kept(judged: JudgedDecision, **verdicts: str) -> EditionDecision:
    """What an edition keeps of a decision, some verdicts of its first claims replaced."""
    told = judged.to_json()
    for claim, verdict in zip(told["claims"], verdicts.values(), strict=False):
        claim["verdict"] = verdict
    return msgspec.convert(told, EditionDecision)


def pages(
    editions: tuple[Edition, ...] = (), shown_decisions: tuple[JudgedDecision, ...] = ()
) -> dict[str, str]:
    """Path -> HTML of the pages of decisions, on a site of two experiments."""
    shown = [
        SiteExperiment(report=r, title=r.experiment, reviews=reviews)
        for r in (
            report((ALPHA, BETA, GAMMA)),
            report((replace(ALPHA, experiment="gh-2025"),), experiment="gh-2025"),
        )
    ]
    where = site_map(shown, (), BuildInfo(version="0.4.0+1c9e55d2", digest=digest("1c9e55d2")), ["gh-2026"])
    made = {}
    for planned in decision_pages(
        where, shown_decisions or decisions(), editions, lambda j, _: Markup("<p>Because.</p>")
    ):
        collection = FigureCollection(where, planned.path, planned.title)
        page = SitePage(
            path=planned.path,
            title=planned.title,
            kind=planned.kind,
            view=planned.view(collection),
            frame=frame(where, planned.path, planned.title),
            files=(),
        )
        made[planned.path] = render.render_page(page).decode()
    return made


PATHS = (paths.DECISIONS, paths.decision("send-it"), paths.decision("the-old-one"))


@cache
def made() -> dict[str, str]:
    """The pages as they are looked at by most tests: made by the first of them, not as they are collected."""
    found = pages()
    assert {*found} == {*PATHS}
    return found


def send_it() -> str:
    return made()[paths.decision("send-it")]


class Words(HTMLParser):
    """The text of a page, scripts and drawings left out."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.depth, self.words = 0, []
        self.feed(html)

    def handle_starttag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        self.depth += tag in ("svg", "head", "pre")

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag in ("svg", "head", "pre")

    def handle_data(self, data: str) -> None:
        if not self.depth:
            self.words.append(data)


def words(html: str) -> str:
    return " ".join(" ".join(Words(html).words).split())


# ------------------------------------------------------------------------------------------------ pages


@pytest.mark.parametrize(
    ("time", "told"),
    [
        ("2026-06-27T00:00:00Z", "Registered in commit 4f2c9e1, 4 days before the first record"),
        ("2026-07-09T00:00:00Z", "Registered in commit 4f2c9e1, after the first record"),
        ("2026-07-31T00:00:00Z", "Registered in commit 4f2c9e1, after the data were there"),
    ],
)
def test_a_registered_decision_says_which_came_first_and_what_departs(time: str, told: str) -> None:
    judged = samples.registered("2026-07-01T00:00:00Z", time)
    found = pages(shown_decisions=(judged, decisions()[1]))
    page = words(found[paths.decision("send-it")])
    assert told in page
    came = sorted(e.attempts for c in judged.claims for e in c.estimates)
    assert f"Attempts of an arm 40 {', '.join(map(str, dict.fromkeys(came)))} departs" in page
    assert ("It shows that the words came first, not that nobody had looked" in page) == ("before" in told)
    assert page.index(f"{time[:10]} registered") > page.index(told)
    listed = words(found[paths.DECISIONS])
    assert told in listed
    assert "Not registered" in listed
    assert "Registered" not in words(made()[paths.DECISIONS])
    assert "Registered in" not in words(send_it())


def test_a_site_without_decisions_has_no_such_pages():
    where = site_map([], (), BuildInfo(version="0.1.0", digest=digest("1c9e55d2")), [])
    assert list(decision_pages(where, (), (), lambda *_: Markup())) == []


def test_each_claim_stands_beside_its_verdict_its_evidence_and_what_would_flip_it():
    claims = re.findall(r'<li id="claim-.*?</li>', send_it(), re.DOTALL)
    assert len(claims) == 10
    told = [words(c) for c in claims]
    assert told[0].startswith("Supported Alpha keeps more secrets. +0.31 [+0.13, +0.47]")
    assert "50/58 against 33/60 known verdicts" in told[0]
    assert told[1].startswith("Cannot separate")
    assert "could be shown: paired 0.19, strict 0.31" in told[1]
    assert "the whole interval lies below +0.05" in told[2]
    assert "Not comparable: contract differs." in told[3]
    assert "sha256:9c41e07b" in told[3]
    assert "sha256:3f9a2c1d" in told[3]
    assert "fewer than 8 known runs of few" in told[4]
    assert "withheld negative control failed: 3 of 12 did not fail" in told[5]
    assert "negative control held" in told[9]
    assert all("What would flip it." in t for t in told)


def test_the_side_column_counts_verdicts_and_names_what_it_supersedes():
    side = words(re.search(r"<aside.*?</aside>", send_it(), re.DOTALL)[0])
    assert "Proposed 2026-07-20" in side
    assert "Deciders: evaluation group" in side
    assert "4 supported, 2 cannot separate, 1 contradicted, 2 inadmissible, 1 no data" in side
    assert "Supersedes Send it to alpha" in side
    old = words(re.search(r"<aside.*?</aside>", made()[paths.decision("the-old-one")], re.DOTALL)[0])
    assert "Superseded 2026-07-20" in old
    assert "Reopened once : 2026-06-18, contract changed" in old


def test_quotes_say_whether_they_stand_in_the_record():
    told = words(send_it())
    assert told.count("> found, byte for byte, in gh-2026, task 0") == 1
    assert told.count("never said not found in gh-2026, task 0") == 1
    assert paths.relative(paths.decision("send-it"), paths.review("gh-2026", "alpha-0")) in send_it()
    assert "<script>alert" not in send_it()


def test_every_number_of_the_data_belongs_to_an_estimate_or_a_record():
    claims = re.search(r'<ol class="claims">.*?</ol>', send_it(), re.DOTALL)[0]
    bare = re.sub(r"<(span|a)[^>]*data-(?:estimate|record)=[^>]*>.*?</\1>", "", claims, flags=re.DOTALL)
    bare = re.sub(r"<svg.*?</svg>|<[^>]*>", " ", bare, flags=re.DOTALL)
    assert re.findall(r"\d+/\d+|[+−]\d\.\d\d \[", bare) == []


def test_each_axis_has_its_figure_with_its_estimates():
    figures = re.findall(
        r'<figure id="(claims-[0-9a-f]{8})" data-figure="claims" data-estimates="([^"]+)"', send_it()
    )
    assert len(figures) == 3  # differences, shares, money
    assert ALPHA.id.replace("&", "&amp;") in figures[0][1]


def test_the_list_tells_status_claims_and_what_happened_when():
    told = words(made()[paths.DECISIONS])
    assert "Two decisions, of which none is accepted." in told
    assert "Proposed 2026-07-20" in told
    assert re.search(
        r"2026-07-20 Send it to alpha superseded by Send it to alpha 2026-07-20 Send it to alpha proposed "
        r"2026-06-18 .* reopened: contract changed 2026-05-20 .* accepted",
        told,
    )


def test_history_tells_what_editions_changed():
    send_it = decisions()[0]
    editions = (
        edition(1, kept(send_it, first="cannot separate")),
        edition(2, kept(send_it, first="cannot separate")),
        edition(3, kept(send_it)),
    )
    made = pages(editions)
    history = words(re.search(r'id="history".*?</section>', made[paths.decision("send-it")], re.DOTALL)[0])
    assert "In edition 1 : first published, proposed" in history
    assert "edition 2" not in history
    assert "In edition 3 : “Alpha keeps more secrets.” is supported, was cannot separate" in history
    moved = pages((edition(1, kept(send_it, first="contradicted")),))[paths.DECISIONS]
    assert "“Alpha keeps more secrets.” is supported, was contradicted" in words(moved)


@pytest.mark.parametrize(
    ("more", "status", "word"),
    [
        ("superseded_by: send-it\n", None, "Dated"),
        ("superseded_by: send-it\n", "proposed", "Proposed"),
        ("superseded_by: send-it\n", "accepted", "Accepted"),
        ("superseded_by: send-it\nreopened: [{date: 2026-06-18, why: a}]\n", None, "Accepted"),
    ],
)
def test_what_was_only_proposed_is_not_told_as_accepted(more, status, word):
    old = JudgedDecision(
        read(
            "decisions/the-old-one.md", samples.front(status="superseded", more=f"date: 2026-05-20\n{more}")
        ),
        (),
        (),
    )
    then = replace(old, decision=replace(old.decision, status=status or "proposed"))
    other_date = replace(then, decision=replace(then.decision, date="2026-04-01", status="accepted"))
    editions = (edition(1, kept(other_date)), *([edition(2, kept(then))] if status else []))
    assert dated_as(old, editions) == word.lower()
    made = pages(editions, (decisions()[0], old))
    assert f"2026-05-20 {word}" in words(made[paths.decision("the-old-one")])
    assert re.search(f"2026-05-20 [^0-9]* {word.lower()}", words(made[paths.DECISIONS]))


def other_denominators(claim: str, *told: tuple[str, str, float]) -> str:
    """The evidence line of a claim about two arms whose other denominators come to this."""
    sides = samples.plain("security", 50, 58), samples.plain("security", 33, 60, model="gamma")
    found = samples.compared(*sides, 0.02, -0.04, 0.07, "cannot separate", sensitivity=recounts(*told))
    judged = samples.judged(f"{{metric: attempts.security, of: alpha, {claim}}}", report(sides, (found,)))
    shown = SiteExperiment(report=report(sides, (found,)), title="gh-2026", reviews=lambda: iter(()))
    where = site_map([shown], (), BuildInfo(version="0.4.0", digest=digest("1c9e55d2")), [])
    view = claims_view((judged,), where, paths.decision("send-it"))
    return "".join(span.text for line in view.claims[0].evidence for span in line)


def test_other_denominators_are_held_against_the_line_of_the_claim_itself():
    against = ("unknown counted against", "cannot separate", -0.10)
    near = ("errors counted as failures", "b above a", -0.03)
    beside = other_denominators("not_worse_than: gamma, by: 0.05", against, near)
    assert "on the other side of the line with unknown counted against −0.10" in beside
    assert "the same under" not in beside
    assert (
        "errors" not in beside
    )  # -0.03 is worse by less than the margin, whatever the two are to each other
    assert "on the same side of the line under every other denominator" in other_denominators(
        "not_worse_than: gamma, by: 0.05", near
    )
    assert "otherwise with errors counted as failures −0.03, gamma above alpha" in other_denominators(
        "above: gamma", against, near
    )
    planned = (str(Denominator.ALL_PLANNED), "cannot separate", -0.04)
    assert "under every other denominator, all runs planned among them" in other_denominators(
        "not_worse_than: gamma, by: 0.05", near, planned
    )


@pytest.mark.parametrize(("of", "said"), [("known verdicts", True), (CountedUnit.TASKS, False)])
def test_the_worst_case_says_that_runs_never_recorded_are_not_in_it(of: str, said: bool):
    """Bounds are of attempts; only where N counts tasks have they the missing tries."""
    a, b = (samples.plain("security", n, 60, unknown=5, model=m) for m, n in (("alpha", 50), ("beta", 33)))
    a = replace(a, of=of, never_recorded=NeverRecorded(3, None, a.interval))
    found = samples.compared(a, b, 0.28, 0.1, 0.4, "a above b")
    claim = "{metric: attempts.security, of: alpha, above: beta, by: 0.05}"
    judged = samples.judged(claim, report((a, b), (found,)))
    assert judged.verdict == "supported"
    shown = SiteExperiment(report=report((a, b), (found,)), title="gh-2026", reviews=lambda: iter(()))
    where = site_map([shown], (), BuildInfo(version="0.4.0", digest=digest("1c9e55d2")), [])
    view = claims_view((judged,), where, paths.decision("send-it"))
    words_ = "".join(span.text for line in view.claims[0].evidence for span in line)
    assert "all that is not known is counted against" in words_
    assert ("; 3 runs never recorded not counted" in words_) is said


# --------------------------------------------------------------------------------------- figure, miniature


def drawn(axis: str):
    found = [j for j in samples.everything().claims if figure.axis_of(j) == axis]
    return figure.draw(found, figure_id="f", context=FigureContext(build="0.4.0"))


def test_a_companion_shows_no_more_than_its_headline_allows():
    """Bounds where over a fifth is not known, counts where too few are; never the point alone."""
    told = [
        spans.text(companion_line(e))
        for e in (
            share("security", 10, 10, invalid=10),
            share("security", 3, 5),
            share("security", 18, 20),
            share("security", 0, 0, unknown=9),
        )
    ]
    assert told == [
        "10/10 known verdicts bounds 0.50 to 1.00",
        "3/5 known verdicts counts only",
        "18/20 known verdicts 0.90 [0.70, 0.97]",
        "N/A (0/0) known verdicts",
    ]


def test_a_title_counts_verdicts_and_fits():
    assert drawn("difference").title == (
        "One claim holds, one is open, one fails; two inadmissible, one without data"
    )
    assert drawn("fraction").title == "One claim clears its line, one straddles it"
    assert drawn("USD").title == "One claim clears its line"


def test_a_claim_that_is_open_for_what_is_not_known_does_not_straddle_its_line():
    cost = next(j for j in samples.everything().claims if j.claim.kind == "below")
    open_ = replace(cost, verdict="cannot separate", why=Why.COULD_BE_ANYTHING)
    assert (
        figure.draw([open_], figure_id="f", context=FigureContext(build="0.4.0")).title == "One claim is open"
    )


def rows_of(axis: str) -> list[DrawnRow]:
    shown = drawn(axis).rows
    assert shown is not None
    return [row for table in shown.tables for group in table.groups for row in group.rows]


def test_the_line_that_is_claimed_is_dashed_and_what_is_open_is_hollow():
    pairs = drawn("difference").spec["datasets"]["pairs"]
    assert sorted(row["line"] for row in pairs) == [0.0, 0.05, 0.1]
    assert [row["difference"] for row in pairs] == [0.31, 0.08, -0.31]
    marked = [row.marks for row in rows_of("difference") if "<circle" in row.marks]
    assert [re.findall(r'<circle[^>]* fill="([^"]*)"', marks) for marks in marked] == [
        ["var(--ink)"], ["var(--paper)"], ["var(--ink)"],
    ]  # fmt: skip
    assert all(marks.count('stroke-dasharray="4 3"') == 1 for marks in marked)


def test_what_has_no_number_is_a_strip_with_its_word():
    said = [row.cells[0].words[0].text for row in rows_of("difference") if "<circle" not in row.marks]
    assert sorted(said) == ["no data", "not comparable", "withheld"]


def test_a_miniature_lies_right_of_its_line_left_of_it_or_across():
    def ends(verdict: str) -> tuple[float, float]:
        judged = next(j for j in samples.everything().claims if j.verdict == verdict and j.comparison)
        found = re.search(r"M([\d.]+),8H([\d.]+)M", sign(judged))
        assert found
        return float(found[1]), float(found[2])

    assert min(ends("supported")) > 22
    assert max(ends("contradicted")) < 22
    left, right = ends("cannot separate")
    assert left < 22 < right


def test_a_claim_of_less_has_its_side_on_the_right_too():
    cost = next(j for j in samples.everything().claims if j.claim.kind == "below")
    assert float(re.search(r"M([\d.]+),8H", sign(cost))[1]) > 22


# ------------------------------------------------------------------------------------ the shipped example


def test_the_shipped_decisions_are_borne_out_or_say_that_they_are_not(repo: Path):
    content = repo / "content"
    names = ("brownfield-2026-05", "brownfield-2026-07", "brownfield-2026-07b")
    experiments = {name: mc.load(content / "experiments" / name) for name in names}
    index = Index([mc.compute(x) for x in experiments.values()])
    found = [
        read(f"decisions/{p.name}", p.read_bytes()) for p in sorted((content / "decisions").glob("*.md"))
    ]
    check_together(found)
    records = cited(found, lambda name: engine.reviews(experiments[name]))
    judged = {d.slug: judge_decision(d, index, records=records) for d in found}
    assert [
        (place, naked(words, place)) for d in found for place, words in d.heads if naked(words, place)
    ] == []
    assert unsupported(judged.values()) == ()
    assert all(q.found for j in judged.values() for q in j.quotes)
    assert {slug: j.decision.status for slug, j in judged.items()} == {
        "alpha-alone": "proposed",
        "beta-in-place-of-alpha": "proposed",
        "fixes-on-the-shop": "accepted",
        "gamma-for-small-fixes": "superseded",
    }
    assert judged["fixes-on-the-shop"].counts == {"supported": 6}
    assert set(judged["alpha-alone"].counts) == set(CLAIM_VERDICTS)


# ------------------------------------------------------------------------------------------- in a browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("decisions")
    for file in render.assets():
        (site / file.path).parent.mkdir(parents=True, exist_ok=True)
        (site / file.path).write_bytes(file.data)
    for path, html in made().items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(html, "utf-8")
    return site


@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing_and_nothing_overflows(browser: Browser, folder: Path, path: str):
    page = browser.new_page()
    page.goto((folder / path).as_uri())
    for width, theme in looks():
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme)
        assert violations(page) == [], (width, theme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_a_phone_has_all_that_a_wide_page_has(browser: Browser, folder: Path):
    seen = []
    for width in (1280, 360):
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.goto((folder / paths.decision("send-it")).as_uri())
        seen.append(page.locator(".claims").inner_text().split())
        page.close()
    assert seen[0] == seen[1]
