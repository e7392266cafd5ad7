"""The shipped example's pairs of models and its layered pipeline: every state that they promise occurs.

Counted from the lines themselves, with nothing of the packages that the example is meant to exercise.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc

EXPERIMENTS = Path(__file__).resolve().parents[2] / "content" / "experiments"
PAIRS, LAYERED = EXPERIMENTS / "pairs-2026-07", EXPERIMENTS / "layered-2026-07"
Record = dict[str, Any]


@cache
def logs(folder: Path) -> dict[str, tuple[Record, ...]]:
    """Name of each log -> its records."""
    return {
        path.stem: tuple(json.loads(line) for line in path.read_bytes().split(b"\n") if line)
        for path in sorted(folder.glob("logs*/*.jsonl"))
    }


def turns() -> list[Record]:
    """Every turn, with the sides that only the name of its log states."""
    found = []
    for name, records in logs(PAIRS).items():
        chat, coder = name.split("__")
        found += [{**record, "chat": chat, "coder": coder} for record in records]
    return found


def totals() -> tuple[Record, ...]:
    return logs(LAYERED)["total"]


# -------------------------------------------------------------------------------------------- pairs


def test_three_chats_meet_three_coders_in_five_scripts() -> None:
    arms = ("alpha", "beta", "gamma")
    assert list(logs(PAIRS)) == [f"{chat}__{coder}" for chat in arms for coder in arms]
    assert all("chat" not in record and "coder" not in record for record in logs(PAIRS)["alpha__beta"])
    for records in logs(PAIRS).values():
        assert len({record["scenario_id"] for record in records}) == 5
        assert [r["turn_index"] for r in records] == [1, 2, 3, 4, 5] * 5


def test_two_kinds_of_check_and_one_that_nothing_maps() -> None:
    assert Counter(turn["check_kind"] for turn in turns()) == {
        "exec_assert": 108,
        "rubric": 72,
        "py_compile": 45,
    }
    assert "check_classes" not in (PAIRS / "experiment.yaml").read_text("utf-8")
    assert {turn["check_kind"] for turn in turns() if turn["type"] == "chat"} == {"rubric"}


def test_pooling_the_classes_would_flatter() -> None:
    rate = {}
    for kind in ("exec_assert", "py_compile", "rubric"):
        known = [
            t["check_passed"] for t in turns() if t["check_kind"] == kind and t["check_passed"] is not None
        ]
        rate[kind] = sum(known) / len(known)
    assert rate["exec_assert"] + 0.2 < min(rate["py_compile"], rate["rubric"])


def test_turns_end_in_every_way() -> None:
    ended = Counter(turn["check_note"] for turn in turns())
    assert ended["the sandbox did not start"] == sum(t["check_passed"] is None for t in turns()) == 2
    assert ended["empty response"] == sum(t["completion_tokens"] == 0 for t in turns()) == 2
    assert ended["no code block found"] == 2
    assert ended["SyntaxError: invalid syntax"] > 2
    assert sum(n for note, n in ended.items() if note.startswith("AssertionError")) > 10
    assert all(turn["check_passed"] for turn in turns() if not turn["check_note"])


def test_scripts_escalate_and_alpha_codes_better_than_gamma() -> None:
    executed = [t for t in turns() if t["check_kind"] == "exec_assert" and t["check_passed"] is not None]

    def share(key: str, value: Any) -> float:
        known = [t["check_passed"] for t in executed if t[key] == value]
        return sum(known) / len(known)

    assert share("difficulty", 1) > share("difficulty", 3) + 0.15
    assert share("coder", "alpha") > share("coder", "gamma") + 0.4


# ------------------------------------------------------------------------------------------ layered


def test_each_layer_is_measured_alone_and_in_three_pipelines() -> None:
    alone = Counter((r["measurement"], "ref_coder" in r) for r in logs(LAYERED)["standalone"])
    assert alone == {("l1", False): 24, ("l2plan", False): 16, ("l2plan", True): 16, ("l2conv", False): 8,
                     ("l3", False): 16}  # fmt: skip
    assert Counter((r["l1"], r["l2"], r["l3"]) for r in totals()) == {
        ("gamma", "alpha", "beta"): 24,
        ("gamma", "alpha", "alpha"): 24,
        ("beta", "beta", "beta"): 24,
    }


def test_failures_are_attributed_by_field_by_note_by_rule_and_some_by_none() -> None:
    failed = [r for r in totals() if r["passed"] is False]
    by_field = [r for r in failed if "attribution" in r]
    by_note = [r for r in failed if "attribution:" in r.get("note", "")]
    left = [r for r in failed if r not in by_field and r not in by_note]
    open_ = [r for r in left if r["route_actual"] is None and r["plan"]]
    assert min(len(by_field), len(by_note), len(left) - len(open_)) >= 3
    assert len(open_) == 3
    assert {r["attribution"] for r in by_field} == {"router", "planner", "coder"}
    assert not [r for r in totals() if r["passed"] and ("attribution" in r or "note" in r)]


def test_one_total_is_not_the_sum_of_its_layers() -> None:
    odd = []
    for record in totals():
        for what in ("cost", "latency"):
            layers = sum(record[f"l{at}_{what}"] or 0 for at in (1, 2, 3))
            if record[f"total_{what}"] != pytest.approx(layers, abs=1e-6):
                odd.append((what, record["l1"], record["scenario_id"], record["rep"]))
    assert odd == [("cost", "beta", "B2", 1)]


def test_requests_are_lost_at_every_layer_and_one_verdict_is_unknown() -> None:
    known = [r for r in totals() if r["route_actual"] is not None]
    assert sum(r["route_actual"] != r["route_expected"] for r in known) >= 5
    right = [r for r in known if r["route_actual"] == r["route_expected"] == "code"]
    assert sum(r["plan"] is None for r in right) >= 3
    assert sum(r["plan"] is not None and r["passed"] is False for r in right) >= 5
    assert sum(r["passed"] is None for r in totals()) == 1


def test_the_attribution_self_test_fired_for_each_layer() -> None:
    record = json.loads((LAYERED / "controls" / "attribution_selftest.json").read_text("utf-8"))
    assert record["fired"] == {"router": True, "planner": True, "coder": True}


# ------------------------------------------------------------------------------------ another grader


def test_another_grader_breaks_the_line_and_the_optional_control_is_told() -> None:
    report = mc.compute(mc.load(EXPERIMENTS / "layered-2026-08"))
    lines = [series for series in report.series if series.metric == "total_pass"]
    assert len(lines) == 2
    assert [[segment.why for segment in line.segments] for line in lines] == [["", "grader changed"]] * 2
    (whole,) = [[(e.stratum["grader"], e.N) for e in report.find("total_pass") if not e.group]]
    assert whole == [("1", 24), ("2", 24)]
    guarded = {e.control for e in report.find("failures_attributed")}
    assert guarded == {"attribution self-test missing, optional"}
    assert not any(e.withheld for e in report.estimates)
    assert report.findings == ()
