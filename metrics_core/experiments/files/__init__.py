"""Files of experiments, on a disk or in a store: found, listed and opened, and never left.

`look_at` gives what lies there, `opened` a file of it. Nothing here interprets a name or a byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.experiments.files.address import Address, Place, place
    from metrics_core.experiments.files.entries import FolderEntry, printable
    from metrics_core.experiments.files.in_store import answer_of, store_of
    from metrics_core.experiments.files.looking import Asked, is_folder, look_at, on_a_disk, opened
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "Address",
    "Asked",
    "FolderEntry",
    "Place",
    "answer_of",
    "is_folder",
    "look_at",
    "on_a_disk",
    "opened",
    "place",
    "printable",
    "store_of",
]
