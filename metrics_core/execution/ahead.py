"""Streams of items that copies of this process make ahead of it, while it takes them in order.

A copy (``fork``) begins with all that this process holds: nothing is sent to it, and what it makes is sent
back item by item, so that memory stays bounded. Does: make here what a copy did not, since it was lost or met
an error. Does not: know what an item is. Where a process cannot be copied safely, all is made here.
"""

from __future__ import annotations

import gc
import multiprocessing
import pickle
import queue
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Generic, NamedTuple, Self, TypeVar

from metrics_core.execution.processes import ends_with_parent, interrupts_blocked

Item = TypeVar("Item")

WAITING = 128
"""Items that a copy holds at most until they are asked for."""

UNSAFE = ("vl_convert", "distributed")
"""Modules whose threads a copy would lack: once they are loaded, nothing is copied."""


class Ahead(Generic[Item]):
    """Makes the items of numbered tasks, which copies of this process share among them.

    Args:
        make: The items of a task, the same whenever it is called.
        tasks: How many there are; they are asked for in their order.
        workers: Copies; below 2 none is made.

    >>> with Ahead(lambda at: iter("ab"[: at + 1]), 2, workers=1) as ahead:
    ...     [list(ahead.items(at)) for at in range(2)]
    [['a'], ['a', 'b']]
    """

    def __init__(self, make: Callable[[int], Iterator[Item]], tasks: int, workers: int) -> None:
        self._make, self._tasks, self._workers = make, tasks, workers
        self._copies: list[_Copy] = []

    def __enter__(self) -> Self:
        if self._workers > 1 and self._tasks > 1 and can_copy():
            copies = min(self._workers, self._tasks)
            self._copies += [_Copy(self._make, range(at, self._tasks, copies)) for at in range(copies)]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self._copies:
            self._copies.pop().end()

    def items(self, at: int) -> Iterator[Item]:
        """The items of a task, in their order.

        Args:
            at: Its number; a lower one than was asked for before is made here.

        Raises:
            Exception: What making it raises, as if it had been made here from the beginning.
        """
        given = 0
        if self._copies:
            for item in self._copies[at % len(self._copies)].items(at):
                yield item
                given += 1
            if self._copies[at % len(self._copies)].made(at):
                return
        yield from islice(self._make(at), given, None)


def can_copy() -> bool:
    """Whether this process can be copied: on Linux, as long as nothing runs in it that a copy would lack."""
    return sys.platform == "linux" and not any(name in sys.modules for name in UNSAFE)


class _Message(NamedTuple):
    """What a copy sends: an item of a task, or that there are no more."""

    task: int
    item: bytes | None
    whole: bool


class _Copy:
    """One copy, what it sends, and how far that was read."""

    def __init__(self, make: Callable[[int], Iterator[Item]], tasks: range) -> None:
        context = multiprocessing.get_context("fork")
        self._connection, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_serve, args=(make, tasks, theirs, self._connection), daemon=True)
        with interrupts_blocked(), warnings.catch_warnings():
            # of threads: the one that may run here writes to a terminal, and a copy does not wait for it
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
        theirs.close()
        self._process = process
        self._next: _Message | None = None
        self._made = -1

    def made(self, task: int) -> bool:
        """Whether all items of a task were given."""
        return self._made == task

    def items(self, task: int) -> Iterator[Any]:
        """The items of a task that it made; those of tasks before it are passed over."""
        while (message := self._message()) is not None and message.task <= task:
            self._next = None
            if message.task < task:
                continue
            if message.item is None:
                self._made = task if message.whole else -1
                return
            yield pickle.loads(message.item)  # noqa: S301 - of a copy of this process

    def end(self) -> None:
        """End it, whatever it does."""
        self._process.kill()
        self._process.join()
        self._connection.close()

    def _message(self) -> _Message | None:
        if self._next is None:
            with suppress(EOFError, OSError):  # it is lost
                self._next = self._connection.recv()
        return self._next


def _serve(
    make: Callable[[int], Iterator[Item]], tasks: range, connection: Connection, theirs: Connection
) -> None:
    """Make the items of some tasks, and send them, never too far ahead."""
    gc.freeze()  # what it began with stays, and stays shared
    theirs.close()
    ends_with_parent()
    waiting: queue.Queue[_Message | None] = queue.Queue(WAITING)

    def send() -> None:
        while (message := waiting.get()) is not None:
            connection.send(message)

    sender = threading.Thread(target=send)
    sender.start()
    for task in tasks:
        whole = False
        with suppress(Exception):  # it is raised where it is made again
            for item in make(task):
                waiting.put(_Message(task, pickle.dumps(item, pickle.HIGHEST_PROTOCOL), whole=False))
            whole = True
        waiting.put(_Message(task, None, whole))
    waiting.put(None)
    sender.join()
