"""Quick looks at a piece of a file: could it hold this text, or a long token?

Does: answer quickly, and err on one side only, so that a search is made only where there may be something
to find; most pieces of most files hold nothing. Does not: find anything.
"""

from __future__ import annotations

from typing import Any

TOKEN_CHARACTER = bytes(chr(b).isascii() and (chr(b).isalnum() or chr(b) in "_-") for b in range(256))
"""1 for each byte of ``[A-Za-z0-9_-]``, else 0."""

SHORTEST_RUN = 23
"""Token characters in a row that count as a long token: five whole words of 4 bytes lie in each."""

SMALL, LARGE = 2048, 128 * 2**10
"""Bytes below which it is as quick to look for no runs, and to search plainly for a text."""


class Scan:
    """One piece of a file.

    >>> Scan(b"no key here").may_hold(b"key"), Scan(b"x" * 5000).may_hold(b"keys")
    (True, False)
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._views: tuple[Any, ...] = () if len(data) < LARGE else _by_four(data)

    def may_hold(self, needle: bytes) -> bool:
        """False only where the needle does not stand in the piece."""
        if not self._views or len(needle) < 4:
            return needle in self._data
        first = int.from_bytes(needle[:4], "little")
        return any((view == first).any() for view in self._views) and needle in self._data

    def has_run(self) -> bool:
        """False only where no run of `SHORTEST_RUN` token characters stands in the piece.

        Such a run covers five neighbouring words of 4 bytes whole, wherever it starts, so only whole
        words are looked at.
        """
        if len(self._data) < SMALL:
            return True
        one = _by_four(self._data.translate(TOKEN_CHARACTER))[0] == 0x01010101
        two = one[:-1] & one[1:]
        four = two[:-2] & two[2:]
        return bool((four[:-1] & one[4:]).any())


def _by_four(data: bytes) -> tuple[Any, ...]:
    """The words of 4 bytes that start at bytes 0, 1, 2 and 3 of each four."""
    import numpy as np

    return tuple(
        np.frombuffer(data, dtype="<u4", offset=offset, count=(len(data) - offset) // 4)
        for offset in range(4)
    )
