"""Tasks on a Dask cluster: one of this machine, or one whose scheduler is named.

Does: send tasks, and nothing of their data: a worker reads the files under the same paths as this process,
and must run the same program. Dask itself gives the task of a lost worker to another. Does not: start workers
on other machines.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import platform
import socket
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit
from uuid import uuid4

from metrics_core.errors import ConfigError, EngineError
from metrics_core.execution.engine import Done, done

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")

PATIENCE = 10
"""Seconds in which a scheduler answers."""

SCHEMES, PORT = ("tcp", "tls", "ws", "wss"), 8786

SOON = 3
"""Seconds in which a place on the net takes a connection, or there is no scheduler."""

PACKAGES = ("numpy", "msgspec", "zstandard", "pyarrow")
"""Libraries that records are read and counted with."""


class Dask:
    """Does tasks on a Dask cluster, which is left, or ended where it was started here, when this is closed.

    Args:
        scheduler: Address of its scheduler, ``tcp://host:port``; empty to start a cluster on this machine.
        workers: Processes of a cluster that is started here.

    Raises:
        ConfigError: Dask is not installed.
        EngineError: The scheduler does not answer.
    """

    def __init__(self, scheduler: str, workers: int) -> None:
        try:
            import distributed
        except ImportError as error:
            raise ConfigError(
                "Dask is not installed", where="--engine dask", hint="pip install 'assay-report[dask]'"
            ) from error
        self._started: Any = None
        try:
            if not scheduler:
                self._started = distributed.LocalCluster(
                    n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )  # fmt: skip
            _answered(scheduler)
            at: Any = scheduler or self._started
            self._client: Any = distributed.Client(at, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            self._end()
            raise EngineError(
                f"no scheduler answers: {error}", where=scheduler or "--engine dask",
                hint="start one: dask scheduler, and dask worker ADDR beside it",
            ) from error  # fmt: skip
        self._where = scheduler or "the cluster of this machine"
        self._workers = workers if self._started is not None else max(1, len(self._client.nthreads()))

    @property
    def workers(self) -> int:
        """How many workers the cluster had when it was asked."""
        return self._workers

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(Exception):  # what is gone cannot be left in good order
            self._client.close(timeout=PATIENCE)
        self._end()

    def _end(self) -> None:
        if self._started is not None:
            with suppress(Exception):
                self._started.close(timeout=PATIENCE)

    def map(
        self, function: Callable[[Shared, Task], Result], shared: Shared, tasks: Sequence[Task]
    ) -> Iterator[Result]:
        """The result of each task, in their order; see `metrics_core.execution.Engine`.

        Raises:
            EngineError: Workers were lost over one task more often than the cluster allows, the scheduler is
                gone, or a worker runs another program.
        """
        from distributed import KilledWorker

        work = pickle.dumps((function, shared), pickle.HIGHEST_PROTOCOL)
        run, named = partial(done_alike, this_program(), work), uuid4().hex
        pickled = [pickle.dumps(task, pickle.HIGHEST_PROTOCOL) for task in tasks]
        keys = [f"assay-{named}-{at}" for at in range(len(tasks))]
        futures = self._client.map(run, pickled, key=keys, pure=False)
        try:
            for task, future in zip(tasks, futures, strict=True):
                try:
                    answer = future.result()
                except KilledWorker as error:
                    raise EngineError(
                        f"{error.allowed_failures + 1} workers ended before it was read", where=str(task),
                        hint="perhaps memory ran out: give each worker more",
                    ) from error  # fmt: skip
                except (CancelledError, OSError, TimeoutError) as error:
                    raise EngineError(
                        "the scheduler is gone, and what was not counted yet with it", where=self._where,
                        hint="start it again, or count here: --engine processes",
                    ) from error  # fmt: skip
                found: Done = pickle.loads(answer)  # noqa: S301 (from a cluster that was named for this)
                yield found.get()
        finally:
            with suppress(Exception):
                self._client.cancel(futures)


def done_alike(program: str, work: bytes, task: bytes) -> bytes:
    """Do a task where the program is the same; a worker of a cluster may have been started with another.

    Args:
        program: `this_program` of whoever asks.
        work: As `metrics_core.execution.engine.done` takes it.
        task: The same.
    """
    if program == this_program():
        return done(work, task)
    error = EngineError(
        "runs another version of Assay, of Python or of a library",
        where=f"worker on {platform.node()}",
        hint="install the same on every worker, and start them again",
    )
    return pickle.dumps(Done(None, error))


@cache
def this_program() -> str:
    """A digest of the package's sources, and of what they run in."""
    package = Path(__file__).parents[1]
    whole = hashlib.sha256()
    for path in sorted(package.rglob("*.py"), key=os.fspath):
        whole.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    for name in PACKAGES:
        with suppress(PackageNotFoundError):
            whole.update(f"{name} {version(name)}\n".encode())
    return f"{platform.python_version()} {whole.hexdigest()}"


def _answered(scheduler: str) -> None:
    """Have a scheduler say something before Dask is asked, which tries for long, and writes what it meets.

    Raises:
        OSError: Nothing listens there, or what listens says nothing.
        ValueError: It is no address.
    """
    if not scheduler:
        return
    at = urlsplit(scheduler if "://" in scheduler else f"tcp://{scheduler}")
    if at.scheme not in SCHEMES or not at.hostname:
        raise ValueError(f"expected an address such as tcp://host:8786, got {scheduler!r}")
    with socket.create_connection((at.hostname, at.port or PORT), timeout=SOON) as there:
        if at.scheme == "tcp" and not there.recv(
            1
        ):  # both ends of a connection begin by saying what they are
            raise ConnectionError("what listens there is no scheduler")
