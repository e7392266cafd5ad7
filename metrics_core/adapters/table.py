"""Plain tables as traces: one row a try, whoever made the table and whatever its columns are called.

Delimited text, JSON arrays, lines of JSON and Parquet. Columns are recognised by their names, or as somebody
says; what was read as what is told once a file. Each column of outcomes is a scorer of its own, under the
contract ``assay/table``. The arm is a column, else the file's name. Does not: guess between two columns, take
percentages for shares, or a blank for a failure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from metrics_core import column_names as col
from metrics_core.adapters.tables import (
    Cells,
    CellsOfRow,
    CellVerdict,
    Columns,
    alike_told,
    are_fractions,
    arms_of,
    columns_of,
    counted,
    error_of,
    has_shape,
    is_of_one_try,
    is_status,
    list_of,
    name_of,
    names_in,
    one_row_a_try,
    refuse_percentages,
    repeated_lines,
    rows_of,
    stamp_of,
    summaries,
    unlike,
)
from metrics_core.errors import FormatError
from metrics_core.formats import (
    Adapter,
    Declared,
    Element,
    Made,
    MeansOfTasks,
    OutsideFile,
    decompression,
    stated,
)
from metrics_core.results import Aside, Problem, pointer, quoted
from metrics_core.text import many

CONTRACT = "assay/table"

NAMES_ONE = "--map arm=COLUMN names one"
"""What a table's reader can say where no arm is named."""

OTHERS = frozenset({
    "traj", "info", "schema_version", "filtered_resps", "doc_hash", "span_id", "spanId", "traceId",
    "promptIdx",
})  # fmt: skip
"""Fields of formats that are no tables, though their lines hold tasks and scores."""


def claims(path: str, head: bytes) -> bool:
    """A table in which a column is a task and one an outcome, by their names."""
    names = names_in(path, head)
    return {col.TASK, col.OUTCOME} <= {col.role_of(name) for name in names} and OTHERS.isdisjoint(names)


def convert(file: OutsideFile) -> Iterator[Made]:
    r"""One trace a row, in the order of the table.

    >>> data = b"case,passed\nt1,yes\nt2,\n"
    >>> told, first, second = convert(OutsideFile(path="alpha.csv", data=data))
    >>> told.what.replace("the file's name as arm (no column names one: --map arm=COLUMN would)", "...")
    'read: case as task, ..., passed as outcome (yes and no as 1 and 0)'
    >>> first.record["agent"], first.record["scores"], second.record["scores"]
    ('alpha', {'passed': 1.0}, {'passed': None})
    """
    rows: list[CellsOfRow] = []
    problems: list[Problem] = []
    for item in rows_of(file.path, file.data):
        if isinstance(item, Problem):
            problems.append(item)
        else:
            rows.append(item)
    if not rows:
        yield from problems
        if not problems:
            raise FormatError("expected rows, there is only a header", where=file.path)
        return
    arms = arms_of(file.reading)
    rows, reading = one_row_a_try(file.path, rows, file.reading)
    file = replace(file, reading=reading)
    names = tuple(dict.fromkeys(name for row in rows for name in row.cells))
    columns = columns_of(file.path, names, [row.cells for row in rows], reading)
    table = _Table.of(file, columns, rows)
    summing = {rows[at].line: rows[at] for at in summaries(table.tasks(), table.arms())}
    if len(summing) < len(rows):
        rows = [row for row in rows if row.line not in summing]
        table = _Table.of(file, columns, rows)
    refuse_percentages(file.path, table.verdicts, [row.line for row in rows], file.reading.scale)
    yield Aside(file.path, None, "", table.told())
    if arms:
        yield Aside(file.path, None, "", f"{list_of(arms)} are an arm each, and their cells its outcomes")
    yield from map(table.left_out, summing.values())
    yield from table.remarks()
    yield from map(table.trace, range(len(rows)))
    yield from problems


