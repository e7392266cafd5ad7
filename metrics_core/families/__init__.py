"""The metric families: every module of this folder that holds a ``FAMILY``, by its name.

Only this folder is looked at, no entry points and no environment, so that two machines with the same
checkout have the same registry. A family is added by dropping its module in.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from metrics_core.family import Family


def _drawer() -> dict[str, Family]:
    found: dict[str, Family] = {}
    for info in sorted(iter_modules(__path__), key=lambda m: m.name):
        family = import_module(f"{__name__}.{info.name}").FAMILY
        if not isinstance(family, Family) or family.name != info.name:
            raise TypeError(f"{info.name}.FAMILY is not a Family named {info.name!r}")
        found[info.name] = family
    return found


FAMILIES: dict[str, Family] = _drawer()
