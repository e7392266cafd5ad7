"""What the end of a Parquet file says of its columns: how many values, how many bytes, which kinds.

Does: read the footer's Thrift, as far as bounds are asked of it. The library that reads pages is not asked:
on some damaged footers it ends the whole process where a column's metadata are wanted. Does not: read a page,
or believe that what stands there is true.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, BinaryIO

from msgspec import Struct

from metrics_core.errors import FormatError

MAGIC = b"PAR1"
LARGEST = 64 * 2**20
"""Bytes that a footer may have."""
DEEPEST = 24
"""Structs and lists within each other."""
BYTE_ARRAY = 6

_TRUE, _FALSE, _BYTE, _I16, _I64 = 1, 2, 3, 4, 6
_DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(7, 13)
_ROW_GROUPS, _COLUMNS, _META = 4, 1, 3
_TYPE, _PATH, _VALUES, _UNPACKED, _DICTIONARY = 1, 3, 5, 6, 11


class ColumnChunk(Struct, frozen=True):
    """One column of one group of rows, as the footer tells of it.

    Attributes:
        path: Names from the top of the schema, joined by dots.
        values: How many values it has.
        size: Bytes of its pages, unpacked.
        texts: Whether its values are of any length.
        has_dictionary: Whether values that repeat stand in it once.
    """

    path: str
    values: int
    size: int
    texts: bool
    has_dictionary: bool


def column_chunks(file: BinaryIO, name: str) -> tuple[ColumnChunk, ...]:
    """Every column of every group of rows; the file stands where it stood.

    Args:
        file: Open for reading, and able to seek.
        name: Its name, for errors.

    Raises:
        FormatError: Its end is no footer.
    """
    at = file.tell()
    try:
        return tuple(_chunks(_Thrift(_footer(file)).struct()))
    except (IndexError, ValueError, KeyError, TypeError, AttributeError, UnicodeDecodeError) as error:
        raise FormatError("expected Parquet data: its footer cannot be read", where=name) from error
    finally:
        file.seek(at)


def _footer(file: BinaryIO) -> bytes:
    size = file.seek(0, os.SEEK_END)
    if size < 12:
        raise ValueError("too short")
    file.seek(size - 8)
    tail = file.read(8)
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != MAGIC or length > min(size - 8, LARGEST):
        raise ValueError("no footer")
    file.seek(size - 8 - length)
    return file.read(length)


def _chunks(footer: dict[int, Any]) -> Iterator[ColumnChunk]:
    for group in footer[_ROW_GROUPS]:
        for column in group[_COLUMNS]:
            about = column[_META]
            values, size = about[_VALUES], about[_UNPACKED]
            if values < 0 or size < 0:
                raise ValueError("fewer than none")
            yield ColumnChunk(
                ".".join(part.decode() for part in about[_PATH]),
                values,
                size,
                about[_TYPE] == BYTE_ARRAY,
                _DICTIONARY in about,
            )


class _Thrift:
    """A reader of Thrift's compact form: a struct is field number -> value."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def struct(self, depth: int = 0) -> dict[int, Any]:
        found: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._signed()
            kind = head & 15
            found[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind, depth + 1)
        return found

    def _value(self, kind: int, depth: int) -> Any:
        if depth > DEEPEST:
            raise ValueError("too deep")
        if kind in (_TRUE, _FALSE, _BYTE):
            return self._byte()
        if _I16 <= kind <= _I64:
            return self._signed()
        if kind == _DOUBLE:
            return self._bytes(8)
        if kind == _BINARY:
            return self._bytes(self._unsigned())
        if kind in (_LIST, _SET):
            head = self._byte()
            many = self._many(head >> 4 if head >> 4 < 15 else self._unsigned())
            return [self._value(head & 15, depth + 1) for _ in range(many)]
        if kind == _MAP:
            many = self._many(self._unsigned())
            kinds = self._byte() if many else 0
            return [
                (self._value(kinds >> 4, depth + 1), self._value(kinds & 15, depth + 1)) for _ in range(many)
            ]
        if kind == _STRUCT:
            return self.struct(depth + 1)
        raise ValueError("no kind of value")

    def _many(self, many: int) -> int:
        """A number of values, of which each takes a byte at least."""
        if many > len(self._data) - self._at:
            raise ValueError("more values than bytes")
        return many

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _bytes(self, size: int) -> bytes:
        found = self._data[self._at : self._at + self._many(size)]
        self._at += size
        return found

    def _unsigned(self) -> int:
        found = shift = 0
        while shift < 70:
            byte = self._byte()
            found |= (byte & 127) << shift
            if byte < 128:
                return found
            shift += 7
        raise ValueError("a number without end")

    def _signed(self) -> int:
        found = self._unsigned()
        return found >> 1 ^ -(found & 1)
