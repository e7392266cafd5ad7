"""Packed logs: the same lines as the plain ones, in bounded memory, and a bomb does not go off."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from metrics_core.errors import FormatError
from metrics_core.families.brownfield.record import BrownfieldRun
from metrics_core.formats.decompression import CHUNK, Bounds, is_packed, is_record_file, unpack, unpacked_name
from metrics_core.formats.jsonl import Problem, Row, read
from metrics_core.formats.parquet import lines
from tests.support.by_day import one_in

RECORDS: list[dict[str, Any]] = [
    {"id": f"B{n}", "kind": "fix", "model": "alpha", "change": n / 5000, "change_detail": [["é", n % 2 == 0]],
     "stamp": "2026-07-05", "metrics": {"input_tokens": n}}
    for n in range(5000)
]  # fmt: skip
PLAIN = b"".join(json.dumps(record).encode() + b"\n" for record in RECORDS)


def unpacked(data: bytes, name: str, bounds: Bounds | None = None) -> bytes:
    return b"".join(unpack(io.BytesIO(data), name, bounds))


def zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


PACKERS = [("a.jsonl.gz", gzip.compress), ("a.jsonl.zst", zstd)]


@pytest.mark.parametrize(("name", "pack"), PACKERS)
def test_a_packed_log_has_the_lines_of_the_plain_one(name: str, pack: Any) -> None:
    assert unpacked(pack(PLAIN), name) == PLAIN
    assert unpacked(pack(b""), name) == b""
    assert unpacked(PLAIN, "a.jsonl") == PLAIN


@pytest.mark.parametrize(("name", "pack"), PACKERS)
def test_members_that_follow_each_other_are_one_log(name: str, pack: Any) -> None:
    half = len(PLAIN) // 2
    assert unpacked(pack(PLAIN[:half]) + pack(b"") + pack(PLAIN[half:]), name) == PLAIN


@pytest.mark.parametrize(("name", "pack"), PACKERS)
def test_a_log_that_is_cut_off_gives_its_rows_and_says_so(name: str, pack: Any) -> None:
    data = pack(PLAIN)
    for cut in (0, 1, 5, len(data) // 2, len(data) - 1):
        found = list(read(unpack(io.BytesIO(data[:cut]), name), BrownfieldRun, file=name))
        assert isinstance(found[-1], Problem)
        assert "end early" in found[-1].what
        assert all(isinstance(item, Row) for item in found[:-2])


@pytest.mark.parametrize(("name", "pack"), PACKERS)
def test_what_is_not_packed_is_refused(name: str, pack: Any) -> None:
    with pytest.raises(FormatError, match="expected"):
        unpacked(b"plainly not packed, whatever the name says", name)
    with pytest.raises(FormatError, match="expected"):
        unpacked(pack(PLAIN) + b"more", name)


def test_zeros_after_gzip_data_are_padding() -> None:
    assert unpacked(gzip.compress(PLAIN) + bytes(1000), "a.jsonl.gz") == PLAIN


@one_in(2)
@pytest.mark.parametrize(("name", "pack"), PACKERS)
def test_a_bomb_does_not_go_off(name: str, pack: Any) -> None:
    bomb = pack(bytes(200 * 2**20))
    sizes: list[int] = []
    with pytest.raises(FormatError, match="unfolds to more than 400 times"):
        sizes.extend(len(piece) for piece in unpack(io.BytesIO(bomb), name))
    assert sum(sizes) <= 80 * 2**20
    assert max(sizes) <= 64 * CHUNK


def test_there_is_a_most_that_may_come_out() -> None:
    with pytest.raises(FormatError, match="at most 1000 bytes when unpacked"):
        unpacked(gzip.compress(PLAIN), "a.jsonl.gz", Bounds(total=1000))


def test_parquet_rows_are_records(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    same = {"kind": "fix", "stamp": "2026-07-05"}
    rows = [
        {"id": "B1", "model": "é", "change": 0.5, "regress": None, **same},
        {"id": "B2", "model": "m", "change": float("nan"), "regress": 1.0, **same},
        {"id": "B3", "model": "m", "change": None, "regress": 1.0, **same},
    ]
    columns: dict[str, Any] = {key: [row[key] for row in rows] for key in rows[0]}
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    with (tmp_path / "a.parquet").open("rb") as file:
        found = list(read(unpack(file, "a.parquet"), BrownfieldRun, file="a.parquet"))
    assert [type(item) for item in found] == [Row, Problem, Row]
    assert isinstance(found[0], Row)
    assert found[0].record.model == "é"
    assert isinstance(found[2], Row)
    assert found[2].record.change is None
    assert "NaN" in str(found[1])
    with pytest.raises(FormatError, match="expected Parquet data"):
        unpacked(b"PAR1 not really PAR1", "a.parquet")


def test_parquet_tells_maps_structs_and_json_apart() -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {
        "scores": pa.array([[("match", "C"), ("judge", None)], [], None], pa.map_(pa.string(), pa.string())),
        "metrics": pa.array([{"input": 1, "roles": [{"calls": None}]}, {"input": None, "roles": None}, None]),
        "detail": pa.array(['[["a", true],\n ["b", false]]', "null", '1, "scores": {}'], pa.json_()),
    }
    packed = io.BytesIO()
    pq.write_table(pa.table(columns), packed)
    packed.seek(0)
    lines = b"".join(unpack(packed, "a.parquet")).splitlines()
    assert [json.loads(line) for line in lines] == [
        {"scores": {"match": "C", "judge": None}, "metrics": {"input": 1, "roles": [{}]},
         "detail": [["a", True], ["b", False]]},
        {"scores": {}, "metrics": {}, "detail": None},
        {"detail": '1, "scores": {}'},
    ]  # fmt: skip


def test_json_inside_parquet_is_read_as_strictly_as_a_line() -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    details = ['[["a", true]]', "NaN", '{"a": 1, "a": 2}', "[" * 100_000, "not JSON"]
    columns = {
        "id": [f"B{n}" for n in range(5)], "kind": ["fix"] * 5, "model": ["m"] * 5, "change": [1.0] * 5,
        "stamp": ["2026-07-05"] * 5, "change_detail": pa.array(details, pa.json_()),
    }  # fmt: skip
    packed = io.BytesIO()
    pq.write_table(pa.table(columns), packed)
    packed.seek(0)
    found = list(read(unpack(packed, "a.parquet"), BrownfieldRun, file="a.parquet"))
    assert [type(item) for item in found] == [Row, Problem, Problem, Problem, Problem]


def test_a_key_that_stands_twice_in_a_map_is_refused() -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    packed = io.BytesIO()
    twice = pa.array([[("match", "C"), ("match", "I")]], pa.map_(pa.string(), pa.string()))
    pq.write_table(pa.table({"scores": twice}), packed)
    packed.seek(0)
    with pytest.raises(FormatError, match="duplicate key"):
        unpacked(packed.getvalue(), "a.parquet")


def test_names_say_how_a_log_is_packed() -> None:
    assert [is_record_file(n) for n in ("a.jsonl", "a.jsonl.gz", "a.parquet", "a.json", "a.gz", "jsonl")] == [
        True, True, True, False, False, False,
    ]  # fmt: skip
    assert not is_packed("a.jsonl")
    assert is_packed("a.jsonl.zst")
    assert unpacked_name("x/a.jsonl.zst") == unpacked_name("x/a.parquet") == "x/a.jsonl"


def parquet(**columns: Any) -> io.BytesIO:
    import pyarrow as pa
    import pyarrow.parquet as pq

    packed = io.BytesIO()
    pq.write_table(pa.table(columns), packed, compression="zstd")
    packed.seek(0)
    return packed


def lists_of(text: str, lengths: list[int]) -> Any:
    """Lists in which one text stands again and again: in a file it stands once."""
    import numpy as np
    import pyarrow as pa

    texts = pa.DictionaryArray.from_arrays(np.zeros(sum(lengths), np.int32), [text])
    return pa.ListArray.from_arrays(np.append(0, np.cumsum(lengths)).astype(np.int32), texts)


def test_a_row_that_unfolds_far_is_refused_before_it_does() -> None:
    """2 kB on disk, 4 GB in memory if one row were made: a text of 1 MB, 4,000 times."""
    bomb = parquet(id=["a"], names=lists_of("x" * 10**6, [4000]))
    assert len(bomb.getvalue()) < 4000
    with pytest.raises(
        FormatError, match=r"a row unfolds to 4,000,00[0-9,]+ bytes, expected at most 67,108,864"
    ):
        list(unpack(bomb, "a.parquet"))


def test_many_values_of_a_short_file_are_refused_by_their_number() -> None:
    import numpy as np
    import pyarrow as pa

    zeros = pa.ListArray.from_arrays(
        np.array([0, 40 * 10**6], np.int32), pa.array(np.zeros(40 * 10**6, np.int8))
    )
    with pytest.raises(FormatError, match="unfolds to more than 4000 times its size"):
        list(unpack(parquet(id=["a"], numbers=zeros), "a.parquet"))


def test_rows_are_the_same_however_few_are_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow as pa

    lengths = [3, 0, 40, 1, 7, 25]
    inner = pa.StructArray.from_arrays([lists_of("é" * 9, lengths), pa.array(range(6))], ["names", "n"])
    maps = pa.array(
        [[("k", ["v"])], [], None, [("a", []), ("b", None)], [], []],
        pa.map_(pa.string(), pa.list_(pa.string())),
    )
    packed = parquet(names=lists_of("x" * 9, lengths), inner=inner, maps=maps, n=list(range(6)))
    whole = b"".join(unpack(packed, "a.parquet"))
    assert [len(json.loads(line)["names"]) for line in whole.splitlines()] == lengths
    monkeypatch.setattr(lines, "LARGEST_CHUNK_AT_ONCE", 1000)
    monkeypatch.setattr(lines, "LARGEST_PART", 1200)
    packed.seek(0)
    pieces = list(unpack(packed, "a.parquet"))
    assert len(pieces) > 2
    assert b"".join(pieces) == whole
