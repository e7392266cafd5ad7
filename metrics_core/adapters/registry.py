"""The adapters that lie in this folder, by format, each loaded when it is first asked.

Apart from the package's ``__init__``, which runs before whatever lies below it: a list of all formats is no
part of the contract that one of them is read under.
"""

from __future__ import annotations

from collections.abc import Mapping

from metrics_core.formats import Adapter
from metrics_core.registry import OnDemand, format_names

ADAPTERS: Mapping[str, Adapter] = OnDemand("metrics_core.adapters", "ADAPTER", Adapter, format_names())
