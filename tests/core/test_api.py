"""The calls of a notebook: a comparison asked for by name, and the frame of a report."""

from __future__ import annotations

from pathlib import Path

import pytest

import metrics_core as mc
from metrics_core.experiments.experiment import Experiment
from tests.support.measured import lines
from tests.support.small_runs import arm, run

ARTEFACT = "graded=assertions"


@pytest.fixture
def experiment(tmp_path: Path) -> Experiment:
    (tmp_path / "e" / "logs_big").mkdir(parents=True)
    log = tmp_path / "e" / "logs_big" / "a.jsonl"
    log.write_bytes(
        lines(
            [
                *arm("alpha", 30, 30),
                *arm("beta", 30, 6),
                run("alpha", 40, error="gone", stamp="2026-07-06T10:00:00Z"),
            ]
        )
    )
    return mc.load(tmp_path / "e")


def test_a_comparison_is_given_the_way_round_that_was_asked_for(experiment: Experiment) -> None:
    report = mc.compute(experiment)
    there, back = mc.compare(report, "change", "alpha", "beta"), mc.compare(report, "change", "beta", "alpha")
    assert (there.a, there.b, there.difference, there.verdict) == ("alpha", "beta", 0.8, "a above b")
    assert (back.a, back.b, back.difference, back.verdict) == ("beta", "alpha", -0.8, "b above a")
    assert there.interval.lo is not None
    assert there.interval.hi is not None
    assert (back.interval.lo, back.interval.hi) == (-there.interval.hi, -there.interval.lo)
    assert (back.p, back.p_adjusted, back.detectable) == (there.p, there.p_adjusted, there.detectable)
    errors = next(x for x in back.sensitivity if x.denominator == "errors counted as failures")
    assert (errors.judged.strict, errors.difference) == ("b above a", -0.8)
    assert back.reversed() == there


def test_a_frame_carries_what_an_estimate_may_not_be_shown_without(experiment: Experiment) -> None:
    frame = mc.compute(experiment).frame().set_index("id")
    row = frame.loc[f"e/brownfield.done?model=alpha&{ARTEFACT}"]
    assert (row["n"], row["N"], row["attempts"], row["errors"]) == (30, 30, 31, 1)
    assert (row["bounds.lo"], row["bounds.hi"]) == (30 / 31, 1.0)
    assert (row["stamps.first"], row["stamps.last"]) == ("2026-07-05T10:00:00Z", "2026-07-06T10:00:00Z")
