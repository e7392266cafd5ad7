"""Pictures beside prose: whether bytes are the picture that their name says, and what text stands in them.

Does: tell a kind by its first bytes, and give the text of a picture: what its camera or editor wrote, what is
packed in it, and what stands behind its end. Does not: decode a picture; words that are drawn in it stay.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import Final

from metrics_core.errors import ConfigError
from metrics_core.results import quoted

_BEGINS: Final = {
    ".png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    ".jpg": re.compile(rb"\xff\xd8\xff"),
    ".jpeg": re.compile(rb"\xff\xd8\xff"),
    ".gif": re.compile(rb"GIF8[79]a"),
    ".webp": re.compile(rb"RIFF(?s:.{4})WEBP"),
}

KINDS: Final = tuple(_BEGINS)
"""Pictures that can only be looked at: an SVG is a document, and runs what it holds when it is opened."""

_PACKED: Final = re.compile(rb"(?:zTXt|iTXt|iCCP)")
_RUN: Final = re.compile(rb"[\t\r\n\x20-\x7e]{6,}")
_WIDE_RUN: Final = re.compile(rb"(?:[\x20-\x7e]\0){6,}|(?:\0[\x20-\x7e]){6,}")

MOST_UNPACKED: Final = 2**20
"""Bytes of one packed text that are looked at."""

MOST_PACKED_TEXTS: Final = 64
"""Packed texts of one picture that are looked at; a picture with more is refused."""


def check(name: str, data: bytes, where: str) -> None:
    """Hold a picture against its name.

    Args:
        name: Its path; what it ends with says the kind.
        data: Its bytes.
        where: What shows it, for the error.

    Raises:
        ConfigError: The bytes are no picture of that kind, such as an SVG under the name of a PNG.
    """
    kind = next((end for end in KINDS if name.lower().endswith(end)), "")
    if not kind or not _BEGINS[kind].match(data):
        raise ConfigError(
            f"{quoted(name)} is no picture of the kind that its name says",
            where=where,
            hint=f"save it as one of {', '.join(KINDS)}",
        )
    if len(_PACKED.findall(data)) > MOST_PACKED_TEXTS:
        raise ConfigError(
            f"a picture with more than {MOST_PACKED_TEXTS} packed texts",
            where=where,
            hint="save it without what its editor wrote into it",
        )


def text_of(data: bytes) -> bytes:
    """What a picture holds in characters, a line each: as it stands, in UTF-16, and unpacked.

    Args:
        data: Bytes of a picture.

    >>> text_of(bytes(9) + b"Comment: by Ann" + bytes(9))
    b'Comment: by Ann'
    """
    return b"\n".join(_texts(data))


def _texts(data: bytes) -> Iterator[bytes]:
    yield from _RUN.findall(data)
    yield from (run.replace(b"\0", b"") for run in _WIDE_RUN.findall(data))
    for found in list(_PACKED.finditer(data))[:MOST_PACKED_TEXTS]:
        yield from _RUN.findall(_unpacked(data, found.end()))


def _unpacked(data: bytes, at: int) -> bytes:
    """The packed text of a chunk of PNG; nothing where it is not packed."""
    size = int.from_bytes(data[max(0, at - 8) : at - 4], "big")
    chunk = data[at : at + size]
    start = chunk.find(b"\x78")
    while 0 <= start < 400:  # behind a keyword of 79 bytes, a language and a translated keyword
        try:
            return zlib.decompressobj().decompress(chunk[start:], MOST_UNPACKED)
        except zlib.error:
            start = chunk.find(b"\x78", start + 1)
    return b""
