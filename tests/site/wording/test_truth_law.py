"""The law of true sentences: each generated sentence holds of the rows it stands on, whatever they are.

Every maker of sentences has a predicate (`tests.support.sentence_predicates`). All makers run over the sample
reports, the shipped example, and experiments made to be hard: ties, one arm, one task, tasks that are not
shared, nothing known, everything withheld, scorers and experiments that disagree. Then rows are changed: a
sentence that the changed rows no longer bear out has to change, or go.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from metrics_core.results.codes import CountedUnit
from metrics_core.results.comparison import Comparison
from metrics_core.results.estimate import Estimate
from metrics_core.results.keys import Keys
from metrics_core.results.report import Report
from metrics_core.results.shapes import Stage
from site_src.pages import summaries
from site_src.pages.pair_sets import pair_sets
from site_src.pages.selection import arms_of
from site_src.project.site_model import SiteExperiment
from site_src.wording import FigureContext, first_lines, is_arm, pair_titles, titles
from tests.support import figure_samples as samples, hard_experiments
from tests.support.row_predicates import OF_SEVERAL
from tests.support.sentence_predicates import PREDICATES
from tests.support.word_makers import reached

Call = tuple[Callable[..., str], tuple[Any, ...]]


@pytest.fixture(scope="module")
def every() -> tuple[Report, ...]:
    return hard_experiments.reports()


# ------------------------------------------------------------------------------- what makers are given


def pair_groups(report: Report) -> list[tuple[Comparison, ...]]:
    return [s.comparisons for s in pair_sets(report)]


def calls(report: Report) -> Iterator[Call]:
    """Every maker with everything of a report that it may be given."""
    for shape in report.funnels:
        yield titles.funnel, (shape,)
    for series in report.series:
        yield titles.timeline, (series,)
    for grid in report.grids:
        if len(grid.axes) == 2:
            yield titles.heatmap, (grid,)
    verdicts = [e for e in report.estimates if e.counted_unit is CountedUnit.KNOWN_VERDICTS]
    shares = [e for e in verdicts if len(e.group) == 1]
    for group in dict.fromkeys(e.group for e in shares):
        yield titles.governance, ([e for e in shares if e.group == group],)
    parted = [e for e in report.estimates if e.polarity == "neither" and "to" in e.group.names]
    for names in dict.fromkeys((e.metric, e.stratum, e.group.without("to")) for e in parted):
        yield titles.parts, (
            [e for e in parted if (e.metric, e.stratum, e.group.without("to")) == names],
        )  # fmt: skip
    for stratum in dict.fromkeys(row.stratum for row in report.checks):
        yield titles.assertion_strip, ([row for row in report.checks if row.stratum == stratum],)
    if report.costs:
        yield titles.cost, (report.costs,)
    if report.controls:
        yield titles.controls, (report.controls,)
    for pairs in pair_groups(report):
        yield pair_titles.separation, (pairs,)
        yield first_lines.pairs_sentence, (pairs,)
        yield first_lines.pairs_found, (pairs,)
        for name in sorted({name for c in pairs if c.difference is not None for name in (c.a, c.b)}):
            yield first_lines.arm_line, (name, pairs)
            yield first_lines.arm_brief, (name, pairs)
    for points in report.points:
        runs = sum(n for _, _, n in points.points)
        yield titles.against, (points,)
        yield titles.corners, (points, min(1, runs), runs, "something holds")
    for e in report.estimates[:3]:
        yield titles.withheld, (e,)
        yield titles.cost_score, (e, ("alpha", "beta"))
    yield pair_titles.overview, (pair_groups(report), 2)
    of_arms = [e for e in report.estimates if e.group.names == ("model",)]
    if of_arms:
        yield pair_titles.uncompared, ([e for e in of_arms if e.family == of_arms[0].family], "models")
    if pair_groups(report):
        yield first_lines.experiments_sentence, ([sum(pair_groups(report), ())], "models")


def faults(call: Call, words: str) -> list[str]:
    make, args = call
    return list(PREDICATES[make](words, *args))


def test_every_maker_of_sentences_has_a_predicate_or_is_part_of_one_that_has() -> None:
    made = {
        make
        for module in (titles, pair_titles, first_lines)
        for name, make in inspect.getmembers(module, inspect.isfunction)
        if make.__module__ == module.__name__ and not name.startswith("_")
    }
    assert made >= set(PREDICATES)
    assert made - reached([*PREDICATES, *OF_SEVERAL]) == set()


def test_every_sentence_holds_of_its_rows(every: tuple[Report, ...]) -> None:
    said: set[Callable[..., str]] = set()
    for report in every:
        for call in calls(report):
            words = words_of(call[0](*call[1]))
            said.add(call[0])
            assert faults(call, words) == [], (report.experiment, words)
    assert said == set(PREDICATES)


# ------------------------------------------------------------------------------- changed rows


def bumped(e: Estimate, by: int) -> Estimate:
    if e.n is None or e.N is None or not 0 <= e.n + by <= e.N:
        return e
    return replace(e, n=e.n + by, unknown=e.unknown + (3 if by > 0 else 0))


def mutants(call: Call) -> Iterator[Call]:
    """The same call on other rows: counts moved, verdicts turned, packs and tasks taken away."""
    make, args = call
    first, *rest = args
    if make is titles.funnel:
        stages = list(first.stages)
        last = stages[-1].estimate
        if last.n:
            lost = replace(last, n=0)
            loss = samples.Loss("known", "lost, all of them", last.n)
            stages[-1] = Stage(stages[-1].name, lost, (*stages[-1].losses, loss), stages[-1].achieved)
            yield make, (replace(first, stages=tuple(stages)),)
    elif make is titles.timeline:
        if len(first.segments) == 1:
            contract = replace(first.segments[0].contract, digest=samples.digest("00000000"))
            cut = replace(first.segments[0], contract=contract, why="contract changed")
            yield make, (replace(first, segments=(first.segments[0], cut)),)
        else:
            yield make, (replace(first, segments=first.segments[:1]),)
    elif make in (titles.governance, titles.parts):
        for at in range(len(first)):
            for by in (1, -1):
                yield make, ([bumped(e, by) if i == at else e for i, e in enumerate(first)],)
    elif make is pair_titles.uncompared:
        alone = [e for e in first if e.group == first[0].group]
        yield make, (alone, *rest)
        yield make, ([*alone, replace(alone[0], group=Keys({"model": "another"}))], *rest)
    elif make is titles.heatmap:
        yield make, (replace(first, cells=tuple(bumped(e, -1) for e in first.cells)),)
    elif make is titles.assertion_strip:
        for at, row in enumerate(first):
            more = tuple((model, replace(t, false=t.false + 9)) for model, t in row.by_model)
            yield make, ([*first[:at], replace(row, by_model=more), *first[at + 1 :]],)
    elif make is titles.cost:
        yield make, ([replace(r, recorded=(r.recomputed or 0.0) + 1.0) for r in first],)
        yield make, ([replace(r, recorded=None) for r in first],)
    elif make is titles.controls:
        yield make, ([replace(c, state="failed") for c in first],)
    elif make is titles.corners:
        yield make, (first, rest[0] + 1, rest[1], rest[2])
    elif make in (pair_titles.separation, first_lines.pairs_sentence, first_lines.pairs_found):
        yield from ((make, (turned,)) for turned in turned_pairs(first))
    elif make in (first_lines.arm_line, first_lines.arm_brief):
        yield from ((make, (first, turned)) for turned in turned_pairs(rest[0]))
    elif make in (pair_titles.overview, first_lines.experiments_sentence):
        for at, pairs in enumerate(first):
            for turned in turned_pairs(pairs):
                yield make, ([*first[:at], turned, *first[at + 1 :]], *rest)


def turned_pairs(pairs: Sequence[Comparison]) -> Iterator[tuple[Comparison, ...]]:
    holds = samples.NotSeparated.HOLDS_ZERO
    for at, c in enumerate(pairs):
        if c.difference is None:
            continue
        for judged in (samples.judged("a above b"), samples.judged("b above a"),
                       samples.judged("cannot separate", holds)):  # fmt: skip
            yield (*pairs[:at], replace(c, judged=judged), *pairs[at + 1 :])
        apart = replace(samples.judged("a above b"), unpaired=True)
        yield (*pairs[:at], replace(c, judged=apart, paired_on=None), *pairs[at + 1 :])
    yield tuple(replace(c, pack=samples.PACK) for c in pairs)
    yield tuple(replace(c, pack=None) for c in pairs)


def test_a_sentence_changes_with_what_it_stands_on(every: tuple[Report, ...]) -> None:
    caught: set[Callable[..., str]] = set()
    for report in every:
        for call in calls(report):
            words = words_of(call[0](*call[1]))
            for mutant in mutants(call):
                now = words_of(mutant[0](*mutant[1]))
                assert faults(mutant, now) == [], (report.experiment, now)
                if faults(mutant, words):
                    caught.add(call[0])
                    assert now != words
    names = {titles.against, titles.withheld, titles.cost_score}
    assert caught >= set(PREDICATES) - names - {titles.heatmap}


# ------------------------------------------------------------------------------- first lines of pages


def shown_of(reports: Sequence[Report]) -> list[SiteExperiment]:
    return [SiteExperiment(report=r, title=f"Experiment {r.experiment}") for r in reports]


def words_of(said: str | Sequence[Any]) -> str:
    """Words, however their maker gives them."""
    return said if isinstance(said, str) else "".join(span.text for span in said)


def test_the_first_page_speaks_of_every_experiment(every: tuple[Report, ...]) -> None:
    reports = list({r.experiment: r for r in every}.values())
    said = summaries.headline(reports)
    comparing = [
        r for r in reports
        if summaries.leads(r)
        and any(
            c.difference is not None and c.withheld_by is None and not c.group and is_arm(c.over, c.words)
            for c in r.comparisons
        )
    ]  # fmt: skip
    apart = [
        r for r in comparing
        if any(
            c.separated and c.withheld_by is None and not c.group and is_arm(c.over, c.words)
            for c in r.comparisons
        )
    ]  # fmt: skip
    assert f"{titles.in_words(len(apart))} of {titles.in_words(len(comparing))} experiments" in said
    assert not re.search(r"anyone|these data|the pack", said, re.IGNORECASE)


def test_what_names_only_arms_that_are_not_told_apart_stands_below_a_count_of_them(
    every: tuple[Report, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = [(r, leads[0]) for r in every if len(leads := summaries.leads(r)) == 1]
    named = [summaries.headline([r]) for r, _ in alone]
    monkeypatch.setattr("site_src.pages.pair_sets.MOST_NAMED", 0)
    brief = 0
    for whole, (report, lead) in zip(named, alone, strict=True):
        said = summaries.headline([report])
        if any(c.told_apart for s in lead if not s.withheld for c in s.comparisons):
            assert said == whole
            continue
        names = {name for s in lead for c in s.comparisons for name in (c.a, c.b)}
        assert f"{titles.in_words(len(names))} " in said
        assert not re.search("|".join(rf"\b{re.escape(name)}\b" for name in names), said)
        ((_, below),) = summaries.findings(shown_of([report]), "")
        assert words_of(below).startswith(whole)
        brief += 1
    assert brief > 0


def test_experiments_and_scorers_that_disagree_are_both_named(every: tuple[Report, ...]) -> None:
    by_name = {r.experiment: r for r in every}
    opposed = shown_of([by_name["first"], by_name["opposed"]])
    for found in (opposed, opposed[::-1]):
        lede = "\n".join(f"{x.title}: {words_of(said)}" for x, said in summaries.findings(found, ""))
        assert "Experiment first: On score, scorer match, alpha is above beta" in lede
        assert "Experiment opposed: On score, scorer match, beta is above alpha" in lede
        assert summaries.headline([x.report for x in found]) == (
            "Some models are separated in two of two experiments."
        )
    scorers = " ".join(map(words_of, summaries.experiment_findings(shown_of([by_name["scorers"]])[0])))
    assert "On score, scorer choice, alpha is above beta" in scorers
    assert "On score, scorer match, beta is above alpha" in scorers
    led = summaries.leads(by_name["scorers"], "score scorer=match")
    assert [dict(lead[0].first.stratum)["scorer"] for lead in led] == ["match"]


def test_whatever_the_headline_counts_the_lines_below_it_tell(every: tuple[Report, ...]) -> None:
    """What does not lead, and tells arms apart, is told after what leads."""
    by_name = {r.experiment: r for r in every}
    shown = shown_of([by_name["scorers"], by_name["first"]])
    told = {x.name: words_of(said) for x, said in summaries.findings(shown, "score scorer=match")}
    lead, elsewhere = told["scorers"].split(" On score, scorer choice, ")
    assert "scorer match, beta is above alpha" in lead
    assert elsewhere.startswith("alpha is above beta")


def test_different_tasks_and_tasks_in_common_are_told(every: tuple[Report, ...]) -> None:
    by_name = {r.experiment: r for r in every}
    disjoint = summaries.headline([by_name["disjoint"]])
    assert "alpha is above beta" not in disjoint or "on different tasks alpha is above beta" in disjoint


def test_no_first_line_says_change_without_regress_or_utility_without_security(
    every: tuple[Report, ...],
) -> None:
    context = FigureContext(build="b")
    for report in every:
        (x,) = shown_of([report])
        arms = [name for names in arms_of([report]).values() for name in names]
        for said in (
            summaries.headline([report]),
            words_of(summaries.experiment(x)),
            " ".join(map(words_of, summaries.experiment_findings(x))),
            words_of(summaries.overview([x], "", context)),
            *(words_of(said) for _, said in summaries.findings([x], "")),
            *(words_of(summaries.model([x], name, context)) for name in arms),
        ):
            if re.search(r"\bchange\b", said, re.IGNORECASE):
                assert re.search(r"\bregress\b", said, re.IGNORECASE), said


def test_a_page_of_a_model_never_says_that_nothing_can_be_shown_above_its_numbers(
    every: tuple[Report, ...],
) -> None:
    for report in every:
        (x,) = shown_of([report])
        for name in {name for names in arms_of([report]).values() for name in names}:
            said = words_of(summaries.model([x], name, FigureContext(build="b")))
            own = [e for e in report.estimates if len(e.group) == 1 and e.group[0][1] == name]
            assert ("withheld" in said) <= all(e.withheld is not None for e in own), said
            assert "No number" not in said


def test_a_model_with_results_in_other_strata_says_how_many(every: tuple[Report, ...]) -> None:
    """Under attack is told, benign stands below; two scorers are both told, a lone stratum has no other."""
    by_name = {r.experiment: r for r in every}
    one = "One further result, in a stratum of its own, stands below."
    for experiment, further in (("gh-2026", one), ("ties", ""), ("scorers", "")):
        (x,) = shown_of([by_name[experiment]])
        said = words_of(summaries.model([x], "alpha", FigureContext(build="b")))
        assert said.endswith(further) if further else "further result" not in said, said


def test_a_rate_in_the_first_line_of_a_model_says_where_it_stands(every: tuple[Report, ...]) -> None:
    by_name = {r.experiment: r for r in every}
    said = words_of(
        summaries.model(shown_of([by_name["attacked"]]), "alpha", FigureContext(build="b"))
    )  # fmt: skip
    assert "Utility (Experiment attacked, under attack (issue), measured" in said
    assert "(4 unknown of 12 attempts), security " in said
