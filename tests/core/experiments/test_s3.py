"""Experiments in S3, at a server of this process: the same report, and one line of what is wrong.

By night alone: the server takes seconds to load. By day `test_files_in_a_store` holds the same of memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

import metrics_core as mc
from metrics_core.errors import InputError, PublishError
from metrics_core.execution import EngineChoice
from metrics_core.experiments import Address
from metrics_core.experiments.files import look_at, opened, place
from metrics_core.measurement import partitions
from site_src import delivery
from site_src.cli import main
from site_src.project.safe_write import SiteFile
from site_src.publishing import writer
from tests.support.built_once import REPO
from tests.support.by_day import at_night

pytestmark = at_night("the same laws over memory://")

EXAMPLE = REPO / "content/experiments/patches-2026"
KEY, SECRET = "AKIA" + "Q4TESTONLYKEYS22", "wJalrXUtnFEMI" + "/K7MDENG/" + "bPxRfiCYzzTESTKEYS"
RUN = {"task": "t1", "model": "alpha", "passed": True}


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Where an S3 server of this process listens."""
    needed = (
        "the S3 server of the tests is not installed: make setup, or pip install 'moto[s3]' flask flask-cors"
    )
    moto = pytest.importorskip("moto.server", reason=needed)
    pytest.importorskip("s3fs", reason="pip install 'assay-report[remote]'")
    running = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


@pytest.fixture
def bucket(server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A client of the server, and in the environment what finds it; its bucket is *evals*."""
    boto3 = pytest.importorskip("boto3")
    for name, value in {
        "AWS_ENDPOINT_URL": server, "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_DEFAULT_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    _forget_clients()
    client = boto3.client("s3")
    client.create_bucket(Bucket="evals")
    yield client
    for item in client.list_objects_v2(Bucket="evals").get("Contents", []):
        client.delete_object(Bucket="evals", Key=item["Key"])
    client.delete_bucket(Bucket="evals")
    _forget_clients()


def _forget_clients() -> None:
    """A client that s3fs keeps has the keys of the test before."""
    import s3fs

    s3fs.S3FileSystem.clear_instance_cache()


def put(bucket: Any, files: dict[str, bytes], top: str = "july") -> str:
    for path, data in files.items():
        bucket.put_object(Bucket="evals", Key=f"{top}/{path}", Body=data)
    return f"s3://evals/{top}"


def log(runs: int, pad: int = 0) -> bytes:
    return b"".join(
        json.dumps({**RUN, "task": f"t{at}", "n": "x" * pad}).encode() + b"\n" for at in range(runs)
    )


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line in which a command fails."""
    assert main(list(words)) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert KEY not in said.err
    assert SECRET not in said.err
    return said.err


def test_the_report_is_the_one_of_the_folder(bucket: Any) -> None:
    files = {p.relative_to(EXAMPLE).as_posix(): p.read_bytes() for p in EXAMPLE.rglob("*") if p.is_file()}
    address = put(bucket, files, EXAMPLE.name)
    assert mc.compute(mc.load(address)).to_json() == mc.compute(mc.load(EXAMPLE)).to_json()


def test_several_processes_read_ranges_and_come_to_the_same(
    bucket: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partitions, "SMALLEST_STRETCH", 2**20)
    run = {"id": "B1", "kind": "fix", "model": "alpha", "change": 1.0, "stamp": "2026-07-05"}
    runs = ({**run, "id": f"B{at % 9}", "rep": at, "note": "x" * 10_000} for at in range(300))
    lines = b"".join(json.dumps(each).encode() + b"\n" for each in runs)
    (tmp_path / "july/logs_big").mkdir(parents=True)
    (tmp_path / "july/logs_big/a.jsonl").write_bytes(lines)
    experiment = mc.load(put(bucket, {"logs_big/a.jsonl": lines})).with_snapshot()
    (family,) = mc.api.engine.families_of(experiment)
    assert len(list(partitions.partitions_for(family, experiment, 2))) > 1
    with EngineChoice("processes", 2).started(0) as engine:
        report = mc.compute(experiment, workers=engine)
    assert report.to_json() == mc.compute(mc.load(tmp_path / "july")).to_json()


def test_what_is_missing_is_one_line(bucket: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "compute", "s3://nobody/july") == "error: s3://nobody/july: there is no such bucket\n"
    assert told(capsys, "compute", "s3://evals/none") == (
        "error: s3://evals/none: there is no such file or folder\n"
    )


def test_a_line_that_is_no_record_is_told_by_address_and_line(
    bucket: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    address = put(bucket, {"logs_big/a.jsonl": b"{}\n{\n", "experiment.yaml": b"title: [\n"})
    assert told(capsys, "compute", address).startswith(f"error: {address}/experiment.yaml:2: ")


def test_without_keys_a_hint_says_where_they_come_from(
    bucket: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    _forget_clients()
    assert "s3://evals/july: no keys to this store were found" in told(capsys, "compute", "s3://evals/july")


def test_a_server_that_is_gone_is_one_line(
    bucket: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    _forget_clients()
    assert "s3://evals/july: the store does not answer" in told(capsys, "compute", "s3://evals/july")


def test_a_file_that_changes_while_it_is_read_ends_the_reading(bucket: Any) -> None:
    root = place(put(bucket, {"a.jsonl": log(300, 10_000)}))
    (entry,) = look_at(root).entries
    with opened(root, entry) as file:
        pieces = _changing(file, lambda: put(bucket, {"a.jsonl": log(300, 9_999)}))
        with pytest.raises(InputError, match=r"^s3://evals/july/a\.jsonl: changed while it was read"):
            b"".join(pieces)


def test_a_site_is_sent_with_kinds_that_browsers_know(bucket: Any, tmp_path: Path) -> None:
    files = {"index.html": b"<p>", "s.css": b"p {}", "a.svg": b"<svg/>", "r.json": b"{}"}
    writer.swap([SiteFile(path, data) for path, data in files.items()], tmp_path / "site")
    assert delivery.send(tmp_path / "site", Address.of("s3://evals/site")) == delivery.Sent(4, 0, 0)
    assert delivery.send(tmp_path / "site", Address.of("s3://evals/site")) == delivery.Sent(0, 4, 0)
    kinds = {path: bucket.head_object(Bucket="evals", Key=f"site/{path}")["ContentType"] for path in files}
    assert kinds == {
        "index.html": "text/html", "s.css": "text/css", "a.svg": "image/svg+xml", "r.json": "application/json"
    }  # fmt: skip
    listed = {item["Key"] for item in bucket.list_objects_v2(Bucket="evals")["Contents"]}
    assert listed == {f"site/{path}" for path in (*files, "manifest.json")}
    with pytest.raises(PublishError, match=r"^s3://nobody/site: there is no such bucket"):
        delivery.send(tmp_path / "site", Address.of("s3://nobody/site"))


def _changing(file: BinaryIO, change: Callable[[], object]) -> Iterator[bytes]:
    """What is read of a file that is another once its beginning was read."""
    yield file.read(100)
    change()
    while piece := file.read(2**16):
        yield piece


def test_what_stands_in_the_place_of_folders_is_no_file(bucket: Any) -> None:
    found = look_at(put(bucket, {"": b"", "logs/": b"", "logs": b"{}", "logs/a.jsonl": log(1), "a//b": b""}))
    assert [entry.path for entry in found.entries] == ["logs/a.jsonl"]
    assert {oddity.path: oddity.kind for oddity in found.oddities} == {
        "logs": "a file that has the name of a folder",
        "a//b": "a name that no file on a disk has",
    }
