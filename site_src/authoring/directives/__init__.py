"""The directives: every module of this folder that holds a ``DIRECTIVE``, by its name.

One is added by dropping its module in.
"""

from __future__ import annotations

import sys

from metrics_core.registry import declarations
from site_src.authoring.declarations import Directive

DIRECTIVES: dict[str, Directive] = declarations(
    sys.modules[__name__], "DIRECTIVE", Directive, lambda directive: directive.name
)


__all__ = [
    "DIRECTIVES",
]
