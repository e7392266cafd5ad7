"""Records in other wrappings, as plain text: ``.gz``, ``.zst`` and ``.parquet``.

An Inspect log in its archive form, ``.eval``, unwraps to JSON with a sample on each line. Does: unwrap a
stream in bounded memory, and stop where it grows out of proportion. Does not: open files, or look at what
the text holds.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.errors import FormatError
from metrics_core.formats import eval_archive
from metrics_core.formats.parquet import rows

CHUNK = 2**19
"""Bytes of one piece."""

SMALL = 2**14
"""Bytes of the first piece of a plain file: most files are not larger, and room for `CHUNK` takes time."""

SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".parquet")
"""Names of files that hold records end like this."""

PLAIN = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".txt")
"""Names of files of text that may be records."""

WRAPPINGS = (".gz", ".zst")
PARQUET = ".parquet"
PACKED = (*(plain + wrapping for plain in PLAIN[:-1] for wrapping in WRAPPINGS), PARQUET)
"""Names of such files in another wrapping. Other archives are published as they are."""

COLUMNS_SHRINK = 10
"""How much better than text a column shrinks in which few values stand: a Parquet file may unfold further."""


class Bounds(Struct, frozen=True):
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
        most = max(wide.free, wide.ratio * _size(file))
        return _bounded(rows(file, name, most, wide.ratio), _size, file, name, wide)
    if is_packed(name) and name.endswith(WRAPPINGS):
        unpacked = _gunzip if name.endswith(".gz") else _unzstd
        return _bounded(unpacked(file, name), _read_so_far, file, name, bounds)
    if name.endswith(eval_archive.SUFFIX) and eval_archive.is_archive(file):
        return _bounded(_gathered(eval_archive.as_json(file, name)), _read_so_far, file, name, bounds)
    return _pieces(file)


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    size = SMALL
    while piece := file.read(size):
        yield piece
        size = CHUNK


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
