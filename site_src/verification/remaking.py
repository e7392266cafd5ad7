"""Every file of a site made again from what the site publishes, and held against the published one.

What names the machine that built the site (its Python, its packages) is read, told, and not compared: anyone
can check a site, under any Python that runs the program.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct, field

from metrics_core.formats import strict_json
from metrics_core.text import visible
from site_src import pipeline
from site_src.project import SiteFile, Sources, pretty
from site_src.publishing import Progress, PublishedSite, downloads, published_inputs, shown
from site_src.verification import recomputation
from site_src.verification.findings import Check
from site_src.verification.recomputation import MeasuredAgain

WHAT = "files made again from the published inputs"
QUOTED = 40
"""Characters that are quoted where two files part."""
_VERSION = re.compile(r"[A-Za-z0-9._+ -]{1,64}")


class Remaking(Struct):
    """What making a site again found.

    Attributes:
        check: Mismatches, and what was not made again.
        built_with: What the site says of the machine that built it: Python and packages, by name.
    """

    check: Check
    built_with: dict[str, str] = field(default_factory=dict)


def remake(
    site: PublishedSite,
    measured: Sequence[MeasuredAgain],
    another: str | None,
    progress: Progress,
) -> Remaking:
    """Make every file of a site again, and compare it with the published one.

    Args:
        site: To be checked.
        measured: Its experiments with the reports that its records give.
        another: The version that built the site, where it is not this one: then a file that differs is not
            refuted, and is named as not checked.
        progress: Called with how far it has come.
    """
    ordered = sorted(measured, key=lambda each: each.experiment.slug)
    config, authored = published_inputs.read(site)
    sources = Sources(
        config=config,
        authored=authored,
        tables=recomputation.tables(site),
        experiments=tuple(each.experiment for each in ordered),
        withheld=published_inputs.read_withheld(site),
        recompute={each.experiment.slug: each.recompute for each in ordered},
        **published_inputs.read_content_files(site),
    )
    built_with: dict[str, str] = {}
    files = pipeline.model(sources, [each.report for each in ordered]).files(progress)
    differing = tuple(differences(site, files, built_with))
    checked = len(site.paths)
    if another is None:
        return Remaking(Check(WHAT, checked, differing), built_with)
    named = tuple(f"{each} (built by {another})" for each in differing)
    return Remaking(Check(WHAT, checked - len(differing), (), named), built_with)


def differences(site: PublishedSite, files: Iterable[SiteFile], built_with: dict[str, str]) -> Iterator[str]:
    """Every file of a site that differs from what its inputs make, and every one that nothing makes.

    Args:
        site: A published site.
        files: The same site, made from its inputs.
        built_with: What the site says of the machine that built it is added to this.
    """
    made = set()
    for file in files:
        made.add(file.path)
        if file.path not in site:
            yield f"{file.path}: is missing"
            continue
        published = site.read(file.path)
        if published != file.data and not _same_but_for_machine(file, published, built_with):
            yield f"{file.path}: {parting(published, file.data)}"
    for path in site.paths:
        if path not in made:
            yield f"{shown(path)}: nothing in the published inputs makes it"


def _same_but_for_machine(file: SiteFile, published: bytes, built_with: dict[str, str]) -> bool:
    if file.path.startswith(f"{downloads.SCORE_REPORTS}/"):
        return _same_score_report(published, file.data, built_with)
    if file.path.startswith(f"{downloads.TABLES}/") and file.path.endswith(".parquet"):
        return _same_table(published, file.data, built_with)
    return False


def _same_score_report(published: bytes, again: bytes, built_with: dict[str, str]) -> bool:
    """Whether two score reports differ in their environment alone, and that is one of short plain names."""
    try:
        then, now = strict_json.decode(published), strict_json.decode(again)
        if pretty({**now, "env": then["env"]}) != published:
            return False
        names = _environment(then["env"])
    except (ValueError, TypeError, KeyError, AttributeError):
        return False
    if names is None or then["env"].keys() != now["env"].keys():
        return False
    built_with |= names
    return True


def _environment(env: dict[str, Any]) -> dict[str, str] | None:
    """Names and versions in an environment; None where it holds anything else."""
    flat = {**{key: value for key, value in env.items() if key != "packages"}, **env["packages"]}
    plain = all(isinstance(text, str) and _VERSION.fullmatch(text) for pair in flat.items() for text in pair)
    return flat if plain else None


def _same_table(published: bytes, again: bytes, built_with: dict[str, str]) -> bool:
    """Whether two Parquet files of different writers hold one table."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        then, now = (parquet.ParquetFile(io.BytesIO(data)) for data in (published, again))
        writers = [str(each.metadata.created_by) for each in (then, now)]
        if writers[0] == writers[1] or not _VERSION.fullmatch(writers[0]):
            return False
        if then.metadata.num_rows != now.metadata.num_rows or _unpacked(then) > 2 * _unpacked(now) + (
            1 << 20
        ):
            return False
        if not then.schema_arrow.equals(now.schema_arrow, check_metadata=True):
            return False
        if not then.read().equals(now.read()):
            return False
    except (pa.ArrowException, OSError, ValueError, KeyError):
        return False
    built_with["tables written by"] = writers[0]
    return True


def _unpacked(file: Any) -> int:
    groups = (file.metadata.row_group(at) for at in range(file.metadata.num_row_groups))
    return sum(
        group.column(at).total_uncompressed_size for group in groups for at in range(group.num_columns)
    )


def parting(published: bytes, again: bytes) -> str:
    """Where two files part, in words.

    >>> parting(b"mean 0.99 of 8", b"mean 0.50 of 8")
    "says 'mean 0.99 of 8', where its inputs make 'mean 0.50 of 8'"
    """
    same = next((at for at, (a, b) in enumerate(zip(published, again, strict=False)) if a != b), None)
    start = max(0, (min(len(published), len(again)) if same is None else same) - QUOTED // 4)
    ends = (side[start : start + QUOTED] for side in (published, again))
    before, after = (visible(end.decode("utf-8", "replace"), escaped=True) for end in ends)
    return f"says {before!r}, where its inputs make {after!r}"
