"""What must be true of every family, tested without being asked: a new module in the folder enrols itself."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from metrics_core import fixtures
from metrics_core.errors import PoolingError
from metrics_core.estimate import Estimate
from metrics_core.families import FAMILIES
from metrics_core.family import Context, Family
from metrics_core.finalise import Findings, finalise
from metrics_core.fixtures import NO_DATA
from metrics_core.pooling import pool
from metrics_core.reader import batches
from metrics_core.tabulate import Partial, tabulate
from tests.family_records import BLIND, records

seeing = pytest.mark.parametrize(
    "family", [f for f in FAMILIES.values() if f.name in BLIND], ids=lambda f: f.name
)
every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
few = settings(max_examples=25)
"""Of each property: there are many families, and each example measures whole experiments."""
CONTEXT = Context(experiment="e")


def lines(records: Sequence[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def partial_of(family: Family, records: Sequence[dict[str, Any]], more: bytes = b"") -> Partial:
    return tabulate(family, batches([lines(records) + more], family.record, file="f.jsonl", rows=3), CONTEXT)


def findings_of(family: Family, records: Sequence[dict[str, Any]], more: bytes = b"") -> Findings:
    return finalise(family, partial_of(family, records, more), CONTEXT, NO_DATA)


def as_json(findings: Findings) -> str:
    return json.dumps(
        [
            [e.to_json() for e in findings.estimates],
            [c.to_json() for c in findings.comparisons],
            repr(findings.funnels),
            repr(findings.series),
        ],
        allow_nan=False,
    )


def unique(drawn: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Records that are told apart: a byte-identical one would rightly be counted once."""
    return [{**record, "rep": number} for number, record in enumerate(drawn)]


@every_family
def test_golden_fixtures_hold(family: Family) -> None:
    assert len(fixtures.hold(family)) == len(family.contract.fixtures) > 0


@every_family
@few
@given(data=st.data())
def test_the_order_of_records_is_no_information(family: Family, data: st.DataObject) -> None:
    drawn = unique(data.draw(st.lists(records(family), max_size=24)))
    shuffled = random.Random(data.draw(st.integers(0, 99))).sample(drawn, len(drawn))
    assert as_json(findings_of(family, shuffled)) == as_json(findings_of(family, drawn))


@every_family
@few
@given(data=st.data())
def test_splitting_and_merging_agree(family: Family, data: st.DataObject) -> None:
    drawn = unique(data.draw(st.lists(records(family), max_size=24)))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(drawn)), max_size=4)))
    parts = [drawn[a:b] for a, b in zip([0, *cuts], [*cuts, len(drawn)], strict=True)]
    random.Random(len(drawn)).shuffle(parts)
    merged = Partial()
    for part in parts:
        merged.merge(partial_of(family, part))
    assert as_json(finalise(family, merged, CONTEXT, NO_DATA)) == as_json(findings_of(family, drawn))


@every_family
@few
@given(data=st.data())
def test_counts_add_up_and_numbers_stay_in_their_range(family: Family, data: st.DataObject) -> None:
    drawn = unique(data.draw(st.lists(records(family), max_size=40)))
    found = findings_of(family, drawn, b"{torn\n")
    for e in found.estimates:
        assert e.attempts == e.known + e.unknown + e.invalid + e.errors <= len(drawn) + 1
        assert e.n is not None
        assert e.N is not None
        assert 0 <= e.n <= e.N
        assert sum(loss.count for loss in e.losses) == (0 if e.metric == "stage" else e.attempts - e.known)
        if e.value is not None and e.unit == "fraction":
            assert 0 <= e.value <= 1
            if e.interval.lo is not None and e.interval.hi is not None:
                assert 0 <= e.interval.lo <= e.value <= e.interval.hi <= 1
        if e.known < 8:
            assert e.interval.lo is None or e.unit in ("USD", "s", "count")
    ids = [e.id for e in found.estimates]
    assert len(ids) == len(set(ids))
    assert not any(character.isspace() for i in ids for character in i)


@every_family
@few
@given(data=st.data())
def test_a_line_that_is_no_record_is_invalid_in_the_whole_only(family: Family, data: st.DataObject) -> None:
    drawn = unique(data.draw(st.lists(records(family), min_size=1, max_size=12)))
    without = {e.id: e for e in findings_of(family, drawn).estimates}
    parted = {metric.name: metric.parted for metric in family.metrics if metric.parted}
    for e in findings_of(family, drawn, b'{"torn": \n').estimates:
        whole = {key for key, _ in e.group} <= {"stage", "k", parted.get(e.metric)}
        assert e.attempts - without[e.id].attempts == int(whole)
        if e.metric != "stage":
            assert e.invalid - without[e.id].invalid == int(whole)


