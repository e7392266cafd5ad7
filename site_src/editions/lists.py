"""What a publisher wrote of pages that are gone: ``withdrawn.yaml`` says why, ``renamed.yaml`` where to.

Does: read both strictly, every address in the one spelling of a page's path. Does not: know which pages there
are, or were; `site_src.editions.withdrawn` holds both lists against them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta, Struct

from metrics_core import yaml_strict
from metrics_core.decoding import Day, Line, decode
from metrics_core.errors import ConfigError
from metrics_core.problem import quoted

WITHDRAWN = "withdrawn.yaml"
RENAMED = "renamed.yaml"
_PATH = re.compile(r"(?:[a-z0-9][a-z0-9_-]*/)*[a-z0-9][a-z0-9_-]*\.html")
"""No folder of pages has a full stop in its name: ``assets/site.css/`` would lie in a file of the site."""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Why a page was withdrawn: its path, the day, the publisher's words, and where they stand."""

    path: str
    date: str
    why: str
    where: str


@dataclass(frozen=True, slots=True)
class Renamed:
    """Where a page went: old and new path, and where that is written."""

    old: str
    new: str
    where: str


class _WithdrawnRow(Struct, forbid_unknown_fields=True):
    path: str
    date: Day
    why: Line


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
    document = yaml_strict.parse(data, name)
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
    document = yaml_strict.parse(data, name)
    found: dict[str, Renamed] = {}
    for old, new in decode(document, _Names, ConfigError).items():
        where = document.where(old)
        made = Renamed(page_path(old, where), page_path(new, where), where)
        if made.old in found:
            raise ConfigError(f"{made.old} is renamed twice", where=where)
        found[made.old] = made
    return tuple(found.values())
