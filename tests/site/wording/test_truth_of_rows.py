"""The law of true sentences, row by row: numbers, differences, other denominators, runs, editions, feed.

As `test_truth_law`: each maker over every report there is, hard ones too; and a changed row turns its words.
"""

from __future__ import annotations

import inspect
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

import metrics_core as mc
from metrics_core.engine import reviews
from metrics_core.results.codes import Denominator
from metrics_core.results.comparison import Comparison
from metrics_core.results.control import Control
from metrics_core.results.estimate import Estimate, NeverRecorded
from metrics_core.results.keys import Keys
from metrics_core.results.report import Report
from metrics_core.results.shapes import CostRow
from site_src import wording
from site_src.drawing import figure
from site_src.editions import DecisionChange, Edition, History, Move, changed_decisions, moved, summary
from site_src.pages import summaries
from site_src.pages.compare import tables
from site_src.pages.pair_sets import PairSet, pair_sets
from site_src.pages.runs import verdicts
from site_src.publishing import feed
from site_src.report_text import report_text
from site_src.wording import (
    FigureContext,
    Span,
    captions,
    clauses,
    comparisons,
    estimates,
    first_lines,
    numbers,
    provenance,
    spans,
)
from tests.support import edition_samples, figure_samples as samples, hard_experiments
from tests.support.by_day import by_day
from tests.support.row_predicates import OF_COMPARISONS, OF_ESTIMATES, OF_OTHERS, OF_SEVERAL, recounted
from tests.support.sentence_predicates import PREDICATES
from tests.support.word_makers import reached

SITE = FigureContext(build="b")


@pytest.fixture(scope="module")
def every() -> tuple[Report, ...]:
    return hard_experiments.reports()


def plain(said: Any) -> str:
    """Words, however their maker gives them."""
    if isinstance(said, str):
        return said
    return "".join(part.text if isinstance(part, Span) else plain(part) for part in said)


# ------------------------------------------------------------------------------------- every maker is held

ROWS = re.compile(r"\b(Estimate|Comparison|Control|CostRow|CheckRow|Funnel|Grid|Points|Series)\b")
"""What a sentence stands on: a function that takes one and returns words is a maker of them."""

WORDS = re.compile(r"(?:Iterator|list|tuple|Sequence)?\[?(?:str|Line|Span|Caption)\b")


