"""Pages that once stood in the site and do not any more: a tombstone says why, a redirect where to.

Does: read ``withdrawn.yaml`` and ``renamed.yaml`` strictly, every address in the one spelling of a page's
path; find for each address of an earlier edition what stands there now, and refuse what was written of it and
is not so. Does not: make the pages, or know which there are now: they are an argument.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from metrics_core.errors import ConfigError
from metrics_core.formats import Day, OneLine, decode, strict_yaml
from metrics_core.results import quoted
from site_src.editions.edition import Edition, EditionPage

WITHDRAWN = "withdrawn.yaml"
RENAMED = "renamed.yaml"

_PATH = re.compile(r"(?:[a-z0-9][a-z0-9_-]*/)*[a-z0-9][a-z0-9_-]*\.html")
"""No folder of pages has a full stop in its name: ``assets/site.css/`` would lie in a file of the site."""


class Withdrawn(Struct, frozen=True):
    """Why a page was withdrawn: its path, the day, the publisher's words, and where they stand."""

    path: str
    date: str
    why: str
    where: str


class Renamed(Struct, frozen=True):
    """Where a page went: old and new path, and where that is written."""

    old: str
    new: str
    where: str


class Tombstone(Struct, frozen=True):
    """What stands at the address of a page that is no more.

    Attributes:
        page: As the last edition that had it listed it.
        stood: Numbers of all editions in which it stood.
        reason: None where none was recorded.
    """

    page: EditionPage
    stood: tuple[int, ...]
    reason: Withdrawn | None


class Redirect(Struct, frozen=True):
    """A page that only leads from an old address to the one that its content has now."""

    old: str
    new: str


class _WithdrawnRow(Struct, forbid_unknown_fields=True):
    path: str
    date: Day
    why: OneLine


_Names = Annotated[
    dict[str, Annotated[str, Meta(description="the new address")]],
    Meta(description="a mapping of old addresses to new ones"),
]


def page_path(address: str, where: str) -> str:
    """The page that an address names, within the site.

    Args:
        address: As someone wrote it: ``experiments/x/``, ``/about.html``.
        where: ``file:line``, for errors.

    Raises:
        ConfigError: It is not the address of a page.

    >>> page_path("experiments/x/", ""), page_path("/about.html", ""), page_path("models/a", "")
    ('experiments/x/index.html', 'about.html', 'models/a/index.html')
    """
    path = address.removeprefix("/")
    if not path.endswith(".html"):
        path = f"{path.rstrip('/')}/index.html" if path.rstrip("/") else "index.html"
    if not _PATH.fullmatch(path) or len(path) > 200:
        raise ConfigError(
            f"expected the address of a page, got {quoted(address)}",
            where=where,
            hint="such as experiments/old-name/ or about.html: nothing else of a site has an address to keep",
        )
    return path


def read_withdrawn(data: bytes, name: str = WITHDRAWN) -> tuple[Withdrawn, ...]:
    """The reasons, one for each page that was withdrawn.

    Args:
        data: YAML, a list of ``path``, ``date`` and ``why``; nothing at all is no reason.
        name: Its name, for errors.

    Raises:
        ConfigError: ``name:line#/pointer``, what was expected and what stood there.
        FormatError: It is not plain YAML.
    """
    document = strict_yaml.parse(data, name)
    found: dict[str, Withdrawn] = {}
    for at, row in enumerate(decode(document, tuple[_WithdrawnRow, ...], ConfigError)):
        path = page_path(row.path, document.where(at, "path"))
        if path in found:
            raise ConfigError(f"{path} is withdrawn twice", where=document.where(at))
        found[path] = Withdrawn(path, row.date, row.why, document.where(at))
    return tuple(found.values())


