"""Reads a user's metric contract from its Python file, without running it.

``CONTRACT_ID`` is taken from the text, and the source closure is every file of the contract's own folder
that its imports reach. Whatever could make something else run than what was hashed is refused here:
compiled files beside it, two files for one name, names of the standard library, links. The file is run
only by `metrics_core.contracts.scorer`, from the bytes that were read here.
"""

from __future__ import annotations

import ast
import re
import stat
import sys
from collections.abc import Iterator
from hashlib import sha256
from math import isfinite
from pathlib import Path, PurePosixPath

from msgspec import Struct, field

from metrics_core.contracts.closure import imports, parsed
from metrics_core.contracts.contract import DEFAULT_PROMISE, UserContract
from metrics_core.digest import closure_digest
from metrics_core.errors import ContractError, InputError

ID = re.compile(r"[\w.-]+(?:/[\w.-]+)*/v(?P<version>\d+)(?:-[\w.-]+)?", re.ASCII)
COMPILED = (".pyc", ".pyo", ".so", ".pyd", ".dll", ".dylib")
RESERVED = {"__main__", "metrics_core", "site_src"}
MAX_BYTES = 1_000_000
"""Of one source file: a larger one is no scorer that anyone could review."""


def load_contract(path: str | Path) -> UserContract:
    """Read a user's contract and the files that it imports from its own folder.

    Args:
        path: The Python file; ``CONTRACT_ID``, ``score_trace`` and ``FIXTURES`` stand in it.

    Raises:
        InputError: There is no such file.
        ContractError: It is not a contract, or something beside it could run in its place.
    """
    file = Path(path)
    if not file.is_file():
        raise InputError("there is no such file", where=file.name)
    if file.suffix != ".py" or "." in file.stem:
        hint = "such as metric_v3.py"
        raise ContractError("expected the name of a Python module", where=file.name, hint=hint)
    folder = _Folder(file.parent)
    folder.refuse_compiled("")
    sources = _reach(folder, file.name)
    tree = parsed(sources[file.name], where=file.name)
    contract_id, version = _identity(tree, file.name)
    return UserContract(
        id=contract_id,
        version=version,
        file=file.name,
        metric_sha256=sha256(sources[file.name]).hexdigest(),
        digest=str(closure_digest(sources)),
        files=sources,
        modules={_module(name): name for name in sources},
        floor=_floor(tree, file.name),
        promise=_promise(tree),
    )


class _Folder(Struct):
    """The contract's own folder: what lies in it, and bytes of regular files."""

    root: Path
    listed: dict[str, frozenset[str]] = field(default_factory=dict)

    def names(self, folder: str) -> frozenset[str]:
        if folder not in self.listed:
            self.listed[folder] = frozenset(entry.name for entry in (self.root / folder).iterdir())
        return self.listed[folder]

    def has(self, path: str) -> bool:
        pure = PurePosixPath(path)
        parent = "" if str(pure.parent) == "." else str(pure.parent)
        return (not parent or self.is_folder(parent)) and pure.name in self.names(parent)

    def is_folder(self, path: str) -> bool:
        return self.has(path) and (self.root / path).is_dir()

    def read(self, path: str) -> bytes:
        inside = [self.root / p for p in (path, *map(str, PurePosixPath(path).parents)) if p != "."]
        if not stat.S_ISREG(inside[0].lstat().st_mode) or any(p.is_symlink() for p in inside):
            raise ContractError("expected a regular file, not a link", where=path)
        data = inside[0].read_bytes()
        if len(data) > MAX_BYTES:
            raise ContractError(f"{len(data)} bytes of source, expected at most {MAX_BYTES}", where=path)
        return data

    def refuse_compiled(self, folder: str) -> None:
        for name in sorted(self.names(folder)):
            if name.endswith(COMPILED):
                raise ContractError(
                    "compiled code beside a contract could run in its place",
                    where=str(PurePosixPath(folder, name)),
                    hint="remove it; only source that can be read and hashed is run",
                )


