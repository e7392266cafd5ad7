"""Results typed by hand: found in an author's sentences, with the role that would state them.

Text and an index of references in, findings out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.lint.suggestions import near_misses
    from site_src.lint.typed_results import Finding, naked
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "Finding",
    "naked",
    "near_misses",
]
