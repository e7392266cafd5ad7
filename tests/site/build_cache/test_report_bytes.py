"""A report out of its bytes is the report, in every field; and bytes are never more than frozen values."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from metrics_core.results import Keys, Report
from site_src.build_cache.report_bytes import NotPlainError, report_bytes, report_of
from tests.support import sample_site

REPORTS = [shown.report for shown in sample_site.experiments()]


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.experiment)
def test_every_field_comes_back_as_it_was(report: Report) -> None:
    found = report_of(report_bytes(report))
    assert found == report
    assert repr([getattr(found, name) for name in Report.__slots__]) == repr(
        [getattr(report, name) for name in Report.__slots__]
    )
    assert found.words == report.words
    assert found.to_json() == report.to_json()
    assert report_bytes(found) == report_bytes(report)


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan"), -0.0, 0.1 + 0.2, 5e-324])
def test_a_float_keeps_its_bits(value: float) -> None:
    report = replace(REPORTS[0], score_reports=({"value": value},))
    assert repr(report_of(report_bytes(report)).score_reports) == repr(report.score_reports)


def test_what_stands_in_many_places_is_one_object_again() -> None:
    keys = Keys({"model": "alpha"})
    one, two = (replace(e, group=keys) for e in REPORTS[0].estimates[:2])
    found = report_of(report_bytes(replace(REPORTS[0], estimates=(one, two)))).estimates
    assert found[0].group is found[1].group
    assert found[0].group == keys


@pytest.mark.parametrize("value", [object(), {1: "a"}, 2**64, {"a"}, b"a", Exception])
def test_what_is_no_frozen_value_of_the_core_has_no_bytes(value: Any) -> None:
    with pytest.raises(NotPlainError):
        report_bytes(replace(REPORTS[0], score_reports=({"value": value},)))


@pytest.mark.parametrize(
    "named",
    [
        "subprocess:Popen",
        "os:system",
        "metrics_core.api:load",
        "metrics_core.experiments:Experiment.x",
        "metrics_core.redaction:Redactor",
        "metrics_core.no_such_module:A",
        "builtins:dict",
        "",
    ],
)
def test_bytes_that_name_anything_else_make_nothing(named: str) -> None:
    with pytest.raises(NotPlainError):
        report_of(msgspec.msgpack.encode([[named], [0, "id"]]))


def test_bytes_that_were_cut_or_are_something_else_are_no_report() -> None:
    data = report_bytes(REPORTS[0])
    for wrong in (b"", data[:-1], data[: len(data) // 2], b"{}", msgspec.msgpack.encode([[], 1])):
        with pytest.raises(NotPlainError):
            report_of(wrong)
    refused = ["metrics_core.execution.choice:EngineChoice", "metrics_core.contracts.contract:Contract"]
    for parts in ([0, "", -1, ""], [1, *["x"] * 7]):
        with pytest.raises(NotPlainError):
            report_of(msgspec.msgpack.encode([refused, parts]))
    keys = msgspec.msgpack.encode([["metrics_core.results.keys:Keys"], [0]])
    with pytest.raises(NotPlainError):
        report_of(keys)
