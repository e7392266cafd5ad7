"""Logs of one family, counted and added up; a line that stands twice in them, byte for byte, is counted once.

Does: count each log, find the runs whose hints are equal, read their logs once more, compare the lines
themselves, and count a log again without its repeated lines. Does not: hold the lines of a log, or any digest
of a line whose hint stands once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple
from zlib import crc32

import numpy as np

from metrics_core.errors import FormatError
from metrics_core.formats import Row, jsonl
from metrics_core.measurement.columns.counting import LogCount
from metrics_core.measurement.columns.counts import Counts, distinct, merged
from metrics_core.measurement.columns.learning import Learnt
from metrics_core.measurement.family import Context, Family

BATCH = 2**19
"""Bytes of lines that are counted at once, each with its line feed."""

Logs = Mapping[str, Callable[[], Iterable[bytes]]]
"""Path of each log -> a fresh pass over its pieces; of lines that are the same the earlier is counted."""


def of_logs(family: Family, logs: Logs, context: Context) -> Counts:
    """What the lines of some logs come to.

    Args:
        family: Whose records they are; it has a batch form.
        logs: Each by its path, safe to print.
        context: Prices, pack, contracts, aliases; no cluster keys.
    """
    return of_lines(family, [Lines(file, text) for file, text in logs.items()], context)


def of_lines(family: Family, every: Sequence[Lines], context: Context) -> Counts:
    """The same of lines of logs, one after the other: what was learnt of one log is known in the next.

    Much that was learnt is forgotten between logs: each goes through all of it.

    Args:
        family: Whose records they are; it has a batch form.
        every: The lines of each log, in order.
        context: As in `of_logs`.
    """
    learnt = Learnt(family, context)
    parts = []
    for lines in every:
        if learnt.is_much:
            learnt = Learnt(family, context)
        parts.append(_counted(learnt, lines))
    for at, again in repeated(family, every, parts).items():
        parts[at] = _counted(learnt, every[at], again)
    return merged(parts)


class Lines(NamedTuple):
    """Lines of a log that are counted together.

    Attributes:
        file: Path within the experiment, safe to print.
        text: A fresh pass over their text, in pieces that are cut anywhere.
        first: Number of the first of them.
    """

    file: str
    text: Callable[[], Iterable[bytes]]
    first: int = 1


def counts_of(family: Family, context: Context, lines: Lines, skip: frozenset[int] = frozenset()) -> Counts:
    """What some lines of a log come to, counted by themselves.

    Args:
        family: Whose records they are; it has a batch form.
        context: Prices, pack, contracts, aliases; no cluster keys.
        lines: Of the log.
        skip: Numbers of those whose bytes another line has, which is counted.
    """
    return _counted(Learnt(family, context), lines, skip)


def _counted(learnt: Learnt, lines_of: Lines, skip: frozenset[int] = frozenset()) -> Counts:
    """What some lines of a log come to; ``learnt`` is of the family's records."""
    file = lines_of.file
    log = LogCount(learnt, file, skip)
    numbers: list[int] = []
    held: list[bytes] = []
    size = 0
    try:
        for at, lines in jsonl.blocks(lines_of.text(), first=lines_of.first):
            numbers += at
            held += lines
            size += sum(map(len, lines)) + len(lines)
            if size >= BATCH:
                log.count(numbers, held)
                numbers, held, size = [], [], 0
    except FormatError as error:
        log.count(numbers, held)
        numbers, held = [], []
        log.refuse(jsonl.cut_off(file, error))
    log.count(numbers, held)
    return log.counts()


def repeated(family: Family, every: Sequence[Lines], counts: Sequence[Counts]) -> dict[int, frozenset[int]]:
    """Lines that are the same as a line before them. A line that is no record is never one.

    Args:
        family: Whose records they are.
        every: The lines of all logs, in order.
        counts: Of each of ``every``, what it came to.

    Returns:
        Place in ``every`` -> numbers of such lines in it.
    """
    hints = np.concatenate([np.empty(0, dtype=np.uint64), *(part.seen for part in counts)])
    hints.sort()
    twice = distinct(hints[1:][hints[1:] == hints[:-1]])
    if not len(twice):
        return {}
    suspect = frozenset((twice >> np.uint64(32)).tolist())
    before: set[bytes] = set()
    found: dict[int, frozenset[int]] = {}
    for at, (lines, part) in enumerate(zip(every, counts, strict=True)):
        if np.isin(part.seen, twice).any():
            again = frozenset(_again(family, lines, suspect, before))
            if again:
                found[at] = again
    return found


def _again(family: Family, lines: Lines, suspect: frozenset[int], before: set[bytes]) -> Iterator[int]:
    form = jsonl.Form.of(family.record, lines.file)
    try:
        for number, line in jsonl.lines(lines.text(), first=lines.first):
            if crc32(line) not in suspect:
                continue
            digest = sha256(line).digest()
            if digest not in before:
                before.add(digest)
                continue
            (item,) = jsonl.items([(number, line)], form)
            if isinstance(item, Row) and item.repeatable:
                yield number
    except FormatError:
        return  # what the log holds up to here was told when it was counted