@seeing
@few
@given(data=st.data())
def test_what_is_unknown_is_never_a_failure(family: Family, data: st.DataObject) -> None:
    drawn = unique(data.draw(st.lists(records(family), min_size=1, max_size=12)))
    blind = [{**record, **BLIND[family.name]} for record in drawn]
    measured = [m for m in family.metrics if m.kind != "context"]
    for e in findings_of(family, blind).estimates:
        if e.metric in {m.name for m in measured}:
            assert (e.value, e.known, e.n, e.N) == (None, 0, 0, 0)


@seeing
@few
@given(data=st.data())
def test_adding_an_unknown_never_narrows_the_bounds(family: Family, data: st.DataObject) -> None:
    drawn = unique(data.draw(st.lists(records(family), min_size=2, max_size=12)))
    blind = {**drawn[-1], **BLIND[family.name], "rep": 99_999}
    before = {e.id: e for e in findings_of(family, drawn).estimates}
    for e in findings_of(family, [*drawn, blind]).estimates:
        was = before.get(e.id)
        if was is not None and was.bounds is not None and e.bounds is not None and e.metric != "stage":
            assert e.bounds[0] <= was.bounds[0] + 1e-12
            assert e.bounds[1] >= was.bounds[1] - 1e-12


@every_family
@few
@given(data=st.data())
def test_unlike_things_are_never_pooled(family: Family, data: st.DataObject) -> None:
    drawn = unique(data.draw(st.lists(records(family), min_size=4, max_size=24)))
    whole: dict[str, list[Estimate]] = {}
    for e in findings_of(family, drawn).estimates:
        if not e.group:
            whole.setdefault(e.metric, []).append(e)
    for estimates in whole.values():
        for a in estimates:
            for b in estimates:
                if a.stratum != b.stratum:
                    differs = next(k for k in sorted({*dict(a.stratum), *dict(b.stratum)})
                                   if dict(a.stratum).get(k) != dict(b.stratum).get(k))  # fmt: skip
                    with pytest.raises(PoolingError, match=differs):
                        pool(a, b)
                elif a is b:
                    assert pool(a, b).attempts >= 0


@every_family
@few
@given(data=st.data())
def test_a_record_that_stands_twice_byte_for_byte_is_counted_once(
    family: Family, data: st.DataObject
) -> None:
    record = {**data.draw(records(family)), "rep": 1}
    partial = partial_of(family, [record, record])
    once = partial_of(family, [record])
    assert (partial.records, partial.duplicates) == (2, 1)
    assert len(partial.findings) == len(once.findings) + 1
    assert as_json(finalise(family, partial, CONTEXT, NO_DATA)) == as_json(findings_of(family, [record]))


@every_family
@few
@given(data=st.data())
def test_reviews_come_in_the_order_of_the_rows_and_name_each_run_once(
    family: Family, data: st.DataObject
) -> None:
    drawn = unique(data.draw(st.lists(records(family), min_size=1, max_size=8)))
    (batch,) = batches([lines(drawn)], family.record, file="f.jsonl")
    rows: list[Any] = list(batch)
    reviews = list(family.review(rows, CONTEXT))
    assert [review.line for review in reviews] == [row.line for row in rows]
    assert len({review.run for review in reviews}) == len(rows)
    names = {metric.name for metric in family.metrics}
    assert all(verdict.metric in names for review in reviews for verdict in review.verdicts)


@every_family
def test_the_contract_promises_every_metric_that_the_family_reports(family: Family) -> None:
    assert [name for name, _ in family.contract.promise] == [metric.name for metric in family.metrics]


@every_family
def test_the_closure_holds_whatever_reads_adds_up_or_divides(family: Family) -> None:
    files = family.contract.files()
    for module in ("reader", "tabulate", "finalise", "estimators", "rollup", "bootstrap", "comparing"):
        assert f"metrics_core/{module}.py" in files
    assert family.contract.module.replace(".", "/") + ".py" in files
    others = {f"metrics_core/families/{name}.py" for name in FAMILIES if name != family.name}
    assert not others & set(files)
