"""The metric families: every module of this folder that holds a ``FAMILY``, by its name, with its words.

Only this folder and `metrics_core.words` are looked at, no entry points and no environment, so that two
machines with the same checkout have the same registry. A family is added by dropping its modules in.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules

from metrics_core.family import Family

_WORDS = "metrics_core.words"
"""Found by name: an import would make the words part of every contract, whose closures hold this registry."""


def _drawer() -> dict[str, Family]:
    worded = {info.name for info in iter_modules(import_module(_WORDS).__path__)}
    found: dict[str, Family] = {}
    for info in sorted(iter_modules(__path__), key=lambda m: m.name):
        family = import_module(f"{__name__}.{info.name}").FAMILY
        if not isinstance(family, Family) or family.name != info.name:
            raise TypeError(f"{info.name}.FAMILY is not a Family named {info.name!r}")
        if info.name in worded:
            family = replace(family, words=import_module(f"{_WORDS}.{info.name}").WORDS)
        found[info.name] = family
    return found


FAMILIES: dict[str, Family] = _drawer()
