"""A disk that fails at its k-th call, or a program that is killed there: in this thread, unprivileged.

The few functions of `os` that writers use are counted while a `Faults` is entered. At the k-th call one
fails once, or it and all after it do, as on a disk that is gone; or the program is dead: whatever it calls
from then on raises `Killed`, so that nothing of its own puts anything in order, as after ``kill -9``.
"""

from __future__ import annotations

import errno
import fcntl
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Literal, Self

CALLS = ("open", "write", "fsync", "rename", "replace", "link", "mkdir", "unlink", "rmdir", "chmod", "fchmod",
         "listdir", "scandir", "stat", "lstat")  # fmt: skip
CODES = (errno.ENOSPC, errno.EIO, errno.EROFS, errno.EACCES)

How = Literal["once", "gone", "killed"]


class Killed(BaseException):
    """The program is dead."""


class Faults:
    """Counts calls, and has the k-th fail.

    Args:
        at: Which call, from 1.
        how: ``once``; ``gone``, it and all after it; ``killed``.
        calls: Names of functions of `os` that are counted.
        also: Further functions that are counted: the object that holds each, and its name.
    """

    def __init__(
        self, at: int, how: How, calls: tuple[str, ...] = CALLS, also: tuple[tuple[Any, str], ...] = ()
    ) -> None:
        self.at, self.how = at, how
        self.count = 0
        self.places = [*((os, name) for name in calls), (fcntl, "flock"), *also]
        self.real: list[Callable[..., Any]] = []
        self.open: dict[int, tuple[int, int]] = {}
        self.close = os.close
        self.thread = threading.get_ident()

    @property
    def reached(self) -> bool:
        """Whether it came to the call that fails."""
        return self.count >= self.at

    def __enter__(self) -> Self:
        self.real = [getattr(owner, name) for owner, name in self.places]
        for (owner, name), real in zip(self.places, self.real, strict=True):
            setattr(owner, name, self._counted(name, real))
        os.close = self._closed
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for (owner, name), real in zip(self.places, self.real, strict=True):
            setattr(owner, name, real)
        os.close = self.close
        for handle, file in self.open.items() if self.how == "killed" else ():
            with suppress(
                OSError
            ):  # one that was closed by another way: its number may be another file's by now
                if _identity(handle) == file:
                    self.close(handle)  # as the kernel does, with every lock on it

    def _counted(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def one(*args: Any, **more: Any) -> Any:
            if threading.get_ident() != self.thread:
                return real(*args, **more)
            self.count += 1
            if self.how == "killed" and self.count >= self.at:
                raise Killed
            if self.count == self.at or (self.how == "gone" and self.count > self.at):
                code = CODES[self.at % len(CODES)]
                raise OSError(code, os.strerror(code))
            found = real(*args, **more)
            if name == "open":
                self.open[found] = _identity(found)
            return found

        return one

    def _closed(self, handle: int) -> None:
        if self.how == "killed" and self.reached and threading.get_ident() == self.thread:
            raise Killed
        self.open.pop(handle, None)
        self.close(handle)


def _identity(handle: int) -> tuple[int, int]:
    status = os.fstat(handle)
    return status.st_dev, status.st_ino
