"""Whether tables of one folder are one experiment: the same columns, and rows that are not there twice.

Does: hold the first rows of each against those of the others, and say why they are unlike. Does not: refuse
anything, or read a table to its end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from metrics_core import column_names as col
from metrics_core.adapters.tables.cells import name_of
from metrics_core.adapters.tables.columns import columns_of, list_of
from metrics_core.adapters.tables.rows import CellsOfRow, rows_of
from metrics_core.adapters.tables.wide import one_row_a_try
from metrics_core.errors import FormatError
from metrics_core.formats import Reading, decompression
from metrics_core.results import quoted

LOOKED_AT = 2**20
"""First bytes of a table by which it is told from others."""

MOST_TABLES = 200
"""Tables of a folder that are held against one another."""

Key = tuple[str | None, ...]


class _Beginning(Struct, frozen=True):
    """The first rows of a table: its columns by role, and task, arm, repetition and split of each row."""

    columns: Mapping[str, tuple[str, ...]]
    tries: frozenset[Key]

    @property
    def tasks(self) -> frozenset[str | None]:
        return frozenset(key[0] for key in self.tries)

    @property
    def shape(self) -> tuple[frozenset[str], ...]:
        """Task and outcomes as they are called, and whether there is an arm."""
        named = (frozenset(map(col.plain, self.columns.get(role, ()))) for role in (col.TASK, col.OUTCOME))
        return (*named, frozenset({col.ARM} & self.columns.keys()))


def unlike(paths: Sequence[str], head: Callable[[str, int], bytes], reading: Reading) -> str:
    r"""Why tables are no one experiment; empty where they may be one, or where one of them cannot be read.

    Args:
        paths: Of the tables.
        head: Path, and how many bytes -> its first bytes, unpacked.
        reading: What was said of the columns.

    >>> tables = {"a.csv": b"task,ok\nt1,1\n", "b.csv": b"case,score\nt1,1\n",
    ...           "c.csv": b"task,ok\nu9,1\n"}
    >>> unlike(("a.csv", "b.csv"), lambda path, size: tables[path], Reading())
    'a.csv has task, ok, and b.csv has case, score'
    >>> unlike(("a.csv", "c.csv"), lambda path, size: tables[path], Reading())
    'a.csv has no task that another has, so that its name would be an arm of its own'
    """
    found: dict[str, _Beginning] = {}
    for path in paths[:MOST_TABLES]:
        try:
            found[path] = _beginning(path, head(path, LOOKED_AT), reading)
        except FormatError:  # its own reading tells that
            return ""
    first, *rest = found
    for path in rest:
        if found[path].shape != found[first].shape:
            return f"{first} has {_told(found[first])}, and {path} has {_told(found[path])}"
    return _twice(found) if found[first].columns.get(col.ARM) else _apart(found)


def _beginning(path: str, data: bytes, reading: Reading) -> _Beginning:
    if len(data) >= LOOKED_AT:
        data = data[: data.rfind(b"\n") + 1]
    found = [row for row in rows_of(path, data) if isinstance(row, CellsOfRow)]
    rows, reading = one_row_a_try(path, found, reading)
    names = tuple(dict.fromkeys(name for row in rows for name in row.cells))
    columns = columns_of(path, names, [row.cells for row in rows], reading)
    keys = [columns.one(role) or "" for role in (col.TASK, col.ARM, col.REP, col.SPLIT)]
    tries = {tuple(name_of(row.cells.get(key)) for key in keys) for row in rows}
    return _Beginning(columns.by_role, frozenset(tries))


def _told(table: _Beginning) -> str:
    roles = (col.TASK, col.ARM, col.OUTCOME)
    return list_of(name for role in roles for name in table.columns.get(role, ()))


def _twice(found: Mapping[str, _Beginning]) -> str:
    """The same try in two tables whose names differ in more than a number."""
    for (one, first), (other, second) in combinations(found.items(), 2):
        both = first.tries & second.tries
        if both and _without_numbers(one) != _without_numbers(other):
            task, arm, *_ = min(both, key=lambda key: tuple(map(str, key)))
            return f"{one} and {other} both hold {quoted(task)} by {quoted(arm)}, as if it were tried again"
    return ""


def _apart(found: Mapping[str, _Beginning]) -> str:
    """A table without an arm whose tasks nothing else here has."""
    for path, table in found.items():
        others = (other.tasks for name, other in found.items() if name != path)
        if table.tasks and table.tasks.isdisjoint(frozenset().union(*others)):
            return f"{path} has no task that another has, so that its name would be an arm of its own"
    return ""


def _without_numbers(path: str) -> str:
    return re.sub(r"\d+", "0", decompression.unpacked_name(path))
