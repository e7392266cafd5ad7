"""Which column of a table has which role: by its name, or as somebody says.

Does: give each role its column, refuse a guess between two, and say in one line what was read. Does not: look
at a cell, but for what an outcome and a status are told by.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from metrics_core import column_names as col
from metrics_core.adapters.tables.ambiguities import MOST_FLAGS, Ambiguity, Rows, flag, outcome_flag
from metrics_core.adapters.tables.cells import Cells, is_status, stamp_of
from metrics_core.adapters.tables.obstacles import Obstacle, obstacle
from metrics_core.adapters.tables.wide import models_among
from metrics_core.errors import FormatError
from metrics_core.formats import Reading
from metrics_core.results import quoted
from metrics_core.text import many

SEVERAL = frozenset({col.OUTCOME, col.ERROR, col.CLUSTER, col.UNREAD})
"""Roles that more than one column may have: several scorers, several signs of failure, several keys."""

WORDS = {
    col.REP: "repetition", col.INPUT: "input tokens", col.OUTPUT: "output tokens", col.COST: "cost in USD",
}  # fmt: skip
_BLANK = re.compile(r"=\?|=COLUMN\b| \(")
"""Where a flag leaves something to its reader."""

MOST_LISTED = 12
"""Columns that a sentence names."""


class Columns(Struct, frozen=True):
    """The columns of one table by what they are.

    Attributes:
        by_role: Role -> its columns, in the order of the table.
        left: Columns that are not read.
        unread: Column -> why it is not read, where its name promised something.
    """

    by_role: Mapping[str, tuple[str, ...]]
    left: tuple[str, ...]
    unread: Mapping[str, str]

    def one(self, role: str) -> str | None:
        """The column of a role that one column has."""
        return next(iter(self.by_role.get(role, ())), None)

    def all_of(self, role: str) -> tuple[str, ...]:
        """The columns of a role that several may have."""
        return self.by_role.get(role, ())

    def told(self, *, arm: str | None, how: Mapping[str, str]) -> str:
        """What is read as what, in one line.

        Args:
            arm: What stands for the arm where no column does.
            how: Column of outcomes -> how its cells are spelled, where that is worth telling.
        """
        spelled = {name: f" ({how[name]})" for name in self.all_of(col.OUTCOME) if name in how}
        parts = [
            f"{list_of(columns)} as {WORDS.get(role, role)}"
            + (_first(spelled) if role == col.OUTCOME else "")
            for role, columns in self.by_role.items()
            if columns and role != col.CLUSTER
        ]
        if arm is not None:
            parts.insert(1, f"{arm} as arm (no column names one: --map arm=COLUMN would)")
        line = f"read: {', '.join(parts)}"
        if self.all_of(col.CLUSTER):
            line += f"; {list_of(self.all_of(col.CLUSTER))} kept, to be named as cluster"
        if self.left:
            line += f"; {many(len(self.left), 'column')} not read: {list_of(self.left)}"
        return line


def columns_of(
    path: str, names: Sequence[str], rows: Sequence[Mapping[str, Any]], reading: Reading
) -> Columns:
    """The columns of a table by role.

    Args:
        path: The file, for errors.
        names: Its columns.
        rows: All of them, which tell whether a column holds outcomes at all.
        reading: What was said of the columns.

    Raises:
        FormatError: Two columns could have a role that one has; none is the task, or the outcome; one that is
            not read could be what tells rows apart; or what was said names no role, or no column.
    """
    asked = _asked(path, names, reading)
    taken = {name for columns in asked.values() for name in columns}
    found: dict[str, list[str]] = {role: [] for role in col.NAMES}
    for name in names:
        role = None if name in taken else col.role_of(name)
        if role is not None and role not in asked:
            found[role].append(name)
    unread: dict[str, str] = {}
    cells = Cells.as_said(reading)
    strange = {
        name: why
        for name in (*found[col.OUTCOME], *asked.get(col.OUTCOME, ()))
        if (why := obstacle(name, rows, cells)) is not None
    }
    unread |= {name: why.why for name, why in strange.items() if name in found[col.OUTCOME]}
    found[col.OUTCOME] = [name for name in found[col.OUTCOME] if name not in strange]
    found[col.ERROR] = [name for name in found[col.ERROR] if _told(name, _why_no_error(name, rows), unread)]
    if not found[col.STAMP] and col.STAMP not in asked:
        found[col.STAMP] = [name for name in found[col.LATENCY] if _holds_stamps(name, rows)]
        found[col.LATENCY] = [name for name in found[col.LATENCY] if name not in found[col.STAMP]]
    found[col.LATENCY] = [name for name in found[col.LATENCY] if _told(name, _why_no_time(name), unread)]
    by_role = {role: asked.get(role, tuple(found[role])) for role in found}
    taken |= {name for columns in by_role.values() for name in columns}
    nameless = [name for name in names if name not in taken and name and col.role_of(name) is None]
    table = Rows(rows, by_role, nameless, cells)
    _refuse_ambiguities(path, names, table, unread, strange, reading.scale)
    unread |= {
        name: "does not say whether they went in or out: call it input_tokens or output_tokens"
        for name in nameless
        if col.plain(name) in ("tokens", "totaltokens", "tokenstotal", "ntokens", "tokencount")
    }
    left = tuple(name for name in names if not any(name in columns for columns in by_role.values()))
    return Columns({r: c for r, c in by_role.items() if c}, left, unread)


def _refuse_ambiguities(
    path: str,
    names: Sequence[str],
    table: Rows,
    unread: Mapping[str, str],
    strange: Mapping[str, Obstacle],
    scale: Mapping[str, Sequence[float]],
) -> None:
    """All that a table leaves open, in one refusal with every flag that settles it."""
    found = list(table.polarity(scale))
    asked = [(name, strange[name]) for name in table.by_role[col.OUTCOME] if name in strange]
    found += [Ambiguity(f"{list_of([name])} {why.why}", why.flags) for name, why in asked]
    by_role = dict(table.by_role)
    for role, columns in table.by_role.items():
        if len(columns) > 1 and role not in SEVERAL:
            flags = tuple(flag(role, name) for name in columns[:MOST_FLAGS])
            what = f"{len(columns)} columns could be the {WORDS.get(role, role)}: {list_of(columns)}"
            found.append(Ambiguity(what, flags))
    for role, find in ((col.TASK, table.tasks), (col.OUTCOME, table.outcomes)):
        if not by_role[role]:
            could_be = find()
            settled = strange if role == col.OUTCOME else {}
            lacking = _nothing(names, role, unread, could_be, settled)
            if role == col.OUTCOME:
                lacking = _otherwise(lacking, table, could_be, unread)
                lacking = replace(lacking, what=lacking.what + _within(path, table.rows))
            found.append(lacking)
            by_role[role] = tuple(could_be[:1] if role == col.TASK else could_be)
    taken = {*by_role[col.TASK], *by_role[col.OUTCOME]}
    guessed = Rows(table.rows, by_role, [name for name in table.open if name not in taken], table.cells)
    if by_role[col.TASK]:
        found += guessed.ambiguities()
    if found:
        say = "say which" if len(found) == 1 else "say all at once"
        flags_ = ", and ".join(" or ".join(each.flags) for each in found)
        last = f"; --map {col.UNREAD}=COLUMN: it tells nothing of its row" if col.UNREAD in flags_ else ""
        raise FormatError(
            "; ".join(each.what for each in found), where=path,
            hint=f"{say}: {flags_}{last}; in experiment.yaml "
            f"source: {{format: table, map: {{ROLE: COLUMN}}}}{_command(path, found)}",
        )  # fmt: skip


def _within(path: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Outcomes that stand in an object within each row, with what would make columns of them."""
    for column in rows[0] if rows else ():
        cells = [row.get(column) for row in rows]
        inside = dict.fromkeys(name for cell in cells if isinstance(cell, dict) for name in cell)
        found = [name for name in inside if col.role_of(name) == col.OUTCOME]
        if found and column.isidentifier() and all(isinstance(cell, dict) for cell in cells):
            each = ".[] | " if path.endswith(".json") else ""
            command = f"jq -c '{each}. + .{column}' {shlex.quote(path)} | assay compute -"
            return f"; {column} holds {list_of(found)} within it: {command}"
    return ""


