"""Records in other wrappings, as plain text: ``.gz``, ``.zst`` and ``.parquet``.

An Inspect log in its archive form, ``.eval``, unwraps to JSON with a sample on each line. Does: unwrap a
stream in bounded memory, and stop where it grows out of proportion. Does not: open files, or look at what
the text holds.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

from metrics_core.errors import FormatError
from metrics_core.formats import eval_archive
from metrics_core.formats.parquet_footer import column_chunks

CHUNK = 256 * 2**10
"""Bytes of one piece."""

SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".parquet")
"""Names of files that hold records end like this."""

PLAIN = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".txt")
"""Names of files of text that may be records."""

WRAPPINGS = (".gz", ".zst")
PARQUET = ".parquet"
PACKED = (*(plain + wrapping for plain in PLAIN[:-1] for wrapping in WRAPPINGS), PARQUET)
"""Names of such files in another wrapping. Other archives are published as they are."""

ROWS_AT_A_TIME = 1024
COLUMNS_SHRINK = 10
"""How much better than text a column shrinks in which few values stand: a Parquet file may unfold further."""

LARGEST_CHUNK_AT_ONCE = 256 * 2**20
"""Bytes that the rows of one batch of a Parquet file may come to, each value as long as its column allows."""

LARGEST_PART = 64 * 2**20
"""Bytes that rows may come to which are made lines together; a single row of more is refused."""

SHORTEST_VALUE = 2
"""Bytes of the shortest value in a line: a digit and a comma."""

OBJECT = 8
"""Bytes that each value of a list takes at least in memory, beside its own."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far a packed file may unfold.

    Attributes:
        total: Bytes that come out.
        ratio: Bytes that come out per byte that goes in, looked at once ``free`` bytes have come out.
        free: Bytes that may always come out: a short, regular log shrinks to almost nothing.
    """

    total: int = 64 * 2**30
    ratio: int = 400
    free: int = 64 * 2**20


def is_record_file(name: str) -> bool:
    """Whether a file of that name holds records."""
    return name.endswith(SUFFIXES)


def is_packed(name: str) -> bool:
    """Whether a file of that name holds records in another wrapping than plain text."""
    return name.endswith((*PACKED, eval_archive.SUFFIX))


def stem(name: str) -> str:
    """A file's name without what says how it is written and packed.

    >>> stem("july.csv.gz"), stem("run.eval"), stem("v1.2")
    ('july', 'run', 'v1.2')
    """
    bare = next((name.removesuffix(end) for end in WRAPPINGS if name.endswith(end)), name)
    known = (*PLAIN, PARQUET, eval_archive.SUFFIX)
    return next((bare.removesuffix(end) for end in known if bare.endswith(end)), bare) or name


def unpacked_name(name: str) -> str:
    """The name of the plain file that a packed one unfolds to.

    >>> unpacked_name("logs/a.jsonl.gz"), unpacked_name("logs/a.parquet"), unpacked_name("logs/a.jsonl")
    ('logs/a.jsonl', 'logs/a.jsonl', 'logs/a.jsonl')
    >>> unpacked_name("a.eval")
    'a.eval.json'
    """
    if name.endswith(eval_archive.SUFFIX):  # often kept beside a plain log of the same name
        return f"{name}.json"
    if name.endswith(PARQUET):
        return name.removesuffix(PARQUET) + ".jsonl"
    for wrapping in WRAPPINGS:
        if name.endswith(wrapping) and is_packed(name):
            return name.removesuffix(wrapping)
    return name


def head(file: BinaryIO, name: str, size: int) -> bytes:
    """The first bytes of a file, unpacked where records are packed; as they are where that fails.

    An Inspect archive is not unpacked for this: its name says what it is.
    """
    if name.endswith(PACKED):
        try:
            found = b""
            for piece in unpack(file, name):
                found += piece
                if len(found) >= size:
                    break
            return found[:size]
        except FormatError:
            file.seek(0)
    return file.read(size)


def unpack(file: BinaryIO, name: str, bounds: Bounds | None = None) -> Iterator[bytes]:
    """The lines of a file, in pieces of about `CHUNK` bytes cut anywhere.

    Args:
        file: Open for reading, at its start; Parquet must be able to seek.
        name: Its name, which says how it is packed.
        bounds: How far it may unfold.

    Raises:
        FormatError: It ends early, is not what its name says, or unfolds beyond the bounds.
    """
    bounds = bounds or Bounds()
    if name.endswith(PARQUET):
        wide = replace(bounds, ratio=bounds.ratio * COLUMNS_SHRINK)
        return _bounded(_rows(file, name, wide), _size, file, name, wide)
    if is_packed(name) and name.endswith(WRAPPINGS):
        unpacked = _gunzip if name.endswith(".gz") else _unzstd
        return _bounded(unpacked(file, name), _read_so_far, file, name, bounds)
    if name.endswith(eval_archive.SUFFIX) and eval_archive.is_archive(file):
        return _bounded(_gathered(eval_archive.as_json(file, name)), _read_so_far, file, name, bounds)
    return _pieces(file)


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(CHUNK):
        yield piece


def _gathered(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Pieces of some size out of small ones: each is screened by itself."""
    waiting: list[bytes] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= CHUNK:
            yield b"".join(waiting)
            waiting, size = [], 0
    if waiting:
        yield b"".join(waiting)


