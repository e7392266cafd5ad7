"""The page of one run: where its record is linked, what its verdicts say, steps that are the same for all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from metrics_core.families import FAMILIES
from metrics_core.results.codes import FailedControl, Withheld
from metrics_core.results.keys import Keys
from metrics_core.results.problem import Problem
from metrics_core.results.review import CheckLine, Review, Step, Verdict
from site_src.pages.runs.index import none_alike, runs, told_apart
from site_src.pages.runs.lists import lists
from site_src.pages.runs.record import record_view
from site_src.pages.runs.run import ReviewView, review_view
from site_src.pages.runs.verdicts import chain_rows, counted_in, held_back, tally_words
from site_src.project.site_model import RawFile
from site_src.wording.links import FigureContext
from tests.support import figure_samples as samples, sample_reports, sample_site

PAGE = "reviews/gh-2026/0f9befee8678/index.html"


def verdict(metric: str, word: str, *steps: Step, reason: str = "") -> Verdict:
    known = not reason
    return Verdict(
        metric=metric,
        title=metric.capitalize(),
        stratum=Keys(),
        state="known" if known else "unknown",
        word=word,
        value=1.0 if known else None,
        unit="fraction",
        n=int(known),
        N=int(known),
        of="known verdicts",
        good=True if known else None,
        reason=reason,
        chain=steps,
    )


UTILITY = verdict("utility", "achieved", Step("Attempt", "no error recorded"), Step("Recorded", "true"))
UNKNOWN = verdict(
    "security",
    "unknown",
    Step("Attempt", "no error recorded"),
    Step("Evaluator", "none is configured", ends=True),
    reason="no evaluator is configured",
)


def shown(review: Review, *files: RawFile) -> ReviewView:
    x = replace(sample_site.experiment(sample_reports.brownfield()), files=files)
    (here,) = runs((review,))
    return review_view(x, review, {}, here, None, None, "1 of 1", FigureContext(build="b"), PAGE).view


def of(*verdicts: Verdict, file: str = "attempts/a1", line: int = 1) -> Review:
    return replace(sample_site.review("gh-2026", 0), verdicts=verdicts, file=file, line=line)


def raw(path: str, at: str = "data/experiments/gh-2026/a1.json") -> RawFile:
    return RawFile(path=path, size=3, sha256="0" * 64, at=at)


def test_the_record_of_a_folder_is_the_file_that_says_what_it_is():
    files = raw("attempts/a1/events.jsonl", "data/e"), raw("attempts/a1/metadata.json")
    source = shown(of(UTILITY), *files).record_views[0].about[1]
    assert source.text == "attempts/a1/metadata.json"
    assert source.href == "../../../data/experiments/gh-2026/a1.json"


def test_a_line_of_a_log_is_linked_with_its_number():
    view = shown(of(UTILITY, file="attempts/a.jsonl", line=7), raw("attempts/a.jsonl"))
    source = view.record_views[0].about[1]
    assert (source.text, source.href) == (
        "attempts/a.jsonl:7",
        "../../../data/experiments/gh-2026/a1.json",
    )


def test_files_are_gone_through_once_for_all_runs_of_an_experiment():
    """Each of 20,000 attempts went through the files of all of them."""
    walks = []

    class Walked(tuple[RawFile, ...]):
        __slots__ = ()

        def __iter__(self) -> Iterator[RawFile]:
            walks.append("through")
            return super().__iter__()

        def __reversed__(self) -> Iterator[RawFile]:
            walks.append("back")
            return iter(self[::-1])

    files = Walked([raw("attempts/a1/metadata.json"), raw("attempts/a2/metadata.json")])
    x = replace(sample_site.experiment(sample_reports.brownfield()), files=files)
    for name in ("a1", "a2", "a3"):
        record_view(x, replace(of(UTILITY, file=f"attempts/{name}"), source=b"{}"), PAGE)
    assert sorted(walks) == ["back", "through"]


@pytest.mark.parametrize(
    "files", [(), (raw("attempts/a1/metadata.json", ""),), (raw("attempts/a2/metadata.json"),)]
)
def test_what_is_not_published_is_named_and_not_linked(files: tuple[RawFile, ...]):
    source = shown(of(UTILITY), *files).record_views[0].about[1]
    assert (source.text, source.href) == ("attempts/a1:1", "")


def test_the_first_sentence_names_each_verdict_and_no_value_that_its_word_has_said():
    lede = shown(of(UTILITY, UNKNOWN)).lede
    assert lede == "Utility: achieved. Security is unknown: no evaluator is configured."


def test_counts_and_values_that_say_more_than_the_word_stay():
    assert tally_words(UTILITY) == ""
    assert tally_words(replace(UTILITY, n=0, value=0.0)) == ""
    assert tally_words(replace(UTILITY, n=0, value=0.66)) == "0.66"
    assert tally_words(replace(UTILITY, n=0, value=0.5, word="0.5 by v4")) == ""
    assert tally_words(replace(UTILITY, n=3, N=4, value=0.75, of="assertions")) == "3/4 assertions, 0.75"
    assert tally_words(replace(UTILITY, n=3, N=4, value=None, of="assertions")) == "3/4 assertions"


@pytest.mark.parametrize(
    ("missing", "why"), [(False, "a control failed"), (True, "a required control is missing")]
)
def test_only_a_verdict_whose_number_is_withheld_is_counted_in_none(missing: bool, why: str):
    held = Withheld((FailedControl("self-test", "self-test", "no file", missing=missing),))
    assert held_back([("Failure", held), ("End to end", None)]) == (
        f"Failure is counted in no number, for {why}: of it stands what was recorded."
    )
    assert held_back([("Failure", held)]).startswith(f"Counted in no number, for {why}: ")
    assert held_back([("Failure", None)]) == ""


def test_a_step_that_is_the_same_for_every_verdict_stands_once():
    rows = {row.name: row for row in chain_rows((UTILITY, UNKNOWN), (None, None))}
    attempt = rows["1. Attempt"]
    assert ([step.words[0].text for step in attempt.whole], attempt.columns, attempt.cells) == (
        ["no error recorded"],
        "2",
        (),
    )
    recorded = rows["2. Recorded"]
    assert recorded.whole == ()
    assert ["".join(s.text for s in step.words) for step in recorded.cells] == ["true", "not needed"]
    assert rows["Counted in"].whole[0].words[0].text == "In no published number"
    evaluator = rows["3. Evaluator"]
    assert [step.ends for step in evaluator.cells] == [False, True]
    assert evaluator.cells[1].words[1].text == "None is configured"


def test_a_single_verdict_keeps_its_own_column():
    rows = list(chain_rows((UTILITY,), (None,)))
    assert all(row.whole == () and len(row.cells) == 1 for row in rows)


def test_a_fact_that_the_group_tells_is_not_told_again():
    review = replace(
        of(UTILITY), group=Keys({"condition": "benign"}), facts=(("condition", "benign"), ("calls", "17"))
    )
    told = ["".join(s.text for s in line) for line in shown(review).facts.lines]
    assert sum("benign" in words for words in told) == 1
    assert "Calls 17" in told


def test_a_run_is_counted_in_the_estimate_of_its_arm_though_a_shared_stratum_was_left_out():
    """A prompt that is the same for all of an arm's runs is no stratum of what is published."""
    v = replace(UTILITY, stratum=Keys({"scorer": "match", "prompt": "0123"}))
    review = replace(of(v), group=Keys({"model": "alpha", "scenario": "t1"}))
    mine = replace(samples.share("utility", 7, 9, stratum=(("scorer", "match"),)), family=review.family)
    other = replace(mine, stratum=Keys({"scorer": "choice"}))
    known = {(review.family, "utility", mine.group): [other, mine]}
    assert counted_in(review, v, known, None) == mine
    assert counted_in(review, replace(v, stratum=Keys()), known, None) is None


