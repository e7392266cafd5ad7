"""A page that is planned: where it will stand, and how its view is made once someone wants it.

A build makes every page in turn; a preview makes the one that is being read. Both make it here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from site_src.views.figures import Gallery
from site_src.views.page import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One page before it is made.

    Attributes:
        path: Within the site.
        kind: As `site.json` lists it: ``overview``, ``model``, ...
        title: For the window and for `site.json`.
        view: Makes what the page says; its figures are hung in the gallery that it is given.
        place: How other pages call it where they tell which figures stand on an instrument.
        description: One sentence for search engines; the site's own where it is empty.
    """

    path: str
    kind: str
    title: str
    view: Callable[[Gallery], View]
    place: str = ""
    description: str = ""
