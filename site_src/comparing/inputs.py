"""What a command line names as one side of a comparison: a folder, a file, standard input or a built site.

Does: load and measure it; a built site is laid out again from what it publishes, and its contracts run in a
cage or not at all. Does not: write, or compare.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

import metrics_core as mc
from metrics_core.comparison import MeasuredExperiment, measured
from metrics_core.errors import InputError
from metrics_core.experiments import Address, Experiment, Place, read_price_table
from metrics_core.pricing import PriceTable
from metrics_core.redaction import Redactor
from metrics_core.suggestions import listed_some, nearest
from site_src.project import told_of
from site_src.publishing import MANIFEST, PublishedSite, gates, raw_data, read_manifest
from site_src.verification import only_caged

IN_SITE = "#"
"""Between a built site and the name of one of its experiments."""


class SideReading(Struct, frozen=True, kw_only=True):
    """How what is named is read.

    Attributes:
        redactor: Takes secrets out of whatever is read.
        settings: What the flags of a command line add to an experiment's own.
        slices: Further keys that runs are looked at by.
    """

    redactor: Redactor
    settings: Mapping[str, Any]
    slices: tuple[str, ...] = ()


@contextmanager
def sides(
    paths: Sequence[Place], names: Sequence[str], reading: SideReading
) -> Iterator[tuple[MeasuredExperiment, ...]]:
    """What each path names, measured, for as long as the context lasts.

    Args:
        paths: Folders, files, addresses of either, or built sites on a disk; a site of several experiments
            with ``#NAME`` behind it.
        names: What each is called.
        reading: How they are read.

    Raises:
        InputError: One is not there, or holds nothing that is read, or several experiments.
    """
    with tempfile.TemporaryDirectory(prefix="assay-") as scratch:
        found = []
        for number, (path, name) in enumerate(zip(paths, names, strict=True)):
            experiment, tables = _loaded(path, Path(scratch) / str(number), reading)
            with told_of(path):
                side = measured(name, experiment, tables, slices=reading.slices)
            gates.refuse_unusable(side.report)
            found.append(side)
        yield tuple(found)


def _loaded(path: Place, scratch: Path, reading: SideReading) -> tuple[Experiment, tuple[PriceTable, ...]]:
    if isinstance(path, Address):
        with told_of(path):
            return mc.load(path, redactor=reading.redactor, settings=reading.settings), ()
    name, _, wanted = path.name.partition(IN_SITE)
    folder = path if path.exists() else path.with_name(name or ".")
    if (folder / MANIFEST).is_file() and (folder / "site.json").is_file():
        return _of_site(folder, "" if path.exists() else wanted, scratch)
    with told_of(path):
        return mc.load(path, redactor=reading.redactor, settings=reading.settings), ()


def _of_site(folder: Path, wanted: str, scratch: Path) -> tuple[Experiment, tuple[PriceTable, ...]]:
    """An experiment of a built site, as the site publishes it."""
    site = PublishedSite(folder, read_manifest(folder))
    scratch.mkdir()
    laid = {each.experiment: each.folder for each in raw_data.lay_out(site, scratch)}
    if wanted and wanted not in laid:
        raise InputError(f"has no experiment {wanted!r}", where=folder.name, hint=nearest(wanted, laid))
    if not wanted and len(laid) != 1:
        how = f"{folder.name}{IN_SITE}NAME, with NAME one of: {listed_some(laid)}"
        raise InputError(f"holds {len(laid)} experiments", where=folder.name, hint=how)
    chosen = laid[wanted or next(iter(laid))]
    tables = tuple(read_price_table(data, name) for name, data in raw_data.price_sources(site))
    return only_caged(mc.load(chosen, redactor=Redactor())), tables
