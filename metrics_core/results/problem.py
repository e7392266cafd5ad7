"""What is wrong with one line of input, in a shape that can be counted, listed and printed safely.

Does: `Problem`, and the spelling of values and pointers inside one. Does not: find problems.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from metrics_core.text import visible

SPELLED_OUT = 2
"""Problems of one kind in one file that are told one by one."""

LONGEST_VALUE = 60
"""Characters of a value that a problem quotes."""


class Problem(msgspec.Struct, frozen=True):
    """One thing that a file holds and should not, or does not hold and should.

    Attributes:
        file: Path within the experiment, safe to print.
        line: Number of the line, from 1; None where the whole file is meant.
        field: JSON pointer without its first slash: ``check_passed``, ``metrics/cost_usd``; may be empty.
        what: What was expected and what stood there.

    >>> print(Problem("logs/a.jsonl", 12, "check_passed", 'expected bool or null, got "yes"'))
    logs/a.jsonl:12#/check_passed: expected bool or null, got "yes"
    """

    file: str
    line: int | None
    field: str
    what: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"

    @property
    def place(self) -> str:
        """``file:line#/field``, as far as they are known."""
        line = "" if self.line is None else f":{self.line}"
        pointer = f"#/{self.field}" if self.field else ""
        return f"{self.file}{line}{pointer}"

    def to_json(self) -> dict[str, Any]:
        """As it stands in a report."""
        return {"file": self.file, "line": self.line, "field": self.field, "what": self.what}


class Aside(Problem, frozen=True):
    """Something that lies among the records and is none: listed, and neither counted nor a fault."""


class NoRuns(Problem, frozen=True):
    """A file that should hold runs and holds none: a fault, and nothing that could be counted as a run."""


class Repeated(Problem, frozen=True):
    """A line whose bytes were counted before: shown, and not counted again."""

    what: str = "the same record, byte for byte, was counted before"


def told_together(problems: Iterable[Problem]) -> Iterator[str]:
    """Problems in lines: one that many records have is one line with its count.

    >>> lines = [Problem("a.jsonl", n, "task_id", "the field is missing") for n in (1, 2, 3)]
    >>> list(told_together(lines))
    ['a.jsonl: 3 records, the first in line 1: task_id: the field is missing']
    """
    alike: dict[tuple[str, str, str], list[Problem]] = {}
    for problem in problems:
        alike.setdefault((problem.file, problem.field, problem.what), []).append(problem)
    for (file, field, what), some in alike.items():
        if len(some) <= SPELLED_OUT:
            yield from map(str, some)
        else:
            where = "" if some[0].line is None else f", the first in line {some[0].line}"
            yield f"{file}: {len(some):,} records{where}: {field}{': ' if field else ''}{what}"


def quoted(value: object) -> str:
    """A value as JSON, cut to a length that can be read.

    >>> quoted("yes"), quoted(None), quoted([1] * 99)
    ('"yes"', 'null', '[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,...')
    """
    text = visible(json.dumps(_cut(value, 3), ensure_ascii=False, default=repr), escaped=True)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 3] + "..."


def _cut(value: object, depth: int) -> object:
    """No more of a value than could be shown, so that spelling a huge one costs nothing."""
    if isinstance(value, str):
        return value[: LONGEST_VALUE + 1]
    if isinstance(value, int) and not -(10**40) < value < 10**40:
        return "a number of more than 40 digits"
    if isinstance(value, list):
        return [_cut(inner, depth - 1) for inner in value[:LONGEST_VALUE]] if depth else "..."
    if isinstance(value, dict):
        if not depth:
            return "..."
        return {key[:LONGEST_VALUE]: _cut(value[key], depth - 1) for key in list(value)[:LONGEST_VALUE]}
    return value


def pointer(*parts: str | int) -> str:
    """A JSON pointer (RFC 6901) without its first slash.

    >>> pointer("metrics", "by_role", "a/b", 0)
    'metrics/by_role/a~1b/0'
    """
    return "/".join(visible(str(part).replace("~", "~0").replace("/", "~1"), escaped=True) for part in parts)
