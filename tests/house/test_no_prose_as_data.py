"""Words are for readers: nothing in the program compares a sentence, takes it apart, or asks how it begins.

A reason, a method, a cause is a code (`metrics_core.results.codes`, `site_src.decisions.reasons`), and its
words are asked for by who shows them. Looked at is the source: what is done to an attribute that holds words,
what is done to the message of an exception, and whether the words of a code stand anywhere but in its table.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import get_args

import pytest

from metrics_core.results import codes
from metrics_core.results.comparison import ComparisonVerdict
from site_src.decisions import reasons
from tests.support.parsed import nodes, parsed

ROOT = Path(__file__).parents[2]
SOURCES = sorted(path for package in ("metrics_core", "site_src") for path in (ROOT / package).rglob("*.py"))

WORDS_OF = {"reason", "method", "making", "note", "notes", "withheld", "cause", "detail", "does"}
"""Attributes that hold words, or a code whose members are asked for by identity."""

TAKES_APART = {
    "startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "split", "rsplit",
    "splitlines", "find", "rfind", "index", "replace",
}  # fmt: skip

TABLES = {"metrics_core/results/codes.py", "site_src/decisions/reasons.py"}
"""Where the words of codes stand."""

EXCUSED = {
    "metrics_core/formats/json_errors.py": "msgspec and the UTF-8 decoder tell what is wrong in words only",
    "site_src/editions/store.py": "msgspec tells where in a document in words only",
    "site_src/preview/rebuilder.py": "looks whether there is another note to tell, whatever it says",
}
"""Files that may: with the reason."""

ENUMS = [
    found
    for module in (codes, reasons)
    for found in vars(module).values()
    if isinstance(found, type) and issubclass(found, StrEnum) and found is not StrEnum
]


def found_in(source: str) -> Iterator[tuple[int, str]]:
    """Line and what is done to words there."""
    for node in nodes(parsed(source)):
        match node:
            case ast.Compare(left=left, ops=ops, comparators=others):
                for op, one, other in zip(ops, [left, *others], others, strict=False):
                    asked = isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn)
                    if asked and (_words(one) or _words(other) or _unit(one, other)):
                        yield node.lineno, f"compares words: {ast.unparse(node)}"
            case ast.Call(func=ast.Attribute(value=on, attr=attr), args=asked) if attr in TAKES_APART:
                if _words(on) or (_message(on) and attr != "replace") or any(map(_sentence, asked)):
                    yield node.lineno, f"takes words apart: {ast.unparse(node)}"
            case ast.keyword(arg=str(name), value=value) if name in WORDS_OF | {"reasons", "why", "absent"}:
                if _joined(value):
                    yield value.lineno, f"stores joined words: {name}={ast.unparse(value)}"
            case _:
                pass


def _words(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(attr=attr):
            return attr in WORDS_OF
        case ast.Call(func=ast.Name(id="str" | "visible"), args=[argument]):
            return _words(argument)
        case ast.BoolOp(values=values):
            return any(map(_words, values))
        case _:
            return False


def _unit(one: ast.expr, other: ast.expr) -> bool:
    """Whether the word for N is held against a word: `Estimate.counted_unit` is asked for instead."""
    sides = (one, other)
    return any(isinstance(side, ast.Attribute) and side.attr == "of" for side in sides) and any(
        isinstance(side, ast.Constant | ast.Name) for side in sides
    )


def _message(node: ast.expr) -> bool:
    """Whether a node spells an object in words: `str(error)`."""
    match node:
        case ast.Call(func=ast.Name(id="str"), args=[ast.Name()]):
            return True
        case _:
            return False


def _sentence(node: ast.expr) -> bool:
    """Whether a node is a constant of two words or more."""
    match node:
        case ast.Constant(value=str(text)):
            return re.search(r"[A-Za-z],? [A-Za-z]", text) is not None
        case _:
            return False


def _joined(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(glue)), attr="join")):
            return bool(glue.strip())
        case _:
            return False


def constants(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of each string constant that is no docstring."""
    tree = parsed(source)
    told = {id(node.value) for node in nodes(tree) if isinstance(node, ast.Expr)}
    for node in nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.lineno, node.value


@pytest.mark.parametrize(
    "source",
    [
        "c.reason == 'too few'",
        "'overlap' in c.reason",
        "i.method != AT_THE_BOUNDS",
        "j.reason in STANDS",
        "c.reason.split('; ')",
        "visible(c.reason).partition(':')",
        "(c.reason or '').startswith('withheld')",
        "str(error).startswith('a template')",
        "told.replace('not the same instrument, ', '')",
        "Comparison(reason='; '.join(found))",
        "e.of == 'known verdicts'",
        "TASKS != e.of",
    ],
)
def test_what_is_forbidden_is_found(source: str) -> None:
    assert list(found_in(source))


@pytest.mark.parametrize(
    "source",
    [
        "i.method is Method.WILSON",
        "NotSeparated.REVERSES in c.reasons",
        "e.withheld is None",
        "a.of != b.of",
        "judged.why in UNKNOWN_STANDS",
        "path.split('/')",
        "f'{c.reason}.'",
        "Row(files=', '.join(found))",
    ],
)
def test_what_is_allowed_is_not(source: str) -> None:
    assert not list(found_in(source))


def test_no_words_are_compared_or_taken_apart() -> None:
    faults = [
        f"{name}:{line}: {what}"
        for path in SOURCES
        if (name := path.relative_to(ROOT).as_posix()) not in EXCUSED
        for line, what in found_in(path.read_text("utf-8"))
    ]
    assert faults == []


def test_a_file_that_is_excused_still_needs_it() -> None:
    assert all(list(found_in((ROOT / name).read_text("utf-8"))) for name in EXCUSED)


def test_the_words_of_a_code_stand_in_its_table_alone() -> None:
    # Of two words and more: "none" and "wilson" are said of other things as well. A verdict is its own code.
    table = {str(member) for found in ENUMS for member in found if " " in member}
    table -= set(get_args(ComparisonVerdict))
    faults = [
        f"{name}:{line}: {text!r}"
        for path in SOURCES
        if (name := path.relative_to(ROOT).as_posix()) not in TABLES
        for line, text in constants(path.read_text("utf-8"))
        if text in table
    ]
    assert faults == []
