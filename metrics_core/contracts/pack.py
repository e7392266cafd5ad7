"""A frozen task pack: its cards, its digest, and whether it is the one that was quoted.

The cards are in ``tasks.json``, or in one JSON file a card. A malformed card is a problem and is left out;
two cards of one id, or a split that is neither probe nor eval, leave no way to say what belongs to the pack,
and are errors. The digest is what the recipe of `metrics_core.digest` prints for the folder; where
``NAME.sums`` or ``NAME.tree.sha256`` lie beside it, it is compared with them. Nothing here scores.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from metrics_core.digest import of_bytes, tree_sums
from metrics_core.errors import FormatError, InputError
from metrics_core.formats import strict_json
from metrics_core.results import Keys, Problem, pointer, quoted
from metrics_core.text import visible

Split = Literal["probe", "eval"]
SumsState = Literal["matches", "absent", "mismatch"]
CLUSTER_KEYS = ("repo", "language", "class")
READ = ("id", "inputs", "oracle_files", "timeout_s", "split")

MAX_BYTES = 64 << 20
"""Of one file of cards."""

NAMED_FILES = 3
"""Differing files that a mismatch names; the rest are counted."""


class Task(Struct, frozen=True):
    """One card.

    Attributes:
        id: Unique within the pack.
        inputs: Whatever the card gives the agent, as it stands there.
        oracle_files: Files that a right patch touches; empty where the card names none.
        timeout_s: Seconds; recorded, never extended. None where the card states none.
        split: ``probe`` items never enter a headline; ``eval`` where no card of the pack states one.
        clusters: (key, value) of ``repo``, ``language`` and ``class``, where the card states them, and of
            every other field of text, of which an experiment may name one as its cluster.
    """

    id: str
    inputs: Any
    oracle_files: tuple[str, ...]
    timeout_s: float | None
    split: Split
    clusters: Keys


class Pack(Struct, frozen=True, dict=True):
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
        """First of repo, language and class that every eval card states: within it, tasks err together."""
        cards = [task.clusters.names for task in self.tasks if task.split == "eval"]
        return next((key for key in CLUSTER_KEYS if cards and all(key in names for names in cards)), None)


def load_pack(folder: str | Path) -> Pack:
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


def read_cards(files: Sequence[tuple[str, bytes]]) -> tuple[tuple[Task, ...], tuple[Problem, ...]]:
    """Tasks in the order of their cards, and what was wrong with the others.

    Args:
        files: (name, bytes) of JSON files: a list of cards, ``{"tasks": [...]}``, or one card.

    Raises:
        FormatError: A file is not JSON.
        InputError: Two cards have one id, or a split is neither probe nor eval.

    >>> tasks, problems = read_cards([("tasks.json", b'[{"id": "a", "oracle_files": ["a.py"]}, {"id": 1}]')])
    >>> tasks[0].split, str(problems[0])
    ('eval', 'tasks.json#/1/id: expected text that is not empty, got 1')
    """
    cards = [(name, at, card) for name, data in files for at, card in _cards(name, data)]
    splits_are_stated = any(isinstance(card, dict) and card.get("split") is not None for _, _, card in cards)
    tasks: dict[str, Task] = {}
    problems: list[Problem] = []
    for name, at, card in cards:
        try:
            task = _task(card, splits_are_stated=splits_are_stated)
        except _MalformedCard as wrong:
            problems.append(Problem(name, None, pointer(*at, *wrong.field), wrong.what))
            continue
        except _BadSplit as wrong:
            where = _where(name, *at, "split")
            raise InputError(f"expected probe or eval, got {wrong}", where=where) from wrong
        if task.id in tasks:
            raise InputError(f"two cards have the id {quoted(task.id)}", where=_where(name, *at, "id"))
        tasks[task.id] = task
    return tuple(tasks.values()), tuple(problems)


class _MalformedCard(Exception):
    def __init__(self, what: str, *field: str | int) -> None:
        super().__init__(what)
        self.what, self.field = what, field


class _BadSplit(Exception):
    pass


def _where(name: str, *place: str | int) -> str:
    return f"{name}#/{pointer(*place)}"


def _cards(name: str, data: bytes) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """(place in the file, card) in order."""
    try:
        value = strict_json.decode(data)
    except ValueError as error:
        raise FormatError(f"not the JSON of task cards: {error}", where=name) from error
    place: tuple[str | int, ...] = ()
    if isinstance(value, dict) and isinstance(value.get("tasks"), list):
        value, place = value["tasks"], ("tasks",)
    if isinstance(value, list):
        for at, card in enumerate(value):
            yield (*place, at), card
    else:
        yield place, value


def _task(card: Any, *, splits_are_stated: bool) -> Task:
    if not isinstance(card, dict):
        raise _MalformedCard(f"expected a card, got {quoted(card)}")
    clusters = {key: _text(card[key], key) for key in CLUSTER_KEYS if card.get(key) is not None}
    further = {key: value for key, value in card.items() if key not in (*CLUSTER_KEYS, *READ)}
    clusters |= {key: value for key, value in further.items() if isinstance(value, str) and value}
    return Task(
        id=_text(card.get("id"), "id"),
        inputs=card.get("inputs"),
        oracle_files=_oracle_files(card.get("oracle_files")),
        timeout_s=_seconds(card.get("timeout_s")),
        split=_split(card.get("split"), stated=splits_are_stated),
        clusters=Keys(clusters),
    )


def _text(value: Any, *field: str | int) -> str:
    if not isinstance(value, str) or not value:
        raise _MalformedCard(f"expected text that is not empty, got {quoted(value)}", *field)
    return value


def _oracle_files(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise _MalformedCard(f"expected a list of file names, got {quoted(value)}", "oracle_files")
    return tuple(_text(name, "oracle_files", at) for at, name in enumerate(value))


def _seconds(value: Any) -> float | None:
    if value is None:
        return None
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not isfinite(value) or value <= 0:
        raise _MalformedCard(f"expected seconds above 0, got {quoted(value)}", "timeout_s")
    return float(value)


def _split(value: Any, *, stated: bool) -> Split:
    if value is None and not stated:
        return "eval"
    if value is None:
        raise _MalformedCard("expected probe or eval, as other cards state", "split")
    if value == "probe":
        return "probe"
    if value == "eval":
        return "eval"
    raise _BadSplit(quoted(value))
