"""Where an error is told to be, in which experiment, and to whom: raised, or told with all others."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from metrics_core.errors import AssayError, ContractError
from metrics_core.experiments import Address, Place, printable, slug

T = TypeVar("T")
R = TypeVar("R")

Told = Callable[[AssayError], None]
"""Called with each error in place of raising it, by whoever wants all of them."""


def each_made(make: Callable[[T], R], things: Iterable[T], told: Told | None) -> Iterator[R]:
    """What is made of each thing that it can be made of.

    Args:
        make: Makes it, or raises an error.
        things: What it is made of.
        told: Called with the error of each that it cannot be made of; None raises the first.

    >>> def made(text: str) -> int:
    ...     if not text.isdigit():
    ...         raise AssayError("no number", where=text)
    ...     return int(text)
    >>> errors: list[AssayError] = []
    >>> list(each_made(made, ["1", "a", "2", "b"], errors.append)), [error.where for error in errors]
    ([1, 2], ['a', 'b'])
    """
    for thing in things:
        try:
            yield make(thing)
        except AssayError as error:
            if told is None:
                raise
            told(error)


@contextmanager
def told_of(path: Place) -> Iterator[None]:
    """Every error within says which experiment it is in, by the path at which its user knows it.

    Args:
        path: Of the experiment, a folder or one file, or its address.

    Raises:
        AssayError: As it was raised, its place told from where this program was started.
    """
    try:
        yield
    except AssayError as error:
        first = re.split(r"[:#]", error.where, maxsplit=1)[0]
        if isinstance(path, Address):
            file = bool(first) and not isinstance(error, ContractError)
            raise error.within(printable(str(path)), slug(path.name), file=file) from error
        whole = Path(os.path.abspath(path))  # noqa: PTH100 (links stay, so that the name is the one given)
        typed = printable(str(whole.relative_to(Path.cwd()) if whole.is_relative_to(Path.cwd()) else whole))
        raise error.within(typed, slug(whole.name), file=bool(first) and (whole / first).exists()) from error
