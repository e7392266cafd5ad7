"""The cyclic collector, and when it pauses."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """The cyclic collector pauses, for work that makes many objects and no cycles: it would walk all of them.

    What is no part of a cycle is freed as ever. Where the collector pauses already, it goes on pausing.

    >>> import gc
    >>> with uncollected():
    ...     gc.isenabled()
    False
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
