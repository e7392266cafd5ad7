"""The roles: every module of this folder that holds a ``ROLE``, by its name.

One is added by dropping its module in.
"""

from __future__ import annotations

import sys

from metrics_core.registry import declarations
from site_src.writing.declared import Role

ROLES: dict[str, Role] = declarations(
    sys.modules[__name__], "ROLE", Role, lambda role: role.name
)
