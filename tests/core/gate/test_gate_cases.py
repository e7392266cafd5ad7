"""Gates on tables made for it: each verdict and number of the given cases, and small cases of our own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from metrics_core import api
from metrics_core.comparison import comparing, measured
from metrics_core.errors import ConfigError, InputError
from metrics_core.gate import Gate, held_against, policy_bytes, read_policy, tried_on
from metrics_core.gate.findings import NotTold
from tests.support.by_day import one_in
from tests.support.small_tables import named, runs_of, write_rows

CASES = (
    "clear-fail", "clear-pass", "errors-flip", "errors-uneven", "holes", "never-lost", "slice-holm",
    "too-few",
)  # fmt: skip


def gate_of(folder: Path, policy: bytes, settings: tuple[dict[str, Any], dict[str, Any]] = ({}, {})) -> Gate:
    """Of baseline.jsonl and candidate.jsonl in a folder."""
    rules, stated = read_policy(policy)
    slices = (rules.slices,) if rules.slices else ()
    base, candidate = (
        measured(name, api.load(folder / f"{name}.jsonl", settings=own or None), slices=slices)
        for name, own in zip(("baseline", "candidate"), settings, strict=True)
    )
    return held_against(comparing(base, candidate, rules.metric), rules, stated)


def near(found: Any, expected: Any, tolerance: float) -> bool:
    if found is None or expected is None:
        return found is expected
    return abs(found - expected) <= tolerance


def departures(name: str, found: dict[str, Any], expected: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Every field of a rule that is not as the case says, within the tolerances that it states."""
    out: list[tuple[Any, ...]] = []
    for field, value in expected.items():
        now = found.get(field)
        if field == "by":
            for part, inner in value.items():
                out += departures(f"{name} {part}", found["by"][part], inner)
            continue
        if field in ("value", "bound"):
            same = near(now, value, 1e-6)
        elif field.startswith("p_worse"):
            same = near(now, value, 0.005)
        elif field == "interval95":
            same = name == "p95_ratio" or all(map(near, now, value, (0.005, 0.005)))
        elif field == "tasks_that_would_settle_it_if_equal":
            same = abs(now - value) <= 0.15 * value
        else:
            same = now == value
        out += [] if same else [(name, field, now, value)]
    return out


@pytest.mark.parametrize("case", CASES)
def test_the_given_cases(case: str, shared_data: Path) -> None:
    folder = shared_data / "gate" / case
    expected = json.loads((folder / "expected.json").read_text())
    found = gate_of(folder, (folder / "gate.yaml").read_bytes()).to_json()
    for field in (
        "verdict", "exit_code", "planned", "warnings", "verdict_if_errors_fail", "same_if_errors_fail",
    ):  # fmt: skip
        assert found[field] == expected[field], field
    for side, health in expected["health"].items():
        for field, value in health.items():
            assert found["health"][side][field] == pytest.approx(value, abs=1e-9), (side, field)
    assert found["errors_uneven_p"] == pytest.approx(expected["errors_uneven_p"], rel=1e-2, abs=1e-9)
    assert [
        each
        for rule, value in expected["rules"].items()
        for each in departures(rule, found["rules"][rule], value)
    ] == []


Case = Callable[[list[str], list[str], str], Gate]


@pytest.fixture
def gate(tmp_path: Path) -> Case:
    """Signs of the tasks of both sides, and a policy -> the gate."""

    def make(
        base: list[str], candidate: list[str], policy: str, settings: Any = ({}, {}), more: Any = None
    ) -> Gate:
        for name, signs in (("baseline", base), ("candidate", candidate)):
            rows = runs_of("m", named(signs), more or (lambda task, run: {}))
            write_rows(tmp_path / f"{name}.jsonl", rows)
        return gate_of(tmp_path, policy.encode(), settings)

    return make


SAME = ["111", "000", "110", "101"] * 5
WORSE = ["000", "000", "010", "000"] * 5


