"""What a Python source imports, read from its text; nothing is run.

Imports inside functions count, since they run when the function does. Left out are the bodies of
``if TYPE_CHECKING`` and of ``if __name__ == "__main__"``: neither runs when the module is imported, so
neither can move a number. Imports by computed name (``importlib.import_module(x)``) cannot be seen here;
whoever relies on this scan must hold what was really loaded against it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from metrics_core.errors import ContractError


@dataclass(frozen=True, slots=True)
class Import:
    """One import statement.

    Attributes:
        module: Absolute dotted name: what stands behind ``import`` or ``from``.
        names: (name, bound as) behind ``from module import``; empty for a plain ``import module``.
        line: Line of the statement, from 1.
    """

    module: str
    names: tuple[tuple[str, str], ...]
    line: int


def parsed(source: bytes, *, where: str) -> ast.Module:
    """Parse Python source.

    Args:
        source: The file's bytes, in whatever encoding it declares.
        where: Name of the file for the error.

    Raises:
        ContractError: It is not Python that this interpreter can read.
    """
    try:
        return ast.parse(source)
    except SyntaxError as error:
        line = f":{error.lineno}" if error.lineno else ""
        raise ContractError(f"not valid Python: {error.msg}", where=where + line) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise ContractError(f"not valid Python: {error}", where=where) from error


def imports(tree: ast.Module, *, module: str, is_package: bool, where: str) -> tuple[Import, ...]:
    r"""Every import of a module that can run once it is imported, in order of lines.

    Args:
        tree: The parsed module.
        module: Its dotted name, against which relative imports are resolved.
        is_package: Whether it is an ``__init__``.
        where: Name of the file for the error.

    Raises:
        ContractError: A relative import leads out of the top-level package.

    >>> source = "import json\nfrom a import b as c\nif TYPE_CHECKING:\n    import d"
    >>> [(i.module, i.names) for i in imports(ast.parse(source), module="m", is_package=False, where="m.py")]
    [('json', ()), ('a', (('b', 'c'),))]
    """
    found: list[Import] = []
    package = module if is_package else module.rpartition(".")[0]
    for node in _running(tree):
        if isinstance(node, ast.Import):
            found += [Import(alias.name, (), node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, package, where)
            names = tuple((alias.name, alias.asname or alias.name) for alias in node.names)
            found.append(Import(base, names, node.lineno))
    return tuple(found)


def _base(node: ast.ImportFrom, package: str, where: str) -> str:
    """Absolute name of the module behind ``from``."""
    if not node.level:
        return node.module or ""
    parts = package.split(".") if package else []
    if node.level > len(parts):
        raise ContractError("a relative import that leads out of its package", where=f"{where}:{node.lineno}")
    kept = parts[: len(parts) - node.level + 1]
    return ".".join([*kept, node.module] if node.module else kept)


def _running(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those that never run in an imported module, in order of the source."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and (is_type_checking(child.test) or _is_main(child.test)):
            for statement in child.orelse:
                yield statement
                yield from _running(statement)
        else:
            yield child
            yield from _running(child)


def is_type_checking(test: ast.expr) -> bool:
    """Whether a condition is exactly ``TYPE_CHECKING`` or ``typing.TYPE_CHECKING``.

    >>> is_type_checking(ast.parse("typing.TYPE_CHECKING", mode="eval").body)
    True
    """
    match test:
        case ast.Name("TYPE_CHECKING") | ast.Attribute(ast.Name("typing"), "TYPE_CHECKING"):
            return True
    return False


def _is_main(test: ast.expr) -> bool:
    match test:
        case ast.Compare(ast.Name("__name__"), [ast.Eq()], [ast.Constant("__main__")]):
            return True
    return False