def test_a_failure_is_counted_at_its_own_level_of_its_pipeline():
    words = FAMILIES["layered"].words
    v = replace(UTILITY, metric="failures_attributed", stratum=Keys())
    review = replace(of(v), family="layered", group=Keys({"l1": "a", "pipeline": "a + b", "to": "coder"}))
    e = replace(samples.share("failures_attributed", 2, 9), stratum=Keys(), words=words)
    whole = replace(e, group=Keys({"pipeline": "a + b", "to": "coder"}))
    layer = replace(e, group=Keys({"l1": "a", "to": "coder"}))
    known = {("layered", v.metric, x.group): [x] for x in (layer, whole)}
    assert counted_in(review, v, known, words) == whole


def test_a_step_behind_the_one_that_broke_was_not_reached():
    reached = verdict("utility", "achieved", Step("Attempt", "ran"), Step("Evaluator", "a check"))
    lost = verdict("security", "unknown", Step("Attempt", "broke", ends=True), reason="broke")
    rows = {row.name: row for row in chain_rows((reached, lost), (None, None))}
    assert rows["2. Evaluator"].cells[1].words[0].text == "not reached"


def test_assertions_that_no_number_counts_say_so_and_are_not_listed_as_missed():
    checks = (CheckLine("a note was left", passed=False), CheckLine("the style check passes", passed=True))
    failed = replace(of(UNKNOWN), checks=checks, uncounted="recorded of a run that failed; not counted")
    told = shown(failed)
    assert told.checks_title == "Assertions, recorded of a run that failed; not counted"
    assert [line[0].text for line in told.checks] == ["recorded as false", "recorded as true"]
    assert [run.missed for run in runs((failed, replace(failed, uncounted="")))] == [(), ("a note was left",)]
    assert shown(replace(failed, uncounted="", checks=checks[:1])).checks_title == "Assertions, 0 of 1 holds"


