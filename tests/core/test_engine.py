"""Run pages are as many as were measured: a contract that crashes only then hides none of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import metrics_core as mc
from metrics_core import engine
from metrics_core.contracts import ScorerCrash
from tests.support.small_runs import arm


@pytest.fixture
def experiment(tmp_path: Path) -> mc.Experiment:
    """A log of ten runs."""
    log = tmp_path / "suite/logs_big/alpha.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text("".join(json.dumps(run) + "\n" for run in arm("alpha", 10, 6)))
    return mc.load(tmp_path / "suite")


def crashing(monkeypatch: pytest.MonkeyPatch, experiment: mc.Experiment) -> None:
    """From here on the pages of its family need a process that ends."""

    def review(*_: Any) -> Iterator[Any]:
        raise ScorerCrash("its process ended by itself", where="contract")

    families = [replace(family, review=review) for family in engine.families_of(experiment)]
    monkeypatch.setattr(engine, "families_of", lambda _: families)


def test_a_crash_after_its_numbers_were_published_is_an_error(
    experiment: mc.Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = mc.compute(experiment)
    assert len(list(engine.reviews(experiment, report=report))) == 10
    crashing(monkeypatch, experiment)
    with pytest.raises(ScorerCrash, match="ended by itself"):
        list(engine.reviews(experiment, report=report))


def test_a_family_that_crashed_as_it_was_measured_has_no_pages(
    experiment: mc.Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = replace(mc.compute(experiment), estimates=())
    crashing(monkeypatch, experiment)
    assert list(engine.reviews(experiment, report=report)) == []
