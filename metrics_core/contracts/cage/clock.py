"""Clocks that stand still at a moment that nobody can foresee, another one for each trace.

The second process of a contract has them: a score that depends on the date is another there, and one that
depends on how long something took is what it would be if nothing took any time. Like `watch` it stands in
the interpreter that it is for, so code that means to can find the time; compiled code reads it all the same.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import Any

DAY_CLOCKS = {0, 5, 8, 11}  # of Linux: realtime, coarse, alarm, TAI
EARLIEST, LATEST = 366 * 86_400, 30 * 366 * 86_400
"""How many seconds ago the moment is."""
RUNNING = ("monotonic", "perf_counter", "process_time", "thread_time")
SECOND = 10**9  # in nanoseconds


class StandingClock:
    """The clocks of ``time`` and ``datetime`` from now on; `turn` sets them to another moment.

    Attributes:
        day: The time of day, in nanoseconds since 1970.
        run: What clocks that only run are at, in nanoseconds.
    """

    def __init__(self) -> None:
        self._now, self._fields = time.time_ns, time.gmtime
        self.day = self.run = 0
        self.turn()
        self._install()
        self._install_datetime()

    def turn(self) -> None:
        """Stand at another moment: its year, month, weekday, hour and minute are not those of now, nor is
        its day an even one where that of now is.
        """
        now = self._now()
        while True:
            self.day = now - _drawn(EARLIEST * SECOND, LATEST * SECOND)
            if all(a != b for a, b in zip(self._told(self.day), self._told(now), strict=True)):
                break
        self.run = _drawn(0, LATEST * SECOND)

    def _told(self, at: int) -> tuple[int, ...]:
        found = self._fields(at // SECOND)
        days = at // SECOND // 86_400
        return found.tm_year, found.tm_mon, found.tm_wday, found.tm_hour, found.tm_min, days % 2

    def _install(self) -> None:
        put: dict[str, Any] = {"time": lambda: self.day / SECOND, "time_ns": lambda: self.day}
        for name in RUNNING:
            put[name], put[f"{name}_ns"] = (lambda: self.run / SECOND), (lambda: self.run)
        for name in ("gmtime", "localtime", "ctime"):
            put[name] = _from(getattr(time, name), put["time"])
        for name in ("strftime", "asctime"):
            put[name] = _of(getattr(time, name), put["localtime"])
        put["clock_gettime_ns"] = lambda which: self.day if which in DAY_CLOCKS else self.run
        put["clock_gettime"] = lambda which: put["clock_gettime_ns"](which) / SECOND
        for name, function in put.items():
            if hasattr(time, name):
                setattr(time, name, function)

    def _install_datetime(self) -> None:
        """Have ``datetime.now`` and ``utcnow``, which read the clock in C, ask this one.

        Their type takes no other methods, but its dictionary does, and that is among what the type refers to.
        """
        import ctypes
        import datetime as dt
        import gc

        with suppress(Exception):  # another interpreter keeps its types elsewhere; `time` stands all the same
            methods = gc.get_referents(dt.datetime.__dict__)[0]
            methods["now"] = classmethod(lambda cls, tz=None: cls.fromtimestamp(self.day / SECOND, tz))
            methods["utcnow"] = classmethod(lambda cls: cls.utcfromtimestamp(self.day / SECOND))
            ctypes.pythonapi.PyType_Modified(ctypes.py_object(dt.datetime))


def _drawn(low: int, high: int) -> int:
    return low + int.from_bytes(os.urandom(12), "big") % (high - low)


def _from(real: Any, now: Any) -> Any:
    return lambda at=None: real(now() if at is None else at)


def _of(real: Any, local: Any) -> Any:
    """``strftime(form[, at])`` and ``asctime([at])``: the last argument may be left out."""
    wanted = 1 if real.__name__ == "asctime" else 2
    return lambda *given: real(*given, *([local()] if len(given) < wanted else []))
