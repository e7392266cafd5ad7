"""Controls: when each holds, fails, is missing or does not apply; and what it says about that."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from metrics_core.contracts.controls import (
    attribution_selftest,
    fixtures_control,
    occurring_tasks,
    sanity,
    shuffled_oracles,
    stub_agent,
    stub_trace,
)
from metrics_core.contracts.fixture import FixtureResult
from metrics_core.contracts.pack import Pack, Task, load_pack
from metrics_core.contracts.recorded_controls import LoggedSuite
from metrics_core.contracts.scorer import Score, close_all, score_all
from metrics_core.contracts.user_contract import load_contract
from metrics_core.results.codes import LaterThanRuns, OtherRegressionSet
from metrics_core.results.control import Control
from metrics_core.results.keys import Keys

SANITY: dict[str, Any] = {
    "control": "sanity",
    "stamp": "2026-07-06T06:00:00Z",
    "regression": {"total": 32, "passed": 32, "misses": []},
    "fix_graders": [{"id": f"B{n}", "passed": False, "detail": "fails, as it must"} for n in range(8)],
    "refactor_checks": [{"id": f"R{n}", "passed": False, "detail": ""} for n in range(3)],
}


LOGGED = LoggedSuite(
    fixes=frozenset(f"B{n}" for n in range(8)),
    refactors=frozenset(f"R{n}" for n in range(3)),
    regression_sets=frozenset({32}),
    last="2026-07-27T10:00:00Z",
)


def control(logged: LoggedSuite = LOGGED, **changed: Any) -> Control:
    return sanity(json.dumps({**SANITY, **changed}).encode(), logged)


# ---------------------------------------------------------------------------------- negative control


def test_a_negative_control_holds_when_everything_fails_that_must() -> None:
    held = control()
    assert (held.name, held.title, held.state, held.guards) == (
        "sanity",
        "negative control",
        "held",
        "brownfield",
    )
    assert held.detail == (
        "on the pristine build: regression set 32/32 pass, fix graders 8/8 fail, "
        "refactor duplication checks 3/3 fail"
    )
    assert [(c.name, c.must, c.n, c.N) for c in held.checks] == [
        ("Regression set", "pass", 32, 32),
        ("Fix graders", "fail", 8, 8),
        ("Refactor duplication checks", "fail", 3, 3),
    ]
    assert (held.source, held.stamp) == ("controls/sanity.json", "2026-07-06T06:00:00Z")


def test_one_grader_that_passes_on_the_pristine_build_is_enough_to_fail() -> None:
    graders = [
        *SANITY["fix_graders"][:7],
        {"id": "B7", "passed": True, "detail": "assertion 2 holds already"},
    ]
    failed = control(fix_graders=graders)
    assert (failed.state, failed.detail) == ("failed", "fix graders: 1 of 8 did not fail (B7)")
    assert failed.checks[1].faults == (("B7", "assertion 2 holds already"),)
    assert not failed.checks[1].held


def test_a_pristine_build_that_is_broken_itself_fails() -> None:
    failed = control(regression={"total": 32, "passed": 30, "misses": ["login", "cart"]})
    assert (failed.state, failed.detail) == ("failed", "regression set: 2 of 32 did not pass (login, cart)")
    assert control(regression={"total": 32, "passed": 30}).detail == "regression set: 2 of 32 did not pass"


def test_every_fault_is_told() -> None:
    checks = [{"id": f"R{n}", "passed": True} for n in range(9)]
    failed = control(regression={"total": 2, "passed": 1}, refactor_checks=checks)
    assert failed.detail == (
        "regression set: 1 of 2 did not pass; refactor duplication checks: 9 of 9 did not "
        "fail (R0, R1, R2, R3, R4 and 4 more)"
    )


def test_a_regression_set_that_was_never_run_shows_nothing() -> None:
    failed = control(regression={"total": 0, "passed": 0, "misses": []})
    assert (failed.state, failed.detail) == (
        "failed",
        "regression set: none was run, so nothing is shown",
    )


@pytest.mark.parametrize(
    ("changed", "untried", "detail"),
    [
        (
            {"fix_graders": SANITY["fix_graders"][:1]},
            [(), tuple(f"B{n}" for n in range(1, 8)), ()],
            "fix graders: 7 of 8 were not tried (B1, B2, B3, B4, B5 and 2 more)",
        ),
        (
            {"refactor_checks": SANITY["refactor_checks"][1:]},
            [(), (), ("R0",)],
            "refactor duplication checks: 1 of 3 was not tried (R0)",
        ),
        (
            {"refactor_checks": []},
            [(), (), ("R0", "R1", "R2")],
            "refactor duplication checks: 3 of 3 were not tried (R0, R1, R2)",
        ),
        (
            {"fix_graders": [*SANITY["fix_graders"][:6], {"id": "B6", "passed": True}]},
            [(), ("B7",), ()],
            "fix graders: 1 of 8 did not fail (B6); fix graders: 1 of 8 was not tried (B7)",
        ),
    ],
)
def test_what_the_control_did_not_try_is_named_and_has_not_held(
    changed: dict[str, Any], untried: list[tuple[str, ...]], detail: str
) -> None:
    failed = control(**changed)
    assert (failed.state, failed.detail) == ("failed", detail)
    assert [check.untried for check in failed.checks] == untried


def test_the_control_of_another_suite_has_not_held() -> None:
    other = [{"id": "Z1", "passed": False}]
    failed = control(fix_graders=other, refactor_checks=[{"id": "Z2", "passed": False}])
    assert failed.state == "failed"
    assert "fix graders: 8 of 9 were not tried" in failed.detail
    assert "refactor duplication checks: 3 of 4 were not tried (R0, R1, R2)" in failed.detail


@pytest.mark.parametrize(
    ("logged", "changed", "checks"),
    [
        (replace(LOGGED, refactors=frozenset()), {"refactor_checks": []}, ["Regression set", "Fix graders"]),
        (
            replace(LOGGED, fixes=frozenset()),
            {"fix_graders": []},
            ["Regression set", "Refactor duplication checks"],
        ),
        (replace(LOGGED, fixes=frozenset(), refactors=frozenset()), {}, [c.name for c in control().checks]),
    ],
    ids=["fix-only", "refactor-only", "more was tried than was run"],
)
def test_a_kind_that_does_not_occur_needs_no_list(
    logged: LoggedSuite, changed: dict[str, Any], checks: list[str]
) -> None:
    held = control(logged, **changed)
    assert (held.state, [check.name for check in held.checks]) == ("held", checks)


def test_a_list_that_is_not_there_is_an_empty_one() -> None:
    record = {"regression": SANITY["regression"], "fix_graders": SANITY["fix_graders"]}
    data = json.dumps(record).encode()
    assert sanity(data, replace(LOGGED, refactors=frozenset())).state == "held"
    assert sanity(data, LOGGED).state == "failed"


def test_another_regression_set_and_a_later_control_are_findings_and_the_control_holds() -> None:
    small = control(regression={"total": 3, "passed": 3, "misses": []})
    assert (small.state, small.findings) == ("held", (OtherRegressionSet(3, (32,)),))
    late = control(stamp="2027-01-01T00:00:00Z")
    assert late.state == "held"
    assert late.findings == (LaterThanRuns("2027-01-01T00:00:00Z", "2026-07-27T10:00:00Z"),)
    assert control(stamp="2026-07-27T12:00:00+02:00").findings == ()
    assert control(stamp="2026-07-27T10:00:01Z").findings != ()
    assert control(replace(LOGGED, last=None, regression_sets=frozenset())).findings == ()


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"control": "other"}, 'control: expected sanity, got "other"'),
        ({"regression": None}, "regression: expected an object, got null"),
        ({"regression": {"total": 32}}, "regression/passed: expected a count, got null"),
        ({"regression": {"total": True, "passed": True}}, "regression/total: expected a count, got true"),
        ({"regression": {"total": 3, "passed": 4}}, "regression/passed: expected at most 3, got 4"),
        ({"regression": {"total": 3, "passed": -1}}, "regression/passed: expected a count, got -1"),
        (
            {"regression": {"total": 3, "passed": 3, "misses": ["x"]}},
            'regression/misses: expected 0 names, got ["x"]',
        ),
        ({"fix_graders": {}}, "fix_graders: expected a list of graders, got {}"),
        ({"fix_graders": [{"id": "B1"}]}, "fix_graders/0/passed: expected true or false, got null"),
        ({"fix_graders": [{"id": "B1", "passed": 0}]}, "fix_graders/0/passed: expected true or false, got 0"),
        ({"fix_graders": [{"passed": False}]}, "fix_graders/0/id: expected a name, got null"),
        ({"refactor_checks": ["R1"]}, 'refactor_checks/0: expected a grader, got "R1"'),
        ({"stamp": 7}, "stamp: expected a date and time, got 7"),
        ({"stamp": "yesterday"}, 'stamp: expected a date and time, got "yesterday"'),
    ],
)
def test_a_malformed_file_has_not_held_and_says_what_is_wrong(changed: dict[str, Any], problem: str) -> None:
    failed = control(**changed)
    assert (failed.state, failed.checks) == ("failed", ())
    assert failed.detail == f"controls/sanity.json is malformed: {problem}"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{",
        b"\xff",
        b"null",
        b"[" * 99999,
        b'{"stamp": NaN}',
        json.dumps(SANITY).replace("{", '{"control": "sanity", ', 1).encode(),
    ],
)
def test_bytes_that_are_no_record_have_not_held(data: bytes) -> None:
    assert sanity(data, LOGGED).state == attribution_selftest(data).state == "failed"
    assert "is malformed" in sanity(data, LOGGED).detail


def test_a_control_that_was_not_recorded_is_missing() -> None:
    for missing in (sanity(None, LOGGED), attribution_selftest(None)):
        assert (missing.state, missing.source) == ("missing", None)
        assert "was not recorded" in missing.detail


def test_text_of_a_record_cannot_hide() -> None:
    failed = control(fix_graders=[{"id": "B\u202e1", "passed": True, "detail": "\x1b[31m"}])
    assert failed.checks[1].faults == (("B\\u202e1", "\\u001b[31m"),)


# ---------------------------------------------------------------------------------- attribution self-test


@pytest.mark.parametrize(
    ("record", "state", "fired"),
    [
        ({"router": True, "planner": True, "coder": True}, "held", 3),
        (
            {
                "control": "attribution_selftest",
                "stamp": "2026-07-06",
                "fired": ["coder", "router", "planner"],
            },
            "held",
            3,
        ),
        (["router", "planner", "coder"], "held", 3),
        ({"router": True, "planner": False, "coder": True}, "failed", 2),
        ({"fired": {"router": False, "planner": False, "coder": False}}, "failed", 0),
        ([], "failed", 0),
    ],
)
def test_attribution_must_have_fired_for_each_layer(record: object, state: str, fired: int) -> None:
    found = attribution_selftest(json.dumps(record).encode())
    assert (found.state, found.guards, found.checks[0].n, found.checks[0].N) == (state, "layered", fired, 3)


@pytest.mark.parametrize(
    "record", [{"router": True}, {"router": 1, "planner": True, "coder": True}, ["cook"], 3]
)
def test_a_self_test_that_says_something_else_has_not_held(record: object) -> None:
    found = attribution_selftest(json.dumps(record).encode())
    assert (found.state, found.checks) == ("failed", ())


# ---------------------------------------------------------------------------------- fixtures


def test_fixtures_hold_when_all_do_and_there_are_some() -> None:
    right, wrong = FixtureResult("a", "1", "1", True), FixtureResult("b", "1", "0", False)
    assert fixtures_control([right], guards="traces").state == "held"
    failed = fixtures_control([right, wrong], guards="traces", contract="m/v1")
    assert (failed.state, failed.contract) == ("failed", "m/v1")
    assert failed.checks[0].faults == (("b", "expected 1, got 0"),)
    assert fixtures_control([], guards="traces").state == "failed"


# ---------------------------------------------------------------------------------- stub and shuffle


def pack(size: int = 20, oracles: Sequence[Sequence[str]] | None = None) -> Pack:
    files = oracles or [[f"src/{n}.py"] for n in range(size)]
    tasks = [Task(f"t{n}", None, tuple(f), None, "eval", Keys()) for n, f in enumerate(files)]
    return Pack("eval_pack", "sha256:0", tuple(tasks))


def honest(traces: Sequence[Mapping[str, Any]]) -> list[Score]:
    """A patch must touch every oracle file."""
    return [
        Score(float(bool(t["patch"]) and set(t["oracle_files"]) <= set(t["touched_files"]))) for t in traces
    ]


def leaking(traces: Sequence[Mapping[str, Any]]) -> list[Score]:
    """Any oracle will do: whose it is does not matter."""
    return [Score(float(bool(t["patch"] and t["oracle_files"]))) for t in traces]


def blind(traces: Sequence[Mapping[str, Any]]) -> list[Score]:
    """Scores by whether there is a patch: the oracles are not read."""
    return [Score(float(bool(t["patch"]))) for t in traces]


def runs(tasks: Pack, passed: int) -> list[dict[str, Any]]:
    """An agent that solves the first tasks and touches nothing in the others."""
    return [
        {
            "task_id": t.id,
            "patch": "diff",
            "oracle_files": list(t.oracle_files),
            "touched_files": list(t.oracle_files) if at < passed else ["README"],
        }
        for at, t in enumerate(tasks.tasks)
    ]


def test_the_stub_is_the_seeds() -> None:
    assert stub_trace(pack().tasks[3]) == {
        "schema": "trace.v1",
        "task_id": "t3",
        "exit_code": 1,
        "patch": "",
        "oracle_files": ["src/3.py"],
        "touched_files": [],
        "tests_passed": False,
        "agent": "stub.empty_patch",
    }


def test_doing_nothing_must_score_the_floor() -> None:
    held = stub_agent(pack().tasks, honest)
    assert (held.state, held.checks[0].n, held.checks[0].N) == ("held", 20, 20)
    assert held.detail == "empty patches score 0 on average over 20 tasks; the floor is 0"
    generous = stub_agent(pack().tasks, lambda traces: [Score(0.25) for _ in traces], contract="m/v1")
    assert (generous.state, generous.contract) == ("failed", "m/v1")
    assert generous.checks[0].faults[0] == ("t0", "scored 0.25")
    assert stub_agent(pack().tasks, lambda traces: [Score(0.25) for _ in traces], floor=0.25).state == "held"
    assert stub_agent(pack().tasks, lambda traces: [Score(-0.5) for _ in traces]).state == "failed"


def test_a_stub_that_is_invalid_is_not_at_the_floor() -> None:
    failed = stub_agent(pack().tasks, lambda traces: [Score(None, "INVALID") for _ in traces])
    assert failed.state == "failed"
    assert "no empty patch of 20 tasks is valid" in failed.detail
    some = stub_agent(pack().tasks, lambda traces: [Score(None, "x"), *(Score(0.0) for _ in traces[1:])])
    assert (some.state, some.detail[-14:]) == ("held", "; 1 is invalid")


def test_without_a_pack_nothing_is_handed_in_for_every_task_that_occurs() -> None:
    by_agent = {"alpha": runs(pack(), 18), "beta": [{"task_id": "extra", "patch": "x"}]}
    tasks = occurring_tasks(by_agent)
    assert {t.id for t in tasks} == {"extra", *(f"t{n}" for n in range(20))}
    assert next(t for t in tasks if t.id == "t3").oracle_files == ("src/3.py",)
    held = stub_agent(tasks, honest)
    assert (held.state, held.checks[0].n, held.checks[0].N) == ("held", 21, 21)
    assert shuffled_oracles(by_agent, tasks, blind).state == "not applicable"
    assert shuffled_oracles({"alpha": by_agent["alpha"]}, tasks, honest).state == "held"


def test_without_oracle_files_nothing_can_be_shuffled_and_nothing_is_missing() -> None:
    answered = {"alpha": [{"task_id": f"q{n}", "patch": "yes"} for n in range(20)]}
    tasks = occurring_tasks(answered)
    found = shuffled_oracles(answered, tasks, blind)
    assert (found.state, found.detail) == ("not applicable", "no task has oracle files")
    assert stub_agent(tasks, blind).state == "held"


def test_where_no_task_occurs_there_is_none_to_do_nothing_on() -> None:
    assert stub_agent((), honest).state == shuffled_oracles({}, (), honest).state == "not applicable"


def test_a_floor_that_no_agent_is_above_is_no_floor() -> None:
    def ones(traces: Sequence[Mapping[str, Any]]) -> list[Score]:
        return [Score(1.0) for _ in traces]

    agents = {"alpha": runs(pack(), 18), "beta": runs(pack(), 2)}
    failed = stub_agent(pack().tasks, ones, runs=agents, floor=1.0)
    assert failed.state == "failed"
    assert failed.detail == (
        "empty patches score 1 on average over 20 tasks; the floor is 1, which is not below the mean of "
        "alpha, beta"
    )
    assert (failed.checks[1].n, failed.checks[1].N) == (0, 2)

    def quarter(traces: Sequence[Mapping[str, Any]]) -> list[Score]:
        return [Score(max(0.25, s.value or 0)) for s in honest(traces)]

    held = stub_agent(pack().tasks, quarter, runs=agents, floor=0.25)
    assert (held.state, held.detail[-17:]) == ("held", "the floor is 0.25")
    assert stub_agent(pack().tasks, honest, runs={"alpha": runs(pack(), 0)}).state == "held"


def test_a_score_that_rests_on_the_oracles_collapses() -> None:
    held = shuffled_oracles(
        {"alpha": runs(pack(), 18), "beta": runs(pack(), 12)}, pack().tasks, honest, contract="m/v1"
    )
    assert (held.state, held.contract, held.checks[0].n, held.checks[0].N) == ("held", "m/v1", 2, 2)


def test_a_score_that_does_not_rest_on_the_oracles_leaks() -> None:
    failed = shuffled_oracles({"alpha": runs(pack(), 18)}, pack().tasks, leaking)
    assert failed.state == "failed"
    assert failed.detail.startswith("leaking: for 1 of 1 agents")
    assert failed.checks[0].faults == (("alpha", "true 1.000 to 1.000, shuffled 1.000 to 1.000"),)


def test_a_score_that_does_not_read_the_oracles_cannot_leak_them() -> None:
    found = shuffled_oracles({"alpha": runs(pack(), 18)}, pack().tasks, blind)
    assert (found.state, found.detail) == (
        "not applicable",
        "the score does not read the oracle files: without them, and with another's, it is the same",
    )


def test_one_agent_that_does_not_collapse_is_enough() -> None:
    def partial(traces: Sequence[Mapping[str, Any]]) -> list[Score]:
        return [blind([t])[0] if t.get("leaks") else honest([t])[0] for t in traces]

    beta = [{**t, "leaks": True} for t in runs(pack(), 18)]
    failed = shuffled_oracles({"alpha": runs(pack(), 18), "beta": beta}, pack().tasks, partial)
    assert (failed.state, failed.checks[0].n, failed.checks[0].N) == ("failed", 1, 2)
    assert [name for name, _ in failed.checks[0].faults] == ["beta"]


def test_the_permutation_is_the_seeds() -> None:
    tasks = pack()
    files = [list(t.oracle_files) for t in tasks.tasks]
    Random(13).shuffle(files)
    seen: list[Any] = []

    def recording(traces: Sequence[Mapping[str, Any]]) -> list[Score]:
        seen.append([t["oracle_files"] for t in traces])
        return honest(traces)

    held = shuffled_oracles({"alpha": runs(tasks, 20)}, tasks.tasks, recording)
    assert seen == [[list(t.oracle_files) for t in tasks.tasks], files]
    moved = sum(a != list(t.oracle_files) for a, t in zip(files, tasks.tasks, strict=True))
    assert held.detail.endswith(f"when {moved} of 20 tasks get another's oracle files (seed 13)")


@pytest.mark.parametrize(
    ("traces", "oracles", "reason"),
    [
        (7, None, "no agent has 8 valid runs"),
        (20, [[]] * 20, "no task has oracle files"),
        (20, [["a", "b"], ["b", "a"]] * 10, "all tasks have the same oracle files"),
        (0, None, "no agent has 8 valid runs"),
    ],
)
def test_where_nothing_could_be_shown_it_does_not_apply(
    traces: int, oracles: list[list[str]] | None, reason: str
) -> None:
    tasks = pack(oracles=oracles)
    agents = {"alpha": runs(tasks, 20)[:traces]}
    found = shuffled_oracles(agents, tasks.tasks, honest)
    assert (found.state, found.detail) == ("not applicable", reason)


def test_an_agent_at_the_floor_cannot_collapse() -> None:
    found = shuffled_oracles({"alpha": runs(pack(), 0)}, pack().tasks, honest)
    assert (found.state, found.detail[:43]) == (
        "not applicable",
        "no agent is clearly above the floor of 0: t",
    )
    mixed = shuffled_oracles({"alpha": runs(pack(), 0), "beta": runs(pack(), 18)}, pack().tasks, honest)
    assert (mixed.state, mixed.checks[0].N) == ("held", 1)
    high = shuffled_oracles({"a": runs(pack(), 18)}, pack().tasks, honest, floor=0.9)
    assert high.state == "not applicable"


def test_probe_items_and_tasks_of_no_pack_are_left_out() -> None:
    tasks = pack()
    probe = Pack(
        "p",
        "d",
        (*tasks.tasks[:10], *(replace(t, split="probe") for t in tasks.tasks[10:])),
    )
    strangers = [{**t, "task_id": "elsewhere"} for t in runs(tasks, 20)[:9]]
    counted: list[int] = []

    def counting(traces: Sequence[Mapping[str, Any]]) -> list[Score]:
        counted.append(len(traces))
        return honest(traces)

    assert shuffled_oracles({"a": [*runs(tasks, 20), *strangers]}, probe.tasks, counting).state == "held"
    assert counted == [10, 10]


def test_scores_that_turn_invalid_have_not_collapsed() -> None:
    def refusing(traces: Sequence[Mapping[str, Any]]) -> list[Score]:
        return [s if s.value else Score(None, "INVALID") for s in honest(traces)]

    failed = shuffled_oracles({"alpha": runs(pack(), 20)}, pack().tasks, refusing)
    assert failed.state == "failed"
    assert "fewer than 8 runs are valid" in failed.checks[0].faults[0][1]


def test_the_shipped_example_holds_under_both_contracts(repo: Path) -> None:
    folder = repo / "content" / "experiments" / "patches-2026"
    tasks = load_pack(folder / "eval_pack")
    traces = {
        path.stem: [json.loads(line) for line in path.read_bytes().split(b"\n") if line]
        for path in sorted((folder / "traces").glob("*.jsonl"))
    }
    try:
        for file in sorted((folder / "contracts").glob("*.py")):
            contract = load_contract(file)

            def score(rows: Sequence[Mapping[str, Any]]) -> Sequence[Score]:
                return score_all(contract, rows)  # noqa: B023 - called before the loop goes on

            assert stub_agent(tasks.tasks, score).state == "held"
            assert shuffled_oracles(traces, tasks.tasks, score).state == "held"
    finally:
        close_all()
