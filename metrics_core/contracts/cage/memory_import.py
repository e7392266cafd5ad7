"""Imports a contract's modules from the bytes that were hashed, and from nowhere else.

There is no folder that anything could be put into, no cached byte code, no compiled file that could come in
place of the source, and ``__file__`` is the same in every process. Everything else is imported from the
interpreter and its environment as ever.
"""

from __future__ import annotations

import sys
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import CodeType, ModuleType
from typing import Any

PLACE = "/contract"
"""The folder in which a contract's files seem to lie."""


class ContractFinder(MetaPathFinder, InspectLoader):
    """Finds and loads modules of one source closure.

    Args:
        modules: Dotted name -> path within the closure.
        sources: Path -> source.
    """

    def __init__(self, modules: dict[str, str], sources: dict[str, bytes]) -> None:
        self.modules, self.sources = modules, sources

    def find_spec(self, fullname: str, *_: Any) -> ModuleSpec | None:
        """Of a module of the closure; None for any other."""
        if fullname not in self.modules:
            return None
        origin = f"{PLACE}/{self.modules[fullname]}"
        spec = spec_from_loader(fullname, self, origin=origin)
        if spec is not None:
            spec.has_location = True  # so that it has a __file__
        return spec

    def is_package(self, fullname: str) -> bool:
        """Whether it is the ``__init__`` of one."""
        return self.modules[fullname].endswith("/__init__.py")

    def get_source(self, fullname: str) -> str:
        """For whoever shows lines of it."""
        from importlib.util import decode_source

        return decode_source(self.sources[self.modules[fullname]])

    def get_code(self, fullname: str) -> CodeType:
        """Compiled from the bytes, never from a cache."""
        path = self.modules[fullname]
        code: CodeType = compile(self.sources[path], f"{PLACE}/{path}", "exec", dont_inherit=True)
        return code

    def exec_module(self, module: ModuleType) -> None:
        """Run it."""
        exec(self.get_code(module.__name__), module.__dict__)  # noqa: S102 - this is what a contract is for


def only_installed() -> None:
    """Import from the interpreter and its environment only: no checkout, no folder that a user added."""
    import os

    places = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
    prefixes = tuple(os.path.realpath(place) + os.sep for place in places)
    sys.path[:] = [path for path in sys.path if os.path.realpath(path).startswith(prefixes)]