def _command(path: str, found: Sequence[Ambiguity]) -> str:
    """A whole command line with the first flag of each; none where a flag has a blank for the reader."""
    flags = [each.flags[0] for each in found if each.flags]
    whole = len(flags) == len(found) and all(
        each.startswith("--") and not _BLANK.search(each) for each in flags
    )
    return f"; such as: assay compute {shlex.quote(path)} {' '.join(dict.fromkeys(flags))}" if whole else ""


def _holds_stamps(column: str, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a column of times, whose name has no unit, says when runs were, and not how long.

    A number may be either: seconds since 1970, or nanoseconds that a run took.
    """
    cells = [row.get(column) for row in rows if row.get(column) not in (None, "")]
    dates = all(stamp_of(cell) is not None and Cells().number(cell) is None for cell in cells)
    return bool(cells) and col.unit_of(column) is None and dates


def _first(spelled: Mapping[str, str]) -> str:
    """How outcomes are spelled: of several columns, each once."""
    return "".join(dict.fromkeys(spelled.values()))


def list_of(names: Iterable[str]) -> str:
    """Names of columns in a sentence; those that are no plain word in quotation marks.

    >>> list_of(["case", "Model Name"])
    'case, "Model Name"'
    """
    spelled = [name if name.isidentifier() else quoted(name) for name in names]
    more = len(spelled) - MOST_LISTED
    return ", ".join(spelled[:MOST_LISTED]) + (f" and {more} more" if more > 0 else "")


def _asked(path: str, names: Sequence[str], reading: Reading) -> dict[str, tuple[str, ...]]:
    """What was said, by role."""
    asked: dict[str, tuple[str, ...]] = {}
    for word, columns in reading.map.items():
        role = col.role_named(word)
        if role is None:
            roles = ", ".join((*col.NAMES, col.UNREAD))
            raise FormatError(f"{quoted(word)} is no role of a column", where=path, hint=f"there is {roles}")
        spelled = tuple(_column(path, names, column) for column in columns)
        if len(spelled) > 1 and role not in SEVERAL:
            raise FormatError(f"expected one column as the {role}, got {list_of(spelled)}", where=path)
        asked[role] = (*asked.get(role, ()), *spelled)
    return asked


def _column(path: str, names: Sequence[str], column: str) -> str:
    """A column as the table spells it."""
    if column in names:
        return column
    alike = [name for name in names if col.plain(name) == col.plain(column)]
    if len(alike) == 1:
        return alike[0]
    raise FormatError(f"there is no column {quoted(column)}", where=path, hint=_near(column, names))


def _near(column: str, names: Sequence[str]) -> str:
    near = get_close_matches(column, names, 1)
    return f"nearest: {list_of(near)}" if near else f"there is {list_of(names)}"


def _nothing(
    names: Sequence[str],
    role: str,
    unread: Mapping[str, str],
    could_be: Sequence[str],
    strange: Mapping[str, Obstacle],
) -> Ambiguity:
    """No column has a role that a table must have; those that could have it are spelled as flags."""
    why = "".join(f"; {quoted(name)} {reason}" for name, reason in list(unread.items())[:3])
    if any(Cells().number(name) is not None for name in names) and not any(map(col.role_of, names)):
        why += "; is the first line a row, and no header?"
    flags = _settling(strange) or _flags(role, could_be)
    return Ambiguity(f"no column is the {role}: there is {list_of(names) or 'none'}{why}", flags)


def _flags(role: str, could_be: Sequence[str]) -> tuple[str, ...]:
    spelled = outcome_flag if role == col.OUTCOME else partial(flag, role)
    return tuple(map(spelled, could_be[:MOST_FLAGS])) or (f"--map {role}=COLUMN",)


def _otherwise(lacking: Ambiguity, table: Rows, could_be: Sequence[str], unread: Iterable[str]) -> Ambiguity:
    """What else may hold the outcomes: a column an arm, or one that wants a word on what its cells mean."""
    if not table.by_role[col.ARM] and (models := models_among(could_be)):
        what = f"{lacking.what}; {list_of(models)} look like a column a model"
        return Ambiguity(what, (" ".join(flag(col.ARM, name) for name in models), *lacking.flags))
    blank = lacking.flags == _flags(col.OUTCOME, ())
    return Ambiguity(lacking.what, table.perhaps(unread) or lacking.flags) if blank else lacking


def _settling(strange: Mapping[str, Obstacle]) -> tuple[str, ...]:
    """What settles how a column that is called an outcome is to be read: a comma before words."""
    for name, why in sorted(strange.items(), key=lambda item: item[1].of_column):
        column = f"{flag(col.OUTCOME, name)} " if why.of_column else ""
        return tuple(f"{column}{words}" for words in why.flags)
    return ()


def _told(name: str, why_not: str, unread: dict[str, str]) -> bool:
    if why_not:
        unread[name] = why_not
    return not why_not


def _why_no_error(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    if col.plain(name) != "status" or is_status([row[name] for row in rows if name in row]):
        return ""
    return "holds words that do not say whether a run failed by itself"


def _why_no_time(name: str) -> str:
    unit = col.unit_of(name)
    return "" if unit is not None else "names no unit: call it latency_s or latency_ms"
