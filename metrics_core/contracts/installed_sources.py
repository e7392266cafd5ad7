"""The closures of what is installed, kept for the next process as Python keeps compiled modules.

To follow imports takes ten times as long as to read all sources. So every process reads them, and takes over
what an earlier one found where each byte of each source is the same, in no more files and no fewer. Whoever
can write to the ``__pycache__`` where it lies can alter the program as well. Does not: decide what is in a
closure.
"""

from __future__ import annotations

import hashlib
import json
import os
import pkgutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from metrics_core.contracts.closure import parsed_to_last_import, reached, sources

PACKAGE = Path(__file__).parents[1]


def source_closure(module: str, without: frozenset[str] = frozenset()) -> dict[str, bytes]:
    """Path -> bytes of a module of this package and of every module that its imports reach.

    Args:
        module: Dotted name, such as ``metrics_core.families.traces.metrics``.
        without: Modules that are left out, with whatever is reached through them alone.

    Returns:
        Paths are posix and relative to the folder that holds the package, in sorted order.

    Raises:
        ContractError: There is no source of that name.

    >>> sorted(source_closure("metrics_core.contracts.closure"))
    ['metrics_core/contracts/closure.py', 'metrics_core/errors.py']
    """
    return _installed().closure(module, without)


@cache
def _installed() -> InstalledSources:
    return InstalledSources(PACKAGE, Path(__file__).parent / "__pycache__")


class InstalledSources:
    """The sources of a package, and the closures that are known of them.

    Args:
        package: Its folder; where it is none, as in an archive, sources are asked of its loader.
        folder: Where closures are kept; none are, where that cannot be written, or Python may keep none.
    """

    def __init__(self, package: Path, folder: Path) -> None:
        self._kept = folder / f"closures.{sys.implementation.cache_tag}.json"
        self._files = dict(sorted(_files(package)))
        self._sources = sources(self._files.get if self._files else _of_loader, parsed_to_last_import)
        self._made_of = _digest(sys.version, *(each for file in self._files.items() for each in file))
        self._known = self._taken_over()

    def closure(self, module: str, without: frozenset[str]) -> dict[str, bytes]:
        """See `source_closure`."""
        if not self._files:
            return reached(module, self._sources, without)
        asked = " ".join((module, *sorted(without)))
        if asked not in self._known:
            self._known[asked] = list(reached(module, self._sources, without))
            self._keep()
        return {path: self._files[path] for path in self._known[asked]}

    def _taken_over(self) -> dict[str, list[str]]:
        with suppress(OSError, ValueError):
            made_of, whole, known = self._kept.read_bytes().split(b"\n", 2)
            if made_of.decode() == self._made_of and whole.decode() == _digest(known):
                return dict(json.loads(known))
        return {}

    def _keep(self) -> None:
        if sys.dont_write_bytecode:
            return
        known = json.dumps(self._known).encode()
        unfinished = self._kept.with_name(f"{self._kept.name}.{os.getpid()}")
        with suppress(OSError):
            self._kept.parent.mkdir(exist_ok=True)
            unfinished.write_bytes(b"\n".join((self._made_of.encode(), _digest(known).encode(), known)))
            unfinished.replace(self._kept)


def _files(package: Path) -> Iterator[tuple[str, bytes]]:
    """Path from the folder that holds the package -> bytes, of each of its sources, in any order."""
    for folder, _, names in os.walk(package):
        inside = Path(folder).relative_to(package.parent).as_posix()
        for name in names:
            if name.endswith(".py"):
                yield f"{inside}/{name}", Path(folder, name).read_bytes()


def _digest(*parts: str | bytes) -> str:
    """sha256 of several texts, each with its length before it."""
    found = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        found.update(b"%d " % len(data))
        found.update(data)
    return found.hexdigest()


def _of_loader(path: str) -> bytes | None:
    package, _, resource = path.partition("/")
    try:
        return pkgutil.get_data(package, resource)
    except OSError:
        return None
