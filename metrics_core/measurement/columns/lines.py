"""Lines of a log by the keys that they have, decoded.

Does: try the shape of the line before, find another where it does not fit, and set aside what has none. Does
not: say what is wrong with a line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import compress
from typing import Any

import msgspec

from metrics_core.formats import Row, jsonl
from metrics_core.measurement.columns.shapes import LineShape, LineShapes

Numbered = tuple[int, bytes]
"""A line with its number."""


class Group:
    """Lines of one shape: their numbers, bytes, and what they decode to, each at the same place."""

    def __init__(self, shape: LineShape, numbers: list[int], lines: list[bytes], rows: list[Any]) -> None:
        self.shape, self.numbers, self.lines, self.rows = shape, numbers, lines, rows
        self._columns: dict[str, Sequence[Any]] = {}

    def column(self, field: str) -> Sequence[Any]:
        """A field of every line; None where no line has it."""
        if not self._columns:
            self._columns = self.shape.columns(self.rows)
        return self._columns[field] if field in self._columns else [None] * len(self.rows)

    def exemplars(self, file: str, record_type: type[Any]) -> Callable[[int], Row | None]:
        """What gives the record of a line by its place; None where it is none, whatever its shape."""
        read: dict[int, Row | None] = {}
        decode = msgspec.json.Decoder(record_type).decode

        def exemplar(at: int) -> Row | None:
            if at not in read:
                try:
                    read[at] = Row(file, self.numbers[at], decode(self.lines[at]), self.lines[at])
                except (msgspec.MsgspecError, RecursionError):
                    read[at] = None
            return read[at]

        return exemplar

    def unlike(self) -> list[bool]:
        """Which lines are too long, or may hold a key twice."""
        longest = max(map(len, self.lines), default=0)
        keys = self.shape.keys
        whole = longest <= jsonl.LONGEST_LINE
        if whole and jsonl.count_keys(b"\n".join(self.lines)) == keys * len(self.lines):
            return []
        return [len(x) > jsonl.LONGEST_LINE or jsonl.count_keys(x) != keys for x in self.lines]

    def leave_out(self, odd: Sequence[bool]) -> list[Numbered]:
        """Take some lines out; they are given back."""
        if not any(odd):
            return []
        gone = list(compress(zip(self.numbers, self.lines, strict=True), odd))
        kept = [not one for one in odd]
        self.numbers, self.lines = list(compress(self.numbers, kept)), list(compress(self.lines, kept))
        self.rows = list(compress(self.rows, kept))
        self._columns = {}
        return gone


class ShapedLines:
    """Lines by their shapes.

    Args:
        shapes: Of the lines of one log.
    """

    def __init__(self, shapes: LineShapes) -> None:
        self._shapes = shapes
        self._last: LineShape | None = None

    def groups(self, numbers: list[int], lines: list[bytes]) -> tuple[list[Group], list[Numbered]]:
        """Numbered lines by their shapes, and those that have none, or may hold a key twice."""
        shape = self._last
        if shape is not None:
            with suppress(msgspec.MsgspecError, RecursionError):
                group = Group(shape, numbers, lines, list(map(shape.decode, lines)))
                return [group], group.leave_out(group.unlike())
        groups: dict[int, Group] = {}
        odd: list[Numbered] = []
        for number, line in zip(numbers, lines, strict=True):
            row = None if shape is None else _row(shape, line)
            if row is None:
                shape = self._shapes.of(line) or shape
                row = None if shape is None else _row(shape, line)
            if shape is None or row is None:
                odd.append((number, line))
                continue
            group = groups.get(id(shape)) or groups.setdefault(id(shape), Group(shape, [], [], []))
            group.numbers.append(number)
            group.lines.append(line)
            group.rows.append(row)
        self._last = shape
        for group in groups.values():
            odd += group.leave_out(group.unlike())
        return list(groups.values()), odd


def _row(shape: LineShape, line: bytes) -> Any:
    """What a line of a shape decodes to; None where it has another."""
    try:
        return shape.decode(line)
    except (msgspec.MsgspecError, RecursionError):
        return None
