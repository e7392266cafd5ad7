"""Tasks that another process can be given: some end it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from metrics_core.errors import InputError
from metrics_core.execution.processes import Processes


def squared(more: int, task: tuple[float, int]) -> int:
    """A square, and more, after some seconds."""
    seconds, number = task
    time.sleep(seconds)
    return number**2 + more


def failed(bad: int, task: int) -> int:
    """The task; an error for one of them."""
    if task == bad:
        raise InputError(f"no line {task}", where="logs/a.jsonl", hint="ask again")
    return task


def left_behind(shared: None, task: int) -> int:
    """An error of a class that another process does not have."""

    class LocalError(Exception):
        pass

    raise LocalError("only here")


def noted(folder: Path, task: int) -> int:
    """How often the task was begun, this time included: a letter in a file of its own for each."""
    with (folder / str(task)).open("a") as file:
        file.write("x")
    return len((folder / str(task)).read_text())


def killed_once(shared: tuple[Path, int], task: int) -> int:
    """The task; the first process that does the bad one is killed over it."""
    folder, bad = shared
    if noted(folder, task) == 1 and task == bad:
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def ended(shared: None, task: str) -> None:
    """Whoever does it is killed."""
    os.kill(os.getpid(), signal.SIGKILL)


def process(shared: None, task: int) -> int:
    """The number of the process that does it."""
    return os.getpid()


class MortalProcesses(Processes):
    """Processes of which one is killed over the second task of their second map."""

    def __init__(self, workers: int, folder: Path) -> None:
        super().__init__(workers)
        self._folder, self._maps = folder, 0

    def map(self, function: Callable[[Any, Any], Any], shared: Any, tasks: Sequence[Any]) -> Iterator[Any]:
        """The same results."""
        self._maps += 1
        if self._maps != 2:
            return super().map(function, shared, tasks)
        return super().map(mortal, (self._folder, function, shared), list(enumerate(tasks)))


def mortal(shared: tuple[Path, Callable[[Any, Any], Any], Any], task: tuple[int, Any]) -> Any:
    """What a function gives; the first process that does the second task is killed over it."""
    folder, function, inner = shared
    number, asked = task
    killed_once((folder, 1), number)
    return function(inner, asked)
