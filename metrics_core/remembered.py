"""Results of pure functions, remembered within a process by the content of their arguments.

Where one line was added to a log, all but a few of an experiment's groups hold the runs that they held
before: what was made of these is not made again. Nothing is written, and nothing outlives the process. Only
functions whose results are frozen, and depend on nothing but their arguments, may be remembered.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import update_wrapper
from hashlib import blake2b
from typing import Any, Generic, ParamSpec, TypeVar

import msgspec

P = ParamSpec("P")
R = TypeVar("R")


class Remembered(Generic[P, R]):
    """A function that gives the same object again for the same arguments.

    Arguments are compared by the bytes that they are written as, so that 0, 0.0 and -0.0 stay three things;
    the bytes themselves are not kept, only 16 of their digest.

    Args:
        function: What is remembered. Its arguments are numbers, texts, None, and lists, tuples, dictionaries
            or dataclasses of these.
        most: Results that are kept; beyond that the one that was not wanted for longest is dropped.
    """

    def __init__(self, function: Callable[P, R], most: int) -> None:
        if most < 1:
            raise ValueError(f"{most} results to keep, expected 1 or more")
        self.most, self._function = most, function
        self._kept: OrderedDict[bytes, R] = OrderedDict()
        self._lock = threading.Lock()
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The function's result, computed now or before."""
        try:
            key = _digest(args, kwargs)
        except (
            OverflowError
        ):  # an integer beyond 64 bits: no data of ours, and not worth another way to write
            return self._function(*args, **kwargs)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        result = self._function(*args, **kwargs)
        hash(result)  # a list or a dictionary could be changed by whoever gets it
        with self._lock:
            self._kept[key] = result
            if len(self._kept) > self.most:
                self._kept.popitem(last=False)
        return result

    def forget(self) -> None:
        """Drop every result, as in a process that has just begun."""
        with self._lock:
            self._kept.clear()

    def __len__(self) -> int:
        return len(self._kept)


_every: list[Remembered[..., Any]] = []


def remembered(most: int) -> Callable[[Callable[P, R]], Remembered[P, R]]:
    """Remember the results of a function, so many of them; see `Remembered`.

    >>> @remembered(most=100)
    ... def total(values: list[float]) -> tuple[float]:
    ...     return (sum(values),)
    >>> total([0.5, 1.0]) is total([0.5, 1.0]), total([1, 2]), total([1.0, 2.0])
    (True, (3,), (3.0,))
    """

    def wrap(function: Callable[P, R]) -> Remembered[P, R]:
        made = Remembered(function, most)
        _every.append(made)
        return made

    return wrap


def forget_all() -> None:
    """Drop every result of every remembered function, as in a process that has just begun."""
    for each in _every:
        each.forget()


def _digest(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bytes:
    return blake2b(msgspec.msgpack.encode((args, kwargs)), digest_size=16).digest()
