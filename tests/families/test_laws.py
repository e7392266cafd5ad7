"""What must be true of every family, tested without being asked: a new folder among them enrols itself."""

from __future__ import annotations

import gzip
import io
import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

import metrics_core as mc
from metrics_core.errors import PoolingError
from metrics_core.experiments.settings import Settings
from metrics_core.families import FAMILIES
from metrics_core.formats.decompression import unpack
from metrics_core.formats.jsonl import batches
from metrics_core.measurement import fixtures
from metrics_core.measurement.family import Context, Family
from metrics_core.measurement.finalise import Findings, finalise
from metrics_core.measurement.fixtures import NO_DATA
from metrics_core.measurement.gating import apply_gate
from metrics_core.measurement.tabulate import Partial, tabulate
from metrics_core.memo import Memo
from metrics_core.results.control import Control
from metrics_core.results.estimate import Estimate
from metrics_core.results.pooling import POOLING_RULES, pool
from metrics_core.results.review import Gap
from tests.support.by_day import one_in
from tests.support.family_records import BLIND, as_lines, as_parquet, blind, of_fixtures, records
from tests.support.measured import tabulated

every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
few = settings(max_examples=max(5, settings.default.max_examples // 5))
"""Of what writes and reads whole folders for each example."""
CONTEXT = Context(experiment="e", settings=Settings(), memo=Memo())


def partial_of(family: Family, records: Sequence[dict[str, Any]], more: bytes = b"") -> Partial:
    log = batches([as_lines(records) + more], family.record, file="f.jsonl", rows=3)
    return tabulate(family, log, CONTEXT)


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
    assert len(fixtures.check_fixtures(family)) == len(family.contract.fixtures) > 0


@one_in(2)
@every_family
def test_an_estimate_asked_for_by_itself_is_the_one_that_it_is_among_all(family: Family) -> None:
    partial = tabulated(family.name, of_fixtures(family))
    whole = finalise(family, partial, CONTEXT, NO_DATA)
    ids = {e.id for e in whole.estimates}
    assert finalise(family, partial, CONTEXT, NO_DATA, ids).estimates == whole.estimates
    stages = [stage.estimate for funnel in whole.funnels for stage in funnel.stages]
    for asked in (*whole.estimates[:: 1 + len(ids) // 9], *stages[:: 1 + len(stages) // 4]):
        assert finalise(family, partial, CONTEXT, NO_DATA, {asked.id}).estimates == (asked,)


@one_in(2)
@every_family
@given(data=st.data())
def test_the_order_of_records_is_no_information(family: Family, data: st.DataObject) -> None:
    drawn = unique(data.draw(st.lists(records(family), max_size=24)))
    shuffled = random.Random(data.draw(st.integers(0, 99))).sample(drawn, len(drawn))
    assert as_json(findings_of(family, shuffled)) == as_json(findings_of(family, drawn))


@one_in(2)
@every_family
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


@one_in(2)
@every_family
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


@one_in(2)
@every_family
@given(data=st.data())
def test_a_line_that_is_no_record_is_invalid_in_the_whole_only(family: Family, data: st.DataObject) -> None:
    drawn = unique(data.draw(st.lists(records(family), min_size=1, max_size=12)))
    without = {e.id: e for e in findings_of(family, drawn).estimates}
    parted = {metric.name: metric.one_vs_rest for metric in family.metrics if metric.one_vs_rest}
    for e in findings_of(family, drawn, b'{"torn": \n').estimates:
        whole = {key for key, _ in e.group} <= {"stage", "k", parted.get(e.metric)}
        assert e.attempts - without[e.id].attempts == int(whole)
        if e.metric != "stage":
            assert e.invalid - without[e.id].invalid == int(whole)


@one_in(2)
@every_family
@given(data=st.data())
def test_what_is_unknown_is_never_a_failure(family: Family, data: st.DataObject) -> None:
    drawn = unique(data.draw(st.lists(records(family), min_size=1, max_size=12)))
    unseen = [blind(family, record) for record in drawn]
    measured = [m for m in family.metrics if m.kind != "context"]
    for e in findings_of(family, unseen).estimates:
        if e.metric in {m.name for m in measured}:
            assert (e.value, e.known, e.n, e.N) == (None, 0, 0, 0)


@one_in(2)
@every_family
@given(data=st.data())
def test_adding_an_unknown_never_narrows_the_bounds(family: Family, data: st.DataObject) -> None:
    drawn = unique(data.draw(st.lists(records(family), min_size=2, max_size=12)))
    unseen = {**blind(family, drawn[-1]), "rep": 99_999}
    before = {e.id: e for e in findings_of(family, drawn).estimates}
    for e in findings_of(family, [*drawn, unseen]).estimates:
        was = before.get(e.id)
        if was is not None and was.bounds is not None and e.bounds is not None and e.metric != "stage":
            assert e.bounds[0] <= was.bounds[0] + 1e-12
            assert e.bounds[1] >= was.bounds[1] - 1e-12


@one_in(2)
@every_family
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
                    here, there = ({"of": e.of, **dict(e.stratum)} for e in (a, b))
                    fields = ("of", *sorted({*here, *there} - {"of"}))
                    differs = next(k for k in fields if here.get(k) != there.get(k))
                    rule = re.escape(POOLING_RULES.get(differs, "they are two strata"))
                    with pytest.raises(PoolingError, match=f"{differs} is .* here and .* there; {rule}"):
                        pool(a, b)
                elif a is b:
                    assert pool(a, b).attempts >= 0


@every_family
def test_two_metrics_and_two_instruments_are_never_pooled(family: Family) -> None:
    estimates = [e for e in findings_of(family, of_fixtures(family)).estimates if not e.group]
    rule = POOLING_RULES["metric"]
    for a in estimates:
        for b in estimates:
            if a.metric != b.metric:
                told = f"metric is '{a.metric}' here and '{b.metric}' there; {rule}"
                with pytest.raises(PoolingError, match=re.escape(told)):
                    pool(a, b)
        changed = {
            "contract": replace(a, contract=replace(a.contract, digest="sha256:" + "e" * 64)),
            "pack": replace(a, pack="sha256:" + "f" * 64),
            "prices": replace(a, prices="2031-01-01"),
            "family": replace(a, family="another"),
            "unit": replace(a, unit="furlong"),
            "of": replace(a, of="others"),
        }
        for field, b in changed.items():
            rule_of_field = re.escape(POOLING_RULES[field])
            with pytest.raises(PoolingError, match=f"{field} is .* here and .* there; {rule_of_field}"):
                pool(a, b)


@pytest.mark.parametrize("name", sorted(BLIND))
def test_every_stratum_of_the_familys_own_has_its_rule(name: str) -> None:
    family = FAMILIES[name]
    estimates = findings_of(family, of_fixtures(family)).estimates
    assert {key for e in estimates for key, _ in e.stratum} <= set(POOLING_RULES)


@one_in(2)
@every_family
@given(data=st.data())
def test_parquet_gives_what_the_same_records_give_in_lines(family: Family, data: st.DataObject) -> None:
    drawn = unique(data.draw(st.lists(records(family), min_size=1, max_size=12)))
    packed = io.BytesIO(as_parquet(drawn, family.record))
    rows = batches(unpack(packed, "f.parquet"), family.record, file="f.parquet", rows=3)
    partial = tabulate(family, rows, CONTEXT)
    assert not partial.problems
    assert as_json(finalise(family, partial, CONTEXT, NO_DATA)) == as_json(findings_of(family, drawn))


@one_in(2)
@every_family
@few
@given(data=st.data())
def test_files_and_their_wrapping_are_no_information(family: Family, data: st.DataObject) -> None:
    drawn = unique(data.draw(st.lists(records(family), min_size=1, max_size=12)))
    again = drawn[: data.draw(st.integers(0, len(drawn)))]  # counted once, wherever they stand again
    cut = data.draw(st.integers(0, len(drawn)))
    with TemporaryDirectory() as root:
        for name, logs in {
            "one": {"a.jsonl": as_lines([*drawn, *again])},
            "many": {
                "z.jsonl": as_lines(drawn[:cut]),
                "m.jsonl.gz": gzip.compress(as_lines(again)),
                "a.jsonl.zst": zstandard.ZstdCompressor().compress(as_lines(drawn[cut:])),
            },
        }.items():
            folder = Path(root, name, family.folder.rstrip("/"))
            folder.mkdir(parents=True)
            for log, content in logs.items():
                (folder / log).write_bytes(content)
        reports = [mc.compute(mc.load(Path(root, name)), family=family.name) for name in ("one", "many")]
    one, many = (
        [replace(e, experiment="e", data_digest=NO_DATA) for e in report.estimates] for report in reports
    )
    assert sorted(one, key=lambda e: e.id) == sorted(many, key=lambda e: e.id)
    assert reports[0].duplicates == reports[1].duplicates == len(again)


@every_family
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
@given(data=st.data())
def test_reviews_come_in_the_order_of_the_rows_and_name_each_run_once(
    family: Family, data: st.DataObject
) -> None:
    drawn = unique(data.draw(st.lists(records(family), min_size=1, max_size=8)))
    (batch,) = batches([as_lines(drawn)], family.record, file="f.jsonl")
    rows: list[Any] = list(batch)
    reviews = list(family.review(rows, CONTEXT))
    assert [review.line for review in reviews] == [row.line for row in rows]
    assert len({review.run for review in reviews}) == len(rows)
    names = {metric.name for metric in family.metrics}
    assert all(verdict.metric in names for review in reviews for verdict in review.verdicts)
    for review, observed in zip(reviews, family.observe(rows, CONTEXT), strict=True):
        counted = {Gap(o.metric, o.state, o.stratum) for o in observed.outcomes if o.state != "known"}
        assert counted <= {*review.gaps}
        settled = {gap.state for gap in {*review.gaps} - counted}
        assert settled <= {"invalid"}, "only all runs together tell that a number is none"


@every_family
def test_the_contract_promises_every_metric_that_the_family_reports(family: Family) -> None:
    own = [name for name, _ in family.contract.promise]
    further = {name for contract in family.further for name, _ in contract.promise}
    assert own == [m.name for m in family.metrics if m.name in own or m.name not in further]


@every_family
def test_a_failed_control_leaves_no_count_of_a_funnel(family: Family) -> None:
    found = findings_of(family, of_fixtures(family))
    failed = Control(name="c", title="c", state="failed", detail="as found", guards=family.name)
    assert any(stage.losses for f in found.funnels for stage in f.stages) or not family.tracks
    for funnel in apply_gate(found, (failed,), family.name).funnels:
        assert [(s.estimate.n, s.estimate.N, s.losses) for s in funnel.stages] == [
            (None, None, ()) for _ in funnel.stages
        ]
