"""What a site is made from besides its records: kept beside them, read back, and compared with what it makes.

Does: publish settings, prose, decisions, editions and the ledger, read them back from a site, and name
every file that is not what they make. Does not: recompute (`site_src.verification.verify` does, before), or
say that the records are true.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from metrics_core.errors import InputError
from metrics_core.text import visible
from site_src.project import Authored, ContentFile, SiteConfig, SiteFile, WithheldExperiment
from site_src.publishing.downloads import pretty
from site_src.publishing.kept_files import UNLISTED, is_kept

INPUTS = "data/inputs.json"
SCHEMA = "assay.inputs/1"
DECISIONS, EDITIONS, LEDGER = "data/decisions", "data/editions", "data/contracts.lock"
SHOWN = 40
"""Characters that are quoted where two files part."""


def public(config: SiteConfig) -> SiteConfig:
    """Settings without those that only say where the inputs lay on the builder's disk."""
    return structs.replace(config, experiments=(), pricing=())


def inputs(
    config: SiteConfig, authored: Sequence[Authored], withheld: Sequence[WithheldExperiment] = ()
) -> SiteFile:
    """What a site is made from besides its records and price tables."""
    left_out = {"withheld": [asdict(each) for each in withheld]} if withheld else {}
    pages = [{**asdict(page), "pictures": [name for name, _ in page.pictures]} for page in authored]
    return SiteFile(
        INPUTS,
        pretty({"schema": SCHEMA, "site": msgspec.to_builtins(public(config)), "pages": pages, **left_out}),
    )


def content_files(
    decisions: Sequence[ContentFile], editions: Sequence[ContentFile], ledger: bytes | None
) -> Iterator[SiteFile]:
    """Decisions, editions and the ledger, as they stand in the content folder."""
    yield from (SiteFile(f"{DECISIONS}/{name}", data) for name, data in decisions)
    yield from (SiteFile(f"{EDITIONS}/{name}", data) for name, data in editions)
    if ledger is not None:
        yield SiteFile(LEDGER, ledger)


def read_content_files(site: Path) -> dict[str, Any]:
    """Decisions, editions and ledger of a published site, by their names in `site_src.project.Sources`."""
    ledger = site / LEDGER
    return {
        "decisions": tuple((p.name, p.read_bytes()) for p in sorted((site / DECISIONS).glob("*.md"))),
        "editions": tuple(
            (p.name, p.read_bytes())
            for p in sorted((site / EDITIONS).glob("*"))
            if p.suffix in (".json", ".yaml")
        ),
        "ledger": ledger.read_bytes() if ledger.is_file() else None,
    }


def read(site: Path) -> tuple[SiteConfig, tuple[Authored, ...]]:
    """Settings and prose of a published site.

    Raises:
        InputError: They are not there, or not what a site keeps.
    """
    try:
        document = json.loads((site / INPUTS).read_bytes())
        config = public(msgspec.convert(document["site"], SiteConfig))
        return config, tuple(_authored(site, page) for page in document["pages"])
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as bad:
        raise InputError(f"not what a site keeps of its settings and prose: {bad}", where=INPUTS) from bad


def read_withheld(site: Path) -> tuple[WithheldExperiment, ...]:
    """Experiments that a published site says it could not show.

    Raises:
        InputError: What it keeps of them is not what a site keeps.
    """
    try:
        rows = json.loads((site / INPUTS).read_bytes()).get("withheld", [])
        return tuple(WithheldExperiment(**{key: str(row[key]) for key in row}) for row in rows)
    except (OSError, ValueError, TypeError, AttributeError) as bad:
        raise InputError(f"not what a site keeps of what it withholds: {bad}", where=INPUTS) from bad


def _authored(site: Path, page: dict[str, Any]) -> Authored:
    pictures = tuple((name, (site / name).read_bytes()) for name in page["pictures"] if _inside(name))
    heads = tuple((where, words) for where, words in page["heads"])
    return Authored(**{**page, "pictures": pictures, "heads": heads})


def _inside(name: str) -> bool:
    return not name.startswith("/") and ".." not in name.split("/")


def faults(site: Path, files: Iterator[SiteFile], keep: Sequence[str] = ()) -> Iterator[str]:
    """Every file of a site that differs from what its inputs make, and every one that nothing makes.

    Args:
        site: A published site.
        files: The same site, made from its inputs.
        keep: Patterns of files that its settings keep though nothing makes them.
    """
    paths = set()
    for file in files:
        paths.add(file.path)
        path = site / file.path
        published = path.read_bytes() if path.is_file() else None
        if published is None:
            yield f"{file.path}: is missing"
        elif published != file.data:
            yield f"{file.path}: {parting(published, file.data)}"
    for path in sorted(site.rglob("*")):
        name = path.relative_to(site).as_posix()
        if path.is_file() and name not in {*paths, *UNLISTED} and not is_kept(name, keep):
            yield f"{name}: nothing in the published inputs makes it"


def parting(published: bytes, again: bytes) -> str:
    """Where two files part, in words.

    >>> parting(b"mean 0.99 of 8", b"mean 0.50 of 8")
    "says 'mean 0.99 of 8', where its inputs make 'mean 0.50 of 8'"
    """
    same = next((at for at, (a, b) in enumerate(zip(published, again, strict=False)) if a != b), None)
    start = max(0, (min(len(published), len(again)) if same is None else same) - SHOWN // 4)
    ends = (side[start : start + SHOWN] for side in (published, again))
    before, after = (visible(end.decode("utf-8", "replace"), escaped=True) for end in ends)
    return f"says {before!r}, where its inputs make {after!r}"
