"""Python sources as trees, each parsed once for all the tests of the house that a worker runs."""

from __future__ import annotations

import ast
from functools import cache


def parsed(source: bytes | str) -> ast.Module:
    """The tree of a source, by its text; whoever gets it leaves it as it is."""
    return _parsed(source if isinstance(source, str) else source.decode("utf-8"))


@cache
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


@cache
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Every node of a tree, walked once for all the tests of the house that a worker runs."""
    return tuple(ast.walk(tree))
