"""Long runs of base64 and of hexadecimal digits in a text, decoded once, so that they can be looked through.

Does: find the runs, and join what they say to one text that remembers which part came from where. Does not:
look for anything, or decode what was decoded.
"""

from __future__ import annotations

import binascii
from bisect import bisect_right

from msgspec import Struct

SHORTEST = 24
"""Characters of a run that could hold a secret."""

_IN_RUN = bytes(chr(b).isascii() and (chr(b).isalnum() or chr(b) in "+/_-") for b in range(256))
_LONG = b"\1" * SHORTEST
_HEX = frozenset(b"0123456789abcdefABCDEF")
_TO_STANDARD = bytes.maketrans(b"-_", b"+/")
_LETTERS_OF_ESCAPES = frozenset(b"nrtbfu")
_BETWEEN = b"\n"


class DecodedRuns(Struct, frozen=True):
    """What the runs of a text say.

    Attributes:
        text: All of it, a line feed between two.
    """

    text: bytes
    _starts: tuple[int, ...]
    _runs: tuple[tuple[int, int], ...]

    def run_at(self, place: int) -> tuple[int, int]:
        """The run that a place of the text came from: its first byte, and the byte behind."""
        return self._runs[bisect_right(self._starts, place) - 1]


def decoded(data: bytes) -> DecodedRuns | None:
    """What the runs of a text say; None where it has none.

    Args:
        data: Any text.

    >>> found = decoded(b"see c2VlIHRoZSBzYW1lIHRleHQgaGVyZQ== there")
    >>> found.text, found.run_at(0)
    (b'see the same text here', (4, 34))
    """
    starts: list[int] = []
    runs: list[tuple[int, int]] = []
    parts: list[bytes] = []
    size = 0
    for start, end in _runs(data):
        said = _said(data[start:end])
        if said:
            starts.append(size)
            runs.append((start, end))
            parts.append(said)
            size += len(said) + len(_BETWEEN)
    return DecodedRuns(_BETWEEN.join(parts), tuple(starts), tuple(runs)) if parts else None


def _said(run: bytes) -> bytes:
    """What a run of hexadecimal digits, or else of base64, says; nothing where that is no text."""
    if len(run) % 2 == 0 and _HEX.issuperset(run):
        said = bytes.fromhex(run.decode("ascii"))
    else:
        whole = run[: len(run) - (len(run) % 4 == 1)].translate(_TO_STANDARD)
        try:
            said = binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))
        except binascii.Error:
            return b""
    return said if said[:SHORTEST].isascii() else b""


def _runs(data: bytes) -> list[tuple[int, int]]:
    marks = data.translate(_IN_RUN)
    found = []
    start = marks.find(_LONG)
    while start >= 0:
        end = marks.find(0, start)
        end = len(marks) if end < 0 else end
        found.append((_behind_escape(data, start), end))
        start = marks.find(_LONG, end)
    return found


def _behind_escape(data: bytes, start: int) -> int:
    """Where a run begins of which the first letters belong to an escape: the ``n`` of a line feed in JSON."""
    if start and data[start - 1] == ord("\\") and data[start] in _LETTERS_OF_ESCAPES:
        return start + (5 if data[start] == ord("u") else 1)
    return start
