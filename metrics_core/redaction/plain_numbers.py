"""Keys of JSON that stand before a plain number, such as a count of tokens: found many at once.

A log of an agent names tokens several times a line, and a number of at most twelve digits is no secret under
any key. Does: leave such places out, and only those that the guard of such keys,
`metrics_core.redaction.rule.KEYED_GUARD`, turns down as well. Does not: judge any other place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

REACH = 40
"""Bytes from the beginning of a needle in which its key, the number and what ends it must stand."""

MOST_DIGITS = 12
"""Digits of a number that is no secret."""


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

    letters, digits, sign = _kinds(np)
    places = np.array(starts, dtype=np.int64)
    inside = places + REACH <= len(data)
    if not inside.any():
        return list(starts)
    held = np.frombuffer(data, dtype=np.uint8)
    near = np.lib.stride_tricks.sliding_window_view(held, REACH)[places[inside]]
    row, column = np.arange(len(near)), np.arange(REACH)
    quote = np.argmin(letters[near], axis=1)
    number = np.minimum(quote + 2, REACH - 1)
    number = np.minimum(number + (near[row, number] == ord(" ")), REACH - 1)
    end = np.argmin(digits[near] | (column < number[:, None]), axis=1)
    plain = (
        (quote > 0)
        & (near[row, quote] == ord('"'))
        & (near[row, np.minimum(quote + 1, REACH - 1)] == ord(":"))
        & (end > number)
        & (end <= number + MOST_DIGITS)
        & ~sign[near[row, end]]
    )
    kept = ~inside
    kept[inside] = ~plain
    found: list[int] = places[kept].tolist()
    return found


def _kinds(np: Any) -> tuple[Any, Any, Any]:
    """Which bytes are part of a word, which are digits, and which go on with a number or a word."""
    letters, digits, sign = (np.zeros(256, dtype=bool) for _ in range(3))
    word = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
    letters[list(word)] = True
    digits[list(b"0123456789")] = True
    sign[list(word + b".")] = True
    return letters, digits, sign
