"""New files in a content folder, each whole or not at all, and never over what somebody else put there.

Does: hold a file as it will be written, add files beside others, write one of this program's own anew, and
write a fresh folder that appears only when all of it is written; and spell tables as CSV and documents as
JSON. Does not: know a format or a record.

CSV has one spelling, and nothing in a cell that a spreadsheet would run. JSON is byte for byte what
`json.dumps` with ``indent`` writes, several times as fast: with ``indent`` the standard library encodes in
Python; here it encodes on one line, in C, and msgspec puts the white space between.
"""

from __future__ import annotations

import csv
import io
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from metrics_core.errors import InputError
from metrics_core.text import visible
from site_src.project import work_folder

if TYPE_CHECKING:
    from metrics_core.api import NativeFile
    from metrics_core.results import Report

_RUNS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r", "\n")
"""What a cell that is run begins with; spreadsheets of some languages take the wide forms too."""

_PASSED_OVER = " \u00a0\u3000\u200b\u200c\u200d\u2060\ufeff"


class StandingFile(Struct, frozen=True):
    """Bytes that stand on the disk as they will be written.

    Attributes:
        path: Where.
        size: Of the bytes.
        sha256: Of the bytes, 64 hex digits.
    """

    path: Path
    size: int
    sha256: str


class SiteFile:
    """A file as it will be written.

    Args:
        path: Within the site, posix and relative.
        data: Its bytes, or what makes them.
        screened: Whether they were looked through for secrets when they were read.
        standing: Where they stood on the disk a moment ago; the writer looks whether they still do.

    >>> SiteFile("a.txt", b"a").data, SiteFile("b.txt", lambda: b"b").data
    (b'a', b'b')
    """

    def __init__(
        self,
        path: str,
        data: bytes | Callable[[], bytes],
        *,
        screened: bool = False,
        standing: StandingFile | None = None,
    ) -> None:
        self.path = path
        self.screened = screened
        self.standing = standing
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
    if not folder.parent.is_dir():
        missing = next(each for each in (*reversed(folder.parents[:-1]), folder.parent) if not each.is_dir())
        raise InputError(
            f"cannot be written: the folder {visible(missing.name)!r} that it is to stand in is missing",
            where=folder.name,
            hint="make it first, or name another place",
        )
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


def csv_bytes(header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    r"""RFC 4180 in UTF-8, lines ended by CR LF.

    >>> csv_bytes(["a", "b"], [["1", "x,y"]])
    b'a,b\r\n1,"x,y"\r\n'
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([defused(cell) for cell in row])
    return out.getvalue().encode("utf-8", "backslashreplace")


def defused(cell: str) -> str:
    """A cell that a spreadsheet shows and does not run; numbers stay numbers.

    >>> defused("=HYPERLINK(1)"), defused("-0.08"), defused("+1e-3"), defused("@a"), defused("alpha")
    ("'=HYPERLINK(1)", '-0.08', '+1e-3', "'@a", 'alpha')
    >>> defused("\ufeff=1+1") == "'\ufeff=1+1", defused("\uff1d1+1") == "'\uff1d1+1"
    (True, True)
    """
    if not cell.lstrip(_PASSED_OVER).startswith(_RUNS):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def indented(value: Any, spaces: int, *, sort_keys: bool = False) -> bytes:
    r"""A document in UTF-8, without a line end.

    Args:
        value: What JSON can hold; never NaN.
        spaces: By which each level is set in, 1 or more.
        sort_keys: Keys in order; else as they are given.

    Raises:
        ValueError: NaN or an infinity is in it.

    >>> indented({"b": [1, {}], "a": 1e-7}, 1)
    b'{\n "b": [\n  1,\n  {}\n ],\n "a": 1e-07\n}'
    """
    line = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=sort_keys)
    try:
        return msgspec.json.format(line.encode(), indent=spaces)
    except UnicodeEncodeError:  # half of a surrogate pair, which is no UTF-8 and is written as an escape
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=sort_keys, indent=spaces)
        return text.encode("utf-8", "backslashreplace")


def pretty(value: Any) -> bytes:
    r"""JSON for people and machines: keys in the order given, two spaces, LF at the end, never NaN.

    >>> pretty({"a": [1]})
    b'{\n  "a": [\n    1\n  ]\n}\n'
    """
    return indented(value, 2) + b"\n"


def report_file(report: Report) -> bytes:
    """A report exactly as ``compute --json`` prints it."""
    return pretty(report.to_json())
