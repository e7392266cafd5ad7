"""Being asked to stop: by Ctrl-C, by whoever runs this program (SIGTERM), by a terminal that closes (SIGHUP).

Does: raise `Stopped` wherever the program is, for each of them alike, and hold that back while something is
done that must not be left half done. Does not: end the program, which its command line does.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
"""Signals that ask a program to stop and let it put things in order; not every system has all of them."""


class Stopped(KeyboardInterrupt):
    """Somebody asked this program to stop.

    Args:
        number: Of the signal.
    """

    def __init__(self, number: int = signal.SIGINT) -> None:
        super().__init__(number)
        self.number = number

    @property
    def exit_code(self) -> int:
        """As a shell tells an end by a signal.

        >>> Stopped().exit_code, Stopped(signal.SIGTERM).exit_code
        (130, 143)
        """
        return 128 + self.number


@contextmanager
def raised() -> Iterator[None]:
    """Each request to stop raises `Stopped` within; one that is ignored, as by ``nohup``, still is."""
    with _handled(_stop):
        yield


@contextmanager
def held_back() -> Iterator[None]:
    """Nobody stops what is within: whoever asks for it comes too late, and is not heard."""
    with _handled(_pass_over):
        yield


@contextmanager
def _handled(handler: Callable[[int, FrameType | None], Any]) -> Iterator[None]:
    """Signals are handled so within; as before in any thread but the main one, which none other reaches."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    earlier: dict[int, Any] = {}
    try:
        for number in (getattr(signal, name) for name in NAMES if hasattr(signal, name)):
            if signal.getsignal(number) is not signal.SIG_IGN:
                earlier[number] = signal.getsignal(number)
                signal.signal(number, handler)
        yield
    finally:
        for number, before in earlier.items():
            signal.signal(number, before)


def _stop(number: int, _: FrameType | None) -> None:
    raise Stopped(number)


def _pass_over(number: int, _: FrameType | None) -> None:
    """Too late."""
