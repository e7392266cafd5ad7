"""The records themselves, as the site publishes them, and the way back from a site to experiment folders.

Every file of an experiment that was read is offered as published (redacted where a secret stood), under a
safe name; what nothing read is named, and laid out empty again, since a name alone may tell something;
``files.json`` keeps its own path, so that anyone can lay the folder out again and recompute. Nothing is
ever served as HTML or SVG.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes, unquote_to_bytes

from msgspec import Struct, field

from metrics_core.errors import InputError
from metrics_core.experiments import Experiment
from metrics_core.pricing import PriceTable
from metrics_core.results import Problem
from site_src import paths
from site_src.project import RawFile, Recompute, SiteFile, pretty
from site_src.publishing.published_site import PublishedSite, shown

INDEX = "files.json"
PRICING = "data/pricing"
KEPT = frozenset(
    {"jsonl", "json", "yaml", "yml", "csv", "md", "py", "txt", "gz", "zst", "parquet", "sums", "sha256"}
)
"""Endings that a published file keeps; everything else is offered as text or as bytes."""


def at(experiment: str, path: str) -> str:
    """Where a file of an experiment lies in the site.

    >>> at("gh-2026", "traces/alpha.jsonl")
    'data/experiments/gh-2026/traces-alpha-587af729.jsonl'
    >>> at("gh-2026", "../<b>.html")
    'data/experiments/gh-2026/b-e95b8257.txt'
    """
    stem, _, ending = path.rpartition(".")
    spelled = ending.lower() if stem and ending.lower() in KEPT else "txt"
    plain = paths.slug(stem or path).removesuffix(f"-{paths.digest8(stem or path)}")
    return f"data/experiments/{paths.slug(experiment)}/{plain}-{paths.digest8(path)}.{spelled}"


def raw_files(experiment: Experiment) -> tuple[RawFile, ...]:
    """Every file of an experiment as the site publishes it, by path."""
    read = {path for found in experiment.families.values() for path in found}
    return tuple(
        RawFile(
            path=f.published,
            size=f.size,
            sha256=f.sha256,
            at=at(experiment.slug, f.published),
            holds_records=f.path in read,
        )
        for f in experiment.digests.files
    )


def unread_files(experiment: Experiment) -> tuple[str, ...]:
    """Names of the files of an experiment that nothing read, safe to print."""
    return tuple(experiment.published_name(path) for path in experiment.unread)


def files(experiment: Experiment, recompute: Recompute) -> Iterator[SiteFile]:
    """The files themselves, and their index.

    Args:
        experiment: Whose files.
        recompute: What computes it again, which the index keeps.
    """
    rows = []
    for sealed in experiment.digests.files:
        place = at(experiment.slug, sealed.published)
        rows.append(
            {"path": _spelled(sealed.published), "at": place, "sha256": sealed.sha256, "size": sealed.size}
        )
        yield SiteFile(place, experiment.published(sealed), screened=True)
    yield SiteFile(
        f"data/experiments/{paths.slug(experiment.slug)}/{INDEX}",
        pretty(
            {
                "schema": "assay.files/1",
                "experiment": experiment.slug,
                "folder": _spelled(experiment.name),
                "compute": {"words": list(recompute.words), "elsewhere": recompute.elsewhere},
                "data_digest": experiment.digests.data,
                "files": rows,
                "not_published": [_spelled(path) for path in experiment.unread],
                "not_read": [problem.to_json() for problem in experiment.problems],
            }
        ),
    )


def price_files(tables: list[tuple[PriceTable, bytes]]) -> Iterator[SiteFile]:
    """The site's own price tables, so that costs can be recomputed from the site alone."""
    rows = []
    for number, (table, data) in enumerate(tables):
        ending = "json" if table.name.endswith(".json") else "yaml"
        place = f"{PRICING}/{number:02}-{paths.slug(table.fetched)}.{ending}"
        rows.append({"path": table.name, "at": place})
        yield SiteFile(place, data)
    yield SiteFile(f"{PRICING}/{INDEX}", pretty({"schema": "assay.files/1", "files": rows}))


class LaidOut(Struct, frozen=True):
    """An experiment laid out again from a site: its folder, and the report that the site gives for it.

    What was no regular file (a link, a pipe) cannot be laid out; ``not_read`` names it. ``recompute`` is what
    its pages say computes it again.
    """

    folder: Path
    experiment: str
    data_digest: str
    report: dict[str, Any]
    not_read: tuple[Problem, ...] = ()
    recompute: Recompute = field(default_factory=lambda: Recompute(words=()))


def lay_out(site: PublishedSite, into: Path) -> Iterator[LaidOut]:
    """Lay every experiment of a site out again, under its own names, in a fresh folder.

    Args:
        site: A built site, downloaded or not.
        into: An empty folder.

    Raises:
        InputError: An index is not what it should be, names a path outside its folder, or names one twice.
    """
    for index in site.under("data/experiments/", f"/{INDEX}", deep=True):
        listed = _index(site, index)
        name = os.fsdecode(unquote_to_bytes(str(listed["folder"])))
        folder = into / paths.digest8(index) / _inside(name, index)
        taken: set[str] = set()
        for row in listed["files"]:
            path = _inside(os.fsdecode(unquote_to_bytes(row["path"])), index)
            for once in (f"path {path}", f"at {row['at']}"):
                if once in taken:
                    raise InputError(f"names a file twice: {shown(once)}", where=index)
                taken.add(once)
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(site.read(row["at"]))
        for path in listed.get("not_published", ()):
            target = folder / _inside(os.fsdecode(unquote_to_bytes(path)), index)
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                target.touch()
        report = site.json(paths.report(str(listed["experiment"])))
        not_read = tuple(Problem(**row) for row in listed["not_read"])
        again = listed["compute"]
        recompute = Recompute(words=tuple(map(str, again["words"])), elsewhere=str(again["elsewhere"]))
        yield LaidOut(
            folder, str(listed["experiment"]), str(listed["data_digest"]), report, not_read, recompute
        )


def price_sources(site: PublishedSite) -> list[tuple[str, bytes]]:
    """(name, bytes) of the site's own price tables.

    Raises:
        InputError: The index is not what it should be.
    """
    index = f"{PRICING}/{INDEX}"
    rows = _index(site, index)["files"] if index in site else []
    return [(row["path"], site.read(row["at"])) for row in rows]


def _index(site: PublishedSite, where: str) -> dict[str, Any]:
    listed = site.json(where)
    if not isinstance(listed, dict) or listed.get("schema") != "assay.files/1":
        raise InputError("expected an index of files (assay.files/1)", where=where)
    return listed


def _inside(path: str, where: str) -> str:
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts) or "\0" in path:
        raise InputError(f"names a path outside its folder: {path!r}", where=where)
    return path


def _spelled(path: str) -> str:
    """A path as JSON can hold it, whatever its bytes: percent-encoded."""
    return quote_from_bytes(os.fsencode(path), safe="/")
