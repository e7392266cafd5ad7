"""AgentDojo's files as attempts: what is easy to get wrong in them, made up and in real results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import metrics_core as mc
from metrics_core import engine
from metrics_core.adapters import ADAPTERS
from metrics_core.adapters.agentdojo import ADAPTER, claims, convert
from metrics_core.digest import tree_digest
from metrics_core.errors import ConfigError, FormatError, InputError, PoolingError
from metrics_core.families import FAMILIES
from metrics_core.formats import Element, OutsideFile
from metrics_core.measurement import partitions
from metrics_core.results import Problem, refuse_pooling
from metrics_core.results.estimate import Estimate
from metrics_core.results.report import Report

BENIGN = "user_task_3/none/none.json"
ATTACKED = "user_task_3/important_instructions/injection_task_1.json"
CAPABILITY = "injection_task_1/none/none.json"
GEMINI, CAMEL, FILTER = (
    "google_gemini-2.5-flash", "gpt-4o-mini-2024-07-18-camel", "gpt-5-mini-2025-08-07-tool_filter",
)  # fmt: skip
ATTACK = "attack:important_instructions"


def run(**differs: Any) -> dict[str, Any]:
    made = {
        "suite_name": "github", "pipeline_name": "m+defence", "user_task_id": "user_task_3",
        "injection_task_id": None, "attack_type": None, "injections": {}, "messages": [], "error": None,
        "benchmark_version": "v1.2.2", "evaluation_timestamp": "2026-01-22 10:13:43",
        "agentdojo_package_version": "0.1.35", "utility": True, "security": True, "duration": 7.3,
    }  # fmt: skip
    return {key: value for key, value in {**made, **differs}.items() if value != "absent"}


def adapted(place: str, **differs: Any) -> dict[str, Any]:
    data = json.dumps(run(**differs)).encode()
    (made,) = convert(OutsideFile(path=f"runs/m-defence/github/{place}", data=data))
    assert isinstance(made, Element)
    assert made.source == data
    return dict(made.record)


def folder(root: Path, files: dict[str, Any]) -> Path:
    for place, content in files.items():
        path = root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return root


def whole(report: Report, metric: str, condition: str, **group: str) -> Estimate:
    (found,) = [
        e
        for e in report.estimates
        if e.metric == metric and dict(e.group) == group and e.stratum["condition"] == condition
    ]
    return found


# ------------------------------------------------------------------ one file


def test_security_true_is_a_breach() -> None:
    assert adapted(ATTACKED, security=True)["security_breached"] is True
    assert adapted(ATTACKED, security=False)["security_breached"] is False


def test_identity_is_the_place_and_not_the_names_inside() -> None:
    record = adapted(ATTACKED)
    assert (record["model"], record["suite"], record["scenario"]) == (
        "m-defence",
        "github",
        "github/user_task_3",
    )
    assert (record["attack"], record["injection"]) == ("important_instructions", "injection_task_1")


def test_an_injection_task_that_was_run_as_the_task_is_a_capability_control() -> None:
    assert adapted(CAPABILITY)["condition"] == "capability"
    assert "condition" not in adapted(BENIGN)


def test_a_provider_error_is_an_execution_error_beside_its_constants() -> None:
    record = adapted(ATTACKED, error="JSON decode error", utility=False, security=True)
    assert record["error"] == "JSON decode error"
    assert "error" not in adapted(ATTACKED)


def test_verdicts_that_are_not_there_are_unknown() -> None:
    assert {"utility_achieved", "security_breached"}.isdisjoint(
        adapted(ATTACKED, utility="absent", security=None)
    )


def test_time_and_duration_are_kept_and_nonsense_is_left_out() -> None:
    record = adapted(BENIGN)
    assert (record["stamp"], record["wall_s"]) == ("2026-01-22T10:13:43", 7.3)
    assert {"stamp", "wall_s"}.isdisjoint(adapted(BENIGN, evaluation_timestamp="today", duration=-1))
    assert "wall_s" not in adapted(BENIGN, duration=True)


@pytest.mark.parametrize("data", [b"", b"[]", b"[{}]", b"{", b"\xff", b"[" * 100_000])
def test_a_file_that_is_no_run_is_one_problem(data: bytes) -> None:
    with pytest.raises(FormatError):
        list(convert(OutsideFile(path=f"runs/m/github/{BENIGN}", data=data)))


@pytest.mark.parametrize(
    ("text", "field", "what"),
    [
        ('{"utility": true, "duration": NaN}', "duration", "NaN is no JSON"),
        ('{"utility": true, "utility": false}', "utility", "a key that stands twice in its object"),
        ('{"messages": [{"n": 1%s}]}' % ("0" * 399), "messages/0/n", "a number of 400 digits"),
    ],
)
def test_a_value_that_is_no_json_costs_its_run_and_is_told_where(text: str, field: str, what: str) -> None:
    (problem,) = convert(OutsideFile(path=f"runs/m/github/{BENIGN}", data=text.encode()))
    assert problem == Problem(f"runs/m/github/{BENIGN}", None, field, what)


@pytest.mark.parametrize(
    ("path", "claimed"),
    [
        (f"runs/m/github/{ATTACKED}", True),
        (f"deep/er/runs/m/github/{CAPABILITY}", True),
        (f"m/github/{BENIGN}", True),
        ("runs/m/github/user_task_3/none.json", False),
        ("runs/m/github/user_task_x/none/none.json", False),
        ("runs/m/github/user_task_3/none/none.jsonl", False),
        ("runs/m/github/user_task_3/direct/summary.json", False),
        ("README.md", False),
    ],
)
def test_what_is_claimed(path: str, claimed: bool) -> None:
    assert claims(path, b"{") is claimed


# ------------------------------------------------------------------ a folder of files


FOLDER = {
    f"runs/a/github/{BENIGN}": run(utility=True, security=True),
    f"runs/a/github/{ATTACKED}": run(utility=False, security=True),
    f"runs/a/github/{CAPABILITY}": run(utility=True, security=True, user_task_id="injection_task_1"),
    f"runs/b/github/{ATTACKED}": run(utility=False, security=True, error="rate limit"),
    "notes.txt": b"made up",
}


def test_a_bare_folder_is_recognised_and_its_digest_is_of_the_files_as_found(tmp_path: Path) -> None:
    experiment = mc.load(folder(tmp_path / "dojo", FOLDER))
    assert experiment.adapter is ADAPTER
    assert experiment.not_records == {"notes.txt": ""}
    report = mc.compute(experiment)
    (tmp_path / "dojo/notes.txt").unlink()  # what is not read is not published, and moves no digest
    assert report.data_digest == tree_digest(tmp_path / "dojo", prefix=".")
    utility, breaches = whole(report, "utility", "benign"), whole(report, "attack_success", ATTACK)
    assert (utility.n, utility.N) == (1, 1)
    assert (breaches.n, breaches.N, breaches.errors, breaches.attempts) == (1, 1, 1, 2)
    assert (
        whole(report, "attack_success", "benign").N,
        whole(report, "attack_success", "benign").unknown,
    ) == (0, 1)
    assert whole(report, "utility", "capability").N == 1


def test_the_source_can_be_named(tmp_path: Path) -> None:
    settings = b"source: {format: agentdojo, path: dojo/runs}\n"
    files = {f"dojo/{place}": content for place, content in FOLDER.items()}
    experiment = mc.load(folder(tmp_path / "e", {**files, "experiment.yaml": settings}))
    assert whole(mc.compute(experiment), "attack_success", ATTACK).attempts == 2


def test_a_source_that_is_not_there_or_has_no_adapter_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no adapter reads the format"):
        mc.load(folder(tmp_path / "a", {"experiment.yaml": b"source: {format: agentdoj, path: runs}"}))
    with pytest.raises(InputError, match="holds no file of the format"):
        mc.load(
            folder(tmp_path / "b", {**FOLDER, "experiment.yaml": b"source: {format: agentdojo, path: other}"})
        )
    with pytest.raises(ConfigError, match="inside the experiment"):
        mc.load(
            folder(tmp_path / "c", {**FOLDER, "experiment.yaml": b"source: {format: agentdojo, path: ../x}"})
        )


def test_a_source_does_not_stand_beside_attempts_of_its_own(tmp_path: Path) -> None:
    own = {
        "attempts/a.jsonl": b'{"scenario": "s"}\n',
        "experiment.yaml": b"source: {format: agentdojo, path: runs}",
    }
    with pytest.raises(ConfigError, match="has records of its own"):
        mc.load(folder(tmp_path / "e", {**FOLDER, **own}))


def test_a_folder_with_records_of_its_own_is_not_searched_for_others(tmp_path: Path) -> None:
    experiment = mc.load(folder(tmp_path / "e", {**FOLDER, "attempts/a.jsonl": b'{"scenario": "s"}\n'}))
    assert experiment.adapter is None
    assert mc.compute(experiment).records == 1


def test_a_damaged_file_is_one_problem_and_no_attempt_of_any_stratum(tmp_path: Path) -> None:
    report = mc.compute(
        mc.load(folder(tmp_path / "e", {**FOLDER, f"runs/a/shopping/{BENIGN}": b'{"utility": tr'}))
    )
    (problem,) = report.problems
    assert problem.file == f"runs/a/shopping/{BENIGN}"
    assert "column" in problem.what
    assert report.records == 4
    assert whole(report, "utility", "benign").attempts == 1
    assert whole(report, "utility", ATTACK).invalid == 0


def test_a_verdict_of_a_wrong_type_spoils_its_own_metric_only(tmp_path: Path) -> None:
    files = {f"runs/a/github/{ATTACKED}": run(utility="true", security=False)}
    report = mc.compute(mc.load(folder(tmp_path / "e", files)))
    assert (whole(report, "utility", ATTACK).invalid, whole(report, "security", ATTACK).N) == (1, 1)


def test_the_adapter_is_part_of_the_instrument(tmp_path: Path) -> None:
    experiment = mc.load(folder(tmp_path / "e", FOLDER))
    report = mc.compute(experiment)
    (contract,) = report.contracts
    own = FAMILIES["attempts"].contract
    assert contract.ref.id == "assay/attempts+agentdojo"
    assert contract.ref.digest != own.ref().digest
    assert {e.contract for e in report.estimates} == {contract.ref}
    (files,) = engine.instrument_files(report, experiment).values()
    assert {*files} - {*own.files()} >= {"metrics_core/adapters/agentdojo.py"}
    assert {*own.files()} <= {*files}
    assert not any("adapters/" in path for path in own.files())


def test_every_record_comes_out_once_wherever_files_are_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = mc.load(folder(tmp_path / "e", FOLDER))
    before = mc.compute(experiment).to_json()
    monkeypatch.setattr(partitions, "AT_ONCE", 1)
    assert len(list(partitions.partition_paths(FAMILIES["attempts"], experiment))) == 4
    assert mc.compute(experiment).to_json() == before


def test_the_adapter_is_found_by_its_format() -> None:
    assert ADAPTERS["agentdojo"] is ADAPTER


# ------------------------------------------------------------------ real results


@pytest.fixture(scope="module")
def real(shared_data: Path) -> Report:
    return mc.compute(mc.load(shared_data / "agentdojo"))


@pytest.mark.parametrize(
    ("model", "metric", "condition", "n", "N", "attempts"),
    [
        (GEMINI, "utility", "benign", 3, 60, 60),
        (GEMINI, "utility", ATTACK, 43, 560, 560),
        (GEMINI, "attack_success", ATTACK, 79, 560, 560),
        (GEMINI, "security", ATTACK, 481, 560, 560),
        (CAMEL, "utility", "benign", 0, 46, 48),
        (CAMEL, "utility", ATTACK, 0, 319, 320),
        (CAMEL, "attack_success", ATTACK, 0, 319, 320),
        (FILTER, "utility", "benign", 0, 0, 3),
        (GEMINI, "attack_success", "benign", 0, 0, 60),
    ],
)
def test_the_published_counts(
    real: Report, model: str, metric: str, condition: str, n: int, N: int, attempts: int
) -> None:
    found = whole(real, metric, condition, model=model)
    assert (found.n, found.N, found.attempts) == (n, N, attempts)
    assert found.value == (n / N if N else None)


@pytest.mark.parametrize(
    ("suite", "utility", "breaches", "N"),
    [("shopping", 1, 6, 180), ("github", 23, 18, 180), ("dailylife", 19, 55, 200)],
)
def test_the_published_counts_by_suite(real: Report, suite: str, utility: int, breaches: int, N: int) -> None:
    done = whole(real, "utility", ATTACK, model=GEMINI, suite=suite)
    breached = whole(real, "attack_success", ATTACK, model=GEMINI, suite=suite)
    assert (done.n, done.N, breached.n, breached.N) == (utility, N, breaches, N)


def test_provider_errors_are_errors_and_autonomy_does_not_exist(real: Report) -> None:
    llama = [
        whole(real, "utility", c, model="meta-llama_llama-3.3-70b-instruct")
        for c in (ATTACK, "benign", "capability")
    ]
    assert [(e.errors, e.N) for e in llama] == [(1, 0), (1, 0), (3, 0)]
    assert all(e.N == 0 for e in real.estimates if e.metric == "autonomy")


def test_every_file_is_one_attempt_and_none_is_invalid(real: Report, shared_data: Path) -> None:
    files = list((shared_data / "agentdojo").rglob("*.json"))
    attempts = sum(e.attempts for e in real.find("utility") if not e.group)
    assert attempts == len(files) == real.records
    assert real.problems == real.findings == ()


def test_scenarios_are_clusters_within_their_suite(real: Report) -> None:
    assert whole(real, "utility", ATTACK, model=GEMINI).interval.clusters == 60


def test_a_version_that_is_not_stated_is_pooled_with_none_that_is(real: Report) -> None:
    found = {e.stratum.get("benchmark_version"): e for e in real.find("utility") if not e.group
             if e.stratum["condition"] == "benign"}  # fmt: skip
    assert {version: (e.n, e.N, e.attempts) for version, e in found.items()} == {
        None: (0, 46, 48),
        "v1.2.2": (3, 60, 64),
    }
    between = [c for c in real.comparisons if {GEMINI, CAMEL} == {c.a, c.b}]
    assert between
    assert all(c.difference is None and c.unlike and c.unlike.field == "benchmark_version" for c in between)
    assert not [e for e in real.estimates if "lies_in" in e.stratum.names]


@pytest.mark.parametrize(
    ("place", "state"),
    [
        ("gpt-4o-2024-08-06-repeat_user_prompt", "unknown"),
        ("meta-llama_llama-3.3-70b-instruct", "errors"),
    ],
)
def test_each_odd_file_is_told_for_what_it_is(real: Report, place: str, state: str) -> None:
    odd = [e for e in real.find("utility", model=place) if set(e.group.names) == {"model"}]
    files = {"unknown": 1, "errors": 5}[state]
    assert sum(getattr(e, state) for e in odd) == sum(e.attempts for e in odd) == files
    assert sum(e.N for e in odd) == 0


def test_two_versions_of_a_benchmark_are_two_numbers(shared_data: Path) -> None:
    report = mc.compute(mc.load(shared_data / "own" / "agentdojo-versions"))
    found = [e for e in report.find("utility") if not e.group]
    assert {(e.stratum["benchmark_version"], e.n, e.N) for e in found} == {("v1", 9, 12), ("v1.2.1", 3, 12)}
    assert not [e for e in report.estimates if e.N == 24]
    with pytest.raises(PoolingError, match="a benchmark that changed is another benchmark"):
        refuse_pooling(*(replace(e, stratum=e.stratum.without("lies_in")) for e in found))


def test_a_run_of_another_version_is_told_apart_by_it(tmp_path: Path) -> None:
    files = {
        f"{version}/runs/a/github/{BENIGN}": run(pipeline_name="a", benchmark_version=version)
        for version in ("v1", "v1.2.1")
    }
    made = list(engine.reviews(mc.load(folder(tmp_path / "e", files))))
    assert len({each.title for each in made}) == 1
    assert {dict(each.apart)["benchmark_version"] for each in made} == {"v1", "v1.2.1"}


def test_a_folder_is_a_stratum_only_where_a_pipeline_lies_in_two(tmp_path: Path) -> None:
    files = {
        f"{around}/{arm}/github/{BENIGN}": run(utility=utility, pipeline_name=arm)
        for around, arm, utility in (("plain", "a", True), ("hardened/x", "a", False), ("plain", "b", True))
    }
    report = mc.compute(mc.load(folder(tmp_path / "e", {**files, f"b/github/{ATTACKED}": run()})))
    found = [e for e in report.find("utility", model="a") if set(e.group.names) == {"model"}]
    assert {(e.stratum["lies_in"], e.n, e.N) for e in found} == {("plain", 1, 1), ("hardened/x", 0, 1)}
    moved = [e for e in report.find("utility", model="b") if set(e.group.names) == {"model"}]
    assert {(e.stratum["lies_in"], e.stratum["condition"]) for e in moved} == {
        ("plain", "benign"),
        (".", ATTACK),
    }


def test_the_same_file_in_two_folders_is_never_added_up(tmp_path: Path) -> None:
    other = run(evaluation_timestamp="2026-01-22 10:13:44")
    files = {
        f"{name}/m/github/{BENIGN}": content for name, content in (("a", run()), ("b", run()), ("c", other))
    }
    report = mc.compute(mc.load(folder(tmp_path / "e", files)))
    found = {e.stratum["lies_in"]: e.N for e in report.find("utility") if not e.group}
    assert found == {"a": 1, "b": 1, "c": 1}
