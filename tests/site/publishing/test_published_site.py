"""A site of a stranger's making: nothing outside its folder is read, and whatever is odd is one line."""

from __future__ import annotations

import hashlib
import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from metrics_core.errors import AssayError, FormatError, InputError
from site_src.publishing.published_site import LARGEST_UNLISTED, PublishedSite, read_manifest
from site_src.publishing.raw_data import lay_out
from site_src.publishing.writer import Manifest


def row(path: str, data: bytes) -> tuple[str, int, str]:
    return path, len(data), hashlib.sha256(data).hexdigest()


def make(folder: Path, files: dict[str, bytes], listed: dict[str, bytes] | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    rows = sorted(row(path, data) for path, data in (files if listed is None else listed).items())
    (folder / "manifest.json").write_bytes(Manifest(tuple(rows)).to_bytes())
    return folder


def opened(folder: Path) -> PublishedSite:
    return PublishedSite(folder, read_manifest(folder))


def faults(folder: Path) -> list[str]:
    return list(opened(folder).faults())


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return make(tmp_path / "site", {"a.html": b"one", "data/b.json": b"{}"})


def test_a_site_as_it_was_written_has_no_faults(site: Path) -> None:
    assert faults(site) == []
    assert opened(site).read("data/b.json") == b"{}"
    assert opened(site).under("data/", ".json") == ("data/b.json",)


def manifest_of(*rows: Any, schema: str = "assay.manifest/1") -> bytes:
    return (
        json.dumps({"files": list(rows), "schema": schema}, separators=(",", ":"), sort_keys=True).encode()
        + b"\n"
    )


def entry(path: Any, size: Any = 3, sha256: Any = "0" * 64, **more: Any) -> dict[str, Any]:
    return {"path": path, "size": size, "sha256": sha256, **more}


@pytest.mark.parametrize(
    "manifest, told",
    [
        (b"", "expected JSON"),
        (b'{"files":' + b"[" * 200_000, "too deep"),
        (b"\xff\xfe", "expected JSON"),
        (b"null\n", "not a manifest"),
        (b'{"files":[],"files":[],"schema":"assay.manifest/1"}\n', "'files' twice"),
        (b'{"files":NaN,"schema":"assay.manifest/1"}\n', "NaN is no JSON"),
        (manifest_of(schema="assay.manifest/9"), "not a manifest"),
        (manifest_of(entry("a.html"), entry("a.html")), "listed twice"),
        (manifest_of(entry("A.html"), entry("a.html")), "listed twice"),
        (manifest_of(entry("e\u0301.html"), entry("\u00e9.html")), "listed twice"),
        (manifest_of(entry("b.html"), entry("a.html")), "out of order"),
        (manifest_of(entry("/etc/passwd")), "within the site"),
        (manifest_of(entry("../x")), "within the site"),
        (manifest_of(entry("a/../../x")), "within the site"),
        (manifest_of(entry("a\\b")), "within the site"),
        (manifest_of(entry("a\0b")), "within the site"),
        (manifest_of(entry("")), "within the site"),
        (manifest_of(entry("x" * 2000)), "within the site"),
        (manifest_of(entry("manifest.json")), "within the site"),
        (manifest_of(entry("statement.json")), "within the site"),
        (manifest_of(entry(["a"])), "within the site"),
        (manifest_of(entry("a", size=-1)), "expected a size"),
        (manifest_of(entry("a", size=1 << 50)), "expected a size"),
        (manifest_of(entry("a", size=True)), "expected a size"),
        (manifest_of(entry("a", size=3.0)), "expected a size"),
        (manifest_of(entry("a", size="3")), "expected a size"),
        (manifest_of(entry("a", sha256="0" * 63)), "64 hex digits"),
        (manifest_of(entry("a", sha256="G" * 64)), "64 hex digits"),
        (manifest_of(entry("a", more=1)), "path, size and sha256"),
        (manifest_of("a"), "path, size and sha256"),
        (manifest_of(entry("a")).replace(b":3", b": 3"), "not spelled as it was published"),
        (b'{"files":[{"path":"\\ud800","sha256":"","size":1}],"schema":"assay.manifest/1"}\n', "surrogate"),
    ],
)
def test_a_manifest_that_is_not_as_sites_write_it_is_one_line(site: Path, manifest: bytes, told: str) -> None:
    (site / "manifest.json").write_bytes(manifest)
    with pytest.raises(FormatError, match=r"^manifest\.json") as found:
        read_manifest(site)
    assert told in str(found.value)
    assert len(str(found.value)) < 400


def test_a_manifest_too_large_is_not_read(site: Path) -> None:
    with (site / "manifest.json").open("wb") as sparse:
        sparse.truncate(LARGEST_UNLISTED + 1)
    with pytest.raises(InputError, match="expected at most"):
        read_manifest(site)


@pytest.mark.parametrize("kind", ["link", "link to a folder", "pipe", "socket", "folder", "device"])
def test_what_is_no_regular_file_is_never_opened(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = make(tmp_path / "site", {"a.html": b"one"}, listed={"a.html": b"one", "x": b"one"})
    outside, at = tmp_path / "outside", site / "x"
    outside.write_bytes(b"one")
    if kind == "link":
        at.symlink_to(outside)
    elif kind == "link to a folder":
        at.symlink_to(tmp_path)
    elif kind == "pipe":
        os.mkfifo(at)
    elif kind == "socket":
        monkeypatch.chdir(site)  # the name of a socket has room for little
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind("x")
    elif kind == "device":
        at.symlink_to("/dev/zero")
    else:
        at.mkdir()
    told = "x: is missing" if kind == "folder" else "x: not a regular file"
    assert faults(site) == [told]
    with pytest.raises(InputError, match="not a regular file"):
        opened(site).read("x")


def test_a_folder_that_is_a_link_is_not_gone_through(tmp_path: Path) -> None:
    make(tmp_path / "other", {"b.json": b"{}"})
    site = make(tmp_path / "site", {"a.html": b"one"}, listed={"a.html": b"one", "data/b.json": b"{}"})
    (site / "data").symlink_to(tmp_path / "other")
    assert faults(site) == ["data: not a regular file", "data/b.json: is missing"]
    with pytest.raises(InputError, match="not a regular file"):
        opened(site).read("data/b.json")


def test_a_huge_file_in_a_small_ones_place_is_not_read(site: Path) -> None:
    with (site / "a.html").open("wb") as sparse:
        sparse.truncate(1 << 40)
    assert faults(site) == ["a.html: holds 1099511627776 bytes, expected 3"]
    with pytest.raises(InputError, match="expected 3"):
        opened(site).read("a.html")


def test_names_that_reorder_what_is_read_are_spelled_out(site: Path) -> None:
    (site / "x\x1b[2J\u202e.html").write_bytes(b"")
    (site / os.fsdecode(b"\xff")).write_bytes(b"")
    told = faults(site)
    assert told == ["x\\u001b[2J\\u202e.html: is not in the manifest", "\\udcff: is not in the manifest"]


def test_a_file_that_changed_after_it_was_checked_is_not_used(site: Path) -> None:
    published = opened(site)
    (site / "a.html").write_bytes(b"two")
    with pytest.raises(InputError, match="is not the file that the manifest lists"):
        published.read("a.html")


def index(*rows: dict[str, Any]) -> bytes:
    return json.dumps(
        {"schema": "assay.files/1", "experiment": "x", "folder": "x", "data_digest": "", "not_read": [],
         "files": list(rows)}
    ).encode()  # fmt: skip


@pytest.mark.parametrize(
    "at", ["/dev/zero", "/etc/passwd", "../outside", "pipe", "data/nowhere", "manifest.json", 7, None]
)
def test_an_index_reads_only_what_the_manifest_lists(tmp_path: Path, at: Any) -> None:
    site = make(tmp_path / "site", {"data/experiments/x/files.json": index({"path": "a", "at": at})})
    os.mkfifo(site / "pipe")
    (tmp_path / "outside").write_bytes(b"secret")
    with pytest.raises(InputError, match="the site has no such file"):
        list(lay_out(opened(site), tmp_path / "laid"))


@pytest.mark.parametrize(
    "rows",
    [
        ({"path": "a", "at": "data/r"}, {"path": "a", "at": "data/s"}),
        ({"path": "a", "at": "data/r"}, {"path": "b", "at": "data/r"}),
        ({"path": "../a", "at": "data/r"},),
        ({"path": "%2e%2e/a", "at": "data/r"},),
        ({"path": "/a", "at": "data/r"},),
        ({"path": "a%00", "at": "data/r"},),
    ],
)
def test_an_index_lays_each_file_out_once_and_inside(
    tmp_path: Path, rows: tuple[dict[str, Any], ...]
) -> None:
    files = {"data/r": b"1", "data/s": b"2", "data/experiments/x/files.json": index(*rows)}
    site = make(tmp_path / "site", files)
    with pytest.raises(AssayError, match=r"twice|outside its folder"):
        list(lay_out(opened(site), tmp_path / "laid"))
    assert not (tmp_path / "a").exists()
