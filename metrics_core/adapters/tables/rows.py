"""Rows of a table, whatever holds it: delimited text, a JSON array, or lines of JSON.

Does: find out how a file is written, and give each row with its own text and its line; a row that cannot be
read is a problem, and costs no other. Does not: know what a column means. Packed files arrive unpacked, and
Parquet as lines of JSON.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct, field

from metrics_core.digest import canonical
from metrics_core.errors import FormatError
from metrics_core.formats import decompression, first_keys, jsonl, lines, read_elements
from metrics_core.results import Aside, Problem, quoted
from metrics_core.text import many

DELIMITERS = ",;\t|"
SAMPLED = 64 * 2**10
"""Characters by which the dialect of delimited text is told."""

LONGEST_CELL = jsonl.LONGEST_LINE
"""Characters of a cell, and of a line of delimited text."""

MOST_COMMENTS = 50
"""Lines above a header that may be comments, at most."""

BINARY = "expected text, this is binary"

_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How files of spreadsheets begin: a zip archive, and the older compound file."""

_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_OBJECTS = re.compile(rb'\s*\{\s*"')
_STATED = re.compile(r"sep=(.)\r?\n")
"""A first line in which spreadsheets state what parts the columns; it is no row."""

_ARRAY = re.compile(rb'\s*\[\s*\{\s*"')


class CellsOfRow(Struct, frozen=True):
    """One row: its cells by column, where it stands, and its own text."""

    cells: Mapping[str, Any]
    line: int
    source: bytes


def has_shape(path: str, head: bytes) -> bool:
    r"""Whether a file has the form of a table: delimited text with two columns, or objects one after another.

    >>> has_shape("a.CSV", b"task,ok"), has_shape("a.json", b'[{"a": 1}]'), has_shape("a.json", b'{"a": 1}')
    (True, True, False)
    >>> has_shape("a.json", b'{"task": "t1"}\n{"task": "t2"}\n')
    True
    """
    name = decompression.unpacked_name(path).lower()
    head = head.removeprefix(codecs.BOM_UTF8)
    if path.endswith(decompression.PARQUET):
        return True
    if name.endswith((".csv", ".tsv")):
        return True
    if name.endswith((".jsonl", ".ndjson")):
        return bool(_OBJECTS.match(head) or _ARRAY.match(head)) or not head.strip()
    if name.endswith(".json"):
        return bool(_ARRAY.match(head)) or _is_lines(head)
    if name.endswith(".txt") or "." not in name.rpartition("/")[2]:
        return bool(_OBJECTS.match(head) or _ARRAY.match(head)) or len(_header(head)) > 1
    return False


def _is_lines(head: bytes) -> bool:
    """Whether text begins with an object on one line, and another below it."""
    first, _, rest = head.lstrip().partition(b"\n")
    if not (_OBJECTS.match(first) and _OBJECTS.match(rest)):
        return False
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def names_in(path: str, head: bytes) -> tuple[str, ...]:
    """Names of columns that the first bytes of such a file hold."""
    if not has_shape(path, head):
        return ()
    bare = head.removeprefix(codecs.BOM_UTF8)
    if _OBJECTS.match(bare) or _ARRAY.match(bare):
        return first_keys(bare)
    return tuple(_header(head))


def _header(head: bytes) -> list[str]:
    text = head.decode(_encoding(head), "replace")
    bare, _ = _without_comments(_STATED.sub("", text, 1))
    mark = _delimiter(text if _STATED.match(text) else bare)
    return next(csv.reader(io.StringIO(bare.lstrip("\r\n")), delimiter=mark), [])


def rows_of(path: str, data: bytes) -> Iterator[CellsOfRow | Problem]:
    """Rows of a table in the order of the file; a problem where there is no row to be read.

    Raises:
        FormatError: The file is no table, or no text.
    """
    if not data.strip(b" \t\r\n\xef\xbb\xbf\0"):
        raise FormatError("expected a table, the file is empty", where=path)
    bare = data.removeprefix(codecs.BOM_UTF8)
    if _ARRAY.match(bare):
        yield from _elements(path, bare)
    elif _OBJECTS.match(bare) or decompression.unpacked_name(path).lower().endswith((".jsonl", ".ndjson")):
        yield from _lines(path, bare)
    else:
        yield from _delimited(path, data)


def _elements(path: str, data: bytes) -> Iterator[CellsOfRow | Problem]:
    try:
        elements = msgspec.json.decode(data, type=list[msgspec.Raw])
    except (msgspec.MsgspecError, RecursionError) as error:
        read_elements(data, path)  # says in which line
        raise FormatError(f"expected a JSON array of rows: {error}", where=path) from error
    for number, element in enumerate(elements, start=1):
        yield _object(path, number, bytes(element))


def _lines(path: str, data: bytes) -> Iterator[CellsOfRow | Problem]:
    for number, line in lines([data]):
        if len(line) > jsonl.LONGEST_LINE:
            yield Problem(path, number, "", f"expected a line of at most {jsonl.LONGEST_LINE} bytes")
        else:
            yield _object(path, number, line)


