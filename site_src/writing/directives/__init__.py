"""The directives: every module of this folder that holds a ``DIRECTIVE``, by its name.

One is added by dropping its module in.
"""

from __future__ import annotations

import sys

from site_src.writing.declared import Directive, drawer

DIRECTIVES: dict[str, Directive] = drawer(sys.modules[__name__], "DIRECTIVE", Directive)
