"""What an experiment is asked for by, wherever it lies: looked at, and its files opened.

Does: hand a folder or a file to `on_disk`, an address to `in_store`, and copy the few files to a disk whose
readers want one. Does not: interpret a byte.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.errors import InputError
from metrics_core.experiments.files import on_disk
from metrics_core.experiments.files.address import Address, Place, place
from metrics_core.experiments.files.entries import FolderEntry, Oddity, printable
from metrics_core.formats import decompression

MOST_COPIED = 256 * 2**20
"""Bytes of a contract or a task pack of a store that are copied to a disk, where their readers want them."""


class Asked(Struct, frozen=True):
    """What an experiment was asked for by: a folder, or one file, which is then all that it holds.

    Attributes:
        path: As it was given, absolute; or its address.
        root: The folder that paths are from.
        name: Of the experiment: the folder's, or the file's without what says how it is written.
        entries, oddities: What was found, in byte order of the paths.
    """

    path: Place
    root: Place
    name: str
    entries: tuple[FolderEntry, ...]
    oddities: tuple[Oddity, ...] = ()

    @property
    def single(self) -> bool:
        """Whether it is one file, named alone."""
        return self.path != self.root

    def with_folders(self, number: int) -> Asked:
        """The same file, known by the names of some of the folders that it lies in as well."""
        (entry,) = self.entries
        above = self.root.parts[1:][-number:]
        parts = self.root.parts[: len(self.root.parts) - len(above)]
        root = Path(*parts) if isinstance(self.root, Path) else replace(self.root, parts=parts)
        return replace(self, root=root, entries=(replace(entry, path="/".join((*above, entry.path))),))


def look_at(path: str | Place) -> Asked:
    """A folder with every file in it, or one file alone: nothing else of its folder is looked at.

    Raises:
        InputError: There is neither, or it cannot be listed.

    >>> look_at("no/such/folder")
    Traceback (most recent call last):
    metrics_core.errors.InputError: no/such/folder: there is no such file or folder
    """
    named = place(path)
    if isinstance(named, Address):
        return _look_into_store(named)
    asked = Path(os.path.abspath(named))  # noqa: PTH100 (links stay, so that the name is the one given)
    if asked.is_dir():
        return Asked(asked, asked, asked.name, *on_disk.walk(asked))
    if not asked.exists():
        raise InputError("there is no such file or folder", where=printable(str(path)))
    if not asked.is_file():
        hint = "give it as standard input: -"
        raise InputError("expected a folder or a regular file", where=printable(str(path)), hint=hint)
    file = Path(os.path.realpath(asked))  # the file that was named may be reached by a link
    entry = FolderEntry.of(file.name, file.stat())
    return Asked(asked, file.parent, decompression.stem(asked.name), (entry,))


def _look_into_store(address: Address) -> Asked:
    from metrics_core.experiments.files import in_store

    single, entries, oddities = in_store.find(address)
    if single:
        return Asked(address, address.parent, decompression.stem(address.name), entries)
    return Asked(address, address, address.name, entries, oddities)


def is_folder(root: Place, path: str) -> bool:
    """Whether a folder lies there; one of a store is known by its files alone."""
    return isinstance(root, Path) and (root / path).is_dir()


@contextmanager
def on_a_disk(root: Place, entries: Iterable[FolderEntry]) -> Iterator[Path]:
    """A folder in which these files lie: the one that they were found in, or copies as long as it is needed.

    Raises:
        InputError: As in `opened`; or they are larger than what is copied.
    """
    if isinstance(root, Path):
        yield root
        return
    left = MOST_COPIED
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        for entry in entries:
            left -= entry.size
            if left < 0:
                raise InputError(
                    f"expected at most {MOST_COPIED} bytes with those beside it", where=entry.where
                )
            file = Path(folder, entry.path)
            file.parent.mkdir(parents=True, exist_ok=True)
            with opened(root, entry) as found:
                file.write_bytes(found.read())
        yield Path(folder)


@contextmanager
def opened(root: Place, entry: FolderEntry) -> Iterator[BinaryIO]:
    """A file, open for reading; at the end all that was read is of the file that was found.

    Args:
        root: The folder, or its address.
        entry: As `look_at` found it.

    Raises:
        InputError: It is gone, cannot be read, is no regular file inside the folder, or is not as it was when
            the folder was looked at; also when it changed while it was read.
        ConfigError: What reads such addresses is not installed.
    """
    if isinstance(root, Path):
        with on_disk.opened(root, entry) as file:
            yield file
        return
    from metrics_core.experiments.files import in_store

    with in_store.opened(root, entry) as file:
        yield file
