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

import sys

from metrics_core.adapter import Adapter
from metrics_core.registry import declarations

ADAPTERS: dict[str, Adapter] = declarations(
    sys.modules[__name__], "ADAPTER", Adapter, lambda adapter: adapter.format
)
