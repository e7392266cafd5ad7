"""Results typed by hand: found in an author's sentences, with the role that would state them.

Text and an index of references in, findings out.
"""

from __future__ import annotations

from site_src.lint.suggestions import near_misses
from site_src.lint.typed_results import Finding, naked

__all__ = [
    "Finding",
    "naked",
    "near_misses",
]
