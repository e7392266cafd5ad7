"""What is shown: one immutable state of the project after another, and its pages, each made when wanted.

Does: hold a state, make a page of it once, keep the last good copy of a page behind one that fails, and
know which pages are open. Does not: read, measure or serve.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol

from msgspec import Struct, field

from metrics_core.errors import InputError
from site_src.preview.error_report import ErrorReport
from site_src.project import SiteFile

KEPT = 64
"""Last good pages that are kept."""

REVISIONS = 4
"""Readings of the project whose files are kept: the one that is shown, the next, and what is still sent."""


class MakesFiles(Protocol):
    """A site as a set of files, each made when it is wanted."""

    def file(self, path: str) -> SiteFile | None:
        """One file; None where the site has none of this name."""

    def paths(self) -> Iterable[str]:
        """Path of every page."""


class RenderedFile(Struct, frozen=True):
    """A file of the site, or why there is none.

    Attributes:
        data: Its bytes; those of the last good one where it fails now. None where there is no such file, or
            never was a good one.
        digest: Of the data; empty without.
        fault: Why it could not be made.
        waiting: It will be there soon: what it is made from is being measured.
    """

    data: bytes | None
    digest: str = ""
    fault: ErrorReport | None = None
    waiting: bool = False


def _nothing(path: str, rendered: RenderedFile) -> bool:
    return False


class PreviewState(Struct, frozen=True, kw_only=True):
    """The project as it stood after one change.

    Attributes:
        site: What it makes; the last good one where something is wrong; None before there was any.
        faults: What is wrong with it.
        style: Digest of the style sheet's parts.
        rest: Digest of scripts and pictures.
        busy: Something is being measured that this state does not have yet.
        explain: Turns an exception into a fault.
        build: By which pages name the build they belong to, and which differs though nothing else does: the
            first digits of its digest, and its mark.
        background_faults: What is wrong with pages that may not be open, sorted by their paths.
        notes: As the gates of a publication give them.
        gone: Pages that were open when they ceased to be, and which page came in the place of each; empty
            where that is not known.
        revision: Which reading of the project it is of: states that differ in no more than notes
            and faults share their files.
        keeps: Whether a file that was made for the state before is the same in this one.
    """

    site: MakesFiles | None
    faults: tuple[ErrorReport, ...] = ()
    style: str = ""
    rest: str = ""
    busy: bool = False
    explain: Callable[[BaseException], ErrorReport]
    build: tuple[str, ...] = ()
    background_faults: tuple[ErrorReport, ...] = ()
    notes: tuple[str, ...] = ()
    gone: Mapping[str, str] = field(default_factory=dict)
    revision: object = field(default_factory=object)
    keeps: Callable[[str, RenderedFile], bool] = _nothing

    def content(self, rendered: RenderedFile) -> bytes | None:
        """The bytes of a page of this state without the name of the build; None without a page."""
        if rendered.data is None:
            return None
        names = "|".join(f"{re.escape(name)}[0-9a-f]*" for name in self.build)
        return re.sub(names.encode(), b"", rendered.data) if names else rendered.data


class PageCache:
    """The state that is shown, and who is looking. Every method may be called by any thread."""

    def __init__(self, first: PreviewState) -> None:
        self._state = first
        self._files: list[tuple[object, dict[str, RenderedFile]]] = []
        self._good: OrderedDict[str, RenderedFile] = OrderedDict()
        self._open: Counter[str] = Counter()
        self._making = threading.RLock()
        self._changed = threading.Condition()
        self.number = 0
        self.closed = False

    @property
    def state(self) -> PreviewState:
        """The state that is shown."""
        return self._state

    def make(self, path: str, state: PreviewState | None = None) -> RenderedFile:
        """A file of a state, by default of the one that is shown; made at most once for it."""
        of = state or self._state
        files = self._files_of(of)
        if (known := files.get(path)) is not None:  # it need not wait for another page
            return known
        with self._making:
            if path not in files:
                files[path] = self._render(path, of)
            return files[path]

    def _files_of(self, state: PreviewState) -> dict[str, RenderedFile]:
        """What was made for a state; of one that is new, what it keeps of the newest before it."""
        with self._changed:
            for revision, files in self._files:
                if revision is state.revision:
                    return files
            newest = tuple(self._files[-1][1].items()) if self._files else ()
            files = {path: rendered for path, rendered in newest if state.keeps(path, rendered)}
            self._files = [*self._files[1 - REVISIONS :], (state.revision, files)]
            return files

    def _render(self, path: str, of: PreviewState) -> RenderedFile:
        if of.site is None:
            return RenderedFile(None, waiting=not of.faults)
        last = self._good.get(path, RenderedFile(None))
        try:
            file = of.site.file(path)
        except InputError as error:
            if of.busy:  # a log that is being written is read again as soon as it was measured
                return RenderedFile(last.data, last.digest, waiting=last.data is None)
            return RenderedFile(last.data, last.digest, fault=of.explain(error))
        except Exception as error:  # noqa: BLE001 (whatever it is, it is shown over the last good page)
            return RenderedFile(last.data, last.digest, fault=of.explain(error))
        if file is None:
            return RenderedFile(None)
        rendered = RenderedFile(file.data, hashlib.sha256(file.data).hexdigest()[:16])
        if path.endswith(".html"):
            self._good[path] = rendered
            self._good.move_to_end(path)
            if len(self._good) > KEPT:
                self._good.popitem(last=False)
        return rendered

    @contextmanager
    def making(self) -> Iterator[None]:
        """Keep others from making a page meanwhile: the templates are being read again."""
        with self._making:
            yield

    # ------------------------------------------------------------------------------ who is looking

    @contextmanager
    def opened(self, path: str) -> Iterator[None]:
        """A page is open in a browser as long as this lasts."""
        with self._changed:
            self._open[path] += 1
        try:
            yield
        finally:
            with self._changed:
                self._open[path] -= 1
                self._open += Counter()  # drops those that nobody looks at

    def open_pages(self) -> tuple[str, ...]:
        """Every page that is open, sorted."""
        with self._changed:
            return tuple(sorted(self._open))

    def show(self, state: PreviewState) -> None:
        """Show a state from now on, and wake whoever waits for one."""
        self._files_of(state)
        with self._changed:
            self._state = state
            self.number += 1
            self._changed.notify_all()

    def close(self) -> None:
        """No state will come any more."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()

    def wait(self, seen: int, seconds: float) -> int:
        """Wait for a state newer than one that was seen, at most so long; the number of the newest."""
        with self._changed:
            self._changed.wait_for(lambda: self.closed or self.number > seen, seconds)
            return self.number
