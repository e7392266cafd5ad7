"""New files in a content folder, each whole or not at all, and never over anything that is there.

Does: add files beside others, take them away again where what they are for fails, and write a fresh folder
that appears only when all of it is written. Does not: know a format or a record.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from metrics_core.api import NativeFile
from metrics_core.errors import InputError
from site_src.project.site_file import SiteFile


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
        beside = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            if not path.parent.is_dir():
                path.parent.mkdir(parents=True)
            with beside.open("wb") as out:
                out.write(file.data)
                out.flush()
                os.fsync(out.fileno())
            os.link(beside, path)  # refuses where a rename would replace
        except OSError as error:
            if path.exists():
                there = InputError("is there already", where=file.path, hint="nothing is overwritten")
                raise there from error
            raise InputError(f"cannot be written: {error.strerror}", where=file.path) from error
        finally:
            with suppress(OSError):
                beside.unlink()


@contextmanager
def unless_it_fails(files: Sequence[SiteFile], folder: Path | None) -> Iterator[None]:
    """Add files before something is done, and take them away again if that fails.

    A publication is recorded so: an edition that was recorded and, the machine having stopped, not published
    is published by the next `publish` of the same inputs; one published and not recorded could not be.
    """
    if folder is None or not files:
        yield
        return
    add_files(files, folder)
    try:
        yield
    except BaseException:
        for file in files:
            (folder / file.path).unlink(missing_ok=True)
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
    making = folder.with_name(f".{folder.name}.importing")
    try:
        shutil.rmtree(making, ignore_errors=True)
        for file in filter(lambda file: file.data, files):
            path = making / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)
        making.rename(folder)
    except OSError as error:
        shutil.rmtree(making, ignore_errors=True)
        raise InputError(f"cannot be written: {error.strerror}", where=folder.name) from error
