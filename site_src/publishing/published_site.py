"""A published site as files to be read: those that its manifest lists, and no other.

Whoever made a site may have written anything into it, paths as well. So every file is opened here: inside the
folder, through no link, only if it is a regular file of the listed size and digest. What a site's own indexes
name elsewhere (``/dev/zero``, ``../x``, a pipe) is not listed, and so is never opened.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from metrics_core.errors import FormatError, InputError
from metrics_core.formats import strict_json
from metrics_core.text import visible
from site_src.publishing.kept_files import MANIFEST, UNLISTED, is_kept
from site_src.publishing.writer import MANIFEST_SCHEMA, Manifest, on_any_disk

STATEMENT, SIGNATURE = "statement.json", "statement.json.sig"
LARGEST = 4 << 30
"""Bytes of a file of a site; a larger one is not read."""
LARGEST_UNLISTED = 256 << 20
"""Bytes of a file whose size no manifest vouches for: the manifest itself, and the statement over it."""
LONGEST_PATH = 1024
_CHUNK = 1 << 20
_NO_LINK = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW

Progress = Callable[[str, int, int | None], None]


class PublishedSite:
    """The files of a built or downloaded site.

    Args:
        folder: Of the site; it is only read.
        manifest: What it is said to hold: `read_manifest`.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self._listed = {path: (size, digest) for path, size, digest in manifest.files}

    @property
    def paths(self) -> tuple[str, ...]:
        """Every listed path, sorted."""
        return tuple(sorted(self._listed))

    def __contains__(self, path: str) -> bool:
        return path in self._listed

    def under(self, folder: str, ending: str = "", *, deep: bool = False) -> tuple[str, ...]:
        """Listed paths within a folder of the site, sorted.

        Args:
            folder: Ends in a slash; empty for the whole site.
            ending: What their names end in.
            deep: Those in folders within it, too.
        """
        return tuple(
            path
            for path in self.paths
            if path.startswith(folder) and path.endswith(ending) and (deep or "/" not in path[len(folder) :])
        )

    def read(self, path: str) -> bytes:
        """The bytes of a file.

        Args:
            path: Within the site, as the manifest spells it.

        Raises:
            InputError: It is not listed, is no regular file, or is not what the manifest lists.
        """
        path = str(path)  # as an index of a stranger's names it: of any type
        if path not in self._listed:
            raise InputError("the site has no such file", where=shown(path[:200]))
        size, digest = self._listed[path]
        data = b"".join(_chunks(self.folder, path, size))
        if hashlib.sha256(data).hexdigest() != digest:
            raise InputError("is not the file that the manifest lists", where=shown(path))
        return data

    def json(self, path: str) -> Any:
        """The value of a JSON file, strictly.

        Raises:
            InputError: As `read`; or it is no strict JSON.
        """
        return strict_json.document(self.read(path), shown(path))

    def unlisted(self, path: str) -> bytes | None:
        """The bytes of the statement or of its signature, which no manifest can list; None without it.

        Raises:
            InputError: It is there and is no regular file, or too large.
        """
        try:
            return b"".join(_chunks(self.folder, path, None))
        except FileNotFoundError:
            return None

    def kept(self, keep: Sequence[str]) -> tuple[str, ...]:
        """Files that no manifest lists and that the site's settings keep all the same, sorted.

        Args:
            keep: Patterns; see `site_src.publishing.kept_files.is_kept`.
        """
        found = (path for path, is_file in _walk(self.folder) if is_file and path not in self._listed)
        return tuple(sorted(path for path in found if path not in UNLISTED and is_kept(path, keep)))

    def faults(
        self, progress: Progress = lambda what, done, total: None, *, kept: Sequence[str] = ()
    ) -> Iterator[str]:
        """Every file that is not what the manifest lists, is missing, is extra, or is no file.

        Args:
            progress: Called with how far it has come.
            kept: Files that are none of the site's and may lie in it.
        """
        present = set()
        for number, (path, is_file) in enumerate(sorted(_walk(self.folder))):
            progress("hashing files", number, len(self._listed))
            present.add(path)
            if not is_file:
                yield f"{shown(path)}: not a regular file"
            elif path in self._listed:
                yield from self._differs(path)
            elif path not in UNLISTED and path not in kept:
                yield f"{shown(path)}: is not in the manifest"
        yield from (f"{shown(path)}: is missing" for path in self.paths if path not in present)

    def _differs(self, path: str) -> Iterator[str]:
        size, digest = self._listed[path]
        found = hashlib.sha256()
        try:
            for chunk in _chunks(self.folder, path, size):
                found.update(chunk)
        except InputError as error:
            yield str(error)
            return
        if found.hexdigest() != digest:
            yield f"{shown(path)}: is not the file that the manifest lists"


