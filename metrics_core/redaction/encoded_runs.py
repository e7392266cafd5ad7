"""Long runs of base64 and of hexadecimal digits in a text, decoded once, so that they can be looked through.

Does: find the runs, and join what they say to one text that remembers which part came from where. Does not:
look for anything, or decode what was decoded.
"""

from __future__ import annotations

import binascii
from bisect import bisect_right
from collections.abc import Iterator

from msgspec import Struct

SHORTEST = 24
"""Characters of a run that could hold a secret."""

_IN_RUN = bytes(chr(b).isascii() and (chr(b).isalnum() or chr(b) in "+/_-") for b in range(256))
_LONG = b"\1" * SHORTEST
_HEX = frozenset(b"0123456789abcdefABCDEF")
_TO_STANDARD = bytes.maketrans(b"-_", b"+/")
_LETTERS_OF_ESCAPES = frozenset(b"nrtbfu")
_BETWEEN = b"\n"

WIDE = 256 * 2**10
"""Bytes of a text in which words of `WORD` bytes are looked at first."""

WORD = 4
EVERY_BYTE = int.from_bytes(b"\1" * WORD, "little")
CERTAIN = SHORTEST // WORD - 1
"""Whole words that the shortest run holds, wherever it begins."""

FAR_APART = 1024
"""Bytes of a text for each part of it that is looked at by itself; where there are more, all of it is."""

STRIDE = 64 * 2**10
"""Bytes that are looked at together: what is made of them stays in the processor's cache."""


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
    """Where runs stand: first byte, and the byte behind."""
    found = []
    for first, behind in _likely(data) if len(data) >= WIDE else ((0, len(data)),):
        marks = data[first:behind].translate(_IN_RUN)
        start = marks.find(_LONG)
        while start >= 0:
            end = marks.find(0, start)
            end = len(marks) if end < 0 else end
            found.append((_behind_escape(data, first + start), first + end))
            start = marks.find(_LONG, end)
    return found


def _likely(data: bytes) -> Iterator[tuple[int, int]]:
    """Parts of a text, each of which holds its runs whole; outside of them there are none.

    A run holds `CERTAIN` whole words in which every byte is a letter, a digit or near one of them in ASCII.
    """
    import numpy as np

    whole = np.empty(len(data) // WORD, dtype=np.bool_)
    every = np.frombuffer(data, np.uint8, len(whole) * WORD)
    for start in range(0, len(every), STRIDE):
        some = every[start : start + STRIDE]
        near = ((some & 0xDF) - ord("A") <= ord("_") - ord("A")) | (some - ord("+") <= ord("9") - ord("+"))
        words = near.view(np.uint32) == EVERY_BYTE
        whole[start // WORD : start // WORD + len(words)] = words
    last = len(whole) - CERTAIN + 1
    long = np.logical_and.reduce([whole[at : at + last] for at in range(CERTAIN)])
    edges = np.flatnonzero(np.diff(long, prepend=False, append=False)).tolist()
    if len(edges) * FAR_APART > 2 * len(data):
        yield 0, len(data)
        return
    for begin, end in zip(edges[::2], edges[1::2], strict=True):
        yield max(0, (begin - 1) * WORD + 1), min(len(data), (end + CERTAIN) * WORD - 1)


def _behind_escape(data: bytes, start: int) -> int:
    """Where a run begins of which the first letters belong to an escape: the ``n`` of a line feed in JSON."""
    if start and data[start - 1] == ord("\\") and data[start] in _LETTERS_OF_ESCAPES:
        return start + (5 if data[start] == ord("u") else 1)
    return start
