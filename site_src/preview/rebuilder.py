"""The one builder: joins what changed into one state after another, never two at once; the latest wins.

Does: wait for changes, have the next state made and the open pages of it, then show it; and once all is
still, look at what nobody has open. Does not: know what a change means.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from site_src.preview.error_report import ErrorReport
from site_src.preview.page_cache import PageCache, PreviewState
from site_src.preview.project import PreviewProject

STILL = 0.2
"""Seconds without a change after which the page of what was saved is looked at if it is not open."""
STILLER = 1.3
"""Seconds more after which all others are that may have gone wrong, and notes are taken: it may take long."""


class Update(Struct, frozen=True, kw_only=True):
    """What one turn of the builder came to.

    Attributes:
        changed: Paths that changed, sorted.
        measured: Experiments that were measured again, sorted.
        pages: Open pages that do not say what they said, sorted.
        faults: What is wrong with the project and its open pages.
        state: What is shown from now on.
        seconds: From when the first change was noticed.
    """

    changed: tuple[Path, ...]
    measured: tuple[str, ...]
    pages: tuple[str, ...]
    faults: tuple[ErrorReport, ...] = ()
    state: PreviewState
    seconds: float


class BackgroundFindings(Struct, frozen=True, kw_only=True):
    """What was found once all was still.

    Attributes:
        faults: What is wrong with pages that are not open.
        notes: As the gates of a publication give them; None where they did not change.
    """

    faults: tuple[ErrorReport, ...] = ()
    notes: tuple[str, ...] | None = None


class Rebuilder:
    """Builds on a thread of its own.

    Args:
        project: Makes the states.
        page_cache: Where they are shown.
        on_update: Called with each turn, on the builder's thread.
        on_findings: Called with what was found once all was still, on the same thread.
        still: As `STILL`.
        stiller: As `STILLER`.
    """

    def __init__(
        self,
        project: PreviewProject,
        page_cache: PageCache,
        on_update: Callable[[Update], None],
        on_findings: Callable[[BackgroundFindings], None] = lambda found: None,
        *,
        still: float = STILL,
        stiller: float = STILLER,
    ) -> None:
        self._project, self._page_cache = project, page_cache
        self._on_update, self._on_findings = on_update, on_findings
        self._still, self._stiller = still, stiller
        self._changed: set[Path] = set()
        self._since: float | None = time.monotonic()
        self._lock = threading.Condition()
        self._stopping = False
        self._soon: dict[str, None] = {}
        self._later: dict[str, None] = {}
        self._wrong: dict[str, ErrorReport] = {}
        self._unreported = False
        self._thread = threading.Thread(target=self._run, name="builder", daemon=True)

    def start(self) -> None:
        """Begin with the first state, whatever changes."""
        self._thread.start()

    def changed(self, paths: Iterable[Path]) -> None:
        """Something was saved, or something that was waited for has come."""
        with self._lock:
            self._changed |= set(paths)
            if self._since is None:
                self._since = time.monotonic()
            self._lock.notify_all()

    def stop(self) -> None:
        """End at once what is being measured, then the turn that is under way; nothing more is reported."""
        with self._lock:
            self._stopping = True
            self._lock.notify_all()
        self._project.close()
        if self._thread.is_alive():
            self._thread.join(5)

    def _run(self) -> None:
        while True:
            with self._lock:
                self._lock.wait_for(lambda: self._stopping or self._since is not None)
                if self._stopping:
                    return
                changed, began = frozenset(self._changed), self._since or time.monotonic()
                self._changed, self._since = set(), None
            self._turn(changed, began)
            if self._is_still(self._still):
                self._look_in_background()

    def _turn(self, changed: frozenset[Path], began: float) -> None:
        before, fresh = self._page_cache.state, self._project.next(changed)
        if self._stopping:
            return
        pages = [path for path in self._page_cache.open_pages() if self._differs(path, before, fresh)]
        self._unreported |= bool(changed)
        saved, others = self._project.pages_of(changed)
        self._soon |= dict.fromkeys((*saved, *self._wrong))
        self._later |= dict.fromkeys(others)
        for path in self._page_cache.open_pages():  # they were made, before they are asked for
            self._look_at(path, fresh)
        state = replace(
            fresh,
            background_faults=self._background_faults(),
            notes=before.notes,
            gone=self._gone(before, fresh, pages),
        )
        self._page_cache.show(state)
        measured, self._project.measured[:] = tuple(sorted(self._project.measured)), []
        faults = [self._wrong[path] for path in self._page_cache.open_pages() if path in self._wrong]
        self._on_update(
            Update(
                changed=tuple(sorted(changed)),
                measured=measured,
                pages=tuple(pages),
                faults=tuple(dict.fromkeys((*state.faults, *faults))),
                state=state,
                seconds=time.monotonic() - began,
            )
        )

    def _differs(self, path: str, before: PreviewState, now: PreviewState) -> bool:
        return before.content(self._page_cache.make(path, before)) != now.content(
            self._page_cache.make(path, now)
        )

    def _gone(self, before: PreviewState, now: PreviewState, changed: Iterable[str]) -> dict[str, str]:
        """Pages that were open when they ceased to be, with the one page that came in their place."""
        left = [
            p
            for p in changed
            if self._page_cache.make(p, before).data and not self._page_cache.make(p, now).data
        ]
        if now.site is None or before.site is None or not (left or before.gone):
            return {}
        there = set(now.site.paths())
        come = sorted(there.difference(before.site.paths()))
        gone = dict(before.gone) | dict.fromkeys(left, come[0] if len(come) == 1 else "")
        return {path: new for path, new in gone.items() if path not in there}

    # ------------------------------------------------------------------------------ once all is still

    def _is_still(self, seconds: float = 0.0) -> bool:
        """Whether nothing changes for so long: what was saved must not wait for what nobody has open."""
        with self._lock:
            return not self._lock.wait_for(lambda: self._stopping or self._since is not None, seconds)

    def _look_in_background(self) -> None:
        """Make pages that nobody has open, for what is wrong with them, and take notes, unless work comes."""
        self._look_at_each(self._soon)
        if not self._is_still(self._stiller):
            return
        self._look_at_each(self._later)
        notes = self._project.notes(self._is_still) if self._is_still() else None
        if notes is not None and notes != self._page_cache.state.notes:
            self._page_cache.show(replace(self._page_cache.state, notes=notes))
            self._on_findings(BackgroundFindings(notes=notes))

    def _look_at_each(self, paths: dict[str, None]) -> None:
        before, is_open = self._page_cache.state, self._page_cache.open_pages()
        while paths and self._is_still():
            path = next(iter(paths))
            del paths[path]
            self._look_at(path, before)
        wrong = self._background_faults()
        if wrong != before.background_faults:
            self._page_cache.show(replace(before, background_faults=wrong))
        unseen = [fault for path, fault in sorted(self._wrong.items()) if path not in is_open]
        if unseen and (self._unreported or wrong != before.background_faults) and self._is_still():
            self._on_findings(BackgroundFindings(faults=tuple(dict.fromkeys(unseen))))
            self._unreported = False

    def _look_at(self, path: str, state: PreviewState) -> None:
        fault = self._page_cache.make(path, state).fault
        if fault is None:
            self._wrong.pop(path, None)
        else:
            self._wrong[path] = fault

    def _background_faults(self) -> tuple[ErrorReport, ...]:
        return tuple(dict.fromkeys(fault for _, fault in sorted(self._wrong.items())))
