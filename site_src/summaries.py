"""What the command line says when it is done: a build, a verification, in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from site_src.console import safe

if TYPE_CHECKING:
    from site_src.pipeline import Built
    from site_src.verify import Verification

LISTED = 20
"""Mismatches of one sort that a terminal is shown; the rest are counted."""


def of_build(built: Built, output: str, seconds: float) -> str:
    """One sentence: pages, figures, records, invalid, withheld, time, and the site's digest."""
    paths = [path for path, _, _ in built.manifest.files]
    pages = sum(path.endswith(".html") for path in paths)
    figures = sum(path.startswith("data/figures/") and path.endswith(".csv") for path in paths)
    withheld = sum(e.withheld is not None for r in built.reports for e in r.estimates)
    experiments = f"{len(built.reports)} experiment{'' if len(built.reports) == 1 else 's'}"
    return (
        f"{output}: {pages} pages, {figures} figures, {experiments}, "
        f"{sum(r.records for r in built.reports)} records, "
        f"{sum(len(r.problems) for r in built.reports)} invalid, "
        f"{withheld} estimates withheld, {seconds:.1f} s\nmanifest {built.manifest.digest}"
    )


def of_verification(found: Verification) -> str:
    """The table of a verification: what was checked, how many, and the first mismatches of each sort."""
    lines = [
        f"  {row.checked:>7}  {row.what}: {'holds' if not row.faults else f'{len(row.faults)} faults'}"
        for row in found.rows
    ]
    faults = []
    for row in found.rows:
        faults += [f"  {fault}" for fault in row.faults[:LISTED]]
        if len(row.faults) > LISTED:
            faults.append(f"  and {len(row.faults) - LISTED} more of {row.what}; --json lists them all")
    return "\n".join(safe(line) for line in (*lines, *faults, "", *found.verdict))
