"""A folder of entries, each under the digest of everything that it depends on, and with its own.

An entry is plain data: one line with its digest, one with what it is of, and its bytes. It is believed where
the digest holds over all that follows and what it is of is, part for part, what is asked for; else it is as
if it were not there. That finds what was cut short, altered by accident, or made by another version. Whoever
can write this folder can write entries with digests that hold: it is no protection against them.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from metrics_core.digest import canonical
from metrics_core.errors import PublishError
from metrics_core.text import many, visible

FOLDER = ".assay-cache"
"""Its name, beside the content folder."""

MOST = 1_024
"""KeptEntries that are kept; beyond that, those that were not asked for longest go."""

MOST_CHANGES = 3
"""Changed parts that a sentence names; the rest are counted."""

_ENDING = ".entry"

Parts = Mapping[str, str]
"""Everything that an entry depends on: what it is called, and its digest or its value."""


class _Head(msgspec.Struct, forbid_unknown_fields=True):
    kind: str
    name: str
    parts: dict[str, str]


def folder_of(content: Path) -> Path:
    """Where the entries of a project lie.

    >>> folder_of(Path("project/content")).as_posix().endswith("project/.assay-cache")
    True
    """
    return content.absolute().parent / FOLDER


class KeptEntries:
    """KeptEntries of one project. A folder or a disk that refuses is a cache without entries, never an error.

    Args:
        folder: Where they lie; made when the first is kept.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, kind: str, name: str, parts: Parts) -> tuple[bytes | None, str]:
        """An entry's bytes; or None, and in words why there are none.

        Args:
            kind: What sort of thing it is, such as ``site``.
            name: Which of them.
            parts: Everything that it depends on, as it is now.
        """
        if not self._is_ours():
            return None, "no entry was kept"
        path = self._path(kind, name, parts)
        found = _read(path)
        if found is not None and found[0] == _Head(kind, name, dict(parts)):
            with contextlib.suppress(OSError):
                os.utime(path)
            return found[1], ""
        if path.exists():
            return None, "the kept entry is not as it was written"
        earlier = (head for head in map(_read, self._newest(_prefix(kind, name))) if head is not None)
        before = next((head.parts for head, _ in earlier if (head.kind, head.name) == (kind, name)), None)
        return None, "no entry was kept" if before is None else _changes(before, parts)

    def keep(self, kind: str, name: str, parts: Parts, data: bytes) -> None:
        """Keep an entry for the next build, whole or not at all.

        Args:
            kind: What sort of thing it is.
            name: Which of them.
            parts: Everything that it depends on.
            data: Its bytes.
        """
        head = canonical({"kind": kind, "name": name, "parts": dict(parts)})
        rest = head + b"\n" + data
        with contextlib.suppress(OSError, PublishError):
            self.folder.mkdir(mode=0o700, exist_ok=True)
            if not self._is_ours():
                return
            with contextlib.suppress(FileExistsError), (self.folder / ".gitignore").open("x") as ignore:
                ignore.write("*\n")  # made anew or not at all: a link that came with a checkout leads nowhere
            handle, draft = tempfile.mkstemp(dir=self.folder, suffix=".draft")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_sum(rest) + b"\n" + rest)
                Path(draft).replace(self._path(kind, name, parts))
            except BaseException:
                with contextlib.suppress(OSError):
                    Path(draft).unlink()
                raise

    def sweep(self) -> None:
        """Take away drafts, and entries beyond those that are kept."""
        if self._is_ours():
            for path in (*list(self._newest())[MOST:], *self.folder.glob("*.draft")):
                with contextlib.suppress(OSError):
                    path.unlink()

    def _is_ours(self) -> bool:
        """Whether the folder is one, no link, and nobody else's."""
        try:
            found = self.folder.lstat()
        except OSError:
            return False
        return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()

    def _path(self, kind: str, name: str, parts: Parts) -> Path:
        return self.folder / f"{_prefix(kind, name)}{_sum(canonical(dict(parts))).decode()[:32]}{_ENDING}"

    def _newest(self, prefix: str = "") -> Iterator[Path]:
        """KeptEntries, those that were asked for last before others."""
        dated: list[tuple[int, str, Path]] = []
        for path in self.folder.glob(f"{prefix}*{_ENDING}"):
            with contextlib.suppress(OSError):
                dated.append((-path.stat().st_mtime_ns, path.name, path))
        yield from (path for _, _, path in sorted(dated))


def _sum(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()


def _prefix(kind: str, name: str) -> str:
    return f"{kind}-{_sum(name.encode()).decode()[:16]}-"


def _read(path: Path) -> tuple[_Head, bytes] | None:
    """An entry of which every byte is as it was written; None for anything else."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as file:
            digest, _, rest = file.read().partition(b"\n")
        head, _, data = rest.partition(b"\n")
        return (msgspec.json.decode(head, type=_Head), data) if digest == _sum(rest) else None
    except (OSError, ValueError, RecursionError):
        return None


def _changes(before: Parts, now: Parts) -> str:
    """What differs, in words."""
    differ = [part for part in sorted({*before, *now}) if before.get(part) != now.get(part)]
    became = {part: "came" if part not in before else "changed" if part in now else "went" for part in differ}
    changed = [f"{visible(part, escaped=True)} {became[part]}" for part in differ]
    more = len(changed) - MOST_CHANGES
    return ", ".join(changed[:MOST_CHANGES]) + (f", and {many(more, 'more change')}" if more > 0 else "")
