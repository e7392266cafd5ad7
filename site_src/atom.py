"""An Atom feed as XML (RFC 4287), from entries that hold text only.

Does: give the feed and each entry a name that never changes, and make hidden characters visible, since XML
has no room for most of them. With `site.url`, names are addresses and links are whole. Without it, names are
UUIDs of the page's path and a seed, links are relative to the feed, and the feed does not say where it lies.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from metrics_core.text import visible
from site_src import paths
from site_src.site_config import SiteConfig

ATOM = "http://www.w3.org/2005/Atom"
NEVER = "1970-01-01T00:00:00Z"
"""When a feed without a single entry was changed last; the format asks for a date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry: its page, what tells it from others of that page, its date, title and text."""

    path: str
    mark: str = ""
    updated: str
    title: str
    text: str


def newest_first(entry: Entry) -> tuple[float, str, str]:
    """Sorts entries by their dates, the newest first."""
    return (-dt.datetime.fromisoformat(entry.updated).timestamp(), entry.path, entry.mark)


def moment(stamp: str) -> str | None:
    """A day or a stamp as RFC 3339 has it, in UTC; None for what is neither.

    >>> moment("2026-07-20"), moment("2026-07-20T10:00:00+02:00"), moment("soon")
    ('2026-07-20T00:00:00Z', '2026-07-20T08:00:00Z', None)
    """
    try:
        found = dt.datetime.fromisoformat(stamp)
        known = found if found.tzinfo else found.replace(tzinfo=dt.UTC)
        utc = known.astimezone(dt.UTC).replace(microsecond=0, tzinfo=None)
    except (ValueError, OverflowError):
        return None
    return f"{utc.isoformat()}Z"


def document(entries: Sequence[Entry], site: SiteConfig, seed: str) -> bytes:
    """The feed's file.

    Args:
        entries: Newest first.
        site: Whose title, language and address it bears.
        seed: What names are made from where the site has no address: it must never change.
    """
    root = ET.Element("feed", {"xmlns": ATOM, "xml:lang": site.language})
    _add(root, "id", _name(site, seed, paths.FEED))
    _add(root, "title", f"{site.title}: {site.subtitle}" if site.subtitle else site.title)
    if site.description:
        _add(root, "subtitle", site.description)
    _add(root, "updated", max((entry.updated for entry in entries), default=NEVER))
    _add(ET.SubElement(root, "author"), "name", site.title)
    if site.url:
        ET.SubElement(root, "link", {"rel": "self", "href": site.url + paths.FEED})
    _link(root, _address(site, paths.OVERVIEW))
    for entry in entries:
        _entry(root, entry, site, seed)
    ET.indent(root, " ")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'.encode()


def _entry(root: ET.Element, entry: Entry, site: SiteConfig, seed: str) -> None:
    element = ET.SubElement(root, "entry")
    _add(element, "id", _name(site, seed, entry.path, entry.mark))
    _add(element, "title", entry.title)
    _add(element, "updated", entry.updated)
    _link(element, _address(site, entry.path))
    content = ET.SubElement(element, "content", {"type": "text"})
    content.text = visible(entry.text)


def _link(parent: ET.Element, href: str) -> None:
    ET.SubElement(parent, "link", {"rel": "alternate", "type": "text/html", "href": href})


def _add(parent: ET.Element, tag: str, text: str) -> None:
    ET.SubElement(parent, tag).text = " ".join(visible(text).split())


def _address(site: SiteConfig, path: str) -> str:
    """A page's address: whole, or relative to the feed where the site's own is not known."""
    return site.url + path.removesuffix("index.html") if site.url else path


def _name(site: SiteConfig, seed: str, path: str, mark: str = "") -> str:
    """A name that stays: the address, or a UUID where there is no address.

    >>> _name(SiteConfig(url="https://example.org/evals/"), "", "editions/index.html", "edition-2")
    'https://example.org/evals/editions/#edition-2'
    """
    if site.url:
        return _address(site, path) + (f"#{mark}" if mark else "")
    return f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'assay:{seed}/{path}#{mark}')}"
