"""What may leave: a changed scorer never, a failed control or another problem not under ``--strict``.

Publishing is strict, and wants every contract in a ledger as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metrics_core import ledger
from metrics_core.errors import GateError, InputError, StrictError
from metrics_core.report import Report
from site_src.naming import metric_words


def hold(
    reports: Sequence[Report],
    lock: bytes | None,
    *,
    strict: bool = False,
    publishing: bool = False,
    fail_on_invalid: bool = False,
) -> tuple[str, ...]:
    """Hold reports against the ledger and the gates.

    Args:
        reports: As computed.
        lock: Bytes of the site's ``contracts.lock``; None where it has none.
        strict: Controls that failed or are missing, and then any invalid record, stop the build.
        publishing: Strict, and a contract that no ledger knows, or no ledger at all, stops it as well.
        fail_on_invalid: The first invalid record stops the build.

    Returns:
        What a publisher must be told, one sentence each.

    Raises:
        LockError: A scorer changed but its version did not (exit 3).
        GateError: Strict, and a control does not hold, or publishing, and a ledger does not (exit 3).
        StrictError: Strict, and something else is wrong (exit 4).
        InputError: The first invalid record, where none is allowed (exit 1).
    """
    site_ledger = [] if lock is None else [ledger.read(lock)]
    used = [contract for report in reports for contract in report.contracts]
    unlocked = list(ledger.check([ledger.package_ledger(), *site_ledger], used))
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
    return (*unlocked, *gates, *others, *(note for report in reports for note in _redacted(report)))


def hold_report(report: Report, *, strict: bool = False) -> None:
    """Hold one report that is not published: the package's own ledger, and the gates if strict.

    Raises:
        LockError, GateError, StrictError: As `hold`.
    """
    ledger.check([ledger.package_ledger()], [c for c in report.contracts if c.kind == "built-in"])
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
        if control.state == "failed":
            words = report.words_of(control.guards)
            what = " ".join((control.guards, *(metric_words(metric, words) for metric in control.metrics)))
            told = f"{what} numbers withheld ({control.detail})"
            yield f"{report.experiment}: {control.title} failed, {told}"
        elif control.state == "missing":
            yield f"{report.experiment}: {control.title} missing ({control.detail})"


def _others(report: Report) -> Iterator[str]:
    if report.problems:
        first = report.problems[0]
        more = f", and {len(report.problems) - 1} more" if len(report.problems) > 1 else ""
        yield f"{report.experiment}: invalid: {first}{more}"


def _redacted(report: Report) -> Iterator[str]:
    """What was taken out of the records: told, and no fault of theirs, since nothing of it is published."""
    for name, count in report.redacted:
        yield f"{report.experiment}: {count} x {name} redacted"
