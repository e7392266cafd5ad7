"""Benchmarks: each can be started, and what they come to is held against what was asked."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

from benchmarks import __main__ as benchmarks, _targets, engines, figures, ingest

MODULES = sorted(path.stem for path in Path(benchmarks.HERE).glob("*.py") if path.stem != "__main__")
SCRIPTS = {"peer_inputs"}
"""Have no table: they write files for other programs."""


@pytest.mark.parametrize("name", MODULES)
def test_each_module_is_loaded_and_is_a_benchmark_or_says_that_it_is_none(name: str) -> None:
    """One of them named what a helper of the tests had lost, and was found broken when it was wanted."""
    module = importlib.import_module(f"benchmarks.{name}")
    assert hasattr(module, "table") == (not name.startswith("_") and name not in SCRIPTS)
    assert module.__doc__


def test_partials_are_counted_and_merged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass named a method that had become a function: no type tells, for what it times is anything."""
    monkeypatch.setattr("metrics_core.measurement.partitions.LARGEST_STRETCH", 2**20)
    ingest.write(tmp_path / "logs", 200)
    counted = engines.count(tmp_path / "logs", tmp_path / "kept")
    merged = engines.merge(tmp_path / "logs", tmp_path / "kept")
    assert counted["stretches"] == len(ingest.MODELS)
    assert min(counted["bytes"], merged["whole"], counted["hints"]) > 0


def test_a_figure_is_drawn_beside_its_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    """It drew a kind of figure that had become rows of a table."""
    monkeypatch.setattr(figures, "TIMES", 1)
    assert [row.partition(" | ")[0] for row in figures.table().splitlines()[-3:]] == [
        "| specification",
        "| SVG, new",
        "| SVG, unchanged",
    ]


def test_all_of_them_are_run_when_none_is_named() -> None:
    assert benchmarks.every() == [
        name for name in MODULES if not name.startswith("_") and name not in SCRIPTS
    ]


def test_their_examples_hold() -> None:
    for module in (benchmarks, _targets):
        failed, tried = doctest.testmod(module)
        assert tried
        assert not failed


def test_recorded_results_begin_with_what_they_come_to() -> None:
    recorded = benchmarks.RESULTS.read_text("utf-8")
    assert benchmarks.with_summary(recorded) == recorded
    assert recorded.count("| met |") + recorded.count("| **missed** |") == len(_targets.TARGETS)


def test_a_miss_is_never_told_without_what_would_be_tried_next() -> None:
    assert [target.what for target in _targets.TARGETS if not target.next_idea] == []


RESULTS = """# Benchmarks

## Starting

| what | CPU s | more than bare | to bare |
| --- | --: | --: | --: |
| assay --help | 0.08 | {help} | 6.4 |
| assay compute of 3 records | 1,000.5 | 0.31 | 24.0 |
| assay build of them | 2.31 | 2.29 | 162.4 |
"""


@pytest.mark.parametrize(
    ("measured", "words"), [("0.20", "| 0.2 s | met |"), ("0.21", "| 0.21 s | **missed** |")]
)
def test_a_target_is_met_up_to_what_was_asked(measured: str, words: str) -> None:
    summary = _targets.summary(RESULTS.format(help=measured))
    (row,) = [line for line in summary.splitlines() if "--help" in line]
    assert words in row
    assert f"{1 if 'met' in words else 0} of 3 are met" in summary


def test_a_row_that_is_gone_is_no_target_met() -> None:
    with pytest.raises(LookupError, match="no row 'assay compute' with 'more than bare' under 'Starting'"):
        _targets.summary(RESULTS.format(help="0.1").replace("assay compute", "compute"))
