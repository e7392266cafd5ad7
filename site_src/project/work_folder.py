"""A folder of this program's own beside a place where something is made, held by one process at a time.

Does: make it, mark it, lock it, and take it away again; what a process left that was killed is there for the
next to put in order. Does not: touch a folder of that name without the mark, which is somebody else's.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from metrics_core.errors import PublishError
from metrics_core.text import visible

MARK = "assay-work-folder"
"""The file that tells a folder of ours from all others; whoever holds its lock holds the folder."""

TEXT = b"Made by assay, and removed by it: nothing of yours lies here.\n"


class WorkFolder(Struct):
    """A folder of ours.

    Attributes:
        path: Where it lies.
        needed: Something in it is needed after this process: it is left for the next, which puts it in order.
    """

    path: Path
    needed: bool = False

    def clear(self) -> None:
        """Remove what lies in it, but for its mark.

        Raises:
            OSError: The disk refuses.
        """
        for inner in list(self.path.iterdir()):
            if inner.name != MARK:
                shutil.rmtree(inner)


def beside(place: Path) -> Path:
    """Where the folder of a place lies.

    >>> beside(Path("public/site")).as_posix()
    'public/.site.assay'
    """
    return place.with_name(f".{place.name}.assay")


@contextlib.contextmanager
def held(place: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[WorkFolder]:
    """Hold the folder of a place; the kernel lets go of it whatever becomes of this process.

    Args:
        place: What is made; the folder above it is there.
        waiting: Called once if another process holds it and this one waits.

    Raises:
        PublishError: A folder of its name is there that is not ours.
        OSError: The disk refuses.
    """
    work = WorkFolder(beside(place))
    handle = _taken(work.path, waiting)
    try:
        yield work
    finally:
        with contextlib.suppress(OSError):  # what is left is marked: the next one clears it away
            if not work.needed:
                work.clear()
                (work.path / MARK).unlink()
                work.path.rmdir()
        os.close(handle)


def _taken(folder: Path, waiting: Callable[[], None]) -> int:
    """The lock of a folder's mark, open and held.

    Whoever had it takes the mark away while it is still held, so that whoever waited for it sees that it is
    no longer the one at its place, and begins again.
    """
    announced = False
    while True:
        with contextlib.suppress(FileExistsError):
            folder.mkdir()
        _refuse_others(folder)
        mark = folder / MARK
        try:
            handle = os.open(mark, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        except FileNotFoundError:  # whoever held it has just removed the folder
            continue
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if not announced:
                    waiting()
                    announced = True
                fcntl.flock(handle, fcntl.LOCK_EX)
            if _stands_at(mark, handle):
                _sign(folder, handle)
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _refuse_others(folder: Path) -> None:
    """Refuse what is not ours; one that is empty or gone is one that another process is about to remove."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise _in_the_way(folder)
    with contextlib.suppress(FileNotFoundError):
        for _ in range(2):  # another process may have made or removed it while it was looked at
            names = [inner.name for inner in folder.iterdir()]
            if not names or MARK in names or (folder / MARK).exists():
                return
        raise _in_the_way(folder)


def _sign(folder: Path, handle: int) -> None:
    """Write the mark's text, or check it."""
    found = os.pread(handle, len(TEXT) + 1, 0)
    if not TEXT.startswith(found):
        raise _in_the_way(folder)
    if found != TEXT:
        os.pwrite(handle, TEXT, 0)


def _in_the_way(folder: Path) -> PublishError:
    return PublishError(
        "is in the way: a folder of this name is needed here, and this one was not made by this program",
        where=visible(folder.name, escaped=True),
        hint="move it elsewhere: nothing in it was touched",
    )


def _stands_at(path: Path, handle: int) -> bool:
    """Whether an open file is the one at its place: whoever held it before may have taken it away."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
