"""Links of funnels and rows open the runs that they count: as many as is said, by the index of runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from msgspec.structs import replace

import metrics_core as mc
from metrics_core import api
from metrics_core.experiments import Experiment
from metrics_core.redaction import Redactor
from metrics_core.results import STAGE, Estimate, Funnel, Loss, NotKnown, Report, State
from site_src import paths, pipeline
from site_src.drawing import arm_rows
from site_src.figures import funnel
from site_src.pages.runs import index
from site_src.pages.site_map import filter_fragment, gap_words
from site_src.project import Plan, read
from site_src.wording import FigureContext, Links, Span
from tests.conftest import REPO
from tests.support import hard_experiments
from tests.support.by_day import one_in
from tests.support.figure_samples import share

CONTEXT = FigureContext(build="0", links=Links(reviews=filter_fragment))
EXAMPLE = sorted(path.name for path in (REPO / "content" / "experiments").iterdir() if path.is_dir())

TWO_INSTRUMENTS = "\n".join(
    json.dumps({"task_id": f"t{n}", "agent": "alpha", "rep": 1, "contract_id": which,
                "scores": {"match": float(n > hits), "choice": float(n % 2)}})
    for which, hits in (("assay/recorded-score", 2), ("assay/table", 6))
    for n in range(9)
)  # fmt: skip


def rows(experiment: Experiment, report: Report) -> list[dict[str, list[str]]]:
    """The runs as the page's script sees them: column -> words."""
    listed_ = tuple(index.runs(api.reviews(experiment, (), report)))
    text = index.index(listed_, gap_words(report)).decode("ascii")
    document: dict[str, Any] = json.loads(text.partition("= ")[2].rpartition(";")[0])
    found: list[dict[str, list[str]]] = [{} for _ in document["runs"]]
    for column in document["columns"]:
        for row, cell in zip(found, column["rows"], strict=True):
            places = cell if isinstance(cell, list) else [cell]
            row[column["key"]] = [column["words"][at] for at in places]
    return found


def listed(runs: list[dict[str, list[str]]], href: str) -> int:
    wanted = parse_qsl(href.removeprefix("#?"))
    return sum(all(value in run.get(key, []) for key, value in wanted) for run in runs)


def links(shape: Funnel) -> Iterator[tuple[str, int, str]]:
    for stage in shape.stages:
        for loss in funnel._losses(stage):
            yield loss.words, loss.count, funnel._href(stage, loss, CONTEXT)


def told_otherwise(experiment: Experiment) -> tuple[int, list[str]]:
    report = mc.compute(experiment)
    runs = rows(experiment, report)
    made = [(shape, *link) for shape in report.funnels for link in links(shape)]
    wrong = [
        f"{dict(shape.stratum)} {dict(shape.group)}: {words}: {count} told, {listed(runs, href)} listed"
        for shape, words, count, href in made
        if href and listed(runs, href) != count
    ]
    return sum(bool(href) for *_, href in made), wrong


@one_in(3)
@pytest.mark.parametrize("name", EXAMPLE)
def test_a_link_opens_as_many_runs_as_the_example_counts(name: str) -> None:
    experiment = mc.load(REPO / "content" / "experiments" / name)
    number, wrong = told_otherwise(experiment)
    assert wrong == []
    assert number > 0 or name == "brownfield-2026-07b"  # whose control failed: it counts nobody as lost


def test_a_row_opens_the_runs_of_its_own_stratum_and_of_no_other() -> None:
    """As many as the row has attempts; all runs of the arm were opened, whatever check they were of."""
    experiment = mc.load(REPO / "content" / "experiments" / "pairs-2026-07")
    report = mc.compute(experiment)
    runs = rows(experiment, report)
    found = [
        e for e in report.estimates if e.metric == "check_pass" and e.group.names in (("chat",), ("coder",))
    ]
    assert len({e.stratum for e in found}) == 3
    assert {e.id: listed(runs, arm_rows._runs(e, CONTEXT)) for e in found} == {
        e.id: e.attempts for e in found
    }


def test_repeats_open_every_run_and_what_is_not_known_opens_its_runs() -> None:
    alpha = ("model", "alpha")
    repeats = share("pass_hat_k", 3, 9, unknown=1, family="traces", group=(("k", "2"), alpha), stratum=())
    assert arm_rows._runs(repeats, CONTEXT) == "#?family=traces&model=alpha"
    of = "#?family=traces&model=alpha&gap=pass_hat_k%3A%20not%20known"
    assert arm_rows._not_known(repeats, CONTEXT) == (Span("1", href=of),)
    every = share("pass_hat_k", 3, 9, family="traces", group=(("k", "2"), alpha), stratum=())
    assert arm_rows._not_known(every, CONTEXT) == (Span("0"),)
    none = share("utility", 0, 0, unknown=3, group=(alpha,), stratum=(("condition", "benign"),))
    gap = "#?family=attempts&model=alpha&gap=utility%3A%20not%20known"
    assert arm_rows._not_known(none, CONTEXT) == (Span("3", href=gap),)


