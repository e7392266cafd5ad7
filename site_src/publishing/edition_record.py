"""The record of an edition in the content folder: pending until the site that readers meet stands.

A record that came before its site would be of an edition that nobody met; one that came after it could be
missing. So it is written beside its place, the site changes places, and then the record takes its own. A
program that was killed in between leaves it pending, and the next publication decides by the site itself.
Does: write, place and decide. Does not: draft an edition (`site_src.editions` does), or read one.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from metrics_core.errors import AssayError, InputError
from site_src import editions
from site_src.project import SiteFile, safe_write

FOLDER = "editions"
SCHEMA = b'{"schema": "assay.pending-edition/1", '
"""How a record begins that is pending: the mark by which one of ours is known."""

_NAME = re.compile(r"\.[0-9]{4,}\.json\.pending")


@contextmanager
def recorded(
    edition: SiteFile | None, content: Path | None, site: Path, told: Callable[[str], None]
) -> Iterator[None]:
    """Record an edition if what is done within succeeds, and not before it has.

    Args:
        edition: Its path within the content folder, and its bytes; None where nothing is new.
        content: The content folder.
        site: Folder of the site that takes its place within.
        told: Called where the site stands and its record could not be written.

    Raises:
        InputError: The record could not be written, or there is one of this number; nothing was done then.
    """
    if edition is None or content is None:
        yield
        return
    final = content / edition.path
    pending = final.with_name(f".{final.name}.pending")
    with _alone(final.parent):
        tuple(_settled(content))
        if final.exists():
            raise InputError(
                "is there already", where=edition.path, hint="another publication recorded it: publish again"
            )
        head = f'"site": {json.dumps(_from(content, site))}}}\n'
        try:
            _write(pending, SCHEMA + head.encode() + edition.data)
            yield
        except BaseException:
            with suppress(OSError):
                pending.unlink()
            raise
        try:
            safe_write.add_files([edition], content)
            pending.unlink()
        except (OSError, AssayError) as bad:
            told(f"{edition.path}: the site stands, and its record is still pending: {bad}; "
                 "the next `assay publish` records it")  # fmt: skip


def _write(pending: Path, data: bytes) -> None:
    """A pending record, on the disk before anything else is done; a torn one is in no site."""
    try:
        handle = os.open(pending, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(handle, rest) :]
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        where = f"{FOLDER}/{pending.name}"
        raise InputError(f"cannot be written: {error.strerror}", where=where) from error


def settle(content: Path) -> tuple[str, ...]:
    """Decide on records that a publication left pending: of a site that stands, and of one that never did.

    Args:
        content: The content folder.

    Returns:
        What was done, a sentence each.

    Raises:
        InputError: A record cannot be written.
    """
    folder = content / FOLDER
    if not folder.is_dir():
        return ()
    with _alone(folder):
        return tuple(_settled(content))


def unsettled(content: Path) -> tuple[str, ...]:
    """Records that a publication left pending, a sentence each; nothing is decided."""
    return tuple(
        f"{FOLDER}/{path.name}: a publication was stopped before its record was kept or given up: the next "
        "`assay publish` decides which"
        for path in _pending(content / FOLDER)
    )


def _settled(content: Path) -> Iterator[str]:
    """Each pending record, decided; what was left of one that was being written is removed."""
    for part in (content / FOLDER).glob(".[0-9]*.json.*.part"):
        part.unlink()
    for pending in _pending(content / FOLDER):
        yield _decided(content, pending)


def _decided(content: Path, pending: Path) -> str:
    name = pending.name.removeprefix(".").removesuffix(".pending")
    record = SiteFile(f"{FOLDER}/{name}", b"")
    head, _, data = pending.read_bytes().partition(b"\n")
    if not head.startswith(SCHEMA) and not SCHEMA.startswith(head):
        raise InputError("is no pending record of an edition", where=f"{FOLDER}/{pending.name}")
    if _met(content, head, data, name):
        if not (content / record.path).exists():
            safe_write.add_files([SiteFile(record.path, data)], content)
        pending.unlink()
        return f"{record.path}: recorded now: the publication that was stopped had put its site in place"
    pending.unlink()
    return (
        f"{record.path}: not recorded: the publication was stopped before its site stood, and nobody met it"
    )


def _met(content: Path, head: bytes, data: bytes, name: str) -> bool:
    """Whether the site of a pending record stands: it publishes the edition itself."""
    try:
        about = json.loads(head)
        site = Path(os.path.realpath(content), about["site"])
        return (site / editions.FOLDER / name).read_bytes() == data
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _from(content: Path, site: Path) -> str:
    return os.path.relpath(os.path.realpath(site), os.path.realpath(content))


def _pending(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob(".*.pending") if _NAME.fullmatch(path.name) and path.is_file())


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """No other publication of the same content records or decides meanwhile."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=folder.name) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
