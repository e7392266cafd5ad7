"""Files of the standing site that a build takes over: read once, believed by their digest, named anew.

Does: read the files of a part, refuse all of them where one is not, byte for byte, what the earlier build
wrote, and put the name of this build where that one's stood. A file that does not name its build stays the
same file: the writer links it. Does not: know which part would be made the same.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from metrics_core.digest import of_bytes
from metrics_core.errors import PublishError
from site_src.marks import identicon
from site_src.project import SiteFile, StandingFile
from site_src.publishing import leaks
from site_src.wording import svg_markup

SHORTEST = 8
"""Digits of the build's digest by which a page names it, or more."""

MOST_HELD = 16 * 2**20
"""Bytes of a part's files that are held from when they are looked at until they are written; of the others,
each is read again."""

_DIGIT = re.compile(rb"[0-9a-f]")


class BuildNames:
    """How one build is named where another was: by the digits of its digest, and its mark.

    Args:
        before: ``sha256:`` and the digest of the build that wrote a file.
        now: The same of the other.

    >>> named = BuildNames("sha256:0123abcdef012345", "sha256:9876543210fedcba")
    >>> named(b"0.1.0+0123abcd, 0123abcdef")
    b'0.1.0+98765432, 9876543210'
    >>> named(b"ff0123abcd 0123abcd00")
    b'ff0123abcd 0123abcd00'
    """

    def __init__(self, before: str, now: str) -> None:
        self._before, self._now = (digest.removeprefix("sha256:").encode() for digest in (before, now))
        self._marks = _mark(before), _mark(now)
        self._digits = re.compile(re.escape(self._before[:SHORTEST]) + rb"[0-9a-f]*")

    def __call__(self, data: bytes) -> bytes:
        """A file as the other build would write it; the same object where nothing in it changes."""
        if self._before == self._now:
            return data
        named = data.replace(*self._marks) if self._marks[0] in data else data
        if self._before[:SHORTEST] not in named:
            return named
        made = self._digits.sub(self._named, named)
        return data if made == data else made

    def _named(self, found: re.Match[bytes]) -> bytes:
        run, at = found[0], found.start()
        alone = not _DIGIT.match(found.string[at - 1 : at])
        return self._now[: len(run)] if alone and self._before.startswith(run) else run


class StandingFiles:
    """The files of one site, for a build that takes some of them over.

    Args:
        site: Where it stands, without links.
        names: What names this build where the earlier one is named.
    """

    def __init__(self, site: str, names: BuildNames) -> None:
        self._site, self._names = site, names

    def of(self, listed: Iterable[tuple[str, str]]) -> dict[str, SiteFile] | None:
        """Files of the site as this build writes them, by path; None if one is not as it was left.

        Args:
            listed: Path and sha256 of each, as the earlier build wrote it.
        """
        found: dict[str, SiteFile] = {}
        held = 0
        try:
            for path, digest in listed:
                file = self._file(path, digest, MOST_HELD - held)
                if file is None:
                    return None
                found[path], size = file
                held += size
        except (OSError, ValueError):
            return None
        return found

    def _file(self, path: str, digest: str, room: int) -> tuple[SiteFile, int] | None:
        """A file, and how many of its bytes are held; None if it is not as it was left."""
        at = Path(self._site, path)
        again = partial(self._read_again, path, digest)
        with os.fdopen(_opened(at), "rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            text = path.endswith(leaks.TEXT)
            if text and size <= room:
                data = file.read()
                if hashlib.sha256(data).hexdigest() != digest:
                    return None
                named = self._names(data)
                if named is not data:
                    return SiteFile(path, named, screened=True), len(named)
            elif hashlib.file_digest(file, "sha256").hexdigest() != digest:
                return None
            elif text:
                return SiteFile(path, again, screened=True), 0
        return SiteFile(path, again, screened=True, standing=StandingFile(at, size, digest)), 0

    def _read_again(self, path: str, digest: str) -> bytes:
        """A file that was looked at before, with the name of this build.

        Raises:
            PublishError: It changed since.
        """
        try:
            with os.fdopen(_opened(Path(self._site, path)), "rb") as file:
                data = file.read()
        except OSError as error:
            raise PublishError(f"cannot be read: {error.strerror}", where=path, hint="build again") from error
        if of_bytes(data) != f"sha256:{digest}":
            raise PublishError("changed while the site was built", where=path, hint="build again")
        return self._names(data) if path.endswith(leaks.TEXT) else data


def _opened(path: Path) -> int:
    """A regular file, opened through no link.

    Raises:
        OSError: It is none, or cannot be read.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError("not a regular file")
    return handle


def _mark(digest: str) -> bytes:
    return str(svg_markup(identicon(digest, "site"))).encode()
