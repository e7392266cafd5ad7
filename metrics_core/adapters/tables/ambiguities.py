"""What a table leaves open, so that a number would be wrong in silence, and the flags that settle it.

Does: notice a column without a known name that tells rows of one task apart (arms taken for tries of one arm,
repetitions that are not counted), one that holds verdicts beside those that are read, and a task that is a
number of the row; say which flags settle all of it at once. Does not: decide any of it.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from metrics_core import column_names as col
from metrics_core.adapters.tables.cells import ANSWERS, NO, YES, Cells, name_of
from metrics_core.adapters.tables.obstacles import words_flag
from metrics_core.results import quoted
from metrics_core.text import many

MOST_FLAGS = 4
"""Columns of one role that are spelled as flags."""

MOST_WORDS = 3
"""Values of a column that could be outcomes in words of its own, and no tasks."""

MOST_POINTS = 10
"""The highest grade of a column of whole numbers that could be grades."""

LONGEST_NAME = 80
"""Characters of a cell that could name an arm, a task or a condition."""

CROSSED = 0.8
"""Share of (task, value) pairs that occur where a column is a condition under which every task was tried."""

JUDGING = (YES | NO) - ANSWERS
"""Words that say how a run came out, and could not answer another question."""

_PLAIN = re.compile(r"[A-Za-z0-9_.-]+")
_EXPANDED = frozenset('"$`\\!')
"""Signs that mean something to a shell between double quotation marks, too."""


class Ambiguity(Struct, frozen=True):
    """One thing that a table leaves open.

    Attributes:
        what: What it is, in words.
        flags: What settles it: any one of them.
    """

    what: str
    flags: tuple[str, ...]


def flag(role: str, column: str) -> str:
    """The words of a command line that give a column its role.

    >>> print(flag("arm", "provider"), flag("arm", "the model's"))
    --map arm=provider --map "arm=the model's"
    """
    return f"--map {_shell(f'{role}={column}', column)}"


def scale_flag(column: str, ends: str) -> str:
    """The words of a command line that give a column of outcomes its scale.

    >>> print(scale_flag("rating", "1..5"), scale_flag("Is wrong?", "1..0"))
    --scale rating=1..5 --scale 'Is wrong?=1..0'
    """
    return f"--scale {_shell(f'{column}={ends}', column)}"


def outcome_flag(column: str) -> str:
    """The words of a command line that read a column as an outcome, turned round where its name is against.

    >>> outcome_flag("passes"), outcome_flag("failed")
    ('--map outcome=passes', '--map outcome=failed --scale failed=1..0')
    """
    turned = f" {scale_flag(column, '1..0')}" if col.speaks_against(column) else ""
    return flag(col.OUTCOME, column) + turned


def _shell(words: str, column: str) -> str:
    """Words of a command line, in quotation marks where a shell would read the column as something else."""
    if _PLAIN.fullmatch(column):
        return words
    if "'" in column and not _EXPANDED.isdisjoint(column):
        return shlex.quote(words)
    mark = '"' if "'" in column else "'"
    return f"{mark}{words}{mark}"


class Rows(Struct, frozen=True):
    """Rows of a table of which some columns have their roles.

    Attributes:
        rows: Cells by column.
        by_role: Role -> its columns, as far as they are known or could be guessed.
        open: Columns that have no role, by their names or as somebody says.
        cells: Reads cells.
    """

    rows: Sequence[Mapping[str, Any]]
    by_role: Mapping[str, Sequence[str]]
    open: Sequence[str]
    cells: Cells

    def _one(self, role: str) -> str:
        return next(iter(self.by_role.get(role, ())), "")

    def _names(self, column: str) -> list[str | None]:
        return [_label(row.get(column)) for row in self.rows]

    def tasks(self) -> list[str]:
        """Columns that could be the task where none is: names, the likeliest first."""
        found = {name: _filled(self._names(name)) for name in self.open if self._is_text(name)}
        again = [name for name, values in found.items() if len(set(values)) < len(values)]
        again.sort(key=lambda name: -len(set(found[name])))
        few = [name for name in again if len(set(found[name])) <= MOST_WORDS]
        rest = [name for name in found if name not in again]
        return [name for name in again if name not in few] + rest + few

    def outcomes(self) -> list[str]:
        """Columns that could be outcomes where none is: every cell is a verdict from 0 to 1, or blank.

        How a run ended may be its outcome as well.
        """
        return [name for name in (*self.open, *self.by_role.get(col.ERROR, ())) if self._is_verdict(name)]

    def perhaps(self, also: Iterable[str]) -> tuple[str, ...]:
        """Flags for columns that could be outcomes if somebody says how: a few words, or a few whole numbers.

        Args:
            also: Columns to look at beside those without a role.
        """
        found = []
        for name in (*also, *self.open):
            cells = [cell for row in self.rows if _label(cell := row.get(name)) is not None]
            values = {_label(cell) for cell in cells}
            if not 2 <= len(values) < len(cells):
                continue
            numbers = [self.cells.whole(cell) for cell in cells]
            if all(number is not None and number <= MOST_POINTS for number in numbers):
                found.append(f"{flag(col.OUTCOME, name)} {scale_flag(name, 'LO..HI')}")
            elif len(values) <= MOST_WORDS and self._is_text(name):
                found.append(f"{flag(col.OUTCOME, name)} {words_flag(cells)}")
        return tuple(found[:MOST_FLAGS])

    def _is_binary(self, column: str) -> bool:
        verdicts = (self.cells.verdict(row.get(column)) for row in self.rows)
        return self._is_verdict(column) and {v.value for v in verdicts if v.state == "known"} <= {0.0, 1.0}

    def _is_verdict(self, column: str) -> bool:
        verdicts = [self.cells.verdict(row.get(column)) for row in self.rows]
        values = [verdict.value for verdict in verdicts if verdict.state == "known"]
        return (
            bool(values)
            and all(0 <= value <= 1 for value in values)
            and all(verdict.state != "unreadable" for verdict in verdicts)
        )

    def _is_text(self, column: str) -> bool:
        """Whether cells are names: text on one line, most of it neither numbers nor yes and no."""
        filled = [cell for row in self.rows if (cell := row.get(column)) not in (None, "")]
        cells = [cell for cell in filled if isinstance(cell, str) and len(cell) <= LONGEST_NAME]
        if not cells or len(cells) < len(filled):
            return False
        if any("\n" in cell.strip() for cell in cells):
            return False
        numbers = sum(self.cells.is_number(cell) for cell in cells)
        return 2 * numbers < len(cells) and not self._is_verdict(column)

    def ambiguities(self) -> Iterator[Ambiguity]:
        """What the columns without a role leave open."""
        yield from self._numbered()
        conditions, tries = self._conditions()
        whose = "task and arm" if self._one(col.ARM) else "task"
        roles = (col.SPLIT, col.ARM) if self._one(col.ARM) else (col.ARM,)
        for name in conditions:
            values = dict.fromkeys(_filled(self._names(name)))
            listed = ", ".join(quoted(value) for value in list(values)[:3])
            what = f"{_spelled(name)} ({many(len(values), 'value')}, such as {listed}) "
            also = (col.REP,) if name in tries else ()
            flags = tuple(flag(role, name) for role in (*also, *roles, col.UNREAD))
            if self._is_binary(name) and self.by_role.get(col.OUTCOME):
                flags = (self._as_outcome(name), *flags)
            yield Ambiguity(f"{what}tells rows of one {whose} apart, and is not read", flags)
        for name in tries:
            if name not in conditions:
                what = f"{_spelled(name)} numbers rows of one {whose}, and is not read"
                yield Ambiguity(what, (flag(col.REP, name), flag(col.UNREAD, name)))
        for name in self.open if self.by_role.get(col.OUTCOME) else ():
            if name not in conditions and self._is_verdict(name) and self._judges(name):
                what = f"{_spelled(name)} holds verdicts as well, and is not read"
                yield Ambiguity(what, (self._as_outcome(name), flag(col.UNREAD, name)))

    def _as_outcome(self, column: str) -> str:
        """The flags that read a column as one more outcome beside those that are read."""
        return " ".join(outcome_flag(name) for name in (*self.by_role[col.OUTCOME], column))

    def polarity(self, scale: Mapping[str, Sequence[float]]) -> Iterator[Ambiguity]:
        """Outcomes whose names speak against, without a word on what 1 is; or with one that cells belie.

        Args:
            scale: Column -> its stated scale.
        """
        for name in self.by_role.get(col.OUTCOME, ()):
            turned = name in scale and scale[name][0] > scale[name][1]
            if turned and self._judges(name):
                what = f"{_spelled(name)} holds words that say themselves what is a pass, and is turned round"
                yield Ambiguity(what, (flag(col.OUTCOME, name),))
            elif name not in scale and col.speaks_against(name) and not self._judges(name):
                what = f"{_spelled(name)} speaks of failures by its name, so that 1 would count as a pass"
                flags = (outcome_flag(name), f"{scale_flag(name, '0..1')} (1 is a pass all the same)")
                yield Ambiguity(what, flags)

    def _judges(self, column: str) -> bool:
        cells = (row.get(column) for row in self.rows)
        return any(isinstance(c, str) and c.replace("_", " ").strip().casefold() in JUDGING for c in cells)

    def _groups(self, *further: str) -> list[list[int]]:
        """Rows that would be tries of one another: equal in task, arm, repetition and split."""
        columns = (*(self._one(role) for role in (col.TASK, col.ARM, col.REP, col.SPLIT)), *further)
        labels = [self._names(name) if name else [""] * len(self.rows) for name in columns]
        found: dict[tuple[Any, ...], list[int]] = defaultdict(list)
        for at, key in enumerate(zip(*labels, strict=True)):
            if key[0] is not None:
                found[key].append(at)
        return list(found.values())

    def _conditions(self) -> tuple[list[str], list[str]]:
        """Columns that could be the arm, or a condition; and those that could number repetitions.

        Text is doubted wherever no arm is known; numbers and yes and no, and anything beside an arm, only
        where about every task was tried under every value.
        """
        groups = self._groups()
        if all(len(group) == 1 for group in groups):
            return [], []
        texts: list[str] = []
        if not self._one(col.ARM):
            texts = [name for name in self.open if self._is_text(name) and self._differs(name, groups)]
        within = self._groups(*texts)
        rest = [name for name in self.open if name not in texts]
        tries = [name for name in rest if not self._one(col.REP) and self._could_be_rep(name, within)]
        crossed = [
            name
            for name in rest
            if self._differs(name, within)
            and self._is_crossed(name, within)
            and not (texts and name in tries)
        ]
        return texts + crossed, tries

    def _differs(self, column: str, groups: Sequence[Sequence[int]]) -> bool:
        """Whether a column has few values, and not one alone among the tries of a task."""
        names = self._names(column)
        few = max(len(self.rows) // 2, *map(len, groups))
        if not 2 <= len(set(_filled(names))) <= few or not self._may_name(column):
            return False
        return any(len({names[at] for at in group} - {None}) > 1 for group in groups)

    def _is_crossed(self, column: str, groups: Sequence[Sequence[int]]) -> bool:
        """Whether about every task was tried under every value of a column."""
        names = self._names(column)
        pairs = sum(len({names[at] for at in group} - {None}) for group in groups)
        return len(groups) > 1 and pairs >= CROSSED * len(groups) * len(set(_filled(names)))

    def _may_name(self, column: str) -> bool:
        return all(
            isinstance(cell := row.get(column), str | int | float | None) and len(str(cell)) <= LONGEST_NAME
            for row in self.rows
        )

    def _could_be_rep(self, column: str, groups: Sequence[Sequence[int]]) -> bool:
        """Whether a column holds small whole numbers, each once among the tries of one task and arm."""
        numbers = [self.cells.whole(row.get(column)) for row in self.rows]
        most = max(map(len, groups))
        if most < 2 or len(groups) < 2 or any(number is None or number > 2 * most for number in numbers):
            return False
        return all(len({numbers[at] for at in group}) == len(group) for group in groups)

    def _numbered(self) -> Iterator[Ambiguity]:
        """A task that is another in every row, though several arms tried what another column names."""
        task, arm = self._one(col.TASK), self._one(col.ARM)
        tasks = _filled(self._names(task)) if task else []
        arms = self._names(arm) if arm else []
        if len(tasks) < 4 or len(set(tasks)) < len(tasks) or len(set(arms)) < 2:
            return
        for name in self.open:
            if not self._is_text(name):
                continue
            pairs = Counter(zip(self._names(name), arms, strict=True))
            values = {value for value, _ in pairs}
            if len(pairs) >= CROSSED * len(values) * len(set(arms)) and max(pairs.values()) == 1:
                what = (
                    f"{_spelled(task)} is another in every row, though {_spelled(name)} stands under each arm"
                )
                yield Ambiguity(what, (flag(col.TASK, name), flag(col.UNREAD, name)))


def _label(cell: Any) -> str | None:
    """A cell as one of few values."""
    return str(cell).lower() if isinstance(cell, bool) else name_of(cell)


def _filled(names: Sequence[str | None]) -> list[str]:
    return [name for name in names if name is not None]


def _spelled(name: str) -> str:
    return name if name.isidentifier() else quoted(name)
