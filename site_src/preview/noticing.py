"""Which files of a watched folder count, and whether one is as it was last told of.

Does: pass over what editors, systems and this program leave behind, and keep the stat signature under which
each file was last told. Does not: watch; `site_src.preview.watching` does.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Set as AbstractSet
from pathlib import Path

Signature = tuple[int, int, int]
"""Size, time of the last writing in nanoseconds, inode."""

APART = frozenset({"_site", "_public", "__pycache__", "node_modules"})
"""Folders that are made, not written by hand; hidden ones, such as ``.assay-cache``, are passed over too."""

_DROPPING = re.compile(
    r"4913|#.*#|.*~|.*\.(?:swp|swo|swx|part|tmp|bak|crdownload|pyc)|.*___jb_(?:tmp|old)___|Thumbs\.db"
)


def passed_over(path: str) -> bool:
    """Whether a path within a watched folder is none of its files: hidden, made, or an editor's dropping.

    Args:
        path: From the watched folder, with ``/``.

    >>> [passed_over(p) for p in ("index.md", "a/.git/x", "notes/4913", "about.md~", ".#a", "_site/a.html")]
    [False, True, True, True, True, True]
    """
    *folders, name = path.split("/")
    hidden = any(part.startswith(".") for part in (*folders, name))
    return hidden or not APART.isdisjoint(folders) or name in APART or _DROPPING.fullmatch(name) is not None


def signature(path: str) -> Signature | None:
    """What a file is recognised by; None where there is no regular file, followed through links."""
    try:
        told = os.stat(path)  # noqa: PTH116 (thousands a sweep: a Path each would cost more than the call)
    except OSError:
        return None
    return (told.st_size, told.st_mtime_ns, told.st_ino) if stat.S_ISREG(told.st_mode) else None


def files(root: Path, breathe: Callable[[], None] = lambda: None) -> Iterator[tuple[str, Signature]]:
    """Every file below a folder that counts, with its signature; whatever vanishes meanwhile is left out.

    Args:
        root: The folder.
        breathe: Called once a folder, so that a sweep of a large tree can let others run.
    """
    pending = [(str(root), "")]
    while pending:
        folder, within = pending.pop()
        breathe()
        try:
            with os.scandir(folder) as found:
                items = list(found)
        except OSError:
            continue
        for item in items:
            inner = f"{within}/{item.name}" if within else item.name
            if passed_over(inner):
                continue
            try:
                if item.is_dir(follow_symlinks=False):
                    pending.append((item.path, inner))
                elif item.is_file():
                    told = item.stat()
                    yield item.path, (told.st_size, told.st_mtime_ns, told.st_ino)
            except OSError:
                continue


class Ledger:
    """Under which signature each file was last told of; used by one thread at a time."""

    def __init__(self) -> None:
        self._told: dict[str, Signature] = {}

    def __contains__(self, path: str) -> bool:
        return path in self._told

    def emptied(self, path: str, now: Signature | None) -> bool:
        """Whether a file that held something is gone or empty: most often, half of a save."""
        before = self._told.get(path)
        return before is not None and before[0] > 0 and (now is None or now[0] == 0)

    def moved_on(self, path: str, now: Signature | None) -> bool:
        """Whether a file is not as it was last told of; from now on it is."""
        if self._told.get(path) == now:
            return False
        if now is None:
            del self._told[path]
        else:
            self._told[path] = now
        return True

    def below(self, folder: str) -> list[str]:
        """Paths last told of that lie below a folder."""
        return [path for path in self._told if path.startswith(folder + os.sep)]

    def compare(self, root: str, found: Mapping[str, Signature], but: AbstractSet[str]) -> list[str]:
        """Paths below a folder that are not as they were last told of; from now on they are.

        Args:
            root: The folder.
            found: What lies in it now.
            but: Paths that are left as they are.
        """
        gone = [path for path in self.below(root) if path not in found]
        return [path for path in (*found, *gone) if path not in but and self.moved_on(path, found.get(path))]
