"""Lines of bytes to records, strictly: each line becomes a `Row`, or a `Problem` that says why not.

Does: split on line feeds alone, decode, check types and ranges, refuse keys that stand twice, and name
the fields that were not read. Memory stays the same whatever the size of the file, and nothing that a
line holds can raise. Does not: open files, redact, or know what a record means.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from metrics_core.errors import FormatError
from metrics_core.formats import json_errors
from metrics_core.formats.json_errors import DEEPEST, JsonError
from metrics_core.formats.timestamps import utc
from metrics_core.formats.unknown_fields import UnknownFields
from metrics_core.results import Problem, quoted

__all__ = ["BATCH", "LONGEST_LINE", "Problem", "Row", "batches", "lines", "read"]

LONGEST_LINE = 8 * 2**20
"""Bytes that a line may have."""

MOST_INVALID = 100_000
"""Lines of one file that may be no records; a file of more is no log, and is not read to its end."""

BATCH = 2048
"""Rows of one batch."""

LARGEST_BATCH = 256 * 2**10
"""Bytes of lines after which a batch is full."""

SMALL = 1 << 16
"""Bytes of lines below which plain searches for colons are as quick."""

THIN = 16
"""Bytes of a line on average below which the lines of a text are looked at together."""

STRIDE = 128 * 2**10
"""Bytes that are looked at together: what is made of them stays in the processor's cache."""

_SPACED_COLON = re.compile(rb'"[ \t\r]+:')
_decode, _convert, _moment = msgspec.json.decode, msgspec.convert, datetime.fromisoformat


class Row(msgspec.Struct, frozen=True, gc=False):
    """One record, and where it came from.

    Attributes:
        file: Path within the experiment, safe to print.
        line: Number of the line, from 1.
        record: An instance of the record type.
        raw: The line as published, without its line feed.
        extra: Pointers of the fields that were not read, sorted.
        source: The element of an outside file that the line was made from; empty for a line of a log.
    """

    file: str
    line: int
    record: Any
    raw: bytes
    extra: tuple[str, ...] = ()
    source: bytes = b""

    @property
    def digest(self) -> bytes:
        """First 16 bytes of a SHA-256: equal for records that are the same byte for byte, source and all.

        The source alone does not tell: what stands around it, in its file or path, makes two runs of it.
        """
        return hashlib.sha256(self.source + self.raw).digest()[:16]

    @property
    def repeatable(self) -> bool:
        """Whether the same bytes again are the same run again: the record has a stamp or a ``rep``."""
        return _has(self.record, "stamp") or _has(self.record, "rep")


def _has(record: Any, field: str) -> bool:
    return getattr(record, field, None) not in (None, msgspec.UNSET)


def lines(
    chunks: Iterable[bytes], max_line: int = LONGEST_LINE, first: int = 1
) -> Iterator[tuple[int, bytes]]:
    r"""Numbered lines that are not blank.

    Args:
        chunks: Pieces of a file, cut anywhere.
        max_line: Bytes that a line may have.
        first: Number of the line that they begin with.

    Yields:
        Its number, and the line without its LF or CRLF. A longer line is cut to ``max_line + 1``
        bytes, so that whoever reads it sees that it is too long.

    >>> list(lines([b"a\r\n\n b", b"c"]))
    [(1, b'a'), (3, b' bc')]
    """
    number, tail = first, bytearray()
    for chunk in chunks:
        begin, end = 0, chunk.rfind(b"\n") + 1
        if not end:
            tail += chunk[: max_line + 1 - len(tail)]
            continue
        if tail:
            begin = chunk.index(b"\n") + 1
            tail += chunk[: min(begin - 1, max_line + 1 - len(tail))]
            yield from _line(bytes(tail), number, max_line)
            number += 1
        for at, line in _filled(chunk[begin : end - 1], number):
            yield from _line(line, at, max_line)
        number += chunk.count(b"\n", begin)
        tail = bytearray(chunk[end : end + max_line + 1])
    yield from _line(bytes(tail), number, max_line)


def _line(line: bytes, number: int, max_line: int) -> Iterator[tuple[int, bytes]]:
    """A line, if it is not blank; of one that is too long nobody knows whether it is blank to its end."""
    if len(line) > max_line:
        yield number, line[: max_line + 1]
    elif line.strip(b" \t\r"):
        yield number, line[:-1] if line.endswith(b"\r") else line


def _long_lines(text: bytes) -> list[bytes] | None:
    """Lines of a text without its last line feed; None where some are empty, or most too short to split."""
    if text.count(b"\n") * THIN >= len(text):
        return None
    lines = text.split(b"\n")
    return None if b"" in lines else lines


