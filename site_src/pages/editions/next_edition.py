"""This build as an edition: what it would record, how it differs from the last, what speaks against it.

Does: list the addresses that a site answers for, draft the edition, compare it with the last one, and hold
both for the page that shows the difference. Does not: write a file, or look at a clock (the date is an
argument).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from metrics_core import digest
from metrics_core.errors import ConfigError
from metrics_core.formats import is_day
from metrics_core.results import quoted
from site_src import paths
from site_src.editions import (
    Edition,
    EditionPage,
    History,
    Move,
    changed_decisions,
    moved,
    store,
    summary,
    without_reason,
)
from site_src.pages.components import Table, text
from site_src.pages.site_map import SiteMap, has_row
from site_src.project import SiteFile
from site_src.wording import Span, count

DecisionsJson = Sequence[Mapping[str, Any]]
"""Decisions, each as its ``to_json`` gives it."""


def next_edition(
    where: SiteMap, history: History, decisions: DecisionsJson, *, date: str, why: str = ""
) -> SiteFile | None:
    """The file of the edition that publishing this build records, within the content folder.

    A site that is built with this file among its editions knows its own number.

    Args:
        where: Everything that has a page.
        history: Editions that were published.
        decisions: Each as its ``to_json`` gives it.
        date: ISO day of publication.
        why: The publisher's words.

    Returns:
        None where this build was published already, as the last edition.

    Raises:
        ConfigError: The date is none, or lies before that of the last edition.
    """
    last = history.last
    if not is_day(date) or (last and date < last.date):
        after = f" from {last.date} on" if last else ""
        raise ConfigError(f"expected a date as YYYY-MM-DD{after}, got {quoted(date)}", where="--date")
    if history.published_as(where.build.digest):
        return None
    edition = draft(where, decisions, date=date, before=last, why=why)
    return SiteFile(f"editions/{store.file_name(edition.number)}", store.to_bytes(edition))


def draft(
    where: SiteMap, decisions: DecisionsJson, *, date: str, before: Edition | None, why: str = ""
) -> Edition:
    """This build as the edition that publishing it now would record.

    Args:
        where: Everything that has a page.
        decisions: Each as its ``to_json`` gives it.
        date: ISO day of publication.
        before: The last edition; None for the first.
        why: The publisher's words.
    """
    return store.draft(
        where.experiments,
        has_row,
        decisions,
        addresses(where, decisions),
        where.build,
        date=date,
        before=before,
        why=why,
    )


def addresses(where: SiteMap, decisions: DecisionsJson) -> Iterator[EditionPage]:
    """Pages with an address that others may hold on to: what an edition keeps of them."""
    for x in where.experiments:
        yield EditionPage(
            path=paths.experiment(x.name), title=x.title, kind="experiment", digest=x.report.data_digest
        )
    for name in where.models:
        yield EditionPage(path=paths.model(name), title=name, kind="model")
    for name, refs in where.contracts.items():
        yield EditionPage(path=paths.contract(name), title=name, kind="contract", digest=refs[-1].digest)
    for full, users in where.packs.items():
        pack = users[0].pack
        yield EditionPage(path=paths.pack(full), title=pack.name if pack else full, kind="pack", digest=full)
    for decision in decisions:
        yield EditionPage(path=paths.decision(decision["slug"]), title=decision["title"], kind="decision")
    for page in where.authored:
        if page.path not in (paths.OVERVIEW, paths.METHODS):
            yield EditionPage(
                path=page.path,
                title=page.title,
                kind="prose",
                digest=digest.of_bytes(page.text.encode("utf-8", "surrogatepass")),
            )


class Since(Struct, frozen=True):
    """What happened since an edition.

    Attributes:
        before: The edition that this build is compared with.
        now: This build, as an edition.
        moves: Figures that moved, and why.
        words: All of it, in a sentence or two.
    """

    before: Edition
    now: Edition
    moves: tuple[Move, ...]
    words: str


def since_last(where: SiteMap, history: History, decisions: DecisionsJson) -> Since | None:
    """What happened since the edition that this build is compared with; None before there is one."""
    before = history.before(where.build.digest)
    if before is None:
        return None
    published = history.published_as(where.build.digest)
    now = published or draft(where, decisions, date=before.date, before=before)
    moves = moved(before, now)
    return Since(before, now, moves, summary.since(before, now, moves, changed_decisions(before, now)))


def objections(history: History, since: Since | None, present: Collection[str]) -> tuple[str, ...]:
    """What speaks against publishing this build as an edition: notes of a build, and what ``check`` says.

    Figures that moved although nothing they are made from did, and pages that are gone without a word.

    Args:
        history: Editions that were published.
        since: What happened since the last one.
        present: Paths of all pages but those that `edition_pages` makes.
    """
    stones, _ = history.gone(present)
    return (*summary.faults(since.moves if since else ()), *without_reason(stones))


class Pair:
    """An edition and what would be published now, with the words and links of one page.

    Args:
        where: Everything that has a page.
        page: Path of the page that shows it.
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
        earlier = self.before.experiment(name)
        return earlier.title if earlier else name

    def experiment(self, name: str) -> Span:
        """An experiment, linked where it has a page."""
        href = paths.relative(self.page, paths.experiment(name)) if name in self.shown else ""
        return text(self.title(name), href=href)


class EditionTable(Struct, frozen=True, kw_only=True):
    """A table below its title; the title is empty where the section's own says enough."""

    table: Table
    title: str = ""


class EditionSection(Struct, frozen=True, kw_only=True):
    """One thing that changed: its tables, and those that are folded behind the words of ``more``."""

    id: str
    title: str
    lede: str
    tables: tuple[EditionTable, ...]
    more: str = ""
    folded: tuple[EditionTable, ...] = ()
