"""One file of a site: where it lies, and its bytes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SiteFile:
    """A file as it will be written.

    Attributes:
        path: Within the site, posix and relative.
        data: Its bytes.
    """

    path: str
    data: bytes
