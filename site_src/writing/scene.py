"""Where a piece of prose stands: in which file, on which page, and what it can refer to."""

from __future__ import annotations

from dataclasses import dataclass

from site_src.decisions import JudgedDecision
from site_src.figures.context import FigureContext
from site_src.views.figures import Gallery
from site_src.views.site_map import SiteMap


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a piece of prose stands.

    Attributes:
        source: Its file within the content folder, as errors name it.
        first_line: The line of the file on which the prose begins; 1 is the first.
        page: Path of the page within the site.
        site: Everything that has a page, and the index of estimates.
        gallery: Where the page's figures hang, so that their data is published with it.
        decision: The decision whose page it is; None on any other.
    """

    source: str
    first_line: int
    page: str
    site: SiteMap
    gallery: Gallery
    decision: JudgedDecision | None = None

    def __post_init__(self) -> None:
        if self.first_line < 1:
            raise ValueError(f"line {self.first_line} of {self.source}")

    @property
    def context(self) -> FigureContext:
        """Links of the page, and the site's build."""
        return self.site.context(self.page)
