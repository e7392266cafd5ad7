"""What a source says of itself, where that is not what was read: a finding, and a note on its own numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from metrics_core import engine
from metrics_core.adapters import ADAPTERS
from metrics_core.errors import FormatError
from metrics_core.experiments import load_experiment
from metrics_core.families import FAMILIES
from metrics_core.formats import (
    AllFailed,
    Declared,
    Edited,
    Element,
    Ended,
    Limited,
    Made,
    OutsideFile,
    OwnFigure,
    Retried,
    Row,
    RunsDeclared,
    ScoredFailures,
)
from metrics_core.measurement.partitions import LARGEST_BATCH, batches
from metrics_core.results import Estimate, Problem, Report

RECORD = {"schema": "trace.v1", "suite": "s", "rep": 1}
SOURCE = "source: {format: tau-bench, path: out}\n"


def convert(file: OutsideFile) -> Iterator[Made]:
    """An agent a file, two tasks; it declares five, and a figure of its own under one of its two scorers."""
    agent = Path(file.path).stem
    for task in ("a", "b"):
        record = {**RECORD, "task_id": task, "agent": agent, "scores": {"exact": 1.0, "loose": 0.0}}
        yield Element(record=record, source=f"{agent} {task}".encode())
    yield Declared.by(file.path, RunsDeclared(5, 2), model=agent)
    yield Declared.by(file.path, OwnFigure("max", 0.75, 1.0), model=agent, scorer="exact")


def measured(root: Path, agents: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> Report:
    adapter = replace(ADAPTERS["tau-bench"], claims=lambda path, head: True, convert=convert)
    for agent in agents:
        (root / "out").mkdir(parents=True, exist_ok=True)
        (root / "out" / f"{agent}.json").write_text(json.dumps(agent))
    (root / "experiment.yaml").write_text(SOURCE)
    monkeypatch.setattr("metrics_core.adapters.tau_bench.ADAPTER", adapter)
    return engine.compute(load_experiment(root, layout={}, adapters={"tau-bench": adapter}))


def noted(report: Report, metric: str, scorer: str, *group: str) -> list[tuple[Estimate, tuple[str, ...]]]:
    found = [e for e in report.estimates if e.metric == metric and e.group.names == group]
    return [(e, e.notes) for e in found if e.stratum.get("scorer") == scorer]


def test_a_note_stands_beside_the_numbers_of_its_source_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = measured(tmp_path / "e", ("alpha", "beta"), monkeypatch)
    runs = {agent: f"out/{agent}.json declares 5 runs; 2 are here" for agent in ("alpha", "beta")}
    for e, notes in noted(report, "score", "exact", "model"):
        agent = e.group["model"]
        figure = f"out/{agent}.json its own figure (max) is 0.75; its runs' mean is 1"
        assert set(notes) >= {runs[agent], figure}
        assert not [note for note in notes if "alpha" in note and agent == "beta"]
    for _, notes in noted(report, "score", "loose"):
        assert set(runs.values()) <= set(notes)
        assert not [note for note in notes if "own figure" in note]
    assert not [note for _, notes in noted(report, "score", "exact", "scenario") for note in notes]
    said = {f"out/{agent}.json: declares 5 runs; 2 are here" for agent in runs}
    assert {str(finding) for finding in report.findings} >= said


def test_many_sources_are_told_in_one_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = measured(tmp_path / "e", ("a", "b", "c"), monkeypatch)
    (whole,) = noted(report, "score", "loose")
    assert "3 sources declare 15 runs; 6 are here" in whole[1]


def test_each_kind_is_said_alone_and_together() -> None:
    assert str(Ended("error", 6, 20)) == "ended with status error: 6 of 20 runs never ran"
    assert Ended.together(2, [Ended("error", 6, 20), Ended("cancelled", 0, 0)]) == (
        "2 sources ended with status cancelled or error: 6 of 20 runs never ran"
    )
    assert OwnFigure.together(2, [OwnFigure("mean", 0.5, None), OwnFigure("mean", 1.0, 0.25)]) == (
        "2 sources state figures of their own (mean): 0.75 on average; 0.25 of their runs"
    )
    assert Retried.together(2, [Retried(1), Retried(13, "b.eval")]) == (
        "14 earlier tries of runs, in 2 sources, are not counted"
    )
    assert Edited.together(2, [Edited(1, 20), Edited(2, 20)]) == (
        "2 sources: the scores of 3 of 40 runs were edited by hand: as edited they count"
    )
    assert ScoredFailures.together(2, [ScoredFailures(1, 5), ScoredFailures(1, 5)]) == (
        "2 sources: 2 of 10 runs failed and were scored all the same, as was asked for: their scores count"
    )
    assert AllFailed.together(2, [AllFailed(5, "timeout", 2), AllFailed(4, "upstream 503", 4)]) == (
        "all 9 runs of 2 sources failed, 4 with: upstream 503"
    )
    assert Limited.together(2, [Limited("20 samples"), Limited("20 samples")]) == (
        "2 sources were limited: 20 samples"
    )


def test_the_same_source_is_the_same_run_though_its_record_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def twice(file: OutsideFile) -> Iterator[Made]:
        for source in (b"1", b"2", b"1"):
            yield Element(
                record={**RECORD, "task_id": "t", "agent": "m", "scores": {"s": 1.0}}, source=source
            )

    monkeypatch.setitem(globals(), "convert", twice)
    report = measured(tmp_path / "e", ("a",), monkeypatch)
    (whole,) = noted(report, "score", "s")
    assert whole[0].known == 2


def test_elements_of_any_size_keep_their_numbers_and_their_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def large(file: OutsideFile) -> Iterator[Made]:
        """Each element fills a batch; the second is no record, and the file breaks off behind the fourth."""
        for number in range(4):
            record = {**RECORD, "task_id": str(number), "agent": "m", "scores": {"s": 1.0}}
            source = str(number).encode() * LARGEST_BATCH
            yield Element(record=record | ({"rep": "x"} if number == 1 else {}), source=source)
        raise FormatError("breaks off", where=file.path)

    monkeypatch.setitem(globals(), "convert", large)
    measured(tmp_path / "e", ("a",), monkeypatch)
    adapter = replace(ADAPTERS["tau-bench"], claims=lambda path, head: True, convert=large)
    experiment = load_experiment(tmp_path / "e", layout={}, adapters={"tau-bench": adapter})
    found = list(batches(FAMILIES["traces"], experiment, experiment.families["traces"]))
    items = [item for batch in found for item in batch]
    assert [(i.line, i.source[:1]) for i in items if isinstance(i, Row)] == [(1, b"0"), (3, b"2"), (4, b"3")]
    told = [(i.line, i.field, i.what) for i in items if isinstance(i, Problem)]
    assert told == [(2, "rep", 'expected int or null, got "x"'), (None, "", "breaks off")]
    assert max(sum(isinstance(i, Row) for i in batch) for batch in found) == 1
