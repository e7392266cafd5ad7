"""One file of a site: where it lies, and its bytes, which may be made only when they are wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, init=False)
class SiteFile:
    """A file as it will be written.

    Attributes:
        path: Within the site, posix and relative.
        data: Its bytes.

    >>> SiteFile("a.txt", b"a").data, SiteFile("b.txt", lambda: b"b").data
    (b'a', b'b')
    """

    path: str
    _content: bytes | Callable[[], bytes]

    def __init__(self, path: str, data: bytes | Callable[[], bytes]) -> None:
        object.__setattr__(self, "path", path)
        object.__setattr__(self, "_content", data)

    @property
    def data(self) -> bytes:
        """Its bytes, made when they are first asked for."""
        content = self._content
        if not isinstance(content, bytes):
            content = content()
            object.__setattr__(self, "_content", content)
        return content
