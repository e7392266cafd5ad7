"""Inspect logs: real ones of several versions and forms, and small ones that are wrong in one way each."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from math import isclose
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core import engine
from metrics_core.adapters.inspect import chunked as chunked_samples, log_text
from metrics_core.adapters.inspect.adapter import claims
from metrics_core.adapters.inspect.samples import Identity
from metrics_core.errors import FormatError, LeakError
from metrics_core.formats import decompression
from metrics_core.formats.decompression import Bounds
from metrics_core.formats.eval_archive import DAMAGED as DAMAGED_ENTRY, ZSTANDARD, ZipEntries, as_json
from metrics_core.results.problem import NoRuns, Problem
from metrics_core.results.report import Report
from tests.support.inspect_logs import archive, graded, header, log, measured, read, sample, whole

TOKEN = "ghp" + "_" + "a1B2" * 9
GRADES = {"C": 1.0, "I": 0.0}
WITHOUT_RUNS = {
    "2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval": "samples (10) and no scores",
    "2025-05-12T20-28-13-04-00_no-samples.json": "results and no samples",
    "log_tool_call_error.json": "samples (1) and no scores",
    "log_valid.txt": "results and no samples",
    "log_version_3.txt": "results and no samples",
    "log_with_nan.txt": "results and no samples",
}
DAMAGED = {"log_invalid.txt": "ends in the middle"}


def unpacked(data: bytes, bounds: Bounds | None = None) -> bytes:
    return b"".join(decompression.unpack(io.BytesIO(data), "a.eval", bounds))


# ------------------------------------------------------------------ real logs


def logs(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.iterdir()):
        if path.name not in DAMAGED and claims(path.name, path.read_bytes()[:4096]):
            with path.open("rb") as file:
                yield path.name, b"".join(decompression.unpack(file, path.name))


def recorded(results: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """Scorer and its accuracy or mean, as a log states them."""
    for score in (results or {}).get("scores", []):
        for metric in ("accuracy", "mean"):
            if metric in score["metrics"]:
                yield score["name"], score["metrics"][metric]["value"]
                break


def recomputed(traces: Sequence[dict[str, Any]], scorer: str) -> float:
    values = [trace["scores"][scorer] for trace in traces]
    return sum(GRADES[v] if isinstance(v, str) else v for v in values) / len(values)


@pytest.mark.parametrize(("inside", "agreeing"), [("inspect", 8), ("every-eval-ever/inspect", 3)])
def test_the_log_s_own_results_are_found_again(shared_data: Path, inside: str, agreeing: int) -> None:
    held = 0
    for name, data in logs(shared_data / inside):
        results = json.loads(data).get("results") or {}
        traces = [item for item in read(data, name) if not isinstance(item, Problem)]
        if len(traces) != results.get("completed_samples"):
            continue  # cut down by whoever published the file
        for scorer, value in recorded(results):
            assert isclose(recomputed(traces, scorer), value, abs_tol=1e-9), name
            held += 1
    assert held >= agreeing


@pytest.fixture(scope="module")
def real(shared_data: Path) -> Report:
    return mc.compute(mc.load(shared_data / "inspect"))


def test_every_real_log_is_counted_or_told(real: Report) -> None:
    told = {p.file: p.what for p in real.problems}
    expected = {**WITHOUT_RUNS, **DAMAGED}
    assert set(told) == set(expected)
    assert [name for name, what in told.items() if expected[name] not in what] == []
    (same,) = (f for f in real.findings if f.field == "eval/task_id")
    assert same.file == "log_formats.json"
    assert same.what == "is the same log as log_formats.eval, which counts its 1 run"
    samples = {"popularity": 3, "formats": 1, "images": 2, "length": 1, "dedup": 1, "read": 2, "streaming": 4}
    assert real.records == sum(samples.values())


def test_the_streamed_log_has_its_accuracy(real: Report) -> None:
    model = "azureai/Meta-Llama-3-1-405B-Instruct-jqf"
    (score,) = (e for e in real.find("score", model=model) if len(e.group) == 1)
    assert (score.n, score.N, score.value, score.headline) == (3, 4, 0.75, "counts")
    assert (score.stratum["scorer"], score.stratum["suite"]) == ("match", "popularity")
    assert score.interval.lo is None


def test_a_cancelled_log_with_complete_results_counts(real: Report) -> None:
    (score,) = (e for e in real.find("score", model="openai/gpt-4o-mini") if len(e.group) == 1)
    assert (score.n, score.N) == (2, 3)
    assert score.stamps == ("2025-05-13T00:28:13Z", "2025-05-13T00:28:13Z")


def test_a_log_without_runs_is_in_nobody_s_count(shared_data: Path, tmp_path: Path) -> None:
    source = shared_data / "inspect"
    counted = "2025-05-12T20-28-13-04-00_popularity.json"
    report = measured(tmp_path, {n: (source / n).read_bytes() for n in (counted, *WITHOUT_RUNS)})
    assert (whole(report).attempts, whole(report).invalid) == (3, 0)
    assert {p.file for p in report.problems} == set(WITHOUT_RUNS)


# ------------------------------------------------------------------ what is claimed


@pytest.mark.parametrize(
    ("path", "head", "claimed"),
    [
        ("a.json", log(graded(1, "C")), True),
        ("a.txt", log(graded(1, "C")), True),
        ("a.json", b'{"status": "success", "eval": {"task": "x"}}', True),
        ("a.txt", b'{\n  "version": 1, "status": "', True),
        ("a.eval", b"", True),
        ("a.json", b'{"version": 1, "status": "ok"}', False),
        ("logs.json", b'{"a.json": {"version": 2, "status": "success", "eval": {}}}', False),
        ("a.jsonl", log(graded(1, "C")), False),
        ("README.txt", b'Logs with "eval": {', False),
    ],
)
def test_only_what_begins_as_a_log_is_claimed(path: str, head: bytes, claimed: bool) -> None:
    assert claims(path, head[:4096]) is claimed


# ------------------------------------------------------------------ what a sample comes to


def test_a_sample_in_an_epoch_is_a_trace() -> None:
    usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 115, "input_tokens_cache_read": 100}
    one = {**graded("s1", "P", 2), "model_usage": {"alpha": usage, "grader": {"input_tokens": 999}},
           "total_time": 1.5, "uuid": "u1", "error_retries": [{}, {}], "limit": {"type": "time", "limit": 9},
           "started_at": "2026-07-05T11:00:00Z"}  # fmt: skip
    (trace,) = read(log(one))
    assert trace == {
        "schema": "trace.v1", "task_id": "sums/s1", "agent": "alpha", "model": "alpha", "suite": "sums",
        "rep": 2, "stamp": "2026-07-05T11:00:00Z", "answer": "4", "wall_s": 1.5, "retries": 2,
        "timeout": True, "run_id": "u1", "prompt_tokens": 110, "completion_tokens": 5, "cached_tokens": 100,
        "scores": {"match": "P"},
    }  # fmt: skip


def test_the_four_grades_and_numbers_and_what_is_neither(tmp_path: Path) -> None:
    values = ["C", "C", "P", "I", "N", True, 0.25, 7, "great", [1], None]
    report = measured(tmp_path, {"a.json": log(*(graded(n, v) for n, v in enumerate(values)))})
    score = whole(report)
    assert (score.n, score.N, score.invalid, score.unknown) == (3, 7, 3, 1)
    assert score.value is None or isclose(score.value, (1 + 1 + 0.5 + 0 + 0 + 1 + 0.25) / 7)
    assert score.headline == "counts"


def test_a_score_of_several_values_is_several_scorers() -> None:
    (trace,) = read(log(graded(1, {"precise": "C", "polite": 0.5})))
    assert trace["scores"] == {"match/precise": "C", "match/polite": 0.5}


def test_the_oldest_logs_name_their_scorer_in_the_results() -> None:
    results = {"scorer": {"name": "includes"}, "metrics": {}}
    old = log(sample(1, score={"value": "C"}), version=1, results=results)
    assert read(old)[0]["scores"] == {"includes": "C"}


def test_a_sample_without_a_score_is_unknown_beside_others_and_a_failed_one_an_error(tmp_path: Path) -> None:
    failed = sample(3, error={"message": "sandbox gone", "traceback": "..."}, scores={})
    struck = {**graded(4, "C"), "invalidation": {"author": "someone", "reason": "wrong image"}}
    report = measured(tmp_path, {"a.json": log(sample(1), graded(2, "C"), failed, struck)})
    score = whole(report)
    assert (score.n, score.N, score.unknown, score.errors, score.attempts) == (1, 1, 1, 2, 4)


def test_two_versions_of_a_task_are_two_suites() -> None:
    told = {**header()["eval"], "task_version": "2-B"}
    assert read(log(graded(1, "C"), eval=told))[0]["suite"] == "sums 2-B"


def test_another_plan_inside_an_arm_is_another_stratum(tmp_path: Path) -> None:
    steps = [{"solver": "system_message", "params": {"template": text}} for text in ("a", "b")]
    files = {f"{n}.json": log(graded(1, "C"), plan={"steps": [step]}) for n, step in enumerate(steps)}
    report = measured(tmp_path, files)
    assert len([e for e in report.find("score") if not e.group]) == 2


# ------------------------------------------------------------------ logs that are wrong


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (log(), "holds no samples"),
        (log(results={"scores": []}), "holds results and no samples"),
        (log(sample(1), sample(2), status="cancelled"), "(cancelled) holds samples (2) and no scores"),
    ],
)
def test_a_log_that_holds_nothing_to_count_is_one_problem(data: bytes, what: str) -> None:
    (problem,) = read(data)
    assert isinstance(problem, NoRuns)
    assert what in problem.what


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (log(graded(1, "C"), version=5), "expected a log of version 1 to 4, got 5"),
        (log(graded(1, "C"), eval={"task": "x"}), "names its model"),
        (log(graded(1, "C"))[:-9], "in the middle of"),
        (b'{"version": 2, "version": 2, "eval": {"model": "m"}, "samples": [{"id": 1}]}', "twice"),
        (b'{"version": 2, "eval": {"model": "m"}, "samples": [{"id": 1}], "samples": [{"id": 2}]}', "twice"),
        (b'{"version": 2, "eval": {"model": "m"}, "samples": 5}', "Expected `array | null`"),
        (b"[" * 100_000, "expected"),
    ],
)
def test_a_log_that_cannot_be_read_says_why(data: bytes, what: str) -> None:
    with pytest.raises(FormatError) as error:
        read(data)
    assert what in str(error.value)


def test_a_sample_that_cannot_be_read_is_a_problem_and_the_others_count() -> None:
    data = log(graded(1, "C"), {"name": 3}, 5, graded(4, "I"))
    found = read(data)
    assert [item["task_id"] for item in found if isinstance(item, dict)] == ["sums/1", "sums/4"]
    wrong = [str(item) for item in found if isinstance(item, Problem)]
    assert wrong == [
        'a.json:2: expected a sample with an id, got {"name": 3}',
        "a.json:3: expected a sample with an id, got 5",
    ]


# ------------------------------------------------------------------ archives


def zstd_archive(one: dict[str, Any]) -> bytes:
    """An archive whose sample is packed as Zstandard, which `zipfile` of this Python cannot write."""
    zstandard = pytest.importorskip("zstandard")
    text = json.dumps(one).encode()
    packed = zstandard.compress(text)
    plain = io.BytesIO()
    with zipfile.ZipFile(plain, "w") as file:
        file.writestr("header.json", json.dumps(header()))
        file.writestr("samples/1_epoch_1.json", packed)
    data = bytearray(plain.getvalue())
    (info,) = (i for i in zipfile.ZipFile(plain).infolist() if i.filename.startswith("samples"))
    entry = data.rfind(b"PK\x01\x02")
    for at, method, crc, size in ((info.header_offset, 8, 14, 22), (entry, 10, 16, 24)):
        struct.pack_into("<H", data, at + method, ZSTANDARD)
        struct.pack_into("<I", data, at + crc, zlib.crc32(text))
        struct.pack_into("<I", data, at + size, len(text))
    return bytes(data)


@pytest.mark.parametrize(
    "data",
    [
        archive(graded(1, "C")),
        archive(graded(1, "C"), method=zipfile.ZIP_STORED),
        archive(graded(1, "C"), name="_journal/start.json"),
        zstd_archive(graded(1, "C")),
    ],
    ids=["deflated", "stored", "unfinished", "zstandard"],
)
def test_an_archive_holds_the_records_of_its_plain_form(data: bytes) -> None:
    assert read(unpacked(data)) == read(log(graded(1, "C")))


def test_an_archive_without_samples_is_a_log_without_samples() -> None:
    assert json.loads(unpacked(archive()))["samples"] == []


@pytest.mark.parametrize("cut", range(0, 400, 7))
def test_an_archive_that_is_cut_off_is_a_problem_and_never_an_accident(cut: int) -> None:
    data = archive(graded(1, "C"))
    with pytest.raises(FormatError):
        unpacked(data[: max(4, len(data) - 1 - cut)])


def test_any_flipped_bit_is_noticed_or_harmless() -> None:
    data = archive(graded(1, "C"), graded(2, "I"))
    right = unpacked(data)
    for at in range(0, len(data) * 8, 5):
        broken = bytearray(data)
        broken[at // 8] ^= 1 << at % 8
        try:
            found = unpacked(bytes(broken))
        except FormatError:
            continue
        if bytes(broken).startswith(b"PK\x03\x04"):  # else it is read as plain text, and is no log
            samples = [] if DAMAGED_ENTRY in found else json.loads(found)["samples"]
            assert samples == json.loads(right)["samples"] or len(samples) < 2


def test_a_bomb_is_not_unfolded() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        file.writestr("header.json", json.dumps(header()))
        file.writestr("samples/1_epoch_1.json", b'{"id": "' + b"0" * 80_000_000 + b'"}')
    with pytest.raises(FormatError, match="unfolds to more than 400 times its size"):
        unpacked(made.getvalue())
    with pytest.raises(FormatError, match="expected at most 1000 bytes when unpacked"):
        unpacked(archive(*(graded(n, "C") for n in range(20))), Bounds(total=1000))


def test_a_damaged_sample_of_an_archive_costs_itself_alone() -> None:
    data = bytearray(archive(graded(1, "C"), graded(2, "C")))
    entry = data.find(b"PK\x01\x02")
    struct.pack_into("<I", data, entry + 24, 3)  # it lies about its size
    problem, trace = read(unpacked(bytes(data)), "a.eval")
    assert (trace["task_id"], problem.line) == ("sums/2", 1)
    assert problem.what == "samples/1_epoch_1.json: damaged: it is not what the archive's directory says"


def test_messages_in_entries_of_their_own_are_no_samples_and_are_screened(tmp_path: Path) -> None:
    made = io.BytesIO(archive(graded(2, "I")))
    with zipfile.ZipFile(made, "a") as file:
        file.writestr("samples/1_epoch_1/sample.json", json.dumps(graded(1, "C")))
        file.writestr("samples/1_epoch_1/messages/0.json", json.dumps([{"id": 9, "content": TOKEN}]))
        file.writestr("notes.txt", f'"quoted"\n{TOKEN}')
    assert [trace["task_id"] for trace in read(unpacked(made.getvalue()), "a.eval")] == ["sums/2", "sums/1"]
    (tmp_path / "a.eval").write_bytes(made.getvalue())
    experiment = mc.load(tmp_path).with_snapshot()
    (digest,) = experiment.digests.files
    text = experiment.published(digest)
    assert (digest.published, dict(experiment.digests.redacted)) == ("a.eval.json", {"github-token": 2})
    assert json.loads(text)["entries"][-1] == ["notes.txt", '"quoted" [redacted:github-token]']


def test_a_damaged_header_is_a_damaged_archive() -> None:
    data = bytearray(archive(graded(1, "C")))
    struct.pack_into("<I", data, data.rfind(b"PK\x01\x02") + 24, 3)
    with pytest.raises(FormatError, match="not what the archive's directory says"):
        unpacked(bytes(data))


def test_the_last_header_counts_and_an_archive_without_one_says_so() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        file.writestr("header.json", json.dumps(header(status="started")))
        with pytest.warns(UserWarning, match="Duplicate"):
            file.writestr("header.json", json.dumps(header()))
    assert json.loads(b"".join(as_json(made, "a.eval")))["status"] == "success"
    with pytest.raises(FormatError, match="there is no header in this archive"):
        unpacked(archive(graded(1, "C"), name="other.json"))


def test_archives_with_too_many_entries_are_refused() -> None:
    with pytest.raises(FormatError, match="expected at most 2 entries, got 3"):
        ZipEntries.of(io.BytesIO(archive(graded(1, "C"))), "a.eval", most_entries=2)


def test_an_entry_that_is_encrypted_or_packed_in_an_unknown_way_is_told() -> None:
    for at, value, what in ((8, 1, "is encrypted"), (10, 99, "packed by method 99")):
        data = bytearray(archive(graded(1, "C")))
        struct.pack_into("<H", data, data.find(b"PK\x01\x02") + at, value)
        (problem,) = read(unpacked(bytes(data)), "a.eval")
        assert what in problem.what


# ------------------------------------------------------------------ archives in an experiment


def test_a_secret_inside_an_archive_is_taken_out_before_anything_is_read(tmp_path: Path) -> None:
    one = {**graded(1, "C"), "scores": {"match": {"value": "C", "answer": TOKEN}}}
    (tmp_path / "a.eval").write_bytes(archive(one))
    experiment = mc.load(tmp_path).with_snapshot()
    (digest,) = experiment.digests.files
    assert (digest.published, dict(experiment.digests.redacted)) == ("a.eval.json", {"github-token": 1})
    text = experiment.published(digest)
    assert TOKEN.encode() not in text
    assert read(text)[0]["answer"] == "[redacted:github-token]"


def test_an_archive_without_secrets_is_published_as_it_is(tmp_path: Path) -> None:
    data = archive(graded(1, "C"))
    (tmp_path / "a.eval").write_bytes(data)
    experiment = mc.load(tmp_path)
    (digest,) = experiment.with_snapshot().digests.files
    assert (digest.published, experiment.published(digest)) == ("a.eval", data)


def test_a_damaged_archive_is_told_and_the_build_goes_on(tmp_path: Path) -> None:
    cut = archive(graded(2, "C"))[:-30]
    report = measured(tmp_path, {"a.eval": archive(graded(1, "C")), "b.eval": cut})
    score = whole(report)
    assert (score.n, score.N, score.invalid) == (1, 1, 0)
    assert "expected a whole zip archive" in report.problems[0].what


def test_a_secret_in_a_damaged_archive_stops(tmp_path: Path) -> None:
    cut = archive(graded(TOKEN, "C"), method=zipfile.ZIP_STORED)[:-30]
    (tmp_path / "a.eval").write_bytes(cut)
    with pytest.raises(LeakError, match="it is damaged, so nothing is taken out of it"):
        _ = mc.load(tmp_path).with_snapshot().digests.data


def test_both_forms_of_one_log_are_counted_once(tmp_path: Path) -> None:
    report = measured(tmp_path, {"a.eval": archive(graded(1, "C")), "a.json": log(graded(1, "C"))})
    assert (whole(report).attempts, report.records) == (1, 1)
    told = "a.json#/eval/task_id: is the same log as a.eval, which counts its 1 run"
    assert [str(f) for f in report.findings] == [told]


def test_the_adapter_is_part_of_the_instrument(tmp_path: Path) -> None:
    report = measured(tmp_path, {"a.json": log(graded(1, "C"))})
    by_id = {c.ref.id: {path for path, _ in c.files} for c in report.contracts}
    assert set(by_id) == {"assay/traces+inspect", "assay/recorded-score"}
    parts = ("adapter", "log_text", "own_words", "retries", "samples")
    assert all(
        f"metrics_core/adapters/inspect/{part}.py" in files for part in parts for files in by_id.values()
    )


def test_a_sample_that_is_too_long_costs_no_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(log_text, "LARGEST_SAMPLE", 1000)
    long = {**graded("b", "C"), "messages": "y" * 5000}
    report = measured(tmp_path, {"a.eval": archive(graded("a", "C"), long, graded("c", "I"))})
    assert [str(p) for p in report.problems] == ["a.eval:2: expected a sample of at most 1000 bytes"]
    assert whole(report).known == 2


# ------------------------------------------------------------------ samples in several entries


def chunked(*names: str) -> bytes:
    """A log in Inspect's chunked form, as `inspect log convert` of 0.3.285 lays it out."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("header.json", json.dumps(header()))
        for name in names:
            shell = {**graded(name, "C"), "input": "attachment://1", "message_refs": [[0, 1], [2, 4]]}
            del shell["messages"]
            said = [{"role": role, "content": f"{role} of {name}"} for role in ("system", "user", "tool")]
            folder = f"samples/{name}_epoch_1"
            file.writestr(f"{folder}/sample.json", json.dumps(shell))
            file.writestr(f"{folder}/messages/0.json", json.dumps(said))
            file.writestr(f"{folder}/messages/3.json", '[{"role": "assistant", "content": "attachment://1"}]')
            file.writestr(f"{folder}/events/0.json", "[]")
            file.writestr(f"{folder}/attachments/0.json", '["of another", "a long answer"]')
    return made.getvalue()


def test_a_sample_in_several_entries_is_one_run_with_all_its_messages(tmp_path: Path) -> None:
    (tmp_path / "a.eval").write_bytes(chunked("one", "ü/2"))
    experiment = mc.load(tmp_path)
    (whole_of,) = (e for e in mc.compute(experiment).find("score") if not e.group)
    assert (whole_of.n, whole_of.N) == (2, 2)
    runs = list(engine.reviews(experiment))
    assert len(runs) == 2
    for name, run in zip(("one", "ü/2"), runs, strict=True):
        assert run.read is not None
        shown = run.read(run.source)
        assert [(m.role, m.text) for m in shown.messages] == [
            ("system", f"system of {name}"),
            ("tool", f"tool of {name}"),
            ("assistant", "a long answer"),
        ]


def test_entries_of_a_sample_beyond_the_bound_are_left_out_of_its_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = Identity("a", "1")
    lines = [b'["samples/a_epoch_1/messages/%d.json",["%s"]]' % (n, b"x" * 40) for n in range(3)]
    monkeypatch.setattr(chunked_samples, "LARGEST", 170)
    assert chunked_samples.parts_of(iter(lines), {run})[run].count(b"messages/") == 2
    assert chunked_samples.parts_of(iter(lines), set()) == {}