def _object(path: str, number: int, text: bytes) -> CellsOfRow | Problem:
    """A row in JSON; NaN, which is no JSON and which programs write all the same, is a blank."""
    try:
        found = json.loads(text.decode("utf-8"), parse_constant=_blank, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        return Problem(path, number, "", f"expected a row as a JSON object: {error}")
    if not isinstance(found, dict):
        return Problem(path, number, "", f"expected a row as a JSON object, got {quoted(found)}")
    return CellsOfRow(found, number, text.strip())


def _blank(constant: str) -> str | None:
    return None if constant == "NaN" else constant


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {quoted(twice)} stands twice")
    return found


def _encoding(data: bytes) -> str:
    return next((name for bom, name in _BOMS if data.startswith(bom)), "utf-8")


def _delimiter(text: str) -> str:
    """What parts the columns.

    What the first line states; what `csv.Sniffer` says where the header agrees; else what that has most.
    """
    if (said := _STATED.match(text)) is not None:
        return said[1]
    head = text.lstrip("\r\n").partition("\n")[0]
    counts = {mark: head.count(mark) for mark in DELIMITERS}
    try:
        sniffed = csv.Sniffer().sniff(text[: SAMPLED // 8], DELIMITERS).delimiter
    except csv.Error:
        sniffed = ""
    return sniffed if counts.get(sniffed) else max(counts, key=lambda mark: counts[mark])


def _without_comments(text: str) -> tuple[str, int]:
    """Text with blank lines for those above its header that begin with #, and how many these are.

    One that stands alone, or whose first cell is # and no more, is the header where it has as many cells as
    the line below.
    """
    lines = text.split("\n", MOST_COMMENTS)
    count = next((at for at, line in enumerate(lines) if not line.startswith("#")), 0)
    if not count:
        return text, 0
    mark = _delimiter("\n".join(lines[count:]))
    last = lines[count - 1]
    alone = count == 1 or last.partition(mark)[0].strip() == "#"
    count -= int(alone and last.count(mark) == lines[count].count(mark) > 0)
    return "\n" * count + "\n".join(lines[count:]), count


def _refuse_title(path: str, header: list[str], line: int, below: list[str]) -> None:
    """A line of one cell above one of several is a title: whoever wrote it knows whether it may go."""
    if len(header) == 1 < sum(bool(cell.strip()) for cell in below):
        raise FormatError(
            f"expected a header, {quoted(header[0])} stands alone; line {line} looks like the header: "
            + ", ".join(quoted(cell.strip()) for cell in below[:4] if cell.strip()),
            where=f"{path}:1", hint="take out what stands above it, or begin each such line with #",
        )  # fmt: skip


def _delimited(path: str, data: bytes) -> Iterator[CellsOfRow | Problem]:
    if data.startswith(_WORKBOOKS):
        raise FormatError("expected text, this is a workbook", where=path, hint="save it as CSV in UTF-8")
    try:
        text = data.decode(_encoding(data))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = BINARY if b"\0" in data else "expected UTF-8 text"
        raise FormatError(what, where=f"{path}:{line}", hint="save it as CSV in UTF-8") from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        what = "expected text, a NUL character stands here" if text.count("\0") == 1 else BINARY
        raise FormatError(what, where=f"{path}:{line}", hint="save it as CSV in UTF-8")
    bare, comments = _without_comments(_STATED.sub("\n", text, 1))
    if comments:
        yield Aside(path, 1, "", f"{many(comments, 'line')} above the header left out: # begins a comment")
    whole = _Text(path, bare)
    mark = _delimiter((text if _STATED.match(text) else bare)[:SAMPLED])
    reader = csv.reader(whole.short_lines(), delimiter=mark)
    header = [name.strip() for name in next(whole.records(reader), (1, []))[1]]
    while header and not header[-1]:  # a delimiter at the end of every line is no column
        header.pop()
    _refuse_header(path, header)
    again: list[int] = []
    for at, (number, cells) in enumerate(whole.records(reader)):
        if [cell.strip() for cell in cells[: len(header)]] == header:
            again.append(number)
            continue
        if at == 0:
            _refuse_title(path, header, number, cells)
        while len(cells) > len(header) and not cells[-1].strip():
            cells.pop()
        if len(cells) != len(header):
            cut = "; is the first line the header?" if len(header) == 1 else _why(whole, number)
            yield Problem(path, number, "", f"expected {many(len(header), 'cell')}, got {len(cells)}{cut}")
            continue
        named = dict(zip(header, cells, strict=True))
        yield CellsOfRow(named, number, canonical(named))
    if again:
        what = f"{many(len(again), 'line')} left out: the header stands there again, as in joined tables"
        yield Aside(path, again[0], "", what)
    yield from whole.problems


def _why(text: _Text, line: int) -> str:
    """What probably went wrong in a row that is no row."""
    spanned = text.number - line + 1
    return f" over {spanned} lines: a quotation mark that is not closed?" if spanned > 1 else ""


def _refuse_header(path: str, header: list[str]) -> None:
    twice = [name for name, count in Counter(header).items() if count > 1]
    if twice:
        what = "columns without a name" if not twice[0] else f"columns named {quoted(twice[0])}"
        raise FormatError(
            f"{header.count(twice[0])} {what}", where=f"{path}:1", hint="give each column a name of its own"
        )


class _Text(Struct):
    """Delimited text as its reader takes it, and what was wrong on the way."""

    path: str
    text: str
    number: int = 0
    problems: list[Problem] = field(default_factory=list)

    def short_lines(self) -> Iterator[str]:
        """Its lines, without those that no table has."""
        for line in io.StringIO(self.text, newline=""):
            self.number += 1
            if len(line) > LONGEST_CELL:
                problem = f"expected a line of at most {LONGEST_CELL} characters, got {len(line)}"
                self.problems.append(Problem(self.path, self.number, "", problem))
            else:
                yield line

    def records(self, reader: Iterator[list[str]]) -> Iterator[tuple[int, list[str]]]:
        """Number of the first line and cells of each record that is not blank."""
        while True:
            before = self.number + 1
            try:
                cells = next(reader, None)
            except csv.Error as error:
                self.problems.append(Problem(self.path, before, "", f"expected delimited text: {error}"))
                continue
            if cells is None:
                return
            if any(cell.strip() for cell in cells):
                yield before, cells
