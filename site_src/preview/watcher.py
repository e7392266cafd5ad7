"""Watches folders and reports the paths of files that are not as they were, by events and by sweeps.

Does: pass over what editors, systems and this program leave behind; join the events of one save; wait for
the second half of a save that empties or removes a file first; take up a folder again that was deleted and
made anew; and compare all files now and then, for events that were lost. Does not: read a file, or know
what any of them is for.
"""

from __future__ import annotations

import os
import re
import stat
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import ObservedWatch
from watchdog.utils.event_debouncer import EventDebouncer

EVENTS: list[type[FileSystemEvent]] = [
    FileCreatedEvent, FileModifiedEvent, FileClosedEvent, FileMovedEvent, FileDeletedEvent,
    DirCreatedEvent, DirMovedEvent, DirDeletedEvent,
]  # fmt: skip
"""Events asked of the kernel: none that our own reading causes, which would drown a save in a large tree."""

SETTLE = 0.003
"""Seconds without a further event after which a save is complete."""
LONGEST_BURST = 0.15
"""Seconds after which a burst is reported though it goes on."""
SECOND_HALF = 0.1
"""Seconds that a file which was emptied or removed is given to come back."""
SWEEP_LEAST, SWEEP_MOST, SWEEP_SHARE = 2.0, 60.0, 40.0
"""Seconds between two sweeps: at least, at most, and as a multiple of what a sweep takes."""
DOUBT = 1.0
"""Seconds after the first sweep in which a path is reported though it may be as that sweep has learnt it."""

APART = frozenset({"_site", "_public", "__pycache__", "node_modules"})
"""Folders that are made, not written by hand; hidden ones, such as ``.assay-cache``, are passed over too."""

_DROPPING = re.compile(
    r"4913|#.*#|.*~|.*\.(?:swp|swo|swx|part|tmp|bak|crdownload|pyc)|.*___jb_(?:tmp|old)___|Thumbs\.db"
)

Signature = tuple[int, int, int]
"""Size, time of the last writing in nanoseconds, inode."""


