"""The source closure of a built-in instrument: every module of this package that could move its numbers.

The closure is found by reading, not by importing: the module, every module of the package that it imports,
and so on. What is left out cannot move a number: imports under ``if TYPE_CHECKING``, package ``__init__``
files that only re-export (a name imported through one leads to the module that defines it, and there an
import under ``if TYPE_CHECKING`` counts: it says where a name is loaded from on demand), and modules that the
caller names. Third-party packages and the interpreter are no part of it; the environment
fingerprint names them. Tables that a module needs stand in Python files, since a data file would not be
seen here; the one that does not is read as the file whose digest stands in its module
(`metrics_core.redaction.gitleaks`).

Imports inside functions count, since they run when the function does. Left out are the bodies of
``if TYPE_CHECKING`` and of ``if __name__ == "__main__"``: neither runs when the module is imported, so
neither can move a number. Imports by computed name (``importlib.import_module(x)``) cannot be seen here;
whoever relies on this scan must hold what was really loaded against it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from typing import Protocol

from msgspec import Struct, field

from metrics_core.errors import ContractError

_IMPORT = re.compile(rb"\bimport\b")
_TOP_LEVEL = re.compile(rb"^(?=[@A-Za-z_])", re.MULTILINE)
_ENCODED = re.compile(rb"coding[=:]|\A\xef\xbb\xbf|\f|\r")
"""What makes lines or letters of a source other than they seem."""


class Import(Struct, frozen=True):
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


def parsed_to_last_import(source: bytes, *, where: str) -> ast.Module:
    r"""The statements of a module up to the last that may be an import: the others take most of the time.

    Args:
        source: Of a module that this program may import, and so is valid.
        where: Name of the file for the error.

    Raises:
        ContractError: It is not Python that this interpreter can read.

    >>> tree = parsed_to_last_import(b"import json\n\ndef f():\n    return 1\n", where="m.py")
    >>> [type(statement).__name__ for statement in tree.body]
    ['Import']
    """
    last = max((found.end() for found in _IMPORT.finditer(source)), default=0)
    cut = _TOP_LEVEL.search(source, last)
    if cut is not None and not _ENCODED.search(source[: cut.start()]):
        with suppress(SyntaxError, ValueError):  # cut within a text or brackets
            return ast.parse(source[: cut.start()])
    return parsed(source, where=where)


def imports(
    tree: ast.Module, *, module: str, is_package: bool, where: str, on_demand: bool = False
) -> tuple[Import, ...]:
    r"""Every import of a module that can run once it is imported, in order of lines.

    Args:
        tree: The parsed module.
        module: Its dotted name, against which relative imports are resolved.
        is_package: Whether it is an ``__init__``.
        where: Name of the file for the error.
        on_demand: Those under ``if TYPE_CHECKING`` as well: of a front door, which runs them when asked.

    Raises:
        ContractError: A relative import leads out of the top-level package.

    >>> source = "import json\nfrom a import b as c\nif TYPE_CHECKING:\n    import d"
    >>> [(i.module, i.names) for i in imports(ast.parse(source), module="m", is_package=False, where="m.py")]
    [('json', ()), ('a', (('b', 'c'),))]
    """
    found: list[Import] = []
    package = module if is_package else module.rpartition(".")[0]
    for node in _statements(tree, on_demand=on_demand):
        if isinstance(node, ast.Import):
            found += [Import(alias.name, (), node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, package, where)
            names = tuple((alias.name, alias.asname or alias.name) for alias in node.names)
            found.append(Import(base, names, node.lineno))
    return tuple(sorted(found, key=lambda each: each.line))


def _base(node: ast.ImportFrom, package: str, where: str) -> str:
    """Absolute name of the module behind ``from``."""
    if not node.level:
        return node.module or ""
    parts = package.split(".") if package else []
    if node.level > len(parts):
        raise ContractError("a relative import that leads out of its package", where=f"{where}:{node.lineno}")
    kept = parts[: len(parts) - node.level + 1]
    return ".".join([*kept, node.module] if node.module else kept)


def _statements(tree: ast.Module, *, on_demand: bool) -> Iterator[ast.AST]:
    """All statements but those that never run in an imported module; no expression holds an import."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        yield node
        idle = isinstance(node, ast.If) and (is_type_checking(node.test) or _is_main(node.test))
        blocks = ("orelse",) if idle and not on_demand else BLOCKS
        for block in blocks:
            pending += getattr(node, block, ())


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


BLOCKS = ("body", "handlers", "cases", "orelse", "finalbody")
"""Where a statement holds others."""

Read = Callable[[str], bytes | None]
"""Bytes of a source file by its path (posix, from the folder that holds the package), or None."""


Sources = Callable[[str], "_Source | None"]
"""A module by its dotted name, or None where there is none of that name."""