def test_a_candidate_that_does_the_same_passes_a_wide_margin(gate: Case) -> None:
    found = gate(SAME, SAME, "not_worse_by: 0.3")
    assert (found.verdict, found.exit_code) == ("pass", 0)
    assert found.same_if_errors_fail


def test_a_candidate_far_below_fails(gate: Case) -> None:
    found = gate(SAME, WORSE, "not_worse_by: 0.1")
    assert (found.verdict, found.exit_code) == ("fail", 5)


def test_few_tasks_cannot_tell_and_say_how_many_would(gate: Case) -> None:
    found = gate(SAME, [signs[::-1] for signs in SAME[1:]] + ["110"], "not_worse_by: 0.02")
    assert (found.verdict, found.exit_code) == ("cannot tell", 6)
    settling = found.rules[1].settling
    assert settling is not None
    assert settling.tasks is not None
    assert settling.tasks > settling.now == 20


def test_a_margin_of_0_is_settled_by_no_number(gate: Case) -> None:
    settling = gate(SAME, SAME[1:] + SAME[:1], "not_worse_by: 0").rules[1].settling
    assert settling is not None
    assert (settling.tasks, settling.runs, settling.floor) == (None, None, True)


@pytest.mark.parametrize("rule", ["at_least: 0.6", "pass_hat_k: {k: 2, at_least: 0.4}", "cost_ratio: 1.1"])
def test_every_rule_that_is_not_told_says_how_many_tasks_would_tell(rule: str, gate: Case) -> None:
    random = Random(3)
    found = gate(
        SAME, SAME[1:] + SAME[:1], rule, more=lambda task, run: {"cost_usd": random.expovariate(100.0)}
    )
    told = next(each for each in found.rules if str(each.rule) == rule.partition(":")[0])
    assert told.verdict == "cannot tell"
    assert told.settling is not None
    assert told.settling.now == 20
    assert told.settling.tasks is not None
    assert told.settling.tasks > 20
    assert told.settling.usd is not None
    record = found.to_json()["rules"][str(told.rule)]
    assert record["tasks_that_would_settle_it_as_found"] == told.settling.tasks


def test_what_a_candidate_alone_needs_costs_its_own_runs_alone(gate: Case) -> None:
    found = gate(SAME, SAME, "at_least: 0.6", more=lambda task, run: {"cost_usd": 0.01})
    settling = found.rules[1].settling
    assert settling is not None
    assert settling.tasks is not None
    assert settling.usd == pytest.approx((settling.tasks - 20) * 3 * 0.01)


def scored() -> Callable[[str, int], dict[str, Any]]:
    """A second scorer, whose scores lie close together: another stratum of the same runs."""
    random = Random(4)
    return lambda task, run: {"score": 0.5 + random.uniform(-0.1, 0.1)}


def test_several_strata_are_judged_each_by_itself_and_the_worst_verdict_is_that_of_all(gate: Case) -> None:
    """Two scorers are two strata: one passes what the other cannot tell, and neither is left out."""
    found = gate(SAME, SAME[1:] + SAME[:1], "metric: score\nnot_worse_by: 0.1", more=scored())
    assert [(str(each.stratum["scorer"]), each.verdict) for each in found.strata] == [
        ("passed", "cannot tell"), ("score", "pass"),
    ]  # fmt: skip
    assert (found.verdict, found.exit_code) == ("cannot tell", 6)
    for each in found.strata:
        alone = gate(
            SAME, SAME[1:] + SAME[:1], f"metric: score scorer={each.stratum['scorer']}\nnot_worse_by: 0.1",
            more=scored(),
        )  # fmt: skip
        assert (alone.others, alone.verdict) == ((), each.verdict)
        assert [(r.value, r.interval) for r in alone.rules] == [(r.value, r.interval) for r in each.rules]
    record = found.to_json()
    assert [x["verdict"] for x in record["strata"]] == ["cannot tell", "pass"]
    assert record["rules"] == record["strata"][0]["rules"]


