"""The bytes of an experiment as they are published: unpacked where records are packed, and redacted.

Does: stream them, and take a snapshot of a folder: the digests of its files as found, and as published. A
file in which nothing was redacted is published as it is, under its own name; a packed one in which something
was, or that holds a secret beside its text, is published as plain lines. Files whose digests are quoted
elsewhere are never rewritten: a secret in one of them is an error. Does not: decide which files hold records.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from metrics_core.digest import Digest, of_bytes, sums
from metrics_core.errors import FormatError, LeakError
from metrics_core.experiments.files import FolderEntry, Place, opened
from metrics_core.formats import decompression
from metrics_core.redaction import Redactor

QUOTED = ("contracts/", "eval_pack/", "eval_pack.sums", "eval_pack.tree.sha256")
"""What is signed or digested by others, and so cannot be rewritten."""
INSTRUMENTS = (*QUOTED, "pricing/")
"""What reads the records and is none: contracts, packs and prices have digests of their own."""

LONGEST_WORDS = 4096
"""Bytes of plain words in a packed file that are looked at together where a piece ends among them."""

_READABLE = bytes(range(32, 127))
_RUN = re.compile(rb"[\x20-\x7e]{16,}")
"""Packed bytes look like so many characters in a row by chance only once in a billion."""


class FileDigest(Struct, frozen=True):
    """One file, digested.

    Attributes:
        path: As found.
        published: Under which name it is published.
        found_sha256: Of its bytes as found, 64 hex digits.
        sha256: Of its bytes as published.
        size: Of its bytes as published.
        redacted: (kind, how often), sorted; empty where it is published as it is.
        whole: Whether it could be read to its end.
    """

    path: str
    published: str
    found_sha256: str
    sha256: str
    size: int
    redacted: tuple[tuple[str, int], ...] = ()
    whole: bool = True


class Snapshot(Struct, frozen=True):
    """A folder, digested.

    Attributes:
        files: In byte order of their paths.
        data: Digest of records and evidence as published, over paths relative to the folder (``./...``):
            of every file but its instruments, so that a contract can be revised over the same data.
        source: The same, as found.
        instruments: The same of contracts, pack and price tables.
        redacted: Kind -> how often something was taken out, in all files.
        clean: Paths of files that were read to their end, and in which nothing was taken out.
    """

    files: tuple[FileDigest, ...]
    data: Digest
    source: Digest
    instruments: Digest
    redacted: Mapping[str, int]
    clean: frozenset[str] = frozenset()


def stream(
    root: Place, entry: FolderEntry, redactor: Redactor, found: Counter[str] | None = None
) -> Iterator[bytes]:
    """A file's text as published, in pieces.

    Args:
        root: The experiment's folder.
        entry: A file in it.
        redactor: Takes secrets out.
        found: What was taken out is counted here.

    Raises:
        InputError: It cannot be read, or changed while it was read.
        FormatError: It is packed, and ends early or is not what its name says.
        LeakError: Something would have to be taken out of a file whose digest is quoted elsewhere.
    """
    found = Counter() if found is None else found
    with opened(root, entry) as file:
        for piece in redactor.stream(decompression.unpack(file, entry.where), found):
            if found and entry.path.startswith(QUOTED):
                raise LeakError(
                    f"holds {_counted(found)}", where=entry.where,
                    hint="its digest is quoted, so it is not rewritten: take it out, quote the new digest",
                )  # fmt: skip
            yield piece


def unpacked(root: Place, entry: FolderEntry) -> Iterator[bytes]:
    """A file's text as it stands, in pieces, where nothing has to be taken out of it.

    Raises:
        InputError: It cannot be read, or changed while it was read.
        FormatError: It is packed, and ends early or is not what its name says.
    """
    with opened(root, entry) as file:
        yield from decompression.unpack(file, entry.where)


def take_snapshot(
    root: Place,
    entries: Iterable[FolderEntry],
    redactor: Redactor,
    known: Mapping[FolderEntry, FileDigest] | None = None,
    given: Mapping[str, bytes] | None = None,
) -> Snapshot:
    """Digest a folder.

    Args:
        root: The experiment's folder.
        entries: Its files.
        redactor: Takes secrets out.
        known: Digests of files that have not been written since.
        given: Files beside them that lie in no folder: path -> bytes.

    Raises:
        InputError, LeakError: As in `stream`.
    """
    known = known or {}
    found = [known.get(entry) or file_digest((root, redactor), entry) for entry in entries]
    clean = frozenset(file.path for file in found if file.whole and not file.redacted)
    found += [_of_given(path, data, redactor) for path, data in (given or {}).items()]
    files = tuple(sorted(found, key=lambda file: os.fsencode(file.path)))
    redacted: Counter[str] = Counter()
    for file in files:
        redacted.update(dict(file.redacted))
    return Snapshot(
        files=files,
        data=of_bytes(sums({_relative(f.published): f.sha256 for f in files if not _reads(f)})),
        source=of_bytes(sums({_relative(f.path): f.found_sha256 for f in files if not _reads(f)})),
        instruments=of_bytes(sums({_relative(f.published): f.sha256 for f in files if _reads(f)})),
        redacted=dict(sorted(redacted.items())),
        clean=clean,
    )


def file_digest(by: tuple[Place, Redactor], entry: FolderEntry) -> FileDigest:
    """Digest one file, as found and as published.

    Args:
        by: The experiment's folder, and what takes secrets out.
        entry: A file in it.

    Raises:
        InputError, LeakError: As in `stream`.
    """
    root, redactor = by
    as_found, published, found = hashlib.sha256(), hashlib.sha256(), Counter[str]()
    size = 0
    try:
        for piece in stream(root, entry, redactor, found):
            published.update(piece)
            size += len(piece)
    except FormatError:
        return _damaged(root, entry, redactor)
    if not found and not decompression.is_packed(entry.path):
        digest = published.hexdigest()
        return FileDigest(entry.path, entry.path, digest, digest, size)
    with opened(root, entry) as file:

        def pieces() -> Iterator[bytes]:
            while piece := file.read(decompression.CHUNK):
                as_found.update(piece)
                yield piece

        beside = Counter[str]()
        for words in _words(pieces()):
            beside.update({} if found else redactor.clean(words)[1])
    found = found or beside  # then its text alone is published, without what is packed around it
    if not found:
        return FileDigest(entry.path, entry.path, as_found.hexdigest(), as_found.hexdigest(), entry.size)
    name = decompression.unpacked_name(entry.path)
    counts = tuple(sorted(found.items()))
    return FileDigest(entry.path, name, as_found.hexdigest(), published.hexdigest(), size, counts)


def _of_given(path: str, data: bytes, redactor: Redactor) -> FileDigest:
    """A file that lies in no folder: what was said on a command line is published as it was said."""
    if counts := redactor.clean_text(data.decode())[1]:
        raise LeakError(f"holds {_counted(Counter(counts))}", where=path, hint="leave it out")
    digest = hashlib.sha256(data).hexdigest()
    return FileDigest(path, path, digest, digest, len(data))


def _words(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """What stands in packed bytes as plain words, a line each: comments and fields beside the text."""
    tail = b""
    for piece in pieces:
        data = tail + piece
        cut = max(len(data.rstrip(_READABLE)), len(data) - LONGEST_WORDS)
        yield b"\n".join(_RUN.findall(data[:cut]))
        tail = data[cut:]
    yield tail


def _damaged(root: Place, entry: FolderEntry, redactor: Redactor) -> FileDigest:
    """A packed file that cannot be unpacked: a problem for its reader, and published as it is."""
    as_found, found = hashlib.sha256(), Counter[str]()
    with opened(root, entry) as file:
        for piece in redactor.stream(iter(lambda: file.read(decompression.CHUNK), b""), found):
            as_found.update(piece)
    if found:
        raise LeakError(
            f"holds {_counted(found)}", where=entry.where, hint="it is damaged, so nothing is taken out of it"
        )
    return FileDigest(
        entry.path, entry.path, as_found.hexdigest(), as_found.hexdigest(), entry.size, whole=False
    )


def _reads(file: FileDigest) -> bool:
    return file.path.startswith(INSTRUMENTS)


def _relative(path: str) -> bytes:
    return b"./" + os.fsencode(path)


def _counted(found: Counter[str]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(found.items()))
