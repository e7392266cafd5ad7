"""The gates that reports pass before they are published: ledgers, controls, invalid records.

Does: collect notes for the publisher on reports, and stop what may not leave: a changed scorer never; a
failed control or an invalid record not under ``--strict``; publishing is strict, and wants every contract in
a ledger as well. Does not: look at prose (`site_src.publishing.prose_gates` does), or measure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metrics_core.contracts import Lockfile, lockfile
from metrics_core.errors import GateError, InputError, StrictError
from metrics_core.look_alikes import look_alikes, told
from metrics_core.results import UNCAGED, Report, told_together
from metrics_core.text import many
from site_src.project import package_ledger
from site_src.wording import metric_words


def check_publication(
    reports: Sequence[Report],
    lock: bytes | None,
    *,
    package: Lockfile | None = None,
    without_ledger: bool = False,
    strict: bool = False,
    publishing: bool = False,
    fail_on_invalid: bool = False,
) -> tuple[str, ...]:
    """Check reports against the ledger and the gates.

    Args:
        reports: As computed.
        lock: Bytes of the site's ``contracts.lock``; None where it has none.
        package: The ledger of the package's own contracts; by default the one that it ships.
        without_ledger: There is no content folder that one could stand in: a contract that the package's own
            does not know is a note.
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
    if lock is None and not without_ledger:
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
        _stop([*unlocked, *gates] if publishing and not without_ledger else gates, others)
    return (
        *unlocked,
        *gates,
        *others,
        *(note for report in reports for note in _uncaged(report)),
        *(note for report in reports for note in _redacted(report)),
        *_look_alikes(reports),
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
        more = f", and {report.invalid - first.count} more" if len(report.problems) > 1 else ""
        yield f"{report.experiment}: invalid: {first}{more}"


def _look_alikes(reports: Sequence[Report]) -> Iterator[str]:
    """Names that several experiments keep apart and a reader does not; those within one are its findings."""
    from site_src.pages import models_of  # a report alone, which is checked here as well, needs no page

    arms = [frozenset(models_of(report)) for report in reports]
    yield from (f"experiments {told(group)}" for group in look_alikes(r.experiment for r in reports))
    for group in look_alikes(frozenset().union(*arms)):
        if not any(names.issuperset(group) for names in arms):
            yield f"models {told(group)}"


def _redacted(report: Report) -> Iterator[str]:
    """What was taken out of the records: a note, and no fault of theirs, since nothing of it is published."""
    for name, count in report.redacted:
        yield f"{report.experiment}: {count} x {name} redacted"
