"""Rows of a Parquet file as lines of JSON, as many at once as memory is to hold.

Does: look at what the footer says before a page is read, read row by row, and stop where a row is too large.
Does not: open files, or look at what the lines hold.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from metrics_core.errors import FormatError
from metrics_core.formats.parquet.footer import column_chunks

ROWS_AT_A_TIME = 1024

LARGEST_CHUNK_AT_ONCE = 256 * 2**20
"""Bytes that the rows of one batch of a Parquet file may come to, each value as long as its column allows."""

LARGEST_PART = 64 * 2**20
"""Bytes that rows may come to which are made lines together; a single row of more is refused."""

SHORTEST_VALUE = 2
"""Bytes of the shortest value in a line: a digit and a comma."""

OBJECT = 8
"""Bytes that each value of a list takes at least in memory, beside its own."""


def rows(file: BinaryIO, name: str, most: int, ratio: int) -> Iterator[bytes]:
    """Rows of a Parquet file as JSON lines, as many at once as could come to no more than is held.

    One value of a column may stand behind many rows, so a batch is as large as if the longest did.

    Parquet knows no missing fields: a null is left out, but where it is the value of a key in a map. A column
    of its logical type JSON holds values in JSON: so it can tell lists of unlike things, and fields that are
    null.

    Args:
        file: Open for reading, and able to seek.
        name: Its name, for errors.
        most: Bytes that it may unfold to.
        ratio: How many times its size that is, for the error.

    Raises:
        FormatError: It is no Parquet file, or unfolds to more.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    chunks = column_chunks(file, name)
    try:
        table = pq.ParquetFile(file)
        columns = [table.schema.column(number) for number in range(len(table.schema))]
        values = sum(chunk.values for chunk in chunks) + table.metadata.num_rows
        if max(sum(chunk.size for chunk in chunks), SHORTEST_VALUE * values) > most:
            raise FormatError(f"unfolds to more than {ratio} times its size", where=name)
        listed = {column.path for column in columns if column.max_repetition_level}
        repeated = {
            chunk.path
            for chunk in chunks
            if chunk.path in listed and chunk.has_dictionary
            and chunk.texts
            and chunk.values * chunk.size > LARGEST_CHUNK_AT_ONCE
        }  # fmt: skip
        if repeated:  # each text once, and numbers in the place of it, until it is known what all come to
            table = pq.ParquetFile(file, read_dictionary=sorted(repeated))
        written = {column.path for column in columns if column.logical_type.type == "JSON"}
        kinds = {field.name: None if field.name in written else field.type for field in table.schema_arrow}
        largest = max((chunk.size for chunk in chunks), default=0)
        at_once = max(1, min(ROWS_AT_A_TIME, LARGEST_CHUNK_AT_ONCE // max(1, largest)))
        for batch in table.iter_batches(batch_size=at_once):
            for part in _held(batch, name):
                yield b"".join(_line(row, kinds) for row in part.to_pylist(maps_as_pydicts="strict"))
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        problem = str(error.args[0] if isinstance(error, KeyError) else error)
        raise FormatError(f"expected Parquet data: {problem.partition(chr(10))[0]}", where=name) from error


def _held(batch: Any, name: str) -> Iterator[Any]:
    """Rows of a batch in parts that unfold to no more than is held."""
    size = sum(_unfolded(column) for column in batch.columns)
    if size <= LARGEST_PART:
        yield batch
    elif batch.num_rows == 1:
        raise FormatError(f"a row unfolds to {size:,} bytes, expected at most {LARGEST_PART:,}", where=name)
    else:
        half = batch.num_rows // 2
        yield from _held(batch.slice(0, half), name)
        yield from _held(batch.slice(half), name)


def _unfolded(column: Any) -> int:
    """Bytes that an Arrow array comes to where each of its values stands by itself."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if pa.types.is_dictionary(kind):
        if not len(column.dictionary) or column.null_count == len(column):
            return len(column)
        lengths = pc.take(pc.binary_length(column.dictionary), column.indices)
        return int(pc.sum(lengths).as_py() or 0) + len(column)
    if pa.types.is_map(kind):
        column = column.cast(pa.list_(pa.struct([("key", kind.key_type), ("value", kind.item_type)])))
    if pa.types.is_struct(kind):
        return sum(map(_unfolded, column.flatten()))
    if pa.types.is_nested(kind):
        return _unfolded(column.flatten())
    return int(column.nbytes) + OBJECT * len(column)


def _line(row: Mapping[str, Any], kinds: Mapping[str, Any]) -> bytes:
    """One row; a column without a kind holds JSON, which stands in the line as it is."""
    fields = (
        f"{_text(key)}: {_as_written(value) if kinds[key] is None else _text(_present(value, kinds[key]))}"
        for key, value in row.items()
        if value is not None
    )
    return ("{" + ", ".join(fields) + "}\n").encode("utf-8", "surrogatepass")


def _as_written(text: str) -> str:
    """A value in JSON, on one line; what is no JSON stays the text that it is, for the reader to refuse."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return _text(text)
    return text.replace("\n", " ").replace("\r", " ")


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _present(value: Any, kind: Any) -> Any:
    """A value of an Arrow type, without the fields of a struct that are null."""
    if isinstance(value, list):
        return [_present(inner, kind.value_type) for inner in value]
    if not isinstance(value, dict):
        return value
    if hasattr(kind, "item_type"):
        return {key: _present(inner, kind.item_type) for key, inner in value.items()}
    return {key: _present(inner, kind.field(key).type) for key, inner in value.items() if inner is not None}
