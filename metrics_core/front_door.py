"""What a room's front door hands out is loaded when it is first asked for: a command pays for what it uses.

The ``__init__`` of a room re-exports names by plain imports under ``if TYPE_CHECKING``, which is what type
checkers, the import rules and the closures of contracts read. When the program runs, the same statements say
where each name lives. Does: read these statements, import the one module that a name comes from. Does not:
load a name that nobody asked for, or find one that is not written there.

A name that a module of the same room bears as well cannot be told from that module once it is loaded; a test
holds that there is none.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pkgutil import get_data
from typing import Any

_IMPORT = re.compile(r"^    from ([\w.]+) import (\([^)]*\)|[^(\n]+)$", re.MULTILINE)
_NAME = re.compile(r"(\w+)(?: as (\w+))?")


def on_demand(package: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a front door (PEP 562): gives a name of it, and remembers it in the door.

    Args:
        package: Dotted name of the room, whose ``__init__`` calls this.

    >>> from metrics_core import formats
    >>> formats.jsonl.__name__
    'metrics_core.formats.jsonl'
    >>> formats.jsnol
    Traceback (most recent call last):
    AttributeError: module 'metrics_core.formats' has no attribute 'jsnol'...
    """

    def named(name: str) -> Any:
        home = homes(package).get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, original = home
        if module == package:  # a module of the room, handed out whole
            return import_module(f"{package}.{original}")
        found = getattr(import_module(module), original)
        setattr(sys.modules[package], name, found)
        return found

    return named


@cache
def homes(package: str) -> dict[str, tuple[str, str]]:
    """Name at a front door -> (module that it is imported from, its name there).

    Args:
        package: Dotted name of a room.

    >>> homes("metrics_core.redaction")["Redactor"]
    ('metrics_core.redaction.redactor', 'Redactor')
    """
    door = (get_data(package, "__init__.py") or b"").decode()
    return {
        bound or name: (module, name)
        for module, names in _IMPORT.findall(door)
        for name, bound in _NAME.findall(names)
    }
