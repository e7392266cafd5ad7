"""Text with its encodings undone, and the way back from each place of it to the text as it stands.

Does: drop colour sequences of terminals and invisible characters, undo percent, backslash and HTML escapes,
once or, where one stands in another, up to `DEEPEST` times. Does not: decode base64
(`metrics_core.redaction.encoded_runs`), or look for anything.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

DEEPEST = 3
"""How many escapes within each other are undone: JSON in JSON in a URL."""

_ESCAPE = rb"(?:\x1b|\\+(?:u001[bB]|x1[bB]|033|e(?=\[))|&#(?:27|x1[bB]);|\xe2\x80\xb9U\+001B\xe2\x80\xba)"
_COLOUR = (
    _ESCAPE
    + rb"(?:\[[0-9;:?<=>]{0,40}[ -/]{0,3}[A-Za-z@`]|\][^\x07\x1b\"\\]{0,200}?(?:\x07|\x1b\\)|[()][0-9A-B])?"
)
_HIDDEN = "".join(
    f"|{spelled}" for spelled in (
        r"\xc2\xad", r"\xcd\x8f", r"\xd8\x9c", r"\xe1\x85[\x9f\xa0]",
        r"\xe1\x9e[\xb4\xb5]", r"\xe1\xa0[\x8b-\x8f]",
        r"\xe2\x80[\x8b-\x8f\xaa-\xae]", r"\xe2\x81[\xa0-\xaf]", r"\xe3\x85\xa4", r"\xef\xb8[\x80-\x8f]",
        r"\xef\xbb\xbf", r"\xef\xbe\xa0", r"\xf3\xa0[\x80-\x87][\x80-\xbf]",
    )
).encode("ascii")[1:]  # fmt: skip
"""Invisible characters of a text, as UTF-8 spells them."""

HIDDEN = re.compile(_HIDDEN)
_UNIT = re.compile(
    rb"\\+(?:(?P<control>[nrt])|(?P<mark>[\"'/`&=@:]))"
    rb"|(?P<drop>"
    + _COLOUR
    + rb"|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]|"
    + _HIDDEN
    + rb"|\xe2\x80\xb9U\+[0-9A-F]{4,6}\xe2\x80\xba)"
    rb"|%(?P<percent>[0-9A-Fa-f]{2})"
    rb"|&(?:\#(?P<decimal>[0-9]{1,7})|\#[xX](?P<hexadecimal>[0-9A-Fa-f]{1,6})|(?P<entity>[a-zA-Z]{2,6}));"
    rb"|\\+(?:u(?P<u>[0-9A-Fa-f]{4})|U(?P<U>[0-9A-Fa-f]{8})|u\{(?P<braced>[0-9A-Fa-f]{1,6})\}|x(?P<x>[0-9A-Fa-f]{2})"
    rb"|(?P<octal>[0-3][0-7]{2})|\n)"
)
"""Everything that stands for other characters than it shows."""

_OPENS = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f%&\\\xc2\xcd\xd8\xe1-\xe3\xef\xf3]")
"""How such a thing begins."""

_CONTROL = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}


@dataclass(frozen=True, slots=True)
class DecodedView:
    """A text with its encodings undone.

    Attributes:
        text: What it says.
    """

    text: bytes
    _starts: tuple[int, ...]
    _pieces: tuple[tuple[int, int, bool], ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a part of it stands in what it was made of; an escape that it touches is taken whole.

        Args:
            start: First byte of the part.
            end: The byte behind it; ``end > start``.
        """
        first, last = bisect_right(self._starts, start) - 1, bisect_right(self._starts, end - 1) - 1
        at, _, plain = self._pieces[first]
        begin = at + (start - self._starts[first] if plain else 0)
        at, behind, plain = self._pieces[last]
        return begin, at + end - self._starts[last] if plain else behind


def undone(data: bytes) -> DecodedView | None:
    r"""A text with one layer of encodings undone; None where it has none.

    Args:
        data: Text in UTF-8, or anything.

    >>> view = undone(rb"a%3Db\u0063")
    >>> view.text, view.span(3, 4)
    (b'a=bc', (5, 11))
    >>> undone(b"plain") is None
    True
    """
    starts: list[int] = []
    pieces: list[tuple[int, int, bool]] = []
    parts: list[bytes] = []
    size = at = 0
    for unit, said in _units(data):
        if unit.start() > at:
            plain = data[at : unit.start()]
            starts.append(size)
            pieces.append((at, unit.start(), True))
            parts.append(plain)
            size += len(plain)
        at = unit.end()
        if said:
            starts.append(size)
            pieces.append((unit.start(), at, False))
            parts.append(said)
            size += len(said)
    if not at:
        return None
    if at < len(data):
        starts.append(size)
        pieces.append((at, len(data), True))
        parts.append(data[at:])
    return DecodedView(b"".join(parts), tuple(starts), tuple(pieces))


def _units(data: bytes) -> Iterator[tuple[re.Match[bytes], bytes]]:
    behind = 0
    for opening in _OPENS.finditer(data):
        if opening.start() < behind:
            continue
        unit = _UNIT.match(data, opening.start())
        said = None if unit is None else _said(unit)
        if unit is not None and said is not None:
            behind = unit.end()
            yield unit, said


def _said(unit: re.Match[bytes]) -> bytes | None:
    """What an escape stands for; nothing where nobody sees it, None where it stands for itself."""
    kind, text = unit.lastgroup, unit[unit.lastgroup] if unit.lastgroup else b""
    if kind == "drop" or kind is None:
        return b""
    if kind in ("percent", "x"):
        return _of_code(int(text, 16)) if int(text, 16) < 0x80 else bytes((int(text, 16),))
    if kind == "control":
        return _CONTROL[text]
    if kind == "mark":
        return text
    if kind == "entity":
        found = html.unescape(f"&{text.decode()};")
        return None if len(found) > 2 else found.encode()
    return _of_code(int(text, {"decimal": 10, "octal": 8}.get(kind, 16)))


def _of_code(code: int) -> bytes | None:
    if code > 0x10FFFF:
        return None
    said = chr(code).encode("utf-8", "surrogatepass")
    return b"" if HIDDEN.fullmatch(said) or (code < 0x20 and said not in b"\t\n\r") or code == 0x7F else said