def _reach(folder: _Folder, main: str) -> dict[str, bytes]:
    """Path -> bytes of the file and of every file of its folder that its imports reach."""
    found: dict[str, bytes] = {}
    pending = [main]
    while pending:
        path = pending.pop()
        if path in found:
            continue
        module = _module(path)
        _refuse_name(module, path)
        _refuse_clash(folder, module, path)
        found[path] = folder.read(path)
        tree = parsed(found[path], where=path)
        is_package = path.endswith("/__init__.py")
        for each in imports(tree, module=module, is_package=is_package, where=path):
            wanted = [each.module, *(f"{each.module}.{name}" for name, _ in each.names)]
            for name in wanted:
                pending += _own(folder, name, where=f"{path}:{each.line}")
    return dict(sorted(found.items()))


def _own(folder: _Folder, module: str, *, where: str) -> Iterator[str]:
    """Files of the folder that importing a module would run: enclosing packages, then the module."""
    parts = module.split(".")
    if parts[0] in {"metrics_core", "site_src"}:
        raise ContractError(
            f"imports {parts[0]}, which is not part of its source closure",
            where=where,
            hint="a contract stands on its own: copy the few lines that it needs",
        )
    for depth in range(1, len(parts) + 1):
        stem = "/".join(parts[:depth])
        if folder.has(f"{stem}.py"):
            yield f"{stem}.py"
        elif folder.is_folder(stem):
            if not folder.has(f"{stem}/__init__.py"):
                raise ContractError(f"{stem}/ has no __init__.py", where=where, hint="add an empty one")
            folder.refuse_compiled(stem)
            yield f"{stem}/__init__.py"
        else:
            return


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _refuse_name(module: str, path: str) -> None:
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names or top in RESERVED:
        owner = "the scorer's process" if top in RESERVED else "the standard library"
        raise ContractError(f"the name {top} belongs to {owner}", where=path, hint="rename the file")


def _refuse_clash(folder: _Folder, module: str, path: str) -> None:
    stem = module.replace(".", "/")
    own = {path, path.removesuffix("__init__.py")}
    rivals = [rival for rival in (f"{stem}.py", f"{stem}/") if rival not in own and folder.has(rival)]
    if rivals:
        raise ContractError(f"{rivals[0]} beside it has the same name", where=path, hint="rename one of them")


def _constants(tree: ast.Module, name: str) -> list[ast.expr]:
    """Values assigned to a name at the top level."""
    values: list[ast.expr] = []
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=targets, value=value):
                flat = [n for target in targets for n in ast.walk(target)]
                values += [value for n in flat if isinstance(n, ast.Name) and n.id == name]
            case ast.AnnAssign(target=ast.Name(id=found), value=ast.expr() as value) if found == name:
                values.append(value)
    return values


def _identity(tree: ast.Module, file: str) -> tuple[str, str]:
    """``CONTRACT_ID`` and the digits behind ``v`` in it."""
    hint = 'write CONTRACT_ID = "name/v1-slug" once, as a plain string'
    match _constants(tree, "CONTRACT_ID"):
        case [ast.Constant(str(text), lineno=line)]:
            found = ID.fullmatch(text)
            if found is None:
                problem = f"CONTRACT_ID is {text!r}, expected name/vN-slug"
                raise ContractError(problem, where=f"{file}:{line}", hint=hint)
            return text, found["version"]
        case []:
            raise ContractError("no CONTRACT_ID", where=file, hint=hint)
    raise ContractError("CONTRACT_ID cannot be read without running the file", where=file, hint=hint)


def _floor(tree: ast.Module, file: str) -> float:
    """``FLOOR``, where the contract declares one."""
    values = _constants(tree, "FLOOR")
    if not values:
        return 0.0
    try:
        value = ast.literal_eval(values[-1])
    except ValueError:
        value = None
    number = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    if len(values) > 1 or not number:
        raise ContractError("FLOOR is not one plain number", where=f"{file}:{values[-1].lineno}")
    return float(value)


def _promise(tree: ast.Module) -> str:
    """First paragraph of the docstring of ``score_trace``, else the general promise."""
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "score_trace":
            text = ast.get_docstring(statement) or ""
            return " ".join(text.split("\n\n")[0].split()) or DEFAULT_PROMISE
    return DEFAULT_PROMISE