def _read_so_far(file: BinaryIO) -> int:
    return file.tell()


def _size(file: BinaryIO) -> int:
    """Bytes of a file that is read here and there."""
    at = file.tell()
    size = file.seek(0, os.SEEK_END)
    file.seek(at)
    return size


def _bounded(
    pieces: Iterator[bytes], packed: Callable[[BinaryIO], int], file: BinaryIO, name: str, bounds: Bounds
) -> Iterator[bytes]:
    out = 0
    for piece in pieces:
        out += len(piece)
        if out > bounds.total:
            raise FormatError(f"expected at most {bounds.total} bytes when unpacked", where=name)
        if out > bounds.free and out > bounds.ratio * max(1, packed(file)):
            raise FormatError(f"unfolds to more than {bounds.ratio} times its size", where=name)
        yield piece


def _gunzip(file: BinaryIO, name: str) -> Iterator[bytes]:
    unzip = zlib.decompressobj(wbits=31)
    pending = b""
    started = False
    while data := pending or file.read(CHUNK // 16):
        if unzip.eof:
            if not data.strip(b"\0"):  # tar and tape tools pad with zeros
                pending = b""
                continue
            unzip = zlib.decompressobj(wbits=31)
        started = True
        try:
            piece = unzip.decompress(data, CHUNK)
        except zlib.error as error:
            raise FormatError(f"expected gzip data: {error}", where=name) from error
        pending = unzip.unconsumed_tail or unzip.unused_data
        if piece:
            yield piece
    if not started or not unzip.eof:
        raise FormatError("the gzip data end early", where=name)


def _unzstd(file: BinaryIO, name: str) -> Iterator[bytes]:
    import zstandard

    unpacker = zstandard.ZstdDecompressor(max_window_size=128 * 2**20)
    frame = unpacker.decompressobj()
    pending = b""
    started = False
    while data := pending or file.read(256):  # few at a time: four bytes may unfold to 128 KiB
        if frame.eof:
            frame = unpacker.decompressobj()
        started = True
        try:
            piece = frame.decompress(data)
        except zstandard.ZstdError as error:
            raise FormatError(f"expected Zstandard data: {error}", where=name) from error
        pending = frame.unused_data if frame.eof else b""
        if piece:
            yield piece
    if not started or not frame.eof:
        raise FormatError("the Zstandard data end early", where=name)


def _rows(file: BinaryIO, name: str, bounds: Bounds) -> Iterator[bytes]:
    """Rows of a Parquet file as JSON lines, as many at once as could come to no more than is held.

    One value of a column may stand behind many rows, so a batch is as large as if the longest did.

    Parquet knows no missing fields: a null is left out, but where it is the value of a key in a map. A column
    of its logical type JSON holds values in JSON: so it can tell lists of unlike things, and fields that are
    null.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    chunks = column_chunks(file, name)
    try:
        table = pq.ParquetFile(file)
        columns = [table.schema.column(number) for number in range(len(table.schema))]
        values = sum(chunk.values for chunk in chunks) + table.metadata.num_rows
        most = max(bounds.free, bounds.ratio * _size(file))
        if max(sum(chunk.size for chunk in chunks), SHORTEST_VALUE * values) > most:
            raise FormatError(f"unfolds to more than {bounds.ratio} times its size", where=name)
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
        rows = max(1, min(ROWS_AT_A_TIME, LARGEST_CHUNK_AT_ONCE // max(1, largest)))
        for batch in table.iter_batches(batch_size=rows):
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
