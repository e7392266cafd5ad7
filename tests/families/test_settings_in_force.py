"""What an experiment's settings do to its report: gates, cluster keys, grader versions, names of nothing.

Each is set on a small folder of records, computed whole; what it must come to is counted by hand.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core.errors import ConfigError, GateError, PoolingError
from metrics_core.results.report import Report
from site_src.publishing.gates import check_report

BLIND = """\
CONTRACT_ID = "plain/v1-tests"


def score_trace(trace):
    return 1.0 if trace.get("tests_passed") else 0.0


FIXTURES = [({"tests_passed": True}, 1.0), ({}, 0.0)]
"""


def folder(root: Path, settings: str = "", **logs: Sequence[dict[str, Any]]) -> Path:
    """An experiment with one log a folder, and its settings."""
    for name, records in logs.items():
        place = root / "e" / name
        place.mkdir(parents=True)
        (place / "all.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    if "traces" in logs:
        (root / "e" / "contracts").mkdir()
        (root / "e" / "contracts" / "plain.py").write_text(BLIND)
    (root / "e" / "experiment.yaml").write_text(settings)
    return root / "e"


def computed(root: Path, settings: str = "", **logs: Sequence[dict[str, Any]]) -> Report:
    return mc.compute(mc.load(folder(root, settings, **logs)))


def run(task: str, **more: Any) -> dict[str, Any]:
    return {
        "id": task,
        "kind": "fix",
        "model": "alpha",
        "change": 1.0,
        "change_detail": [["a", True], ["b", True]],
        "regress": 1.0,
        "changed_files": ["a.php"],
        "stamp": "2026-07-05T10:00:00Z",
        **more,
    }


def runs(number: int = 8, **more: Any) -> list[dict[str, Any]]:
    return [run(f"B{n}", **more) for n in range(number)]


def traces(tasks: int = 60, repos: int = 3, **more: Any) -> list[dict[str, Any]]:
    """One agent, one trace a task; the tasks of a repository pass or fail together."""
    return [
        {
            "schema": "trace.v1", "task_id": f"t{n}", "agent": "alpha", "exit_code": 0, "patch": "diff",
            "tests_passed": n % repos == 0, "stamp": "2026-07-05T10:00:00Z", "repo": f"r{n % repos}", **more,
        }
        for n in range(tasks)
    ]  # fmt: skip


# ---------------------------------------------------------------------------------- gates


def test_a_missing_control_that_is_required_withholds(tmp_path: Path) -> None:
    report = computed(tmp_path, "gates: {sanity: required}", logs_big=runs())
    assert {e.withheld for e in report.estimates} == {
        "negative control missing, required: controls/sanity.json was not recorded"
    }
    with pytest.raises(GateError, match="negative control missing, required, brownfield numbers withheld"):
        check_report(report, strict=True)


def test_a_missing_control_that_is_optional_is_told_in_every_caption(tmp_path: Path) -> None:
    report = computed(tmp_path, "gates: {sanity: optional}", logs_big=runs())
    assert {e.control for e in report.estimates} == {"negative control missing, optional"}
    assert not any(e.withheld for e in report.estimates)
    check_report(report, strict=True)
    silent = computed(tmp_path / "silent", logs_big=runs())
    assert {e.control for e in silent.estimates} == {"negative control missing"}
    with pytest.raises(GateError, match="negative control missing"):
        check_report(silent, strict=True)


@pytest.mark.parametrize("gate", ["required", "optional"])
def test_nothing_weakens_a_control_that_failed(tmp_path: Path, gate: str) -> None:
    place = folder(tmp_path, f"gates: {{sanity: {gate}}}", logs_big=runs(1))
    (place / "controls").mkdir()
    graders = [{"id": "B0", "passed": True}]
    control = {"regression": {"total": 1, "passed": 1}, "fix_graders": graders}
    (place / "controls" / "sanity.json").write_text(json.dumps(control))
    report = mc.compute(mc.load(place))
    assert all(e.withheld for e in report.estimates)
    with pytest.raises(GateError, match="negative control failed"):
        check_report(report, strict=True)


def test_a_control_that_no_family_has_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as refused:
        computed(tmp_path, "title: x\ngates:\n  sanitty: required", logs_big=runs(1))
    assert refused.value.where == "e/experiment.yaml:3#/gates/sanitty"
    assert (refused.value.problem, refused.value.hint) == (
        'there is no control "sanitty"',
        "nearest: sanity",
    )


def test_a_pass_fail_evaluation_without_oracles_and_pack_can_be_published(tmp_path: Path) -> None:
    report = computed(tmp_path, traces=traces())
    states = {c.name: (c.state, c.detail) for c in report.controls if c.contract}
    assert states["stub agent"] == (
        "held",
        "empty patches score 0 on average over 60 tasks; the floor is 0",
    )
    assert states["shuffled oracles"] == ("not applicable", "no task has oracle files")
    check_report(report, strict=True)


# ---------------------------------------------------------------------------------- cluster keys


def test_the_named_key_makes_the_variance_and_counts_its_own_units(tmp_path: Path) -> None:
    report = computed(tmp_path, "cluster: repo", traces=traces())
    score = next(e for e in report.find("score") if e.group.names == ("model",))
    assert (score.n, score.N) == (20, 60)
    assert (score.interval.cluster, score.interval.clusters) == ("repo", 3)
    assert score.interval.hi is not None
    assert score.interval.hi > 0.9, "three repositories of which one passes say next to nothing"
    assert "repo" not in dict(report.unknown_fields).get("traces", ())


def test_without_a_key_the_units_are_the_tasks(tmp_path: Path) -> None:
    report = computed(tmp_path, traces=traces())
    score = next(e for e in report.find("score") if e.group.names == ("model",))
    assert score.interval.cluster != "repo"
    assert dict(report.unknown_fields)["traces"] == ("repo",)


@pytest.mark.parametrize(
    ("family", "records", "metric"),
    [
        (
            "logs_big",
            [run(f"B{n}", module=f"m{n % 4}", change_detail=[["a", n % 4 > 0]]) for n in range(16)],
            "done",
        ),
        (
            "logs",
            [
                {"scenario_id": f"C{n}", "turn_index": 0, "chat": "a", "coder": "b", "check_kind": "exec",
                 "check_passed": n % 4 > 0, "module": f"m{n % 4}"}
                for n in range(16)
            ],
            "check_pass",
        ),
        (
            "logs_layered",
            [
                {"measurement": "total", "scenario_id": f"S{n}", "l1": "a", "l2": "b", "l3": "c",
                 "passed": n % 4 > 0, "module": f"m{n % 4}"}
                for n in range(16)
            ],
            "total_pass",
        ),
        (
            "attempts",
            [
                {"scenario": f"s{n}", "model": "alpha", "utility_achieved": n % 4 > 0, "module": f"m{n % 4}"}
                for n in range(16)
            ],
            "utility",
        ),
    ],
)  # fmt: skip
def test_every_family_honours_a_key_that_its_records_carry(
    tmp_path: Path, family: str, records: list[dict[str, Any]], metric: str
) -> None:
    report = computed(tmp_path, "cluster: module", **{family: records})
    (whole,) = [e for e in report.find(metric) if not e.group]
    assert (whole.n, whole.N) == (12, 16)
    assert (whole.interval.cluster, whole.interval.clusters) == ("module", 4)


def test_a_key_that_some_record_lacks_is_refused_with_those_that_all_have(tmp_path: Path) -> None:
    records = traces(4)
    del records[2]["repo"]
    with pytest.raises(ConfigError) as refused:
        computed(tmp_path, "cluster: repo", traces=records)
    assert refused.value.where == "e/experiment.yaml:1#/cluster/0"
    assert refused.value.problem == (
        '1 record of 4 of traces and their cards state no "repo", the first at traces/all.jsonl:3'
    )
    with pytest.raises(ConfigError, match=r'4 records of 4 of .* state no "repoo"') as near:
        computed(tmp_path / "near", "title: x\ncluster: [repoo]", traces=traces(4))
    assert (near.value.where, near.value.hint) == ("e/experiment.yaml:2#/cluster/0", "nearest: repo")


def test_of_several_the_coarsest_makes_the_variance(tmp_path: Path) -> None:
    records = traces(24, 3)
    for n, record in enumerate(records):
        record["file"] = f"r{n % 3}/f{n % 6}"
    report = computed(tmp_path, "cluster: [file, repo]", traces=records)
    score = next(e for e in report.find("score") if not e.group)
    assert (score.interval.cluster, score.interval.clusters) == ("repo", 3)
    assert report.findings == ()


def test_keys_that_are_not_nested_are_told(tmp_path: Path) -> None:
    records = traces(24, 3, language="py")
    for n, record in enumerate(records):
        record["language"] = ("php", "py")[n % 2]
    report = computed(tmp_path, "cluster: [repo, language]", traces=records)
    (finding,) = report.findings
    assert str(finding) == (
        'e/experiment.yaml:1#/cluster/0: not nested in language: "r0" lies in 2 of its clusters; language '
        "alone makes the variance"
    )


def test_a_key_within_which_no_task_lies_whole_is_refused(tmp_path: Path) -> None:
    twice = [*traces(2), *({**t, "repo": "elsewhere", "rep": 1} for t in traces(1))]
    with pytest.raises(ConfigError, match='the task "t0" lies in two clusters by "repo"'):
        computed(tmp_path, "cluster: repo", traces=twice)


# ---------------------------------------------------------------------------------- grader versions


def test_a_grader_version_is_a_stratum_of_every_verdict_and_of_no_context(tmp_path: Path) -> None:
    report = computed(tmp_path, "grader_version: 2", logs_big=[run("B1", wall_s=3.0)])
    told = {e.metric: e.stratum.get("grader") for e in report.estimates if e.metric != "funnel"}
    assert {told[m] for m in ("change", "regress", "done", "divergence")} == {"2"}
    assert told["latency"] is None
    assert {f.stratum["grader"] for f in report.funnels} == {"2"}
    assert {p.stratum["grader"] for p in report.points} == {"2"}
    assert {c.stratum["grader"] for c in report.checks} == {"2"}


def test_what_a_record_states_wins_over_the_setting(tmp_path: Path) -> None:
    records = [run("B1", grader_version="3"), run("B2", grader_version=2.0), run("B3")]
    report = computed(tmp_path, "grader_version: 1", logs_big=records)
    whole = {e.stratum["grader"]: e.N for e in report.find("change") if not e.group}
    assert whole == {"1": 2, "2": 2, "3": 2}


def test_a_new_grader_breaks_the_line(tmp_path: Path) -> None:
    first = runs(4, grader_version="1")
    later = runs(4, grader_version="2", stamp="2026-07-12T10:00:00Z")
    report = computed(tmp_path, logs_big=[*first, *later])
    (line,) = [s for s in report.series if s.metric == "change" and s.group == (("model", "alpha"),)]
    assert [segment.why for segment in line.segments] == ["", "grader changed"]
    assert "grader" not in line.stratum.names


def test_two_graders_are_never_compared(tmp_path: Path) -> None:
    beta = [{**each, "model": "beta"} for each in runs(grader_version="2")]
    report = computed(tmp_path, logs_big=[*runs(grader_version="1"), *beta])
    (pair,) = [c for c in report.comparisons if c.metric == "change" and c.over == "model"]
    assert pair.verdict == "not comparable"
    assert pair.unlike is not None
    assert pair.unlike.field == "grader"
    with pytest.raises(PoolingError, match="a grader that changed is another instrument"):
        mc.compare(report, "change", "alpha", "beta")


# ---------------------------------------------------------------------------------- names of nothing


def test_settings_that_name_nothing_here_are_told_with_the_nearest(tmp_path: Path) -> None:
    settings = """\
