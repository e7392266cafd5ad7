"""Planted secrets and keys, built to a whole site: nothing of them is in it, and all of it is told."""

from __future__ import annotations

import gzip
import json
import struct
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

import metrics_core as mc
from metrics_core.errors import LeakError
from metrics_core.redaction import BuilderIdentity, Redactor
from site_src import pipeline
from site_src.project import SiteFile
from site_src.publishing.leaks import screened
from site_src.verification import verify
from tests.support import small_content
from tests.support.by_day import at_night
from tests.support.secret_samples import planted

HARMLESS = "clone https://<user>:<token>@example.org/a.git"
ALICE = BuilderIdentity(home="/home/alicew", user="alicew")


def spelled(secret: str) -> tuple[bytes, ...]:
    """Parts of a secret that tell it, as plain text and as JSON."""
    core = secret.partition("KEY-----\n")[2] or secret
    return tuple({core[:14].encode(), json.dumps(core)[1:-1][:14].encode(), core[-12:].encode()})


@pytest.fixture(scope="module")
def planted_site(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, pipeline.Built, list[str]]:
    folder = tmp_path_factory.mktemp("leaks")
    content = small_content.write_suite(folder / "content")
    suite = content / "experiments" / "suite"
    share = [
        row for row in planted(seed=11) if row[1] in ("plain", "colour within", "percent", "base64 in JSON")
    ]
    secrets = [secret for _, _, _, secret in share]
    log = suite / "logs_big" / "alpha.jsonl"
    runs = [json.loads(line) for line in log.read_text().splitlines()]
    for number, (_, _, text, _) in enumerate(share):
        runs[number % len(runs)].setdefault("trace", []).append(text)
    runs[0]["trace"].append(HARMLESS)
    runs[1]["trace"].append("cwd -home-alicew-app, file%3A%2F%2F%2Fhome%2FAliceW%2Fx, C:\\Users\\alicew\\x")
    log.write_text("".join(json.dumps(run) + "\n" for run in runs))
    own = "ghp" + "_" + "z9Y8" * 9
    secrets.append(own)
    for name in (".env", ".netrc", "id_rsa", "notes.txt", "logs_big/.env"):
        (suite / name).write_text(f"TOKEN={own}\n")
    (suite / "wide.txt").write_text(f"TOKEN={own}\n", encoding="utf-16")
    with zipfile.ZipFile(suite / "all.zip", "w") as archive:
        archive.writestr("env", f"TOKEN={own}\n")
    plan = pipeline.Plan(content=content, output=folder / "site", redactor=Redactor(builder=ALICE))
    return folder / "site", pipeline.build(plan), secrets


def test_no_planted_secret_and_no_trace_of_the_builder_is_in_the_site(planted_site) -> None:
    site, _, secrets = planted_site
    assert len(secrets) >= 200
    whole = b"\n".join(path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file())
    assert [secret for secret in secrets if any(part in whole for part in spelled(secret))] == []
    assert b"alicew" not in whole.lower()
    assert b"\xff\xfeT\0O\0" not in whole
    assert b"PK\x03\x04" not in whole


def test_it_is_told_where_each_stood_and_what_was_not_published(planted_site) -> None:
    site, built, _ = planted_site
    told = [note for note in built.notes if note.startswith("suite: logs_big/alpha.jsonl:")]
    assert "suite: logs_big/alpha.jsonl:1#/trace/0: discord-token redacted" in told
    assert "suite: logs_big/alpha.jsonl:1#/trace/1: github-token redacted" in told
    assert len(told) == 20
    assert any(note.startswith("suite: ") and note.endswith(" more places redacted") for note in built.notes)
    page = (site / "data" / "index.html").read_text(encoding="utf-8")
    for name in (".env", ".netrc", "id_rsa", "notes.txt", "logs_big/.env", "wide.txt", "all.zip"):
        assert f">{name}<" in page
    listed = json.loads(next(site.glob("data/experiments/suite/files.json")).read_bytes())
    assert {row["path"] for row in listed["files"]}.isdisjoint(listed["not_published"])
    assert len(listed["not_published"]) == 7


@at_night("test_redactor.py leaves harmless text alone")
def test_a_harmless_address_stays_and_the_site_verifies(planted_site) -> None:
    site, _, _ = planted_site
    records = b"".join(path.read_bytes() for path in site.glob("data/experiments/suite/*.jsonl"))
    assert HARMLESS.encode() in records
    found = verify.verify(site)
    assert [fault for row in found.rows for fault in row.faults] == []


def test_where_a_refused_leak_stands_is_said() -> None:
    secret = "ghp" + "_" + "a1B2" * 9
    page = SiteFile("notes.html", f"<p>one</p>\n<p>call it with {secret} today</p>\n".encode())
    with pytest.raises(LeakError) as refused:
        list(screened([page], Redactor()))
    assert refused.value.where == "notes.html:2"
    assert "call it with [redacted:github-token] today" in refused.value.hint
    assert secret not in str(refused.value)


def test_where_a_leak_stands_is_said_of_a_page_that_already_shows_a_mark() -> None:
    secret = "ghp" + "_" + "a1B2" * 9
    page = SiteFile("notes.html", f"<p>was [redacted:github-token]</p>\n<p>and {secret} now</p>\n".encode())
    with pytest.raises(LeakError) as refused:
        list(screened([page], Redactor()))
    assert refused.value.where == "notes.html:2"
    assert "and [redacted:github-token] now" in refused.value.hint


def test_a_secret_beside_the_text_of_a_packed_file_is_not_published(tmp_path: Path) -> None:
    """A comment of gzip, a frame that readers skip, a field of a footer: the lines alone are published."""
    secret = "ghp" + "_" + "z9Y8" * 9
    runs = small_content.runs("alpha")
    text = b"".join(json.dumps(run).encode() + b"\n" for run in runs)
    logs = tmp_path / "suite" / "logs_big"
    logs.mkdir(parents=True)
    packed = gzip.compress(text, mtime=0)
    commented = packed[:3] + bytes([packed[3] | 16]) + packed[4:10] + secret.encode() + b"\0" + packed[10:]
    (logs / "a.jsonl.gz").write_bytes(commented)
    frame = struct.pack("<II", 0x184D2A50, len(secret)) + secret.encode()
    (logs / "b.jsonl.zst").write_bytes(frame + zstandard.compress(text.replace(b"alpha", b"beta")))
    flat = [{key: value for key, value in run.items() if key != "change_detail"} for run in runs]
    table = pa.Table.from_pylist(flat).replace_schema_metadata({"note": f"key {secret}"})
    pq.write_table(table, logs / "c.parquet")
    (logs / "d.jsonl.gz").write_bytes(packed)
    found = mc.load(tmp_path / "suite").with_snapshot()
    names = {file.path: file.published for file in found.digests.files}
    assert names == {
        "logs_big/a.jsonl.gz": "logs_big/a.jsonl", "logs_big/b.jsonl.zst": "logs_big/b.jsonl",
        "logs_big/c.parquet": "logs_big/c.jsonl", "logs_big/d.jsonl.gz": "logs_big/d.jsonl.gz",
    }  # fmt: skip
    for file in found.digests.files:
        assert secret.encode() not in found.published(file)
    assert dict(found.digests.redacted) == {"github-token": 3}
