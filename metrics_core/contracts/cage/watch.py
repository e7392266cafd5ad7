"""The second line behind the cage: an audit hook with words, paths that do not exist, a clock that moves.

It runs in the interpreter that it watches, so code that means to can take it out; the kernel's cage stays.
What it is for: a refusal says what was tried, and what the kernel cannot hide, such as the date or whether a
file exists, is hidden from whoever does not go out of their way.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
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

DAY_CLOCKS = {0, 5, 8, 11}  # of Linux: realtime, coarse, alarm, TAI


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

        A score has nothing to ask there; packages that ask as they are imported get an answer.
        """
        for name in ("stat", "lstat"):
            guarded = self._guarded(getattr(os, name))
            for module in (os, sys.modules[os.name]):  # importlib asks the second
                setattr(module, name, guarded)
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


def _nameless(machine: str) -> Any:
    return lambda: os.uname_result(("Linux", "localhost", "0.0", "", machine))


def move_clock(seconds: float) -> None:
    """The time of day is another from now on, for ``time`` and ``datetime``.

    The second pass runs under such a clock: a score that depends on the date is another there.

    Args:
        seconds: How far it is moved.
    """
    import time

    now, now_ns = time.time, time.time_ns
    moved: dict[str, Any] = {
        "time": lambda: now() + seconds,
        "time_ns": lambda: now_ns() + round(seconds) * 10**9,
    }
    for name in ("gmtime", "localtime", "ctime"):
        moved[name] = _from_moved(getattr(time, name), moved["time"])
    for name in ("strftime", "asctime"):
        moved[name] = _of_moved(getattr(time, name), moved["localtime"])
    for name in ("clock_gettime", "clock_gettime_ns"):
        if real := getattr(time, name, None):
            moved[name] = _of_day(real, round(seconds) * (10**9 if name.endswith("ns") else 1))
    for name, function in moved.items():
        setattr(time, name, function)
    _move_datetime(seconds)


def _from_moved(real: Any, now: Any) -> Any:
    return lambda at=None: real(now() if at is None else at)


def _of_moved(real: Any, local: Any) -> Any:
    """``strftime(form[, at])`` and ``asctime([at])``: the last argument may be left out."""
    wanted = 1 if real.__name__ == "asctime" else 2
    return lambda *given: real(*given, *([local()] if len(given) < wanted else []))


def _of_day(real: Any, by: int) -> Any:
    """``clock_gettime(which)``: clocks that tell the time of day are moved, those that only run are not."""
    return lambda which: real(which) + (by if which in DAY_CLOCKS else 0)


def _move_datetime(seconds: float) -> None:
    """Move ``datetime.now`` and ``utcnow``, which read the clock in C.

    Their type takes no other methods, but its dictionary does, and that is among what the type refers to.
    """
    import ctypes
    import datetime as dt
    import gc

    by = dt.timedelta(seconds=seconds)
    with suppress(Exception):  # another interpreter keeps its types elsewhere; the clock of `time` is moved
        methods = gc.get_referents(dt.datetime.__dict__)[0]
        for name in ("now", "utcnow"):
            real = methods[name]
            methods[name] = classmethod(
                lambda cls, *a, _real=real, **k: _real.__get__(None, cls)(*a, **k) + by
            )
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(dt.datetime))