models: {alhpa: Alpha}
names: {B9: "Bulk", B1: "First"}
workflows: {review: alpha}
evaluators: {s1: judge}
check_classes: {smoke: executed}
gates: {stub agent: required}
"""
    report = computed(tmp_path, settings, logs_big=runs(3))
    assert [str(finding) for finding in report.findings] == [
        "e/experiment.yaml:1#/models/alhpa: no record names this arm (nearest: alpha)",
        "e/experiment.yaml:2#/names/B9: no record is of this scenario (there is B0, B1, B2)",
        "e/experiment.yaml:3#/workflows/review: no attempt ran under this workflow (there is none)",
        "e/experiment.yaml:4#/evaluators/s1: no attempt is of this scenario (there is none)",
        "e/experiment.yaml:5#/check_classes/smoke: no record states this kind of check (there is none)",
        "e/experiment.yaml:6#/gates/stub agent: no control here has this name (there is sanity)",
    ]


@pytest.mark.parametrize(
    ("settings", "logs"),
    [
        ("models: {alpha: A}\nnames: {B0: Zero}", {"logs_big": runs(2)}),
        (
            "models: {a: A, b: B}\nnames: {C0: Zero}\ncheck_classes: {smoke: executed, none: by eye}",
            {"logs": [
                {"scenario_id": "C0", "turn_index": n, "chat": "a", "coder": "b", "check_kind": kind,
                 "check_passed": None}
                for n, kind in enumerate(("smoke", None))
            ]},
        ),
        (
            "models: {a: A, b: B, c: C}\nnames: {S0: Zero}",
            {"logs_layered": [
                {"measurement": "total", "scenario_id": "S0", "l1": "a", "l2": "b", "l3": "c", "passed": True}
            ]},
        ),
        (
            "models: {alpha: A}\nnames: {s0: Zero}\nevaluators: {s0: judge}\nworkflows: {review: alpha}",
            {"attempts": [{"scenario": "s0", "workflow": "review", "utility_achieved": True}]},
        ),
        (
            "models: {alpha: A}\nnames: {t0: Zero}\ncontracts: [{file: plain.py, from: 2026-07-01}]",
            {"traces": traces(3)},
        ),
    ],
)  # fmt: skip
def test_what_some_record_names_is_no_name_of_nothing(
    tmp_path: Path, settings: str, logs: dict[str, list[dict[str, Any]]]
) -> None:
    found = computed(tmp_path, settings, **logs).findings
    assert [str(finding) for finding in found if "experiment.yaml" in str(finding)] == []


def test_a_contract_that_scores_no_trace_is_told(tmp_path: Path) -> None:
    settings = "contracts:\n  - {file: plain.py, from: 2026-08-01}"
    report = computed(tmp_path, settings, traces=traces(3))
    assert [str(finding) for finding in report.findings] == [
        "e/experiment.yaml:2#/contracts/0: no trace is scored by this contract"
    ]
