"""The second line behind the cage: an audit hook with words, paths that do not exist, files without a date.

It runs in the interpreter that it watches, so code that means to can take it out; the kernel's cage stays.
What it is for: a refusal says what was tried, and what the kernel cannot hide, such as whether a file exists
or when it was written, is hidden from whoever does not go out of their way.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import Any

from metrics_core.contracts.cage.memory_import import PLACE

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
LISTS = {"os.listdir", "os.scandir"}
CHANGES = {"os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate",
           "os.utime", "os.chmod", "os.chown", "os.chflags", "os.lockf", "os.setxattr", "os.removexattr",
           "tempfile.mkstemp", "tempfile.mkdtemp", "sqlite3.connect", "dbm.open"}  # fmt: skip
STARTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.system", "os.exec", "os.posix_spawn", "os.spawn",
          "os.startfile", "pty.spawn", "os.kill", "os.killpg", "os.unshare", "os.setns",
          "cpython._PySys_ClearAuditHooks", "cpython.PyInterpreterState_New"}  # fmt: skip
HOST = {"os.getxattr", "os.listxattr", "pwd.getpwnam", "pwd.getpwuid", "pwd.getpwall", "grp.getgrall",
        "spwd.getspnam", "syslog.syslog", "syslog.openlog"}  # fmt: skip
LIMITS = {"resource.setrlimit", "resource.prlimit"}


class Watch:
    """The audit hook: refuses and remembers what a function of a trace has no business doing.

    Attributes:
        broken: The first thing it refused.
    """

    def __init__(self) -> None:
        places = [*sys.path, sys.pycache_prefix or os.devnull]
        both = (form(place) for place in places for form in (os.path.abspath, os.path.realpath))
        self.roots = tuple(dict.fromkeys(form + os.sep for form in both))
        self.broken: str | None = None
        self._lstat, self._machine = os.lstat, "" if sys.platform == "win32" else os.uname().machine

    def hook(self, event: str, args: tuple[Any, ...]) -> None:
        """Called by the interpreter at every event; raising stops what was about to happen."""
        if (problem := self._problem(event, args)) is not None:
            self.broken = self.broken or problem
            raise PermissionError(problem)

    def _problem(self, event: str, args: tuple[Any, ...]) -> str | None:
        if event == "open":
            return self._opened(args[0], args[2])
        if event in LISTS:
            place = self._place(args[0] if args[0] is not None else ".")
            return None if place is None or self.allows(place) else f"lists the folder {place}"
        library = args[1] if event == "import" else args[0] if event == "ctypes.dlopen" else None
        if library is not None:
            return self._opened(library, os.O_RDONLY)
        if event in CHANGES or event.startswith("shutil."):
            return f"changes files ({event}): a scorer reads its trace and nothing else"
        if event in STARTS:
            return f"starts or ends a process ({event})"
        if event in LIMITS:
            return f"changes the limits of a process ({event})"
        if event in HOST:
            return f"asks who runs it, and where ({event})"
        if event == "ctypes.dlsym":  # the C library could do all of the above, unseen
            return f"calls {args[1]} of a compiled library"
        return f"uses a socket ({event})" if event.startswith("socket.") else None

    def _opened(self, path: Any, flags: Any) -> str | None:
        place = self._place(path)
        if place is None or place == os.devnull:
            return None
        shown = place.removeprefix(PLACE + os.sep)
        if isinstance(flags, int) and flags & WRITING:
            return f"writes {shown}: a scorer reads its trace and nothing else"
        return None if self.allows(place) else f"reads {shown}, which is not part of its source closure"

    def allows(self, place: str) -> bool:
        """Whether a file is of the interpreter's library or an installed package."""
        return f"{place}{os.sep}".startswith(self.roots)

    def _place(self, path: Any) -> str | None:
        """Where a path leads; None for a number, which is a file that is open already."""
        if isinstance(path, int):
            return None
        place = os.path.abspath(os.fsdecode(path))
        return place if self.allows(place) and ".." not in place else os.path.realpath(place)

    def hide_surroundings(self) -> None:
        """Have ``os.stat`` find nothing outside the library, and ``os.uname`` name no host.

        A score has nothing to ask there; packages that ask as they are imported get an answer. The dates of
        what is open and of the library are a clock, too: only the import system is told them.
        """
        below = sys.modules[os.name]
        asked = ModuleType(os.name)
        asked.__dict__.update(below.__dict__)
        vars(sys.modules["_frozen_importlib_external"])["_os"] = asked
        for name in ("stat", "lstat", "fstat"):
            real = getattr(os, name)
            guarded = real if name == "fstat" else self._guarded(real)
            setattr(asked, name, guarded)
            for module in (os, below):
                setattr(module, name, _of_no_date(guarded))
        os.scandir = below.scandir = _scanned(os.scandir)  # type: ignore[attr-defined]
        if sys.platform != "win32":
            os.uname = _nameless(self._machine)
        os.cpu_count = lambda: 1

    def _guarded(self, real: Any) -> Any:
        def found(path: Any, *, dir_fd: Any = None, follow_symlinks: bool = True) -> Any:
            if not isinstance(path, int):
                place = os.fsdecode(path)
                if dir_fd is not None or not self.allows(os.path.abspath(place)):
                    raise FileNotFoundError(2, "No such file or directory", path)
            return real(path) if follow_symlinks else self._lstat(path)

        return found


class _Entry:
    """An entry of a folder, as ``os.DirEntry`` but without a date."""

    def __init__(self, entry: os.DirEntry[Any]) -> None:
        self.name, self.path, self.inode = entry.name, entry.path, lambda: 0
        self.is_dir, self.is_file, self.is_symlink = entry.is_dir, entry.is_file, entry.is_symlink
        self.stat = _of_no_date(entry.stat)

    def __fspath__(self) -> Any:
        return self.path


def _scanned(real: Any) -> Any:
    class Entries:
        """What ``os.scandir`` gives: an iterator that may be used as a context manager."""

        def __init__(self, path: Any = None) -> None:
            self._found = real(path)
            self.close = self._found.close

        def __iter__(self) -> Any:
            return self

        def __next__(self) -> _Entry:
            return _Entry(next(self._found))

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: object) -> None:
            self.close()

    return Entries


def _of_no_date(real: Any) -> Any:
    """The same about a file, but when it was written and read, where it lies on its disk, and whose it is."""

    def told(*given: Any, **named: Any) -> os.stat_result:
        known = real(*given, **named)
        times = {f"st_{kind}time{unit}": 0 for kind in "amc" for unit in ("", "_ns")}
        return os.stat_result((known.st_mode, 0, 0, 1, 0, 0, known.st_size, 0, 0, 0), times)

    return told


def _nameless(machine: str) -> Any:
    return lambda: os.uname_result(("Linux", "localhost", "0.0", "", machine))