def test_a_count_stands_behind_what_it_counts_so_that_one_is_no_plural():
    e = replace(samples.share("utility", 1, 1), stratum=Keys(), unknown=1, of="known verdicts")
    told = {row.name: row.cells for row in chain_rows((UTILITY, UNKNOWN), (e, e))}["Counted in"]
    assert ["".join(s.text for s in step.words) for step in told] == [
        "N of utility (known verdicts): 1",
        "The attempts alone: 2. Not in N of security (known verdicts): 1.",
    ]


@pytest.mark.parametrize("state", ["known", "unknown"])
def test_a_chain_ends_only_at_its_last_link_and_only_without_a_verdict(state: str):
    steps = (Step("Attempt", "ran", ends=True), Step("Evaluator", "a check"))
    with pytest.raises(ValueError, match="its chain breaks off at"):
        replace(UNKNOWN if state == "unknown" else UTILITY, chain=steps)


def test_a_list_names_the_records_that_have_no_page() -> None:
    report = sample_reports.brownfield()
    two = (Problem("logs/a.jsonl", 7, "change", "not a number"), Problem("logs/b.jsonl", 1, "", "no JSON"))
    listed = tuple(runs([of(UTILITY)]))

    def lede(*problems: Problem, records: int) -> str:
        x = sample_site.experiment(replace(report, problems=problems, records=records))
        return next(lists(x, listed))[2].lede

    assert lede(*two, records=3).startswith(
        "1 of 3 records has a page; 2 that could not be read have none: logs/a.jsonl:7, logs/b.jsonl:1 "
        "(the page of the experiment says what is wrong there). Runs stand"
    )
    assert "have none (the page" in lede(*two, records=4)
    assert lede(records=1).startswith("The run has a page. Runs stand")


def test_a_list_says_that_a_copy_is_in_no_count() -> None:
    own = of(UTILITY)
    listed = tuple(runs([own, replace(own, repeated=True)]))
    x = sample_site.experiment(replace(sample_reports.brownfield(), records=2))
    told = next(lists(x, listed))[2].lede
    assert "1 of them is a copy of a record that was counted before: no number counts it again." in told
    assert "copy" not in next(lists(x, listed[:1] * 2))[2].lede


def test_no_two_runs_of_an_experiment_are_called_the_same() -> None:
    report = sample_reports.brownfield()
    review = replace(sample_site.review("gh-2026", 0), stamp="2026-08-06T16:11:38+00:00")
    alike = [
        replace(review, run="a", stamp="2026-08-06T16:11:38+00:00"),
        replace(review, run="b", stamp="2026-08-06T16:40:00+00:00"),
        *(replace(review, run=name, title="Another", stamp=None) for name in "cde"),
        replace(review, run="f", title="Alone"),
    ]
    listed = none_alike(tuple(runs(alike)), report)
    assert [run.among for run in listed] == [
        "16:11:38", "16:40:00", "run 1 of 3", "run 2 of 3", "run 3 of 3", "",
    ]  # fmt: skip
    called = [(run.title, told_apart(run, report.words_of(run.family))) for run in listed]
    assert len(set(called)) == len(listed)
    assert called[0][1].endswith("2026-08-06, 16:11:38")
    assert listed[1].beside(listed[0]) == "16:40:00"


def test_runs_of_two_benchmarks_are_told_apart_by_them_and_no_further() -> None:
    report = sample_reports.traces()
    of = sample_site.review("patches-2026", 0)

    def run(name: str, suite: str) -> Review:
        read = replace(verdict("score", "passed"), stratum=Keys({"suite": suite}))
        return replace(of, family="traces", run=name, title="t", stamp=None, verdicts=(read,))

    listed = none_alike(tuple(runs([run("a", "Hello"), run("b", "Bye"), run("c", "Bye")])), report)
    assert [run.among for run in listed] == ["Hello", "Bye, run 1 of 2", "Bye, run 2 of 2"]
