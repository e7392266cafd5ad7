"""Estimates: what stands in the data beside the interval that is drawn."""

from __future__ import annotations

import pytest

from metrics_core.measurement.estimators import EXACT_UP_TO
from tests.support.measured import by_id, measured
from tests.support.small_runs import run

ARTEFACT = "graded=assertions"


@pytest.mark.parametrize(("runs", "counted"), [(EXACT_UP_TO, True), (EXACT_UP_TO + 1, False)])
def test_the_exact_bootstrap_stands_in_the_data_or_says_why_not(runs: int, counted: bool) -> None:
    records = [run("alpha", n % 60, held=n % 2 == 0, rep=n) for n in range(runs)]
    done = by_id(measured("brownfield", records))[f"done?{ARTEFACT}"]
    exact = dict(done.also)["exact percentile bootstrap"]
    assert (exact.lo is not None) is counted
    assert exact.reason == (None if counted else "more than 1000 runs: not counted out")
