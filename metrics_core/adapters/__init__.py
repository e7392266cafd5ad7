"""The adapters: every module of this folder that holds an ``ADAPTER``, by the name of its format.

An adapter is dropped in, like a family: a module ``adapters/my_format.py`` with

    ADAPTER = Adapter(format="my-format", title=..., family="traces", module=__name__,
                      claims=claims, convert=convert)

as `metrics_core.adapter` describes. A folder is read through one where `experiment.yaml` says
``source: {format: my-format, path: runs}``, or where it holds no records of any family and exactly one
adapter claims files in it. Each record that ``convert`` gives becomes a row: its ``file`` is the outside
file, its ``line`` the number of the record within that file, from 1, and its ``raw`` the record itself as
canonical JSON. Digests are over the outside files as they were found.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from metrics_core.adapter import Adapter


def _drawer() -> dict[str, Adapter]:
    found: dict[str, Adapter] = {}
    for info in sorted(iter_modules(__path__), key=lambda m: m.name):
        adapter = import_module(f"{__name__}.{info.name}").ADAPTER
        if not isinstance(adapter, Adapter) or adapter.format.replace("-", "_") != info.name:
            raise TypeError(f"{info.name}.ADAPTER is not an Adapter of the format that its module is named")
        found[adapter.format] = adapter
    return found


ADAPTERS: dict[str, Adapter] = _drawer()
