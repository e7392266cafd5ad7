"""The footer of a Parquet file says what the library that reads its pages says; a damaged one is an error."""

from __future__ import annotations

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics_core.errors import FormatError
from metrics_core.formats.parquet.footer import column_chunks

ROWS = [
    {"id": f"r{n % 3}", "n": n, "x": n / 7, "ok": n % 2 == 0, "steps": [{"name": "a", "took": n}] * (n % 3)}
    for n in range(500)
]


def written(**how: object) -> bytes:
    made = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(ROWS), made, **how)
    return made.getvalue()


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"row_group_size": 37},
        {"use_dictionary": False},
        {"compression": "zstd", "data_page_version": "2.0"},
    ],
)
def test_it_says_what_the_library_says(how: dict[str, object]) -> None:
    data = written(**how)
    metadata = pq.ParquetFile(io.BytesIO(data)).metadata
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    columns = [group.column(at) for group in groups for at in range(group.num_columns)]
    found = [
        (c.path, c.values, c.size, c.texts, c.has_dictionary) for c in column_chunks(io.BytesIO(data), "a")
    ]
    assert found == [
        (c.path_in_schema, c.num_values, c.total_uncompressed_size, c.physical_type == "BYTE_ARRAY",
         c.has_dictionary_page)
        for c in columns
    ]  # fmt: skip
    assert len(columns) >= 6


def test_the_file_stands_where_it_stood() -> None:
    file = io.BytesIO(written())
    file.seek(4)
    column_chunks(file, "a.parquet")
    assert file.tell() == 4


def test_an_end_that_is_no_footer_is_an_error() -> None:
    whole = written()
    length = int.from_bytes(whole[-8:-4], "little")
    begins = len(whole) - 8 - length
    endless = b"\xff" * 30
    for footer in (
        b"",
        b"\x49\x0c" * 4000,
        endless,
        b"\x15" + endless,
        b"\x49\xfc\xff\xff\xff\x7f",
        b"\x4b\xff\xff\x7f",
    ):
        data = whole[:begins] + footer + len(footer).to_bytes(4, "little") + b"PAR1"
        with pytest.raises(
            FormatError, match=r"^a\.parquet: expected Parquet data: its footer cannot be read"
        ):
            column_chunks(io.BytesIO(data), "a.parquet")
    for cut in (whole[:-1], whole[:-8], whole[:11], b"", whole[:-8] + b"\xff\xff\xff\x7fPAR1"):
        with pytest.raises(FormatError):
            column_chunks(io.BytesIO(cut), "a.parquet")
