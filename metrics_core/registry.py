"""What the modules of one folder declare, by name: families, adapters, roles, directives.

Does: import every module of a package and collect the one constant that each declares. Only that folder is
looked at, no entry points and no environment, so that two machines with the same checkout have the same
registry. Does not: know what is declared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import ModuleInfo, iter_modules
from types import ModuleType
from typing import TypeVar

Declared = TypeVar("Declared")

DEFAULT_FAMILY = "brownfield"
"""Whose records an experiment is begun with where nobody says whose."""

OTHERWISE = ("registry", "tables", "transcripts")
"""What lies beside the adapters and is none."""


def declarations(
    package: ModuleType, constant: str, kind: type[Declared], name: Callable[[Declared], str]
) -> dict[str, Declared]:
    """Every declaration of a package, by its name: one a module, named as the module is.

    Args:
        package: The folder; its modules are imported.
        constant: What a module calls its declaration.
        kind: What it must be.
        name: Name of a declaration; hyphens in it are underscores in the module's.

    Raises:
        TypeError: A declaration of another kind or name.
    """
    found: dict[str, Declared] = {}
    for info in sorted(iter_modules(package.__path__), key=lambda module: module.name.replace("_", "-")):
        module = import_module(f"{package.__name__}.{info.name}")
        if not hasattr(module, constant):  # what its neighbours share
            continue
        declared = getattr(module, constant)
        if not isinstance(declared, kind) or name(declared).replace("-", "_") != info.name:
            raise TypeError(f"{package.__name__}.{info.name}.{constant} is no {kind.__name__} of that name")
        found[name(declared)] = declared
    return found


def family_names() -> tuple[str, ...]:
    """Names of the metric families, in order.

    >>> "traces" in family_names()
    True
    """
    return tuple(sorted(info.name for info in _in("families") if info.ispkg))


def format_names() -> tuple[str, ...]:
    """Names of the outside formats that an adapter reads, in order.

    >>> "every-eval-ever" in format_names()
    True
    """
    return tuple(
        sorted(info.name.replace("_", "-") for info in _in("adapters") if info.name not in OTHERWISE)
    )


def _in(folder: str) -> Iterator[ModuleInfo]:
    return iter_modules([str(Path(__file__).parent / folder)])
