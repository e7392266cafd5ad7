"""One file of a site: where it lies, and its bytes, which may be made only when they are wanted."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property


class SiteFile:
    """A file as it will be written.

    Args:
        path: Within the site, posix and relative.
        data: Its bytes, or what makes them.
        screened: Whether they were looked through for secrets when they were read.

    >>> SiteFile("a.txt", b"a").data, SiteFile("b.txt", lambda: b"b").data
    (b'a', b'b')
    """

    def __init__(self, path: str, data: bytes | Callable[[], bytes], *, screened: bool = False) -> None:
        self.path = path
        self.screened = screened
        self._content = data

    def __repr__(self) -> str:
        return f"SiteFile({self.path!r})"

    @cached_property
    def data(self) -> bytes:
        """Its bytes, made when they are first asked for."""
        return self._content if isinstance(self._content, bytes) else self._content()