def _filled(text: bytes, number: int) -> Iterator[tuple[int, bytes]]:
    """Lines of a text that begins with a line of this number; where many are blank, those that are not."""
    if (lines := _long_lines(text)) is not None:
        yield from enumerate(lines, start=number)
        return
    if not text.strip(b" \t\r\n"):
        return
    import numpy as np

    held = np.frombuffer(text, np.uint8)
    ends = np.append(np.flatnonzero(held == ord("\n")), len(text))
    begins = np.append(0, ends[:-1] + 1)
    marks = (held != ord("\n")) & (held != ord("\r")) & (held != ord(" ")) & (held != ord("\t"))
    before = np.append(0, np.cumsum(marks))
    for row in np.flatnonzero(before[ends] > before[begins]).tolist():
        yield number + row, text[begins[row] : ends[row]]


def blocks(
    chunks: Iterable[bytes], max_line: int = LONGEST_LINE, first: int = 1
) -> Iterator[tuple[Sequence[int], Sequence[bytes]]]:
    r"""The same lines, but for some blank ones among them, as many together as a piece ends.

    Args:
        chunks: Pieces of a file, cut anywhere.
        max_line: Bytes that a line may have; a longer one is cut to one byte more.
        first: Number of the line that they begin with.

    Yields:
        Their numbers, and the lines without their line feeds.

    >>> [(*numbers, *lines) for numbers, lines in blocks([b"a\nb", b"c\n", b"\n\n", b" d"])]
    [(1, b'a'), (2, b'bc'), (5, b' d')]
    """
    number, tail = first, bytearray()
    for chunk in chunks:
        begin, end = 0, chunk.rfind(b"\n") + 1
        if not end:
            tail += chunk[: max_line + 1 - len(tail)]
            continue
        if tail:
            begin = chunk.index(b"\n") + 1
            tail += chunk[: min(begin - 1, max_line + 1 - len(tail))]
            yield [number], [bytes(tail)]
            number += 1
        if begin < end:
            text = chunk[begin : end - 1]
            lines: Sequence[bytes] | None = _long_lines(text)
            if lines is not None:
                behind = number + len(lines)
                numbers: Sequence[int] = range(number, behind)
            else:
                behind = number + chunk.count(b"\n", begin)
                filled = list(_filled(text, number))
                numbers, lines = zip(*filled, strict=True) if filled else ((), ())
            if lines:
                yield numbers, lines if len(chunk) <= max_line else [line[: max_line + 1] for line in lines]
            number = behind
        tail = bytearray(chunk[end : end + max_line + 1])
    if tail:
        yield [number], [bytes(tail)]


def read(
    chunks: Iterable[bytes], record_type: type[Any], *, file: str, max_line: int = LONGEST_LINE
) -> Iterator[Row | Problem]:
    r"""Rows and problems of one file, in the order of its lines.

    Args:
        chunks: Pieces of the file, cut anywhere.
        record_type: A msgspec Struct.
        file: Path within the experiment, safe to print.
        max_line: Bytes that a line may have.

    Yields:
        A row for each record; a problem for each line that is none. Where the pieces themselves end in
        a `FormatError` (an archive that is cut off), that is the last problem.

    >>> from metrics_core.families.traces.record import Trace
    >>> first, second = read([b'{"task_id":"t","agent":"a","rep":1}\n{"task_id":'], Trace, file="t.jsonl")
    >>> first.record.rep, str(second)
    (1, 't.jsonl:2#/task_id: the line ends in the middle of an object')
    """
    for batch in batches(chunks, record_type, file=file, max_line=max_line):
        yield from batch


def batches(
    chunks: Iterable[bytes],
    record_type: type[Any],
    *,
    file: str,
    rows: int = BATCH,
    max_line: int = LONGEST_LINE,
    first: int = 1,
) -> Iterator[list[Row | Problem]]:
    """The same from line ``first`` on, in lists of at most ``rows``; only one of them is held at a time."""
    form = Form.of(record_type, file, max_line)
    numbered: list[tuple[int, bytes]] = []
    size = invalid = 0
    end: list[Row | Problem] = []
    stream = lines(chunks, max_line, first)
    while True:
        if invalid > MOST_INVALID:
            what = f"holds more than {MOST_INVALID:,} lines that are no records: the rest is not read"
            end = [Problem(file, None, "", what)]
            break
        try:
            number, line = next(stream, (0, b""))
        except FormatError as error:
            number, line, end = 0, b"", [cut_off(file, error)]
        if number:
            numbered.append((number, line))
            size += len(line)
        if numbered and (not number or len(numbered) == rows or size > LARGEST_BATCH):
            found = items(numbered, form)
            yield found
            invalid += sum(isinstance(item, Problem) for item in found)
            numbered, size = [], 0
        if not number:
            break
    if end:
        yield end


def cut_off(file: str, error: FormatError) -> Problem:
    """The problem of a file whose pieces end before it does."""
    hint = f" ({error.hint})" if error.hint else ""
    return Problem(file, None, "", f"{error.problem}{hint}")


