"""Experiments in a store: the same report as from a folder, and in one line what is wrong. S3: `test_s3`."""

from __future__ import annotations

import gzip
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, strategies as st

import metrics_core as mc
from metrics_core.errors import ConfigError, InputError, LeakError
from metrics_core.experiments import Address, cut_log, place, text_of
from metrics_core.experiments.files import FolderEntry, look_at, opened
from metrics_core.experiments.files.in_store import FIRST, MOST, _Ahead
from tests.support.built_once import REPO
from tests.support.by_day import by_day

TOOLS = REPO / "tests/core/adapters/made_by_tools"
EXAMPLES = REPO / "content/experiments"
RUNS = [
    {"task": f"t{at}", "model": "alpha", "passed": at % 3 > 0, "category": f"c{at % 2}"} for at in range(9)
]
KEY = "ghp" + "_" + "a1B2" * 9


@pytest.fixture(autouse=True)
def empty_store() -> Iterator[None]:
    store = fsspec.filesystem("memory")
    yield
    store.store.clear()


def put(files: dict[str, bytes], top: str = "evals/july") -> str:
    for path, data in files.items():
        fsspec.filesystem("memory").pipe_file(f"/{top}/{path}", data)
    return f"memory://{top}"


def of_folder(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def report(experiment: str | Path) -> bytes:
    return json.dumps(mc.compute(mc.load(experiment)).to_json(), sort_keys=True).encode()


# ------------------------------------------------------------------------------ the same as on a disk


@pytest.mark.parametrize(
    "folder",
    [
        *(folder for folder in sorted(TOOLS.iterdir()) if by_day(folder.name, 2)),
        *(folder for folder in sorted(EXAMPLES.iterdir()) if by_day(folder.name, 8)),
        EXAMPLES / "patches-2026",  # has a contract of its own and a task pack, whose readers want a disk
    ],
    ids=lambda folder: folder.name,
)
def test_a_folder_and_its_copy_in_a_store_have_the_same_report(folder: Path) -> None:
    assert report(put(of_folder(folder), f"evals/{folder.name}")) == report(folder)


def test_packed_files_and_single_files_are_the_same_too(tmp_path: Path) -> None:
    lines = b"".join(json.dumps(run).encode() + b"\n" for run in RUNS)
    table = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(RUNS), table)
    for name, data in {
        "plain.jsonl": lines,
        "packed.jsonl.gz": gzip.compress(lines, mtime=0),
        "columns.parquet": table.getvalue(),
    }.items():
        (tmp_path / name).write_bytes(data)
        address = put({name: data, "beside.csv": b"a,b\n"})
        assert report(f"{address}/{name}") == report(tmp_path / name), name


def test_stretches_of_a_log_are_read_by_themselves() -> None:
    lines = [json.dumps({**run, "n": f"{at} " * 2000}).encode() + b"\n" for at, run in enumerate(RUNS * 20)]
    experiment = mc.load(put({"runs.jsonl": b"".join(lines)})).with_snapshot()
    cut = cut_log(experiment, "runs.jsonl", 1000)
    parts = [b"".join(text_of(experiment, "runs.jsonl", stretch)) for stretch in cut]
    assert len(parts) > 1
    assert b"".join(parts) == b"".join(lines)
    assert [part[: part.index(b"\n") + 1] for part in parts] == [lines[s.first - 1] for s in cut]


@given(
    data=st.binary(max_size=200).map(lambda some: some * 7),
    steps=st.lists(st.tuples(st.integers(0, 1500), st.integers(0, 300)), max_size=8),
)
def test_a_file_that_is_read_here_and_there_gives_what_stands_there(
    data: bytes, steps: list[tuple[int, int]]
) -> None:
    plain, read = io.BytesIO(data), io.BufferedReader(_ahead(io.BytesIO(data)), 64)
    for at, many in steps:
        plain.seek(at)
        read.seek(at)
        assert read.read(many) == plain.read(many)
    assert read.seek(0, io.SEEK_END) == len(data)


def test_requests_of_a_file_read_in_order_grow_to_a_bound_and_overlap_nowhere() -> None:
    size, asked = 4 * MOST, []

    class Content(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            asked.append((self.tell(), size))
            return super().read(size)

    with io.BufferedReader(_ahead(Content(bytes(size)))) as file:
        while file.read(FIRST):
            pass
    starts, sizes = zip(*((at, many) for at, many in asked if many), strict=True)
    assert list(starts) == [sum(sizes[:number]) for number in range(len(sizes))]
    assert sum(sizes) == size
    assert sizes[:3] == (FIRST, 2 * FIRST, 4 * FIRST)
    assert max(sizes) == MOST


def _ahead(content: io.BytesIO) -> _Ahead:
    return _Ahead(content, Address.of("memory://evals/a"), len(content.getvalue()))


# ------------------------------------------------------------------------------ what is not read


def test_names_that_no_disk_has_are_told_and_not_read() -> None:
    lines = b"".join(json.dumps(run).encode() + b"\n" for run in RUNS)
    bad = ["..", "a//b.jsonl", "logs/line\nfeed.jsonl", "x" * 300]
    found = look_at(put({"runs.jsonl": lines, **dict.fromkeys(bad, b"{}")}))
    assert [entry.path for entry in found.entries] == ["runs.jsonl"]
    assert {oddity.kind for oddity in found.oddities} == {"a name that no file on a disk has"}
    assert all("\n" not in problem.file for problem in mc.load("memory://evals/july").problems)


def test_a_file_that_is_another_by_now_is_refused() -> None:
    root = place(put({"a.jsonl": b"{}\n"}))
    (entry,) = look_at(root).entries
    put({"a.jsonl": b"[]\n"})
    with (
        pytest.raises(InputError, match=r"^memory://evals/july/a\.jsonl: has changed since"),
        opened(root, entry),
    ):
        pass
    with (
        pytest.raises(InputError, match=r"there is no such file"),
        opened(root, FolderEntry("b", 1, 0, 0, 0)),
    ):
        pass


@pytest.mark.parametrize("address", ["memory://evals/none", "memory://none"])
def test_nothing_there_is_one_line(address: str) -> None:
    with pytest.raises(InputError) as told:
        mc.load(address)
    assert str(told.value) == f"{address}: there is no such file or folder"


# ------------------------------------------------------------------------------ addresses


@pytest.mark.parametrize(
    "address",
    [
        f"s3://AKIA:{KEY}@evals/july",
        f"s3://evals/july?X-Amz-Signature={KEY}",
        f"s3://{KEY}/../july",
        f"https://evals.example.org/july?token={KEY}",
        f"file:///{KEY}",
        f"simplecache::s3://evals/{KEY}",
        f"s3://evals//{KEY}",
        f"s3:///{KEY}",
    ],
)
def test_an_address_with_more_in_it_is_refused_and_never_repeated(address: str) -> None:
    with pytest.raises(InputError) as told:
        mc.load(address)
    assert KEY not in str(told.value)
    assert "\n" not in str(told.value)


def test_a_secret_in_a_name_is_refused_before_the_store_is_asked() -> None:
    with pytest.raises(LeakError) as told:
        mc.load(f"s3://nobody-asks/{KEY}/july")
    assert KEY not in str(told.value)


def test_without_the_extra_one_line_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(ConfigError) as told:
        mc.load("s3://evals/july")
    assert str(told.value) == (
        "s3://evals/july: s3:// is read by libraries that are not installed "
        "(pip install 'assay-report[remote]')"
    )
