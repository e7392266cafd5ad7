"""Tasks in processes of this machine; one that is killed is replaced, and its task is done again.

Does: start workers when there is a task for them, hand out one task after another to whoever is free, so that
a slow worker holds up its own task alone, and end all of them with this process. Does not: share memory: what
a task needs and what comes of it is sent.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, Self, TypeVar

from metrics_core.errors import EngineError
from metrics_core.execution.engine import Done, done

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")

TRIES = 2
"""How often a task is begun whose worker is lost."""


class Processes:
    """Does tasks in so many processes at the same time, which live until it is closed.

    Each is a Python of its own (``spawn``), so that nothing of this process is in them but what is sent. A
    script that asks for them does so under ``if __name__ == "__main__":``, as each loads it again.

    Args:
        workers: Processes, at least 1.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._crew: list[_Worker] = []
        self._busy: set[_Worker] = set()

    @property
    def workers(self) -> int:
        """How many tasks are done at the same time."""
        return self._workers

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End every worker, whatever it does."""
        while self._crew:
            self._crew.pop().end()

    def map(
        self, function: Callable[[Shared, Task], Result], shared: Shared, tasks: Sequence[Task]
    ) -> Iterator[Result]:
        """The result of each task, in their order; see `metrics_core.execution.Engine`.

        Raises:
            EngineError: The process that did a task ended before it was done, and so did the next.
        """
        work = pickle.dumps((function, shared), pickle.HIGHEST_PROTOCOL)
        waiting = deque(range(len(tasks)))
        begun: Counter[int] = Counter()
        busy: dict[Connection, tuple[_Worker, int]] = {}
        found: dict[int, Done] = {}
        try:
            for at in range(len(tasks)):
                while at not in found:
                    while waiting and (worker := self._free()) is not None:
                        number = waiting.popleft()
                        begun[number] += 1
                        worker.send(work, tasks[number])
                        busy[worker.connection] = worker, number
                        self._busy.add(worker)
                    if not busy:
                        raise RuntimeError("another map of these processes is under way")
                    ready = wait(list(busy))
                    for connection in [each for each in busy if each in ready]:
                        worker, number = busy.pop(connection)
                        self._busy.discard(worker)
                        answer = worker.answer()
                        if answer is not None:
                            found[number] = answer
                            continue
                        self._crew.remove(worker)
                        code = worker.end(within=1)
                        if begun[number] < TRIES:
                            waiting.appendleft(number)
                        else:
                            found[number] = Done(None, _lost(str(tasks[number]), code))
                yield found.pop(at).get()
        finally:  # whoever asks no further leaves workers behind that are at work still
            for worker, _ in busy.values():
                self._busy.discard(worker)
                if worker in self._crew:
                    self._crew.remove(worker)
                    worker.end()

    def _free(self) -> _Worker | None:
        """A worker that has nothing to do; None where each has."""
        free = next((worker for worker in self._crew if worker not in self._busy), None)
        if free is None and len(self._crew) < self._workers:
            free = _Worker()
            self._crew.append(free)
        return free


def _lost(task: str, code: int | None) -> EngineError:
    """The error of a task over which two workers were lost."""
    killed = code is not None and code < 0
    how = f"was killed by signal {-(code or 0)}, as was" if killed else f"ended with {code}, as did"
    return EngineError(
        f"the process that read it {how} the one before it",
        where=task,
        hint="perhaps memory ran out: take fewer --workers, or --engine serial",
    )


class _Worker:
    """One process, and the pipe to it."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs,), daemon=True)
        with interrupts_blocked():
            self._process.start()
        theirs.close()
        self._work = b""

    def send(self, work: bytes, task: Any) -> None:
        """Hand it a task; the work that it belongs to is sent where it is another than before."""
        message = (None if work is self._work else work, pickle.dumps(task, pickle.HIGHEST_PROTOCOL))
        self._work = work
        with suppress(OSError):  # it is gone, which its answer will say
            self.connection.send(message)

    def answer(self) -> Done | None:
        """What became of its task; None where the process is gone."""
        try:
            answer = self.connection.recv_bytes()
        except (EOFError, OSError):
            return None
        found: Done = pickle.loads(answer)  # noqa: S301 (from a process that this one started)
        return found

    def end(self, within: float = 0) -> int | None:
        """End it; the code that it ended with.

        Args:
            within: Seconds in which it may end by itself.
        """
        self._process.join(within)
        self._process.kill()
        self._process.join()
        self.connection.close()
        return self._process.exitcode


def serve(connection: Connection) -> None:
    """Do tasks that come through a pipe until it is closed: all that a worker's process does."""
    ends_with_parent()
    work = b""
    with suppress(EOFError, OSError):
        while True:
            fresh, task = connection.recv()
            work = work if fresh is None else fresh
            connection.send_bytes(done(work, task))


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Processes that begin meanwhile never get an interrupt, which a terminal sends to all of them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ends_with_parent(*others: Callable[[], object]) -> None:
    """Have this process leave interrupts to its parent, and end with it, whatever it does then.

    Args:
        others: Functions that return when it is to end for another reason.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    waits = list(others)
    if (parent := multiprocessing.parent_process()) is not None:
        waits.append(parent.join)
    for each in waits:
        threading.Thread(target=_end_after, args=(each,), daemon=True).start()


def _end_after(wait_for: Callable[[], object]) -> None:
    wait_for()
    os._exit(1)