def test_a_margin_fails_in_one_of_several_strata_only_after_holm_over_all(gate: Case) -> None:
    """Of 60 tasks 10 are lost: p of 0.016 is below 0.025, twice of it is not; 12 are enough for both."""
    for lost, verdict in ((10, "cannot tell"), (12, "fail")):
        new = ["0"] * lost + ["1"] * (60 - lost)
        both = gate(["1"] * 60, new, "metric: score\nnot_worse_by: 0.05", more=scored())
        margin = next(each for each in both.strata if each.stratum["scorer"] == "passed").rules[1]
        alone = gate(["1"] * 60, new, "metric: score scorer=passed\nnot_worse_by: 0.05", more=scored())
        assert alone.verdict == "fail"
        assert (margin.verdict, both.verdict) == (verdict, verdict)
        p = margin.told["p_worse"]
        assert p == alone.rules[1].told["p_worse"]
        assert p is not None
        assert margin.told["p_worse_holm"] == pytest.approx(2 * p)
        assert (2 * p > 0.025) == (margin.why is NotTold.AFTER_HOLM_OVER_STRATA)


def test_a_stratum_that_the_candidate_lost_is_unhealthy_and_one_of_its_own_a_warning(tmp_path: Path) -> None:
    for name, more in (("baseline", scored()), ("candidate", lambda task, run: {})):
        write_rows(tmp_path / f"{name}.jsonl", runs_of("m", named(SAME), more))
    rules = b"metric: score\nnot_worse_by: 0.3"
    lost = gate_of(tmp_path, rules)
    assert (lost.verdict, lost.exit_code) == ("unhealthy", 7)
    assert str(lost.unhealthy[0]).startswith("candidate has no run in the stratum ")
    (tmp_path / "baseline.jsonl").rename(tmp_path / "kept.jsonl")
    (tmp_path / "candidate.jsonl").rename(tmp_path / "baseline.jsonl")
    (tmp_path / "kept.jsonl").rename(tmp_path / "candidate.jsonl")
    more = gate_of(tmp_path, rules)
    assert more.verdict == "pass"
    assert "a stratum that the candidate alone has is not judged" in map(str, more.warnings)


def test_what_it_would_cost_to_settle_is_the_datas_own_cost(gate: Case) -> None:
    found = gate(SAME, SAME[1:] + SAME[:1], "not_worse_by: 0.05", more=lambda task, run: {"cost_usd": 0.01})
    settling = found.rules[1].settling
    assert settling is not None
    assert settling.tasks is not None
    assert settling.usd == pytest.approx((settling.tasks - 20) * 6 * 0.01)


def test_errors_on_one_side_are_uneven_and_beyond_a_bound_unhealthy(gate: Case) -> None:
    broken = [signs[:1] + "ee" for signs in SAME]
    assert gate(SAME, broken, "not_worse_by: 0.3\nmax_errors: 0.1").verdict == "unhealthy"
    found = gate(SAME, broken, "not_worse_by: 0.3\nmax_errors: 0.9")
    assert "errors uneven" in map(str, found.warnings)
    assert not found.same_if_errors_fail
    assert found.changed[0].rule == "not_worse_by"


def test_runs_that_left_no_record_are_unhealthy(gate: Case) -> None:
    found = gate(SAME, SAME[:14], "not_worse_by: 0.3")
    assert (found.verdict, found.exit_code) == ("unhealthy", 7)
    assert "18 of 60 planned runs" in str(found.unhealthy[0])


def test_another_grader_is_another_instrument(gate: Case) -> None:
    graders = ({"grader_version": "1"}, {"grader_version": "2"})
    found = gate(SAME, SAME, "not_worse_by: 0.3", settings=graders)  # type: ignore[call-arg]
    assert found.verdict == "unhealthy"
    assert "grader is 1" in str(found.unhealthy[0])
    assert found.to_json()["rules"].keys() == {"max_errors"}, "no number is made of unlike things"


