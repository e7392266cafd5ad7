"""The preview: the site as it would be built, served on loopback and kept up with what is saved.

Nothing is written. A page is made when it is asked for, and a save makes again only the pages that are open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.preview import command
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "command",
]
