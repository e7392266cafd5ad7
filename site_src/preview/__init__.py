"""The preview: the site as it would be built, served on loopback and kept up with what is saved.

Nothing is written. A page is made when it is asked for, and a save makes again only the pages that are open.
"""

from __future__ import annotations

from site_src.preview import command

__all__ = [
    "command",
]
