"""An Inspect log in its archive form, ``.eval``, as the one JSON document that its plain form is.

Does: put the log's header and its samples together as text, in bounded memory, so that what is published
can be screened as text. Does not: decode them; a log that was never finished has the header it began with.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from metrics_core.errors import FormatError
from metrics_core.zip_entries import ZipEntries

SUFFIX = ".eval"
HEADERS = ("header.json", "_journal/start.json")
"""Where the header stands: once the log is finished, and until then."""

LARGEST = 2 * 2**30
"""Bytes of a log when unpacked: it is read whole, as one document."""

LONGEST_HEADER = 64 * 2**20
"""Bytes of a header, which is held whole."""


def is_archive(file: BinaryIO) -> bool:
    """Whether an open file begins as a zip archive does; it is left at its start."""
    begins = file.read(4)
    file.seek(0)
    return begins == b"PK\x03\x04"


def as_json(file: BinaryIO, where: str) -> Iterator[bytes]:
    """The text of the log: its header with a key ``samples``, in the order of the archive's directory.

    Args:
        file: Open for reading; it must be able to seek.
        where: Its name, for errors.

    Raises:
        FormatError: It is no such archive, or damaged.
    """
    archive = ZipEntries.of(file, where)
    header = _header(archive)
    yield header
    between = b',"samples":[\n' if header.strip() != b"{" else b'"samples":[\n'
    for name in archive.entries:
        if name.startswith("samples/") and name.endswith(".json"):
            yield between
            yield from archive.pieces(name)
            between = b",\n"
    yield b"]}" if between == b",\n" else between + b"]}"


def _header(archive: ZipEntries) -> bytes:
    """The header, without the brace that ends it."""
    for name in HEADERS:
        if name in archive.entries:
            text = b""
            for piece in archive.pieces(name):
                text += piece
                if len(text) > LONGEST_HEADER:
                    told = f"expected a header of at most {LONGEST_HEADER} bytes"
                    raise FormatError(told, where=archive.where)
            text = text.strip(b" \t\r\n")
            if not (text.startswith(b"{") and text.endswith(b"}")):
                raise FormatError("expected an object in the log's header", where=archive.where)
            return text[:-1]
    raise FormatError(f"expected an Inspect log, with {HEADERS[0]}", where=archive.where)
