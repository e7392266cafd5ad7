"""Files of folders on a disk, found and opened, and never left.

Does: walk a tree, and open files read-only, refusing symbolic links at every step of the way, and whatever is
not a regular file; notice a file that changes while it is read. Does not: interpret a name or a byte.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from metrics_core.errors import InputError
from metrics_core.experiments.files.entries import MOST_FILES, FolderEntry, Oddity, printable

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


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