def test_one_slice_that_breaks_fails_though_the_whole_passes(gate: Case) -> None:
    base, new = ["111"] * 60, ["111"] * 52 + ["000"] * 8
    base[:20], new[:20] = ["000"] * 20, ["111"] * 20

    def topic(task: str, run: int) -> dict[str, Any]:
        return {"topic": "last" if int(task[1:]) >= 50 else "first"}

    found = gate(base, new, "not_worse_by: 0.1\nslices: topic", more=topic)  # type: ignore[call-arg]
    assert [each.verdict for each in found.rules] == ["pass", "pass", "fail"]
    assert found.rules[2].slices["topic:last"].verdict == "fail"
    assert found.rules[2].slices["topic:first"].verdict == "pass"
    assert found.verdict == "fail"


def test_a_slice_that_nothing_carries_is_refused_at_its_line(gate: Case) -> None:
    with pytest.raises(InputError, match=r"gate\.yaml:2#/slices: no run carries 'topic'"):
        gate(SAME, SAME, "not_worse_by: 0.1\nslices: topic")


def test_lost_tasks_fail_and_single_runs_refuse_the_rule(gate: Case) -> None:
    found = gate(["111"] * 12, ["000"] + ["111"] * 11, "per_task: never_lost")
    assert found.verdict == "fail"
    assert found.rules[1].lost == ("t00",)
    with pytest.raises(InputError, match=r"gate\.yaml:1#/per_task: never_lost asks for two known runs"):
        gate(["1"] * 20, ["1"] * 20, "per_task: never_lost")


@pytest.mark.parametrize(
    ("seen", "verdict"), [("???", "cannot tell"), ("0??", "cannot tell"), ("1??", "pass"), ("00?", "fail")]
)
def test_a_task_of_which_nothing_is_known_is_not_said_to_be_kept(gate: Case, seen: str, verdict: str) -> None:
    found = gate(["111"] * 20, [seen] + ["111"] * 19, "per_task: never_lost\nmax_errors: 0.5")
    assert found.verdict == found.rules[1].verdict == verdict
    assert (found.rules[1].why is NotTold.TASKS_UNTOLD) == (verdict == "cannot tell")


@pytest.mark.parametrize(("known", "told"), [(14, False), (18, True)])
def test_no_ratio_is_told_from_the_tasks_whose_cost_happens_to_be_known(
    gate: Case, known: int, told: bool
) -> None:
    def cost(task: str, run: int) -> dict[str, Any]:
        return {"cost_usd": 0.1 + run / 100 if int(task[1:]) < known else None}

    found = gate(SAME, SAME, "cost_ratio: 1.5", more=cost).rules[1]  # type: ignore[call-arg]
    assert (found.why is not NotTold.MOSTLY_UNKNOWN) == told


@one_in(4)
@pytest.mark.parametrize(
    "policy", ["not_worse_by: 0.2", "at_least: 0.5", "pass_hat_k: {k: 2, at_least: 0.3}"]
)
@pytest.mark.parametrize(
    ("unknown", "verdict"), [(0, "pass"), (12, "pass"), (13, "cannot tell"), (30, "cannot tell")]
)
def test_failures_that_became_unknown_do_not_pass(
    gate: Case, policy: str, unknown: int, verdict: str
) -> None:
    """Of 60 runs a fifth is 12, one of a task at most."""
    signs = ["1?1" if n < unknown else "111" for n in range(20)]
    signs = ["??1" if n < unknown - 20 else each for n, each in enumerate(signs)]
    found = gate(["111"] * 20, signs, policy).rules[1]
    assert found.verdict == verdict
    assert (found.why is NotTold.MOSTLY_UNKNOWN) == (verdict == "cannot tell")


