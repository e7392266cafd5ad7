"""The form of a report is what outside programs rely on: every field, each with exactly its type.

Held against the shipped example and against real data. Nothing of the packages is used but the report
itself: the form stands here a second time, field by field, as the project's interfaces fix it.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import metrics_core as mc
from metrics_core.experiments import read_price_table

CONTENT = Path(__file__).resolve().parents[3] / "content"
EXPERIMENTS = sorted(path for path in (CONTENT / "experiments").iterdir() if path.is_dir())

COUNT, NUMBER, TEXT, NONE = int, float, str, type(None)
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
UNITS = {"fraction", "USD", "s", "count", "F1", "score", "kappa"}
VERDICTS = {"a above b", "b above a", "cannot separate", "not comparable"}
STATES = {"held", "failed", "missing", "not applicable"}

ESTIMATE = {
    "id": (TEXT,), "family": (TEXT,), "metric": (TEXT,), "group": (dict,), "stratum": (dict,),
    "unit": (TEXT,), "value": (NUMBER, NONE), "n": (COUNT, NONE), "N": (COUNT, NONE), "of": (TEXT,),
    "attempts": (COUNT,), "known": (COUNT,), "unknown": (COUNT,), "invalid": (COUNT,), "errors": (COUNT,),
    "interval": (dict,), "bounds": (list, NONE), "contract": (dict,), "stamps": (list, NONE),
    "prices": (TEXT, NONE), "withheld": (TEXT, NONE),
}  # fmt: skip
INTERVAL = {
    "lo": (NUMBER, NONE), "hi": (NUMBER, NONE), "level": (NUMBER,), "method": (TEXT,), "reason": (TEXT, NONE),
}  # fmt: skip
CONTRACT = {"id": (TEXT,), "version": (TEXT,), "digest": (TEXT,)}
COMPARISON = {
    "id": (TEXT,), "family": (TEXT,), "metric": (TEXT,), "group": (dict,), "stratum": (dict,), "a": (TEXT,),
    "b": (TEXT,), "difference": (NUMBER, NONE), "interval": (dict,), "overlap": (bool, NONE),
    "paired_on": (COUNT, NONE), "p": (NUMBER, NONE), "p_adjusted": (NUMBER, NONE), "rule": (TEXT,),
    "verdict": (TEXT,),
}  # fmt: skip
CONTROL = {"name": (TEXT,), "state": (TEXT,), "detail": (TEXT,)}
COST = {
    "model": (TEXT,), "recorded": (NUMBER, NONE), "recomputed": (NUMBER, NONE), "prices": (TEXT, NONE),
    "unpriced_records": (COUNT,), "repriced": (dict, NONE),
}  # fmt: skip
REPRICED = {"prices": (TEXT,), "value": (NUMBER, NONE)}
PROBLEM = {"file": (TEXT,), "line": (COUNT, NONE), "field": (TEXT,), "what": (TEXT,)}


def misfits(row: dict[str, Any], form: dict[str, tuple[type, ...]]) -> list[str]:
    """Fields that are absent or of another type; a boolean is no count."""
    return [
        f"{name} is {row.get(name, 'absent')!r}"
        for name, types in form.items()
        if name not in row or type(row[name]) not in types
    ]


@cache
def report_of(folder: Path) -> dict[str, Any]:
    """A report as it is published, read back from its text."""
    tables = [
        read_price_table(path.read_bytes(), path.name) for path in sorted((CONTENT / "pricing").iterdir())
    ]
    report = mc.compute(mc.load(folder), tables if folder.is_relative_to(CONTENT) else ())
    text = json.dumps(report.to_json(), allow_nan=False)
    read: dict[str, Any] = json.loads(text)
    return read


@pytest.fixture(params=[*EXPERIMENTS, None], ids=lambda path: path.name if path else "axium")
def report(request: pytest.FixtureRequest) -> dict[str, Any]:
    folder = request.param or request.getfixturevalue("shared_data") / "axium"
    return report_of(folder)


def texts(mapping: dict[str, Any]) -> bool:
    return all(isinstance(key, str) and isinstance(value, str) for key, value in mapping.items())


def address(row: dict[str, Any]) -> str:
    """``k=v&...``: group keys, then stratum keys, each sorted, everything percent-encoded."""
    told = [*sorted(row["group"].items()), *sorted(row["stratum"].items())]
    return "&".join(f"{quote(key, safe='')}={quote(value, safe='')}" for key, value in told)


def test_a_report_names_its_schema_its_experiment_and_its_data(report: dict[str, Any]) -> None:
    assert report["schema"] == "assay.report/1"
    assert DIGEST.fullmatch(report["data_digest"])
    assert report["estimates"]
    for part in ("estimates", "comparisons", "controls", "costs", "problems"):
        assert isinstance(report[part], list)


def test_every_estimate_has_every_field_with_its_type(report: dict[str, Any]) -> None:
    for e in report["estimates"]:
        assert misfits(e, ESTIMATE) == [], e["id"]
        assert misfits(e["interval"], INTERVAL) == [], e["id"]
        assert misfits(e["contract"], CONTRACT) == [], e["id"]
        assert texts(e["group"]), e["id"]
        assert texts(e["stratum"]), e["id"]
        assert e["unit"] in UNITS
        assert DIGEST.fullmatch(e["contract"]["digest"])
        assert e["stamps"] is None or [bool(STAMP.fullmatch(s)) for s in e["stamps"]] == [True, True], e["id"]
        assert e["stamps"] is None or e["stamps"][0] <= e["stamps"][1]


def test_ids_are_made_of_sorted_group_keys_then_sorted_stratum_keys(report: dict[str, Any]) -> None:
    ids = []
    for e in report["estimates"]:
        assert list(e["group"]) == sorted(e["group"])
        assert list(e["stratum"]) == sorted(e["stratum"])
        name = f"{report['experiment']}/{e['family']}.{e['metric']}"
        assert e["id"] == (f"{name}?{address(e)}" if address(e) else name)
        ids.append(e["id"])
    ids += [c["id"] for c in report["comparisons"]]
    assert len(set(ids)) == len(ids)
    assert not [i for i in ids if re.search(r"\s", i)]


def test_counts_add_up(report: dict[str, Any]) -> None:
    for e in report["estimates"]:
        assert e["attempts"] == e["known"] + e["unknown"] + e["invalid"] + e["errors"], e["id"]
        if e["withheld"] is None:
            assert 0 <= e["n"] <= e["N"], e["id"]
            if e["of"] in ("attempts", "runs", "known verdicts", "known runs", "valid runs"):
                assert e["N"] <= e["attempts"], e["id"]


def test_a_withheld_estimate_holds_no_number_and_says_why(report: dict[str, Any]) -> None:
    for e in report["estimates"]:
        if e["withheld"] is not None:
            assert [e[name] for name in ("value", "n", "N", "bounds")] == [None] * 4
            assert (e["interval"]["lo"], e["interval"]["hi"]) == (None, None)
            assert e["withheld"] in e["interval"]["reason"]


def test_an_interval_is_whole_or_says_why_there_is_none(report: dict[str, Any]) -> None:
    for row in (*report["estimates"], *report["comparisons"]):
        lo, hi, reason = (row["interval"][name] for name in ("lo", "hi", "reason"))
        assert (lo is None) == (hi is None) == bool(reason), row["id"]
        if lo is not None:
            assert lo < hi, row["id"]
            if row.get("unit") in ("fraction", "F1") and row["value"] is not None:
                assert 0 <= lo <= row["value"] <= hi <= 1, row["id"]


def test_bounds_are_what_missing_verdicts_could_do(report: dict[str, Any]) -> None:
    for e in report["estimates"]:
        if e["bounds"] is not None:
            known, attempts = e["known"], e["attempts"]
            if e["of"] == "tasks":  # of every task, those that the value leaves out too
                assert 0 <= e["bounds"][0] <= e["bounds"][1] <= 1
                continue
            total = e["n"] if e["metric"] == "stage" else (e["value"] or 0) * known
            missing = attempts - known
            assert e["bounds"] == pytest.approx([total / attempts, (total + missing) / attempts]), e["id"]


def test_money_is_dated(report: dict[str, Any]) -> None:
    for e in report["estimates"]:
        if e["unit"] == "USD" and e["value"] is not None:
            assert re.fullmatch(r"\d{4}-\d\d-\d\d|recorded, no table", e["prices"]), e["id"]
        else:
            assert e["unit"] == "USD" or e["prices"] is None


def test_every_comparison_has_every_field_with_its_type(report: dict[str, Any]) -> None:
    for c in report["comparisons"]:
        assert misfits(c, COMPARISON) == [], c["id"]
        assert misfits(c["interval"], INTERVAL) == [], c["id"]
        assert texts(c["group"]), c["id"]
        assert texts(c["stratum"]), c["id"]
        assert c["verdict"] in VERDICTS
        assert c["rule"] in ("overlap", "paired")
        if c["p"] is not None and c["p_adjusted"] is not None:
            assert 0 <= c["p"] <= c["p_adjusted"] <= 1, c["id"]


def test_controls_costs_and_problems_have_every_field_with_its_type(report: dict[str, Any]) -> None:
    for control in report["controls"]:
        assert misfits(control, CONTROL) == []
        assert control["state"] in STATES
    for cost in report["costs"]:
        assert misfits(cost, COST) == []
        assert cost["repriced"] is None or misfits(cost["repriced"], REPRICED) == []
    assert len({cost["model"] for cost in report["costs"]}) == len(report["costs"])
    for problem in (*report["problems"], *report["findings"]):
        assert misfits(problem, PROBLEM) == []
        assert not problem["field"].startswith("/")


def test_a_comparison_with_too_few_runs_on_a_side_holds_no_number(report: dict[str, Any]) -> None:
    known = {
        (e["metric"], address({"group": e["group"], "stratum": e["stratum"]})): e["known"]
        for e in report["estimates"]
    }
    refused = 0
    for c in report["comparisons"]:
        if c["verdict"] == "not comparable":
            continue
        groups = [{**c["group"], c["over"]: arm} for arm in (c["a"], c["b"])]
        sides = [known[(c["metric"], address({"group": g, "stratum": c["stratum"]}))] for g in groups]
        if min(sides) < 8:
            refused += 1
            assert (c["difference"], c["p"], c["interval"]["lo"]) == (None, None, None), c["id"]
            assert c["verdict"] == "cannot separate"
    assert refused or report["experiment"] != "brownfield-2026-07"
