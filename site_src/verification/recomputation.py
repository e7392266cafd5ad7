"""Every report measured again from the published records, and held against the published one.

A number that another version of the program computes otherwise is not refuted by that: where the site was
built by another version, and an instrument's source is another here, what differs was not checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

import metrics_core as mc
from metrics_core.contracts import UncagedError
from metrics_core.errors import AssayError
from metrics_core.experiments import Experiment, read_price_table
from metrics_core.pricing import PriceTable
from metrics_core.redaction import Redactor
from metrics_core.results import Report
from site_src import paths
from site_src.project import Recompute, report_file
from site_src.publishing import Progress, PublishedSite, downloads, raw_data, shown
from site_src.verification import published_code
from site_src.verification.findings import Check

WHAT = "reports recomputed from the published records"
PARTS = ("estimates", "comparisons", "controls", "costs", "problems", "findings")


class MeasuredAgain(Struct, frozen=True):
    """An experiment measured again, its report as built, and what its pages say computes it again."""

    experiment: Experiment
    report: Report
    recompute: Recompute


class Recomputation(Struct):
    """The experiments of a site, measured again, and what that found; ``whole`` if none was left out."""

    measured: list[MeasuredAgain] = field(default_factory=list)
    whole: bool = True
    told: tuple[str, ...] = ()
    check: Check = field(default_factory=lambda: Check(WHAT, 0))


def recompute(
    site: PublishedSite,
    scratch: Path,
    another: str | None,
    progress: Progress,
    *,
    run_contracts: bool = False,
) -> Recomputation:
    """Lay each experiment out again, measure it, and compare it with its report.

    Args:
        site: To be checked.
        scratch: An empty folder.
        another: The version that built the site, where it is not this one.
        progress: Called with how far it has come.
        run_contracts: Run its contracts, which are somebody's code, even where there is no cage for them.
    """
    faults: list[str] = []
    unchecked: list[str] = []
    found = Recomputation()
    missed = set(site.under("data/reports/", ".json"))
    checked = 0
    try:
        prices = tuple(table for table, _ in tables(site))
        for laid in raw_data.lay_out(site, scratch):
            progress("recomputing", checked, None)
            checked += 1
            missed.discard(paths.report(laid.experiment))
            experiment = replace(
                mc.load(laid.folder, redactor=Redactor()).with_snapshot(), problems=laid.not_read
            )
            if not run_contracts:
                experiment = published_code.only_caged(experiment)
            try:
                report = mc.compute(experiment, prices)
            except UncagedError as uncaged:
                checked -= 1
                found.whole = False
                unchecked.append(f"{shown(laid.experiment)}: no number of it was recomputed: {uncaged}")
                continue
            found.told += published_code.told([(report, laid.report)])
            for differs, by_version in _differences(laid, experiment, report):
                if by_version and another is not None:
                    unchecked.append(f"{differs} (built by {another})")
                else:
                    faults.append(differs)
            found.measured.append(MeasuredAgain(experiment, _as_built(report, laid.report), laid.recompute))
    except AssayError as error:
        faults.append(str(error).replace(str(scratch), ""))
    faults += [
        f"{shown(path)}: its records are not published, so it was not recomputed" for path in sorted(missed)
    ]
    faults += _gathered(site)
    found.check = replace(found.check, checked=checked, faults=tuple(faults), not_checked=tuple(unchecked))
    return found


def tables(site: PublishedSite) -> tuple[tuple[PriceTable, bytes], ...]:
    """The site's own price tables, each with the bytes that it was read from."""
    return tuple((read_price_table(data, name), data) for name, data in raw_data.price_sources(site))


def published_estimates(site: PublishedSite) -> dict[str, dict[str, Any]]:
    """The estimates that pages refer to, by id."""
    return {row["id"]: row for row in site.json(downloads.ESTIMATES)["estimates"]}


def _as_built(report: Report, published: dict[str, Any]) -> Report:
    """A report with what was known only where it was built: what was redacted, in what contracts ran."""
    redacted = tuple(sorted(published["redacted"].items()))
    report = published_code.as_built(report, published)
    return replace(report, redacted=redacted, source_digest=published["source_digest"])


def _gathered(site: PublishedSite) -> Iterator[str]:
    """The estimates that pages refer to, against the reports that they were gathered from."""
    reports = [site.json(path) for path in site.under("data/reports/", ".json")]
    reported = {row["id"]: row for report in reports for row in report["estimates"]}
    published = published_estimates(site)
    for name in sorted({*reported, *published}):
        if reported.get(name) != published.get(name):
            yield f"{downloads.ESTIMATES}: {shown(name)}: is not what its report says"


def _differences(
    laid: raw_data.LaidOut, experiment: Experiment, report: Report
) -> Iterator[tuple[str, bool]]:
    """Each mismatch, and whether another source of an instrument may be what makes it."""
    if experiment.digests.data != laid.data_digest or laid.report["data_digest"] != laid.data_digest:
        found = f"its records have {experiment.digests.data}, quoted is {shown(laid.data_digest)}"
        yield f"{shown(laid.experiment)}: {found}", False
        return
    again = json.loads(report_file(report))
    then = {(c["id"], c["version"]): c["digest"] for c in laid.report["contracts"]}
    now = {(c["id"], c["version"]): c["digest"] for c in again["contracts"]}
    another_source = {name for name in {*then, *now} if then.get(name) != now.get(name)}
    for name in sorted(another_source):
        found = f"{name[0]} v{name[1]} was {then.get(name)} when it was published and is {now.get(name)} here"
        yield f"{shown(laid.experiment)}: {shown(found)}: install the version that built the site", True
    named = {(c["id"], c["version"], c["digest"]) for c in laid.report["contracts"]}
    for row in (*laid.report["estimates"], *laid.report["comparisons"]):
        if tuple(row["contract"][key] for key in ("id", "version", "digest")) not in named:
            quotes = "quotes a contract that its report does not list"
            yield f"{shown(laid.experiment)}: {shown(row['id'])}: {quotes}", False
    for part in PARTS:
        published, recomputed = _bare(laid.report[part]), _bare(again[part])
        for row_name in _unequal(published, recomputed):
            differs = f"{laid.experiment}: {part}: {row_name}: published and recomputed differ"
            yield shown(differs), bool(another_source)


def _bare(rows: list[Any]) -> list[Any]:
    """Rows without the contract's reference, which is checked against its source on its own."""
    return [{key: value for key, value in row.items() if key != "contract"} for row in rows]


def _unequal(published: list[Any], again: list[Any]) -> Iterator[str]:
    if published == again:
        return
    then = {_name(row, i): row for i, row in enumerate(published)}
    now = {_name(row, i): row for i, row in enumerate(again)}
    if len(then) != len(published):
        yield "a row that occurs twice"
    for name in sorted({*then, *now}):
        if then.get(name) != now.get(name):
            yield name


def _name(row: dict[str, Any], place: int) -> str:
    return str(row.get("id") or row.get("model") or f"{place}")
