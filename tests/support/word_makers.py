"""What words are made of: the functions that a maker calls, and which functions of the program word a row.

Does: read signatures and code. Does not: know any maker by its name.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Collection, Iterable, Iterator
from importlib import import_module
from pkgutil import walk_packages
from types import CodeType, FunctionType
from typing import Any

from msgspec import Struct

import metrics_core
import site_src

WORD = re.compile(r"[A-Za-z]{2,} |, [a-z]{3,}| [A-Za-z]{3,}")


def functions_of(value: Any) -> list[FunctionType]:
    """The functions behind a name: its own, those of a class, those in a table."""
    value = getattr(value, "__func__", None) or getattr(value, "fget", None) or getattr(value, "func", value)
    value = getattr(value, "__wrapped__", value)
    if isinstance(value, FunctionType):
        return [value]
    if inspect.isclass(value) and value.__module__.startswith("site_src"):
        return [f for each in vars(value).values() if not inspect.isclass(each) for f in functions_of(each)]
    return []


def names_in(function: FunctionType) -> set[str]:
    """Every global and attribute that the code of a function names."""
    codes, names = [function.__code__], set[str]()
    while codes:
        code = codes.pop()
        names |= {*code.co_names}
        codes += [each for each in code.co_consts if isinstance(each, CodeType)]
    return names


def reached(of: Iterable[Any]) -> set[FunctionType]:
    """Functions that some makers are put together from, those of classes and tables that they name, too."""
    seen: set[FunctionType] = set()
    left = [function for each in of for function in functions_of(each)]
    while left:
        function = left.pop()
        if function in seen or not function.__module__.startswith("site_src"):
            continue
        seen.add(function)
        names = names_in(function)
        for value in (function.__globals__[name] for name in names & {*function.__globals__}):
            left += functions_of(value)
            if inspect.ismodule(value):
                left += [
                    f for name in names if hasattr(value, name) for f in functions_of(getattr(value, name))
                ]
            held = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else ()
            left += [f for each in held for f in _in_a_table(each)]
    return seen


def _in_a_table(value: Any) -> Iterator[FunctionType]:
    """What a row of a table calls: itself, or a field of it."""
    fields = [getattr(value, name, None) for name in getattr(type(value), "__struct_fields__", ())]
    for each in (value, *fields, *(value if isinstance(value, tuple) else ())):
        yield from functions_of(each)


def says(function: FunctionType) -> bool:
    """Whether the code of a function has words with something set into them, outside of what it raises."""
    if function.__code__.co_filename == "<string>":  # made by a decorator
        return False
    found: list[ast.AST] = [ast.parse(textwrap.dedent(inspect.getsource(function)))]
    while found:
        node = found.pop()
        values = node.values if isinstance(node, ast.JoinedStr) else []
        words = " ".join(str(v.value) for v in values if isinstance(v, ast.Constant))
        if WORD.search(words) and any(isinstance(v, ast.FormattedValue) for v in values):
            return True
        found += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.Raise)]
    return False


def row_types() -> set[str]:
    """Names of every class that holds an estimate or a comparison, in a field or in a field of a field."""
    found: dict[str, str] = {}
    for package in (metrics_core, site_src):
        for each in walk_packages(package.__path__, f"{package.__name__}."):
            module = import_module(each.name)
            for name, kind in inspect.getmembers(module, inspect.isclass):
                own = kind.__module__ == module.__name__ and issubclass(kind, Struct)
                own = own and not kind.__struct_config__.forbid_unknown_fields  # no settings of an author
                found |= {name: " ".join(map(str, kind.__annotations__.values()))} if own else {}
    rows = {"Estimate", "Comparison"}
    while more := {name for name, fields in found.items() if name not in rows and _names(fields, rows)}:
        rows |= more
    return rows


def _names(annotation: str, rows: Collection[str]) -> bool:
    return not rows.isdisjoint(re.findall(r"\w+", annotation))


def wordings() -> Iterator[FunctionType]:
    """Every function of the site that is given a row, and whose own code has words about it."""
    rows = row_types()
    for each in walk_packages(site_src.__path__, "site_src."):
        module = import_module(each.name)
        for function in (f for value in vars(module).values() for f in functions_of(value)):
            given = [of for to, of in function.__annotations__.items() if to != "return"]
            own = function.__module__ == module.__name__
            if own and any(_names(str(of), rows) for of in given) and says(function):
                yield function