def shown(path: str) -> str:
    r"""A path as a message may hold it, whatever its characters.

    >>> print(shown("a\x1b[2Jb"))
    a\u001b[2Jb
    """
    return visible(path, escaped=True)


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a site, strictly.

    Args:
        folder: Of the site.

    Raises:
        InputError: There is none, or it is not spelled as a site's is: sorted, each path once whatever its
            case or Unicode form, none that leaves the folder.
    """
    try:
        data = b"".join(_chunks(folder, MANIFEST, None))
    except (FileNotFoundError, NotADirectoryError) as bad:
        raise InputError(
            f"holds no {MANIFEST}", where=shown(folder.name), hint="name the folder of a built site"
        ) from bad
    return manifest_of(data)


def manifest_of(data: bytes) -> Manifest:
    """The manifest that these bytes are, strictly.

    Raises:
        InputError: It is not spelled as a site's is.
    """
    manifest = Manifest(tuple(_rows(strict_json.document(data, MANIFEST))))
    if manifest.to_bytes() != data:
        raise FormatError("is not spelled as it was published", where=MANIFEST)
    return manifest


def _rows(document: Any) -> Iterator[tuple[str, int, str]]:
    """The rows of a manifest, each checked."""
    if not isinstance(document, dict) or document.get("schema") != MANIFEST_SCHEMA:
        raise FormatError(f"not a manifest: expected {MANIFEST_SCHEMA}", where=MANIFEST)
    rows = document.get("files")
    if not isinstance(rows, list):
        raise FormatError("not a manifest: expected a list of files", where=MANIFEST)
    folded: dict[str, str] = {}
    last = ""
    for at, row in enumerate(rows):
        where = f"{MANIFEST}#/files/{at}"
        if not isinstance(row, dict) or row.keys() != {"path", "size", "sha256"}:
            raise FormatError("expected path, size and sha256", where=where)
        path, size, digest = row["path"], row["size"], row["sha256"]
        if not isinstance(path, str) or not is_within(path) or path in UNLISTED:
            raise FormatError(f"expected a path within the site, got {shown(str(path)[:200])!r}", where=where)
        if type(size) is not int or not 0 <= size <= LARGEST:
            raise FormatError(f"expected a size of 0 to {LARGEST} bytes, got {str(size)[:40]}", where=where)
        if not isinstance(digest, str) or len(digest) != 64 or digest.strip("0123456789abcdef"):
            raise FormatError("expected 64 hex digits", where=where)
        same = folded.setdefault(on_any_disk(path), path)
        if same is not path:
            raise FormatError(f"{shown(path)} is listed twice, once as {shown(same)}", where=where)
        if path < last:
            raise FormatError(f"{shown(path)} is out of order", where=where)
        last = path
        yield path, size, digest


def is_within(path: str) -> bool:
    r"""Whether a path names something within its folder, by its spelling alone.

    >>> [is_within(path) for path in ("a/b", "/a", "a/../b", "a//b", "", "a\\b", "a\0")]
    [True, False, False, False, False, False, False]
    """
    return (
        len(path) <= LONGEST_PATH
        and not any(part in ("", ".", "..") for part in path.split("/"))
        and "\\" not in path
        and "\0" not in path
    )


def _walk(folder: Path) -> Iterator[tuple[str, bool]]:
    """(path within the site, whether it is a regular file) of all but folders; links are not followed."""
    waiting = [(str(folder), "")]
    while waiting:
        place, prefix = waiting.pop()
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((entry.path, f"{prefix}{entry.name}/"))
                else:
                    yield f"{prefix}{entry.name}", entry.is_file(follow_symlinks=False)


def _chunks(folder: Path, path: str, size: int | None) -> Iterator[bytes]:
    """The bytes of a regular file of that size, reached through no link; no more than that is ever read.

    A pipe or a device is opened without waiting, seen for what it is, and closed.
    """
    *parents, name = path.split("/")
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
    try:
        for parent in parents:
            inner = os.open(parent, _NO_LINK | os.O_DIRECTORY, dir_fd=handle)
            os.close(handle)
            handle = inner
        found = os.open(name, _NO_LINK | os.O_NONBLOCK, dir_fd=handle)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as bad:  # a link, a socket, a folder in a file's place, a name no disk has
        raise InputError("not a regular file", where=shown(path)) from bad
    finally:
        os.close(handle)
    try:
        status = os.fstat(found)
        if not stat.S_ISREG(status.st_mode):
            raise InputError("not a regular file", where=shown(path))
        most = LARGEST_UNLISTED if size is None else size
        if status.st_size > most or (size is not None and status.st_size != size):
            expected = f"at most {most}" if size is None else f"{size}"
            raise InputError(f"holds {status.st_size} bytes, expected {expected}", where=shown(path))
        left = status.st_size
        while left and (chunk := os.read(found, min(left, _CHUNK))):
            left -= len(chunk)
            yield chunk
    finally:
        os.close(found)
