"""Record types, one a file: the text that each field carries is the site's Dictionary page."""

from __future__ import annotations

WRITTEN = "2026-11-30"
"""When the meaning of the fields was last written down: before any number was aggregated under it."""
