"""The page of editions, and the pages at addresses that are gone; each made when it is wanted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import ClassVar

from msgspec import Struct

from site_src import paths
from site_src.editions import Edition, History, Redirect, Tombstone, summary
from site_src.pages.components import digest_span, line, table, text
from site_src.pages.editions.changes import change_sections, figure_sections
from site_src.pages.editions.next_edition import EditionSection, EditionTable, Pair, Since
from site_src.pages.editions.removed_pages import (
    RedirectView,
    TombstoneView,
    edition_link,
    kind_words,
    redirect_view,
    tombstone_title,
    tombstone_view,
)
from site_src.pages.page import Planned
from site_src.pages.site_map import SiteMap
from site_src.wording import Line, Span, count


class EditionsView(Struct, frozen=True, kw_only=True):
    """What moved since the last edition, then what is gone, then the list of editions."""

    template: ClassVar[str] = "editions/editions.html"
    title: str
    lede: str
    note: str
    sections: tuple[EditionSection, ...]


def edition_pages(
    where: SiteMap, history: History, since: Callable[[], Since | None], present: Collection[str]
) -> Iterator[Planned]:
    """The page of editions, then a tombstone or redirect for each address that is gone.

    Args:
        where: Everything that has a page.
        history: Earlier editions, and what was written of pages that are gone.
        since: Gives what happened since the last one, once a page shows it.
        present: Paths of all other pages of the site.

    Raises:
        ConfigError: ``file:line`` of what was written of a page and is not so.
    """
    stones, redirects = history.gone(present)
    yield Planned(
        path=paths.EDITIONS,
        kind="editions",
        title="Editions",
        view=lambda _: editions_view(where, history, since(), stones, redirects),
    )
    for stone in stones:
        yield Planned(
            path=stone.page.path,
            kind="tombstone",
            title=tombstone_title(stone),
            view=partial(_tombstone, stone, history),
        )
    for redirect in redirects:
        yield Planned(
            path=redirect.old,
            kind="redirect",
            title="This page has another address",
            view=partial(_redirect, where, redirect),
        )


def _tombstone(stone: Tombstone, history: History, _: object) -> TombstoneView:
    return tombstone_view(stone, history.editions)


def _redirect(where: SiteMap, redirect: Redirect, _: object) -> RedirectView:
    return redirect_view(where, redirect)


def editions_view(
    where: SiteMap,
    history: History,
    since: Since | None,
    stones: Sequence[Tombstone] = (),
    redirects: Sequence[Redirect] = (),
) -> EditionsView:
    """The page of editions."""
    sections: list[EditionSection] = []
    if since:
        lede = since.words
        both = Pair(where, paths.EDITIONS, since.before, since.now, since.moves)
        sections += [*figure_sections(both), *change_sections(both)]
    elif history.last:
        lede = "This is the first edition; there is none that it could be compared with."
    else:
        lede = "No edition was published yet. Publishing records one; from then on this page says what moved."
    if stones or redirects:
        sections.append(_gone(where, history, stones, redirects))
    if history.editions:
        sections.append(_all(history))
    return EditionsView(title="Editions", lede=lede, note=_note(where, history), sections=tuple(sections))


def _note(where: SiteMap, history: History) -> str:
    words, _ = summary.head_words(history, where.build.version, where.build.digest)
    this = history.published_as(where.build.digest)
    if this:
        return f"This is {words[0].lower()}{words[1:]}, published on {this.date}."
    return f"This is {words[0].lower()}{words[1:]}; it was not published." if history.last else ""


def _gone(
    where: SiteMap, history: History, stones: Sequence[Tombstone], redirects: Sequence[Redirect]
) -> EditionSection:
    rows: list[tuple[Line | Span | str, ...]] = []
    for stone in stones:
        stood = [e for e in history.editions if e.number in stone.stood]
        reason = stone.reason
        rows.append(
            (
                text(stone.page.path, "mono", paths.relative(paths.EDITIONS, stone.page.path)),
                line(text(stone.page.title, "strong"), f", {kind_words(stone.page.kind)}"),
                _span(stood),
                line(text(f"{reason.date}: ", "nowrap"), reason.why) if reason else "no reason was recorded",
            )
        )
    rows += [
        (
            text(redirect.old, "mono", paths.relative(paths.EDITIONS, redirect.old)),
            "renamed",
            "",
            text(redirect.new, "mono", paths.relative(paths.EDITIONS, redirect.new)),
        )
        for redirect in redirects
    ]
    heads = ["Address", "What stood there", "Editions", "Why, or where"]
    return EditionSection(
        id="withdrawn",
        title="Withdrawn and renamed",
        lede="A page that was published keeps its address: there it says what became of it.",
        tables=(EditionTable(table=table("Withdrawn and renamed", heads, rows)),),
    )


def _span(stood: Sequence[Edition]) -> Line:
    first, last = stood[0], stood[-1]
    ends = [edition_link(e, paths.EDITIONS) for e in ((first,) if first is last else (first, last))]
    return line(ends[0]) if len(ends) == 1 else line(ends[0], " to ", ends[1])


def _all(history: History) -> EditionSection:
    rows = [
        (
            edition_link(e, paths.EDITIONS),
            digest_span(e.digest, "site", edition_link(e, paths.EDITIONS).href),
            Span(text=count(len(e.experiments)), record=f"edition {e.number}"),
            Span(text=count(len(e.estimates)), record=f"edition {e.number}"),
            Span(text=count(len(e.decisions)), record=f"edition {e.number}"),
            e.why or "no reason was given",
        )
        for e in reversed(history.editions)
    ]
    heads = ["Edition", "Digest", "Experiments", "Figures", "Decisions", "Why"]
    listing = EditionTable(table=table("All editions", heads, rows, numeric=[2, 3, 4]))
    return EditionSection(
        id="all",
        title="All editions",
        lede="Each names the digest of the one before, so that an earlier one cannot be changed without a "
        "trace; the newest is held by nothing but version control, or a signature.",
        tables=(listing,),
    )
