"""A JSON file of another program, its elements one by one: each value with its own text and its own faults.

Does: cut one list, or the file's own object, into elements with the bytes that the file holds, and name what
is no JSON inside an element (NaN, a key twice, a number beyond any) by its pointer, so that it costs that
element and nothing else. Does not: know a format, or read a file that breaks off; its place is told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import isinf
from typing import Any, NamedTuple

from msgspec import Struct

from metrics_core.errors import FormatError
from metrics_core.formats import jsonl, strict_json
from metrics_core.results import Problem, pointer
from metrics_core.text import visible

MOST_DIGITS = 308
"""Digits of a whole number; one of more is none that a float could hold."""

_SPACE = re.compile(r"[ \t\r\n]*")


class JsonFault(Struct, frozen=True):
    """What stands in the place of a value that is no JSON.

    Attributes:
        what: What was expected and what stood there.
    """

    what: str


class JsonPart(Struct, frozen=True, kw_only=True):
    """One element of a list, or one member of an object.

    Attributes:
        key: Of the member; the number from 0 as text in a list.
        value: It, decoded. Only where there is no fault is it plain JSON.
        source: It, as the file holds it.
        fault: Pointer within it and fault of the first value that is no JSON.
    """

    key: str
    value: Any
    source: bytes
    fault: tuple[str, JsonFault] | None


class OutsideJson(Struct, frozen=True, kw_only=True):
    """An object of another program's file.

    Attributes:
        members: Key -> part, for every member.
        parts: The elements of the list that was asked for; empty where there is none.
        listed: Whether there is that list.
    """

    members: Mapping[str, JsonPart]
    parts: tuple[JsonPart, ...] = ()
    listed: bool = False

    @property
    def plain(self) -> dict[str, Any]:
        """Values of the members; null in the place of each fault."""
        return {
            key: part.value if part.fault is None else _without_faults(part.value)
            for key, part in self.members.items()
        }

    @property
    def faults(self) -> Iterator[tuple[str, str]]:
        """Pointer and fault of the first fault of each member that has one."""
        for key, part in self.members.items():
            if part.fault is not None:
                inner, fault = part.fault
                yield f"{pointer(key)}/{inner}" if inner else pointer(key), fault.what


def read_object(data: bytes, where: str, *, split: str | None = None) -> OutsideJson:
    """An object with the text of its members, and of the elements of one list among them.

    Args:
        data: The whole file.
        where: Its name, for errors.
        split: Key of the list that is cut into its elements; it is then none of the members.

    Raises:
        FormatError: The file is no JSON object, or breaks off; the message says where.

    >>> read = read_object(b'{"n": 2, "runs": [{"a": NaN}, {"a": 1}]}', "r.json", split="runs")
    >>> read.plain, [part.source for part in read.parts], read.parts[0].fault
    ({'n': 2}, [b'{"a": NaN}', b'{"a": 1}'], ('a', JsonFault(what='NaN is no JSON')))
    """
    with _told(where):
        cursor = _Cursor(data.decode("utf-8-sig"))
        members: dict[str, JsonPart] = {}
        parts: tuple[JsonPart, ...] = ()
        listed = False
        for key in cursor.container("{", "}"):
            if key == split and cursor.peek() == "[" and not listed:
                listed = True
                parts = tuple(cursor.part(str(n)) for n, _ in enumerate(cursor.container("[", "]")))
                continue
            part = cursor.part(key)
            if key in members or (listed and key == split):
                twice = JsonFault("a key that stands twice in its object")
                part = JsonPart(key=key, value=None, source=part.source, fault=("", twice))
            members[key] = part
        cursor.end()
    return OutsideJson(members=members, parts=parts, listed=listed)


def read_elements(data: bytes, where: str) -> tuple[JsonPart, ...]:
    """The elements of a list with the text of each; of anything else, it as the only one.

    Args:
        data: The whole file.
        where: Its name, for errors.

    Raises:
        FormatError: The file is no JSON, or breaks off; the message says where.

    >>> [part.source for part in read_elements(b'[{"a": 1}, 2 ]', "r.json")]
    [b'{"a": 1}', b'2']
    >>> [part.source for part in read_elements(b' {"a": 1}', "r.json")]
    [b'{"a": 1}']
    """
    with _told(where):
        cursor = _Cursor(data.decode("utf-8-sig"))
        if cursor.peek() == "[":
            parts = tuple(cursor.part(str(n)) for n, _ in enumerate(cursor.container("[", "]")))
        else:
            parts = (cursor.part("0"),)
        cursor.end()
    return parts


def read_value(data: bytes, where: str) -> Any:
    """A whole file, or one line, as plain JSON; what is no number stands as its text, and costs its place.

    Args:
        data: All of it.
        where: Its name, for errors.

    Raises:
        FormatError: It is no JSON otherwise, or a key stands twice in an object.

    >>> read_value(b'{"a": NaN, "b": [-Infinity, 1e999]}', "r.json")
    {'a': 'NaN', 'b': ['-Infinity', '1e999']}
    """
    return strict_json.document(data, where, constants=str)


class JsonLine(NamedTuple):
    """One line: its number, its value, and its text."""

    number: int
    value: Any
    text: bytes


def read_lines(data: bytes, where: str) -> Iterator[JsonLine | Problem]:
    r"""Every line that is not blank, its value as `read_value` has it; a problem where it is no JSON.

    Args:
        data: The whole file.
        where: Its name, for problems.

    >>> first, broken = read_lines(b'{"a": 1}\n\n{"a": \n', "r.jsonl")
    >>> first.value, broken.place
    ({'a': 1}, 'r.jsonl:3')
    """
    for number, line in jsonl.lines([data]):
        try:
            yield JsonLine(number, read_value(line, where), line)
        except FormatError as error:
            yield Problem(where, number, "", error.problem)


@contextmanager
def _told(where: str) -> Iterator[None]:
    """What a file is that is no JSON, as the error of its format."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise FormatError(f"expected JSON in UTF-8: byte {error.start} is none", where=where) from error
    except RecursionError as error:
        raise FormatError(
            "expected JSON: objects and lists too deep within each other", where=where
        ) from error
    except json.JSONDecodeError as error:
        place = f"{where}:{error.lineno}"
        what = f"expected JSON: {visible(error.msg, escaped=True)} at column {error.colno}"
        raise FormatError(what, where=place) from error


