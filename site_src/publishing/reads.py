"""Which inputs a page was made from: noted while it is made, by what is read, and declared nowhere.

Does: give a value that notes it whenever more of it is read than its names. Does not: know what is done
with what was noted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar, cast

T = TypeVar("T")


class Reads:
    """What was read while something was made.

    >>> reads = Reads()
    >>> with reads.noted() as found:
    ...     reads.note("an experiment")
    >>> reads.note("another")
    >>> found
    {'an experiment'}
    """

    def __init__(self) -> None:
        self._open: list[set[str]] = []

    def note(self, what: str) -> None:
        """Say that something was read, to whatever is being made."""
        for found in self._open:
            found.add(what)

    @contextmanager
    def noted(self) -> Iterator[set[str]]:
        """What is read from now on, as long as this lasts."""
        found: set[str] = set()
        self._open.append(found)
        try:
            yield found
        finally:
            self._open = [other for other in self._open if other is not found]


def watched(value: T, note: Callable[[], None], *free: str, fixed: Mapping[str, Any] | None = None) -> T:
    """A stand-in for a value, which says so whenever more than its free attributes are read.

    It is no Struct: what would read one past its attributes, as copying it does, fails.

    Args:
        value: What is read; not altered.
        note: Called at each read.
        free: Attributes that are read without a note.
        fixed: Attributes without a note that are made from others: their values.
    """
    passed, known = frozenset(free), dict(fixed or {})

    def read(name: str) -> Any:
        if name in known:
            return known[name]
        if name not in passed and not name.startswith("__"):
            note()
        return getattr(value, name)

    return cast("T", _Watched(read))


class _Watched:
    __slots__ = ("_read",)

    def __init__(self, read: Callable[[str], Any]) -> None:
        self._read = read

    def __getattr__(self, name: str) -> Any:
        return self._read(name)

    @property  # type: ignore[misc]  # of the class of object it is a plain attribute
    def __class__(self) -> type[Any]:
        kind: type[Any] = self._read("__class__")
        return kind
