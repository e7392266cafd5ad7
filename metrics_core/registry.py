"""Names of what is dropped in, families and outside formats, found without importing any of them.

Does: list the modules of a folder, for help texts and errors that must not wait for numpy. Does not: hold a
family or an adapter; `metrics_core.families` and `metrics_core.adapters` do, under the same names.
"""

from __future__ import annotations

from pathlib import Path
from pkgutil import iter_modules


def family_names() -> tuple[str, ...]:
    """Names of the metric families, in order.

    >>> "traces" in family_names()
    True
    """
    return _modules("families")


def format_names() -> tuple[str, ...]:
    """Names of the outside formats that an adapter reads, in order.

    >>> "every-eval-ever" in format_names()
    True
    """
    return tuple(name.replace("_", "-") for name in _modules("adapters"))


def _modules(folder: str) -> tuple[str, ...]:
    return tuple(sorted(info.name for info in iter_modules([str(Path(__file__).parent / folder)])))
