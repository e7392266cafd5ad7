"""Checks a site against itself, without the original folders: digests, reports, numbers in the pages.

Manifest first; then every experiment is laid out again from its published records, measured with the
contracts that were published with it, and compared with its report; then each number in the HTML against
its report; then the published estimates once more, by a second implementation; then every file against the
site made again from its records, settings and prose. It says whether the site agrees with itself. Whether the
records are true, it cannot know; who published it, a signature says to whoever knows the key.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from metrics_core.digest import closure_digest
from metrics_core.errors import AssayError, FormatError, InputError
from site_src import paths
from site_src.installed import VERSION
from site_src.publishing import Progress, PublishedSite, published_inputs, read_manifest, shown
from site_src.signing import PublicKey, check_signature
from site_src.verification import page_numbers, recomputation, remaking, rereading
from site_src.verification.findings import Check, Verification

FILES = "files against the manifest"
SIGNATURE = "statement and signature"
INSTRUMENTS = "contracts' source against their digests"
NUMBERS = "numbers in the pages against their estimates"


def verify(
    folder: Path,
    progress: Progress = lambda what, done, total: None,
    *,
    key: PublicKey | None = None,
    earlier: dict[str, Any] | None = None,
    run_contracts: bool = False,
) -> Verification:
    """Check a site.

    Args:
        folder: Of the site; nothing in it is altered, nothing outside it is read.
        progress: Called with how far it has come.
        key: Whose signature it must have.
        earlier: The statement of an earlier site of the same publisher: `site_src.signing.read_statement`.
        run_contracts: Run its contracts, which are somebody's code, even where there is no cage for them.

    Raises:
        InputError: The folder is no site.
    """
    try:
        site = PublishedSite(folder, read_manifest(folder))
    except FormatError as error:
        return Verification((Check(FILES, 0, (str(error),), ("whatever the manifest should list",)),))
    kept = site.kept(_keep(site))
    files = Check(FILES, len(site.paths), tuple(site.faults(progress, kept=kept)))
    if files.faults:
        unchecked = "reports and pages: not tried, since the files are not those published"
        return Verification((files, Check(recomputation.WHAT, 0, (), (unchecked,))))
    signature = check_signature(site, key, earlier)
    another = _another_version(site)
    with tempfile.TemporaryDirectory(prefix="assay-verify-") as scratch:
        again = recomputation.Recomputation()
        made = remaking.Remaking(Check(remaking.WHAT, 0))
        read = rereading.Rereading(Check(rereading.WHAT, 0))

        def reports() -> Check:
            nonlocal again
            again = recomputation.recompute(
                site, Path(scratch), another, progress, run_contracts=run_contracts
            )
            return again.check

        def second() -> Check:
            nonlocal read
            experiments = [each.experiment for each in again.measured]
            prices = [table for table, _ in recomputation.tables(site)]
            read = rereading.reread(site, experiments, prices, progress)
            return read.check

        def pages() -> Check:
            nonlocal made
            made = remaking.remake(site, again.measured, another, progress)
            return made.check

        rows = [
            files,
            Check(SIGNATURE, signature.checked, signature.faults),
            _tried(recomputation.WHAT, reports),
            _tried(INSTRUMENTS, lambda: _instruments(site)),
            _tried(NUMBERS, lambda: _numbers(site, progress)),
            _tried(rereading.WHAT, second),
        ]
        if rows[2].faults:
            rows.append(
                Check(remaking.WHAT, 0, (), ("pages: not made again, since the reports do not hold",))
            )
        elif not again.whole:
            unmade = "pages: not made again, since not every report was recomputed"
            rows.append(Check(remaking.WHAT, 0, (), (unmade,)))
        else:
            rows.append(_tried(remaking.WHAT, pages, another))
    besides = f"kept beside them, and vouched for by nobody: {', '.join(map(shown, kept))}" if kept else ""
    told = (
        *filter(None, [besides]),
        *signature.told,
        *again.told,
        *filter(None, [read.told]),
        *_machine(made.built_with),
    )
    return Verification(tuple(rows), signature.state, told)


def _another_version(site: PublishedSite) -> str | None:
    """The version that the site says built it, where it is not this one; what is no version is none."""
    try:
        built = str(site.json(paths.SITE_INDEX)["build"]).partition("+")[0]
    except (AssayError, TypeError, KeyError):
        return None
    return None if built == VERSION else shown(built)[:40] or "no version"


def _keep(site: PublishedSite) -> tuple[str, ...]:
    """Patterns of files that the site's settings keep though no build made them."""
    try:
        return published_inputs.read(site)[0].keep
    except InputError:
        return ()


def _tried(what: str, check: Callable[[], Check], another: str | None = None) -> Check:
    """What a check finds; a site that is not made as sites are is a fault of the site, and no crash.

    Args:
        what: The check, in words.
        check: Makes it.
        another: The version that built the site, where one that fails here may hold there.
    """
    try:
        return check()
    except AssayError as error:
        why = str(error)
    except Exception as error:  # noqa: BLE001 (whoever made the site chose what is read here)
        why = f"cannot be checked: {type(error).__name__}: {shown(str(error))[:200]}"
    if another is not None:
        return Check(what, 0, (), (f"{why} (built by {another})",))
    return Check(what, 0, (why,))


def _instruments(site: PublishedSite) -> Check:
    """The published source of each contract against the digest that captions quote."""
    faults: list[str] = []
    indexes = site.under("data/contracts/", "/files.json", deep=True)
    for index in indexes:
        listed = site.json(index)
        files = {row["path"]: site.read(row["at"]) for row in listed["files"]}
        if len(files) != len(listed["files"]):
            faults.append(f"{shown(index)}: lists a file twice")
        elif closure_digest(files) != listed["digest"]:
            faults.append(f"{shown(index)}: its files do not have the digest that it quotes")
    return Check(INSTRUMENTS, len(indexes), tuple(faults))


def _numbers(site: PublishedSite, progress: Progress) -> Check:
    """Each number in the pages against the published estimates."""
    known = recomputation.published_estimates(site)
    faults: list[str] = []
    checked = 0
    pages = site.under("", ".html", deep=True)
    for number, page in enumerate(pages):
        progress("reading pages", number, len(pages))
        for seen in page_numbers.shown(site.read(page).decode("utf-8")):
            checked += 1
            faults += page_numbers.faults(seen, known, page)
    return Check(NUMBERS, checked, tuple(faults))


def _machine(built_with: dict[str, str]) -> tuple[str, ...]:
    """What the site says of the machine that built it, where this one is another."""
    if not built_with:
        return ()
    told = ", ".join(f"{name} {version}" for name, version in sorted(built_with.items()))
    return (f"not compared, since it names the builder's machine: {told}",)
