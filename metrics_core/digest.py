"""SHA-256 of values, files, folders and source closures, each in one spelling: ``sha256:<64 hex>``.

Does: one canonical JSON; a folder's digest exactly as the task-pack recipe prints it::

    find eval_pack -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum > eval_pack.sums
    sha256sum eval_pack.sums

Does not: sign, compare with what was quoted, or follow symbolic links (``-type f`` does not either).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NewType

from metrics_core.errors import InputError

Digest = NewType("Digest", str)
"""Always ``sha256:`` and 64 lower-case hex digits."""

_SPELLING = re.compile(r"sha256:[0-9a-f]{64}")
_ESCAPES = ((b"\\", b"\\\\"), (b"\n", b"\\n"), (b"\r", b"\\r"))
_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def parse(text: str) -> Digest:
    """Check the spelling of a digest.

    Raises:
        ValueError: It is not ``sha256:`` and 64 lower-case hex digits.

    >>> parse("sha256:" + "0" * 64)[:12]
    'sha256:00000'
    """
    if not _SPELLING.fullmatch(text):
        raise ValueError(f"expected sha256: and 64 hex digits, got {text!r}")
    return Digest(text)


def short(digest: str) -> str:
    """First 8 hex digits, for captions and file names.

    >>> short(of_bytes(b""))
    'e3b0c442'
    """
    return digest.removeprefix("sha256:")[:8]


def canonical(value: object) -> bytes:
    """The one JSON of a value: keys sorted, no white space, UTF-8, no trailing line feed.

    Args:
        value: None, bool, int, float, str, and lists, tuples and mappings of them; keys are strings.

    Raises:
        ValueError: A NaN, an infinity, or half of a surrogate pair: none has a spelling; or more lists and
            objects within each other than can be spelled.
        TypeError: Another type, or a key that is not a string.

    >>> canonical({"b": [1, None], "a": 0.5})
    b'{"a":0.5,"b":[1,null]}'
    """
    try:
        _only_text_keys(value)
        return _ENCODER.encode(value).encode("utf-8")
    except RecursionError as error:
        raise ValueError("objects and lists too deep within each other") from error


def _only_text_keys(value: object) -> None:
    """The json module would turn the key 1 into "1", and two keys into one."""
    inside: Iterable[object] = ()
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"keys are strings, got {key!r}")
        inside = value.values()
    elif isinstance(value, (list, tuple)):
        inside = value
    for inner in inside:
        if isinstance(inner, (dict, list, tuple)):  # a call for each text would take most of the time
            _only_text_keys(inner)


def of_bytes(data: bytes) -> Digest:
    """Digest of bytes.

    >>> of_bytes(b"abc")
    'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    """
    return Digest("sha256:" + hashlib.sha256(data).hexdigest())


def tree_digest(path: str | Path, prefix: str | None = None) -> Digest:
    """Digest of a folder: of what `tree_sums` gives.

    Args:
        path: A folder.
        prefix: What stands before each path; the folder's own name by default, ``"."`` for a digest
            that does not depend on that name.

    Raises:
        InputError: There is nothing there, or a file in it cannot be read.
    """
    return of_bytes(tree_sums(path, prefix))


def tree_sums(path: str | Path, prefix: str | None = None) -> bytes:
    """The lines that ``sha256sum`` (coreutils 9) prints for the regular files of a folder, by name.

    Args:
        path: A folder. Names in it are bytes, and need not be UTF-8.
        prefix: As in `tree_digest`.

    Raises:
        InputError: There is nothing there, or a file in it cannot be read.
    """
    root = os.fsencode(path)
    try:
        mode = os.lstat(root).st_mode
    except OSError as error:
        raise InputError("there is no such folder", where=str(path)) from error
    top = os.path.basename(os.path.abspath(root)) if prefix is None else os.fsencode(prefix)  # noqa: PTH100,PTH119 (bytes)
    if stat.S_ISREG(mode):
        return sums({top: _hash_file(root)})
    if not stat.S_ISDIR(mode):
        raise InputError("expected a folder", where=str(path), hint="symbolic links are not followed")
    return sums({top + b"/" + inner: _hash_file(file) for inner, file in _regular_files(root)})


def sums(hashes: Mapping[bytes, str]) -> bytes:
    r"""``sha256sum`` lines for files that were hashed already, in byte order of their names.

    Args:
        hashes: Name -> 64 hex digits. With no file at all the result is what the recipe prints then:
            ``xargs`` runs ``sha256sum`` once on empty input.

    >>> sums({b"./b\n": "0" * 64, b"./a": "1" * 64})[-73:]
    b'\\0000000000000000000000000000000000000000000000000000000000000000  ./b\\n\n'
    """
    named = hashes or {b"-": hashlib.sha256().hexdigest()}
    return b"".join(_line(name, named[name]) for name in sorted(named))


def _line(name: bytes, digest: str) -> bytes:
    """One line; a name with a backslash, LF or CR is escaped, and a backslash in front says so."""
    escaped = name
    for byte, spelled in _ESCAPES:
        escaped = escaped.replace(byte, spelled)
    return (b"\\" if escaped != name else b"") + digest.encode() + b"  " + escaped + b"\n"


def closure_digest(files: Mapping[str, bytes]) -> Digest:
    r"""Digest of a source closure: of the sorted lines ``path NUL sha256 LF``.

    Args:
        files: Path (posix) -> source. CRLF and CR count as LF; nothing else is normalised.

    >>> closure_digest({"a.py": b"x = 1\r\n"}) == closure_digest({"a.py": b"x = 1\n"})
    True
    """
    lines = []
    for path, data in files.items():
        source = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        lines.append(path.encode("utf-8") + b"\0" + hashlib.sha256(source).hexdigest().encode() + b"\n")
    return of_bytes(b"".join(sorted(lines)))


def _regular_files(root: bytes) -> Iterator[tuple[bytes, bytes]]:
    """(path from the root, path to open) of each regular file below a folder, in no order."""
    folders: list[bytes] = [b""]
    while folders:
        folder = folders.pop()
        for entry in _scan(os.path.join(root, folder)):  # noqa: PTH118 (names are bytes, which pathlib has not)
            inner = folder + b"/" + entry.name if folder else entry.name
            if entry.is_dir(follow_symlinks=False):
                folders.append(inner)
            elif entry.is_file(follow_symlinks=False):
                yield inner, entry.path


def _scan(folder: bytes) -> Iterable[os.DirEntry[bytes]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError as error:
        raise InputError(f"cannot be listed: {error.strerror}", where=os.fsdecode(folder)) from error


def _hash_file(path: bytes) -> str:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise InputError("not a regular file", where=os.fsdecode(path))
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        finally:
            os.close(descriptor)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=os.fsdecode(path)) from error