def makers(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """Public functions of a module that make words of rows, by their signatures."""
    found = inspect.getmembers(module, inspect.isfunction)
    return {
        name: function
        for name, function in found
        if function.__module__ == module.__name__
        and not name.startswith("_")
        and WORDS.match(str(function.__annotations__.get("return")))
        and any(ROWS.search(str(of)) for to, of in function.__annotations__.items() if to != "return")
    }


@pytest.mark.parametrize(
    "module",
    [import_module(f"{wording.__name__}.{each.name}") for each in iter_modules(wording.__path__)],
    ids=lambda module: module.__name__.rpartition(".")[2],
)
def test_every_maker_of_words_has_a_predicate_or_is_part_of_one_that_has(module: ModuleType) -> None:
    """Which modules and which functions follows from the package and its signatures, and is no list."""
    held = reached([*PREDICATES, *OF_ESTIMATES, *OF_COMPARISONS, *OF_SEVERAL, *OF_OTHERS])
    assert [name for name, function in makers(module).items() if function not in held] == []


# ------------------------------------------------------------------------------------- numbers, differences


def test_what_is_said_of_a_number_is_so(every: tuple[Report, ...]) -> None:
    each = {e.id: e for report in every for e in report.estimates}
    for e in (e for name, e in each.items() if by_day(name, one_in=20)):
        for make, predicate in OF_ESTIMATES.items():
            words = plain(make(e))
            assert list(predicate(words, e)) == [], (make.__name__, e.id, words)


def test_what_is_said_of_a_pair_is_so(every: tuple[Report, ...]) -> None:
    for c in (c for report in every for c in report.comparisons):
        for seen in (c, c.reversed(), c.under("paired"), c.under("overlap")):
            for make, predicate in OF_COMPARISONS.items():
                if make is comparisons.same_tasks and seen.told_apart is None:
                    continue
                words = plain(make(seen))
                assert list(predicate(words, seen)) == [], (make.__name__, seen.id, words)


def calls_of_several(report: Report) -> Iterator[tuple[Callable[..., Any], tuple[Any, ...]]]:
    """Makers that take controls, money or several rows, with those of a report."""
    for control in report.controls:
        yield clauses.control_clause, (control,)
        if control.withholds:
            yield clauses.came_to, (control,)
    for row in report.costs:
        if row.withheld_by is None:
            yield clauses.cost_clause, (row,)
    for lead in summaries.leads(report):
        yield first_lines.together, ([s.comparisons for s in lead],)
    if report.estimates:
        yield provenance.data, (report.estimates[:3], SITE)
    for s in (s for s in pair_sets(report) if not s.withheld):
        arms = {e.group[s.first.over]: e for e in s.arms}
        yield comparisons.smallest_note, (s.comparisons,)
        yield comparisons.deciding_intervals, (s.comparisons, arms)
        yield captions.described, (s.arms,)
        yield captions.beside_notes, (s.arms,)


def miscounted(e: Estimate) -> Estimate:
    return replace(e, n=0 if e.n else e.N) if e.withheld is None and e.N else e


def other_rows(args: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The same call with its first row changed."""
    first, *rest = args
    if isinstance(first, list) and first and isinstance(first[0], tuple):  # leads: of each, its first pair
        for judged in (samples.judged("a above b"), samples.judged("b above a")):
            yield ([(replace(pairs[0], judged=judged), *pairs[1:]) for pairs in first],)
    elif rest and isinstance(rest[0], FigureContext):
        yield ([replace(e, data_digest=samples.digest("00000000")) for e in first], *rest)
    elif isinstance(first, Comparison):
        yield (replace(first, p_adjusted=0.0123, holm_size=first.holm_size + 1), *rest)
        yield (first, {name: miscounted(e) for name, e in rest[0].items()})
    elif isinstance(first, Control):
        more = tuple(replace(check, N=check.N + 1) for check in first.checks)
        yield (replace(first, checks=more, state="missing" if first.state == "failed" else "failed"),)
    elif isinstance(first, CostRow):
        yield (replace(first, recorded=(first.recorded or 0.0) + 1.0),)
    elif first and isinstance(first[0], Comparison) and rest:
        moved_ = {n: e for n, e in rest[0].items() if e.interval.lo is not None}
        yield (
            first,
            rest[0]
            | {n: replace(e, interval=replace(e.interval, lo=0.111, hi=0.222)) for n, e in moved_.items()},
        )
    elif first and isinstance(first[0], Comparison):
        found = first[0].detectable
        if found is not None:
            yield ([replace(first[0], detectable=replace(found, family=found.family + 1)), *first[1:]],)
    elif first:
        yield ([miscounted(e) for e in first],)
        yield (first[:1],)


def test_what_is_said_of_several_rows_is_so_and_turns_with_them(every: tuple[Report, ...]) -> None:
    said, caught = set[str](), set[str]()
    for report in every:
        if report.controls:
            caption = captions.controls_caption(report.controls, SITE)
            assert list(OF_SEVERAL[captions.controls_caption](spans.plain(caption), report.controls)) == []
        for make, args in calls_of_several(report):
            words = plain(make(*args))
            said.add(make.__name__)
            assert list(OF_SEVERAL[make](words, *args)) == [], (make.__name__, report.experiment, words)
            for other in other_rows(args):
                now = plain(make(*other))
                assert list(OF_SEVERAL[make](now, *other)) == [], (make.__name__, report.experiment, now)
                if list(OF_SEVERAL[make](words, *other)):
                    caught.add(make.__name__)
    assert said == {make.__name__ for make in OF_SEVERAL} - {"controls_caption"}
    assert caught == said


def turned(e: Estimate) -> Iterator[Estimate]:
    """The estimate with one count, or its limits, moved."""
    if e.withheld is None and e.n is not None and e.N:
        yield replace(e, unknown=e.unknown + 7)
        yield replace(e, never_recorded=NeverRecorded(41, None, e.interval))
        yield replace(e, n=0 if e.n else e.N)
        if e.interval.lo is not None and e.interval.hi is not None:
            yield replace(e, interval=replace(e.interval, lo=e.interval.lo - 0.25, hi=e.interval.hi + 0.25))


def test_a_changed_row_changes_what_is_said_of_it(every: tuple[Report, ...]) -> None:
    caught = Counter[str]()
    for e in (e for report in every for e in report.estimates[:60] if by_day(e.id, one_in=4)):
        for make, predicate in OF_ESTIMATES.items():
            words = plain(make(e))
            for other in turned(e):
                if list(predicate(words, other)):
                    caught[make.__name__] += 1
                    assert plain(make(other)) != words, (make.__name__, words)
    for c in (c for report in every for c in report.comparisons):
        other = replace(c, holm_size=c.holm_size + 1, paired_on=(c.paired_on or 0) + 1, pack=None,
                        difference=-(c.difference or 0.0))  # fmt: skip
        for make, predicate in OF_COMPARISONS.items():
            if c.told_apart is None and make is comparisons.same_tasks:
                continue
            for now in (other, replace(c, polarity="for" if c.polarity == "against" else "against")):
                caught[make.__name__] += bool(list(predicate(plain(make(c)), now)))
    unmoved = {"left_out_words", "unequal_words", "bounds_words", "outcome", "nearly", "because", "reasons",
               "verdict_words", "counted_words", "about", "headline_of", "where", "why_nothing",
               "smallest", "who"}  # fmt: skip
    assert {make.__name__ for make in (*OF_ESTIMATES, *OF_COMPARISONS)} - set(+caught) <= unmoved


# ------------------------------------------------------------------------------------- other denominators


def notes_of(s: PairSet) -> Iterator[str]:
    for table in tables.sensitivity(s, SITE):
        yield "\n".join(map(spans.plain, table.captions))


def sets_of(reports: Iterable[Report]) -> Iterator[PairSet]:
    for report in reports:
        yield from (s for s in pair_sets(report) if not s.withheld)


def test_what_is_said_under_other_denominators_is_so(every: tuple[Report, ...]) -> None:
    of = OF_OTHERS[tables.sensitivity]
    planned = 0
    for s in sets_of(every):
        for words in notes_of(s):
            assert list(of(words, s.comparisons, s.arms)) == [], (s.id, words)
        for c in s.comparisons:
            for again in c.sensitivity:
                planned += again.denominator is Denominator.ALL_PLANNED
                for e in (s.arm(c.a), s.arm(c.b)):
                    if not estimates.is_mean(e) and e.known == e.N:
                        n, runs = recounted(e, again.denominator)
                        assert tables.counted(e, again.denominator) == clauses.fraction(n, runs), e.id
    assert planned
    holes = next(s for s in sets_of(every) if s.first.experiment == "holes")
    assert "runs never recorded (10 of beta) count under “all runs planned” alone" in "".join(notes_of(holes))


def test_a_recount_that_turns_takes_back_that_none_does(every: tuple[Report, ...]) -> None:
    of, caught = OF_OTHERS[tables.sensitivity], 0
    for s in sets_of(every):
        for words in notes_of(s):
            for at, c in enumerate(s.comparisons):
                if "no verdict here changes" not in words or not c.sensitivity:
                    continue
                outcome = "b above a" if c.verdict == "a above b" else "a above b"
                again = replace(c.sensitivity[0], judged=samples.judged(outcome))
                changed = replace(c, sensitivity=(again, *c.sensitivity[1:]))
                pairs = (*s.comparisons[:at], changed, *s.comparisons[at + 1 :])
                assert list(of(words, pairs, s.arms))
                (now,) = notes_of(replace(s, comparisons=pairs))
                assert list(of(now, pairs, s.arms)) == []
                caught += 1
    assert caught


# ------------------------------------------------------------------------------------- runs


def counted_in(v: Any, e: Estimate | None) -> str:
    view = verdicts.verdict_view(v, e)
    return next("".join(span.text for span in step.words) for step in view.steps if step.name == "Counted in")


def test_every_run_is_counted_where_its_page_says(tmp_path: Path) -> None:
    """Over all runs that name one estimate: as many known as it knows, as many in all as it has attempts."""
    of = OF_OTHERS[verdicts.verdict_view]
    for x in hard_experiments.experiments(tmp_path):
        report = mc.compute(x)
        known: dict[tuple[str, str, Keys], list[Estimate]] = defaultdict(list)
        for e in report.estimates:
            known[(e.family, e.metric, e.group)].append(e)
        told: dict[str, Counter[str]] = defaultdict(Counter)
        published = {e.id: e for e in report.estimates}
        for review in reviews(x):
            for v in review.verdicts:
                e = verdicts.counted_in(review, v, known, report.words_of(review.family))
                words = counted_in(v, e)
                assert list(of(words, v, e)) == [], (x.slug, words)
                if e is not None:
                    told[e.id]["known" if words.startswith("N of") else "not in N"] += 1
                    moved_ = replace(e, N=(e.N or 0) + 1, unknown=e.unknown + 1)
                    assert list(of(words, v, moved_))
                    assert counted_in(v, moved_) != words
        assert told, x.slug
        for name, found in told.items():
            e = published[name]
            assert (found["known"], found.total()) == (e.known, e.attempts), name


# ------------------------------------------------------------------------------------- editions, feed


def pairs_of_editions() -> Iterator[tuple[Edition, Edition]]:
    make = edition_samples
    first = make.edition(decisions=(make.decision(),))
    now = partial(make.edition, before=first, date="2026-08-20", name="later")
    more = make.security("gamma", 3, 9)
    yield first, now(decisions=(make.decision(),))
    moved_on = make.shop(make.security("alpha", 13, 15), make.BETA, logs="more")
    yield first, now(moved_on, decisions=(make.decision(),))
    yield first, now(make.shop(make.ALPHA, make.BETA, more), decisions=(make.decision("cannot separate"),))
    yield first, now(make.shop(make.ALPHA), decisions=(make.decision(status="superseded"),))
    yield first, now(make.shop(make.security("alpha", 14, 15), make.BETA))


def test_what_happened_since_an_edition_is_so() -> None:
    of, said = OF_OTHERS[summary.since], set()
    for before, now in pairs_of_editions():
        moves, changes = moved(before, now), changed_decisions(before, now)
        words = summary.since(before, now, moves, changes)
        said.add(words)
        assert list(of(words, before, now, moves, changes)) == [], words
        for fewer, others in mutants_of(moves, changes):
            again = summary.since(before, now, fewer, others)
            assert list(of(again, before, now, fewer, others)) == [], again
            assert again != words
    assert len(said) == 5


def mutants_of(
    moves: Sequence[Move], changes: Sequence[DecisionChange]
) -> Iterator[tuple[Sequence[Move], Sequence[DecisionChange]]]:
    if moves:
        yield moves[1:], changes
        yield [*moves, moves[0]], changes
    if changes:
        yield moves, changes[1:]


def test_a_feed_entry_tells_its_numbers_with_all_that_stands_behind_them(every: tuple[Report, ...]) -> None:
    for e in (e for report in every for e in report.estimates[:200]):
        words = feed.estimate_line(e)
        assert e.contract.digest[7:15] in words
        assert e.data_digest[7:15] in words
        if e.headline == "point" and e.interval.lo is None:
            assert "no interval: " in words


def test_the_entries_of_editions_tell_what_moved() -> None:
    build = edition_samples.build("later")
    for before, now in pairs_of_editions():
        moves, changes = moved(before, now), changed_decisions(before, now)
        made = feed.feed((), (), History(editions=(before, now)), build).data.decode()
        assert summary.since(before, now, moves, changes) in made
        listed = re.findall(r"(\d+/\d+) known verdicts[^→\n]*→ (\d+/\d+)", made)
        shown = [m for m in moves if m.before is not None and m.now is not None]
        assert listed == [(clauses.fraction(m.before.n or 0, m.before.N or 0),
                           clauses.fraction(m.now.n or 0, m.now.N or 0))
                          for m in shown if m.before is not None and m.now is not None]  # fmt: skip
        turned_ = [c for c in changes if c.says and c.now]
        assert sum(f"in edition 1, {c.now} in edition 2" in made for c in turned_) == len(turned_)


def test_where_bounds_lead_the_intervals_that_decide_are_named(every: tuple[Report, ...]) -> None:
    """Terminal, page of a pair, CSV and JSON: bounds and interval both, under the rule that asks for them."""
    told = 0
    for report in every:
        printed = report_text(report)
        for s in sets_of([report]):
            arms = {e.group[s.first.over]: e for e in s.arms}
            for c in s.comparisons:
                words = comparisons.deciding_intervals([c], arms)
                assert not comparisons.deciding_intervals([c.under("paired")], arms)
                led = [arms[n] for n in (c.a, c.b) if arms[n].headline == "bounds"]
                led = [e for e in led if e.interval.lo is not None and c.difference is not None]
                assert bool(words) == bool(led and c.rule == "overlap")
                for e in led if words else ():
                    limits = numbers.limits(e)
                    assert f"{e.group[s.first.over]} {limits}" in words
                    assert len(e.group) > 1 or f"interval of what is known {limits}" in printed
                    (row,) = figure.csv([e]).rows
                    cells = dict(zip(figure.CSV_HEADER, row, strict=True))
                    assert cells["lo"]
                    assert cells["bound_lo"]
                    made = e.to_json()
                    assert made["interval"]["lo"] is not None
                    assert made["bounds"] is not None
                    told += 1
    assert told


def test_comparison_of_nothing_known_says_nothing_of_who_is_ahead(every: tuple[Report, ...]) -> None:
    silent: list[Comparison] = [c for r in every if r.experiment == "unknown" for c in r.comparisons]
    assert all(c.told_apart is None for c in silent)
