"""From pages to a site on disk: the plan of pages, gates, leaks, downloads, feed, and the writer.

The only room that writes a site; it writes it whole or not at all.
"""

from __future__ import annotations

from site_src.publishing import downloads, gates, leaks, published_inputs, raw_data, writer
from site_src.publishing.gates import Written
from site_src.publishing.published_site import (
    SIGNATURE,
    STATEMENT,
    PublishedSite,
    read_manifest,
    shown,
)
from site_src.publishing.site import Progress, SiteFiles
from site_src.publishing.writer import MANIFEST, Manifest

__all__ = [
    "MANIFEST",
    "SIGNATURE",
    "STATEMENT",
    "Manifest",
    "Progress",
    "PublishedSite",
    "SiteFiles",
    "Written",
    "downloads",
    "gates",
    "leaks",
    "published_inputs",
    "raw_data",
    "read_manifest",
    "shown",
    "writer",
]
