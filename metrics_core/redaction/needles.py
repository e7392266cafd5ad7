"""Many short texts looked for at once: a piece of a file is read once, whatever the number of rules.

Each needle is known by four bytes of its middle; these are looked up, for every place of a piece, in a table
that errs on one side only, and what is left is compared in full. Does: give the places. Does not: know what a
needle is for.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

GRAM = 4
SMALL = 1024
"""Bytes below which it is as quick to look without numpy."""

UNLOADED = 512 * 2**10
"""Bytes, of all texts together, that are looked at without numpy before it is loaded."""

STRIDE = 32 * 2**10
"""Places that are looked at together: what is made of them stays in the processor's cache."""

BITS = 18
SLOT_BITS = 21
"""Bits of a gram's own place: with so many a few tries find a factor under which no two share one."""

COMMON = (
    b"class master cluster sha256 count option script session agent content check_ task- risk- disk- access_ "
    b"shares services resident success .com https:// connect region section version position action station "
    b"string context "
    b"running testing setting latest tests passed author models messages message private public tokens"
)
"""Words of pages, logs and code, whose bytes tell no needle."""

FACTOR = 0x9E3779B1


@cache
def _rarest(needle: bytes) -> int:
    """Where in a needle four bytes begin that few texts hold, as near its middle as may be."""
    middle = (len(needle) - GRAM) // 2
    last = len(needle) - GRAM
    for far in range(last - middle + 1):
        for at in (middle - far, middle + far):
            if at >= 0 and needle[at : at + GRAM] not in COMMON:
                return at
    return middle


class Needles:
    """Needles, ready to be looked for without regard to case.

    Args:
        wanted: Needle in lower case -> the numbers of those who want it.

    Raises:
        ValueError: A needle is shorter than four bytes.

    >>> list(Needles({b"token": (7,)}).found_in(b"a ToKEN, tokens"))
    [((2,), (7,)), ((9,), (7,))]
    """

    def __init__(self, wanted: Mapping[bytes, tuple[int, ...]]) -> None:
        self._by_gram: dict[bytes, list[tuple[int, bytes, tuple[int, ...]]]] = {}
        for needle, who in wanted.items():
            if len(needle) < GRAM:
                raise ValueError(f"{needle!r} is shorter than {GRAM} bytes")
            at = _rarest(needle)
            self._by_gram.setdefault(needle[at : at + GRAM], []).append((at, needle, who))
        self._numbers = frozenset(int.from_bytes(gram, sys.byteorder) for gram in self._by_gram)
        self._known: _Grams | None = None
        self._looked_at = 0

    def found_in(self, data: bytes) -> Iterator[tuple[Sequence[int], tuple[int, ...]]]:
        """Where needles stand: places of the first byte of one of them, and who wants it; in no order."""
        low = data.lower()
        self._looked_at += len(low)
        if len(low) < SMALL or (self._known is None and self._looked_at < UNLOADED):
            yield from self._one_by_one(low)
            return
        import numpy as np

        if self._known is None:
            self._known = _Grams.of(self._by_gram, np)
        every = np.ndarray((len(low) - GRAM + 1,), "<u4", low, 0, (1,))
        for gram, places in self._known.places(every, np):
            for at, needle, who in self._by_gram[gram]:
                starts = _those_of(needle, low, every, places - at) if len(needle) > GRAM else places
                if len(starts):
                    yield starts.tolist(), who

    def _one_by_one(self, low: bytes) -> Iterator[tuple[Sequence[int], tuple[int, ...]]]:
        held: set[int] = set()
        for start in range(min(GRAM, len(low))):
            whole = (len(low) - start) // GRAM * GRAM
            held |= self._numbers.intersection(memoryview(low)[start : start + whole].cast("I"))
        for gram in (number.to_bytes(GRAM, sys.byteorder) for number in held):
            place = low.find(gram)
            while place >= 0:
                for at, needle, who in self._by_gram[gram]:
                    if place >= at and low.startswith(needle, place - at):
                        yield (place - at,), who
                place = low.find(gram, place + 1)


def _those_of(needle: bytes, low: bytes, every: Any, starts: Any) -> Any:
    """Those places in a text at which a needle stands, of the places of its gram."""
    starts = starts[(starts >= 0) & (starts <= len(low) - len(needle))]
    for at in (*range(0, len(needle) - GRAM, GRAM), len(needle) - GRAM):
        if not len(starts):
            break
        starts = starts[every[starts + at] == int.from_bytes(needle[at : at + GRAM], "little")]
    return starts


class _Grams(Struct, frozen=True):
    """Grams as numbers: a small table that errs on one side, and one that does not err.

    Attributes:
        table: Whether some gram has a hash of `BITS`.
        ordered: Every gram.
        slots: Of a hash of `SLOT_BITS` by ``factor``, the place in ``ordered`` of the one gram that has it.
        factor: Of ``slots``.
    """

    table: Any
    ordered: Any
    slots: Any
    factor: Any

    @classmethod
    def of(cls, grams: Iterable[bytes], np: Any) -> _Grams:
        ordered = np.array(sorted(int.from_bytes(gram, "little") for gram in grams), dtype="<u4")
        table = np.zeros(1 << BITS, dtype=bool)
        table[(ordered * np.uint32(FACTOR)) >> np.uint32(32 - BITS)] = True
        factors = (np.uint32(odd & 0xFFFFFFFF) for odd in itertools.count(FACTOR, 2))
        shift = np.uint32(32 - SLOT_BITS)
        apart = (one for one in factors if len({*((ordered * one) >> shift).tolist()}) == len(ordered))
        factor = next(apart)
        slots = np.zeros(1 << SLOT_BITS, dtype=np.uint16)
        slots[(ordered * factor) >> shift] = np.arange(len(ordered))
        return cls(table, ordered, slots, factor)

    def places(self, every: Any, np: Any) -> Iterator[tuple[bytes, Any]]:
        """Each gram that a text holds, with its places in order; ``every`` are the grams of the text."""
        factor, shift = np.uint32(FACTOR), np.uint32(32 - BITS)
        found = [np.empty(0, dtype=np.int64)]
        for start in range(0, len(every), STRIDE):
            some = every[start : start + STRIDE]
            found.append(np.flatnonzero(self.table.take((some * factor) >> shift, mode="clip")) + start)
        at = np.concatenate(found)
        grams = every[at]
        near = self.slots.take((grams * self.factor) >> np.uint32(32 - SLOT_BITS), mode="clip")
        right = self.ordered.take(near, mode="clip") == grams
        at, near = at[right], near[right]
        order = np.argsort(near, kind="stable")
        at, near = at[order], near[order]
        begins = (np.flatnonzero(near[1:] != near[:-1]) + 1).tolist()
        for begin, end in itertools.pairwise((0, *begins, len(at)) if len(at) else ()):
            yield int(self.ordered[near[begin]]).to_bytes(GRAM, "little"), at[begin:end]
