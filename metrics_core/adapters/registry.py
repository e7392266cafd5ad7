"""The adapters that lie in this folder, by format.

Apart from the package's ``__init__``, which runs before whatever lies below it: a list of all formats is no
part of the contract that one of them is read under.
"""

from __future__ import annotations

import sys

from metrics_core.formats import Adapter
from metrics_core.registry import declarations

ADAPTERS: dict[str, Adapter] = declarations(
    sys.modules["metrics_core.adapters"], "ADAPTER", Adapter, lambda adapter: adapter.format
)