def test_lines_that_are_no_run_are_not_among_those_that_a_number_leads_to() -> None:
    lines = Loss(state="invalid", reason=NotKnown.NO_RECORD, count=2)
    read = replace(share("utility", 3, 9, unknown=1, invalid=3, group=(("model", "alpha"),)), losses=(lines,))
    (number, runs, _) = arm_rows._not_known(read, CONTEXT)
    assert (number.text, number.href, runs.text) == ("4 (", "", "2 runs")
    assert "not%20known" in runs.href
    assert arm_rows.gap_runs(read, "invalid", CONTEXT) == ""
    assert arm_rows.gap_runs(read, "unknown", CONTEXT).endswith("unknown")
    stage = replace(read, metric=STAGE, losses=())
    assert arm_rows.gap_runs(stage, "known", CONTEXT) == ""


def test_a_link_opens_as_many_runs_as_hard_experiments_count(tmp_path: Path) -> None:
    (tmp_path / "contracts" / "traces").mkdir(parents=True)
    (tmp_path / "contracts" / "traces" / "log.jsonl").write_text(TWO_INSTRUMENTS)
    found = [*hard_experiments.experiments(tmp_path), mc.load(tmp_path / "contracts")]
    told = {e.slug: told_otherwise(e) for e in found}
    assert {name: wrong for name, (_, wrong) in told.items() if wrong} == {}
    assert told["contracts"][0] > 2


def gap_links(report: Report) -> Iterator[tuple[Estimate, State, int, str]]:
    """Every estimate whose runs a list can tell, each state that is no verdict, how many runs, the link."""
    gaps = gap_words(report)
    context = FigureContext(build="0", links=Links(reviews=lambda wanted: filter_fragment(wanted, gaps)))
    metrics = api.metrics()
    for e in report.estimates:
        metric = metrics.get((e.family, e.metric))
        if e.withheld is not None or metric is None or "stamp" in e.group.names:
            continue
        lines = sum(x.count for x in e.losses if x.reason is NotKnown.NO_RECORD)
        states: tuple[tuple[State, int], ...] = (
            ("unknown", e.unknown), ("error", e.errors), ("invalid", e.invalid - lines),
            ("known", e.attempts - e.known - lines),
        )  # fmt: skip
        for state, told in states:
            yield e, state, told, arm_rows.gap_runs(e, state, context)


def gaps_told_otherwise(experiment: Experiment) -> tuple[int, list[str]]:
    report = mc.compute(experiment)
    runs = rows(experiment, report)
    made = [link for link in gap_links(report) if "gap=" in link[-1]]
    wrong = [
        f"{e.id} {state}: {told} told, {listed(runs, href)} listed: {href}"
        for e, state, told, href in made
        if listed(runs, href) != told
    ]
    return len(made), wrong


@one_in(3)
@pytest.mark.parametrize("name", EXAMPLE)
def test_what_is_not_known_opens_exactly_these_runs_of_the_example(name: str) -> None:
    number, wrong = gaps_told_otherwise(mc.load(REPO / "content" / "experiments" / name))
    assert wrong == []
    assert number > 0 or name == "brownfield-2026-07b"


def test_what_is_not_known_opens_exactly_these_runs_of_hard_experiments(tmp_path: Path) -> None:
    told = {e.slug: gaps_told_otherwise(e) for e in hard_experiments.experiments(tmp_path)}
    assert {name: wrong for name, (_, wrong) in told.items() if wrong} == {}
    assert sum(number for number, _ in told.values()) > 20


def test_lines_that_are_no_run_have_no_link(tmp_path: Path) -> None:
    (tmp_path / "traces").mkdir()
    (tmp_path / "traces" / "log.jsonl").write_text(f"{TWO_INSTRUMENTS}\n[]\n")
    report = mc.compute(tmp_path)
    found = [
        href
        for shape in report.funnels
        for stage in shape.stages
        for loss in funnel._losses(stage)
        if loss.reason == NotKnown.NO_RECORD
        for href in [funnel._href(stage, loss, CONTEXT)]
    ]
    assert set(found) == {""}


def test_a_copy_of_a_record_is_shown_in_no_number(tmp_path: Path) -> None:
    (tmp_path / "traces").mkdir()
    line = TWO_INSTRUMENTS.splitlines()[0]
    (tmp_path / "traces" / "log.jsonl").write_text(f"{TWO_INSTRUMENTS}\n{line}\n")
    sources = read(Plan(content=None, experiments=(tmp_path,), output=tmp_path / "s", redactor=Redactor()))
    made = pipeline.model(sources, pipeline.measure(sources))
    *_, copy = api.reviews(sources.experiments[0], (), made.reports[0])
    assert (copy.repeated, copy.lost) == (True, ())
    file = made.file(f"{paths.review(copy.experiment, copy.run)}")
    assert file is not None
    text = file.data.decode()
    assert "Counted in no number, for the same record, byte for byte, was counted before." in text
    assert "In no published number" in text
