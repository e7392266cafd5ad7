"""What a host asks of a site, and whether its links hold: the last look before a publication leaves.

Does: give the files that hosts of static sites read, and follow every link of every page. Does not: ask the
network; a link to another site is the author's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Final
from urllib.parse import unquote, urlsplit

from metrics_core.errors import PublishError
from metrics_core.text import many
from site_src import link_policy
from site_src.project import SiteFile
from site_src.publishing.kept_files import UNLISTED, is_kept

CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'"
)
"""What each page allows itself in its head; a header adds that nobody frames it."""

NO_JEKYLL: Final = SiteFile(".nojekyll", b"")
"""Has GitHub Pages serve the files as they are."""

HEADERS: Final = SiteFile(
    "_headers",
    (
        f"/*\n  Content-Security-Policy: {CSP}; frame-ancestors 'none'\n"
        "  X-Content-Type-Options: nosniff\n  Referrer-Policy: no-referrer\n"
    ).encode(),
)
"""Headers in the form that Netlify and Cloudflare Pages read; other hosts pass it over."""

NAMED: Final = 5
"""Broken links that a message names; the rest are counted."""

_LINK = re.compile(rb"""<(?:a|link|script|img|source|iframe)\b[^>]*?\s(?:href|src)="([^"]*)\"""")
_ID = re.compile(rb"""\sid="([^"]*)\"""")


def linked(files: Iterable[SiteFile], keep: Iterable[str] = ()) -> Iterator[SiteFile]:
    """Pass files on, and refuse the last where a link of a page leads nowhere within the site.

    Args:
        files: Every file of a site.
        keep: Patterns of files that are carried over, to which a page may link as well.

    Raises:
        PublishError: After the last file: links lead nowhere, or where none may; the first are named.

    >>> page = SiteFile("a.html", b'<a id="x" href="b.html">b</a> <a href="#x">x</a>')
    >>> len(list(linked([page, SiteFile("b.html", b"")])))
    2
    >>> list(linked([page]))
    Traceback (most recent call last):
    ...
    metrics_core.errors.PublishError: publication: 1 link leads nowhere: a.html -> b.html (...)
    """
    there: set[str] = set(UNLISTED)
    ids: dict[str, frozenset[str]] = {}
    wanted: dict[tuple[str, str, str], None] = {}
    broken = []
    for file in files:
        there.add(file.path)
        if file.path.endswith(".html"):
            ids[file.path] = frozenset(unescape(found.decode()) for found in _ID.findall(file.data))
            for link in dict.fromkeys(unescape(found.decode()) for found in _LINK.findall(file.data)):
                if refused := link_policy.refusal(link):
                    broken.append(f"{file.path}: {refused}")
                elif (to := _within(file.path, link)) is not None:
                    wanted[file.path, *to] = None
        yield file
    patterns = tuple(keep)
    broken += [
        f"{page} -> {path}" + (f"#{mark}" if mark else "")
        for page, path, mark in wanted
        if (path not in there and not is_kept(path, patterns))
        or (mark and path in ids and mark not in ids[path])
    ]
    if broken:
        more = f", and {len(broken) - NAMED} more" if len(broken) > NAMED else ""
        raise PublishError(
            f"{many(len(broken), 'link')} lead{'s' if len(broken) == 1 else ''} nowhere: "
            f"{', '.join(broken[:NAMED])}{more}",
            where="publication",
            hint="nothing was published",
        )


def _within(page: str, link: str) -> tuple[str, str] | None:
    """The file and the place in it that a link of a page leads to; None for another site.

    A list's filter (``#?model=alpha``) is no place.
    """
    to = urlsplit(link)
    if to.scheme or to.netloc:
        return None
    path, mark = unquote(to.path), "" if to.fragment.startswith("?") else unquote(to.fragment)
    parts = page.split("/")[:-1] if path else page.split("/")
    for part in path.split("/") if path else ():
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    whole = "/".join(parts)
    return (f"{whole}/index.html".lstrip("/") if path.endswith(("/", "..")) else whole), mark
