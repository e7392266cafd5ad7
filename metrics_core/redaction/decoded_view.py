"""Text with its encodings undone, and the way back from each place of it to the text as it stands.

Does: drop colour sequences of terminals and invisible characters, undo percent, backslash and HTML escapes,
once or, where one stands in another, up to `DEEPEST` times. Does not: decode base64
(`metrics_core.redaction.encoded_runs`), or look for anything.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from functools import cached_property, lru_cache

from msgspec import Struct

DEEPEST = 3
"""How many escapes within each other are undone: JSON in JSON in a URL."""

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

_SEQUENCE = (
    rb"(?:\[[0-9;:?<=>]{0,40}[ -/]{0,3}[A-Za-z@`]|\][^\x07\x1b\"\\]{0,200}?(?:\x07|\x1b\\)|[()][0-9A-B])?"
)
"""What follows the escape character of a terminal."""

_UNIT = re.compile(
    rb"%[0-9A-Fa-f]{2}"
    rb"|&(?:\#(?:27|x1[bB]);" + _SEQUENCE + rb"|\#[0-9]{1,7};|\#[xX][0-9A-Fa-f]{1,6};|[a-zA-Z]{2,6};)"
    rb"|\\\\*(?:[nrt\"'/`&=@:\n]|(?:u001[bB]|x1[bB]|033|e(?=\[))"
    + _SEQUENCE
    + rb"|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|u\{[0-9A-Fa-f]{1,6}\}|x[0-9A-Fa-f]{2}|[0-3][0-7]{2})"
    rb"|\x1b"
    + _SEQUENCE
    + rb"|\xe2\x80\xb9U\+001B\xe2\x80\xba"
    + _SEQUENCE
    + rb"|\xe2\x80\xb9U\+[0-9A-F]{4,6}\xe2\x80\xba|"
    + _HIDDEN
    + b"".join(rb"|\x%02x" % code for code in (*range(9), 11, 12, *range(14, 27), *range(28, 32), 127))
)
"""Everything that stands for other characters than it shows. Each alternative begins with a byte of its own
kind, so that a text is read past all others at once."""

_CODE = re.compile(
    rb"%(?P<percent>[0-9A-Fa-f]{2})"
    rb"|&(?:\#(?P<decimal>[0-9]{1,7})|\#[xX](?P<hexadecimal>[0-9A-Fa-f]{1,6})|(?P<entity>[a-zA-Z]{2,6}));"
    rb"|\\+(?:(?P<control>[nrt])|(?P<mark>[\"'/`&=@:])|u(?P<u>[0-9A-Fa-f]{4})|U(?P<U>[0-9A-Fa-f]{8})"
    rb"|u\{(?P<braced>[0-9A-Fa-f]{1,6})\}|x(?P<x>[0-9A-Fa-f]{2})|(?P<octal>[0-3][0-7]{2}))"
)
"""Those of them that stand for something that is seen."""

_CONTROL = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}


class DecodedView(Struct, frozen=True, dict=True):
    """A text with its encodings undone.

    Attributes:
        text: What it says.
        encoded: What it was made of.
    """

    text: bytes
    encoded: bytes

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a part of it stands in what it was made of; an escape that it touches is taken whole.

        Args:
            start: First byte of the part.
            end: The byte behind it; ``end > start``.
        """
        starts, pieces = self._pieces
        first, last = bisect_right(starts, start) - 1, bisect_right(starts, end - 1) - 1
        at, _, plain = pieces[first]
        begin = at + (start - starts[first] if plain else 0)
        at, behind, plain = pieces[last]
        return begin, at + end - starts[last] if plain else behind

    @cached_property
    def _pieces(self) -> tuple[list[int], list[tuple[int, int, bool]]]:
        """Where each piece begins in the text; its ends in what it was made of, and whether it stood there.

        Made when a place is first asked for: of most texts none is.
        """
        starts: list[int] = []
        pieces: list[tuple[int, int, bool]] = []
        size = at = 0

        def add(begin: int, behind: int, length: int, *, plain: bool) -> None:
            nonlocal size
            if length:
                starts.append(size)
                pieces.append((begin, behind, plain))
                size += length

        for unit in _UNIT.finditer(self.encoded):
            said = _said(unit[0])
            if said is not None:
                add(at, unit.start(), unit.start() - at, plain=True)
                at = unit.end()
                add(unit.start(), at, len(said), plain=False)
        add(at, len(self.encoded), len(self.encoded) - at, plain=True)
        return starts, pieces


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
    text = _UNIT.sub(_shown, data)
    return None if text == data else DecodedView(text, data)


def _shown(unit: re.Match[bytes]) -> bytes:
    said = _said(unit[0])
    return unit[0] if said is None else said


@lru_cache(4096)
def _said(unit: bytes) -> bytes | None:
    """What an escape stands for; nothing where nobody sees it, None where it stands for itself."""
    code = _CODE.fullmatch(unit)
    if code is None or code.lastgroup is None:
        return b""
    kind, text = code.lastgroup, code[code.lastgroup]
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
