"""Checks a site against itself, without the original folders: digests, reports, numbers in the pages.

Manifest first; then every experiment is laid out again from its published records, measured with the
contracts that were published with it, and compared with its report; then each number in the HTML against
its report; then every file against the site made again from its records, settings and prose. It says whether
the site agrees with itself. Who published it, and whether the records are true, it cannot know.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import metrics_core as mc
from metrics_core.contracts import UncagedError
from metrics_core.errors import AssayError, InputError
from metrics_core.experiments import Experiment, read_price_table
from metrics_core.pricing import PriceTable
from metrics_core.redaction import Redactor
from metrics_core.results import Report
from metrics_core.text import visible
from site_src import paths, pipeline
from site_src.project import Recompute, Sources
from site_src.publishing import (
    MANIFEST,
    UNLISTED,
    Manifest,
    downloads,
    kept_files,
    published_inputs,
    raw_data,
)
from site_src.verification import page_numbers, published_code
from site_src.version import VERSION

Progress = Callable[[str, int, int | None], None]
HOLDS, DIFFERS, NOT_ALL_CHECKED = 0, 1, 5


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """One kind of check: how many things were checked, every fault, and what was not checked, and why."""

    what: str
    checked: int
    faults: tuple[str, ...]
    not_checked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MeasuredAgain:
    """An experiment measured again, its report as built, and what its pages say computes it again."""

    experiment: Experiment
    report: Report
    recompute: Recompute


@dataclass(frozen=True, slots=True)
class Verification:
    """What a verification found. Three facts that are never merged: digests, signature, recomputation.

    ``told`` is what is worth knowing and was compared with nothing.
    """

    rows: tuple[CheckedFile, ...]
    told: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether everything was checked, and no check found a fault."""
        return self.exit_code == HOLDS

    @property
    def exit_code(self) -> int:
        """0 all holds; 1 something does not; 5 all that was checked holds, and not everything was."""
        if any(row.faults for row in self.rows):
            return DIFFERS
        return NOT_ALL_CHECKED if any(row.not_checked for row in self.rows) else HOLDS

    @property
    def verdict(self) -> tuple[str, ...]:
        """The state of the site in words, one fact a line."""
        words = "every published number was recomputed"
        if self.exit_code == DIFFERS:
            words = "not everything holds"
        elif self.exit_code == NOT_ALL_CHECKED:
            words = "all that was checked holds, and not everything was checked"
        elif not self.rows[-1].checked:
            words = "the reports were recomputed; the pages were built by another version, and not made again"
        return (
            "digests match" if not self.rows[0].faults else "digests do not match",
            words,
            "not signed",
        )

    def to_json(self) -> dict[str, Any]:
        """As ``--json`` prints it."""
        return {
            "schema": "assay.verification/1",
            "holds": self.holds,
            "states": list(self.verdict),
            "checks": [{"what": r.what, "checked": r.checked, "faults": list(r.faults)} for r in self.rows],
            "not_checked": [each for row in self.rows for each in row.not_checked],
            "told": list(self.told),
        }


def verify(
    site: Path, progress: Progress = lambda what, done, total: None, *, run_contracts: bool = False
) -> Verification:
    """Check a site.

    Args:
        site: Folder of the site; nothing in it is altered, nothing outside it is needed.
        progress: Called with how far it has come.
        run_contracts: Run its contracts, which are somebody's code, even where there is no cage for them.

    Raises:
        InputError: The folder is no site.
    """
    if not (site / MANIFEST).is_file():
        raise InputError("holds no manifest.json", where=site.name, hint="name the folder of a built site")
    rows = [_files(site, progress)]
    if rows[0].faults:
        return Verification(
            (*rows, CheckedFile("reports recomputed", 0, ("not tried: the files are not those published",)))
        )
    with tempfile.TemporaryDirectory(prefix="assay-verify-") as scratch:
        measured: list[MeasuredAgain] = []
        told: list[str] = []
        rows.append(
            _tried(
                lambda: _reports(site, Path(scratch), measured, told, progress, run_contracts=run_contracts)
            )
        )
        rows.append(_tried(lambda: _instruments(site)))
        rows.append(_tried(lambda: _pages(site, progress)))
        rows.append(_tried(lambda: _reproduced(site, measured, progress, reports=rows[1])))
    return Verification(tuple(rows), tuple(told))


