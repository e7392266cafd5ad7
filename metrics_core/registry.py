"""What the modules of one folder declare, by name: families, adapters, roles, directives.

Does: import every module of a package and collect the one constant that each declares. Only that folder is
looked at, no entry points and no environment, so that two machines with the same checkout have the same
registry. Does not: know what is declared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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


class OnDemand(Mapping[str, Declared]):
    """The same, each imported when it is first looked at: whoever needs one does not wait for all.

    Args:
        package: Dotted name of the folder.
        constant: What a module calls its declaration.
        kind: What it must be.
        names: Those that there are, in order; hyphens in them are underscores in the modules'.

    >>> from metrics_core.adapters import ADAPTERS
    >>> len(ADAPTERS) == len(format_names()), ADAPTERS["tau-bench"].family, ADAPTERS.get("tau")
    (True, 'traces', None)
    """

    def __init__(self, package: str, constant: str, kind: type[Declared], names: Sequence[str]) -> None:
        self._package, self._constant, self._kind, self._names = package, constant, kind, tuple(names)

    def __getitem__(self, name: str) -> Declared:
        """One declaration.

        Raises:
            KeyError: There is none of that name.
            TypeError: It is of another kind.
        """
        if name not in self._names:
            raise KeyError(name)
        module = import_module(f"{self._package}.{name.replace('-', '_')}")
        declared = getattr(module, self._constant)
        if not isinstance(declared, self._kind):
            raise TypeError(f"{module.__name__}.{self._constant} is no {self._kind.__name__}")
        return declared

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


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
