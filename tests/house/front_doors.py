"""The front doors, kept by import-linter: what stands in a room is reached through its ``__init__``.

Does: report every import, type-checking ones included, by which a module of one room reaches into another
room past its front door. Does not: judge which room may know which (the layers in ``pyproject.toml`` do).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

REPO = Path(__file__).resolve().parents[2]


class FrontDoorsContract(Contract):
    """No module imports past the front door of a room that it does not live in.

    A room is a package below one of the root packages. From outside, a name or a module of it is imported
    as ``from room import name``, where ``name`` stands in the ``__all__`` of the room's ``__init__``.
    """

    type_name = "front_doors"

    roots = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002 - the base has it
        """Compare every import of the graph with the front doors."""
        roots = tuple(str(root) for root in self.roots)  # type: ignore[attr-defined]
        found = sorted(
            f"{importer} reaches past the door of {room}: {imported}"
            for importer, imported, room in _across(graph, roots)
            if not _through_the_door(importer, imported, room)
        )
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print one line an import."""
        for line in check.metadata["found"]:
            output.print_error(line)


def _across(graph: ImportGraph, roots: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """(importer, imported, room) of every import from outside of a module within a room."""
    for importer in graph.modules:
        for imported in graph.find_modules_directly_imported_by(importer):
            room = imported.rpartition(".")[0]
            rooms_own = importer == room or importer.startswith(f"{room}.")
            if (
                imported.startswith(tuple(f"{root}." for root in roots))
                and room not in roots
                and not rooms_own
            ):
                yield importer, imported, room


def _through_the_door(importer: str, imported: str, room: str) -> bool:
    """Whether every import statement of the importer that names the module goes through the room's door."""
    leaf = imported.rpartition(".")[2]
    if _path(imported).name == "__init__.py":  # a room within a room has a door of its own
        return True
    if leaf not in _public(room):
        return False
    return not any(
        (isinstance(node, ast.ImportFrom) and node.module == imported)
        or (isinstance(node, ast.Import) and any(alias.name == imported for alias in node.names))
        for node in ast.walk(_tree(importer))
    )


def _public(room: str) -> set[str]:
    """What the ``__all__`` of a room names."""
    for node in _tree(room).body:
        match node:
            case ast.Assign([ast.Name("__all__")], value):
                return set(ast.literal_eval(value))
    return set()


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(_path(module).read_bytes())


def _path(module: str) -> Path:
    path = REPO / module.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