def read_renamed(data: bytes, name: str = RENAMED) -> tuple[Renamed, ...]:
    """The new names, one for each page that has one.

    Args:
        data: YAML, a mapping of old addresses to new ones; nothing at all is no new name.
        name: Its name, for errors.

    Raises:
        ConfigError: ``name:line#/pointer``, what was expected and what stood there.
        FormatError: It is not plain YAML.
    """
    document = strict_yaml.parse(data, name)
    found: dict[str, Renamed] = {}
    for old, new in decode(document, _Names, ConfigError).items():
        where = document.where(old)
        made = Renamed(page_path(old, where), page_path(new, where), where)
        if made.old in found:
            raise ConfigError(f"{made.old} is renamed twice", where=where)
        found[made.old] = made
    return tuple(found.values())


def tombstones(
    editions: Sequence[Edition],
    withdrawn: Sequence[Withdrawn],
    renamed: Sequence[Renamed],
    present: Collection[str],
) -> tuple[Tombstone, ...]:
    """A tombstone for each page of an edition that is neither there nor renamed, by path.

    Args:
        editions: In the order of their numbers.
        withdrawn: Why pages are gone.
        renamed: Where pages went.
        present: Paths of the pages that the site has.

    Raises:
        ConfigError: A reason is given for a page that still stands, was renamed, or never stood.
    """
    stood: dict[str, list[int]] = {}
    last: dict[str, EditionPage] = {}
    for edition in editions:
        for page in edition.pages:
            stood.setdefault(page.path, []).append(edition.number)
            last[page.path] = page
    moved = {r.old for r in renamed}
    for reason in withdrawn:
        if reason.path in present:
            raise ConfigError(f"{reason.path} is withdrawn, and still stands", where=reason.where)
        if reason.path in moved:
            raise ConfigError(f"{reason.path} is withdrawn, and renamed", where=reason.where, hint="drop one")
        if reason.path not in stood:
            raise ConfigError(
                f"{reason.path} stood in no edition", where=reason.where, hint=_nearest(reason.path, stood)
            )
    reasons = {reason.path: reason for reason in withdrawn}
    return tuple(
        Tombstone(last[path], tuple(stood[path]), reasons.get(path))
        for path in sorted(stood)
        if path not in present and path not in moved
    )


def redirects(
    renamed: Sequence[Renamed], present: Collection[str], stones: Collection[str] = ()
) -> tuple[Redirect, ...]:
    """A redirect for each old address, to where its content stands now, by path.

    Args:
        renamed: What was renamed, perhaps more than once.
        present: Paths of the pages that the site has.
        stones: Paths of tombstones: what was renamed may have been withdrawn later.

    Raises:
        ConfigError: An old address still stands, a new one does not, or they lead in a circle.
    """
    steps = {r.old: r for r in renamed}
    there = {*present, *stones}
    return tuple(
        Redirect(old, _end(step, steps, there)) for old, step in sorted(steps.items()) if _free(step, there)
    )


def _free(step: Renamed, there: Collection[str]) -> bool:
    if step.old in there:
        raise ConfigError(f"{step.old} is renamed, and still stands", where=step.where)
    return True


def _end(step: Renamed, steps: Mapping[str, Renamed], there: Collection[str]) -> str:
    seen = [step.old]
    at = step
    while at.new not in there:
        seen.append(at.new)
        if at.new in seen[:-1]:
            raise ConfigError(f"leads in a circle: {' -> '.join(seen)}", where=step.where)
        if at.new not in steps:
            raise ConfigError(f"there is no page {at.new}", where=at.where, hint=_nearest(at.new, there))
        at = steps[at.new]
    return at.new


def without_reason(stones: Sequence[Tombstone]) -> Iterator[str]:
    """Pages that are gone without a word, a sentence each: notes of a build; they hold ``publish`` back."""
    for stone in stones:
        if stone.reason is None:
            yield (
                f"editions/{WITHDRAWN}: {stone.page.path} stood in edition {stone.stood[-1]} and is no more: "
                f"say why there (- {{path: {stone.page.path}, date: YYYY-MM-DD, why: ...}}), or where it "
                f"is now in content/editions/{RENAMED} ({stone.page.path}: its new path)"
            )


def _nearest(path: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(path, sorted(known), n=3)
    return f"nearest: {', '.join(near)}" if near else ""
