"""Names written by hand, held against what the reports hold: `asked` reads one, `Index` finds it.

Pure: it takes text and reports, and touches neither disk nor Markdown.
"""

from __future__ import annotations

from metrics_core.nearest import nearest
from site_src.references.asked import Asked, asked
from site_src.references.index import Index

__all__ = ["Asked", "Index", "asked", "nearest"]
