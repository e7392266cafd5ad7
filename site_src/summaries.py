"""What the command line says when it is done: a build, a report, a verification, in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.report import Report
from metrics_core.text import visible
from site_src import captions
from site_src.views.comparisons import verdict_words

NO_BREAK = "\u00a0"

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


def of_report(report: Report) -> str:
    """A report for a terminal: controls, then each estimate of the whole experiment and each model."""
    lines = [f"{report.experiment}  data {report.data_digest}", ""]
    lines += [f"  {c.state:<14} {c.title}: {c.detail}" for c in report.controls]
    lines.append("")
    for e in report.estimates:
        if e.metric != "stage" and {k for k, _ in e.group} <= {"model"}:
            who = dict(e.group).get("model", "all")
            stratum = ", ".join(f"{k} {v}" for k, v in e.stratum)
            told = "".join(part.text for part in captions.clause(e)).replace(NO_BREAK, " ")
            lines.append(f"  {who:<20} {stratum}: {told}")
    compared = [c for c in report.comparisons if not c.group]
    lines += [f"  {c.a} and {c.b} on {c.metric}: {verdict_words(c)}" for c in compared]
    lines += [
        "",
        *(f"  invalid: {p}" for p in report.problems),
        *(f"  finding: {p}" for p in report.findings),
    ]
    return visible_lines(lines)


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
    return visible_lines([*lines, *faults, "", *found.verdict])


def visible_lines(lines: list[str]) -> str:
    r"""Lines of text in which no control character is left.

    >>> visible_lines(["a\x1b[2J", "b"])
    'a\\u001b[2J\nb'
    """
    return "\n".join(visible(line, escaped=True) for line in lines)
