"""Estimates: what stands in the data beside the interval that is drawn."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from metrics_core.measurement.estimators import EXACT_UP_TO
from metrics_core.measurement.grouping import RunGroup, in_clusters
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


@given(
    st.dictionaries(
        st.sampled_from("abc"),
        st.dictionaries(
            st.sampled_from("vwxyz"),
            st.dictionaries(
                st.sampled_from(((0.0, 0, 1), (0.5, 1, 2), (1.0, 1, 1))), st.integers(1, 4), min_size=1
            ),
            min_size=1,
        ),
    ),
    st.dictionaries(st.sampled_from("vwxyz"), st.integers(1, 3)),
)
def test_clusters_that_are_read_off_tasks_are_those_of_the_runs(
    known: dict[str, dict[str, dict[tuple[float, int, int], int]]], lost: dict[str, int]
) -> None:
    """Tasks of which runs are not known, and tasks that lie in several clusters, among them."""
    group = RunGroup({c: {t: Counter(runs) for t, runs in tasks.items()} for c, tasks in known.items()})
    group.home |= {
        task: min(c for c, tasks in known.items() if task in tasks) for x in known.values() for task in x
    }
    for task, n in lost.items():
        group.lost[task][("error", "it failed")] += n
    assert in_clusters(group.places()) == group.by_cluster()
