"""Python sources as trees, each parsed once for all the tests of the house that a worker runs."""

from __future__ import annotations

import ast
from functools import cache


@cache
def parsed(source: bytes | str) -> ast.Module:
    """The tree of a source, by its text; whoever gets it leaves it as it is."""
    return ast.parse(source)
