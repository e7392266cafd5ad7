"""Which engine counts: the one that was asked for, or the one that suits how much there is to read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from metrics_core.errors import ConfigError
from metrics_core.execution.engine import SERIAL, Engine

ENGINES = ("serial", "processes", "dask")

WORTH_IT = 32 * 2**20
"""Bytes of records from which on several processes are sooner done than one: each takes time to start."""

MOST_WORKERS = 8
"""Processes that are started where nobody said how many."""


class EngineChoice(Struct, frozen=True):
    """What was asked for.

    Attributes:
        name: One of `ENGINES`; empty for whichever suits the size.
        workers: How many processes; 0 for as many as there are processors, at most `MOST_WORKERS`.
        scheduler: Address of a Dask scheduler; empty for a cluster of this machine.

    Raises:
        ConfigError: These do not go together.
    """

    name: str = ""
    workers: int = 0
    scheduler: str = ""

    def __post_init__(self) -> None:
        if self.workers < 0:
            raise ConfigError(f"expected 1 or more, got {self.workers}", where="--workers")
        if self.scheduler and self.name != "dask":
            raise ConfigError("only --engine dask has a scheduler", where="--scheduler")
        if self.workers and (self.name == "serial" or self.scheduler):
            hint = "leave it out, or take --engine processes"
            raise ConfigError("this engine does not start any", where="--workers", hint=hint)

    @contextmanager
    def started(self, size: int) -> Iterator[Engine]:
        """The engine, ready; whatever was started for it is ended behind the block.

        Args:
            size: Bytes of records that are to be read.

        Raises:
            ConfigError: It is not installed.
            EngineError: Its scheduler does not answer.
        """
        workers = self.workers or min(processors(), MOST_WORKERS)
        if self.name == "dask":
            from metrics_core.execution.cluster import Dask

            with Dask(self.scheduler, workers) as cluster:
                yield cluster
        elif self.name == "processes" or (not self.name and self._worth_it(size, workers)):
            from metrics_core.execution.processes import Processes

            with Processes(workers) as processes:
                yield processes
        else:
            yield SERIAL

    def copies(self) -> int:
        """How many copies of this process may make pages at the same time; 1 where none is to be made."""
        if self.name in ("", "processes"):
            return self.workers or min(processors(), MOST_WORKERS)
        return 1

    def _worth_it(self, size: int, workers: int) -> bool:
        return bool(self.workers) or (workers > 1 and size >= WORTH_IT)


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
