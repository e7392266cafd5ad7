"""What is wrong with one line of input, in a shape that can be counted, listed and printed safely.

Does: `Problem`, and the spelling of values and pointers inside one. Does not: find problems.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from metrics_core.text import visible

SPELLED_OUT = 2
"""Problems of one kind that are told one by one."""

MOST_SPELLED = 1000
"""Lines of one file that are no records and are told one by one; further ones are counted."""

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
    def count(self) -> int:
        """How many things of a file it stands for."""
        return 1

    @property
    def place(self) -> str:
        """``file:line#/field``, as far as they are known."""
        line = "" if self.line is None else f":{self.line}"
        pointer = f"#/{self.field}" if self.field else ""
        return f"{self.file}{line}{pointer}"

    def to_json(self) -> dict[str, Any]:
        """As it stands in a report."""
        return {"file": self.file, "line": self.line, "field": self.field, "what": self.told}


class Unspelled(Problem, frozen=True):
    """Lines of a file that are no records, beyond those that are told one by one: counted all the same.

    Attributes:
        lines: How many.

    >>> print(Unspelled("logs/a.jsonl", lines=2000))
    logs/a.jsonl: 2,000 more lines that are no records, beyond the first 1,000
    """

    line: int | None = None
    field: str = ""
    what: str = "more lines that are no records"
    lines: int = 0

    @property
    def told(self) -> str:
        """How many, beyond how many that are told."""
        return f"{self.lines:,} {self.what}, beyond the first {MOST_SPELLED:,}"

    @property
    def count(self) -> int:
        """How many lines it stands for."""
        return self.lines


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

    what: str = "another outcome of the same task, arm and repetition; both are counted"
    with_place: str = ""

    @property
    def told(self) -> str:
        """What is wrong, and where the first of the two stands."""
        return (
            f"another outcome than {self.with_place} of the same task, arm and repetition; both are counted"
        )


def spelled_out(problems: Iterable[Problem]) -> list[Problem]:
    """The same problems; of the lines of one file the first `MOST_SPELLED` are told, and others counted.

    Args:
        problems: In the order of the files and their lines; some may be counted already.

    >>> lines = [Problem("a.jsonl", line, "", "is no object") for line in range(1, 1003)]
    >>> found = spelled_out([*lines, Unspelled("a.jsonl", lines=8)])
    >>> len(found), str(found[-1])
    (1001, 'a.jsonl: 10 more lines that are no records, beyond the first 1,000')
    """
    told: list[Problem] = []
    lines, further = Counter[str](), Counter[str]()
    for problem in problems:
        if isinstance(problem, Unspelled):
            further[problem.file] += problem.lines
        elif problem.line is not None and lines[problem.file] >= MOST_SPELLED:
            further[problem.file] += 1
        else:
            lines[problem.file] += problem.line is not None
            told.append(problem)
    return told + [Unspelled(file, lines=more) for file, more in further.items()]


def alike(problems: Iterable[Problem]) -> Iterator[tuple[Problem, ...]]:
    """Problems that are told in one line: many of one kind together, few of one kind each by itself.

    What is said of a whole file is told once, of however many of its numbers it is said.

    Args:
        problems: In any order; a line stands where its first problem does.
    """
    kinds: dict[tuple[type[Problem], str, str], list[Problem]] = {}
    of_files: set[tuple[str, str, str]] = set()
    for problem in problems:
        if isinstance(problem, Aside) and problem.line is None:
            said = (problem.file, problem.field, problem.what)
            if said in of_files:
                continue
            of_files.add(said)
        kinds.setdefault((type(problem), problem.field, problem.what), []).append(problem)
    lines: list[tuple[Problem, ...]] = [
        (p,) for some in kinds.values() if len(some) <= SPELLED_OUT for p in some
    ]
    lines += [tuple(some) for some in kinds.values() if len(some) > SPELLED_OUT]
    yield from sorted(lines, key=lambda some: (some[0].file, some[0].line or 0))


def place_and_words(some: Sequence[Problem]) -> tuple[str, str]:
    """Where problems of one line stand, and what they are, with their count where they are many.

    >>> place_and_words([Problem(f"{n}.json", None, "", "is empty") for n in (1, 2, 3)])
    ('3 files', 'the first is 1.json: is empty')
    """
    first = some[0]
    if len(some) == 1:
        return first.place, first.told
    files = len({problem.file for problem in some})
    what = f"{first.field}: {first.told}" if first.field else first.told
    numbered = [problem for problem in some if problem.line is not None]
    if files == 1 and numbered:
        return first.file, f"{len(some):,} records, the first in line {numbered[0].line}: {what}"
    if files == 1:
        return first.file, f"{len(some):,} times: {what}"
    if numbered:
        at = f"{numbered[0].file}:{numbered[0].line}"
        return f"{files:,} files", f"{len(some):,} records, the first is {at}: {what}"
    return f"{files:,} files", f"the first is {first.file}: {what}"


def told_together(problems: Iterable[Problem]) -> Iterator[str]:
    """Problems in lines: one that many records have is one line with its count.

    >>> lines = [Problem("a.jsonl", n, "task_id", "the field is missing") for n in (1, 2, 3)]
    >>> list(told_together(lines))
    ['a.jsonl: 3 records, the first in line 1: task_id: the field is missing']
    """
    for some in alike(problems):
        place, what = place_and_words(some)
        yield f"{place}: {what}"


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
