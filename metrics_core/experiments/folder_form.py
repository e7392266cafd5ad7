"""Records that are folders: which files make one record, and what they come to. The shape, and no format.

A family whose harness leaves a folder for each run declares a `FolderForm`; its record files, where there
are some beside the folders, are read line by line like any other family's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

if TYPE_CHECKING:
    from metrics_core.formats import Made


class Unit(NamedTuple):
    """The files of one record.

    Attributes:
        name: Its folder; rows and problems carry it in the place of a file.
        files: Paths of all its files, in byte order.
        read: Those of them that are read.
    """

    name: str
    files: tuple[str, ...]
    read: tuple[str, ...]


class FolderForm(Struct, frozen=True):
    """How a family reads records that are folders. Both functions are pure.

    Attributes:
        units: Paths of files below the family's folder -> the units that they make, in byte order of their
            names. Splitting the paths between two units and asking for each part gives the same units.
        assemble: The unit's name, and the bytes of each file that it reads by path within the unit -> its
            record, or what stands in its place.
    """

    units: Callable[[Sequence[str]], Iterator[Unit]]
    assemble: Callable[[str, Mapping[str, bytes]], Iterator[Made]]


def nearest(paths: Iterable[str], names: Iterable[str], depth: int) -> dict[str, list[str]]:
    """Paths by the outermost folder, below ``depth`` folders, that holds a file of one of these names.

    Args:
        paths: Files, with ``/``.
        names: Names of files by which such a folder is known.
        depth: Folders above that are the family's own.

    Returns:
        Folder -> its files, all levels down, in byte order. Files that lie in no such folder are given
        under the first folder below the family's own.

    >>> nearest(["a/x/m.json", "a/x/in/m.json", "a/y/log.txt"], ["m.json"], 1)
    {'a/x': ['a/x/in/m.json', 'a/x/m.json'], 'a/y': ['a/y/log.txt']}
    """
    known = frozenset(names)
    ordered = sorted(paths, key=lambda path: path.encode("utf-8", "surrogateescape"))
    split = [path.split("/") for path in ordered]
    marked = {tuple(parts[:-1]) for parts in split if parts[-1] in known and len(parts) > depth + 1}
    found: dict[str, list[str]] = {}
    for parts in split:
        above = (tuple(parts[:level]) for level in range(depth + 1, len(parts)))
        folder = next((each for each in above if each in marked), tuple(parts[: depth + 1]))
        found.setdefault("/".join(folder), []).append("/".join(parts))
    return found
