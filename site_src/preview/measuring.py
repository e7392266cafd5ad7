"""Measures one experiment in a process of its own, so that pages are answered meanwhile.

Does: measure, and look at the folder again where it changed under the measuring. Does not: decide when.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.synchronize import Event
from typing import Final

import metrics_core as mc
from metrics_core.errors import InputError
from metrics_core.folder import Experiment
from metrics_core.memo import Memo
from metrics_core.pricing import PriceTable
from metrics_core.regular_files import walk
from metrics_core.report import Report

TRIES = 6
"""How often a folder that is being written to is looked at before the preview waits for its next change."""


MEMO: Final = Memo()
"""What a worker made of runs that have not changed: a worker is a process, and has no other place for it."""


class StillWrittenError(InputError):
    """A folder changed each time it was read."""


def measured(experiment: Experiment, tables: Sequence[PriceTable]) -> tuple[Experiment, Report]:
    """The report of an experiment, and the experiment as it was when it was measured, digests and all.

    Raises:
        StillWrittenError: It did not keep still.
        AssayError: As `metrics_core.load` and `metrics_core.compute` raise it.
    """
    for attempt in range(TRIES):
        try:
            experiment = experiment.seal()
            return experiment, mc.compute(experiment, tables, memo=MEMO)
        except InputError:
            if _as_it_was(experiment):
                raise
        time.sleep(0.02 * 2**attempt)
        experiment = mc.load(experiment.root, redactor=experiment.redactor)
    raise StillWrittenError("is being written to", where=experiment.slug, hint="the last good report stays")


def _as_it_was(experiment: Experiment) -> bool:
    try:
        return walk(experiment.root)[0] == tuple(experiment.entries.values())
    except InputError:
        return False


@contextmanager
def deaf() -> Iterator[None]:
    """Processes that begin meanwhile never hear of an interrupt, which a terminal sends to all of them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin(ended: Event) -> None:
    """Ready a worker: it leaves the interrupt to its parent, and ends with it, or when it is told to."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    waits: list[Callable[[], object]] = [ended.wait]
    if (parent := multiprocessing.parent_process()) is not None:
        waits.append(parent.join)
    for wait in waits:
        threading.Thread(target=_end_after, args=(wait,), daemon=True).start()


def _end_after(wait: Callable[[], object]) -> None:
    wait()
    os._exit(1)