def _tried(check: Callable[[], CheckedFile]) -> CheckedFile:
    """What a check finds; a site that is not made as sites are is a fault of the site."""
    try:
        return check()
    except AssayError as error:
        return CheckedFile("what a site holds", 0, (str(error),))
    except (OSError, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        return CheckedFile("what a site holds", 0, (f"cannot be checked: {type(error).__name__}: {error}",))


def _files(site: Path, progress: Progress) -> CheckedFile:
    """Every file against the manifest: changed, missing, extra, links."""
    faults: list[str] = []
    data = (site / MANIFEST).read_bytes()
    try:
        rows = [(row["path"], row["size"], row["sha256"]) for row in json.loads(data)["files"]]
    except (ValueError, KeyError, TypeError) as bad:
        return CheckedFile("files against the manifest", 0, (f"{MANIFEST}: not a manifest: {bad!r}",))
    if Manifest(tuple(rows)).to_bytes() != data:
        faults.append(f"{MANIFEST}: is not spelled as it was published")
    listed = {path: (size, digest) for path, size, digest in rows}
    present = {
        p.relative_to(site).as_posix(): p for p in sorted(site.rglob("*")) if p.is_symlink() or not p.is_dir()
    }
    keep, kept = _keep(site), list[str]()
    for number, (name, path) in enumerate(present.items()):
        progress("hashing files", number, len(present))
        if path.is_symlink() or not path.is_file():
            faults.append(f"{name}: not a regular file")
        elif name not in listed and kept_files.is_kept(name, keep):
            kept.append(visible(name, escaped=True))
        elif name not in {*listed, *UNLISTED}:
            faults.append(f"{name}: is not in the manifest")
        elif name in listed:
            data = path.read_bytes()
            if (len(data), hashlib.sha256(data).hexdigest()) != listed[name]:
                faults.append(f"{name}: is not the file that the manifest lists")
    faults += [f"{name}: is missing" for name in sorted(set(listed) - set(present))]
    besides = f" (kept beside them, and vouched for by nobody: {', '.join(kept)})" if kept else ""
    return CheckedFile(f"files against the manifest{besides}", len(listed), tuple(faults))


def _keep(site: Path) -> tuple[str, ...]:
    """Patterns of files that the site's settings keep though no build made them."""
    try:
        return published_inputs.read(site)[0].keep
    except InputError:
        return ()


def _reports(
    site: Path,
    scratch: Path,
    measured: list[MeasuredAgain],
    told: list[str],
    progress: Progress,
    *,
    run_contracts: bool,
) -> CheckedFile:
    """Lay each experiment out again, measure it, and compare it with its report."""
    faults: list[str] = []
    not_checked: list[str] = []
    checked = 0
    missed = {path.relative_to(site).as_posix() for path in site.glob("data/reports/*.json")}
    try:
        tables = tuple(table for table, _ in _tables(site))
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
                report = mc.compute(experiment, tables)
            except UncagedError as uncaged:
                checked -= 1
                not_checked.append(f"{laid.experiment}: no number of it was recomputed: {uncaged}")
                continue
            told += published_code.told([(report, laid.report)])
            faults += _recomputed(laid, experiment, report)
            measured.append(MeasuredAgain(experiment, _as_built(report, laid.report), laid.recompute))
    except AssayError as error:
        faults.append(str(error).replace(str(scratch), ""))
    faults += [f"{path}: its records are not published, so it was not recomputed" for path in sorted(missed)]
    faults += _gathered(site)
    return CheckedFile(
        "reports recomputed from the published records", checked, tuple(faults), tuple(not_checked)
    )


def _tables(site: Path) -> tuple[tuple[PriceTable, bytes], ...]:
    return tuple((read_price_table(data, name), data) for name, data in raw_data.price_sources(site))


def _as_built(report: Report, published: dict[str, Any]) -> Report:
    """A report with what was known only where it was built: what was redacted, in what contracts ran."""
    redacted = tuple(sorted(published["redacted"].items()))
    report = published_code.as_built(report, published)
    return replace(report, redacted=redacted, source_digest=published["source_digest"])


def _reproduced(
    site: Path, measured: list[MeasuredAgain], progress: Progress, *, reports: CheckedFile
) -> CheckedFile:
    """Every file of the site against what its records, settings and prose make."""
    what = "files made again from the published inputs"
    if reports.faults:
        return CheckedFile(what, 0, ("not tried: the reports are not what the records give",))
    if reports.not_checked:
        return CheckedFile(what, 0, (), ("pages: not made again, since not every report was recomputed",))
    built = str(json.loads((site / "site.json").read_bytes())["build"])
    if built.partition("+")[0] != VERSION:
        return CheckedFile(f"{what} (not tried: built by {built}, and this is {VERSION})", 0, ())
    measured = sorted(measured, key=lambda m: m.experiment.slug)
    config, authored = published_inputs.read(site)
    sources = Sources(
        config=config,
        authored=authored,
        tables=_tables(site),
        experiments=tuple(m.experiment for m in measured),
        withheld=published_inputs.read_withheld(site),
        recompute={m.experiment.slug: m.recompute for m in measured},
        **published_inputs.read_content_files(site),
    )
    files = pipeline.model(sources, [m.report for m in measured]).files(progress)
    checked = sum(path.is_file() for path in site.rglob("*"))
    return CheckedFile(what, checked, tuple(published_inputs.faults(site, files, config.keep)))


def _gathered(site: Path) -> Iterator[str]:
    """The estimates that pages refer to, against the reports that they were gathered from."""
    reports = [json.loads(path.read_bytes()) for path in sorted(site.glob("data/reports/*.json"))]
    reported = {row["id"]: row for report in reports for row in report["estimates"]}
    published = {row["id"]: row for row in json.loads((site / downloads.ESTIMATES).read_bytes())["estimates"]}
    for name in sorted({*reported, *published}):
        if reported.get(name) != published.get(name):
            yield f"{downloads.ESTIMATES}: {name}: is not what its report says"


def _recomputed(laid: raw_data.LaidOut, experiment: Experiment, report: Report) -> Iterator[str]:
    if experiment.digests.data != laid.data_digest or laid.report["data_digest"] != laid.data_digest:
        yield f"{laid.experiment}: its records have {experiment.digests.data}, quoted is {laid.data_digest}"
        return
    again = json.loads(downloads.report_file(report))
    then = {(c["id"], c["version"]): c["digest"] for c in laid.report["contracts"]}
    now = {(c["id"], c["version"]): c["digest"] for c in again["contracts"]}
    for name in sorted({*then, *now}):
        if then.get(name) != now.get(name):
            yield (
                f"{laid.experiment}: {name[0]} v{name[1]} was {then.get(name)} when it was published and is "
                f"{now.get(name)} here: install the version that built the site"
            )
    named = {(c["id"], c["version"], c["digest"]) for c in laid.report["contracts"]}
    for row in (*laid.report["estimates"], *laid.report["comparisons"]):
        if tuple(row["contract"][key] for key in ("id", "version", "digest")) not in named:
            yield f"{laid.experiment}: {row['id']}: quotes a contract that its report does not list"
    for part in ("estimates", "comparisons", "controls", "costs", "problems", "findings"):
        yield from _differences(laid.experiment, part, _bare(laid.report[part]), _bare(again[part]))


def _bare(rows: list[Any]) -> list[Any]:
    """Rows without the contract's reference, which is checked against its source on its own."""
    return [{key: value for key, value in row.items() if key != "contract"} for row in rows]


def _differences(experiment: str, part: str, published: list[Any], again: list[Any]) -> Iterator[str]:
    if published == again:
        return
    then = {_name(row, i): row for i, row in enumerate(published)}
    now = {_name(row, i): row for i, row in enumerate(again)}
    for name in sorted({*then, *now}):
        if then.get(name) != now.get(name):
            yield f"{experiment}: {part}: {name}: published and recomputed differ"


def _name(row: dict[str, Any], place: int) -> str:
    return str(row.get("id") or row.get("model") or f"{place}")


def _instruments(site: Path) -> CheckedFile:
    """The published source of each contract against the digest that captions quote."""
    from metrics_core.digest import closure_digest

    faults: list[str] = []
    checked = 0
    for index in sorted(site.glob("data/contracts/*/files.json")):
        listed = json.loads(index.read_bytes())
        files = {row["path"]: (site / row["at"]).read_bytes() for row in listed["files"]}
        checked += 1
        if closure_digest(files) != listed["digest"]:
            faults.append(
                f"{index.relative_to(site).as_posix()}: its files do not have the digest that it quotes"
            )
    return CheckedFile("contracts' source against their digests", checked, tuple(faults))


def _pages(site: Path, progress: Progress) -> CheckedFile:
    """Each number in the pages against the published estimates."""
    known = {row["id"]: row for row in json.loads((site / downloads.ESTIMATES).read_bytes())["estimates"]}
    faults: list[str] = []
    checked = 0
    pages = sorted(site.rglob("*.html"))
    for number, page in enumerate(pages):
        progress("reading pages", number, len(pages))
        for shown in page_numbers.shown(page.read_text("utf-8")):
            checked += 1
            faults += page_numbers.faults(shown, known, page.relative_to(site).as_posix())
    return CheckedFile("numbers in the pages against their estimates", checked, tuple(faults))
