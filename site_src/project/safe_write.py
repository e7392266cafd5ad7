"""New files in a content folder, each whole or not at all, and never over what somebody else put there.

Does: hold a file as it will be written, add files beside others, write one of this program's own anew, and
write a fresh folder that appears only when all of it is written. Does not: know a format or a record.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from metrics_core.api import NativeFile
from metrics_core.errors import InputError
from site_src.project import work_folder


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


def add_files(files: Iterable[SiteFile], folder: Path) -> None:
    """Add files to a folder, each whole or not at all.

    Args:
        files: Paths within the folder.
        folder: A content folder; it is made where there is none.

    Raises:
        InputError: A file is there already, or cannot be written; those before it stand.
    """
    for file in files:
        path = folder / file.path
        try:
            if not path.parent.is_dir():
                path.parent.mkdir(parents=True)
            handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
            try:
                with os.fdopen(handle, "wb") as out:
                    os.fchmod(out.fileno(), 0o644)
                    out.write(file.data)
                    out.flush()
                    os.fsync(out.fileno())
                os.link(beside, path)  # refuses where a rename would replace
            finally:
                with suppress(OSError):
                    Path(beside).unlink()
        except OSError as error:
            if path.exists():
                there = InputError("is there already", where=file.path, hint="nothing is overwritten")
                raise there from error
            raise InputError(f"cannot be written: {error.strerror}", where=file.path) from error


def replace_file(path: Path, data: bytes) -> None:
    """Write a file anew, whole or not at all.

    Args:
        path: Where it stands, or will.
        data: Its bytes.

    Raises:
        OSError: The disk refuses; what stood there still does.
    """
    handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            os.fchmod(out.fileno(), path.stat().st_mode & 0o777 if path.exists() else 0o644)
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        Path(beside).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(beside).unlink()
        raise


def write_folder(files: Iterable[NativeFile], folder: Path) -> None:
    """Write files into a folder of their own, made beside its place and then moved there.

    Args:
        files: Paths relative to the folder; an empty one is left out.
        folder: Where it will stand; nothing may be there yet.

    Raises:
        InputError: Something is there, or it cannot be written there.
    """
    if folder.exists() or folder.is_symlink():
        raise InputError("is there already", where=folder.name, hint="name a folder that does not exist yet")
    try:
        with work_folder.held(folder) as work:
            work.clear()
            making = work.path / "folder"
            making.mkdir()
            for file in filter(lambda file: file.data, files):
                path = making / file.path
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.data)
            making.rename(folder)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=folder.name) from error
