"""A frozen task pack: its cards, its digest, and whether it is the one that was quoted.

The cards are in ``tasks.json``, or in one JSON file a card. The digest is what the recipe of
`metrics_core.digest` prints for the folder; where ``NAME.sums`` or ``NAME.tree.sha256`` lie beside it, they
are held against it. Nothing here scores.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from metrics_core.digest import of_bytes, tree_sums
from metrics_core.errors import InputError
from metrics_core.problem import Problem
from metrics_core.task_cards import CLUSTER_KEYS, Task, read_cards
from metrics_core.text import visible

__all__ = ["Pack", "Task", "load"]

SumsState = Literal["matches", "absent", "mismatch"]
MAX_BYTES = 64 << 20
"""Of one file of cards."""
NAMED_FILES = 3
"""Differing files that a mismatch names; the rest are counted."""


@dataclass(frozen=True)
class Pack:
    """A task pack as it was found.

    Attributes:
        name: Of its folder, which is part of every path in the digest.
        digest: What the shell recipe prints for the folder.
        tasks: Cards, in their order.
        problems: Cards that were left out, and why.
        sums: Whether the digests that lie beside the folder are its own; ``absent`` where none do.
        differing: What differs, in words, when ``sums`` is ``mismatch``.
    """

    name: str
    digest: str
    tasks: tuple[Task, ...]
    problems: tuple[Problem, ...] = ()
    sums: SumsState = "absent"
    differing: tuple[str, ...] = ()

    @cached_property
    def by_id(self) -> dict[str, Task]:
        """Cards by their id."""
        return {task.id: task for task in self.tasks}

    def task(self, task_id: str) -> Task | None:
        """The card of that id, or None."""
        return self.by_id.get(task_id)

    @property
    def cluster_key(self) -> str | None:
        """First of repo, language and class that an eval card states: within it, tasks err together."""
        stated = {key for task in self.tasks if task.split == "eval" for key, _ in task.clusters}
        return next((key for key in CLUSTER_KEYS if key in stated), None)


def load(folder: str | Path) -> Pack:
    """Read a pack from its folder, and the digests that lie beside it.

    Args:
        folder: Such as ``eval_pack``; beside it may lie ``eval_pack.sums`` and ``eval_pack.tree.sha256``.

    Raises:
        InputError: No folder, no cards, two cards of one id, or a split that is neither probe nor eval.
        FormatError: A file of cards is not JSON.
    """
    place = Path(folder).absolute()
    if not place.is_dir() or place.is_symlink():
        raise InputError("there is no such folder", where=place.name)
    lines = tree_sums(place)
    tasks, problems = read_cards(list(_card_files(place)))
    sums, tree = (_beside(place.with_name(f"{place.name}.{end}")) for end in ("sums", "tree.sha256"))
    differing = differences(lines, place.name, sums, tree)
    return Pack(
        name=place.name,
        digest=of_bytes(lines),
        tasks=tasks,
        problems=problems,
        sums="absent" if sums is None and tree is None else "mismatch" if differing else "matches",
        differing=differing,
    )


def _beside(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() and not path.is_symlink() else None


def _card_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of the files that hold cards, by name."""
    files = [folder / "tasks.json"]
    if not files[0].is_file():
        places = [folder, *(folder / name for name in ("tasks", "cards") if (folder / name).is_dir())]
        files = next((found for place in places if (found := sorted(place.glob("*.json")))), [])
    if not files:
        raise InputError("no task cards", where=folder.name, hint="tasks.json, or one JSON file a card")
    for file in files:
        name = file.relative_to(folder.parent).as_posix()
        inside = not any(part.is_symlink() for part in (file, file.parent))
        if not inside or not file.is_file() or file.stat().st_size > MAX_BYTES:
            where = visible(name, escaped=True)
            raise InputError(f"expected a regular file of at most {MAX_BYTES} bytes", where=where)
        yield visible(name, escaped=True), file.read_bytes()


def differences(lines: bytes, name: str, sums: bytes | None, tree: bytes | None) -> tuple[str, ...]:
    """What differs between a folder's digests and those that were quoted.

    Args:
        lines: ``sha256sum`` lines of the folder as it is.
        name: Of the folder.
        sums: Content of ``NAME.sums``, or None.
        tree: Content of ``NAME.tree.sha256``, or None; its first word is a digest in hex.

    >>> differences(b"", "pack", None, b"00ff  pack.sums")
    ('pack.tree.sha256 quotes 00ff, the folder gives e3b0c442...',)
    """
    found: list[str] = []
    if sums is not None and sums != lines:
        was, now = _entries(sums), _entries(lines)
        found += [f"{path} is gone" for path in sorted(was.keys() - now.keys())]
        found += [f"{path} is new" for path in sorted(now.keys() - was.keys())]
        found += [f"{path} differs" for path in sorted(was.keys() & now.keys()) if was[path] != now[path]]
        if not found:
            found = [f"{name}.sums lists the same files in another order (LC_ALL=C sort -z)"]
        if len(found) > NAMED_FILES:
            found = [*found[:NAMED_FILES], f"and {len(found) - NAMED_FILES} more"]
    if tree is not None:
        digest = of_bytes(lines).removeprefix("sha256:")
        word = re.split(rb"\s", tree.strip().removeprefix(b"\\"), maxsplit=1)[0].decode("ascii", "replace")
        if word != digest:
            quoted = visible(word[:8], escaped=True)
            found.append(f"{name}.tree.sha256 quotes {quoted}, the folder gives {digest[:8]}...")
    return tuple(found)


def _entries(lines: bytes) -> dict[str, str]:
    """Path -> hex digest of each ``sha256sum`` line; escapes are left as they are."""
    entries = {}
    for line in lines.split(b"\n"):
        digest, _, path = line.removeprefix(b"\\").partition(b" ")
        if path:
            name = visible(path[1:].decode("utf-8", "backslashreplace"), escaped=True)
            entries[name] = digest.decode("ascii", "replace")
    return entries
