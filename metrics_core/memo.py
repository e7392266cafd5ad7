"""Results of pure functions by the content of their arguments, kept as long as the memo they were asked of.

Where one line was added to a log, all but a few of an experiment's groups hold the runs that they held
before: what was computed of these is not computed twice. Nothing is written. Only functions whose results are
frozen, and depend on nothing but their arguments, may be asked for through a memo.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import Any, ParamSpec, TypeVar

import msgspec

P = ParamSpec("P")
R = TypeVar("R")

MOST = 1 << 14
"""Results that are kept by default: some kilobytes each."""


class Memo:
    """Gives the same object again for the same function and the same arguments.

    Arguments are compared by the bytes that they are written as, so that 0, 0.0 and -0.0 stay three things;
    the bytes themselves are not kept, only 16 of their digest. Any thread may ask.

    Args:
        most: Results that are kept; beyond that the one that was not wanted for longest is dropped.

    Raises:
        ValueError: ``most`` is below 1.

    >>> def total(values: list[float]) -> tuple[float]:
    ...     return (sum(values),)
    >>> memo = Memo()
    >>> memo(total, [0.5, 1.0]) is memo(total, [0.5, 1.0]), memo(total, [1, 2]), memo(total, [1.0, 2.0])
    (True, (3,), (3.0,))
    """

    def __init__(self, most: int = MOST) -> None:
        if most < 1:
            raise ValueError(f"{most} results to keep, expected 1 or more")
        self.most = most
        self._kept: OrderedDict[bytes, Any] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The function's result, computed now or before.

        Args:
            function: A function of a module.
            args: Numbers, texts, None, and lists, tuples, dictionaries or Structs of these.
            kwargs: The same.

        Raises:
            TypeError: The result could be changed by whoever gets it.
        """
        try:
            key = _digest(function, args, kwargs)
        except OverflowError:  # an integer beyond 64 bits: no data of ours, not worth another way to write
            return function(*args, **kwargs)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                found: R = self._kept[key]
                return found
        result = function(*args, **kwargs)
        self._keep(key, result)
        return result

    def ahead(
        self,
        function: Callable[..., R],
        at_once: Callable[[list[Any]], Sequence[R]],
        asked: Iterable[tuple[Any, ...]],
    ) -> None:
        """Make the results for many arguments together, which are given to whoever asks for one of them.

        Args:
            function: As it will be asked for, by positions alone.
            at_once: A list of arguments -> what the function gives for each.
            asked: Arguments; those that have a result already are left out.

        >>> memo = Memo()
        >>> memo.ahead(abs, lambda asked: [abs(x) for x, in asked], [(-1,), (-2,)])
        >>> len(memo), memo(abs, -2)
        (2, 2)
        """
        keyed = {_digest(function, each, {}): each for each in asked}
        with self._lock:
            missing = {key: each for key, each in keyed.items() if key not in self._kept}
        for key, result in zip(missing, at_once(list(missing.values())), strict=True):
            self._keep(key, result)

    def _keep(self, key: bytes, result: Any) -> None:
        hash(result)  # a list or a dictionary could be changed by whoever gets it
        with self._lock:
            self._kept[key] = result
            if len(self._kept) > self.most:
                self._kept.popitem(last=False)

    def __len__(self) -> int:
        return len(self._kept)

    def __reduce__(self) -> tuple[object, ...]:
        """Another process gets an empty one: what was kept here saves it nothing that it asks for."""
        return Memo, (self.most,)


def _digest(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> bytes:
    name = f"{function.__module__}.{function.__qualname__}"
    return blake2b(msgspec.msgpack.encode((name, args, kwargs)), digest_size=16).digest()