class Parse(Protocol):
    """Statements of a source."""

    def __call__(self, source: bytes, *, where: str) -> ast.Module:
        """See `parsed`."""


class _Source(Struct, frozen=True):
    name: str
    path: str
    data: bytes
    imports: tuple[Import, ...]
    only_reexports: bool

    @property
    def is_package(self) -> bool:
        return self.path.endswith("/__init__.py")


def closure(module: str, read: Read, without: frozenset[str] = frozenset()) -> dict[str, bytes]:
    """Path -> bytes of a module and of every module of its package that its imports reach, in sorted order.

    Args:
        module: Dotted name; its first part is the package that is followed, others are not.
        read: Gives a file's bytes, or None where there is no such file.
        without: Modules that are left out, with whatever is reached through them alone.

    Raises:
        ContractError: There is no source of that name, or one that cannot be parsed.

    >>> tree = {"p/__init__.py": b"from p.b import x", "p/a.py": b"from p import x", "p/b.py": b"x = 1"}
    >>> list(closure("p.a", tree.get))
    ['p/a.py', 'p/b.py']
    """
    return reached(module, sources(read, parsed), without)


def sources(read: Read, parse: Parse) -> Sources:
    """The modules of a tree of sources, each read and parsed once, for however many closures.

    Args:
        read: Gives a file's bytes, or None where there is no such file.
        parse: Gives the statements of a module, up to its last import at least.
    """
    return cache(lambda name: _found(name, read, parse))


def reached(module: str, source: Sources, without: frozenset[str]) -> dict[str, bytes]:
    """See `closure`, of modules that were found before."""
    follow = _Follow(module.partition(".")[0], source, without)
    follow.reach(module)
    return dict(sorted((each.path, each.data) for each in follow.reached.values()))


def _found(name: str, read: Read, parse: Parse) -> _Source | None:
    stem = name.replace(".", "/")
    for path in (f"{stem}/__init__.py", f"{stem}.py"):
        data = read(path)
        if data is not None:
            is_package = path.endswith("/__init__.py")
            tree = parsed(data, where=path) if is_package else parse(data, where=path)
            door = is_package and _only_reexports(tree)
            found = imports(tree, module=name, is_package=is_package, where=path, on_demand=door)
            return _Source(name, path, data, found, door)
    return None


class _Follow(Struct):
    """The walk from module to module; ``source`` reads and parses each once."""

    package: str
    source: Sources
    without: frozenset[str]
    reached: dict[str, _Source] = field(default_factory=dict)

    def reach(self, module: str) -> None:
        pending = [module]
        while pending:
            name = pending.pop()
            if name in self.reached or name in self.without:
                continue
            source = self.source(name)
            if source is None:
                raise ContractError("no source of that name", where=name)
            self.reached[name] = source
            pending += [target for each in source.imports for target in self.targets(each)]
            pending += [parent for parent in _parents(name) if self.does_more(parent)]

    def does_more(self, package: str) -> bool:
        """Whether an enclosing package's ``__init__`` runs code of its own when it is imported."""
        source = self.source(package)
        return source is not None and not source.only_reexports

    def targets(self, each: Import) -> Iterator[str]:
        """Modules of the package that one import statement leads to."""
        if each.module.partition(".")[0] != self.package:
            return
        if not each.names:
            yield each.module
        for name, _ in each.names:
            yield from self.origin(each.module, name)

    def origin(self, module: str, name: str) -> Iterator[str]:
        """Where ``from module import name`` leads: a submodule, the module that defines it, or the module."""
        source = self.source(module)
        if source is not None and source.is_package and self.source(f"{module}.{name}") is not None:
            yield f"{module}.{name}"
            return
        if source is not None and source.only_reexports:
            for each in source.imports:
                inside = each.module.partition(".")[0] == self.package and each.module != module
                for original, bound in each.names:
                    if bound == name and inside:
                        yield from self.origin(each.module, original)
                        return
        yield module


def _parents(name: str) -> Iterator[str]:
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


def _only_reexports(tree: ast.Module) -> bool:
    """Whether an ``__init__`` consists of imports, names for them, and nothing that computes."""
    return all(_is_passive(statement) for statement in tree.body)


def _is_passive(statement: ast.stmt) -> bool:
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.Pass():
            return True
        case ast.Expr(ast.Constant()):
            return True
        case ast.FunctionDef(name="__getattr__" | "__dir__") | ast.Assign([ast.Name("__getattr__")]):
            return True
        case ast.Assign([ast.Name()], value=value) | ast.AnnAssign(ast.Name(), value=ast.expr() as value):
            names = (ast.Name, ast.Attribute, ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.expr_context)
            return all(isinstance(node, names) for node in ast.walk(value))
        case ast.If(test=test, orelse=orelse) if is_type_checking(test):
            return all(_is_passive(each) for each in orelse)
    return False
