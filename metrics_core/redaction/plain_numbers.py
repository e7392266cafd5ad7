"""Keys of JSON that stand before a plain number, such as a count of tokens: found many at once.

A log of an agent names tokens several times a line, and a number of at most twelve digits is no secret under
any key. Does: leave such places out, and only those that the guard of such keys,
`metrics_core.redaction.rule.KEYED_GUARD`, turns down as well. Does not: judge any other place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

NAME = 24
"""Bytes from the beginning of a needle in which the rest of its key must end."""

MOST_DIGITS = 12
"""Digits of a number that is no secret."""

VALUE = 16
"""Bytes of what ends a key, the number and what ends it: ``": 123456789012,``."""

REACH = NAME + VALUE
"""Bytes from the beginning of a needle in which its key, the number and what ends it must stand."""

_WORD = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
_IN_WORD = bytes(byte in _WORD for byte in range(256))
_IS_DIGIT = bytes(byte in b"0123456789" for byte in range(256))
_GOES_ON = bytes(byte in _WORD + b"." for byte in range(256))
"""Bytes that go on with a number or a word."""


def without_plain_numbers(data: bytes, starts: Sequence[int]) -> list[int]:
    """Places in a text but for those where the rest of a key in quotes stands before a plain number.

    Args:
        data: The text.
        starts: Where the end of a key may begin, each before its last letter.

    >>> text = b'{"input_tokens": 12, "token": "12", "tokens": 12e3, "token_count":7}' + b" " * REACH
    >>> without_plain_numbers(text, [8, 22, 37, 53])
    [22, 37]
    """
    import numpy as np

    places = np.array(starts, dtype=np.int64)
    inside = places + REACH <= len(data)
    if not inside.any():
        return list(starts)
    near = places[inside]
    names = _pieces(np, data, NAME, near)
    quote = np.argmin(_which(np, names, _IN_WORD), axis=1)
    values = _pieces(np, data, VALUE, near + quote)
    spaced = values[:, 2] == ord(" ")
    behind = ~_which(np, values, _IS_DIGIT)
    behind[:, :2] = False
    behind[:, 2] &= ~spaced
    end, number = np.argmax(behind, axis=1), 2 + spaced
    plain = (
        (quote > 0)
        & (values[:, 0] == ord('"'))
        & (values[:, 1] == ord(":"))
        & (end > number)
        & (end <= number + MOST_DIGITS)
        & ~_which(np, values, _GOES_ON)[np.arange(len(near)), end]
    )
    kept = ~inside
    kept[inside] = ~plain
    found: list[int] = places[kept].tolist()
    return found


def _pieces(np: Any, data: bytes, size: int, places: Any) -> Any:
    """Pieces of a text, a row each."""
    every = np.ndarray((len(data) - size + 1,), f"V{size}", data, 0, (1,))
    return every[places].view(np.uint8).reshape(-1, size)


def _which(np: Any, rows: Any, kind: bytes) -> Any:
    """Which bytes of some rows are of a kind."""
    return np.frombuffer(rows.tobytes().translate(kind), np.bool_).reshape(rows.shape)
