"""Tables with a column an arm: each cell of such a column is a try of its row's task, by that arm.

Does: read them as if each cell had a row of its own, where somebody names several columns as the arm; tell
names that look like models. Does not: take a table for one by itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from metrics_core import column_names as col
from metrics_core.adapters.tables.rows import CellsOfRow
from metrics_core.digest import canonical
from metrics_core.errors import FormatError
from metrics_core.formats import Reading
from metrics_core.results import quoted

_MODEL = re.compile(
    r"gpt|claude|opus|sonnet|haiku|gemini|gemma|llama|mi[sx]tral|qwen|deepseek|grok|kimi|glm|phi-?\d|nova|command"
    r"|\bo\d\b|model|modell|agent|[-_ ]v?\d+(\.\d+)*$|\d+b\b",
    re.IGNORECASE,
)


def models_among(names: Sequence[str]) -> tuple[str, ...]:
    """Names that look like those of models, where there are two or more.

    >>> models_among(["gpt-4o", "flag", "claude-3.5"]), models_among(["lint", "tests"])
    (('gpt-4o', 'claude-3.5'), ())
    """
    found = tuple(name for name in names if _MODEL.search(name))
    return found if len(found) > 1 else ()


def arms_of(reading: Reading) -> tuple[str, ...]:
    """Columns that somebody names as the arm where they are several: each is an arm."""
    named = [name for role, names in reading.map.items() if col.role_named(role) == col.ARM for name in names]
    return tuple(named) if len(named) > 1 else ()


def one_row_a_try(
    path: str, rows: Sequence[CellsOfRow], reading: Reading
) -> tuple[list[CellsOfRow], Reading]:
    """Rows with the arm and the outcome in a column each, and how these are read.

    Args:
        path: The table, for errors.
        rows: As they stand there.
        reading: What was said of the columns.

    Raises:
        FormatError: A column is not there, or the table has columns called ``arm`` or ``outcome`` already.

    >>> row = CellsOfRow({"task": "t1", "a": "1", "b": "0"}, 2, b"")
    >>> rows, reading = one_row_a_try("t.csv", [row], Reading(map={"arm": ("a", "b")}))
    >>> [dict(row.cells) for row in rows]
    [{'task': 't1', 'arm': 'a', 'outcome': '1'}, {'task': 't1', 'arm': 'b', 'outcome': '0'}]
    """
    arms = arms_of(reading)
    if not arms:
        return list(rows), reading
    names = {name for row in rows for name in row.cells}
    for name in arms:
        if name not in names:
            raise FormatError(f"there is no column {quoted(name)}", where=path)
    for name in {col.ARM, col.OUTCOME} & names - set(arms):
        raise FormatError(
            f"{quoted(name)} is a column, and {len(arms)} others are to be arms", where=path,
            hint="name one column as the arm",
        )  # fmt: skip
    other = {role: names for role, names in reading.map.items() if col.role_named(role) != col.ARM}
    said = replace(reading, map={**other, col.ARM: (col.ARM,), col.OUTCOME: (col.OUTCOME,)})
    return [_try(row, arm, arms) for row in rows for arm in arms if arm in row.cells], said


def _try(row: CellsOfRow, arm: str, arms: Sequence[str]) -> CellsOfRow:
    rest: Mapping[str, Any] = {name: cell for name, cell in row.cells.items() if name not in arms}
    cells = {**rest, col.ARM: arm, col.OUTCOME: row.cells[arm]}
    return CellsOfRow(cells, row.line, canonical(cells))
