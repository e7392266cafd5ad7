"""What is known of a file before it is opened: its path, its size, and by what it is known to be the same.

Names are text in which bytes that are no UTF-8 stand as lone surrogates (``os.fsdecode``).
"""

from __future__ import annotations

import os

from msgspec import Struct

from metrics_core.text import visible

MOST_FILES = 5_000_000
"""Files that a folder may hold."""


class FolderEntry(Struct, frozen=True):
    """One regular file as the walk saw it.

    Attributes:
        path: From the folder, with ``/``.
        size: Bytes.
        mtime_ns: When it was last written, in nanoseconds.
        ctime_ns: When anything of it last changed, in nanoseconds: no program sets that back.
        inode: Number by which its disk knows it.
        tag: By which a store knows its content; empty on a disk.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    tag: str = ""

    @classmethod
    def of(cls, path: str, status: os.stat_result) -> FolderEntry:
        """The entry of a file, by what its disk says of it."""
        return cls(path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)

    @property
    def where(self) -> str:
        """Its path, safe to print."""
        return printable(self.path)

    def __str__(self) -> str:
        return self.where


class Oddity(Struct, frozen=True):
    """Something in the folder that is neither a folder nor a regular file, and is not read."""

    path: str
    kind: str


def printable(path: str) -> str:
    r"""A path that is safe to print: bytes that are no UTF-8, and what cannot be seen, are spelled out.

    >>> print(printable("logs/a\udcff\n.jsonl"))
    logs/a\xff\u000a.jsonl
    """
    return visible(os.fsencode(path).decode("utf-8", "backslashreplace"), escaped=True)
