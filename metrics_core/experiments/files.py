"""Finds and opens the regular files of a folder, or one file alone, and never leaves it.

Does: walk a tree, or see one file and nothing beside it, and open files read-only, refusing symbolic links at
every step of the way, and whatever is not a regular file; notice a file that changes while it is read. Does
not: interpret a name or a byte. Names are text in which bytes that are no UTF-8 stand as lone surrogates
(``os.fsdecode``).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from metrics_core.errors import InputError
from metrics_core.formats import decompression
from metrics_core.lazy_dataclass import dataclass
from metrics_core.text import visible

MOST_FILES = 5_000_000
"""Files that a folder may hold."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """One regular file as the walk saw it.

    Attributes:
        path: From the folder, with ``/``.
        size: Bytes.
        mtime_ns: When it was last written, in nanoseconds.
        ctime_ns: When anything of it last changed, in nanoseconds: no program sets that back.
        inode: Number by which its disk knows it.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

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


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something in the folder that is neither a folder nor a regular file, and is not read."""

    path: str
    kind: str


def printable(path: str) -> str:
    r"""A path that is safe to print: bytes that are no UTF-8, and what cannot be seen, are spelled out.

    >>> print(printable("logs/a\udcff\n.jsonl"))
    logs/a\xff\u000a.jsonl
    """
    return visible(os.fsencode(path).decode("utf-8", "backslashreplace"), escaped=True)


@dataclass(frozen=True, slots=True)
class Asked:
    """What an experiment was asked for by: a folder, or one file, which is then all that it holds.

    Attributes:
        path: As it was given, absolute.
        root: The folder that paths are from.
        name: Of the experiment: the folder's, or the file's without what says how it is written.
        entries, oddities: As `walk` gives them.
    """

    path: Path
    root: Path
    name: str
    entries: tuple[FolderEntry, ...]
    oddities: tuple[Oddity, ...] = ()

    @property
    def single(self) -> bool:
        """Whether it is one file, named alone."""
        return self.path != self.root

    def with_folders(self, number: int) -> Asked:
        """The same file, known by the names of some of the folders that it lies in as well."""
        (entry,) = self.entries
        above = self.root.parts[1:][-number:]
        root = Path(*self.root.parts[: len(self.root.parts) - len(above)])
        return replace(self, root=root, entries=(replace(entry, path="/".join((*above, entry.path))),))


def look_at(path: str | Path) -> Asked:
    """A folder with every file in it, or one file alone: nothing else of its folder is looked at.

    Raises:
        InputError: There is neither, or it cannot be listed.

    >>> look_at("no/such/folder")
    Traceback (most recent call last):
    metrics_core.errors.InputError: no/such/folder: there is no such file or folder
    """
    asked = Path(os.path.abspath(path))  # noqa: PTH100 (links stay, so that the name is the one given)
    if asked.is_dir():
        return Asked(asked, asked, asked.name, *walk(asked))
    if not asked.exists():
        raise InputError("there is no such file or folder", where=printable(str(path)))
    if not asked.is_file():
        hint = "give it as standard input: -"
        raise InputError("expected a folder or a regular file", where=printable(str(path)), hint=hint)
    file = Path(os.path.realpath(asked))  # the file that was named may be reached by a link
    entry = FolderEntry.of(file.name, file.stat())
    return Asked(asked, file.parent, decompression.stem(asked.name), (entry,))


def walk(root: Path) -> tuple[tuple[FolderEntry, ...], tuple[Oddity, ...]]:
    """Every regular file below a folder, and what else was found, both in byte order of their paths.

    Raises:
        InputError: A folder cannot be listed, or there are more files than anyone could publish.
    """
    entries: list[FolderEntry] = []
    oddities: list[Oddity] = []
    folders = [""]
    while folders:
        inner = folders.pop()
        try:
            with os.scandir(root / inner) as found:
                for item in found:
                    path = f"{inner}/{item.name}" if inner else item.name
                    if item.is_dir(follow_symlinks=False):
                        folders.append(path)
                    elif item.is_file(follow_symlinks=False):
                        entries.append(FolderEntry.of(path, item.stat(follow_symlinks=False)))
                    else:
                        oddities.append(Oddity(path, _kind(item)))
        except OSError as error:
            raise InputError(
                f"cannot be listed: {error.strerror}", where=printable(inner) or root.name
            ) from error
        if len(entries) > MOST_FILES:
            raise InputError(f"expected at most {MOST_FILES} files", where=root.name)
    return (
        tuple(sorted(entries, key=lambda entry: os.fsencode(entry.path))),
        tuple(sorted(oddities, key=lambda oddity: os.fsencode(oddity.path))),
    )


def _kind(item: os.DirEntry[str]) -> str:
    if item.is_symlink():
        return "a symbolic link"
    mode = item.stat(follow_symlinks=False).st_mode
    return "a named pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"


@contextmanager
def opened(root: Path, entry: FolderEntry) -> Iterator[BinaryIO]:
    """A file, open for reading and unbuffered by us; at the end it must still be the file that was found.

    Args:
        root: The folder. It may itself be reached by a link: it is what the user named.
        entry: As `walk` found it.

    Raises:
        InputError: It is gone, is a link or in a linked folder, is no regular file, cannot be read, or is
            not as it was when the folder was walked; also when it changed while it was read.
    """
    descriptor = _descend(root, entry)
    try:
        _same(descriptor, entry, "has changed since the folder was looked at")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            yield file
        _same(descriptor, entry, "changed while it was read")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=entry.where) from error
    finally:
        os.close(descriptor)


def _descend(root: Path, entry: FolderEntry) -> int:
    """Open step by step, each from the folder before, so that no link on the way is followed."""
    *parents, name = entry.path.split("/")
    here = -1
    try:
        here = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        for parent in parents:
            inner = os.open(parent, _FOLDER, dir_fd=here)
            os.close(here)
            here = inner
        return os.open(name, _FILE, dir_fd=here)
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}",
            where=entry.where,
            hint="only regular files inside the folder are read, and no symbolic links",
        ) from error
    finally:
        if here >= 0:
            os.close(here)


def _same(descriptor: int, entry: FolderEntry, problem: str) -> None:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise InputError("not a regular file", where=entry.where)
    if FolderEntry.of(entry.path, status) != entry:
        raise InputError(
            problem, where=entry.where, hint="wait until the harness has finished, then build again"
        )