class _Table(Struct, frozen=True):
    """A table whose columns are known.

    Attributes:
        arm: What stands for the arm where no column does; ``arm_from`` says what it is.
        verdicts: Scorer -> what each row says, in the order of rows.
        scale: Scorer -> ends of its scale, where that is stated.
        reps: Cell of the repetition -> its number, where the cells are no numbers.
        statuses: Columns of errors that tell how every run ended.
    """

    path: str
    columns: Columns
    rows: Sequence[CellsOfRow]
    cells: Cells
    arm: str | None
    arm_from: str | None
    verdicts: Mapping[str, Sequence[CellVerdict]]
    scale: Mapping[str, Sequence[float]]
    reps: Mapping[str, int]
    statuses: frozenset[str]

    @classmethod
    def of(cls, file: OutsideFile, columns: Columns, rows: Sequence[CellsOfRow]) -> _Table:
        cells = Cells.as_said(file.reading)
        rep = columns.one(col.REP)
        said = [] if rep is None else [row.cells.get(rep) for row in rows]
        numbered = all(cells.whole(cell) is not None for cell in said if name_of(cell) is not None)
        names = (
            () if numbered else dict.fromkeys(name for cell in said if (name := name_of(cell)) is not None)
        )
        errors = {name: [row.cells.get(name) for row in rows] for name in columns.all_of(col.ERROR)}
        own, arm = decompression.stem(PurePosixPath(file.path).name), _arm_of(file)
        return cls(
            path=file.path,
            columns=columns,
            rows=rows,
            cells=cells,
            arm=None if columns.one(col.ARM) else arm,
            arm_from=None if columns.one(col.ARM) else f"the {'file' if arm == own else 'folder'}'s name",
            verdicts={
                name: [cells.verdict(row.cells.get(name)) for row in rows]
                for name in columns.all_of(col.OUTCOME)
            },
            scale=file.reading.scale,
            reps={name: number for number, name in enumerate(names, start=1)},
            statuses=frozenset(name for name, found in errors.items() if is_status(found)),
        )

    def told(self) -> str:
        """The line that says what was read as what."""
        all_text = all(isinstance(cell, str | None) for row in self.rows[:9] for cell in row.cells.values())
        how: dict[str, str] = {}
        for name, verdicts in self.verdicts.items():
            ways = {verdict.how for verdict in verdicts}
            if "as said" in ways:
                how[name] = "words as said"
            elif "words" in ways:
                how[name] = "yes and no as 1 and 0"
            elif "numbers as text" in ways and not all_text:
                how[name] = "numbers as text"
        return self.columns.told(arm=self.arm_from, how=how)

    def remarks(self) -> Iterator[Problem]:
        """What is odd in a table that is read all the same."""
        for name, why in self.columns.unread.items():
            yield Aside(self.path, None, "", f"{list_of([name])} is not read: it {why}")
        for role in _FIELDS:
            if (column := self.columns.one(role)) is not None:
                lost = [row for row in self.rows if _filled(row, column) and self._context(role, row) is None]
                yield from self._lost(lost, column, f"cannot be read as {role}: not recorded")
        if (column := self.columns.one(col.REP)) is not None:
            lost = [row for row in self.rows if _filled(row, column) and self._rep(row) is None]
            yield from self._lost(lost, column, "cannot be read as repetition: not recorded")
        for name, verdicts in self.verdicts.items():
            pairs = list(zip(self.rows, verdicts, strict=True))
            strange = [row for row, verdict in pairs if verdict.state == "unreadable"]
            yield from self._unread(strange, name)
            low, high = sorted(self.scale.get(name, (-inf, inf)))
            out = [row for row, v in pairs if v.state == "known" and not low <= v.value <= high]
            yield from self._lost(
                out, name, f"cannot be placed on the scale from {low:g} to {high:g}: invalid"
            )
        yield from self._words_without_cells()
        yield from self._repeated()
        for role, found in (("arm", self.arms()), ("task", self.tasks())):
            for what in alike_told(role, found):
                yield Aside(self.path, None, "", what)
        if self.columns.one(col.REP) is None and self.columns.one(col.STAMP) is None:
            for line, what in repeated_lines(self.rows):
                yield Aside(self.path, line, "", what)
        for name, verdicts in self.verdicts.items():
            if self._holds_means(verdicts):
                for arm in sorted({self._arm(row) or "" for row in self.rows}):
                    tasks = sum(self._arm(row) == arm for row in self.rows)
                    yield Declared.by(self.path, MeansOfTasks(tasks), model=arm, scorer=name)

    def left_out(self, row: CellsOfRow) -> Problem:
        """That a row is no try, as its task says; and how to have it read."""
        task = self._task(row)
        what = (
            f"left out: the task {quoted(task)} sums the other rows up, as it is called and where it stands; "
            f"if it is a task, give it another name, such as {quoted(f'task {task}')}"
        )
        return Aside(self.path, row.line, pointer(self.columns.one(col.TASK) or ""), what)

    def tasks(self) -> list[str | None]:
        """The task of each row."""
        return [self._task(row) for row in self.rows]

    def arms(self) -> list[str | None]:
        """The arm of each row."""
        return [self._arm(row) for row in self.rows]

    def _unread(self, rows: Sequence[CellsOfRow], column: str) -> Iterator[Problem]:
        """Cells of outcomes that are no verdict: how many, where the first stands, and all that they hold."""
        if rows:
            found = [row.cells.get(column) for row in rows]
            what = (
                f"{many(len(rows), 'cell')} cannot be read as outcome: invalid; {counted(found)}; "
                "--word WORD=NUMBER says what one stands for"
            )
            yield Aside(self.path, rows[0].line, pointer(column), what)

    def _words_without_cells(self) -> Iterator[Problem]:
        """Words of which somebody says what they stand for, and that stand nowhere."""
        cells = [row.cells.get(name) for name in self.verdicts for row in self.rows]
        for word in sorted(self.cells.words.keys() - set(map(self.cells.said, cells))):
            yield Aside(
                self.path, None, "", f"no outcome is {quoted(word)}, though it is said what it stands for"
            )

    def _lost(self, rows: Sequence[CellsOfRow], column: str, why: str) -> Iterator[Problem]:
        """Cells of a column that say nothing that can be counted: how many, and where the first stands."""
        if rows:
            first = rows[0]
            what = f"{many(len(rows), 'cell')} {why}; the first is {quoted(first.cells.get(column))}"
            yield Aside(self.path, first.line, pointer(column), what)

    def _repeated(self) -> Iterator[Problem]:
        """Tries of one task, arm and repetition that stand more than once and are not the same."""
        if self.columns.one(col.REP) is None:
            return
        tries: dict[tuple[Any, ...], set[bytes]] = defaultdict(set)
        for row in self.rows:
            tries[(self._arm(row), self._task(row), self._rep(row), self._split(row))].add(row.source)
        twice = [key for key, sources in tries.items() if len(sources) > 1]
        if twice:
            arm, task, rep, _ = twice[0]
            what = (
                f"{many(len(twice), 'repetition')} of a task stand more than once and differ, the first is "
                f"{rep} of {quoted(task)} by {quoted(arm)}: all are counted"
            )
            yield Aside(self.path, None, "", what)

    def _holds_means(self, verdicts: Sequence[CellVerdict]) -> bool:
        """Whether rows are means of tasks: one row a task and arm, no repetition, and fractions.

        A row that says whether one try passed, or how it ended, is that try, whatever else it was given.
        """
        of_tries = any(self.columns.all_of(role) for role in (col.REP, col.ERROR))
        if of_tries or any(map(is_of_one_try, self.verdicts.values())):
            return False
        tasks = Counter((self._arm(row), self._task(row), self._split(row)) for row in self.rows)
        return max(tasks.values()) == 1 and are_fractions(verdicts)

    def trace(self, at: int) -> Made:
        """The trace of a row, by its place."""
        row = self.rows[at]
        arm, task = self._arm(row), self._task(row)
        for role, found in ((col.TASK, task), (col.ARM, arm)):
            if found is None:
                column = self.columns.one(role) or ""
                why = f"expected the {role}, the cell is blank"
                if role == col.ARM:
                    why += f": the row names no arm and is in no arm's numbers; {NAMES_ONE}, if there is one"
                return Problem(self.path, row.line, column, why)
        verdicts = {name: found[at] for name, found in self.verdicts.items()}
        errors = [
            error_of(row.cells.get(name), status=name in self.statuses)
            for name in self.columns.all_of(col.ERROR)
        ]
        errors += [name_of(row.cells.get(n)) for n, v in verdicts.items() if v.state == "error"]
        kept = {
            col.kept_as(name): row.cells[name]
            for name in self.columns.all_of(col.CLUSTER)
            if _filled(row, name)
        }
        record = {
            **kept,
            "schema": "trace.v1",
            "contract_id": CONTRACT,
            "task_id": task,
            "agent": arm,
            "rep": self._rep(row),
            "split": self._split(row),
            "error": next(filter(None, errors), None),
            **{field: self._context(role, row) for role, field in _FIELDS.items()},
        }
        scores = {name: _score(verdict, row.cells.get(name)) for name, verdict in verdicts.items()}
        source = row.source if self.arm is None else b""  # the same row under another name is another run
        return Element(record={**stated(record), "scores": scores}, source=source)

    def _arm(self, row: CellsOfRow) -> str | None:
        column = self.columns.one(col.ARM)
        return self.arm if column is None else name_of(row.cells.get(column))

    def _cell(self, role: str, row: CellsOfRow) -> Any:
        """The cell of a role; None where no column has it. A column may have no name: an index has none."""
        column = self.columns.one(role)
        return None if column is None else row.cells.get(column)

    def _task(self, row: CellsOfRow) -> str | None:
        return name_of(self._cell(col.TASK, row))

    def _split(self, row: CellsOfRow) -> str | None:
        return name_of(self._cell(col.SPLIT, row))

    def _rep(self, row: CellsOfRow) -> int | None:
        cell = self._cell(col.REP, row)
        return self.reps.get(name_of(cell) or "") if self.reps else self.cells.whole(cell)

    def _context(self, role: str, row: CellsOfRow) -> Any:
        """What a cell of context says; None where it says nothing that can be read."""
        cell = self._cell(role, row)
        if cell is None:
            return None
        if role in (col.INPUT, col.OUTPUT):
            return self.cells.whole(cell)
        if role == col.STAMP:
            return stamp_of(cell)
        value = self.cells.number(cell)
        unit = col.unit_of(self.columns.one(role) or "") if role == col.LATENCY else 1.0
        return None if value is None or value < 0 or unit is None else value * unit


