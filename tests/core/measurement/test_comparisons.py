"""Differences of two groups of runs: which of them are made at all."""

from __future__ import annotations

from collections import Counter

from metrics_core.measurement.comparisons import difference
from metrics_core.measurement.grouping import RunGroup
from metrics_core.results.codes import NoInterval


def test_one_side_with_fewer_than_eight_known_runs_is_not_compared() -> None:
    def side(tasks: str) -> RunGroup:
        return RunGroup({t: {t: Counter({(1.0, 1, 1): 1})} for t in tasks}, home={t: t for t in tasks})

    for a, b in (("abcdefgh", "abcdefg"), ("abcdefg", "abcdefghi")):
        found = difference(side(a), side(b), "scenario")
        assert (found.value, found.interval.lo, found.interval.reason) == (None, None, NoInterval.TOO_FEW)
    assert difference(side("abcdefgh"), side("abcdefgh"), "scenario").value == 0.0
