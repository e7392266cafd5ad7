"""The gates of a publication: ledgers, controls, invalid records, decisions, results typed by hand.

Does: collect notes for the publisher on reports, prose, decisions and editions, and stop what may not
leave: a changed scorer never; a failed control, an invalid record or a result typed by hand not under
``--strict``; publishing is strict, and wants every contract in a ledger and every accepted decision borne
out as well. Does not: judge a claim (`site_src.decisions` does), or measure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from metrics_core.contracts import Lockfile, lockfile
from metrics_core.errors import AssayError, ClaimError, GateError, InputError, StrictError
from metrics_core.results import UNCAGED, Report, told_together
from metrics_core.text import many
from site_src.decisions import Decision, unsupported
from site_src.lint import Finding, naked, near_misses
from site_src.pages.editions import objections
from site_src.project import Authored, package_ledger
from site_src.publishing.site import SiteFiles
from site_src.references import Index
from site_src.wording import metric_words

Written = Authored | Decision
"""A document of an author's."""


def check_publication(
    reports: Sequence[Report],
    lock: bytes | None,
    *,
    package: Lockfile | None = None,
    strict: bool = False,
    publishing: bool = False,
    fail_on_invalid: bool = False,
) -> tuple[str, ...]:
    """Check reports against the ledger and the gates.

    Args:
        reports: As computed.
        lock: Bytes of the site's ``contracts.lock``; None where it has none.
        package: The ledger of the package's own contracts; by default the one that it ships.
        strict: Controls that failed or are missing, and then any invalid record, stop the build.
        publishing: Strict, and a contract that no ledger knows, or no ledger at all, stops it as well.
        fail_on_invalid: The first invalid record stops the build.

    Returns:
        Notes for the publisher, one sentence each.

    Raises:
        LockError: A scorer changed but its version did not (exit 3).
        GateError: Strict, and a control does not hold, or publishing, and a ledger does not (exit 3).
        StrictError: Strict, and something else is wrong (exit 4).
        InputError: There are records and none is a run; or one is invalid, where none may be (exit 1).
    """
    unusable = [report for report in reports if report.problems]  # one that was just begun has none
    if unusable and not any(report.usable for report in reports):
        refuse_unusable(unusable[0], alone=len(reports) == 1)
    if package is None:
        package = lockfile.package_ledger() if publishing else package_ledger()
    site_ledger = [] if lock is None else [lockfile.read(lock)]
    used = [contract for report in reports for contract in report.contracts]
    unlocked = list(lockfile.check([package, *site_ledger], used))
    if lock is None:
        unlocked.append("this site has no ledger yet; `assay lock` makes contracts.lock")
    gates = [note for report in reports for note in _gates(report)]
    others = [note for report in reports for note in _others(report)]
    if fail_on_invalid:
        for report in reports:
            for problem in report.problems:
                raise InputError(
                    problem.what,
                    where=f"{report.experiment}/{problem.place}",
                    hint="--fail-on-invalid: the earlier site was left as it was",
                )
    if strict or publishing:
        _stop([*unlocked, *gates] if publishing else gates, others)
    return (
        *unlocked,
        *gates,
        *others,
        *(note for report in reports for note in _uncaged(report)),
        *(note for report in reports for note in _redacted(report)),
    )


def refuse_unusable(report: Report, *, alone: bool = True) -> None:
    """Refuse a report in which no record is a run, with what is wrong with them.

    Args:
        report: As it was computed.
        alone: Whether it was asked for alone, so that the names of its files are enough.

    Raises:
        InputError: It holds none.
    """
    if report.usable:
        return
    if len(report.problems) == 1:
        (only,) = report.problems
        raise InputError(only.what, where=only.place if alone else f"{report.experiment}/{only.place}")
    told = list(told_together(report.problems))
    first = told[0] if told else "it holds no records"
    more = f"; and {many(len(told) - 1, 'other problem')}" if len(told) > 1 else ""
    raise InputError(f"nothing in it can be used: {first}{more}", where=report.experiment)


def check_report(report: Report, *, strict: bool = False) -> None:
    """Check one report that is not published: the package's own ledger, and the gates if strict.

    Raises:
        InputError: It holds no run.
        LockError, GateError, StrictError: As `check_publication`.
    """
    refuse_unusable(report)
    lockfile.check([package_ledger()], [c for c in report.contracts if c.kind == "built-in"])
    if strict:
        _stop(list(_gates(report)), list(_others(report)))


def _stop(gates: Sequence[str], others: Sequence[str]) -> None:
    """A gate that does not hold comes first: 3 wins over 4."""
    if gates:
        raise GateError("; ".join(gates), where="publication", hint="nothing was published")
    if others:
        raise StrictError("; ".join(others), where="publication", hint="nothing was published")


