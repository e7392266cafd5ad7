"""What a partial counts: each record once, lines that are no record, other denominators, and money."""

from __future__ import annotations

from collections import Counter

from metrics_core.experiments.settings import Settings
from metrics_core.families.brownfield import FAMILY
from metrics_core.formats.jsonl import batches
from metrics_core.measurement.family import Context, Spent
from metrics_core.measurement.finalise import finalise
from metrics_core.measurement.fixtures import NO_DATA
from metrics_core.measurement.grouping import RunGroup, refill
from metrics_core.measurement.tabulate import RECORDED_ONLY, Partial, _priced, tabulate
from metrics_core.memo import Memo
from metrics_core.pricing import PriceTable, Rate, Usage
from metrics_core.results.keys import Keys
from tests.support.family_records import as_lines, of_fixtures

CONTEXT = Context(experiment="e", settings=Settings(), memo=Memo())
RUN = of_fixtures(FAMILY)[0]
TABLE = PriceTable("t.yaml", "2026-07-05", None, {"a": Rate(100, 1000, 1)}, {})


def _partial(data: bytes, skip: frozenset[bytes] = frozenset()) -> Partial:
    return tabulate(FAMILY, batches([data], FAMILY.record, file="f.jsonl"), CONTEXT, skip)


def _known(partial: Partial, metric: str) -> int:
    return sum(cell.told for (name, *_), cell in partial.cells.items() if name == metric)


def test_the_same_record_is_counted_once_within_a_log_and_across_logs():
    once, twice = _partial(as_lines([RUN])), _partial(as_lines([RUN]) + as_lines([RUN]))
    assert (twice.duplicates, _known(twice, "done")) == (1, 1)
    again = _partial(as_lines([RUN]), frozenset(once.seen))
    assert (again.duplicates, _known(again, "done")) == (1, 0)


def test_a_line_that_is_no_record_is_an_attempt_of_the_whole_and_of_no_group():
    found = finalise(FAMILY, _partial(as_lines([RUN]) + b"oops\n"), CONTEXT, NO_DATA).funnels
    assert {funnel.group: funnel.stages[0].estimate.N for funnel in found} == {(): 2, (("model", "m"),): 1}


def test_the_first_lines_that_are_no_records_are_told_and_all_are_counted():
    partial = _partial(as_lines([RUN]) + b"oops\n" * 1500 + b"{}\n" * 700)
    assert (partial.records, partial.invalid, _known(partial, "done")) == (2201, 2200, 1)
    *told, rest = partial.problems
    assert (len(told), told[-1].line) == (1000, 1001)
    assert str(rest) == "f.jsonl: 1,200 more lines that are no records, beyond the first 1,000"
    assert sum(problem.count for problem in partial.problems) == 2200


def test_unknown_runs_that_are_counted_otherwise_stay_in_their_cluster():
    bunch = RunGroup(home={"task": "repo"})
    bunch.lost["task"] = Counter({("unknown", "not recorded"): 2, ("error", "timed out"): 1})
    filled = refill(bunch, ["unknown"], 0.0)
    assert filled.values == {"repo": {"task": {(0.0, 0, 1): 2}}}
    assert filled.lost == {"task": {("error", "timed out"): 1}}


def _stratum(recorded: int | None, usages: tuple[Usage, ...] | None, table: PriceTable | None) -> Keys:
    context = Context(experiment="e", settings=Settings(), table=table, memo=Memo())
    return _priced(Partial(), Spent("a", Keys({"graded": "claims"}), recorded, usages), context).stratum


def test_recorded_money_without_tokens_bears_no_tables_date():
    used = (Usage("a", 1, 0, 0),)
    dated, recorded = ("prices", "2026-07-05"), ("prices", RECORDED_ONLY)
    assert recorded in _stratum(5, None, TABLE)  # no table can prove what was only written down
    assert dated in _stratum(5, used, TABLE)
    assert dated in _stratum(None, used, TABLE)
    assert (
        "prices" not in _stratum(None, None, TABLE).names
    )  # where it belongs is said by its arm's other runs
    assert recorded in _stratum(5, used, None)
