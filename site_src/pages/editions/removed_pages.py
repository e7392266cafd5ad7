"""What stands at an address whose page is gone: a tombstone that says why, or a page that only leads on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec import Struct

from site_src import paths
from site_src.editions import FOLDER, Edition, Redirect, Tombstone, file_name
from site_src.marks import DigestKind
from site_src.pages.components import Term, digest_span, line, text
from site_src.pages.site_map import SiteMap
from site_src.wording import Line, Span, count, sentence_case

_KINDS: dict[str, tuple[str, DigestKind]] = {
    "experiment": ("an experiment", "data"),
    "model": ("the page of a model", "site"),
    "decision": ("a decision", "site"),
    "contract": ("a contract", "contract"),
    "pack": ("an eval pack", "pack"),
    "prose": ("a page of prose", "site"),
}


class TombstoneView(Struct, frozen=True, kw_only=True):
    """What stood here, in which editions, and why it was withdrawn."""

    template: ClassVar[str] = "editions/tombstone.html"
    title: str
    lede: str
    facts: tuple[Term, ...]
    ways: tuple[Line, ...]


class RedirectView(Struct, frozen=True, kw_only=True):
    """A page that leads to a new address; ``canonical`` is empty where the site has no address."""

    template: ClassVar[str] = "editions/redirect.html"
    title: str
    target: str
    canonical: str


def kind_words(kind: str) -> str:
    """What a page was, as a reader says it.

    >>> kind_words("pack"), kind_words("prose")
    ('an eval pack', 'a page of prose')
    """
    return _KINDS.get(kind, ("a page", "site"))[0]


def tombstone_title(stone: Tombstone) -> str:
    """Title of the page that stands in place of another."""
    return f"Withdrawn: {stone.page.title}"


def tombstone_view(stone: Tombstone, editions: Sequence[Edition]) -> TombstoneView:
    """The page at the address of one that was withdrawn."""
    reason = stone.reason
    stood = f"{sentence_case(kind_words(stone.page.kind))} stood at this address."
    why = (
        f"It was withdrawn on {reason.date}: {reason.why}"
        if reason
        else "It is no more, and no reason was recorded."
    )
    page = stone.page.path
    return TombstoneView(
        title=tombstone_title(stone),
        lede=f"{stood} {why}",
        facts=tuple(_facts(stone, editions)),
        ways=(
            line(text("Editions", href=paths.relative(page, paths.EDITIONS)), ": what moved, and why"),
            line(text("Overview", href=paths.relative(page, paths.OVERVIEW))),
        ),
    )


def _facts(stone: Tombstone, editions: Sequence[Edition]) -> Iterator[Term]:
    yield Term(word="Address", lines=((text(stone.page.path, "mono"),),))
    yield Term(
        word="Editions",
        lines=tuple((edition_link(e, stone.page.path),) for e in editions if e.number in stone.stood),
    )
    if stone.page.digest:
        kind = _KINDS.get(stone.page.kind, ("", "site"))[1]
        yield Term(word="Digest", lines=((digest_span(stone.page.digest, kind),),))


def edition_link(edition: Edition, page: str) -> Span:
    """An edition's number and date, linked to its file."""
    href = paths.relative(page, f"{FOLDER}{file_name(edition.number)}")
    return text(f"{count(edition.number)} of {edition.date}", "nowrap", href)


def redirect_view(site: SiteMap, redirect: Redirect) -> RedirectView:
    """The page at an old address."""
    url = site.build.site.url
    return RedirectView(
        title="This page has another address",
        target=paths.relative(redirect.old, redirect.new),
        canonical=paths.on_the_web(url, redirect.new),
    )
