"""Why a line is not one strict JSON record, and where in it: pointer, what was expected, what stood there.

Does: name the fault of a line that was already found to be wrong, and find keys that stand twice, which
no decoder reports. Does not: run on lines that are right, so it takes its time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from metrics_core.formats.unknown_fields import meant
from metrics_core.results import pointer, quoted
from metrics_core.text import visible

DEEPEST = 64
"""Objects and lists within each other that a record may have."""

_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_STRUCTURE = re.compile(rb'["{}\[\]:,]')
_ESCAPE = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_AT_BYTE = re.compile(r"^(?:JSON is malformed: )?(.*?) \(byte (\d+)\)$")
_AT_PATH = re.compile(r"^(.*?)(?: - at `(?:key` in `)?\$(.*?)`)?$", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")
_MISSING = re.compile(r"Object missing required field `(.*)`")
_NOT_NUMBERS = (b"NaN", b"Infinity", b"-Infinity")
_BOM = b"\xef\xbb\xbf"


class JsonError(Exception):
    """What is wrong with one line: ``field`` is a pointer as in `Problem`, ``what`` its sentence."""

    def __init__(self, field: str, what: str) -> None:
        super().__init__(what)
        self.field, self.what = field, what


def of_text(line: bytes, error: Exception) -> JsonError:
    """The fault of a line that is no JSON, given what the decoder said of it."""
    if line.startswith(_BOM):
        return JsonError("", "expected a record, got a byte order mark before it")
    if isinstance(error, RecursionError):
        return too_deep()
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as bad:
        if bad.end < len(line) or not bad.reason.startswith("unexpected end"):
            return JsonError(_place(line, bad.start)[0], f"expected UTF-8, got byte 0x{line[bad.start]:02x}")
    where, inside = _place(line, len(line))
    half = _lone_surrogate(line)
    if half is not None and not (inside in ("a string", "a key") and half + 12 > len(line)):
        half_text = line[half : half + 6].decode()
        return JsonError(_place(line, half)[0], f"expected a character, got half of one: {half_text}")
    at_byte = _AT_BYTE.match(str(error))
    if inside and (at_byte is None or half is not None) and not isinstance(error, msgspec.ValidationError):
        return JsonError(where, f"the line ends in the middle of {inside}")
    if at_byte is None:
        return _out_of_range(error)
    return _at(line, int(at_byte[2]), at_byte[1])


def _at(line: bytes, position: int, reason: str) -> JsonError:
    where = _place(line, position)[0]
    if position >= len(line) and reason == "invalid number":
        return JsonError(where, "the line ends in the middle of a number")
    start = (
        position - 1
        if line[position - 1 : position] == b"-" and line[position : position + 1] == b"I"
        else position
    )
    for word in _NOT_NUMBERS:
        if line.startswith(word, start):
            return JsonError(where, f"expected a JSON value, got {word.decode()}")
    rest = line[position : position + 12].decode("utf-8", "replace")
    if reason == "trailing characters":
        return JsonError("", f"expected one record on the line, got more after it: {quoted(rest)}")
    return JsonError(where, f"malformed JSON, {reason} at byte {position + 1}: {quoted(rest)}")


def _out_of_range(error: Exception) -> JsonError:
    return JsonError("", f"expected a number that a computer can hold ({visible(str(error), escaped=True)})")


def too_deep() -> JsonError:
    """The fault of a line that nests beyond what records do."""
    return JsonError("", f"expected at most {DEEPEST} objects and lists within each other")


def of_value(tree: Any, record_type: type[Any], error: msgspec.ValidationError) -> JsonError:
    """The fault of a line that is JSON but no record, given what the converter said of it.

    Args:
        tree: The line, decoded.
        record_type: What it should be.
        error: What ``msgspec.convert(tree, record_type)`` raised.
    """
    what, parts = located(tree, record_type, error)
    missing = _MISSING.match(what)
    if missing:
        said = f"expected {missing[1]}, the field is missing"
        return JsonError(pointer(*parts, missing[1]), said + meant(missing[1], follow(tree, parts)))
    found = follow(tree, parts)
    if what.startswith("Invalid enum value"):
        return JsonError(pointer(*parts), f"expected {_allowed(record_type, parts)}, got {quoted(found)}")
    if " matching regex " in what and (spelled := _declared(record_type, parts).get("spelled")):
        return JsonError(pointer(*parts), f"expected {spelled}, got {quoted(found)}")
    return JsonError(
        pointer(*parts), f"{_sentence(what)}, got {quoted(found)}" if what.startswith("Expected ") else what
    )


def located(tree: Any, kind: type[Any], error: msgspec.ValidationError) -> tuple[str, list[Any]]:
    """What the converter said of a value, and the keys and indices that lead to the part at fault."""
    match = _AT_PATH.match(str(error))
    what, path = (match[1], match[2] or "") if match else (str(error), "")
    steps = [name or (index if index == "..." else int(index)) for name, index in _STEP.findall(path)]
    return what, _named(tree, kind, steps, str(error))


def _allowed(record_type: type[Any], parts: list[Any]) -> str:
    """The words that a field of a record may hold, as a sentence names them."""
    declared = _declared(record_type, parts)
    choices = [declared, *declared.get("anyOf", ())]
    words = [word for choice in choices for word in choice.get("enum", ()) if word is not None]
    return f"one of {', '.join(words)}" if words else "another word"


def _declared(record_type: type[Any], parts: list[Any]) -> dict[str, Any]:
    """What a field of a record is declared as; nothing where no field is at fault."""
    fields = msgspec.json.schema_components([record_type])[1][record_type.__name__]["properties"]
    found: dict[str, Any] = fields.get(parts[0], {}) if parts else {}
    return found


def _sentence(what: str) -> str:
    """``Expected `bool | null`, got `str``` -> ``expected bool or null``."""
    expected = what.partition(", got ")[0].replace("`", "").replace(" | ", " or ")
    return "expected " + expected.removeprefix("Expected ")


def _named(tree: Any, record_type: type[Any], steps: list[Any], message: str) -> list[Any]:
    """Steps with each ``...`` (some key of a mapping) replaced by the key that is at fault."""
    parts: list[Any] = []
    for step in steps:
        here = follow(tree, parts)
        if step == "..." and isinstance(here, dict):
            step = next((key for key in here if _alone_fails(tree, record_type, parts, key, message)), "...")  # noqa: PLW2901 (the key it stands for)
        parts.append(step)
    return parts


def _alone_fails(tree: Any, record_type: type[Any], parts: list[Any], key: str, message: str) -> bool:
    """Whether the record still fails in the same way when its mapping holds this key only."""
    try:
        msgspec.convert(_with(tree, parts, lambda mapping: {key: mapping[key]}), record_type)
    except msgspec.ValidationError as error:
        return str(error) == message
    return False


def _with(tree: Any, parts: list[Any], change: Any) -> Any:
    if not parts:
        return change(tree)
    first, rest = parts[0], parts[1:]
    if isinstance(tree, dict):
        return {**tree, first: _with(tree[first], rest, change)}
    return [*tree[:first], _with(tree[first], rest, change), *tree[first + 1 :]]


def follow(tree: Any, parts: list[Any]) -> Any:
    """The part of a value to which keys and indices lead; None where there is none."""
    for part in parts:
        try:
            tree = tree[part]
        except (KeyError, IndexError, TypeError):
            return None
    return tree


def repeated_key(line: bytes) -> JsonError | None:
    """The first key that stands twice in one object of a valid line, or None. Exact, and slow.

    >>> fault = repeated_key(b'{"a": {"b": 1, "b": 2}}')
    >>> fault.field, fault.what
    ('a/b', 'expected each key once, got "b" twice in one object')
    """
    tree = json.loads(line, object_pairs_hook=_Pairs, parse_int=str, parse_float=str)
    for parts, pairs in _objects(tree, ()):
        seen = set()
        for key, _ in pairs:
            if key in seen:
                return JsonError(
                    pointer(*parts, key), f"expected each key once, got {quoted(key)} twice in one object"
                )
            seen.add(key)
    return None


class _Pairs(list[tuple[str, Any]]):
    """An object as the list of its pairs, in which nothing is lost."""


def _objects(tree: Any, parts: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], _Pairs]]:
    if isinstance(tree, _Pairs):
        yield parts, tree
        for key, value in tree:
            yield from _objects(value, (*parts, key))
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            yield from _objects(value, (*parts, index))


def _lone_surrogate(line: bytes) -> int | None:
    """Where the first escape stands that is half of a surrogate pair, or None."""
    high_ends = -1
    high_start = 0
    for escape in _ESCAPE.finditer(line):
        code = int(escape[1], 16) if escape[1] else 0
        low = 0xDC00 <= code < 0xE000
        if high_ends >= 0 and not (low and escape.start() == high_ends):
            return high_start
        if low and high_ends < 0:
            return escape.start()
        high_ends = escape.end() if 0xD800 <= code < 0xDC00 else -1
        high_start = escape.start()
    return high_start if high_ends >= 0 else None


def _place(line: bytes, position: int) -> tuple[str, str]:
    """Pointer of the value at a byte, and what that byte is in the middle of; empty outside the record."""
    stack: list[list[Any]] = []  # [bracket, key or index, whether a key comes next]
    at = 0
    while mark := _STRUCTURE.search(line, at, position):
        at = mark.end()
        if mark[0] == b'"':
            string = _STRING.match(line, mark.start())
            is_key = bool(stack) and stack[-1][2]
            if string is None or string.end() > position:
                return _pointer(stack[:-1] if is_key else stack), "a key" if is_key else "a string"
            if is_key:
                stack[-1][1] = string[0][1:-1].decode("utf-8", "replace")
            at = string.end()
        elif mark[0] in b"{[":
            stack.append([mark[0], None if mark[0] == b"{" else 0, mark[0] == b"{"])
        elif not stack:
            continue
        elif mark[0] in b"}]":
            stack.pop()
        elif mark[0] == b":":
            stack[-1][2] = False
        elif stack[-1][0] == b"[":
            stack[-1][1] += 1
        else:
            stack[-1][1:] = [None, True]
    if stack:
        return _pointer(stack), "an object" if stack[-1][0] == b"{" else "a list"
    return "", "a word" if line[:position].strip(b" \t\r").isalpha() else ""


def _pointer(stack: list[list[Any]]) -> str:
    return pointer(*(part for _, part, _ in stack if part is not None))