_FIELDS = {
    col.COST: "cost_usd",
    col.INPUT: "prompt_tokens",
    col.OUTPUT: "completion_tokens",
    col.LATENCY: "wall_s",
    col.STAMP: "stamp",
}
"""Role of context -> the field of a trace."""


def _score(verdict: CellVerdict, cell: Any) -> Any:
    """What a trace holds of an outcome: what cannot be read stands there as it is, and is refused there."""
    if verdict.state == "known":
        return verdict.value
    return quoted(cell) if verdict.state == "unreadable" else None


def _filled(row: CellsOfRow, column: str) -> bool:
    return row.cells.get(column) not in (None, "")


def _arm_of(file: OutsideFile) -> str:
    """The file's name; where others have the same, the folder that it lies in."""
    path = PurePosixPath(file.path)
    stem = decompression.stem(path.name)
    alike = any(decompression.stem(PurePosixPath(other).name) == stem for other in file.names)
    return path.parent.as_posix() if alike and path.parent.name else stem


ADAPTER = Adapter(
    format="table",
    title="tables",
    family="traces",
    module=__name__,
    claims=claims,
    convert=convert,
    example="results.csv",
    reads="a row a try, columns by their names: task, arm (else the file's name), repetition, outcomes (each "
    "a scorer), errors, tokens, cost, time, split",
    shape=has_shape,
    unlike=unlike,
    options=("map", "decimal_comma", "words"),
    contract=CONTRACT,
)
