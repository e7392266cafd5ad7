"""An Inspect log in its archive form, ``.eval``, as one JSON document: a line for its header, one a sample.

Does: list the archive's entries, unpack them one at a time, in pieces (stored, deflated or Zstandard), check
each against its CRC, and put the log's header, its samples and all else that it holds together as text, in
bounded memory, so that what is published can be screened as text and read one sample at a time. What an
archive says of its own sizes is not believed. Does not: open files, or decode what an entry holds; a log that
was never finished has the header it began with, and a sample that was tried again stands there as often as
the archive holds it.
"""

from __future__ import annotations

import copy
import json
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from msgspec import Struct

from metrics_core.errors import FormatError
from metrics_core.text import visible

SUFFIX = ".eval"
HEADERS = ("header.json", "_journal/start.json")
"""Where the header stands: once the log is finished, and until then."""

CHUNK = 256 * 2**10
"""Bytes of one piece, packed or unpacked."""

LONGEST_HEADER = 64 * 2**20
"""Bytes of a header, which is held whole."""

MOST_ENTRIES = 200_000
"""Entries that an archive may have."""

SAMPLES = b',"samples":[\n'
"""What stands between the header and the first sample."""

FURTHER = b'],"entries":[\n'
"""What stands between the last sample and the other entries, each with its name."""

DAMAGED = b"\0"
"""Stands in the line of a sample whose entry is damaged, before the reason: no JSON has such a byte."""

ZSTANDARD = 93
"""Number of a compression method that `zipfile` does not know before Python 3.14."""

_READ = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, ZSTANDARD)
_ENCRYPTED = 0x1
_SAMPLE = re.compile(r"samples/.+_epoch_[^/]+?(?:\.json|/sample\.json)", re.DOTALL)
"""A sample in one entry, or the first entry of one whose messages and events have entries of their own."""


def is_archive(file: BinaryIO) -> bool:
    """Whether an open file begins as a zip archive does; it is left at its start."""
    begins = file.read(4)
    file.seek(0)
    return begins == b"PK\x03\x04"


def as_json(file: BinaryIO, where: str) -> Iterator[bytes]:
    """The text of the log: its header, ``samples`` in the order of the archive's directory, and ``entries``.

    Each sample is one line, and so is each further entry, with its name: summaries, earlier headers, messages
    and events that stand apart from their sample. Where an entry is damaged, `DAMAGED` and the reason end the
    line.

    Args:
        file: Open for reading; it must be able to seek.
        where: Its name, for errors.

    Raises:
        FormatError: It is no such archive, or its directory or its header is damaged.
    """
    archive = ZipEntries.of(file, where)
    name = next((name for name in HEADERS if name in archive.entries), "")
    yield _header(archive, name)
    between = SAMPLES
    for entry in archive.every:
        if _SAMPLE.fullmatch(entry.filename):
            yield between
            yield from _line(archive, entry)
            between = b",\n"
    yield between if between == SAMPLES else b"\n"
    between = FURTHER
    for entry in archive.every:
        if entry is not archive.entries[name] and not _SAMPLE.fullmatch(entry.filename):
            yield between
            yield from _named(archive, entry)
            between = b",\n"
    yield between + b"]}" if between == FURTHER else b"\n]}"


