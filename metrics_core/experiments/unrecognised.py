"""What to say of files that nothing reads: what they are, what they nearly are, and what would be read.

Does: count kinds of files by their endings, ask every adapter what a file nearly is, name the formats, and
spell the command or the setting that helps. Does not: open files, or decide what is read.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os.path import commonpath
from pathlib import PurePosixPath

from metrics_core.errors import FormatError
from metrics_core.experiments.files import printable
from metrics_core.formats import HEAD, Adapter, read_elements
from metrics_core.text import many

MOST_KINDS = 6
"""Kinds of files that are counted each by itself."""

MOST_LOOKED_AT = 200
"""Files whose beginnings are looked at for what they nearly are."""

MOST_NEAR = 3
"""Things that files nearly are, of which a reader is told."""

MOST_PLACES = 8
"""Files and folders that a command line names."""

TABLE = "table"
"""Name of the format that reads rows and columns of anybody's naming."""

TABULAR = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")

_WRAPPED = re.compile(
    rb'\s*\{\s*(?:"[^"\\]*"\s*:\s*(?:"[^"\\]*"|[-+.\w]+|\{[^{}\[\]]*\})\s*,\s*)*'
    rb'"([A-Za-z_][A-Za-z0-9_]*)"\s*:\s*\[\s*\{'
)
"""An object that has a list of objects, after members that are none."""

SPREADSHEETS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How workbooks begin, the present ones and those before."""


def answer(
    paths: Sequence[str], head: Callable[[str], bytes], adapters: Mapping[str, Adapter]
) -> tuple[str, ...]:
    """Sentences about files that nothing reads, the most useful first; none about an empty folder.

    Args:
        paths: The files, in byte order.
        head: Path -> first bytes of that file.
        adapters: Format -> adapter: those that were asked.

    >>> answer(("notes.md", "a.json", "b.json"), lambda path: b"{}", {})
    ('it holds 2 .json, 1 .md',)
    """
    if not paths:
        return ()
    told = [f"it holds {_kinds(paths)}", *_near(paths, head, adapters), *_faults(paths, head)]
    if TABLE in adapters:
        told += _wrapped(paths, head)
    if len(adapters) > 1:
        told.append(f"formats that are read: {', '.join(adapters)} (assay formats tells of each)")
    rows = next((printable(path) for path in paths if path.lower().endswith(TABULAR)), "")
    if TABLE in adapters and rows:
        command = f"assay import {TABLE} {rows} DEST --map task=COLUMN --map passed=COLUMN"
        told.append(f"a table of results is read by: {command}")
    return tuple(told)


def sources(claimed: Mapping[str, Sequence[str]]) -> str:
    """What to write where files of several formats lie in one folder.

    Args:
        claimed: Format -> its files.

    >>> sources({"inspect": ["logs/a.json", "logs/b.json"], "promptfoo": ["out.json"]})
    'source: {format: inspect, path: logs}, or source: {format: promptfoo, path: out.json}'
    """
    lines = (
        f"source: {{format: {name}, path: {printable(_common(paths))}}}"
        for name, paths in sorted(claimed.items())
    )
    return ", or ".join(lines)


def each_by_itself(claimed: Mapping[str, Sequence[str]], where: str) -> str:
    """The command for files of several formats that lie apart in one folder; none where they do not.

    Args:
        claimed: Format -> its files.
        where: The folder.

    >>> each_by_itself({"inspect": ["logs/a.json", "logs/b.json"], "promptfoo": ["out.json"]}, "mine")
    'assay build --experiments mine/logs mine/out.json'
    >>> each_by_itself({"inspect": ["logs/a.json"], "promptfoo": ["a.json", "b.json"]}, "mine")
    'assay build --experiments mine/a.json mine/b.json mine/logs'
    >>> each_by_itself({"inspect": ["logs/a.json", "logs/c.json"], "promptfoo": ["logs/b.json"]}, "mine")
    ''
    """
    places: list[str] = []
    for paths in claimed.values():
        folder = commonpath([f"./{PurePosixPath(path).parent}" for path in paths]).removeprefix("./")
        places += [folder] if folder else dict.fromkeys(path.split("/")[0] for path in paths)
    nested = any(one != other and (one + "/").startswith(other + "/") for one in places for other in places)
    if nested or len(set(places)) < len(places) or len(places) > MOST_PLACES:
        return ""
    return shlex.join(["assay", "build", "--experiments", *(f"{where}/{place}" for place in sorted(places))])


def _common(paths: Sequence[str]) -> str:
    return paths[0] if len(paths) == 1 else commonpath(paths) or "."


def _kinds(paths: Iterable[str]) -> str:
    counts = Counter(PurePosixPath(path).suffix.lower() or "without an ending" for path in paths)
    listed = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    told = [f"{count} {printable(kind)}" for kind, count in listed[:MOST_KINDS]]
    rest = sum(count for _, count in listed[MOST_KINDS:])
    return ", ".join((*told, many(rest, "other"))) if rest else ", ".join(told)


def _faults(paths: Sequence[str], head: Callable[[str], bytes]) -> Iterator[str]:
    """What is wrong with files by themselves, a sentence a kind: empty, a workbook, binary, no JSON."""
    found: dict[str, str] = {}
    for path in paths[:MOST_LOOKED_AT]:
        first, name = head(path), path.lower()
        if not first:
            found.setdefault("is empty", path)
        elif name.endswith((".xlsx", ".xls", ".ods")) and first.startswith(SPREADSHEETS):
            found.setdefault("is a workbook: save it as CSV", path)
        elif b"\0" in first and not first.startswith((b"\xff\xfe", b"\xfe\xff")):
            found.setdefault("is binary", path)
        elif name.endswith(".json") and len(first) < HEAD:
            try:
                read_elements(first, "")
            except FormatError as error:
                line = f" in line {error.where[1:]}" if error.where[1:] else ""
                found.setdefault(f"{error.problem}{line}", path)
    yield from (f"{printable(path)}: {what}" for what, path in found.items())


def _wrapped(paths: Sequence[str], head: Callable[[str], bytes]) -> Iterator[str]:
    """The first file that is an object with a list of objects in it: how that list is read as a table."""
    for path in paths[:MOST_LOOKED_AT]:
        found = _WRAPPED.match(head(path)) if path.lower().endswith(".json") else None
        if found:
            key, name = found[1].decode(), printable(path)
            yield (
                f"{name} holds a list of objects under {key}; where these are rows of a table: "
                f"jq -c '.{key}[]' {shlex.quote(name)} | assay compute -"
            )
            return


def _near(paths: Sequence[str], head: Callable[[str], bytes], adapters: Mapping[str, Adapter]) -> list[str]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths[:MOST_LOOKED_AT]:
        first = head(path)
        for adapter in adapters.values():
            if looks := adapter.nearly(path, first):
                found[looks].append(printable(path))
    most = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))[:MOST_NEAR]
    return [
        f"{some[0]} looks like {looks}"
        if len(some) == 1
        else f"{len(some)} files, such as {some[0]}, look like {looks}"
        for looks, some in most
    ]
