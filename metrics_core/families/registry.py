"""The families that lie in this folder, by name.

Apart from the package's ``__init__``, which runs before whatever lies below it: a list of all families is
no part of one family's contract.
"""

from __future__ import annotations

import sys

from metrics_core.measurement import Family
from metrics_core.registry import declarations

FAMILIES: dict[str, Family] = declarations(
    sys.modules["metrics_core.families"], "FAMILY", Family, lambda family: family.name
)
