"""What each command does: arguments in, exit code out. The work stands in the modules it calls."""

from __future__ import annotations

import argparse
import datetime as dt
import time
from dataclasses import replace
from pathlib import Path

import metrics_core as mc
from metrics_core import importing
from metrics_core.redact import Redactor
from metrics_core.regular_files import printable
from site_src import (
    downloads,
    gate,
    leaks,
    locking,
    native_folder,
    pipeline,
    site_config,
    summaries,
    verify as verification,
)
from site_src.console import Console
from site_src.sources import Plan, price_tables, read


def build(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Measure every experiment and write the site."""
    return _build(_plan(asked, project, asked.output or project / "_site", strict=asked.strict), console)


def publish(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """A strict build, into a folder of its own."""
    plan = _plan(asked, project, asked.output or project / "_public", strict=True)
    return _build(replace(plan, publishing=True), console)


def _build(plan: Plan, console: Console) -> int:
    began = time.monotonic()
    built = pipeline.build(
        plan, console.progress, lambda: console.say("another build of this site is under way: waiting")
    )
    for note in built.notes:
        console.warn(f"note: {note}")
    console.say(summaries.of_build(built, printable(plan.output.name), time.monotonic() - began))
    return 0


def compute(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Print the report of one experiment."""
    redactor = _redactor()
    experiment = mc.load(asked.experiment, redactor=redactor)
    report = mc.compute(experiment, _prices(asked, project), family=asked.family)
    if asked.json:
        console.result(downloads.report_file(report).decode())
    else:
        console.result(summaries.of_report(report))
    gate.hold_report(report, strict=asked.strict)
    return 0


def import_results(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Write outside results as a native experiment folder."""
    found = importing.outside(asked.source, asked.format, _redactor())
    files = list(importing.native(found))
    native_folder.write(files, asked.folder)
    for problem in (problem for file in files for problem in file.problems):
        console.warn(f"note: {problem}")
    told = f"{asked.folder.name}: {sum(file.records for file in files)} records of {found.title}"
    console.say(f"{told}; problems: {sum(len(file.problems) for file in files)}")
    return 0


def check(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Say what a build would say, and write nothing."""
    plan = _plan(asked, project, project / "_site", strict=asked.strict)
    sources = read(plan)
    reports = pipeline.measure(sources, console.progress)
    notes = pipeline.hold(plan, sources, reports)
    for _ in leaks.screened(pipeline.whole(sources, reports).files(console.progress), plan.redactor):
        pass
    for note in notes:
        console.result(note)
    console.say(f"checked {len(reports)} experiments: {len(notes)} notes")
    return 0


def verify(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Check a site against itself."""
    found = verification.verify(asked.site, console.progress)
    console.result(
        downloads.pretty(found.to_json()).decode() if asked.json else summaries.of_verification(found)
    )
    return 0 if found.holds else 1


def lock(asked: argparse.Namespace, project: Path, console: Console) -> int:
    """Write the contracts in use into the ledger."""
    today = dt.datetime.now(dt.UTC).date().isoformat()
    plan = _plan(asked, project, asked.output or project / "_site", strict=False)
    for line in locking.lock(plan, today, revise=asked.revise, package=asked.package):
        console.say(line)
    return 0


def _plan(asked: argparse.Namespace, project: Path, output: Path, *, strict: bool) -> Plan:
    content = asked.content or (None if asked.experiments else project / "content")
    return Plan(
        content=content,
        experiments=tuple(asked.experiments or ()),
        output=output,
        strict=strict,
        fail_on_invalid=getattr(asked, "fail_on_invalid", False),
        redactor=_redactor(),
    )


def _redactor() -> Redactor:
    return Redactor(builder=leaks.this_builder())


def _prices(asked: argparse.Namespace, project: Path) -> tuple[mc.PriceTable, ...]:
    """The site's price tables, for an experiment that lies in its content folder."""
    content = asked.content or project / "content"
    inside = asked.experiment.resolve().is_relative_to(content.resolve())
    settings = content / "site.yaml"
    if not (asked.content or inside) or not settings.is_file():
        return ()
    return tuple(t for t, _ in price_tables(content, site_config.read(settings.read_bytes())))
