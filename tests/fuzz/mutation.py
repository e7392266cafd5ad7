"""Bytes altered at random: bits, pieces, numbers, signs that mean something, and parts of other inputs."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

TELLING = (
    *(b"{", b"}", b"[", b"]", b'"', b"'", b":", b",", b"\\", b"/", b"#", b"&", b"*", b"!", b"%", b"`", b"|"),
    *(b"```{", b"{est}`", b"<!--", b"<script>", b"](", b"\n---\n", b"\n\n", b"\r", b"\n", b"\t", b"\0", b" "),
    *(b"null", b"true", b"NaN", b"Infinity", b"-0", b"1e400", b"1e-400", b"9" * 40, b"-1", b"0.1", b"no"),
    *(
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\xe2\x80\xae",
        b"\xe2\x80\x8b",
        b"\xef\xbb\xbf",
        b"\x1b[31m",
        b"\x85",
    ),
    *(
        b"\\u0000",
        b"\\ud800",
        b"\\u202e",
        b"[" * 200,
        b"{" * 200,
        b"a" * 3000,
        b"../",
        b"/etc/passwd",
        b"<<: *a",
    ),
)


def _flip(rng: random.Random, data: bytearray, _: bytes) -> None:
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _drop(rng: random.Random, data: bytearray, _: bytes) -> None:
    at = rng.randrange(len(data) + 1)
    del data[at : at + rng.choice((1, 1, 2, 8, 64, len(data)))]


def _double(rng: random.Random, data: bytearray, _: bytes) -> None:
    at = rng.randrange(len(data) + 1)
    data[at:at] = data[at : at + rng.choice((1, 4, 16, 64))] * rng.choice((1, 2, 30))


def _put(rng: random.Random, data: bytearray, _: bytes) -> None:
    at = rng.randrange(len(data) + 1)
    data[at : at + rng.choice((0, 0, 1, 5))] = rng.choice(TELLING)


def _swap(rng: random.Random, data: bytearray, _: bytes) -> None:
    a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    data[a:b] = data[a:b][::-1] if rng.random() < 0.2 else data[(a + b) // 2 : b] + data[a : (a + b) // 2]


def _splice(rng: random.Random, data: bytearray, other: bytes) -> None:
    a, b = sorted(rng.randrange(len(other) + 1) for _ in range(2))
    at = rng.randrange(len(data) + 1)
    data[at : at + rng.choice((0, b - a))] = other[a:b]


WAYS: Sequence[Callable[[random.Random, bytearray, bytes], None]] = (
    _flip,
    _drop,
    _double,
    _put,
    _swap,
    _splice,
)
LARGEST = 96 * 2**10
"""Bytes of an altered input: more finds no more, and takes longer."""


def altered(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    """One of some inputs, altered in one to six ways.

    Args:
        rng: Decides; the same one gives the same bytes.
        seeds: Inputs that are right, or that found something.
    """
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        rng.choice(WAYS)(rng, data, rng.choice(seeds))
    return bytes(data[:LARGEST])
