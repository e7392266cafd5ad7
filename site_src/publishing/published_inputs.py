"""What a site is made from besides its records: kept beside them, and read back.

Does: publish settings, prose, decisions, editions and the ledger, and read them back from a site. Does not:
make the site of them again (`site_src.verification.remaking`), or say that the records are true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import structs
from msgspec.structs import asdict

from metrics_core.errors import InputError
from site_src.project import (
    Authored,
    ContentFile,
    Registration,
    SiteConfig,
    SiteFile,
    WithheldExperiment,
    pictures,
    pretty,
)
from site_src.publishing.published_site import PublishedSite

INPUTS = "data/inputs.json"
SCHEMA = "assay.inputs/1"
DECISIONS, EDITIONS, LEDGER = "data/decisions", "data/editions", "data/contracts.lock"
REGISTRATIONS = "data/registrations.json"
REGISTRATIONS_SCHEMA = "assay.registrations/1"


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
    decisions: Sequence[ContentFile],
    editions: Sequence[ContentFile],
    ledger: bytes | None,
    registrations: Mapping[str, Registration],
) -> Iterator[SiteFile]:
    """Decisions, editions and the ledger as they stand in the content folder, and what git says of them."""
    yield from (SiteFile(f"{DECISIONS}/{name}", data) for name, data in decisions)
    yield from (SiteFile(f"{EDITIONS}/{name}", data) for name, data in editions)
    if ledger is not None:
        yield SiteFile(LEDGER, ledger)
    if registrations:
        rows = {name: asdict(known) for name, known in sorted(registrations.items())}
        yield SiteFile(REGISTRATIONS, pretty({"schema": REGISTRATIONS_SCHEMA, "decisions": rows}))


def read_content_files(site: PublishedSite) -> dict[str, Any]:
    """Decisions, editions, ledger and registrations of a site, by their names in `site_src.project.Sources`.

    Raises:
        InputError: What it keeps of registrations is not what a site keeps.
    """

    def named(folder: str, *endings: str) -> tuple[ContentFile, ...]:
        listed = (path for ending in endings for path in site.under(f"{folder}/", ending))
        return tuple((path.rpartition("/")[2], site.read(path)) for path in sorted(listed))

    return {
        "decisions": named(DECISIONS, ".md"),
        "editions": named(EDITIONS, ".json", ".yaml"),
        "ledger": site.read(LEDGER) if LEDGER in site else None,
        "registrations": _read_registrations(site) if REGISTRATIONS in site else {},
    }


def _read_registrations(site: PublishedSite) -> dict[str, Registration]:
    try:
        return msgspec.convert(site.json(REGISTRATIONS)["decisions"], dict[str, Registration])
    except (ValueError, TypeError, KeyError, AttributeError) as bad:
        raise InputError(f"not what a site keeps of its registrations: {bad}", where=REGISTRATIONS) from bad


def read(site: PublishedSite) -> tuple[SiteConfig, tuple[Authored, ...]]:
    """Settings and prose of a published site.

    Raises:
        InputError: They are not there, or not what a site keeps.
    """
    try:
        document = site.json(INPUTS)
        config = public(msgspec.convert(document["site"], SiteConfig))
        return config, tuple(_authored(site, page) for page in document["pages"])
    except (ValueError, TypeError, KeyError, AttributeError) as bad:
        raise InputError(f"not what a site keeps of its settings and prose: {bad}", where=INPUTS) from bad


def read_withheld(site: PublishedSite) -> tuple[WithheldExperiment, ...]:
    """Experiments that a published site says it could not show.

    Raises:
        InputError: What it keeps of them is not what a site keeps.
    """
    try:
        rows = site.json(INPUTS).get("withheld", [])
        return tuple(WithheldExperiment(**{key: str(row[key]) for key in row}) for row in rows)
    except (ValueError, TypeError, AttributeError) as bad:
        raise InputError(f"not what a site keeps of what it withholds: {bad}", where=INPUTS) from bad


def _authored(site: PublishedSite, page: dict[str, Any]) -> Authored:
    shown = tuple((name, site.read(name)) for name in page["pictures"])
    for name, data in shown:
        pictures.check(name, data, INPUTS)
    heads = tuple((where, words) for where, words in page["heads"])
    return Authored(**{**page, "pictures": shown, "heads": heads})
