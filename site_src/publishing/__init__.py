"""From pages to a site on disk: the plan of pages, gates, leaks, downloads, feed, and the writer.

The only room that writes a site; it writes it whole or not at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.publishing import (
        downloads,
        edition_record,
        gates,
        hosting,
        kept_files,
        leaks,
        prose_gates,
        published_inputs,
        raw_data,
        writer,
    )
    from site_src.publishing.kept_files import MANIFEST
    from site_src.publishing.page_plan import EVERYTHING, FIGURES, PageGroup
    from site_src.publishing.prose_gates import Written
    from site_src.publishing.published_site import (
        SIGNATURE,
        STATEMENT,
        PublishedSite,
        manifest_of,
        read_manifest,
        shown,
    )
    from site_src.publishing.reads import Reads
    from site_src.publishing.site import (
        Keeper,
        MadePage,
        Progress,
        SiteFiles,
        of_experiment,
        of_page,
    )
    from site_src.publishing.writer import Manifest
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "EVERYTHING",
    "FIGURES",
    "MANIFEST",
    "SIGNATURE",
    "STATEMENT",
    "Keeper",
    "MadePage",
    "Manifest",
    "PageGroup",
    "Progress",
    "PublishedSite",
    "Reads",
    "SiteFiles",
    "Written",
    "downloads",
    "edition_record",
    "gates",
    "hosting",
    "kept_files",
    "leaks",
    "manifest_of",
    "of_experiment",
    "of_page",
    "prose_gates",
    "published_inputs",
    "raw_data",
    "read_manifest",
    "shown",
    "writer",
]
