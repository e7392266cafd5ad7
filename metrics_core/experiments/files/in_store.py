"""Finds and opens the files below an address through fsspec, as `on_disk` does.

Does: list a store, read ranges of a file, notice a file that is no longer the one that was listed, and say in
one line what a store answers. A store has no links; a name in it that could be no file's beside the others on
a disk is told and not read. Does not: take keys from an address or repeat one: the store's own library finds
them in the environment.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn, cast

from metrics_core.errors import AssayError, ConfigError, InputError
from metrics_core.experiments.files.address import Address, is_name
from metrics_core.experiments.files.entries import MOST_FILES, FolderEntry, Oddity, printable
from metrics_core.redaction import Redactor

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

EXTRA = "assay-report[remote]"
"""What is installed for addresses to be read."""

FIRST, MOST = 256 * 2**10, 8 * 2**20
"""Bytes of the first request of a file, and of any: one that follows another asks for twice as much."""

LONGEST_ANSWER = 200
"""Characters of a store's answer that are told."""

CHANGED, WAIT = "changed while it was read", "wait until the harness has finished, then build again"

_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "s3": {
        "use_listings_cache": False,
        "config_kwargs": {"connect_timeout": 5, "retries": {"max_attempts": 2}},
    },
    "memory": {},
}


def find(address: Address) -> tuple[bool, tuple[FolderEntry, ...], tuple[Oddity, ...]]:
    """What lies at an address: one file, or every file below it, in byte order of their paths.

    Returns:
        Whether it is one file; the files, their paths from the address, or the file's name; and what else
        was found.

    Raises:
        InputError: There is nothing, or it cannot be listed, or there are more files than anyone publishes.
        ConfigError: The library of this store is not installed.
    """
    store = store_of(address)
    try:
        about = store.info(address.path)
        if about["type"] != "directory":
            return True, (_entry(address.name, about),), ()
        listed = store.find(address.path, detail=True)
    except Exception as error:  # noqa: BLE001 (each store's library raises its own)
        _refuse(address, error)
    if len(listed) > MOST_FILES:
        raise InputError(f"expected at most {MOST_FILES} files", where=str(address))
    top = f"{address.path}/"
    below = {name.lstrip("/").removeprefix(top): about for name, about in listed.items()}
    folders = {path[:at] for path in below for at, letter in enumerate(path) if letter == "/"}
    entries, oddities = [], []
    for path, about in below.items():
        if path in ("", top) or (path.endswith("/") and not about["size"]):
            continue  # what some tools leave in the place of a folder
        if not all(map(is_name, path.split("/"))):
            oddities.append(Oddity(path, "a name that no file on a disk has"))
        elif path in folders:
            oddities.append(Oddity(path, "a file that has the name of a folder"))
        else:
            entries.append(_entry(path, about))
    return (
        False,
        tuple(sorted(entries, key=lambda entry: entry.path.encode())),
        tuple(sorted(oddities, key=lambda oddity: oddity.path.encode("utf-8", "surrogatepass"))),
    )


@contextmanager
def opened(root: Address, entry: FolderEntry) -> Iterator[BinaryIO]:
    """A file, open for reading; all that is read of it is of the content that was listed.

    Args:
        root: The folder.
        entry: As `find` gave it.

    Raises:
        InputError: It is gone, cannot be read, or is not as it was when the folder was listed; also when it
            changed while it was read.
        ConfigError: The library of this store is not installed.
    """
    at = root / entry.path
    store = store_of(at)
    try:
        if root.scheme == "s3":
            content = store.open(at.path, "rb", block_size=FIRST, cache_type="none", fill_cache=False)
            about = content.details
        else:
            about, content = store.info(at.path), io.BytesIO(store.cat_file(at.path))
    except Exception as error:  # noqa: BLE001 (as above)
        _refuse(at, error)
    if _entry(entry.path, about) != entry:
        _changed(at, "has changed since the folder was looked at")
    with content, io.BufferedReader(_Ahead(content, at, entry.size)) as file:
        yield cast("BinaryIO", file)


