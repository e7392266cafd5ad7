"""Files in a site's folder that no build put there: refused and named, or carried over where settings say so.

Does: tell a folder that is a site of ours from all others, find what its manifest does not list, and link
what the settings keep into the next site. Does not: keep a page, which readers would take for one of the
site's, or vouch for what is kept: no manifest lists it.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

from metrics_core.errors import PublishError
from metrics_core.text import many, visible

MANIFEST = "manifest.json"
UNLISTED = frozenset({MANIFEST, "statement.json", "statement.json.sig"})
PAGES = (".html", ".htm", ".xhtml", ".xht", ".svg")
"""Endings of what a browser shows as a page of the site: never kept."""

NAMED = 3
"""Foreign files that a message names; the rest are counted."""


def is_kept(path: str, keep: Sequence[str]) -> bool:
    """Whether a file that no build made belongs to a site all the same.

    Args:
        path: Within the site.
        keep: Patterns; ``*`` stands for any characters, slashes among them.

    >>> is_kept("CNAME", ["CNAME"]), is_kept(".well-known/security.txt", [".well-known/*"])
    (True, True)
    >>> is_kept("results.html", ["*"]), is_kept("CNAME", [])
    (False, False)
    """
    return not path.lower().endswith(PAGES) and any(fnmatchcase(path, pattern) for pattern in keep)


def is_there(site: Path) -> bool:
    """Whether anything stands at a place, a link included; a disk that cannot tell is no answer.

    Raises:
        OSError: The disk refuses.
    """
    try:
        site.lstat()
    except FileNotFoundError:
        return False
    return True


def refuse_foreign(site: Path, keep: Sequence[str]) -> None:
    """Refuse a folder that a site cannot take the place of without something of somebody's being lost.

    Args:
        site: Where the site will stand; it need not be there.
        keep: Patterns of files that are carried over.

    Raises:
        PublishError: It is no site of ours, or holds what no build put there; each such file is named, or
            counted beyond the first.
        OSError: The disk refuses.
    """
    if not is_there(site):
        return
    where = visible(site.name, escaped=True) or str(site)
    if site.is_symlink() or not site.is_dir():
        raise _no_site(where)
    listed = _listed(site)
    found = list(_files(site))
    if found and not listed:
        raise _no_site(where)
    unmade = [path for path in found if path not in listed and path not in UNLISTED]
    foreign = [path for path in unmade if not is_kept(path, keep) or (site / path).is_symlink()]
    if foreign:
        names = ", ".join(visible(path, escaped=True) for path in foreign[:NAMED])
        more = f" and {len(foreign) - NAMED} more" if len(foreign) > NAMED else ""
        raise PublishError(
            f"holds {many(len(foreign), 'file')} that no build put there, which would be lost: {names}{more}",
            where=where,
            hint="move them elsewhere, or list them under keep: in site.yaml, which carries over what is no "
            "page; the earlier site was left as it was",
        )


def carry_over(site: Path, draft: Path, keep: Sequence[str]) -> None:
    """Link the files that are kept into a new site, before it takes the place of the earlier one.

    Args:
        site: The earlier site; it need not be there.
        draft: The new one.
        keep: Patterns.

    Raises:
        PublishError: Something came to the earlier site that is not kept, or a kept file is one that the new
            site has itself.
        OSError: The disk refuses.
    """
    refuse_foreign(site, keep)
    if not is_there(site):
        return
    listed = _listed(site)
    for path in _files(site):
        if path in listed or path in UNLISTED:
            continue
        to = draft / path
        if os.path.lexists(to):
            raise PublishError(
                "is kept by the settings, and the site has a file of this name itself",
                where=visible(path, escaped=True),
                hint="rename it, or take it out of keep: in site.yaml; the earlier site was left as it was",
            )
        to.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(site / path, to)  # the same file, with its mode and whatever is written to it meanwhile
        except OSError:  # not every disk has links
            shutil.copy2(site / path, to)


def _no_site(where: str) -> PublishError:
    return PublishError(
        "exists and is not a site that this program built",
        where=where,
        hint="choose an empty or new folder: nothing is overwritten",
    )


def _listed(site: Path) -> frozenset[str]:
    """Paths of a site's manifest; none where it is none of ours: web applications have one of that name."""
    try:
        found = json.loads((site / MANIFEST).read_bytes())
        if str(found["schema"]).startswith("assay.manifest/"):
            return frozenset((MANIFEST, *(str(row["path"]) for row in found["files"])))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass
    return frozenset()


def _files(site: Path) -> Iterator[str]:
    """Whatever is no folder in a site's folder, in order; a folder that is a link is one of them."""
    waiting = [(str(site), "")]
    while waiting:
        place, prefix = waiting.pop()
        files, folders = list[str](), list[str]()
        with suppress(OSError), os.scandir(place) as entries:
            for entry in entries:
                (folders if entry.is_dir(follow_symlinks=False) else files).append(entry.name)
        yield from (prefix + name for name in sorted(files))
        waiting += [(f"{place}/{name}", f"{prefix}{name}/") for name in sorted(folders, reverse=True)]
