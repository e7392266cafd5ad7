"""What in the rows of a table would make a number wrong in silence, though every cell can be read.

Does: find rows that sum others up, names that are one but for how they are written, and lines that stand
there more than once. Does not: decide which column is what, or leave anything out.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from metrics_core.adapters.tables.rows import CellsOfRow
from metrics_core.column_names import plain
from metrics_core.results import quoted
from metrics_core.text import many

SUMMARIES = frozenset(map(plain, (
    "average", "avg", "mean", "median", "total", "totals", "grand total", "subtotal", "overall", "sum",
    "summary",
    "aggregate", "all tasks", "macro avg", "micro avg", "gesamt", "gesamtergebnis", "summe", "mittelwert",
    "durchschnitt", "schnitt", "insgesamt", "moyenne", "somme", "promedio", "media", "suma", "ensemble",
)))  # fmt: skip
"""Names of rows that sum others up, where they stand first or last."""

MOST_NAMED = 3
"""Lines, or pairs of names, that a sentence gives."""


def summaries(tasks: Sequence[str | None], arms: Sequence[str | None]) -> list[int]:
    """Places of rows that sum others up: so called, once in their arm, and at an end of its rows.

    Args:
        tasks: Of each row, in the order of the table.
        arms: Of each row.

    >>> summaries(["a", "b", "Total"], ["m", "m", "m"]), summaries(["a", "sum", "b"], ["m", "m", "m"])
    ([2], [])
    """
    places: dict[str | None, list[int]] = defaultdict(list)
    for at, arm in enumerate(arms):
        places[arm].append(at)
    often = Counter((arm, plain(task or "")) for task, arm in zip(tasks, arms, strict=True))
    found = []
    for at, (task, arm) in enumerate(zip(tasks, arms, strict=True)):
        name = plain(task or "")
        ends = (0, len(tasks) - 1, places[arm][0], places[arm][-1])
        if name in SUMMARIES and often[arm, name] == 1 and at in ends and len(tasks) > 1:
            found.append(at)
    return found


def _number(name: str) -> str:
    bare = name.casefold()
    return f"{float(bare):g}" if re.fullmatch(r"\d{1,15}(\.0*)?", bare) else " ".join(bare.split())


def alike(names: Sequence[str | None]) -> list[tuple[str, ...]]:
    """Names that differ in case, or in the zeros around a number, alone.

    >>> alike(["M", "m", "n"]), alike(["01", "1", "1.0", "2"]), alike(["a", "b", "a"])
    ([('M', 'm')], [('01', '1', '1.0')], [])
    """
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for name in names:
        if name is not None:
            found[_number(name)][name] = None
    return [tuple(group) for group in found.values() if len(group) > 1]


def alike_told(role: str, names: Sequence[str | None]) -> Iterator[str]:
    """What such names are, in a sentence.

    >>> list(alike_told("arm", ["M", "m"]))
    ['arms that differ in case or zeros alone: "M" and "m"; each is counted as one of its own']
    """
    groups = alike(names)
    if groups:
        listed = "; ".join(" and ".join(map(quoted, group[:MOST_NAMED])) for group in groups[:MOST_NAMED])
        more = f"; and {len(groups) - MOST_NAMED} more" if len(groups) > MOST_NAMED else ""
        yield f"{role}s that differ in case or zeros alone: {listed}{more}; each is counted as one of its own"


def repeated_lines(rows: Sequence[CellsOfRow]) -> Iterator[tuple[int, str]]:
    """Lines that stand in a table more than once, whole: the first that does so again, and a sentence.

    Args:
        rows: Of a table in which no column numbers repetitions, and none says when a run was.
    """
    lines: Mapping[bytes, list[int]] = defaultdict(list)
    for row in rows:
        lines[row.source].append(row.line)
    again = [found for found in lines.values() if len(found) > 1]
    if not again:
        return
    extra = sum(len(found) - 1 for found in again)
    first = ", ".join(f"line {found[1]} as line {found[0]}" for found in again[:MOST_NAMED])
    times = {len(found) for found in lines.values()}
    twice = (
        f"; every line stands there {times.pop()} times: was the table written out more than once?"
        if len(times) == 1
        else ""
    )
    what = f"{many(extra, 'line')} {'stands' if extra == 1 else 'stand'} there before, whole ({first})"
    yield again[0][1], f"{what}, and no column numbers repetitions: each is counted as one more{twice}"
