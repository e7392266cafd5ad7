"""An edition and what would be published now, side by side, and the sections that tell how they differ.

Holds both, with the words and links of one page. Does not: find what moved, or say it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from site_src import paths
from site_src.editions.edition import Edition
from site_src.editions.moves import Move
from site_src.parts import Span
from site_src.rounding import count
from site_src.views.parts import Table, text
from site_src.views.site_map import SiteMap


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionTable:
    """A table below its title; the title is empty where the section's own says enough."""

    table: Table
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionSection:
    """One thing that changed: its tables, and those that are folded behind the words of ``more``."""

    id: str
    title: str
    lede: str
    tables: tuple[EditionTable, ...]
    more: str = ""
    folded: tuple[EditionTable, ...] = ()


class Pair:
    """An edition and what would be published now, with the words and links of one page.

    Args:
        where: Everything that has a page.
        page: Path of the page that tells it.
        before: The edition that is compared with.
        now: This build, as an edition.
        moves: What moved between the two.
    """

    def __init__(
        self, where: SiteMap, page: str, before: Edition, now: Edition, moves: Sequence[Move]
    ) -> None:
        self.before, self.now, self.moves, self.page = before, now, tuple(moves), page
        self.context = where.context(page)
        self.then = f"Edition {count(before.number)}"
        self.shown = {x.name: x for x in where.experiments}
        self.current = {e.id: e for x in where.experiments for e in x.report.estimates}

    def title(self, name: str) -> str:
        """An experiment's title, as it is now or as it was."""
        if name in self.shown:
            return self.shown[name].title
        kept = self.before.experiment(name)
        return kept.title if kept else name

    def experiment(self, name: str) -> Span:
        """An experiment, linked where it has a page."""
        href = paths.relative(self.page, paths.experiment(name)) if name in self.shown else ""
        return text(self.title(name), href=href)
