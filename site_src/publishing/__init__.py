"""From pages to a site on disk: the plan of pages, gates, leaks, downloads, feed, and the writer.

The only room that writes a site; it writes it whole or not at all.
"""

from __future__ import annotations

from site_src.publishing import (
    downloads,
    edition_record,
    gates,
    kept_files,
    leaks,
    published_inputs,
    raw_data,
    writer,
)
from site_src.publishing.gates import Written
from site_src.publishing.kept_files import MANIFEST, UNLISTED
from site_src.publishing.site import Progress, SiteFiles
from site_src.publishing.writer import Manifest

__all__ = [
    "MANIFEST",
    "UNLISTED",
    "Manifest",
    "Progress",
    "SiteFiles",
    "Written",
    "downloads",
    "edition_record",
    "gates",
    "kept_files",
    "leaks",
    "published_inputs",
    "raw_data",
    "writer",
]
