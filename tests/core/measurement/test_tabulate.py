"""What a partial counts: each record once, lines that are no record, and runs under another denominator."""

from __future__ import annotations

from collections import Counter

from metrics_core.families.brownfield import FAMILY
from metrics_core.formats.jsonl import batches
from metrics_core.measurement.family import Context
from metrics_core.measurement.finalise import finalise
from metrics_core.measurement.fixtures import NO_DATA
from metrics_core.measurement.grouping import RunGroup, refill
from metrics_core.measurement.tabulate import Partial, tabulate
from tests.support.family_records import as_lines, of_fixtures

CONTEXT = Context(experiment="e")
RUN = of_fixtures(FAMILY)[0]


def _partial(data: bytes, skip: frozenset[bytes] = frozenset()) -> Partial:
    return tabulate(FAMILY, batches([data], FAMILY.record, file="f.jsonl"), CONTEXT, skip)


def _known(partial: Partial, metric: str) -> int:
    return sum(cell.known.total() for (name, *_), cell in partial.cells.items() if name == metric)


def test_the_same_record_is_counted_once_within_a_log_and_across_logs():
    once, twice = _partial(as_lines([RUN])), _partial(as_lines([RUN]) + as_lines([RUN]))
    assert (twice.duplicates, _known(twice, "done")) == (1, 1)
    again = _partial(as_lines([RUN]), frozenset(once.seen))
    assert (again.duplicates, _known(again, "done")) == (1, 0)


def test_a_line_that_is_no_record_is_an_attempt_of_the_whole_and_of_no_group():
    found = finalise(FAMILY, _partial(as_lines([RUN]) + b"oops\n"), CONTEXT, NO_DATA).funnels
    assert {funnel.group: funnel.stages[0].estimate.N for funnel in found} == {(): 2, (("model", "m"),): 1}


def test_unknown_runs_that_are_counted_otherwise_stay_in_their_cluster():
    bunch = RunGroup(home={"task": "repo"})
    bunch.lost["task"] = Counter({("unknown", "not recorded"): 2, ("error", "timed out"): 1})
    filled = refill(bunch, ["unknown"], 0.0)
    assert filled.values == {"repo": {"task": {(0.0, 0, 1): 2}}}
    assert filled.lost == {"task": {("error", "timed out"): 1}}
