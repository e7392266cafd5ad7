"""A Dask cluster of this machine that loses a worker which had tasks."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

MOST_SECONDS = 120
"""For a task to be given to the worker that is to be lost."""


class LosingCluster(Struct):
    """A cluster, and how many tasks its lost worker had when it was killed.

    Attributes:
        address: Of its scheduler.
        lost: Tasks; 0 until the worker is killed.
    """

    address: str
    lost: int = 0


@contextmanager
def losing_cluster(workers: int = 2) -> Iterator[LosingCluster]:
    """A cluster of processes, one of which stops at once and is killed when it was given tasks."""
    from distributed import LocalCluster

    started: Any = LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None,
        silence_logs=logging.CRITICAL,
    )  # fmt: skip
    found, over = LosingCluster(started.scheduler_address), threading.Event()
    nanny = started.workers[0]
    stopped, address = nanny.process.pid, nanny.worker_address
    os.kill(stopped, signal.SIGSTOP)

    def kill() -> None:
        until = time.monotonic() + MOST_SECONDS
        while not over.wait(0.02) and time.monotonic() < until:
            worker = started.scheduler.workers.get(address)
            if worker is not None and worker.processing:
                found.lost = len(worker.processing)
                break
        os.kill(stopped, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield found
    finally:
        over.set()
        killer.join()
        started.close()