class _Ahead(io.RawIOBase):
    """A file of a store, asked for in ranges that grow while it is read in order.

    Args:
        content: Gives the bytes from where it stands.
        at: Its address, for errors.
        size: Of the file, in bytes.
    """

    def __init__(self, content: Any, at: Address, size: int) -> None:
        self._content, self._at, self._size = content, at, size
        self._here = 0
        self._held, self._held_from, self._next = b"", 0, FIRST

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._here

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._here = max(
            0, offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._here, io.SEEK_END: self._size}[whence]
        )
        return self._here

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer).cast("B")
        start = self._here - self._held_from
        if not 0 <= start < len(self._held):
            self._ask(len(view))
            start = 0
        piece = self._held[start : start + len(view)]
        view[: len(piece)] = piece
        self._here += len(piece)
        return len(piece)

    def _ask(self, least: int) -> None:
        follows = self._here == self._held_from + len(self._held)
        self._next = min(2 * self._next, MOST) if follows and self._held else FIRST
        wanted = min(max(least, self._next), self._size - self._here)
        try:
            self._content.seek(self._here)
            self._held = self._content.read(wanted) if wanted > 0 else b""
        except Exception as error:  # noqa: BLE001 (as above)
            _refuse(self._at, error)
        self._held_from = self._here
        if len(self._held) < wanted:
            _changed(self._at, CHANGED)


def store_of(address: Address) -> Any:
    """The store of an address, as fsspec gives it: one a process.

    Raises:
        ConfigError: The library of this store is not installed.
    """
    try:
        import fsspec

        return fsspec.filesystem(address.scheme, **_OPTIONS[address.scheme])
    except ImportError as error:
        raise ConfigError(
            f"{address.scheme}:// is read by libraries that are not installed",
            where=str(address),
            hint=f"pip install '{EXTRA}'",
        ) from error


def _entry(path: str, about: Mapping[str, Any]) -> FolderEntry:
    """A file by what a store says of it: its tag where it has one, which is of its content, else its time."""
    made = about.get("created")
    tag = str(about.get("ETag") or (made.timestamp() if isinstance(made, datetime) else made) or "")
    return FolderEntry(path, int(about["size"]), mtime_ns=0, ctime_ns=0, inode=0, tag=tag)


def _changed(at: Address, problem: str) -> NoReturn:
    raise InputError(problem, where=printable(str(at)), hint=WAIT)


def _refuse(at: Address, error: Exception) -> NoReturn:
    """Say in one line what a store answered."""
    if isinstance(error, AssayError):
        raise error
    problem, hint = answer_of(at, error)
    raise InputError(problem, where=printable(str(at)), hint=hint) from error


def answer_of(at: Address, error: Exception) -> tuple[str, str]:
    """What a store answered: the problem and a hint, without the keys that it may repeat.

    Args:
        at: What was asked for.
        error: As the library of the store raised it.
    """
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if "FileExpired" in kinds:
        return CHANGED, WAIT
    if "FileNotFoundError" in kinds:
        bucket = at.scheme == "s3" and (len(at.parts) == 1 or "bucket" in str(error).lower())
        return f"there is no such {'bucket' if bucket else 'file or folder'}", ""
    if "NoCredentialsError" in kinds:
        return "no keys to this store were found", "set AWS_PROFILE, or FSSPEC_S3_ANON=true where it is open"
    if "PermissionError" in kinds:
        return "the store refuses these keys", "look at AWS_PROFILE and the rules of the bucket"
    if kinds & {"EndpointConnectionError", "ConnectTimeoutError", "ConnectionError", "ConnectionClosedError"}:
        return "the store does not answer", "look at AWS_ENDPOINT_URL and the network"
    if kinds & {"TimeoutError", "ReadTimeoutError", "HTTPClientError"}:
        return "the store stopped answering", ""
    said, _ = Redactor().clean_text(printable(str(error)))
    return f"the store answers: {said[:LONGEST_ANSWER] or type(error).__name__}", ""
