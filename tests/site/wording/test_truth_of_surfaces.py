"""The law of true sentences, whole: all that a reader is given, and every function that words a row for it.

Prints of `compute`, `compare`, `gate` and `plan`, heads of pages, pages, the feed: what any of it says of
rows is held against all rows that stand behind it. So no sentence escapes by being made elsewhere: a function
with words and a row must be part of a maker that has a predicate.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from metrics_core import api
from metrics_core.comparison import (
    REP,
    Comparing,
    ComparisonPlan,
    both_arms,
    comparing,
    measured,
    planned_from,
    task_outcomes,
)
from metrics_core.errors import InputError
from metrics_core.gate import Gate, GateVerdict, SelfTest, held_against, read_policy
from metrics_core.results.problem import Problem
from metrics_core.results.report import Report
from site_src import commands, notebook
from site_src.authoring.directives import DIRECTIVES
from site_src.authoring.roles import ROLES
from site_src.comparing import facts, one_page, plan_words, written
from site_src.decisions import JudgedClaim, nearness, registration, robustness, status
from site_src.editions import summary
from site_src.gating import gate_badge, words as gate_words, written as gate_written
from site_src.pages import render, summaries
from site_src.pages.editions import next_edition
from site_src.pages.results import model_head
from site_src.pages.selection import models_of
from site_src.pipeline import Built
from site_src.project.site_model import SiteExperiment
from site_src.publishing import feed, gates
from site_src.publishing.page_plan import Site
from site_src.publishing.site import SiteFiles
from site_src.publishing.writer import Manifest
from site_src.report_text import report_text
from site_src.verification import ledger_update, page_numbers, verify
from site_src.wording import FigureContext, in_paragraph
from tests.support import decision_samples, hard_experiments, sample_site
from tests.support.by_day import by_day, one_in
from tests.support.row_predicates import OF_COMPARISONS, OF_ESTIMATES, OF_OTHERS, OF_SEVERAL
from tests.support.sentence_predicates import PREDICATES
from tests.support.small_tables import named, runs_of, write_rows
from tests.support.surface_predicates import (
    of_comparing,
    of_flip,
    of_gate,
    of_nearest,
    of_pair,
    of_plan,
    of_printed,
    of_publication,
    of_registration,
    of_self_test,
)
from tests.support.word_makers import reached, row_types, wordings

SITE = FigureContext(build="b")


@pytest.fixture(scope="module")
def every() -> tuple[Report, ...]:
    return hard_experiments.reports()


# ------------------------------------------------------------------------------ prints, and heads of pages


def shown(report: Report) -> SiteExperiment:
    return SiteExperiment(report=report, title=f"Experiment {report.experiment}")


def heads(report: Report) -> Iterator[str]:
    """Everything that stands at the head of a page about one experiment."""
    x = shown(report)
    yield summaries.headline([report])
    lines = [said for _, said in summaries.findings([x], "")]
    lines.append(in_paragraph(summaries.experiment_findings(x)))
    lines += [summaries.experiment(x), summaries.overview([x], "", SITE)]
    lines += [summaries.model([x], name, SITE) for name in models_of(report)]
    for name in models_of(report):
        lines += [*model_head.told_apart([x], name, ""), model_head.briefly([x], name, "")]
    yield from ("".join(span.text for span in line) for line in lines)


def moved(report: Report) -> Report:
    """The report with every count and every limit another."""

    def other(e: Any) -> Any:
        if e.withheld is not None or not e.N or e.n is None:
            return e
        ends = e.interval
        if ends.lo is not None and ends.hi is not None:
            ends = replace(ends, lo=ends.lo - 0.31, hi=ends.hi + 0.31)
        return replace(e, n=e.n + 1000, N=e.N + 2000, interval=ends, bounds=None, also=(), by_task=None)

    kept = tuple(map(other, report.estimates))
    return replace(report, estimates=kept, funnels=(), series=(), grids=(), points=())


def turned(report: Report) -> Report:
    """The report with every pair the other way round."""
    return replace(report, comparisons=tuple(
        replace(c, difference=-c.difference, judged=c.reversed().judged, interval=c.reversed().interval)
        for c in report.comparisons if c.difference is not None
    ))  # fmt: skip


def test_what_compute_prints_holds_and_turns_with_the_report(every: tuple[Report, ...]) -> None:
    caught = 0
    of_day = [report for report in every if by_day(report.experiment, 6)]
    for report in of_day:
        words = report_text(report)
        assert list(of_printed(words, report)) == [], report.experiment
        other = moved(report)
        if list(of_printed(words, other)):
            caught += 1
            now = report_text(other)
            assert now != words
    assert caught > len(of_day) // 2


def test_what_stands_above_a_chart_holds_and_turns_with_the_report(every: tuple[Report, ...]) -> None:
    def told(report: Report) -> str:
        try:
            title = notebook.chart(report, "overview", keys={}).to_dict()["title"]
        except InputError as refused:
            return str(refused)
        return "\n".join((title["text"], *title["subtitle"]))

    caught = 0
    for report in (report for report in every if by_day(report.experiment, 8)):
        words = told(report)
        assert list(of_printed(words, report)) == [], report.experiment
        if list(of_printed(words, other := moved(report))):
            caught += 1
            assert told(other) != words
    assert caught


def test_heads_of_pages_hold_and_turn_with_the_report(every: tuple[Report, ...]) -> None:
    caught = 0
    for report in every:
        for words in heads(report):
            assert list(of_printed(words, report)) == [], (report.experiment, words)
        for words, now in zip(heads(report), heads(turned(report)), strict=False):
            if list(of_printed(words, turned(report))):
                caught += 1
                assert now != words
                assert list(of_printed(now, turned(report))) == [], (report.experiment, now)
    assert caught > 10


# ------------------------------------------------------------------------------ two sides, a gate, a plan

PAIRS = {
    "alike": (["111", "000", "110", "101"] * 5, ["111", "000", "110", "101"] * 5),
    "worse": (["111", "111", "110", "111"] * 5, ["000", "100", "010", "0e0"] * 5),
    "holes": (["111", "1?1", "000", "01e"] * 5, ["111", "11 ", "000", "0 1"] * 5),
    "few": (["111"] * 5, ["000"] * 5),
    "unknown": (["???"] * 10, ["111"] * 10),
}
POLICY = b"""\
not_worse_by: 0.1
at_least: 0.4
pass_hat_k: {k: 2, at_least: 0.3}
cost_ratio: 1.5
max_errors: 0.4
"""


@pytest.fixture(scope="module", params=PAIRS)
def sides(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Comparing:
    folder = tmp_path_factory.mktemp("sides")

    def spent(task: str, run: int, usd: float) -> dict[str, Any]:
        return {"cost_usd": usd * (1 + int(task[1:]) / 40)}

    made = []
    for name, signs, usd in zip(("base", "new"), PAIRS[request.param], (0.01, 0.02), strict=True):
        rows = runs_of("m", named(signs), partial(spent, usd=usd))
        made.append(measured(name, api.load(write_rows(folder / f"{name}.jsonl", rows))))
    return comparing(*made)


def compared_texts(c: Comparing) -> Iterator[str]:
    yield written.comparing_text(c)
    yield written.comparing_markdown(c).replace("\\", "")


def test_what_compare_says_holds_and_turns_with_its_sides(sides: Comparing) -> None:
    for words in compared_texts(sides):
        assert list(of_comparing(words, sides)) == [], words
    first = sides.first
    for say in (facts.difference_words, facts.tasks_words):
        assert list(of_pair(say(first), first)) == [], say.__name__
    for other in other_sides(sides):
        for words, now in zip(compared_texts(sides), compared_texts(other), strict=True):
            assert list(of_comparing(now, other)) == [], now
            if list(of_comparing(words, other)):
                assert now != words


def other_sides(c: Comparing) -> Iterator[Comparing]:
    """The comparison with its sides changed about, and with its first pair the other way round."""
    first = c.first
    runs = first.runs[::-1]
    tasks = (
        None if first.tasks is None else task_outcomes(*runs, against=first.comparison.polarity == "against")
    )
    yield replace(c, leading=(replace(first, runs=runs, tasks=tasks), *c.leading[1:]))
    if first.comparison.difference is not None:
        back = replace(first.comparison.reversed(), a=first.comparison.a, b=first.comparison.b)
        yield replace(c, leading=(replace(first, comparison=back), *c.leading[1:]))


SAY_GATE = (gate_written.gate_text, gate_written.gate_markdown, gate_badge)


@one_in(3)
def test_what_a_gate_says_holds_and_turns_with_its_rules(sides: Comparing) -> None:
    gate = held_against(sides, *read_policy(POLICY))
    for say in (*SAY_GATE, gate_written.gate_junit):
        assert list(of_gate(say(gate), gate)) == [], say(gate)
    caught = 0
    for other in other_gates(gate):
        for say in SAY_GATE:
            assert list(of_gate(say(other), other)) == [], say(other)
            if list(of_gate(say(gate), other)):
                caught += 1
                assert say(other) != say(gate)
    assert caught


def test_what_a_gate_of_several_strata_says_holds_and_turns_with_each(tmp_path: Path) -> None:
    draw = random.Random(4)

    def scored(task: str, run: int) -> dict[str, Any]:
        return {"score": 0.5 + draw.uniform(-0.1, 0.1)}

    signs = ["111", "000", "110", "101"] * 5
    base, candidate = (
        measured(name, api.load(write_rows(tmp_path / f"{name}.jsonl", runs_of("m", named(each), scored))))
        for name, each in (("base", signs), ("new", signs[1:] + signs[:1]))
    )
    gate = held_against(comparing(base, candidate, "score"), *read_policy(b"not_worse_by: 0.1"))
    assert len(gate.strata) == 2
    first, second = gate.strata
    other = replace(
        gate, others=(replace(second, rules=(replace(second.rules[0], verdict=GateVerdict.FAIL),)),)
    )
    for say in (*SAY_GATE, gate_written.gate_junit):
        assert list(of_gate(say(gate), gate)) == [], say(gate)
        assert list(of_gate(say(first), first)) == []
    assert list(of_gate(gate_written.gate_text(gate), other))
    assert list(of_gate(gate_written.gate_text(first), gate))


def other_gates(gate: Gate) -> Iterator[Gate]:
    """The gate with each of its rules at another verdict, and all that follows from it."""
    for at, rule in enumerate(gate.rules):
        for verdict in (GateVerdict.PASS, GateVerdict.FAIL, GateVerdict.CANNOT_TELL):
            rules = (*gate.rules[:at], replace(rule, verdict=verdict), *gate.rules[at + 1 :])
            order = (GateVerdict.FAIL, GateVerdict.CANNOT_TELL)
            whole = next((v for v in order if any(r.verdict is v for r in rules)), GateVerdict.PASS)
            whole = GateVerdict.UNHEALTHY if gate.unhealthy else whole
            yield replace(gate, rules=rules, verdict=whole)


def test_what_a_plan_says_holds_and_turns_with_it(tmp_path: Path) -> None:
    signs = {"a": ["101", "110", "000", "111"] * 6, "b": ["001", "100", "010", "111"] * 6}
    rows = [row for arm, each in signs.items() for row in runs_of(arm, named(each))]
    side = measured("pilot", api.load(write_rows(tmp_path / "pilot.jsonl", rows)), slices=(REP,))
    caught = 0
    for detect, power in ((0.1, 0.8), (0.25, 0.9), (0.002, 0.8)):
        plan = planned_from(side, both_arms(side), detect, power)
        words = plan_words.plan_text(plan)
        assert list(of_plan(words, plan)) == [], words
        for other in other_plans(plan):
            caught += bool(list(of_plan(words, other)))
            assert list(of_plan(plan_words.plan_text(other), other)) == []
    assert caught > 3


def other_plans(plan: ComparisonPlan) -> Iterator[ComparisonPlan]:
    yield replace(plan, detect=plan.detect / 2)
    if plan.simulated is not None:
        yield replace(plan, simulated=plan.simulated / 2)


def test_what_a_trial_of_a_gate_says_holds_and_turns_with_its_counts() -> None:
    found = SelfTest(
        splits=60, tasks=60, margin=0.05, paired=4, strict=0, worse_at_0=3, worse_at_margin=1, not_passed=7
    )
    said = "\n".join(gate_words.self_test_lines(found))
    assert list(of_self_test(said, found)) == []
    for name in ("paired", "strict", "worse_at_0", "worse_at_margin", "not_passed"):
        other = replace(found, **{name: getattr(found, name) + 1})
        assert list(of_self_test(said, other))
        assert list(of_self_test("\n".join(gate_words.self_test_lines(other)), other)) == []


# ------------------------------------------------------------------------------ claims, and what is withheld


def test_what_would_flip_a_verdict_holds_and_turns_with_its_runs() -> None:
    caught = 0
    for judged in (*decision_samples.everything().claims, *decision_samples.hidden()):
        said = robustness.flip(judged).words
        assert list(of_flip(said, judged)) == [], said
        for other in other_claims(judged):
            caught += bool(list(of_flip(said, other)))
            assert list(of_flip(robustness.flip(other).words, other)) == []
    assert caught > 3


def other_claims(judged: JudgedClaim) -> Iterator[JudgedClaim]:
    """The claim with a run or a task more."""
    known = tuple(
        e if e.withheld else replace(e, known=e.known + 1, N=(e.N or 0) + 1) for e in judged.estimates
    )
    c = judged.comparison
    tasks = c if c is None or c.paired_on is None else replace(c, paired_on=c.paired_on + 1)
    yield replace(judged, estimates=known, comparison=tasks)


def test_which_decision_is_nearest_to_flipping_holds_and_turns_with_its_runs() -> None:
    many = decision_samples.holding({"Many": 95, "Few": 78, "Equal": 78})
    one, none = decision_samples.holding({"One": 72, "Far": 95}), ()
    said = {}
    for decisions in (many, one, many[:1], none):
        groups = nearness.nearest_first(decisions)
        words = nearness.told(groups.get(nearness.Standing.HOLDS, ()))
        assert list(of_nearest(words, decisions)) == [], words
        said[words] = decisions
    assert len(said) == 4
    assert all(list(of_nearest(words, other)) for words, own in said.items() for other in said.values()
               if other is not own)  # fmt: skip


@pytest.mark.parametrize("time", ["2026-06-28T07:00:00Z", "2026-06-30T22:30:00Z", "2026-07-01T08:30:00Z",
                                  "2026-07-01T09:00:00Z", "2026-07-09T00:00:00Z"])  # fmt: skip
def test_which_came_first_words_or_records_holds_and_turns_with_both(time: str) -> None:
    judged = decision_samples.registered("2026-07-01T09:00:00Z", time)
    said = registration.told(judged)
    assert list(of_registration(said, judged)) == [], said
    for other in (
        decision_samples.registered("2026-07-01T09:00:00Z", "2026-06-01T07:00:00Z"),
        decision_samples.registered("2026-07-01T09:00:00Z", "2026-07-20T07:00:00Z"),
    ):
        now = registration.told(other)
        assert list(of_registration(now, other)) == []
        assert list(of_registration(said, other)) or said == now


def test_what_a_build_says_of_controls_holds_and_turns_with_them(every: tuple[Report, ...]) -> None:
    caught = 0
    for report in (replace(each, contracts=()) for each in every):
        said = gates.check_publication([report], None, without_ledger=True)
        assert list(of_publication(said, [report])) == [], said
        failed = replace(report, controls=tuple(replace(c, state="failed") for c in report.controls))
        caught += bool(list(of_publication(said, [failed])))
        now = gates.check_publication([failed], None, without_ledger=True)
        assert list(of_publication(now, [failed])) == [], now
    assert caught > 10


def test_what_is_said_of_a_build_counts_what_was_built(every: tuple[Report, ...]) -> None:
    files = [("index.html", 1, "a"), ("x/index.html", 1, "b"), ("data/figures/f.csv", 1, "c")]
    for shown_ in (every[:1], every[:7], every[-3:]):
        said = commands.of_build(Built(manifest=Manifest(files), reports=shown_, notes=()), "_site", 1.25)
        hidden = sum(e.withheld is not None for r in shown_ for e in r.estimates)
        records, invalid = (sum(n) for n in zip(*((r.records, r.invalid) for r in shown_), strict=True))
        told = [int(n) for n in re.findall(r"(\d+) (?:page|figure|experiment|record|invalid|estimate)", said)]
        assert told == [2, 1, len(shown_), records, invalid, hidden]


@pytest.mark.parametrize("more", [0, 1, 7])
def test_what_is_said_of_findings_counts_those_that_are_not_listed(more: int) -> None:
    findings = tuple(Problem(f"f{n}.csv", None, "", f"finding {n}") for n in range(commands.LISTED + more))
    *lines, last = commands.of_reading([replace(sample_site.experiments()[0].report, findings=findings)])
    told = re.fullmatch(r"and (\d+) more findings?, on the pages of the experiments", last)
    assert (int(told[1]) if told else 0) == more
    assert len(lines) + (told is None) == commands.LISTED
    assert ("1 more finding," in last) == (more == 1)


# ------------------------------------------------------------------------------ pages


def words_of(html: str) -> str:
    """What stands on a page, without markup, drawings and code."""
    main = html.partition("<main")[2].partition("</main>")[0]
    drawn = re.sub(r"<svg.*?</svg>|<pre.*?</pre>", " ", main, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", drawn)).split()).replace(" ,", ",").replace(" .", ".")


def faults_of_page(html: str, reports: Sequence[Report]) -> Iterator[str]:
    """Numbers of estimates that are not theirs, intervals that no row has, ranks that no pair has."""
    rows = {e.id: e.to_json() for report in reports for e in report.estimates}
    numbers = list(page_numbers.shown(html))
    for number in numbers:
        yield from page_numbers.faults(number, rows, "page")
    if numbers:
        words = words_of(html)
        yield from (fault for fault in of_printed(words, *reports) if not re.search(r"shows \d\S*/", fault))


def test_every_kind_of_page_says_what_its_rows_bear_out() -> None:
    reports = [x.report for x in sample_site.experiments()]
    told = 0
    for kind, path in sample_site.kinds().items():
        if kind == "writing":  # its examples are of prose
            continue
        page = sample_site.site().page(path)
        assert page is not None
        html = render.render_page(page).decode()
        assert list(faults_of_page(html, reports)) == [], path
        told += bool(list(page_numbers.shown(html)))
    assert told >= 8


def test_a_page_turns_with_its_rows() -> None:
    experiments = sample_site.experiments()
    others = [replace(x, report=moved(turned(x.report)), reviews=lambda: iter(())) for x in experiments]
    site = Site(others, sample_site.AUTHORED, sample_site.BUILD)
    caught = 0
    for kind, path in sample_site.kinds().items():
        page, now = sample_site.site().page(path), site.page(path)
        if page is None or now is None or kind in ("review", "reviews", "task", "tasks", "writing"):
            continue
        html, again = (render.render_page(each).decode() for each in (page, now))
        if list(faults_of_page(html, [x.report for x in others])):
            caught += 1
            assert again != html
            assert list(faults_of_page(again, [x.report for x in others])) == [], path
    assert caught > 5


# ------------------------------------------------------------------------------ nothing escapes

SURFACES: tuple[Any, ...] = (
    report_text, written.comparing_text, written.comparing_markdown, one_page.html_file, plan_words.plan_text,
    gate_written.gate_text, gate_written.gate_markdown, gate_written.gate_junit, gate_words.self_test_lines,
    gate_badge, notebook.chart, gates.check_publication, commands.of_reading, commands.of_build,
    robustness.flip, nearness.told, registration.told, registration.limits, feed.feed, Site, SiteFiles,
    *ROLES.values(), *DIRECTIVES.values(),
)  # fmt: skip
"""All that a reader or a publisher is given of results: each is held against its rows by a test above."""

REFUSALS: tuple[Any, ...] = (
    verify.verify, ledger_update.lock, status.unsupported, summary.faults, next_edition.next_edition,
)  # fmt: skip
"""What refuses, or vouches for a whole site: it says of files, claims and editions whether they may stand,
and nothing of what was measured."""


def test_every_function_that_words_a_row_is_part_of_a_maker_that_has_a_predicate() -> None:
    assert {"Report", "Gate", "Compared", "PairSet", "SiteExperiment", "JudgedClaim", "Funnel"} <= row_types()
    made = (*PREDICATES, *OF_ESTIMATES, *OF_COMPARISONS, *OF_SEVERAL, *OF_OTHERS, *SURFACES, *REFUSALS)
    held = reached(made)
    escaped = sorted(f"{each.__module__}.{each.__name__}" for each in wordings() if each not in held)
    assert escaped == [], "\n".join(escaped)
