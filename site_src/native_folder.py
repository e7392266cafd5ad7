"""Writes an imported experiment: a fresh folder, whole or not at all. Knows no format and no record."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from metrics_core.errors import InputError
from metrics_core.importing import NativeFile


def write(files: Iterable[NativeFile], folder: Path) -> None:
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
