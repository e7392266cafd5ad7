"""The metric families: every module of this folder that holds a ``FAMILY``, by its name, with its words.

Only this folder and `metrics_core.words` are looked at; see `metrics_core.registry`. A family is added by
dropping its modules in.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules

from metrics_core.family import Family
from metrics_core.registry import declarations

_WORDS = "metrics_core.words"
"""Found by name: an import would make the words part of every contract, whose closures hold this registry."""


def _with_words() -> dict[str, Family]:
    worded = {info.name for info in iter_modules(import_module(_WORDS).__path__)}
    found = declarations(sys.modules[__name__], "FAMILY", Family, lambda family: family.name)
    return {
        name: replace(family, words=import_module(f"{_WORDS}.{name}").WORDS) if name in worded else family
        for name, family in found.items()
    }


FAMILIES: dict[str, Family] = _with_words()
