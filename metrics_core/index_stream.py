"""The stream of indices that ``random.Random(seed).randrange(n)`` gives, in blocks and resumable.

`randrange` takes the top ``n.bit_length()`` bits of each Mersenne Twister word and draws again while they
are n or more; numpy gives the same words many at a time. What is drawn with them is in
`metrics_core.bootstrap`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Indices: TypeAlias = NDArray[np.intp]
Words: TypeAlias = NDArray[np.uint32]

_WORDS = 1 << 18
"""Most words fetched at once."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the stream: the twister's state, and the words accepted beyond the last block."""

    twister: dict[str, Any]
    ahead: Words


class IndexStream:
    """The indices for resamples of n runs, block after block.

    Args:
        seed: Of `random.Random`.
        n: Runs, 1 to 2^32 - 1.

    Source: CPython, ``Random._randbelow_with_getrandbits``.

    >>> rng = random.Random(7)
    >>> IndexStream(7, 10).draw(2).tolist() == [[rng.randrange(10) for _ in range(10)] for _ in range(2)]
    True
    """

    def __init__(self, seed: int, n: int) -> None:
        self._n, self._bits = n, n.bit_length()
        state = random.Random(seed).getstate()[1]
        # RandomState, because its stream is frozen for good: a full-range uint32 is one word of the twister.
        self._twister = np.random.RandomState()
        self._twister.set_state(("MT19937", np.array(state[:-1], dtype=np.uint32), state[-1], 0, 0.0))
        self._ahead: Words = np.empty(0, dtype=np.uint32)

    def draw(self, rows: int) -> Indices:
        """The next resamples: indices of shape (rows, n), each 0 to n - 1, in the order drawn."""
        shift, limit = np.uint32(32 - self._bits), np.uint32(self._n << (32 - self._bits))
        size = rows * self._n
        parts, missing = [self._ahead], size - self._ahead.size
        while missing > 0:
            wanted = min(_WORDS, (missing << self._bits) // self._n + 64)
            words = self._twister.randint(0, 2**32, size=wanted, dtype=np.uint32)
            kept = words.compress(words < limit)
            parts.append(kept)
            missing -= kept.size
        accepted = np.concatenate(parts)
        self._ahead = accepted[size:].copy()
        return (accepted[:size] >> shift).astype(np.intp).reshape(rows, self._n)

    def place(self) -> Place:
        """Where the stream is, to go back to."""
        return Place(self._twister.get_state(legacy=False), self._ahead)

    def go_back(self, place: Place) -> None:
        """Draw on from a place, as if nothing had been drawn since."""
        self._twister.set_state(place.twister)
        self._ahead = place.ahead