def test_a_stale_baseline_is_unhealthy_and_so_is_one_of_no_known_age(gate: Case, tmp_path: Path) -> None:
    policy = b"not_worse_by: 0.3\nbaseline_days: 7"
    assert "age of the baseline is not known" in str(gate(SAME, SAME, policy.decode()).unhealthy[0])
    for name, day in (("baseline", "01"), ("candidate", "20")):
        rows = runs_of("m", named(SAME), lambda task, run, day=day: {"timestamp": f"2026-05-{day}T10:00:00Z"})
        write_rows(tmp_path / f"{name}.jsonl", rows)
    found = gate_of(tmp_path, policy)
    assert str(found.unhealthy[0]) == "the baseline is 19.0 days older, 7 are allowed"
    assert gate_of(tmp_path, b"not_worse_by: 0.3\nbaseline_days: 30").verdict == "pass"


def test_a_column_of_failures_is_held_turned_round(tmp_path: Path) -> None:
    for name, failed in (("baseline", 0), ("candidate", 1)):
        rows = [
            {"arm": "m", "case": f"t{at}", "run": run, "failed": failed if at % 2 else 0}
            for at in range(20)
            for run in (1, 2)
        ]
        write_rows(tmp_path / f"{name}.jsonl", rows)
    turned = {"source": {"format": "table", "map": {"outcome": "failed"}}, "scale": {"failed": [1, 0]}}
    found = gate_of(tmp_path, b"not_worse_by: 0.1", (turned, turned))
    assert found.verdict == "fail"
    assert found.rules[1].value == pytest.approx(-0.5)


@pytest.mark.parametrize(
    "text, told",
    [
        ("not_worse_than: 0.1", r"gate\.yaml:1#/not_worse_than: .*not_worse_by"),
        ("not_worse_by: 0.1\nat_least: 2", r"gate\.yaml:2#/at_least: expected a number from 0 to 1, got 2"),
        ("not_worse_by: 0.1\npass_hat_k: {k: 3}", r"gate\.yaml:2#/pass_hat_k"),
        ("max_errors: 0.1", r"expected a rule, got none"),
        ("at_least: 0.5\nslices: topic", r"gate\.yaml:2#/slices: expected not_worse_by beside slices"),
        ("per_task: never", r"gate\.yaml:1#/per_task: expected"),
        ("cost_ratio: 0", r"gate\.yaml:1#/cost_ratio: expected a number above 0"),
    ],
)
def test_a_policy_is_refused_with_line_and_nearest(text: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        read_policy(text.encode())


def test_a_baseline_split_in_two_alarms_as_often_as_it_should(tmp_path: Path) -> None:
    import random

    draw = random.Random(5)
    signs = ["".join(draw.choices("10", [p, 1 - p], k=4)) for p in [draw.random() for _ in range(60)]]
    base = measured("b", api.load(write_rows(tmp_path / "b.jsonl", runs_of("m", named(signs)))))
    found = tried_on(base, "", "", 0.05, splits=60)
    assert (found.splits, found.tasks) == (60, 60)
    assert found.paired <= 0.15 * 60
    assert found.strict == 0
    assert found.worse_at_margin <= found.worse_at_0 <= 0.12 * 60
    few = measured("f", api.load(write_rows(tmp_path / "few.jsonl", runs_of("m", named(["1"] * 20)))))
    with pytest.raises(InputError, match="two known runs or more, 8 are needed"):
        tried_on(few, "", "", 0.05)


def test_a_policy_that_is_no_regular_file_or_too_large_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "large.yaml").write_bytes(b"#" * (2**20 + 1))
    (tmp_path / "gate.yaml").write_bytes(b"at_least: 0.5")
    for path in (tmp_path / "pipe.yaml", Path("/dev/zero"), tmp_path, tmp_path / "large.yaml"):
        with pytest.raises(InputError, match="expected a"):
            policy_bytes(path)
    assert policy_bytes(tmp_path / "gate.yaml") == b"at_least: 0.5"