class Watcher:
    """Watches folders until it is stopped.

    Args:
        notify: Called with the paths that changed, on a thread of the watcher; never with none.
        warn: Called once, with a sentence, if the system lends no watches and only sweeps are left.
        sweep_least: As `SWEEP_LEAST`.
        doubt: As `DOUBT`.
    """

    def __init__(
        self,
        notify: Callable[[frozenset[Path]], None],
        warn: Callable[[str], None],
        *,
        sweep_least: float = SWEEP_LEAST,
        doubt: float = DOUBT,
    ) -> None:
        self._notify, self._warn = notify, warn
        self._sweep_least, self._doubt = sweep_least, doubt
        self._observer = Observer()
        self._debouncer = _Debouncer(SETTLE, self._on_events)
        self._handler = _Handler(self._debouncer)
        self._roots: dict[Path, tuple[ObservedWatch, int] | None] = {}
        self._snapshots = FileSnapshots()
        self._awaited: dict[str, float] = {}
        self._roots_lock, self._reporting = threading.Lock(), threading.Lock()
        self._stopped = threading.Event()
        self._sweep_soon = threading.Event()
        self._swept_first = False
        self._trust_after = float("inf")
        self._only_sweeps = False

    def start(self, roots: Iterable[Path]) -> None:
        """Begin to watch; whatever changes after this has returned is reported."""
        self._observer.start()
        self._debouncer.start()
        self.watch(roots)
        threading.Thread(target=self._sweep, name="sweep", daemon=True).start()

    def watch(self, roots: Iterable[Path]) -> None:
        """Watch these folders, and none that is not among them; folders within others go with them."""
        wanted = sorted({Path(os.path.realpath(root)) for root in roots})
        tops = [r for r in wanted if not any(r != o and r.is_relative_to(o) for o in wanted)]
        with self._roots_lock:
            for gone in set(self._roots) - set(tops):
                self._drop(gone)
            for root in tops:
                self._take_up(root)

    def stop(self) -> None:
        """Stop watching; nothing is reported afterwards."""
        self._stopped.set()
        self._sweep_soon.set()
        for thread in (self._observer, self._debouncer):
            thread.stop()
            if thread.is_alive():
                thread.join(2)

    def _on_events(self, events: Iterable[FileSystemEvent]) -> None:
        """Report what a burst of events is about."""
        self._report(dict.fromkeys(path for event in events for path in self._paths_of(event)))

    def _paths_of(self, event: FileSystemEvent) -> list[str]:
        """The files that an event is about; both ends of a move are looked at."""
        source, target = os.fsdecode(event.src_path), os.fsdecode(event.dest_path)
        if Path(source) in self._roots and isinstance(event, DirDeletedEvent):
            self._roots[Path(source)] = None  # its watch went with it, and a new one may get its inode
            self._sweep_soon.set()
            return []
        found = [path for path in (source, target) if path and self._counts(path)]
        if not event.is_directory:
            return found
        # What was in a folder when it came or went has no events of its own.
        with self._reporting:
            gone = self._snapshots.below(source) if isinstance(event, DirMovedEvent) else []
        come = [] if isinstance(event, DirDeletedEvent) else found[-1:]
        return gone + [name for folder in come for name, _ in files(Path(folder))]

    def _counts(self, path: str) -> bool:
        root = next((r for r in tuple(self._roots) if path.startswith(f"{r}{os.sep}")), None)
        return root is not None and not passed_over(path[len(str(root)) + 1 :])

    # ------------------------------------------------------------------------------ reporting

    def _report(self, paths: Iterable[str]) -> None:
        """Report paths that are not as last reported; a file that is suddenly empty or gone is awaited."""
        changed, awaited = [], []
        now = time.monotonic()
        with self._reporting:
            for path in paths:
                current = signature(path)
                if self._snapshots.emptied(path, current):
                    if path not in self._awaited:
                        self._awaited[path] = now + SECOND_HALF
                        awaited.append(path)
                    if self._awaited[path] > now:
                        continue
                self._awaited.pop(path, None)
                known = path in self._snapshots
                doubtful = now < self._trust_after and (known or current is not None)
                if self._snapshots.update(path, current) or doubtful:
                    changed.append(Path(path))
        if awaited:
            timer = threading.Timer(SECOND_HALF, self._report_overdue, (awaited,))
            timer.daemon = True
            timer.start()
        if changed and not self._stopped.is_set():
            self._notify(frozenset(changed))

    def _report_overdue(self, paths: Iterable[str]) -> None:
        """Report those whose second half did not come."""
        self._report([path for path in paths if path in self._awaited])

    # ------------------------------------------------------------------------------ sweeping

    def _sweep(self) -> None:
        """Compare all files with what was reported of them; the first sweep only learns."""
        while not self._stopped.is_set():
            began = time.monotonic()
            changed: list[str] = []
            with self._roots_lock:
                roots = {root: self._take_up(root) for root in tuple(self._roots)}
            for root in roots:
                found = dict(files(root, self._pause))
                with self._reporting:
                    if self._swept_first:
                        changed += self._snapshots.differing(str(root), found)
                    else:
                        self._snapshots.learn(found)
            if self._swept_first:
                self._report(changed)
            else:
                self._trust_after = time.monotonic() + self._doubt
                self._swept_first = True
            took = time.monotonic() - began
            most = SWEEP_MOST if all(roots.values()) else self._sweep_least
            self._sweep_soon.wait(min(most, max(self._sweep_least, took * SWEEP_SHARE)))
            self._sweep_soon.clear()

    @staticmethod
    def _pause() -> None:
        time.sleep(0)

    # ------------------------------------------------------------------------------ roots

    def _take_up(self, root: Path) -> bool:
        """Have the system watch a root, anew if it was deleted and made again; whether it does."""
        try:
            inode = root.stat().st_ino
        except OSError:
            self._drop(root)
            self._roots[root] = None
            return False
        watched = self._roots.get(root)
        if watched is not None and watched[1] == inode:
            return True
        self._drop(root)
        self._roots[root] = None
        try:
            watch = self._observer.schedule(self._handler, str(root), recursive=True, event_filter=EVENTS)
        except OSError as refused:
            if not self._only_sweeps:
                self._only_sweeps = True
                self._warn(f"the system lends no more watches ({refused.strerror}): looking every 2 s")
            return False
        self._roots[root] = (watch, inode)
        return True

    def _drop(self, root: Path) -> None:
        watched = self._roots.pop(root, None)
        if watched is not None:
            try:
                self._observer.unschedule(watched[0])
            except (KeyError, OSError):  # its emitter ended by itself when the folder was deleted
                return


