"""What nothing reads is named and never published; what is UTF-16 is screened as the text that it is."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from pathlib import Path

from hypothesis import given, strategies as st

import metrics_core as mc
from metrics_core.redaction import Redactor

RECORD = {"id": "B1", "kind": "fix", "model": "alpha", "change": 1.0, "stamp": "2026-07-05"}
LINE = json.dumps(RECORD).encode() + b"\n"
SECRET = "ghp" + "_" + "a1B2" * 9
CONTRACT = b"CONTRACT_ID = 'm/v1'\nFIXTURES = []\n\n\ndef score_trace(trace):\n    return 1.0\n"
ATTEMPT = b'{"attempt_id": "aa"}'

READ = {
    "logs_big/a.jsonl": LINE,
    "experiment.yaml": b"title: A\n",
    "contracts/metric.py": CONTRACT,
    "contracts/parts/words.py": b"X = 1\n",
    "controls/sanity.json": b"{}",
    "pricing/p.yaml": b"fetched: 2026-07-05\nmodels: {a: {input: 1, output: 2}}\n",
    "eval_pack/tasks.json": b'[{"id": "t1"}]',
    "eval_pack/cards/t1.md": b"do it\n",
    "attempts/aa/manifest.json": ATTEMPT,
    "attempts/aa/inputs/workflow/a.yml": b"on: push\n",
    "traces/t.jsonl": b"",
}
UNREAD = (
    *(
        ".env",
        ".netrc",
        ".git-credentials",
        ".ssh/id_rsa",
        "id_ed25519",
        "server.key",
        "keys.p12",
        "README.md",
    ),
    *("notes.txt", "dump.tar.gz", "other/x.jsonl", "logs_big/.env", "logs_big/notes.md", "attempts/aa/.env"),
    *("attempts/aa/token.json", "contracts/.env", "contracts/data.csv", "controls/notes.txt", "pricing/.key"),
)


def folder(root: Path) -> Path:
    for path, data in {**READ, **dict.fromkeys(UNREAD, f"TOKEN={SECRET}\n".encode())}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    (root / "wide.txt").write_bytes(f"TOKEN={SECRET}\n".encode("utf-16"))
    with zipfile.ZipFile(root / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("env", f"TOKEN={SECRET}\n" * 9)
    return root


def test_only_what_was_read_is_published_and_the_rest_is_named(tmp_path: Path) -> None:
    found = mc.load(folder(tmp_path / "e")).with_snapshot()
    assert {file.path for file in found.digests.files} == set(READ)
    assert set(found.unread) == {*UNREAD, "wide.txt", "all.zip"}
    assert sorted((*READ, *found.unread)) == sorted(found.entries)
    assert found.digests.redacted == {}


def test_what_was_not_read_moves_no_digest(tmp_path: Path) -> None:
    with_all = mc.load(folder(tmp_path / "e")).with_snapshot().digests
    alone = tmp_path / "alone"
    for path, data in READ.items():
        (alone / path).parent.mkdir(parents=True, exist_ok=True)
        (alone / path).write_bytes(data)
    assert mc.load(alone).with_snapshot().digests.data == with_all.data


def test_what_an_adapter_may_read_beside_its_logs_is_published(tmp_path: Path) -> None:
    lines = {"tasks": [{"id": "t", "pass": True}]}
    root = tmp_path / "e"
    root.mkdir()
    (root / "results.csv").write_text("task,passed,model\nt1,1,a\nt2,0,a\n")
    (root / ".env").write_text(f"TOKEN={SECRET}\n")
    (root / "credentials.json").write_text(json.dumps(lines | {"token": SECRET}))
    found = mc.load(root).with_snapshot()
    assert found.adapter is not None
    assert found.unread == (".env", "credentials.json")  # tables are read by themselves


@given(st.binary(max_size=80), st.sampled_from([b"\xff\xfe", b"\xfe\xff"]), st.integers(1, 9))
def test_what_begins_as_utf_16_goes_through_byte_for_byte(data: bytes, mark: bytes, size: int) -> None:
    whole = mark + data
    pieces = (whole[at : at + size] for at in range(0, len(whole), size))
    assert b"".join(Redactor().stream(pieces, Counter())) == whole


def test_a_table_in_utf_16_is_screened_and_stays_utf_16(tmp_path: Path) -> None:
    text = f"task,passed,model,note\nt1,1,a,{SECRET}\nt2,0,a,é\n"
    for form in ("utf-16-le", "utf-16-be"):
        found: Counter[str] = Counter()
        whole = ("\ufeff" + text).encode(form)
        pieces = (whole[at : at + 7] for at in range(0, len(whole), 7))
        out = b"".join(Redactor().stream(pieces, found)).decode(form)
        assert out == "\ufeff" + text.replace(SECRET, "[redacted:github-token]")
        assert found == {"github-token": 1}
    root = tmp_path / "e"
    root.mkdir()
    (root / "results.csv").write_bytes(text.encode("utf-16"))
    read = mc.load(root).with_snapshot()
    published = b"".join(read.published(file) for file in read.digests.files)
    assert SECRET not in published.decode("utf-16")
    assert read.digests.redacted == {"github-token": 1}