class Form(Struct, frozen=True):
    """What every line of a file should be; see `read`."""

    record_type: type[Any]
    file: str
    max_line: int
    unknown: UnknownFields

    @classmethod
    def of(cls, record_type: type[Any], file: str, max_line: int = LONGEST_LINE) -> Form:
        """The form of a file whose records are of a type."""
        return cls(record_type, file, max_line, UnknownFields(record_type))

    @property
    def dated(self) -> bool:
        return "stamp" in self.record_type.__struct_fields__


def items(numbered: list[tuple[int, bytes]], form: Form) -> list[Row | Problem]:
    """What becomes of numbered lines: of all at once where all are right, else of one after the other."""
    try:
        return _rows(numbered, form)
    except (JsonError, msgspec.MsgspecError, RecursionError, ValueError, TypeError):
        if len(numbered) > 1:
            return [item for one in numbered for item in items([one], form)]
    try:
        return [_row(*numbered[0], form)]
    except JsonError as fault:
        return [Problem(form.file, numbered[0][0], fault.field, fault.what)]


def _rows(numbered: list[tuple[int, bytes]], form: Form) -> list[Row | Problem]:
    """Rows of lines that are all right; whatever it raises says only that one of them may not be.

    Nothing but the rows outlives its line: lists and dicts that are kept would wake the collector.
    """
    record_type, file, dated = form.record_type, form.file, form.dated
    fields = form.unknown.fields
    keys = longest = 0
    rows: list[Row | Problem] = []
    for number, line in numbered:
        tree = _decode(line)
        keys += len(tree) if line.count(b"{") == 1 and line.count(b"[") < DEEPEST else _keys(tree)
        record = _convert(tree, record_type)
        if dated and record.stamp is not None and not 1 < _moment(record.stamp).year < 9999:
            utc(record.stamp)  # at either end of the calendar a moment may have no day in UTC
        longest = max(longest, len(line))
        rows.append(Row(file, number, record, line, fields(tree)))
    if longest > form.max_line or keys != count_keys(b"\n".join([line for _, line in numbered])):
        raise JsonError("", "one of the lines may be wrong")
    return rows


def _row(number: int, line: bytes, form: Form) -> Row:
    """The row of one line, or the `JsonError` that says why it is none."""
    if len(line) > form.max_line:
        raise JsonError("", f"expected a line of at most {form.max_line} bytes")
    try:
        tree = _decode(line)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise json_errors.of_text(line, error) from error
    if _keys(tree) != count_keys(line):
        repeated = json_errors.repeated_key(line)
        if repeated is not None:
            raise repeated
    try:
        record = _convert(tree, form.record_type)
    except msgspec.ValidationError as error:
        raise json_errors.of_value(tree, form.record_type, error) from error
    if form.dated:
        _check_stamp(record.stamp)
    return Row(form.file, number, record, line, form.unknown.fields(tree))


def _keys(tree: Any, depth: int = DEEPEST) -> int:
    """How many keys a decoded line holds at all depths: fewer than its text has, and one stood twice."""
    if not depth:
        raise json_errors.too_deep()
    count = 0
    if type(tree) is dict:
        count = len(tree)
        tree = tree.values()
    elif type(tree) is not list:
        return 0
    for value in tree:
        if type(value) is dict or type(value) is list:
            count += _keys(value, depth - 1)
    return count


def count_keys(data: bytes) -> int:
    r"""How many keys of objects the lines of a valid JSON text hold, or more; -1 where it cannot tell.

    A key is counted by the quotation mark and the colon behind it, unless a backslash says that the mark is
    part of a text. Text may still add to the count, and nothing can take from it; it cannot tell where a
    key has white space before its colon, or ends in a backslash.

    >>> count_keys(b'{"a": 1, "b": {"a": 2}}'), count_keys(b'{"a": "\\":"}'), count_keys(b'{"a" : 1}')
    (3, 1, -1)
    """
    quoted, spaced = _colons(data)
    if spaced and _SPACED_COLON.search(data):
        return -1
    if b"\\" not in data:
        return quoted
    return -1 if b'\\\\":' in data else quoted - data.count(b'\\":')


def _colons(data: bytes) -> tuple[int, bool]:
    """How many colons stand behind a quotation mark, and whether any stands behind white space."""
    if len(data) < SMALL:
        return data.count(b'":'), any(space in data for space in (b" :", b"\t:", b"\r:"))
    import numpy as np

    held, count, spaced = np.frombuffer(data, dtype=np.uint8), 0, False
    for start in range(0, len(held), STRIDE):
        colons = held[start + 1 : start + STRIDE + 1] == ord(":")
        before = held[start : start + len(colons)]
        count += int(np.count_nonzero(colons & (before == ord('"'))))
        spaced = spaced or bool((colons & (before <= ord(" "))).any())
    return count, spaced


def _check_stamp(stamp: Any) -> None:
    if isinstance(stamp, str):
        try:
            utc(stamp)
        except ValueError as error:
            raise JsonError("stamp", f"expected an ISO 8601 date and time, got {quoted(stamp)}") from error