class _Debouncer(EventDebouncer):
    """Joins the events of a burst; of one that does not end (a log is written) it gives part after part."""

    def time_to_flush(self, started: float) -> bool:
        """Whether a burst has lasted long enough."""
        return time.monotonic() - started > LONGEST_BURST


class _Handler(FileSystemEventHandler):
    """Hands each event on; watchdog wants an object of its own class."""

    def __init__(self, debouncer: EventDebouncer) -> None:
        self._debouncer = debouncer

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Every event that was asked for."""
        self._debouncer.handle_event(event)


class FileSnapshots:
    """The signature under which each file was last reported; used by one thread at a time."""

    def __init__(self) -> None:
        self._known: dict[str, Signature] = {}

    def __contains__(self, path: str) -> bool:
        return path in self._known

    def emptied(self, path: str, now: Signature | None) -> bool:
        """Whether a file that held something is gone or empty: most often, half of a save."""
        before = self._known.get(path)
        return before is not None and before[0] > 0 and (now is None or now[0] == 0)

    def update(self, path: str, now: Signature | None) -> bool:
        """Whether a file is not as it was last reported; from now on it is."""
        if self._known.get(path) == now:
            return False
        if now is None:
            del self._known[path]
        else:
            self._known[path] = now
        return True

    def below(self, folder: str) -> list[str]:
        """Paths last reported that lie below a folder."""
        return [path for path in self._known if path.startswith(folder + os.sep)]

    def differing(self, root: str, found: Mapping[str, Signature]) -> list[str]:
        """Paths below a folder that are not as last reported.

        Args:
            root: The folder.
            found: What lies in it now.
        """
        gone = [path for path in self.below(root) if path not in found]
        return [*(path for path, now in found.items() if self._known.get(path) != now), *gone]

    def learn(self, found: Mapping[str, Signature]) -> None:
        """Take files as they are, without a report."""
        self._known |= found


def files(root: Path, pause: Callable[[], None] = lambda: None) -> Iterator[tuple[str, Signature]]:
    """Every file below a folder that counts, with its signature; whatever vanishes meanwhile is left out.

    Args:
        root: The folder.
        pause: Called once a folder, so that a sweep of a large tree can let others run.
    """
    pending = [(str(root), "")]
    while pending:
        folder, within = pending.pop()
        pause()
        try:
            with os.scandir(folder) as found:
                items = list(found)
        except OSError:
            continue
        for item in items:
            inner = f"{within}/{item.name}" if within else item.name
            if passed_over(inner):
                continue
            try:
                if item.is_dir(follow_symlinks=False):
                    pending.append((item.path, inner))
                elif item.is_file():
                    status = item.stat()
                    yield item.path, (status.st_size, status.st_mtime_ns, status.st_ino)
            except OSError:
                continue


def signature(path: str) -> Signature | None:
    """What a file is recognised by; None where there is no regular file, followed through links."""
    try:
        status = os.stat(path)  # noqa: PTH116 (thousands a sweep: a Path each would cost more than the call)
    except OSError:
        return None
    return (status.st_size, status.st_mtime_ns, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def passed_over(path: str) -> bool:
    """Whether a path within a watched folder is none of its files: hidden, made, or an editor's dropping.

    Args:
        path: From the watched folder, with ``/``.

    >>> [passed_over(p) for p in ("index.md", "a/.git/x", "notes/4913", "about.md~", ".#a", "_site/a.html")]
    [False, True, True, True, True, True]
    """
    *folders, name = path.split("/")
    hidden = any(part.startswith(".") for part in (*folders, name))
    return hidden or not APART.isdisjoint(folders) or name in APART or _DROPPING.fullmatch(name) is not None
