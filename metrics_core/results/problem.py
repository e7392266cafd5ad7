"""What is wrong with one line of input, in a shape that can be counted, listed and printed safely.

Does: `Problem`, and the spelling of values and pointers inside one. Does not: find problems.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from metrics_core.text import visible

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
        return f"{self.place}: {self.told}"

    @property
    def told(self) -> str:
        """What is wrong, with whatever else is known of it."""
        return self.what

    @property
    def place(self) -> str:
        """``file:line#/field``, as far as they are known."""
        line = "" if self.line is None else f":{self.line}"
        pointer = f"#/{self.field}" if self.field else ""
        return f"{self.file}{line}{pointer}"

    def to_json(self) -> dict[str, Any]:
        """As it stands in a report."""
        return {"file": self.file, "line": self.line, "field": self.field, "what": self.told}


class Aside(Problem, frozen=True):
    """Something that lies among the records and is none: listed, and neither counted nor a fault."""


class NoRuns(Problem, frozen=True):
    """A file that should hold runs and holds none: a fault, and nothing that could be counted as a run."""


class Repeated(Problem, frozen=True):
    """A line whose bytes were counted before: shown, and not counted again."""

    what: str = "the same record, byte for byte, was counted before"


class Conflicting(Aside, frozen=True):
    """A run of a task, arm and repetition that has another outcome elsewhere: both are counted.

    Attributes:
        with_place: Where the first of them stands.
    """

    what: str = "the same task, arm and repetition has another outcome elsewhere; both are counted"
    with_place: str = ""

    @property
    def told(self) -> str:
        """What is wrong, and where the first of the two stands."""
        return f"{self.what} (the first is {self.with_place})"


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