class _Cursor:
    """A place in the text of a JSON file."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._decoder = json.JSONDecoder(
            object_pairs_hook=_unique,
            parse_constant=lambda constant: JsonFault(f"{constant} is no JSON"),
            parse_int=_whole,
            parse_float=_number,
        )

    def peek(self) -> str:
        """The next character that is no white space; none at the end."""
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        return self.text[self.at : self.at + 1]

    def container(self, opening: str, closing: str) -> Iterator[str]:
        """The key of each member, empty in a list; whoever asks reads its value before the next key."""
        self._take(opening)
        if self.peek() == closing:
            self.at += 1
            return
        while True:
            key = ""
            if opening == "{":
                key = self._key()
            yield key
            if self.peek() == closing:
                self.at += 1
                return
            self._take(",")

    def part(self, key: str) -> JsonPart:
        """The value here, with its text."""
        self.peek()
        begin = self.at
        value, self.at = self._decoder.raw_decode(self.text, begin)
        source = self.text[begin : self.at].encode("utf-8", "surrogatepass")
        return JsonPart(key=key, value=value, source=source, fault=_first_fault(value, ()))

    def end(self) -> None:
        """Nothing follows."""
        if self.peek():
            raise json.JSONDecodeError("Extra data", self.text, self.at)

    def _key(self) -> str:
        if self.peek() != '"':
            raise json.JSONDecodeError(
                "Expecting property name enclosed in double quotes", self.text, self.at
            )
        key, self.at = self._decoder.raw_decode(self.text, self.at)
        self._take(":")
        return str(key)

    def _take(self, expected: str) -> None:
        if self.peek() != expected:
            raise json.JSONDecodeError(f"Expecting '{expected}'", self.text, self.at)
        self.at += 1


def _unique(items: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in items:
        found[key] = JsonFault("a key that stands twice in its object") if key in found else value
    return found


def _whole(digits: str) -> Any:
    if len(digits) > MOST_DIGITS:
        return JsonFault(f"a number of {len(digits.lstrip('-'))} digits")
    return int(digits)


def _number(text: str) -> Any:
    value = float(text)
    return JsonFault("a number beyond any that can be held") if isinf(value) else value


def _without_faults(value: Any) -> Any:
    if isinstance(value, JsonFault):
        return None
    if isinstance(value, dict):
        return {key: _without_faults(inner) for key, inner in value.items()}
    return [_without_faults(inner) for inner in value] if isinstance(value, list) else value


def _first_fault(value: Any, at: tuple[str | int, ...]) -> tuple[str, JsonFault] | None:
    if isinstance(value, JsonFault):
        return pointer(*at), value
    if isinstance(value, dict):
        found = (_first_fault(inner, (*at, key)) for key, inner in value.items())
    elif isinstance(value, list):
        found = (_first_fault(inner, (*at, n)) for n, inner in enumerate(value))
    else:
        return None
    return next(filter(None, found), None)
