"""What a publisher wrote of pages that are gone: ``withdrawn.yaml`` says why, ``renamed.yaml`` where to.

Does: read both strictly, every address in the one spelling of a page's path. Does not: know which pages there
are, or were; `site_src.editions.withdrawn` holds both lists against them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from metrics_core import yaml_strict
from metrics_core.errors import ConfigError
from metrics_core.problem import quoted
from metrics_core.stamps import is_day
from metrics_core.yaml_strict import Document

WITHDRAWN = "withdrawn.yaml"
RENAMED = "renamed.yaml"
_PATH = re.compile(r"(?:[a-z0-9][a-z0-9_-]*/)*[a-z0-9][a-z0-9_-]*\.html")
"""No folder of pages has a full stop in its name: ``assets/site.css/`` would lie in a file of the site."""
_KEYS = ("path", "date", "why")


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
        ConfigError: ``name:line``, what was expected and what stood there.
        FormatError: It is not plain YAML.
    """
    document = yaml_strict.parse(data, name)
    rows = document.value or []
    if not isinstance(rows, list):
        raise ConfigError("expected a list of path, date and why", where=f"{name}:1")
    found: dict[str, Withdrawn] = {}
    for at, row in enumerate(rows):
        made = _withdrawn(row, at, document)
        if made.path in found:
            raise ConfigError(f"{made.path} is withdrawn twice", where=made.where)
        found[made.path] = made
    return tuple(found.values())


def _withdrawn(row: object, at: int, document: Document) -> Withdrawn:
    where = document.where(at)
    if not isinstance(row, dict) or set(row) != set(_KEYS):
        raise ConfigError(f"expected path, date and why, got {quoted(row)}", where=where)
    for key in _KEYS:
        if not isinstance(row[key], str) or not row[key].strip():
            raise ConfigError(f"expected text, got {quoted(row[key])}", where=document.where(at, key))
    if not is_day(row["date"]):
        raise ConfigError(
            f"expected a date as YYYY-MM-DD, got {quoted(row['date'])}", where=document.where(at, "date")
        )
    path = page_path(row["path"], document.where(at, "path"))
    return Withdrawn(path, row["date"], " ".join(row["why"].split()), where)


def read_renamed(data: bytes, name: str = RENAMED) -> tuple[Renamed, ...]:
    """The new names, one for each page that has one.

    Args:
        data: YAML, a mapping of old addresses to new ones; nothing at all is no new name.
        name: Its name, for errors.

    Raises:
        ConfigError: ``name:line``, what was expected and what stood there.
        FormatError: It is not plain YAML.
    """
    document = yaml_strict.parse(data, name)
    rows = document.value or {}
    if not isinstance(rows, dict):
        raise ConfigError("expected a mapping of old addresses to new ones", where=f"{name}:1")
    found: dict[str, Renamed] = {}
    for old, new in rows.items():
        where = document.where(old)
        if not isinstance(new, str):
            raise ConfigError(f"expected the new address, got {quoted(new)}", where=where)
        made = Renamed(page_path(old, where), page_path(new, where), where)
        if made.old in found:
            raise ConfigError(f"{made.old} is renamed twice", where=where)
        found[made.old] = made
    return tuple(found.values())
