"""What an engine is: a ``map`` over tasks, whose results come in the order of the tasks.

Does: say what every engine promises, be the one that works in this process, and say how a task is done in
another one: whole, or with the error that it ended in. Does not: start a process.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec import Struct

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")


class Engine(Protocol):
    """Does tasks, some of them at the same time where it has workers."""

    @property
    def workers(self) -> int:
        """How many tasks it does at the same time; 1 where it does one after the other."""
        ...

    def map(
        self, function: Callable[[Shared, Task], Result], shared: Shared, tasks: Sequence[Task]
    ) -> Iterator[Result]:
        """The result of each task, in their order, whichever ended first.

        An error of a task is raised in its turn, after the results of all tasks before it.

        Args:
            function: A function of a module, which depends on its arguments alone: a task whose worker is
                lost is done again.
            shared: What all tasks have in common: it is sent to each worker once.
            tasks: Few and large; ``str`` of one says in an error what it was about.

        Raises:
            EngineError: A worker was lost again and again over the same task, or all of them were.
        """
        ...


class Serial(Struct, frozen=True):
    """One task after the other, in this process, each when its result is asked for."""

    @property
    def workers(self) -> int:
        """One."""
        return 1

    def map(
        self, function: Callable[[Shared, Task], Result], shared: Shared, tasks: Sequence[Task]
    ) -> Iterator[Result]:
        """The result of each task, in their order."""
        return (function(shared, task) for task in tasks)


SERIAL = Serial()


class Done(NamedTuple):
    """What became of a task in another process.

    Attributes:
        result: What the function gave; None where it raised.
        error: What it raised; None where it gave a result.
    """

    result: Any
    error: BaseException | None = None

    def get(self) -> Any:
        """The result.

        Raises:
            BaseException: What the task raised.
        """
        if self.error is not None:
            raise self.error
        return self.result


def done(work: bytes, task: bytes) -> bytes:
    """Do one task of pickled work; whatever comes of it can be sent back.

    Args:
        work: (function, shared), pickled.
        task: The task, pickled.
    """
    try:
        function, shared = pickle.loads(work)  # noqa: S301 (from the process that started this one)
        found = Done(function(shared, pickle.loads(task)))  # noqa: S301
        return pickle.dumps(found, pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # noqa: BLE001 (raised where its result is asked for)
        return pickle.dumps(Done(None, _sendable(error)), pickle.HIGHEST_PROTOCOL)


def _sendable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 (made in the line before)
    except Exception:  # noqa: BLE001 (an error that cannot be sent is told in words)
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
