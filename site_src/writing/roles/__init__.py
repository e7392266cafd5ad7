"""The roles: every module of this folder that holds a ``ROLE``, by its name.

One is added by dropping its module in.
"""

from __future__ import annotations

import sys

from site_src.writing.declared import Role, drawer

ROLES: dict[str, Role] = drawer(sys.modules[__name__], "ROLE", Role)