def _gates(report: Report) -> Iterator[str]:
    for control in report.controls:
        if control.withholds:
            words = report.words_of(control.guards)
            what = " ".join((control.guards, *(metric_words(metric, words) for metric in control.metrics)))
            what_is_withheld = f"{what} numbers withheld ({control.detail})"
            yield f"{report.experiment}: {control.title} {control.told}, {what_is_withheld}"
        elif control.stops_publication:
            yield f"{report.experiment}: {control.title} missing ({control.detail})"


def _uncaged(report: Report) -> Iterator[str]:
    for contract in report.contracts:
        if contract.cage == UNCAGED:
            yield (
                f"{report.experiment}: {contract.ref.id} is code, and ran without a cage, which this system"
                " lacks (Linux with Landlock and seccomp has one); its page says so"
            )


def _others(report: Report) -> Iterator[str]:
    if report.problems:
        first = report.problems[0]
        more = f", and {len(report.problems) - 1} more" if len(report.problems) > 1 else ""
        yield f"{report.experiment}: invalid: {first}{more}"


def _redacted(report: Report) -> Iterator[str]:
    """What was taken out of the records: a note, and no fault of theirs, since nothing of it is published."""
    for name, count in report.redacted:
        yield f"{report.experiment}: {count} x {name} redacted"


def check_prose(
    whole: SiteFiles, *, checking: bool = False, strict: bool = False, publishing: bool = False
) -> tuple[str, ...]:
    """Check prose, decisions and moves against the reports.

    Args:
        whole: The site, none of whose pages need have been made.
        checking: An accepted decision that is not borne out is an error; numbers typed by hand are notes.
        strict: Numbers typed by hand stop the build.
        publishing: Strict, and so do figures that moved unannounced, and pages that are gone without a word.

    Returns:
        Notes for the publisher, one sentence each.

    Raises:
        GateError: Publishing, and a figure moved although nothing it is made from did (exit 3).
        ClaimError: Checking or publishing, and an accepted decision is not borne out (exit 1).
        StrictError: Strict, and a number was typed by hand (exit 4).
    """
    state = whole.site_state
    moved = objections(state.history, whole.site.since, whole.site.present)
    left = unsupported(state.decisions)
    typed: tuple[StrictError, ...] = ()
    if checking or strict or publishing:
        typed = (*near_missed(whole), *(found.error for found in typed_by_hand(whole)))
    if publishing and moved:
        raise GateError("; ".join(moved), where="publication", hint="nothing was published")
    if (checking or publishing) and left:
        raise _all_of(left, ClaimError, also=(*moved, *map(str, typed)) if checking else ())
    if (strict or publishing) and typed:
        raise _all_of(typed, StrictError)
    return (*map(str, left), *moved, *map(str, typed))


def _all_of(found: Sequence[AssayError], kind: type[AssayError], also: Sequence[str] = ()) -> AssayError:
    """One error of all of them, a line each; notes follow."""
    first, *rest = found
    lines = (f"{first.problem} ({first.hint})", *map(str, rest), *(f"note: {note}" for note in also))
    return kind("\n".join(lines), where=first.where)


def noted(page: Written, index: Index) -> tuple[str, ...]:
    """Notes for the author of one document: what is misspelt in it, and results typed by hand.

    Args:
        page: What was written.
        index: What the site's reports hold.
    """
    return (*map(str, near_misses(page.text, page.source, page.first_line)), *map(str, _typed(page, index)))


def notes(
    whole: SiteFiles, notes_of: Callable[[Written, Index], tuple[str, ...]] = noted
) -> Iterator[tuple[str, ...]]:
    """All that `check_prose` returns or raises, as notes; nothing is raised.

    Args:
        whole: The site, none of whose pages need have been made.
        notes_of: Gives the notes on one document; a preview gives one that remembers.

    Yields:
        Notes on decisions, on figures that moved, and on each document in turn, so that whoever has something
        better to do can stop between two of them.
    """
    state = whole.site_state
    yield tuple(map(str, unsupported(state.decisions)))
    yield objections(state.history, whole.site.since, whole.site.present)
    yield from (notes_of(page, state.index) for page in _written(whole))


def _written(whole: SiteFiles) -> list[Written]:
    where = whole.site.where
    return [*where.authored, *(judged.decision for judged in where.decisions)]


def near_missed(whole: SiteFiles) -> Iterator[StrictError]:
    """Every role and directive that is misspelt so that it would be printed, page by page."""
    for page in _written(whole):
        yield from near_misses(page.text, page.source, page.first_line)


def typed_by_hand(whole: SiteFiles) -> Iterator[Finding]:
    """Every result that stands in prose as a literal, page by page."""
    for page in _written(whole):
        yield from _typed(page, whole.site.where.index)


def _typed(page: Written, index: Index) -> Iterator[Finding]:
    for place, words in page.heads:
        yield from (replace(found, where=place) for found in naked(words, page.source, 1, index))
    yield from naked(page.text, page.source, page.first_line, index)
