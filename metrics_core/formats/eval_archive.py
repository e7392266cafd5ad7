"""Reads the entries of a zip archive within bounds; what an archive says of its own sizes is not believed.

Does: list entries by name and unpack one at a time, in pieces, stored, deflated or Zstandard, and hold each
against its CRC. Does not: open files, or look at what an entry holds.

An Inspect log in its archive form, ``.eval``, as the one JSON document that its plain form is.

Does: put the log's header and its samples together as text, in bounded memory, so that what is published
can be screened as text. Does not: decode them; a log that was never finished has the header it began with.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from metrics_core.errors import FormatError
from metrics_core.text import visible

CHUNK = 256 * 2**10
"""Bytes of one piece, packed or unpacked."""

MOST_ENTRIES = 200_000
"""Entries that an archive may have."""

ZSTANDARD = 93
"""Number of a compression method that `zipfile` does not know before Python 3.14."""

_LOCAL_HEADER = 30
_ENCRYPTED = 0x1


@dataclass(frozen=True, slots=True)
class ZipEntries:
    """An open zip archive, listed.

    Attributes:
        file: Open for reading; it must be able to seek.
        where: Its name, for errors.
        size: Bytes of the archive.
        entries: Name -> entry, in the order of the archive's directory.

    >>> import io
    >>> made = io.BytesIO()
    >>> with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
    ...     archive.writestr("a.json", b"{}")
    >>> b"".join(ZipEntries.of(made, "a.zip").pieces("a.json"))
    b'{}'
    """

    file: BinaryIO
    where: str
    size: int
    entries: dict[str, zipfile.ZipInfo]

    @classmethod
    def of(cls, file: BinaryIO, where: str, most_entries: int = MOST_ENTRIES) -> ZipEntries:
        """List an archive.

        Raises:
            FormatError: It is no zip archive, has too many entries, or one name twice.
        """
        try:
            with zipfile.ZipFile(file) as archive:
                listed = archive.infolist()
        except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError, OSError) as error:
            problem = visible(str(error), escaped=True)
            raise FormatError(f"expected a zip archive: {problem}", where=where) from error
        if len(listed) > most_entries:
            raise FormatError(f"expected at most {most_entries} entries, got {len(listed)}", where=where)
        entries: dict[str, zipfile.ZipInfo] = {}
        for info in listed:
            if entries.setdefault(info.filename, info) is not info:
                raise FormatError(f"holds {visible(info.filename, escaped=True)} twice", where=where)
        return cls(file, where, file.seek(0, 2), entries)

    def pieces(self, name: str) -> Iterator[bytes]:
        """One entry, unpacked.

        Raises:
            KeyError: There is no such entry.
            FormatError: It is encrypted, damaged, or packed in a way that is not read. Where it is damaged
                beyond its last byte, all pieces have been given by then.
        """
        info = self.entries[name]
        where = f"{self.where}/{visible(name, escaped=True)}"
        crc = size = 0
        try:
            for piece in _unpacked(self._packed(info, where), info.compress_type, where):
                crc, size = zlib.crc32(piece, crc), size + len(piece)
                yield piece
        except zlib.error as error:
            raise FormatError(f"damaged: {error}", where=where) from error
        if crc != info.CRC or size != info.file_size:
            raise FormatError("damaged: it is not what the archive's directory says", where=where)

    def _packed(self, info: zipfile.ZipInfo, where: str) -> Iterator[bytes]:
        """The packed bytes of an entry, found by the header that stands before them."""
        if info.header_offset < 0:
            raise FormatError("damaged: there is no entry where the directory says", where=where)
        self.file.seek(info.header_offset)
        header = self.file.read(_LOCAL_HEADER)
        if len(header) < _LOCAL_HEADER or not header.startswith(b"PK\x03\x04"):
            raise FormatError("damaged: there is no entry where the directory says", where=where)
        if info.flag_bits & _ENCRYPTED:
            raise FormatError("is encrypted", where=where)
        names = int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:], "little")
        at, left = info.header_offset + _LOCAL_HEADER + names, info.compress_size
        while left:
            self.file.seek(at)  # whoever takes the pieces may have moved on in between
            piece = self.file.read(min(left, CHUNK))
            if not piece:
                raise FormatError("damaged: it ends early", where=where)
            at, left = at + len(piece), left - len(piece)
            yield piece


def _unpacked(packed: Iterator[bytes], method: int, where: str) -> Iterator[bytes]:
    if method == zipfile.ZIP_STORED:
        return packed
    if method == zipfile.ZIP_DEFLATED:
        return _inflated(packed)
    if method == ZSTANDARD:
        return _unzstd(packed, where)
    raise FormatError(f"is packed by method {method}, which is not read", where=where)


def _inflated(packed: Iterator[bytes]) -> Iterator[bytes]:
    inflate = zlib.decompressobj(wbits=-15)
    for piece in packed:
        pending = piece
        while pending and not inflate.eof:
            yield inflate.decompress(pending, CHUNK)
            pending = inflate.unconsumed_tail


def _unzstd(packed: Iterator[bytes], where: str) -> Iterator[bytes]:
    import zstandard

    frame = zstandard.ZstdDecompressor(max_window_size=128 * 2**20).decompressobj()
    for piece in packed:
        for start in range(0, len(piece), 256):  # few at a time: four bytes may unfold to 128 KiB
            if frame.eof:
                return
            try:
                yield frame.decompress(piece[start : start + 256])
            except zstandard.ZstdError as error:
                raise FormatError(f"damaged: {error}", where=where) from error


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
                    message = f"expected a header of at most {LONGEST_HEADER} bytes"
                    raise FormatError(message, where=archive.where)
            text = text.strip(b" \t\r\n")
            if not (text.startswith(b"{") and text.endswith(b"}")):
                raise FormatError("expected an object in the log's header", where=archive.where)
            return text[:-1]
    raise FormatError(f"expected an Inspect log, with {HEADERS[0]}", where=archive.where)