def _named(archive: ZipEntries, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """An entry on one line, with its name; what is no JSON by its name is a text."""
    yield b"[" + json.dumps(entry.filename).encode() + b","
    if entry.filename.endswith(".json"):
        yield from _line(archive, entry)
    else:
        yield b'"'
        yield from (json.dumps(piece.decode("latin-1"))[1:-1].encode() for piece in _line(archive, entry))
        yield b'"'
    yield b"]"


def _header(archive: ZipEntries, name: str) -> bytes:
    """The header on one line, without the brace that ends it."""
    if not name:
        problem = f"expected an Inspect log, with {HEADERS[0]}: there is no header in this archive"
        raise FormatError(problem, where=archive.where)
    text = bytearray()
    for piece in archive.pieces(archive.entries[name]):
        text += piece
        if len(text) > LONGEST_HEADER:
            problem = f"expected a header of at most {LONGEST_HEADER} bytes"
            raise FormatError(problem, where=archive.where)
    line = bytes(text).strip(b" \t\r\n").replace(b"\n", b" ")
    if not (line.startswith(b"{") and line.endswith(b"}") and line[1:-1].strip()):
        raise FormatError("expected an object in the log's header", where=archive.where)
    return line[:-1]


def _line(archive: ZipEntries, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """An entry on one line: outside of its texts, where no line feed can stand, it is a space."""
    try:
        for piece in archive.pieces(entry):
            yield piece.replace(b"\n", b" ").replace(DAMAGED, b"\1")
    except FormatError as error:
        yield DAMAGED + f"{visible(entry.filename, escaped=True)}: {error.problem}".encode()


class ZipEntries(Struct, frozen=True):
    """An open zip archive, listed.

    Attributes:
        archive: Open; the file behind it must stay so.
        where: Its name, for errors.
        every: Its entries, in the order of its directory; a name may stand there twice.
        entries: Name -> entry, the last of that name.

    >>> import io
    >>> made = io.BytesIO()
    >>> with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
    ...     archive.writestr("a.json", b"{}")
    >>> listed = ZipEntries.of(made, "a.zip")
    >>> b"".join(listed.pieces(listed.entries["a.json"]))
    b'{}'
    """

    archive: zipfile.ZipFile
    where: str
    every: tuple[zipfile.ZipInfo, ...]
    entries: dict[str, zipfile.ZipInfo]

    @classmethod
    def of(cls, file: BinaryIO, where: str, most_entries: int = MOST_ENTRIES) -> ZipEntries:
        """List an archive.

        Args:
            file: Open for reading; it must be able to seek.
            where: Its name, for errors.
            most_entries: Entries that it may have.

        Raises:
            FormatError: It is no zip archive, is cut off, or has too many entries.
        """
        try:
            archive = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError, OSError) as error:
            problem = (
                f"expected a whole zip archive, its directory at its end: {visible(str(error), escaped=True)}"
            )
            raise FormatError(problem, where=where) from error
        listed = archive.infolist()
        if len(listed) > most_entries:
            raise FormatError(f"expected at most {most_entries} entries, got {len(listed)}", where=where)
        return cls(archive, where, tuple(listed), {info.filename: info for info in listed})

    def pieces(self, info: zipfile.ZipInfo) -> Iterator[bytes]:
        """One entry, unpacked.

        Raises:
            FormatError: It is encrypted, damaged, or packed in a way that is not read. Where it is damaged
                beyond its last byte, all pieces have been given by then.
        """
        where = f"{self.where}/{visible(info.filename, escaped=True)}"
        if info.flag_bits & _ENCRYPTED:
            raise FormatError("is encrypted", where=where)
        if info.compress_type not in _READ:
            raise FormatError(f"is packed by method {info.compress_type}, which is not read", where=where)
        if info.header_offset < 0:
            raise FormatError("damaged: there is no entry where the directory says", where=where)
        try:
            if info.compress_type == ZSTANDARD:
                yield from self._unzstd(info, where)
            else:
                yield from self._read(info, CHUNK)
        except (zipfile.BadZipFile, ValueError) as error:
            raise FormatError("damaged: it is not what the archive's directory says", where=where) from error
        except (zlib.error, EOFError) as error:
            raise FormatError(f"damaged: {str(error) or 'it ends early'}", where=where) from error
        except NotImplementedError as error:
            raise FormatError("is packed in a way that is not read", where=where) from error

    def _read(self, info: zipfile.ZipInfo, size: int) -> Iterator[bytes]:
        with self.archive.open(info) as file:
            while piece := file.read(size):
                yield piece

    def _unzstd(self, info: zipfile.ZipInfo, where: str) -> Iterator[bytes]:
        """The entry's packed bytes, read as if they were stored, through the decompressor."""
        import zstandard

        stored = copy.copy(info)
        stored.compress_type, stored.file_size = zipfile.ZIP_STORED, info.compress_size
        del stored.CRC  # of the unpacked bytes: checked below
        frame = zstandard.ZstdDecompressor(max_window_size=128 * 2**20).decompressobj()
        crc = size = 0
        for packed in self._read(stored, 256):  # few at a time: four bytes may unfold to 128 KiB
            if frame.eof:
                break
            try:
                piece = frame.decompress(packed)
            except zstandard.ZstdError as error:
                raise FormatError(f"damaged: {error}", where=where) from error
            crc, size = zlib.crc32(piece, crc), size + len(piece)
            yield piece
        if crc != info.CRC or size != info.file_size:
            raise zipfile.BadZipFile
