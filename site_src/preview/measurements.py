"""Reports of previewed experiments: measured in worker processes, again only where a folder changed.

Does: keep each experiment with its last good report until the new one is there, send what changed to
workers, so that pages are answered meanwhile, and read a folder again that changed under the measuring.
Does not: watch, or know pages.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field

import metrics_core as mc
from metrics_core.errors import AssayError, FixtureError, InputError
from metrics_core.execution import ends_with_parent, interrupts_blocked
from metrics_core.experiments import Experiment, Place
from metrics_core.memo import Memo
from metrics_core.pricing import PriceTable
from metrics_core.redaction import Redactor
from metrics_core.results import Report
from site_src.publishing import Progress

WORKERS = 2
"""Experiments that are measured at the same time."""

TRIES = 6
"""How often a folder that is being written to is looked at before the preview waits for its next change."""

MEMO: Final = Memo()
"""What a worker made of runs that have not changed: a worker is a process, and has no other place for it."""

Measured = tuple[Experiment, Report]
Prices = tuple[PriceTable, ...]


class StillWrittenError(InputError):
    """A folder changed each time it was read."""


class _FolderState(Struct):
    """What is known of one folder.

    Attributes:
        place: As it was asked for.
        real: The folder that is watched; None for an address, which is read once.
        experiment, report, prices: The last good ones, which belong together once there is a report.
        error: Why the last attempt failed.
        job, by: The measuring under way, and by which prices.
        stale: The folder changed since the job began.
        unreadable: The error is one of reading, not of measuring.
    """

    place: Place
    real: Path | None
    experiment: Experiment | None = None
    report: Report | None = None
    prices: Prices = ()
    error: BaseException | None = None
    job: Future[Measured] | None = None
    by: Prices = ()
    stale: bool = True
    unreadable: bool = False

    @property
    def gone(self) -> bool:
        """Whether a folder that was there no longer is."""
        return self.real is not None and not self.real.exists()

    def is_by(self, prices: Prices) -> bool:
        """Whether there is a report by these prices."""
        return self.report is not None and self.prices == prices


class MeasurementPool(Struct):
    """Measures experiments, and remembers.

    Used by one thread; only the workers run beside it.

    Args:
        redactor: Takes secrets out of whatever is read.
        notify: Called on another thread whenever a measuring has ended.
        progress: Called with how far a measuring has come that is waited for.
        settings: What is added to the settings of each experiment, as `experiment.yaml` would state it.
    """

    redactor: Redactor
    notify: Callable[[], None]
    progress: Progress = lambda what, done, total: None
    settings: Mapping[str, Any] = field(default_factory=dict)
    measured: list[str] = field(default_factory=list)
    _entries: dict[Place, _FolderState] = field(default_factory=dict)
    _pool: ProcessPoolExecutor | None = None
    _ended: Event = field(default_factory=multiprocessing.get_context("spawn").Event)

    def load(self, folder: Place) -> Experiment:
        """An experiment as it was last measured; read now if it never was.

        Raises:
            AssayError: It cannot be read, and there is no good one to keep.
        """
        real = Path(os.path.realpath(folder)) if isinstance(folder, Path) else None
        entry = self._entries.setdefault(folder, _FolderState(folder, real))
        never_read = entry.report is None and entry.stale and entry.job is None
        if entry.experiment is None or never_read or entry.gone:
            entry.error, entry.stale = None, False
            try:
                entry.experiment = mc.load(folder, redactor=self.redactor, settings=self.settings)
            except AssayError as error:
                entry.error = error
                raise
        return entry.experiment

    def settle(
        self, experiments: Iterable[Experiment], prices: Prices, withhold: Callable[[Place, AssayError], None]
    ) -> tuple[Experiment, ...]:
        """Wait until each experiment has a report by these prices, and give them as they were measured.

        Args:
            experiments: As they were loaded.
            prices: The site's price tables.
            withhold: Called with the folder of each that cannot be measured, where others can.

        Raises:
            AssayError: The first error, where none can be measured or an instrument fails its fixtures.
        """
        entry = [self._entries[experiment.path] for experiment in experiments]
        failed: list[tuple[Place, AssayError]] = []
        for each in entry:  # all of them first: two are measured at a time
            if not each.is_by(prices) and each.job is None and each.error is None:
                self._begin(each, prices)
        awaited = [each for each in entry if each.job is not None]
        for each in entry:
            if each in awaited:
                self.progress("measuring", awaited.index(each), len(awaited))
            while not each.is_by(prices):
                if each.job is None:
                    if isinstance(each.error, AssayError) and not isinstance(each.error, FixtureError):
                        failed.append((each.real or each.place, each.error))
                        break
                    if each.error is not None:
                        raise each.error
                    self._begin(each, prices)
                self._end(each, wait=True)
        if failed and len(failed) == len(entry):
            raise failed[0][1]
        for folder, error in failed:
            withhold(folder, error)
        return tuple(each.experiment for each in entry if each.experiment is not None and each.is_by(prices))

    def report(self, experiment: Experiment, prices: Sequence[PriceTable]) -> Report:
        """The report of an experiment that was settled by these prices.

        Raises:
            KeyError: It was not.
        """
        entry = self._entries[experiment.path]
        if entry.report is None or not entry.is_by(tuple(prices)):
            raise KeyError(experiment.slug)
        return entry.report

    def remeasure(self, changed: Iterable[Path]) -> set[Path]:
        """Begin to measure again each experiment in whose folder something changed.

        Returns:
            The changed paths that lie in no experiment's folder.
        """
        others = set()
        for path in changed:
            found = [
                entry for entry in self._entries.values() if entry.real and path.is_relative_to(entry.real)
            ]
            for entry in found:
                entry.stale = True
            if not found:
                others.add(path)
        for entry in self._entries.values():
            if entry.stale and entry.job is None and entry.report is not None:
                self._begin_again(entry)
        return others

    def gather(self) -> None:
        """Take up what has been measured since; begin anew where the folder has changed meanwhile."""
        for entry in self._entries.values():
            if entry.job is not None and entry.job.done():
                self._end(entry, wait=False)
                if entry.stale and entry.report is not None:
                    self._begin_again(entry)

    def keep_only(self, folders: Iterable[Place]) -> None:
        """Forget every folder but these."""
        listed = set(folders)
        self._entries = {folder: entry for folder, entry in self._entries.items() if folder in listed}

    @property
    def busy(self) -> bool:
        """Whether anything is being measured, or waits for it."""
        return any(entry.job is not None or entry.stale for entry in self._entries.values())

    def is_unread(self) -> bool:
        """Whether a folder without any good report has changed, or one is gone."""
        entry = self._entries.values()
        return any((k.report is None and k.stale) or k.gone for k in entry)

    def errors(self) -> tuple[tuple[Place, BaseException], ...]:
        """Folder and error of each experiment whose last good report stays because it now fails."""
        return tuple(
            (folder, entry.error) for folder, entry in self._entries.items() if entry.error is not None
        )

    def folders(self) -> tuple[Path, ...]:
        """Every folder that was asked for, but for addresses."""
        return tuple(folder for folder in self._entries if isinstance(folder, Path))

    def close(self) -> None:
        """End the workers at once, whatever they measure; none is begun any more. Any thread may call it."""
        self._ended.set()
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    # ------------------------------------------------------------------------------ jobs

    def _begin_again(self, entry: _FolderState) -> None:
        """Read a folder anew, and have it measured; one that is gone is left to whoever lists folders."""
        if entry.experiment is None or entry.gone:
            return
        entry.stale = False
        try:
            fresh = mc.load(entry.experiment.path, redactor=self.redactor, settings=self.settings)
        except Exception as error:  # noqa: BLE001 (whatever is wrong with it is shown, and mended there)
            entry.error, entry.unreadable = error, True
            return
        if entry.unreadable:  # mended, and said so at once; whether it can be measured is another matter
            entry.error, entry.unreadable = None, False
        if fresh.entries == entry.experiment.entries:
            entry.error = None
            return
        self._begin(entry, entry.prices, fresh)

    def _begin(self, entry: _FolderState, prices: Prices, fresh: Experiment | None = None) -> None:
        if (experiment := fresh or entry.experiment) is not None:
            entry.by, entry.job = prices, self._submit(experiment, prices)

    def _submit(self, experiment: Experiment, prices: Prices) -> Future[Measured]:
        if self._ended.is_set():
            job: Future[Measured] = Future()
            job.cancel()
            return job
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                WORKERS,
                multiprocessing.get_context("spawn"),
                initializer=begin,
                initargs=(self._ended,),
            )
        with interrupts_blocked():
            job = self._pool.submit(measured, experiment, prices, self.settings)
        job.add_done_callback(lambda _: self.notify())
        return job

    def _end(self, entry: _FolderState, *, wait: bool) -> None:
        job, entry.job = entry.job, None
        if job is None:
            return
        try:
            entry.experiment, entry.report = job.result(None if wait else 0)
            entry.prices, entry.error = entry.by, None
            self.measured.append(entry.experiment.slug)
        except StillWrittenError as error:
            entry.stale = True
            if not entry.is_by(entry.by):  # nothing good to keep: said, and tried again soon
                entry.error = error
                timer = threading.Timer(1.0, self.notify)
                timer.daemon = True
                timer.start()
        except BrokenProcessPool as broken:
            self._pool = None
            entry.error = broken
        except (Exception, CancelledError) as error:  # noqa: BLE001 (shown on the page, as whatever it is)
            entry.error = error


def measured(
    experiment: Experiment, tables: Sequence[PriceTable], settings: Mapping[str, Any]
) -> tuple[Experiment, Report]:
    """The report of an experiment, and the experiment as it was when it was measured, digests and all.

    Args:
        experiment: As it was loaded.
        tables: The site's price tables.
        settings: What is added to its own settings where it is loaded again.

    Raises:
        StillWrittenError: It did not keep still.
        AssayError: As `metrics_core.load` and `metrics_core.compute` raise it.
    """
    for attempt in range(TRIES):
        try:
            experiment = experiment.with_snapshot()
            return experiment, mc.compute(experiment, tables, memo=MEMO)
        except InputError:
            if _as_it_was(experiment):
                raise
        time.sleep(0.02 * 2**attempt)
        experiment = mc.load(experiment.path, redactor=experiment.redactor, settings=settings)
    raise StillWrittenError("is being written to", where=experiment.slug, hint="the last good report stays")


def _as_it_was(experiment: Experiment) -> bool:
    try:
        return experiment.as_it_was
    except InputError:
        return False


def begin(ended: Event) -> None:
    """Ready a worker: it ends with its parent, or when it is asked to."""
    ends_with_parent(ended.wait)
